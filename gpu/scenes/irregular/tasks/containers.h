#pragma once
#include <cstdint>

#include "gpu/core/atomic.h"
#include "gpu/core/ordered_atomic.h"

namespace warploom {

/// How the containers below reach words that several blocks use. A test has words of its own, to try every order.
struct SharedWords {
  /// Where the order counts: that of the fences around it, on a device.
  WARPLOOM_HD static std::uint64_t ordered(const std::uint64_t* at) { return fenced_load(at); }
  WARPLOOM_HD static void ordered(std::uint64_t* at, std::uint64_t value) { fenced_store(at, value); }
  /// Between a write to one word and a look at another, which several blocks must see in one order.
  WARPLOOM_HD static void in_order() { ordered_device_fence(); }
  /// Acquires what was read before, and releases what is stored after.
  WARPLOOM_HD static void settle() { device_fence(); }
  WARPLOOM_HD static std::uint64_t relaxed(const std::uint64_t* at) { return relaxed_load(at); }
  WARPLOOM_HD static void relaxed(std::uint64_t* at, std::uint64_t value) { relaxed_store(at, value); }
  WARPLOOM_HD static bool swapped(std::uint64_t* at, std::uint64_t from, std::uint64_t to) {
    return fenced_compare_and_swap(at, from, to) == from;
  }
};

/// What waits in no way of its own.
struct NoPause {
  WARPLOOM_HD void operator()(std::uint32_t) const {}
};

/// A deque of a block: its owner works at the bottom, thieves take from the top [chase2005deque]. A pop and a steal see
/// each other in one order: each writes or reads the one end, then the other. Numbers start at 1, so that bottom - 1 is
/// one, too. `lost`: exchanges that another won.
template <class Words = SharedWords>
struct TaskDeque {
  std::uint64_t *top, *bottom, *items;
  std::uint64_t room;

  /// All of them, or none: there is no room.
  WARPLOOM_HD bool push(const std::uint64_t* tasks, std::uint32_t count) const {
    const std::uint64_t at = Words::relaxed(bottom);
    if (at + count - Words::ordered(top) > room) return false;
    Words::settle();
    for (std::uint32_t i = 0; i < count; ++i) Words::relaxed(items + (at + i) % room, tasks[i]);
    Words::settle();
    Words::ordered(bottom, at + count);
    return true;
  }
  /// The newest. Announces it first: a thief that does not see that must be seen.
  WARPLOOM_HD bool pop(std::uint64_t& task, std::uint64_t& lost) const {
    const std::uint64_t at = Words::relaxed(bottom) - 1;
    if (Words::relaxed(top) > at) return false;  // only its owner fills it: it stays empty
    Words::ordered(bottom, at);
    Words::in_order();
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
    Words::in_order();
    if (first >= Words::ordered(bottom)) return false;
    Words::settle();
    task = Words::relaxed(items + first % room);
    Words::settle();  // the item is read before the slot is given up
    if (Words::swapped(top, first, first + 1)) return true;
    ++lost;
    return false;
  }
  /// So many wait, or none: of a deque that changes meanwhile.
  WARPLOOM_HD std::uint64_t size() const {
    const std::uint64_t first = Words::relaxed(top), last = Words::relaxed(bottom);
    return last > first ? last - first : 0;
  }
};

/// A ring for all blocks: each slot has a number that says whose turn it is [vyukov2010queue]. Slot i starts at i.
template <class Words = SharedWords>
struct TaskRing {
  std::uint64_t *head, *tail, *items, *numbers;
  std::uint64_t room;

  /// All of them, or none: there is no room. `pause(n)` after the n-th exchange that another won.
  template <class Pause = NoPause>
  WARPLOOM_HD bool put(const std::uint64_t* tasks, std::uint32_t count, std::uint64_t& lost, Pause&& pause = {}) const {
    for (std::uint32_t tries = 0;;) {
      const std::uint64_t at = Words::ordered(tail);
      bool ours = true, full = false;
      for (std::uint32_t i = 0; ours && i < count; ++i) {
        const std::uint64_t seen = Words::ordered(numbers + (at + i) % room);
        ours = seen == at + i;
        full = seen < at + i;
      }
      if (full) return false;
      if (!ours) continue;  // another block was quicker
      if (!Words::swapped(tail, at, at + count)) {
        ++lost;
        pause(++tries);
        continue;
      }
      Words::settle();
      for (std::uint32_t i = 0; i < count; ++i) Words::relaxed(items + (at + i) % room, tasks[i]);
      Words::settle();
      for (std::uint32_t i = 0; i < count; ++i) Words::ordered(numbers + (at + i) % room, at + i + 1);
      return true;
    }
  }
  /// The oldest; false: there is none.
  template <class Pause = NoPause>
  WARPLOOM_HD bool take(std::uint64_t& task, std::uint64_t& lost, Pause&& pause = {}) const {
    for (std::uint32_t tries = 0;;) {
      const std::uint64_t at = Words::ordered(head), seen = Words::ordered(numbers + at % room);
      if (seen < at + 1) return false;
      if (seen > at + 1) continue;
      if (!Words::swapped(head, at, at + 1)) {
        ++lost;
        pause(++tries);
        continue;
      }
      Words::settle();
      task = Words::relaxed(items + at % room);
      Words::settle();
      Words::ordered(numbers + at % room, at + room);
      return true;
    }
  }
  /// So many wait, or are about to.
  WARPLOOM_HD std::uint64_t size() const {
    const std::uint64_t first = Words::ordered(head), last = Words::ordered(tail);
    return last > first ? last - first : 0;
  }
};

}  // namespace warploom
