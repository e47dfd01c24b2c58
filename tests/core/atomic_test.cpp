#include <algorithm>

#include "gpu/core/ordered_atomic.h"
#include "tests/core/groups.h"

// Words that all blocks of a launch meet at.

namespace warploom {
namespace {

class Atomics : public Groups {};
WARPLOOM_UNDER_EVERY_GROUP(Atomics);

/// Every thread takes a ticket, signs it, adds its number where others do, and pushes itself on a chain.
template <class Word>
struct Meeting {
  static constexpr Word nobody = ~Word{0};
  Word *ticket, *sum, *chain;  ///< nobody: the chain's end
  Word *signed_by, *seen, *next, *double_signed;
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    group.each([&](const Thread& thread) {
      const auto self = static_cast<Word>(group.block_number() * group.size() + thread.index);
      const Word mine = ordered_fetch_add(ticket, 1);
      if (compare_and_swap(signed_by + mine, nobody, self) != nobody) ordered_fetch_add(double_signed, 1);
      if (compare_and_swap(signed_by + mine, nobody, self + 1) != self) ordered_fetch_add(double_signed, 1);
      Word before = ordered_load(sum);
      for (Word found; (found = compare_and_swap(sum, before, before + self * self)) != before; before = found)
        group.pause();
      release_store(next + self, exchange(chain, self));
      ordered_store(seen + self, acquire_load(next + self));
    });
  }
};

TEST_P(Atomics, NothingIsLostOrDone) {
  const auto check = [&]<class Word>(Word) {
    for (const LaunchShape& shape : {LaunchShape{{64, 1, 1}, {256, 1, 1}}, LaunchShape{{400, 1, 1}, {33, 1, 1}}}) {
      const std::uint64_t all = shape.thread_count();
      Buffer<Word> words(backend(), 4), threads(backend(), 3 * all);
      words.upload(*queue, std::vector<Word>{0, 0, Meeting<Word>::nobody, 0});
      threads.upload(*queue, std::vector<Word>(3 * all, Meeting<Word>::nobody));
      Word *const w = words.data(), *const t = threads.data();
      run(shape, Meeting<Word>{w, w + 1, w + 2, t, t + all, t + 2 * all, w + 3});
      const auto word = words.download(*queue), each = threads.download(*queue);
      const auto end = each.begin() + static_cast<std::ptrdiff_t>(all);
      EXPECT_EQ(word[0], all);
      EXPECT_EQ(word[3], 0u);
      std::vector<Word> signers(each.begin(), end);
      std::ranges::sort(signers);
      Word squares = 0;
      for (std::uint64_t i = 0; i < all; ++i) {
        ASSERT_EQ(signers[i], i) << "each thread has one ticket";
        ASSERT_EQ(each[all + i], each[2 * all + i]);
        squares = static_cast<Word>(squares + i * i);
      }
      EXPECT_EQ(word[1], squares);
      std::vector<bool> visited(all);
      std::uint64_t length = 0;
      for (Word at = word[2]; at != Meeting<Word>::nobody; at = each[2 * all + at], ++length) {
        ASSERT_LT(at, all);
        ASSERT_FALSE(visited[at]);
        visited[at] = true;
      }
      EXPECT_EQ(length, all);
    }
  };
  check(std::uint32_t{});
  check(std::uint64_t{});
}

/// Two blocks meet turn after turn. In each, one writes a word and reads the other's: in no order of all four accesses
/// do both find nothing. What a block wrote without atomics before it came is there for the other.
struct Crossing {
  static constexpr bool waits_for_blocks = true;
  static constexpr std::uint32_t turns = 2000;
  std::uint32_t *came, *words;  ///< [turns], [2, turns]
  std::uint64_t* plain;         ///< [turns, 2]
  std::uint32_t *found, *lost;  ///< [turns, 2], 1
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    const auto self = static_cast<std::uint32_t>(group.block_number()), other = 1 - self;
    group.once([&] {
      for (std::uint32_t turn = 0; turn < turns; ++turn) {
        plain[2 * turn + self] = brought(self, turn);
        ordered_fetch_add(came + turn, 1);
        // They go on at the same moment, if they can.
        for (unsigned looks = 0; acquire_load(came + turn) < 2;)
          if (++looks > 1000) group.pause();
        ordered_store(words + turns * self + turn, 1);
        found[2 * turn + self] = ordered_load(words + turns * other + turn);
        if (plain[2 * turn + other] != brought(other, turn)) ordered_fetch_add(lost, 1);
      }
    });
  }
};
static_assert(Crossing::waits_for_blocks);  // nvcc sees no other use on the device

TEST_P(Atomics, OrderedWordsHaveOneOrder) {
  constexpr std::uint32_t turns = Crossing::turns;
  Buffer<std::uint32_t> words(backend(), 5 * turns + 1);
  Buffer<std::uint64_t> plain(backend(), 2 * turns);
  words.zero(*queue);
  plain.zero(*queue);
  std::uint32_t* const w = words.data();
  run({{2, 1, 1}, {32, 1, 1}}, Crossing{w, w + turns, plain.data(), w + 3 * turns, w + 5 * turns});
  const auto found = words.download(*queue);
  EXPECT_EQ(found[5 * turns], 0u);
  for (std::uint32_t turn = 0; turn < turns; ++turn)
    ASSERT_GE(found[3 * turns + 2 * turn] + found[3 * turns + 2 * turn + 1], 1u) << turn;
}

}  // namespace
}  // namespace warploom
