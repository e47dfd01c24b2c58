#pragma once
#include "gpu/core/rounded.h"
#include "gpu/scenes/butterfly/rules/systems.h"

namespace warploom {

/// a left + x + c right = d: an equation that was divided by its diagonal. Of one that could not be divided d is no
/// finite number; of divisors between equations a thread keeps a flag (`none`).
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

/// ... of a divisor that comes of a difference: one so near to 0 that rounding may have made it sets `none`. Divisors
/// of regular systems of 2^20 rows may be as small as 2^-19.
WARPLOOM_HD float reciprocal_of_difference(float divisor, bool& none) {
  none |= fabsf(divisor) < 0x1p-21f;
  return quick_reciprocal(divisor, none);
}

/// One that cannot be divided has no number as its d: it goes on to another thread, where a flag would stay behind.
WARPLOOM_HD UnitEquation unit(const SystemRow& row) {
  bool none = false;
  const float r = quick_reciprocal(row.b, none);
  return {row.a * r, row.c * r, none ? nanf("") : row.d * r};
}

/// An equation at a block's seam as the block behind one has it: a is of the unknown across, c of that away from it.
/// `behind`: it is so already.
WARPLOOM_HD UnitEquation seam_end(const UnitEquation& e, bool behind) {
  return {behind ? e.a : e.c, behind ? e.c : e.a, e.d};
}

/// The unknown across a seam, which a block loses: it is far x + near y - d, x what is beyond the block's other end and
/// y what is beyond both.
struct SeamSide {
  float far, near, d;
};
/// ... of two seam_end, by the `r` of both sides.
WARPLOOM_HD SeamSide seam_side(const UnitEquation& own, const UnitEquation& other, float r) {
  return {other.a * own.c * r, -other.c * r, (other.a * own.d - other.d) * r};
}
WARPLOOM_HD float seam_reciprocal(const UnitEquation& own, const UnitEquation& other, bool& none) {
  return reciprocal_of_difference(1 - own.a * other.a, none);
}
/// `upper`: of the block behind the seam.
WARPLOOM_HD void lose(UnitEquation& e, const SeamSide& side, bool upper) {
  const float gone = upper ? e.a : e.c, kept = (upper ? e.c : e.a) + gone * side.far, other = gone * side.near;
  e.a = upper ? other : kept;
  e.c = upper ? kept : other;
  e.d += gone * side.d;
}

/// ... of all equations of a thread, which is told of its side when it runs: by factors, of which some are 0 or 1, as
/// choosing takes a device longer.
struct Loss {
  float a_of_a, a_of_c, c_of_a, c_of_c, d_of_a, d_of_c;
};
WARPLOOM_HD Loss loss(const SeamSide& side, bool upper) {
  return {upper ? side.near : 1, upper ? 0 : side.far, upper ? side.far : 0,
          upper ? 1 : side.near, upper ? side.d : 0,   upper ? 0 : side.d};
}
WARPLOOM_HD void lose(UnitEquation& e, const Loss& by) {
  e = {by.a_of_a * e.a + by.a_of_c * e.c, by.c_of_a * e.a + by.c_of_c * e.c, e.d + by.d_of_a * e.a + by.d_of_c * e.c};
}

/// The neighbours' unknowns leave an equation, theirs come in; one that is not there has zeros.
WARPLOOM_HD UnitEquation reduced(const UnitEquation& left, const UnitEquation& own, const UnitEquation& right,
                                 bool& none) {
  const float r = reciprocal_of_difference(1 - own.a * left.c - own.c * right.a, none);
  return {-own.a * left.a * r, -own.c * right.c * r, (own.d - own.a * left.d - own.c * right.d) * r};
}
/// ... of the last two of a system, which have each other alone: the unknown is known.
WARPLOOM_HD UnitEquation solved(const UnitEquation& own, const UnitEquation& other, bool& none) {
  return {0, 0, (own.d - own.a * other.d) * seam_reciprocal(own, other, none)};
}

}  // namespace warploom
