#pragma once
#include "gpu/core/divider.h"
#include "gpu/core/macros.h"
#include "gpu/core/types.h"
#include "gpu/own/numbers.h"

// The words that an own map is written in; those of its domain are its scene's (gpu/scenes/SCENE/own/words.h). What a
// map may define, and what it has where it leaves that out:
//
//   Place grid(Domain d)                  blocks launched; else the box around the domain, in blocks
//   Place grid(Domain d, int launch)      ... of each launch
//   Place place(Block b, Domain d)        which block of cells a launched block serves; its threads serve the cells
//   Place cell(Thread t, Domain d)        or which cell a thread serves: one of these two
//   Place threads(Domain d)               threads a block, of `cell`; else {d.rho, d.rho, 1}
//   int launches(Domain d)                1
//   int turns(Domain d)                   1: how often a block is asked, with b.turn = 0, 1, ...

namespace warploom::own {

/// A cell, a block of cells, a size: x is the fastest.
struct Place {
  unsigned x = 0, y = 0, z = 0;
  friend WARPLOOM_HD constexpr bool operator==(Place a, Place b) { return a.x == b.x && a.y == b.y && a.z == b.z; }
};
/// What a thread or a block that serves nothing answers.
inline constexpr Place nowhere{~0u, ~0u, ~0u};

/// A launched block. Most maps have one launch and one turn.
struct Block {
  unsigned x = 0, y = 0, z = 0;
  unsigned launch = 0, turn = 0;
};
/// A launched thread: its place in the whole grid, its block, its place and its number there.
struct Thread {
  unsigned x = 0, y = 0, z = 0;
  Block block;
  Place at;
  unsigned index = 0;
};

/// A number that many threads divide by: `w / d.k` and `w % d.k` cost a product and a shift.
struct Count {
  Divider by;
  WARPLOOM_HD constexpr operator unsigned() const { return by.divisor; }
  // Templates, so that no conversion of the number on the left makes them ambiguous.
  template <class Number>
  friend WARPLOOM_HD constexpr Number operator/(Number a, Count b) requires std::is_integral_v<Number> {
    if constexpr (sizeof(Number) > sizeof(unsigned)) return a / static_cast<Number>(b.by.divisor);
    return static_cast<Number>(b.by.quotient(static_cast<unsigned>(a)));
  }
  template <class Number>
  friend WARPLOOM_HD constexpr Number operator%(Number a, Count b) requires std::is_integral_v<Number> {
    if constexpr (sizeof(Number) > sizeof(unsigned)) return a % static_cast<Number>(b.by.divisor);
    return static_cast<Number>(static_cast<unsigned>(a) - b.by.quotient(static_cast<unsigned>(a)) * b.by.divisor);
  }
  friend WARPLOOM_HD constexpr unsigned abs(Count a) { return a.by.divisor; }
  friend WARPLOOM_HD constexpr unsigned floor(Count a) { return a.by.divisor; }
  friend WARPLOOM_HD double sqrt(Count a) { return own::sqrt(a.by.divisor); }
  friend WARPLOOM_HD double cbrt(Count a) { return own::cbrt(a.by.divisor); }
};

}  // namespace warploom::own
