#pragma once
#include <cstdint>

#include "gpu/core/atomic.h"
#include "gpu/core/ordered_atomic.h"

namespace warploom {

/// How the containers below reach words that several blocks use. A test has words of its own, to try every order.
struct SharedWords {
  WARPLOOM_HD static std::uint64_t ordered(const std::uint64_t* at) { return ordered_load(at); }
  WARPLOOM_HD static void ordered(std::uint64_t* at, std::uint64_t value) { ordered_store(at, value); }
  WARPLOOM_HD static std::uint64_t acquired(const std::uint64_t* at) { return acquire_load(at); }
  WARPLOOM_HD static void released(std::uint64_t* at, std::uint64_t value) { release_store(at, value); }
  WARPLOOM_HD static std::uint64_t relaxed(const std::uint64_t* at) { return relaxed_load(at); }
  WARPLOOM_HD static void relaxed(std::uint64_t* at, std::uint64_t value) { relaxed_store(at, value); }
  WARPLOOM_HD static bool swapped(std::uint64_t* at, std::uint64_t from, std::uint64_t to) {
    return compare_and_swap(at, from, to) == from;
  }
};

/// A deque of a block: its owner works at the bottom, thieves take from the top [chase2005deque]. All orders are
/// sequentially consistent. Numbers start at 1, so that bottom - 1 is one, too. `lost`: exchanges that another won.
template <class Words = SharedWords>
struct TaskDeque {
  std::uint64_t *top, *bottom, *items;
  std::uint64_t room;

  WARPLOOM_HD bool push(std::uint64_t task) const {
    const std::uint64_t at = Words::ordered(bottom);
    if (at - Words::ordered(top) >= room) return false;
    Words::relaxed(items + at % room, task);
    Words::ordered(bottom, at + 1);
    return true;
  }
  /// The newest. Announces it first: a thief that does not see that must be seen.
  WARPLOOM_HD bool pop(std::uint64_t& task, std::uint64_t& lost) const {
    const std::uint64_t at = Words::ordered(bottom) - 1;
    Words::ordered(bottom, at);
    const std::uint64_t first = Words::ordered(top);
    bool ours = first <= at;
    if (ours) task = Words::relaxed(items + at % room);
    if (first < at) return true;
    if (ours && !Words::swapped(top, first, first + 1)) ours = false, ++lost;
    Words::ordered(bottom, at + 1);
    return ours;
  }
  /// The oldest.
  WARPLOOM_HD bool steal(std::uint64_t& task, std::uint64_t& lost) const {
    const std::uint64_t first = Words::ordered(top);
    if (first >= Words::ordered(bottom)) return false;
    task = Words::relaxed(items + first % room);
    if (Words::swapped(top, first, first + 1)) return true;
    ++lost;
    return false;
  }
  WARPLOOM_HD std::uint64_t size() const { return Words::relaxed(bottom) - Words::relaxed(top); }
};

/// A ring for all blocks: each slot has a number that says whose turn it is [vyukov2010queue]. Slot i starts at i.
template <class Words = SharedWords>
struct TaskRing {
  std::uint64_t *head, *tail, *items, *numbers;
  std::uint64_t room;

  /// All of them, or none: there is no room.
  WARPLOOM_HD bool put(const std::uint64_t* tasks, std::uint32_t count, std::uint64_t& lost) const {
    for (;;) {
      const std::uint64_t at = Words::acquired(tail);
      bool ours = true, full = false;
      for (std::uint32_t i = 0; ours && i < count; ++i) {
        const std::uint64_t seen = Words::acquired(numbers + (at + i) % room);
        ours = seen == at + i;
        full = seen < at + i;
      }
      if (full) return false;
      if (!ours) continue;  // another block was quicker
      if (!Words::swapped(tail, at, at + count)) {
        ++lost;
        continue;
      }
      for (std::uint32_t i = 0; i < count; ++i) {
        Words::relaxed(items + (at + i) % room, tasks[i]);
        Words::released(numbers + (at + i) % room, at + i + 1);
      }
      return true;
    }
  }
  /// The oldest; false: there is none.
  WARPLOOM_HD bool take(std::uint64_t& task, std::uint64_t& lost) const {
    for (;;) {
      const std::uint64_t at = Words::acquired(head), seen = Words::acquired(numbers + at % room);
      if (seen < at + 1) return false;
      if (seen > at + 1) continue;
      if (!Words::swapped(head, at, at + 1)) {
        ++lost;
        continue;
      }
      task = Words::relaxed(items + at % room);
      Words::released(numbers + at % room, at + room);
      return true;
    }
  }
  /// So many wait, or are about to.
  WARPLOOM_HD std::uint64_t size() const {
    const std::uint64_t first = Words::acquired(head), last = Words::acquired(tail);
    return last > first ? last - first : 0;
  }
};

}  // namespace warploom
