#include <functional>

#include "gpu/core/launch.h"
#include "tests/core/faults.h"

// Faults planted into group programs, each of which CheckedGroup must find and name; and their twins without the
// fault, which it must let pass. On the CPU, in every build.

namespace warploom {
namespace {

using Group = CheckedGroup;
template <unsigned count>
using Tile = Group::Tile<int, count>;

// ---- a barrier that is missing

void reverse(Group& group, bool first_barrier, bool second_barrier) {
  Tile<max_block_threads> tile;
  Group::PerThread<int> found;
  for (int round = 0; round < 2; ++round) {
    group.each([&](const Thread& thread) { tile[thread.index] = round; });
    if (first_barrier) group.barrier();
    group.each([&](const Thread& thread) { found[thread] = tile[group.size() - 1 - thread.index]; });
    if (second_barrier) group.barrier();
  }
}

TEST(GroupFaults, MissingBarrier) {
  for (const unsigned threads : sizes) {
    EXPECT_EQ(fault(threads, [](Group& group) { reverse(group, true, true); }), "");
    const std::string said = fault(threads, [](Group& group) { reverse(group, false, true); });
    expect_parts(said, {"is read by thread", "wrote it since the last barrier"});
  }
  EXPECT_EQ(fault(1, [](Group& group) { reverse(group, false, false); }), "") << "one thread races with nobody";
}

TEST(GroupFaults, WriteAfterRead) {
  for (const unsigned threads : sizes) {
    const std::string said = fault(threads, [](Group& group) { reverse(group, true, false); });
    expect_parts(said, {"is written by thread", "read it since the last barrier"});
  }
}

TEST(GroupFaults, WriteAfterReadOfSeveral) {
  // The writer read it too: it is not alone for that.
  const std::string said = fault(64, [](Group& group) {
    Tile<1> tile;
    Group::PerThread<int> found;
    group.once([&] { tile[0] = 1; });
    group.barrier();
    group.each([&](const Thread& thread) { found[thread] = tile[0]; });
    group.once([&] { tile[0] = 2; });
  });
  EXPECT_FAULT(said, "is written by thread 0, but several threads read it since the last barrier");
}

TEST(GroupFaults, TwoWriters) {
  const std::string said = fault(33, [](Group& group) {
    Tile<16> tile;
    group.each([&](const Thread& thread) { tile[thread.index % 16] = 1; });
  });
  EXPECT_FAULT(said, "wrote it since the last barrier");
}

TEST(GroupFaults, UniformCodeIsEveryThread) {
  const auto with = [](bool barrier) {
    return fault(32, [&](Group& group) {
      Tile<1> tile;
      group.once([&] { tile[0] = 5; });
      if (barrier) group.barrier();
      const int all = tile[0];
      EXPECT_EQ(all, 5);
    });
  };
  EXPECT_EQ(with(true), "");
  EXPECT_FAULT(with(false), "is read by every thread (uniform code), but thread 0 wrote it since the last barrier");
  const std::string said = fault(32, [](Group& group) {
    Tile<1> tile;
    tile[0] = 5;
    group.barrier();
  });
  EXPECT_FAULT(said, "is written by every thread (uniform code)");
}

TEST(GroupFaults, ReadBeforeItIsWritten) {
  Tile<8> shared;  // as launches do, one for many blocks: what another block left is nothing to this one
  const auto reads = [&](unsigned writes) {
    return fault(8, [&](Group& group) {
      group.each([&](const Thread& thread) {
        if (thread.index < writes) shared[thread.index] = 1;
      });
      group.barrier();
      group.each([&](const Thread& thread) { shared[thread.index] += 1; });
    });
  };
  EXPECT_EQ(reads(8), "");
  EXPECT_FAULT(reads(7), "tile element 7 of 8 is read by thread 7, but no thread of the block wrote it");
}

// ---- tiles

TEST(GroupFaults, TilesOfAProgramNeverAlias) {
  struct Shared {
    Tile<64> one, other;
  };
  // What every thread does with one tile says nothing of the other.
  const auto both = [](Group& group) {
    Shared shared;
    group.each([&](const Thread& thread) { shared.one[thread.index] = 1; });
    group.barrier();
    group.each([&](const Thread& thread) { shared.other[thread.index] = shared.one[63 - thread.index]; });
  };
  EXPECT_EQ(fault(64, both), "");
}

TEST(GroupFaults, DynamicTilesThatOverlap) {
  const auto with = [](unsigned first_byte) {
    return fault(
        64,
        [&](Group& group) {
          const auto one = group.dynamic_tile<std::uint64_t>(64);
          const auto other = group.dynamic_tile<std::uint32_t>(64, first_byte);
          Group::PerThread<std::uint64_t> found;
          group.each([&](const Thread& thread) { one[thread.index] = thread.index; });
          group.each([&](const Thread& thread) { other[thread.index] = 9; });
          group.barrier();
          group.each([&](const Thread& thread) { found[thread] = one[63 - thread.index]; });
        },
        64 * 12);
  };
  EXPECT_EQ(with(64 * 8), "");
  EXPECT_FAULT(with(64 * 8 - 4), "byte of dynamic shared memory 508 of 768 is written by");
  EXPECT_FAULT(with(0), "wrote it since the last barrier");
  EXPECT_FAULT(with(64 * 8 + 4), "bytes 516 to 772 is asked of 768 bytes");
  EXPECT_FAULT(with(64 * 8 - 3), "is not aligned to 4");
}

TEST(GroupFaults, SharedIndexOutOfRange) {
  const auto with = [](unsigned shift) {
    return fault(64, [&](Group& group) {
      Tile<64> tile;
      group.each([&](const Thread& thread) { tile[thread.index + shift] = 1; });
    });
  };
  EXPECT_EQ(with(0), "");
  EXPECT_FAULT(with(1), "tile element 64 of 64 is out of range; thread 63 asks for it");
  EXPECT_FAULT(with(~0u), "tile element 4294967295 of 64 is out of range; thread 0 asks for it");
  const std::string said = fault(
      4, [](Group& group) { group.once([&] { group.dynamic_tile<int>(3)[3] = 1; }); }, 16);
  EXPECT_FAULT(said, "dynamic tile element 3 of 3 is out of range; thread 0 asks for it");
}

// ---- calls that not all threads reach

TEST(GroupFaults, BarrierInABranch) {
  const std::string said = fault(64, [](Group& group) {
    group.each([&](const Thread& thread) {
      if (thread.index < 32) group.barrier();
    });
  });
  expect_parts(said, {"barrier is reached by thread ", ", inside each; all threads of the block must reach it"});
}

TEST(GroupFaults, BarrierOfSomeWarps) {
  EXPECT_FAULT(fault(64, [](Group& group) { group.each_in_warp([&](const WarpLane&) { group.barrier(); }); }),
               "barrier is reached by thread 63, inside each_in_warp");
}

TEST(GroupFaults, CollectivesInABranch) {
  Group::PerThread<int> part, got;
  Group::PerThread<bool> flags;
  Group::PerThread<std::uint64_t> keys;
  Group::PerThread<unsigned> ranks;
  const std::pair<const char*, std::function<void(Group&)>> calls[] = {
      {"sum", [&](Group& group) { group.sum(part); }},
      {"exclusive_sum", [&](Group& group) { group.exclusive_sum(part); }},
      {"sum_once", [&](Group& group) { group.sum_once(part, [](int) {}); }},
      {"same", [&](Group& group) { group.same([] { return 1; }); }},
      {"warp_sum", [&](Group& group) { group.warp_sum(part, 32); }},
      {"each_warp_sum", [&](Group& group) { group.each_warp_sum(part, [](unsigned, int) {}); }},
      {"each_warp_count", [&](Group& group) { group.each_warp_count(flags, [](unsigned, unsigned) {}); }},
      {"shuffle", [&](Group& group) { group.shuffle(part, ranks, got); }},
      {"warp_ranks", [&](Group& group) { group.warp_ranks(flags, ranks); }},
      {"warp_segmented_sum", [&](Group& group) { group.warp_segmented_sum(part, flags); }},
      {"each_warp_distinct", [&](Group& group) { group.each_warp_distinct(flags, keys, [](unsigned) {}); }},
      {"each", [&](Group& group) { group.each([](const Thread&) {}); }},
      {"once", [&](Group& group) { group.once([] {}); }},
      {"each_in_warp", [&](Group& group) { group.each_in_warp([](const WarpLane&) {}); }},
      {"barrier", [&](Group& group) { group.barrier(); }}};
  const auto set = [&](Group& group) {
    group.each([&](const Thread& thread) {
      part[thread] = 0;
      flags[thread] = true;
      keys[thread] = 1;
      ranks[thread] = 0;
    });
  };
  for (const auto& one : calls) {
    const char* name = one.first;
    const auto& call = one.second;
    const auto twice = [&](Group& group) { set(group), call(group), call(group); };
    EXPECT_EQ(fault(48, twice), "") << name;
    const std::string reached = std::string(name) + " is reached by ";
    for (const char* where : {"each", "once", "same", "each_warp_count"}) {
      const std::string said = fault(48, [&](Group& group) {
        set(group);
        const std::string at = where;
        if (at == "each") group.each([&](const Thread&) { call(group); });
        if (at == "once") group.once([&] { call(group); });
        if (at == "same") group.same([&] { return call(group), 1; });
        if (at == "each_warp_count") group.each_warp_count(flags, [&](unsigned, unsigned) { call(group); });
      });
      expect_parts(said, {reached, std::string("inside ") + where});
    }
  }
}

// ---- values of one thread

TEST(GroupFaults, PerThreadOfAnotherThread) {
  const auto another = [](Group& group) {
    Group::PerThread<int> own;
    group.each([&](const Thread& thread) { own[Thread{thread.index ^ 1, {}}] = 1; });
  };
  EXPECT_FAULT(fault(64, another), "a PerThread of thread ");
  const auto uniform = [](Group& group) {
    Group::PerThread<int> own;
    group.each([&](const Thread& thread) { own[thread] = 1; });
    own[Thread{0, {}}] = 2;
  };
  EXPECT_FAULT(fault(64, uniform), "a PerThread of thread 0 is touched by every thread (uniform code)");
  const auto lanes = [](Group& group) {
    Group::PerThread<int> own;
    group.each_in_warp([&](const WarpLane& lane) { own[WarpLane{lane.index ^ 1, lane.live}] = 1; });
  };
  EXPECT_FAULT(fault(64, lanes), "a PerThread of lane 30 of a warp is touched by thread 63");
}

TEST(GroupFaults, SumOfWhatSomeThreadNeverSet) {
  const auto forgets = [](Group& group) {
    Group::PerThread<int> part;
    group.each([&](const Thread& thread) {
      if (thread.index != 39) part[thread] = 1;
    });
    group.sum(part);
  };
  EXPECT_FAULT(fault(40, forgets), "sum reads a PerThread that thread 39 never set");
}

TEST(GroupFaults, WarpsThatDisagree) {
  // By the lanes of a full warp, where the last warp has fewer.
  const auto with = [](unsigned step) {
    return fault(40, [&](Group& group) {
      Group::PerThread<int> part;
      group.each_in_warp([&](const WarpLane& lane) {
        int total = 0;
        for (unsigned i = lane.index; i < 20; i += step ? step : lane.live) total += 1;
        part[lane] = total;
      });
      EXPECT_EQ(group.warp_sum(part, 20), 20);
    });
  };
  EXPECT_EQ(with(0), "");
  EXPECT_FAULT(with(warp_size), "warp_sum differs between the warps of a block");
  const auto fewer = [](Group& group) {
    Group::PerThread<int> part;
    group.each_in_warp([&](const WarpLane& lane) { part[lane] = 1; });
    group.warp_sum(part, 31);
  };
  EXPECT_FAULT(fault(32, fewer), "warp_sum is told of fewer lanes");
}

TEST(GroupFaults, NotAgainButAgain) {
  const auto with = [](bool again, bool barrier) {
    return fault(256, [&](Group& group) {
      for (int turn = 0; turn < 2; ++turn) {
        group.same([&] { return turn; }, again);
        if (barrier) group.barrier();
      }
    });
  };
  EXPECT_EQ(with(true, false), "");
  EXPECT_EQ(with(false, true), "");
  EXPECT_FAULT(with(false, false), "same is told that it is not reached again");
}

// ---- the order of threads

TEST(GroupFaults, EveryBlockRunsItsThreadsInAnOrderOfItsOwn) {
  for (unsigned threads = 1; threads <= max_block_threads; ++threads) {
    Group group({0, 0, 0}, threads, {threads, 1, 1});
    std::vector<int> times(threads);
    group.each([&](const Thread& thread) { ++times[thread.index]; });
    ASSERT_EQ(times, std::vector<int>(threads, 1)) << threads;
  }
  std::vector<std::vector<unsigned>> orders;
  for (std::uint64_t block = 0; block < 4; ++block) {
    Group group({0, 0, 0}, block, {6, 5, 2});
    std::vector<unsigned> order;
    group.each([&](const Thread& thread) {
      EXPECT_EQ(linear_index(thread.at, {6, 5, 2}), thread.index);
      order.push_back(thread.index);
    });
    EXPECT_FALSE(std::is_sorted(order.begin(), order.end()));
    for (const auto& other : orders) EXPECT_NE(order, other);
    orders.push_back(order);
  }
}

// ---- launches

/// Reads its neighbour's value with no barrier between.
struct Careless {
  template <class AnyGroup>
  struct Shared {
    typename AnyGroup::template Tile<int, 256> values;
  };
  template <class AnyGroup>
  void operator()(AnyGroup& group, Shared<AnyGroup>& shared) const {
    group.each([&](const Thread& thread) { shared.values[thread.index] = 1; });
    group.each([&](const Thread& thread) { shared.values[thread.index] += shared.values[thread.index ^ 1]; });
  }
};

TEST(GroupFaults, ALaunchNamesItsKernel) {
  Queue queue(Backend::cpu, false, 2);
  const auto careless = [&] {
    detail::launch_on_cpu<CheckedGroup>("test.careless", queue, {{9, 1, 1}, {64, 1, 1}}, Careless{});
  };
  expect_parts(message_of<GroupError>(careless), {"kernel test.careless, block "});
}

TEST(GroupFaults, DebugAndSanitizedLaunchesCheck) {
  Queue queue(Backend::cpu, false, 2);
  const auto launched = [&] { launch("test.careless", queue, {{9, 1, 1}, {64, 1, 1}}, Careless{}); };
#ifdef WARPLOOM_CHECK_GROUPS
  EXPECT_THROW(launched(), GroupError);
#else
  EXPECT_NO_THROW(launched());
#endif
}

}  // namespace
}  // namespace warploom
