#include "tests/core/groups.h"
#include "tests/files/files.h"

// Threads, shared memory and barriers of group programs, against plain serial loops.

namespace warploom {
namespace {

class GroupThreads : public Groups {};
WARPLOOM_UNDER_EVERY_GROUP(GroupThreads);

// ---- each, once, PerThread

/// Each thread says where it stands, 1 + its place; the first adds what the block has told of itself.
struct WhereIsEach {
  std::uint64_t* out;
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    std::uint64_t* to = out + group.block_number() * (group.size() + 1);
    const Index3 block = group.block(), threads = group.threads();
    group.each([&](const Thread& thread) {
      to[thread.index] += 1 + linear_index(thread.at, threads) + (thread.at.z << 10) + (thread.at.y << 20);
    });
    group.once([&] {
      to[group.size()] += 1 + block.x + (block.y << 8) + (block.z << 16) + (std::uint64_t{group.size()} << 24);
    });
  }
};

TEST_P(GroupThreads, EachRunsOnceInEveryThread) {
  check<WhereIsEach>([](const LaunchShape& shape) { return volume(shape.threads) + 1; },
                     [](const LaunchShape& shape, std::uint64_t block, std::uint64_t i) -> std::uint64_t {
                       const std::uint64_t threads = volume(shape.threads);
                       const Index3 at = unfold(i < threads ? i : block, i < threads ? shape.threads : shape.blocks);
                       if (i < threads) return 1 + i + (at.z << 10) + (at.y << 20);
                       return 1 + at.x + (at.y << 8) + (at.z << 16) + (threads << 24);
                     });
}

/// A value of each thread lives from one phase to the next.
struct Accumulate {
  std::uint64_t* out;
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    typename Group::template PerThread<std::uint64_t> total;
    typename Group::template PerThread<unsigned> rounds;
    group.each([&](const Thread& thread) { total[thread] = rounds[thread] = 0; });
    for (unsigned round = 0; round < 5; ++round) {
      group.each([&](const Thread& thread) {
        total[thread] += brought(group.block_number(), thread.index, round) << rounds[thread];
        ++rounds[thread];
      });
      group.barrier();
    }
    group.each([&](const Thread& thread) { out[group.block_number() * group.size() + thread.index] = total[thread]; });
  }
};

TEST_P(GroupThreads, PerThreadLivesAcrossPhases) {
  check_threads<Accumulate>([](const LaunchShape&, std::uint64_t block, std::uint64_t thread) {
    std::uint64_t total = 0;
    for (unsigned round = 0; round < 5; ++round) total += brought(block, thread, round) << round;
    return total;
  });
}

// ---- shared memory

/// Two tiles of one type and size: what is put into one may not appear in the other.
struct ReverseTwice {
  static constexpr unsigned rounds = 4;
  template <class Group>
  struct Shared {
    typename Group::template Tile<std::uint64_t, max_block_threads> one, other;
  };
  std::uint64_t* out;
  template <class Group>
  WARPLOOM_HD void operator()(Group& group, Shared<Group>& shared) const {
    const unsigned last = group.size() - 1;
    std::uint64_t* to = out + group.block_number() * group.size();
    for (unsigned round = 0; round < rounds; ++round) {
      group.each([&](const Thread& thread) {
        shared.one[thread.index] = brought(group.block_number(), thread.index, round);
        shared.other[thread.index] = 7 * thread.index;
        shared.other[thread.index] += round;
      });
      group.barrier();
      group.each([&](const Thread& thread) {
        to[thread.index] += (shared.one[last - thread.index] << 8 * round) + shared.other[last - thread.index];
      });
      group.barrier();
    }
  }
};

TEST_P(GroupThreads, TilesCarryValuesOverABarrier) {
  check_threads<ReverseTwice>([](const LaunchShape& shape, std::uint64_t block, std::uint64_t thread) {
    const std::uint64_t from = volume(shape.threads) - 1 - thread;
    std::uint64_t total = 0;
    for (unsigned round = 0; round < ReverseTwice::rounds; ++round)
      total += (brought(block, from, round) << 8 * round) + 7 * from + round;
    return total;
  });
}

