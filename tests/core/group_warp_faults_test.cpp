#include "tests/core/faults.h"

// Barriers of warps that are missing, or that do not do for what crosses warps. On the CPU, in every build.

namespace warploom {
namespace {

using Group = CheckedGroup;
template <unsigned count>
using Tile = Group::Tile<int, count>;

/// Neighbours exchange in their warp, twice through the same words. Which barriers there are: of the block, of the
/// warp.
enum class Barriers { block, warp, none };
void swap_in_warps(Group& group, Barriers before_reads, Barriers before_writes, unsigned apart = 1) {
  Tile<max_block_threads> tile;
  Group::PerThread<int> found;
  const auto wait = [&](Barriers which) {
    if (which == Barriers::block) group.barrier();
    if (which == Barriers::warp) group.warp_barrier();
  };
  for (int round = 0; round < 2; ++round) {
    group.each([&](const Thread& thread) { tile[thread.index] = round; });
    wait(before_reads);
    group.each([&](const Thread& thread) { found[thread] = tile[thread.index ^ apart]; });
    wait(before_writes);
  }
}

TEST(GroupWarpFaults, MissingBarrierOfAWarp) {
  constexpr auto block = Barriers::block, warp = Barriers::warp, none = Barriers::none;
  const auto with = [](unsigned threads, Barriers reads, Barriers writes, unsigned apart = 1) {
    return fault(threads, [&](Group& group) { swap_in_warps(group, reads, writes, apart); });
  };
  for (const unsigned threads : {2u, 32u, 64u, 1024u}) {
    EXPECT_EQ(with(threads, warp, warp), "");
    EXPECT_EQ(with(threads, block, warp), "");
    EXPECT_EQ(with(threads, warp, block), "");
    expect_parts(with(threads, none, warp), {"is read by thread", "wrote it since the last barrier"});
    expect_parts(with(threads, warp, none), {"is written by thread", "read it since the last barrier"});
  }
  // What another warp wrote, or has read, a barrier of the warp does not settle.
  EXPECT_EQ(with(64, block, block, 32), "");
  expect_parts(with(64, warp, block, 32), {"is read by thread", "wrote it since the last barrier of the block"});
  expect_parts(with(64, block, warp, 32), {"is written by thread", "read it since the last barrier of the block"});
}

TEST(GroupWarpFaults, ABarrierOfWarpsSettlesTheReadsOfTheirOwnThreadsAlone) {
  const auto read_and_write = [](unsigned readers, bool block) {
    return fault(64, [&](Group& group) {
      Tile<1> tile;
      Group::PerThread<int> found;
      group.once([&] { tile[0] = 1; });
      group.barrier();
      group.each([&](const Thread& thread) {
        if (thread.index < readers) found[thread] = tile[0];
      });
      block ? group.barrier() : group.warp_barrier();
      group.once([&] { tile[0] = 2; });
    });
  };
  EXPECT_EQ(read_and_write(32, false), "") << "all of them are of the writer's warp";
  EXPECT_EQ(read_and_write(33, true), "");
  EXPECT_FAULT(read_and_write(33, false), "is written by thread 0, but several threads read it since the last barrier");
  const auto read_by_all = [](unsigned threads) {
    return fault(threads, [](Group& group) {
      Tile<1> tile;
      group.once([&] { tile[0] = 1; });
      group.warp_barrier();
      const int all = tile[0];
      (void)all;
      group.warp_barrier();
      group.once([&] { tile[0] = 2; });
    });
  };
  EXPECT_FAULT(read_by_all(64),
               "is read by every thread (uniform code), but thread 0 wrote it since the last barrier of the block");
  EXPECT_EQ(read_by_all(32), "") << "in a block of one warp it is as good as a barrier of the block";
  EXPECT_FAULT(fault(2, [](Group& group) { group.once([&] { group.warp_barrier(); }); }), "warp_barrier is reached by");
  EXPECT_FAULT(
      fault(32,
            [](Group& group) {
              Tile<32> tile;
              const int from[32] = {};
              group.each([&](const Thread& thread) { group.copy_async(tile, thread.index, from + thread.index); });
              group.end_copies();
              group.warp_barrier();
            }),
      "a barrier of warps is reached while copies are under way");
}

}  // namespace
}  // namespace warploom
