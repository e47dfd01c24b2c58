#include <algorithm>
#include <map>
#include <set>

#include "tests/core/groups.h"

// Sums, votes and shared answers of group programs, against plain serial loops.

namespace warploom {
namespace {

class GroupCollectives : public Groups {};
WARPLOOM_UNDER_EVERY_GROUP(GroupCollectives);

std::uint64_t sum_of(const LaunchShape& shape, std::uint64_t block, std::uint64_t round) {
  std::uint64_t total = 0;
  for (std::uint64_t t = 0; t < volume(shape.threads); ++t) total += brought(block, t, round);
  return total;
}

// ---- over the block

/// Two sums or prefixes a round, one after the other; each thread adds up what it was told.
template <bool exclusive>
struct Sums {
  static constexpr unsigned rounds = 6;
  std::uint64_t* out;
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    using PerThread = typename Group::template PerThread<std::uint64_t>;
    PerThread part, twice;
    const auto sum = [&](PerThread& of) {
      if constexpr (exclusive)
        return group.exclusive_sum(of);
      else
        return group.sum(of);
    };
    for (unsigned round = 0; round < rounds; ++round) {
      group.each([&](const Thread& thread) {
        part[thread] = brought(group.block_number(), thread.index, round);
        twice[thread] = 2 * part[thread];
      });
      const std::uint64_t total = sum(part), double_total = sum(twice);
      group.each([&](const Thread& thread) {
        std::uint64_t& to = out[group.block_number() * group.size() + thread.index];
        if constexpr (exclusive) to += (round + 1) * part[thread] + 3 * twice[thread];
        to += (round + 5) * total + 7 * double_total;
      });
    }
  }
};

TEST_P(GroupCollectives, SumIsTheSameInEveryThread) {
  check_threads<Sums<false>>([](const LaunchShape& shape, std::uint64_t block, std::uint64_t) {
    std::uint64_t total = 0;
    for (unsigned round = 0; round < Sums<false>::rounds; ++round) total += (round + 19) * sum_of(shape, block, round);
    return total;
  });
}

TEST_P(GroupCollectives, ExclusiveSumIsOfTheThreadsBefore) {
  check_threads<Sums<true>>([](const LaunchShape& shape, std::uint64_t block, std::uint64_t thread) {
    std::uint64_t wanted = 0;
    for (unsigned round = 0; round < Sums<true>::rounds; ++round) {
      std::uint64_t before = 0;
      for (std::uint64_t t = 0; t < thread; ++t) before += brought(block, t, round);
      wanted += (round + 7) * before + (round + 19) * sum_of(shape, block, round);
    }
    return wanted;
  });
}

/// The first turn saves its barrier, the later ones need it.
struct SumsOnce {
  static constexpr unsigned rounds = 6;
  std::uint64_t* out;
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    typename Group::template PerThread<std::uint64_t> part;
    for (unsigned round = 0; round < rounds; ++round) {
      group.each([&](const Thread& thread) { part[thread] = brought(group.block_number(), thread.index, round); });
      group.sum_once(
          part, [&](std::uint64_t total) { out[group.block_number() * rounds + round] += total; }, round > 0);
    }
  }
};

TEST_P(GroupCollectives, SumOnceRunsInOneThread) {
  check<SumsOnce>(
      [](const LaunchShape&) { return SumsOnce::rounds; },
      [](const LaunchShape& shape, std::uint64_t block, std::uint64_t round) { return sum_of(shape, block, round); });
}

/// An answer larger than a word, from what the threads share.
struct SharedAnswer {
  static constexpr unsigned rounds = 5;
  struct Answer {
    std::uint64_t first = 0, last = 0;
    unsigned round = 0;
  };
  template <class Group>
  struct Shared {
    typename Group::template Tile<std::uint64_t, max_block_threads> values;
  };
  std::uint64_t* out;
  template <class Group>
  WARPLOOM_HD void operator()(Group& group, Shared<Group>& shared) const {
    for (unsigned round = 0; round < rounds; ++round) {
      if (round > 0) group.barrier();  // what the answer was read from
      group.each([&](const Thread& thread) {
        shared.values[thread.index] = brought(group.block_number(), thread.index, round);
      });
      group.barrier();
      const Answer answer = group.same(
          [&] {
            Answer own;
            own.first = shared.values[0];
            own.last = shared.values[group.size() - 1];
            own.round = round;
            return own;
          },
          round > 0);
      group.each([&](const Thread& thread) {
        out[group.block_number() * group.size() + thread.index] += answer.first + 3 * answer.last + answer.round;
      });
    }
  }
};

