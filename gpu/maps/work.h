#pragma once
#include <cstdint>

#include "gpu/core/atomic.h"
#include "gpu/core/thread.h"
#include "gpu/core/types.h"
#include "gpu/maps/rule.h"

// A work says what a thread does at its cell. It is a named functor over a storage:
//
//   static constexpr WorkInfo info
//   template <class Storage> struct At {
//     explicit At(const WorkArguments<Storage>&);
//     void operator()(Cell) const                  for works that write a state, or
//     std::uint64_t operator()(Cell) const         for works that fold every cell into one sum modulo 2^64
//   };
//
// and its step once more, in plain serial code, for the checks (serial.h of its scene).

namespace warploom {

/// What a work says of itself.
struct WorkInfo {
  const char* key;
  const char* title;
  const char* description;
  bool writes_state;             ///< the next state is written, the states change places
  std::uint64_t bytes_per_cell;  ///< fewest bytes it must move for a useful cell; 0: says nothing
};

/// What works are made from.
template <class Storage>
struct WorkArguments {
  Storage in, out;  ///< the current state, and where the next one goes
  Rule rule;
};

/// Sums that many blocks add to: spread over slots a cache line apart, added up afterwards.
struct SumSlots {
  static constexpr std::uint64_t slots = 1024, words_apart = 4;
  std::uint64_t* words = nullptr;
  WARPLOOM_HD void add(std::uint64_t block_number, std::uint64_t value) const {
    atomic_add(words + block_number % slots * words_apart, value);
  }
  /// Adds what body(part) adds to part[thread] of each thread. Warp by warp: a block that is waste must not pay for a
  /// sum over the block.
  template <class Group, class Body>
  WARPLOOM_HD void fold(Group& group, Body&& body) const {
    typename Group::template PerThread<std::uint64_t> part;
    group.each([&](const Thread& thread) { part[thread] = 0; });
    body(part);
    group.each_warp_sum(part, [&](unsigned warp, std::uint64_t total) { add(group.block_number() * 8 + warp, total); });
  }
};

}  // namespace warploom
