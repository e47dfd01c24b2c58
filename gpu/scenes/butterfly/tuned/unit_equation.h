#pragma once
#include "gpu/core/rounded.h"
#include "gpu/scenes/butterfly/rules/systems.h"

namespace warploom {

/// a left + x + c right = d: an equation that was divided by its diagonal. What divides by 0 has a d that is no finite
/// number from then on.
struct UnitEquation {
  float a, c, d;

  static constexpr int words = 3;
  WARPLOOM_HD float word(int w) const { return w == 0 ? a : w == 1 ? c : d; }
  /// Where w is known when the program is compiled: else a device would keep equations in memory, to point at a word.
  WARPLOOM_HD void set_word(int w, float value) {
    a = w == 0 ? value : a;
    c = w == 1 ? value : c;
    d = w == 2 ? value : d;
  }
};

/// ... of a divisor that comes of a difference: one so near to 0 that rounding may have made it is as 0, no number.
/// Divisors of regular systems of 2^20 rows may be as small as 2^-19.
WARPLOOM_HD float reciprocal_of_difference(float divisor) {
  const float reciprocal = quick_reciprocal(divisor);
  return fabsf(divisor) < 0x1p-21f ? nanf("") : reciprocal;
}

WARPLOOM_HD UnitEquation unit(const SystemRow& row) {
  const float r = quick_reciprocal(row.b);
  return {row.a * r, row.c * r, row.d * r};
}

/// The unknown beside a seam that a block wants to lose: it is d - far x - near y, x what is beyond the block's other
/// end and y what is beyond both.
struct SeamSide {
  float far, near, d;
};
/// `last` and `first` of the blocks before and behind a seam, and what both sides divide by.
struct UnitSeam {
  UnitEquation last, first;
  float r;
  /// What the upper block, that behind, loses, or the lower.
  WARPLOOM_HD SeamSide side(bool upper) const {
    if (upper) return {-last.c * first.c * r, last.a * r, (last.d - last.c * first.d) * r};
    return {-first.a * last.a * r, first.c * r, (first.d - first.a * last.d) * r};
  }
};
WARPLOOM_HD UnitSeam unit_seam(const UnitEquation& last, const UnitEquation& first) {
  return {last, first, reciprocal_of_difference(1 - last.c * first.a)};
}
WARPLOOM_HD void lose(UnitEquation& e, const SeamSide& side, bool upper) {
  const float gone = upper ? e.a : e.c, kept = (upper ? e.c : e.a) - gone * side.far, other = -gone * side.near;
  e.a = upper ? other : kept;
  e.c = upper ? kept : other;
  e.d -= gone * side.d;
}

/// ... of all equations of a thread, which is told of its side when it runs: by factors, of which some are 0 or 1, as
/// choosing takes a device longer.
struct Loss {
  float a_of_a, a_of_c, c_of_a, c_of_c, d_of_a, d_of_c;
};
WARPLOOM_HD Loss loss(const SeamSide& side, bool upper) {
  return {upper ? -side.near : 1, upper ? 0 : -side.far, upper ? -side.far : 0,
          upper ? 1 : -side.near, upper ? -side.d : 0,   upper ? 0 : -side.d};
}
WARPLOOM_HD void lose(UnitEquation& e, const Loss& by) {
  e = {by.a_of_a * e.a + by.a_of_c * e.c, by.c_of_a * e.a + by.c_of_c * e.c, e.d + by.d_of_a * e.a + by.d_of_c * e.c};
}

/// The neighbours' unknowns leave an equation, theirs come in; one that is not there has zeros.
WARPLOOM_HD UnitEquation reduced(const UnitEquation& left, const UnitEquation& own, const UnitEquation& right) {
  const float r = reciprocal_of_difference(1 - own.a * left.c - own.c * right.a);
  return {-own.a * left.a * r, -own.c * right.c * r, (own.d - own.a * left.d - own.c * right.d) * r};
}

}  // namespace warploom