TEST_P(GroupCollectives, SameIsTheSameInEveryThread) {
  check_threads<SharedAnswer>([](const LaunchShape& shape, std::uint64_t block, std::uint64_t) {
    std::uint64_t total = 0;
    for (unsigned round = 0; round < SharedAnswer::rounds; ++round)
      total += brought(block, 0, round) + 3 * brought(block, volume(shape.threads) - 1, round) + round;
    return total;
  });
}

// ---- over a warp

/// Sums `items` numbers in each warp, several a lane where the block has few; two sums one after the other.
struct WarpSums {
  std::uint64_t* out;
  unsigned items;
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    typename Group::template PerThread<std::uint32_t> x, y;
    group.each_in_warp([&](const WarpLane& lane) {
      std::uint32_t total = 0;
      for (unsigned i = lane.index; i < items; i += lane.live)
        total += static_cast<std::uint32_t>(brought(group.block_number(), i));
      x[lane] = total;
      y[lane] = lane.index < items ? 1u : 0u;
    });
    const std::uint32_t total = group.warp_sum(x, items), again = group.warp_sum(x, items);
    group.each([&](const Thread& thread) {
      out[group.block_number() * group.size() + thread.index] = std::uint64_t{total} << 32 | again;
    });
  }
};

TEST_P(GroupCollectives, WarpSumOfSoManyItems) {
  for (const unsigned items : {0u, 1u, 2u, 3u, 7u, 16u, 17u, 31u, 32u, 40u})
    check_threads<WarpSums>(
        [&](const LaunchShape&, std::uint64_t block, std::uint64_t) {
          std::uint64_t total = 0;
          for (unsigned i = 0; i < items; ++i) total += brought(block, i);
          return total << 32 | total;
        },
        items);
}

/// Most warps bring nothing: bodies run for the others alone.
WARPLOOM_HD std::uint64_t sparse(std::uint64_t block, std::uint64_t thread) {
  return (block + thread / warp_size) % 3 ? 0 : brought(block, thread);
}
struct EachWarpSum {
  static constexpr unsigned slots = 3;  ///< their total, how often, and the greatest warp number
  std::uint64_t* out;
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    typename Group::template PerThread<std::uint64_t> part;
    group.each([&](const Thread& thread) { part[thread] = sparse(group.block_number(), thread.index); });
    std::uint64_t* to = out + group.block_number() * slots;
    group.each_warp_sum(part, [&](unsigned warp, std::uint64_t total) {
      atomic_add(to, total);
      atomic_add(to + 1, 1);
      atomic_add(to + 2, warp * total);
    });
  }
};

TEST_P(GroupCollectives, EachWarpSumLeavesOutWarpsOfNothing) {
  check<EachWarpSum>([](const LaunchShape&) { return EachWarpSum::slots; },
                     [](const LaunchShape& shape, std::uint64_t block, std::uint64_t slot) {
                       std::map<std::uint64_t, std::uint64_t> of_warp;
                       for (std::uint64_t t = 0; t < volume(shape.threads); ++t)
                         of_warp[t / warp_size] += sparse(block, t);
                       std::uint64_t expected[3] = {};
                       for (const auto& [warp, total] : of_warp) {
                         expected[0] += total;
                         expected[1] += total > 0;
                         expected[2] += warp * total;
                       }
                       if (GetParam() == GroupKind::trusting) {  // all warps as one
                         expected[1] = expected[0] > 0;
                         expected[2] = 0;
                       }
                       return expected[slot];
                     });
}

