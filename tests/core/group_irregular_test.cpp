#include <algorithm>

#include "tests/core/faults.h"
#include "tests/core/groups.h"

// Sums of segments and places that many threads raise, against plain serial loops; and the faults that CheckedGroup
// must find in them.

namespace warploom {
namespace {

class GroupIrregular : public Groups {};
WARPLOOM_UNDER_EVERY_GROUP(GroupIrregular);

/// Segments of a few threads, some over the end of a warp, and one that begins a warp without a head. Floats are of
/// whole numbers: exact in every order.
struct Segments {
  static constexpr unsigned rounds = 5;
  std::uint64_t* out;
  WARPLOOM_HD static bool head(std::uint64_t block, std::uint64_t thread, unsigned round) {
    return brought(block, thread, round) % (round * round * 4 + 1) == 0;  // of round 0 all, of the last few
  }
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    typename Group::template PerThread<std::uint64_t> sums;
    typename Group::template PerThread<float> floats;
    typename Group::template PerThread<bool> heads;
    for (unsigned round = 0; round < rounds; ++round) {
      group.each([&](const Thread& thread) {
        sums[thread] = brought(group.block_number(), thread.index, round + 7);
        floats[thread] = static_cast<float>(sums[thread]);
        heads[thread] = head(group.block_number(), thread.index, round);
      });
      group.warp_segmented_sum(sums, heads);
      group.warp_segmented_sum(floats, heads);
      group.each([&](const Thread& thread) {
        out[group.block_number() * group.size() + thread.index] +=
            (round + 1) * (sums[thread] + (static_cast<std::uint64_t>(floats[thread]) << 32));
      });
    }
  }
};

TEST_P(GroupIrregular, WarpSegmentedSumIsFromTheLastHeadOn) {
  check_threads<Segments>([](const LaunchShape&, std::uint64_t block, std::uint64_t thread) {
    std::uint64_t wanted = 0;
    for (unsigned round = 0; round < Segments::rounds; ++round) {
      std::uint64_t t = thread, sum = brought(block, t, round + 7);
      for (; t % warp_size && !Segments::head(block, t, round); sum += brought(block, t, round + 7)) --t;
      wanted += (round + 1) * (sum + (sum << 32));
    }
    return wanted;
  });
}

TEST(GroupIrregularFaults, SegmentsOfWhatSomeThreadNeverSet) {
  const auto with = [](unsigned no_value, unsigned no_head) {
    return fault(40, [&](CheckedGroup& group) {
      CheckedGroup::PerThread<int> part;
      CheckedGroup::PerThread<bool> heads;
      group.each([&](const Thread& thread) {
        if (thread.index != no_value) part[thread] = 1;
        if (thread.index != no_head) heads[thread] = thread.index == 0;
      });
      group.warp_segmented_sum(part, heads);
    });
  };
  EXPECT_EQ(with(40, 40), "");
  EXPECT_FAULT(with(39, 40), "warp_segmented_sum reads a PerThread that thread 39 never set");
  EXPECT_FAULT(with(40, 17), "warp_segmented_sum reads a PerThread that thread 17 never set");
}

/// Places that many threads raise at once, some twice, and some none: of words of both sizes, and of dynamic memory.
struct Raised {
  static constexpr unsigned places = 40, rounds = 3;
  template <class Group>
  struct Shared {
    typename Group::template Tile<std::uint32_t, places> narrow;
    typename Group::template Tile<std::uint64_t, places> wide;
  };
  std::uint64_t* out;
  std::uint64_t dynamic_shared_bytes() const { return places * sizeof(std::uint64_t); }
  WARPLOOM_HD static unsigned place(std::uint64_t block, std::uint64_t thread, unsigned round) {
    return static_cast<unsigned>(brought(block, thread, round) % (places - 3));
  }
  WARPLOOM_HD static std::uint64_t value(std::uint64_t block, std::uint64_t thread, unsigned round) {
    return key_hash(thread, block * rounds + round);
  }
  template <class Group>
  WARPLOOM_HD void operator()(Group& group, Shared<Group>& shared) const {
    const std::uint64_t block = group.block_number();
    const auto dynamic = group.template dynamic_tile<std::uint64_t>(places);
    const auto each_place = [&](auto&& body) {
      group.each([&](const Thread& thread) {
        for (unsigned i = thread.index; i < places; i += group.size()) body(i);
      });
    };
    each_place([&](unsigned i) {
      shared.narrow[i] = 1u << 30;
      shared.wide[i] = dynamic[i] = i;
    });
    for (unsigned round = 0; round < rounds; ++round) {
      group.barrier();
      group.each([&](const Thread& thread) {
        const unsigned to = place(block, thread.index, round);
        const std::uint64_t raised = value(block, thread.index, round);
        group.tile_maximum(shared.narrow, to, static_cast<std::uint32_t>(raised));
        group.tile_maximum(shared.wide, to, raised);
        group.tile_maximum(shared.wide, to, raised >> 1);
        group.tile_maximum(dynamic, to, ~raised);
      });
    }
    group.barrier();
    each_place([&](unsigned i) {
      std::uint64_t* const to = out + (block * places + i) * 3;
      to[0] = shared.narrow[i];
      to[1] = shared.wide[i];
      to[2] = dynamic[i];
    });
  }
};

TEST_P(GroupIrregular, TileMaximumIsTheLargestOfWhatThreadsBring) {
  check<Raised>([](const LaunchShape&) { return Raised::places * 3; },
                [](const LaunchShape& shape, std::uint64_t block, std::uint64_t slot) {
                  const auto at = static_cast<unsigned>(slot / 3);
                  std::uint64_t wanted[3] = {1u << 30, at, at};
                  for (unsigned round = 0; round < Raised::rounds; ++round)
                    for (std::uint64_t t = 0; t < volume(shape.threads); ++t) {
                      if (Raised::place(block, t, round) != at) continue;
                      const std::uint64_t raised = Raised::value(block, t, round);
                      wanted[0] = std::max(wanted[0], raised & ~std::uint32_t{0});
                      wanted[1] = std::max(wanted[1], raised);
                      wanted[2] = std::max(wanted[2], ~raised);
                    }
                  return wanted[slot % 3];
                });
}

TEST(GroupIrregularFaults, AMaximumAndAnotherAccessInOnePhase) {
  // What happens before the barrier that lies before the maximum, between the two, and after.
  const auto with = [](unsigned threads, bool set, bool barrier, auto&& before, auto&& after) {
    return fault(threads, [&](CheckedGroup& group) {
      CheckedGroup::Tile<int, 8> tile;
      if (set) group.once([&] { tile[3] = 1; });
      if (barrier) group.barrier();
      group.each([&](const Thread& thread) { before(tile, thread); });
      group.each([&](const Thread&) { group.tile_maximum(tile, 3, 2); });
      group.each([&](const Thread& thread) { after(tile, thread); });
      group.barrier();
      group.once([&] { EXPECT_EQ(int{tile[3]}, 2); });
    });
  };
  const auto none = [](auto&, const Thread&) {};
  const auto writes = [](auto& tile, const Thread& thread) {
    if (thread.index == 1) tile[3] = 2;
  };
  const auto reads = [](auto& tile, const Thread& thread) {
    if (thread.index == 1) (void)int{tile[3]};
  };
  const std::string since = " it since the last barrier";
  for (const unsigned threads : sizes) {
    EXPECT_EQ(with(threads, true, true, none, none), "");
    EXPECT_FAULT(with(threads, true, true, none, reads), "3 of 8 is read by thread 1, but tile_maximum wrote" + since);
    EXPECT_FAULT(with(threads, true, true, none, writes), "is written by thread 1, but tile_maximum wrote" + since);
    EXPECT_FAULT(with(threads, true, true, reads, none), "is written by tile_maximum, but thread 1 read" + since);
    EXPECT_FAULT(with(threads, true, true, writes, none), "is written by tile_maximum, but thread 1 wrote" + since);
    EXPECT_FAULT(with(threads, true, false, none, none), "is written by tile_maximum, but thread 0 wrote" + since);
    EXPECT_FAULT(with(threads, false, true, none, none), "but no thread of the block wrote it");
  }
  EXPECT_EQ(with(1, true, false, writes, reads), "") << "one thread races with nobody";
  const auto uniform = [](CheckedGroup& group) {
    CheckedGroup::Tile<int, 1> tile;
    group.once([&] { tile[0] = 1; });
    group.barrier();
    group.tile_maximum(tile, 0, 2);
  };
  EXPECT_FAULT(fault(64, uniform), "is written by every thread (uniform code); one thread must do it");
  const auto beyond = [](CheckedGroup& group) {
    CheckedGroup::Tile<int, 4> tile;
    group.each([&](const Thread& thread) { group.tile_maximum(tile, thread.index + 4, 2); });
  };
  EXPECT_FAULT(fault(1, beyond), "tile element 4 of 4 is out of range");
}

}  // namespace
}  // namespace warploom
