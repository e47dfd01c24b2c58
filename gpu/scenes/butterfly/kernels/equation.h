#pragma once
#include <cmath>

#include "gpu/scenes/butterfly/kernels/network.h"

// What nodes of tridiagonal networks do. Rows are never exchanged.
namespace warploom {

/// The smallest row of a system whose unknown a divisor of 0 multiplies; no_element: none does.
struct ZeroPivot {
  std::uint32_t row = no_element;
  WARPLOOM_HD void note(std::uint32_t other) {
    if (other < row) row = other;
  }
};

/// a left + b own + c right = d, of three unknowns.
template <class Real>
struct alignas(4 * sizeof(Real)) Equation {
  Real a = 0, b = 1, c = 0, d = 0;
};

/// `from` times such a factor is taken from `e` that its coefficient `gone` of `e` vanishes against `pivot` of `from`,
/// which multiplies the unknown of `row`. Returns the factor; one that is no finite number is noted, as a pivot of 0
/// is.
template <class Real>
WARPLOOM_HD Real elimination(Real gone, Real pivot, std::uint32_t row, ZeroPivot& zero) {
  // What has nothing to lose loses nothing: its neighbour may be anything.
  if (gone == 0) return 0;
  const Real factor = gone / pivot;
  if (pivot == 0 || factor - factor != 0) zero.note(row);  // a quotient that is no number, or beyond all of them
  return factor;
}

/// The neighbours' unknowns leave the equation of `row`, theirs come in; null: there is none on that side. They are
/// `apart` rows away.
template <class Real>
WARPLOOM_HD Equation<Real> reduced(const Equation<Real>* left, const Equation<Real>& own, const Equation<Real>* right,
                                   std::uint32_t row, std::uint32_t apart, ZeroPivot& zero) {
  Equation<Real> out{0, own.b, 0, own.d};
  if (left) {
    const Real f = elimination(own.a, left->b, row - apart, zero);
    out.a = -f * left->a;
    out.b -= f * left->c;
    out.d -= f * left->d;
  }
  if (right) {
    const Real f = elimination(own.c, right->b, row + apart, zero);
    out.c = -f * right->c;
    out.b -= f * right->a;
    out.d -= f * right->d;
  }
  return out;
}

/// The two equations beside a seam, each without the other's unknown: `before` of the last unknown before it, `behind`
/// of the first one behind, both on what lies outside the two blocks. `row`: of the last one before.
template <class Real>
struct Seam {
  Equation<Real> before, behind;
  std::uint32_t row = 0;
};
template <class Real>
WARPLOOM_HD Seam<Real> seam_of(const Equation<Real>& last, const Equation<Real>& first, std::uint32_t row,
                               ZeroPivot& zero) {
  const Real up = elimination(first.a, last.b, row, zero), down = elimination(last.c, first.b, row + 1, zero);
  Seam<Real> seam;
  seam.row = row;
  seam.behind = {-up * last.a, first.b - up * last.c, first.c, first.d - up * last.d};
  seam.before = {last.a, last.b - down * first.a, -down * first.c, last.d - down * first.d};
  return seam;
}
/// An equation of the block before the seam, or behind it, on what lies outside both.
template <class Real>
WARPLOOM_HD Equation<Real> across_from_before(const Equation<Real>& e, const Seam<Real>& seam, ZeroPivot& zero) {
  const Real f = elimination(e.c, seam.behind.b, seam.row + 1, zero);
  return {e.a - f * seam.behind.a, e.b, -f * seam.behind.c, e.d - f * seam.behind.d};
}
template <class Real>
WARPLOOM_HD Equation<Real> across_from_behind(const Equation<Real>& e, const Seam<Real>& seam, ZeroPivot& zero) {
  const Real f = elimination(e.a, seam.before.b, seam.row, zero);
  return {-f * seam.before.a, e.b, e.c - f * seam.before.c, e.d - f * seam.before.d};
}

/// The first and the last equation of a block: (before it, its first unknown, behind it), and of its last. `row` of
/// `merged`: the last of the block before.
template <class Real>
struct BlockEnds {
  Equation<Real> first, last;
};
template <class Real>
WARPLOOM_HD BlockEnds<Real> merged(const BlockEnds<Real>& before, const BlockEnds<Real>& behind, std::uint32_t row,
                                   ZeroPivot& zero) {
  const Seam<Real> seam = seam_of(before.last, behind.first, row, zero);
  return {across_from_before(before.first, seam, zero), across_from_behind(behind.last, seam, zero)};
}

}  // namespace warploom