WARPLOOM_HD bool flagged(std::uint64_t block, std::uint64_t thread) { return brought(block, thread, 1) % 3 == 0; }
/// Few keys, the extremes among them.
WARPLOOM_HD std::uint64_t key_of(std::uint64_t block, std::uint64_t thread) {
  const std::uint64_t draw = brought(block, thread, 2) % 7;
  return draw == 5 ? ~std::uint64_t{0} : draw == 6 ? std::uint64_t{1} << 63 : draw;
}
struct WarpVotes {
  static constexpr unsigned slots = 6;
  std::uint64_t* out;
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    typename Group::template PerThread<bool> flags;
    typename Group::template PerThread<std::uint64_t> keys;
    const std::uint64_t block = group.block_number();
    group.each([&](const Thread& thread) {
      flags[thread] = flagged(block, thread.index);
      keys[thread] = key_of(block, thread.index);
    });
    std::uint64_t* to = out + block * slots;
    group.each_warp_count(flags, [&](unsigned threads, unsigned set) {
      atomic_add(to, 1);
      atomic_add(to + 1, threads * threads);
      atomic_add(to + 2, set * set);  // squares: each warp by itself, not their sum
    });
    group.each_warp_distinct(flags, keys, [&](unsigned distinct) {
      atomic_add(to + 3, 1);
      atomic_add(to + 4, distinct * distinct);
    });
    typename Group::template PerThread<unsigned> ranks;
    group.warp_ranks(flags, ranks);
    group.each([&](const Thread& thread) { atomic_add(to + 5, (thread.index + 1) * ranks[thread]); });
  }
};

TEST_P(GroupCollectives, EachWarpCountsFlagsAndKeys) {
  check<WarpVotes>([](const LaunchShape&) { return WarpVotes::slots; },
                   [](const LaunchShape& shape, std::uint64_t block, std::uint64_t slot) {
                     const std::uint64_t threads = volume(shape.threads);
                     std::uint64_t expected[WarpVotes::slots] = {};
                     for (std::uint64_t first = 0; first < threads; first += warp_size) {
                       const std::uint64_t last = std::min<std::uint64_t>(threads, first + warp_size);
                       std::uint64_t set = 0;
                       std::set<std::uint64_t> keys;
                       for (std::uint64_t t = first; t < last; ++t) {
                         expected[5] += (t + 1) * set;
                         if (flagged(block, t)) ++set, keys.insert(key_of(block, t));
                       }
                       expected[0] += 1;
                       expected[1] += (last - first) * (last - first);
                       expected[2] += set * set;
                       expected[3] += 1;
                       expected[4] += keys.size() * keys.size();
                     }
                     return expected[slot];
                   });
}

/// What a thread reads: values of three words, from a lane that hangs on the block.
struct Shuffled {
  struct Three {
    std::uint32_t word[3];
  };
  std::uint64_t* out;
  WARPLOOM_HD static unsigned lane_of(std::uint64_t block, unsigned thread, unsigned size) {
    const unsigned first = thread / warp_size * warp_size, live = size - first < warp_size ? size - first : warp_size;
    return static_cast<unsigned>((thread * 7 + block) % live);
  }
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    typename Group::template PerThread<Three> values, got;
    typename Group::template PerThread<unsigned> lanes;
    const std::uint64_t block = group.block_number();
    group.each([&](const Thread& thread) {
      values[thread] = {{thread.index, thread.index * 3, static_cast<std::uint32_t>(block)}};
      lanes[thread] = lane_of(block, thread.index, group.size());
    });
    group.shuffle(values, lanes, got);
    group.each([&](const Thread& thread) {
      const Three three = got[thread];
      out[block * group.size() + thread.index] =
          three.word[0] + 10'000ull * three.word[1] + 1'000'000'000ull * three.word[2];
    });
  }
};

TEST_P(GroupCollectives, ShufflesValuesOfSeveralWords) {
  check_threads<Shuffled>([](const LaunchShape& shape, std::uint64_t block, std::uint64_t thread) {
    const auto t = static_cast<unsigned>(thread);
    const std::uint64_t from =
        t / warp_size * warp_size + Shuffled::lane_of(block, t, static_cast<unsigned>(volume(shape.threads)));
    return from + 10'000 * (from * 3) + 1'000'000'000 * block;
  });
}

}  // namespace
}  // namespace warploom
