#pragma once
#include "gpu/maps/map.h"
#include "gpu/scenes/fractal/maps/question.h"

namespace warploom {

/// The baseline: a grid of n / rho by n / rho blocks over the whole box, identity. Every thread tests its own cell; a
/// thread is waste unless the cell is a member.
struct BoundingBox : SingleLaunch {
  static constexpr MapInfo info{"bounding_box", "Bounding box", "identity, discard outside", "navarro2020fractals"};

  FractalDomain domain;
  Index3 side{1, 1, 1};  ///< the block's extent, rho

  BoundingBox() = default;
  BoundingBox(const FractalDomain& fractal, int block_digits, const std::uint32_t*)
      : domain(fractal), side{fractal.power_x[block_digits].divisor, fractal.power_y[block_digits].divisor, 1} {}

  LaunchShape shape(int) const { return {{domain.extent.x / side.x, domain.extent.y / side.y, 1}, side}; }

  template <class Group>
  WARPLOOM_HD bool block(Group&, int, Index3 at, int, Cell& origin) const {
    origin = {at.x * side.x, at.y * side.y, 0};
    return true;
  }

  WARPLOOM_HD bool thread(Cell origin, Index3 at, Cell& cell) const {
    cell = {origin.x + at.x, origin.y + at.y, 0};
    return domain.member(cell.x, cell.y, domain.level);
  }

  WARPLOOM_HD bool owner(Cell cell, Owner& who) const {
    if (!domain.contains(cell)) return false;
    who = {0, {cell.x / side.x, cell.y / side.y, 0}, 0, {cell.x % side.x, cell.y % side.y, 0}};
    return true;
  }

  static MapTable table(const FractalDomain&, int) { return {}; }
  static Formula explain(const FractalQuestion& question) { return explain_member_test(question); }
  /// Threads launched, stated: s_x^r s_y^r.
  static std::uint64_t launched(const FractalDomain& fractal, int) {
    return std::uint64_t{fractal.extent.x} * fractal.extent.y;
  }
};

}  // namespace warploom