/// Hands values round in each warp, through the same words again and again.
struct RoundInWarps {
  static constexpr unsigned rounds = 5;
  template <class Group>
  struct Shared {
    typename Group::template Tile<std::uint64_t, max_block_threads> tile;
  };
  std::uint64_t* out;
  template <class Group>
  WARPLOOM_HD void operator()(Group& group, Shared<Group>& shared) const {
    auto& tile = shared.tile;
    typename Group::template PerThread<std::uint64_t> held;
    group.each([&](const Thread& thread) { held[thread] = brought(group.block_number(), thread.index); });
    for (unsigned round = 0; round < rounds; ++round) {
      if (round > 0) group.warp_barrier();
      group.each([&](const Thread& thread) { tile[thread.index] = held[thread] + round; });
      group.warp_barrier();
      group.each([&](const Thread& thread) {
        const unsigned first = thread.index / warp_size * warp_size, left = group.size() - first,
                       live = left < warp_size ? left : warp_size;
        held[thread] = tile[first + (thread.index + 1 - first) % live];
      });
    }
    group.each([&](const Thread& thread) { out[group.block_number() * group.size() + thread.index] = held[thread]; });
  }
};

TEST_P(GroupThreads, WarpsExchangeBehindTheirOwnBarrier) {
  check_threads<RoundInWarps>([](const LaunchShape& shape, std::uint64_t block, std::uint64_t thread) {
    const std::uint64_t first = thread / warp_size * warp_size,
                        live = std::min<std::uint64_t>(warp_size, volume(shape.threads) - first);
    constexpr std::uint64_t rounds = RoundInWarps::rounds;
    return brought(block, first + (thread - first + rounds) % live) + rounds * (rounds - 1) / 2;
  });
}

/// Reverses 64-bit and 32-bit values of dynamic shared memory, `more` bytes of it unused between them.
struct ReverseDynamic {
  std::uint64_t threads, more;
  std::uint64_t* out;
  std::uint64_t dynamic_shared_bytes() const { return 12 * threads + more; }
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    const unsigned size = group.size();
    const auto wide = group.template dynamic_tile<std::uint64_t>(size);
    const auto narrow = group.template dynamic_tile<std::uint32_t>(size, static_cast<unsigned>(8 * size + more));
    group.each([&](const Thread& thread) {
      wide[thread.index] = brought(group.block_number(), thread.index) << 40;
      narrow[thread.index] = thread.index;
    });
    group.barrier();
    group.each([&](const Thread& thread) {
      out[group.block_number() * size + thread.index] = wide[size - 1 - thread.index] + narrow[size - 1 - thread.index];
    });
  }
};

TEST_P(GroupThreads, DynamicSharedMemory) {
  for (const std::uint64_t more : {0u, 64u, 80u * 1024})  // the last beyond 48 KiB: to be asked for on CUDA
    for (const LaunchShape& shape : shapes()) {
      const std::uint64_t threads = volume(shape.threads);
      Buffer<std::uint64_t> out(backend(), shape.thread_count());
      run(shape, ReverseDynamic{threads, more, out.data()});
      const auto found = out.download(*queue);
      for (std::uint64_t i = 0; i < found.size(); ++i) {
        const std::uint64_t from = threads - 1 - i % threads;
        ASSERT_EQ(found[i], (brought(i / threads, from) << 40) + from) << threads << " threads, " << more;
      }
    }
}

// ---- what a program says of its launch

struct Modest {
  static constexpr unsigned most_threads = 96, least_blocks = 2;
  std::uint64_t* out;
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    group.each([&](const Thread& thread) { out[thread.index] = thread.index + 1; });
  }
};

TEST_P(GroupThreads, LaunchHoldsAProgramToItsThreads) {
  Buffer<std::uint64_t> out(backend(), 96);
  launch("test.modest", *queue, {{1, 1, 1}, {96, 1, 1}}, Modest{out.data()});
  const auto found = out.download(*queue);
  for (std::uint64_t i = 0; i < 96; ++i) EXPECT_EQ(found[i], i + 1);
  const auto too_many = [&] { launch("test.modest", *queue, {{1, 1, 1}, {97, 1, 1}}, Modest{out.data()}); };
  expect_parts(message_of<UsageError>(too_many), {"test.modest", "1 to 96 threads"});
  static_assert(most_threads_of<ReverseTwice>() == 1024 && least_blocks_of<ReverseTwice>() == 0 &&
                least_blocks_of<Modest>() == 2);
}

TEST_P(GroupThreads, MoreSharedMemoryThanTheDeviceHasIsRefused) {
  if (backend() == Backend::cpu) GTEST_SKIP() << "the CPU has no such limit";
  Buffer<std::uint64_t> out(backend(), 32);
  const auto mebibyte = [&] { run({{1, 1, 1}, {32, 1, 1}}, ReverseDynamic{32, 1u << 20, out.data()}); };
  expect_parts(message_of<UsageError>(mebibyte), {"dynamic shared memory"});
  // And the next launch is a good one.
  run({{1, 1, 1}, {32, 1, 1}}, ReverseDynamic{32, 0, out.data()});
  EXPECT_EQ(out.download(*queue)[31], brought(0, 0) << 40);
}

}  // namespace
}  // namespace warploom
