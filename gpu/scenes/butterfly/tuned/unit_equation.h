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
  WARPLOOM_HD void set_word(int w, float value) { (w == 0 ? a : w == 1 ? c : d) = value; }
};

/// ... of a divisor that comes of a difference: one so near to 0 that rounding may have made it is as 0, no number.
/// Divisors of regular systems of 2^20 rows may be as small as 2^-19.
WARPLOOM_HD float reciprocal_of_difference(float divisor) {
  return fabsf(divisor) < 0x1p-21f ? nanf("") : quick_reciprocal(divisor);
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
/// `last` and `first` of the blocks before and behind the seam; what the upper block, that behind, loses, or the lower.
WARPLOOM_HD SeamSide seam_side(const UnitEquation& last, const UnitEquation& first, bool upper) {
  const float r = reciprocal_of_difference(1 - last.c * first.a);
  if (upper) return {-last.c * first.c * r, last.a * r, (last.d - last.c * first.d) * r};
  return {-first.a * last.a * r, first.c * r, (first.d - first.a * last.d) * r};
}
WARPLOOM_HD void lose(UnitEquation& e, const SeamSide& side, bool upper) {
  const float gone = upper ? e.a : e.c, kept = (upper ? e.c : e.a) - gone * side.far, other = -gone * side.near;
  e.a = upper ? other : kept;
  e.c = upper ? kept : other;
  e.d -= gone * side.d;
}

/// The neighbours' unknowns leave an equation, theirs come in; one that is not there has zeros.
WARPLOOM_HD UnitEquation reduced(const UnitEquation& left, const UnitEquation& own, const UnitEquation& right) {
  const float r = reciprocal_of_difference(1 - own.a * left.c - own.c * right.a);
  return {-own.a * left.a * r, -own.c * right.c * r, (own.d - own.a * left.d - own.c * right.d) * r};
}

}  // namespace warploom
