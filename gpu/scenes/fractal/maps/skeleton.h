#pragma once
#include "gpu/maps/map.h"
#include "gpu/scenes/fractal/maps/question.h"

namespace warploom {

/// The file to copy for a new fractal map: a map that serves every place of the box with one block a row of places.
/// It is right, and wasteful; replace the bodies. tests/scenes/fractal/map_contract_test.cpp runs it too, so that it
/// stays right.
struct SkeletonMap : SingleLaunch {
  static constexpr MapInfo info{"skeleton", "Skeleton", "one block a stretch of a row, discard outside",
                                "navarro2020fractals"};

  FractalDomain domain;
  std::uint32_t side = 1;  ///< threads of a block: s_x^block_digits places of one row

  SkeletonMap() = default;
  /// `table` holds what table() returned, in the memory of the backend that asks.
  SkeletonMap(const FractalDomain& fractal, int block_digits, const std::uint32_t* /*table*/)
      : domain(fractal), side(fractal.power_x[block_digits].divisor) {}

  LaunchShape shape(int /*launch*/) const { return {{domain.extent.x / side, domain.extent.y, 1}, {side, 1, 1}}; }

  /// Which stretch of the domain does thread block `at` serve?
  template <class Group>
  WARPLOOM_HD bool block(Group& /*group*/, int /*launch*/, Index3 at, int /*turn*/, Cell& origin) const {
    origin = {at.x * side, at.y, 0};
    return true;
  }

  /// Which cell does a thread of that block serve? False: it is waste.
  WARPLOOM_HD bool thread(Cell origin, Index3 at, Cell& cell) const {
    cell = {origin.x + at.x, origin.y, 0};
    return domain.member(cell.x, cell.y, domain.level);
  }

  /// The inverse: the thread that serves this cell. False: the cell is outside.
  WARPLOOM_HD bool owner(Cell cell, Owner& who) const {
    if (!domain.contains(cell)) return false;
    who = {0, {cell.x / side, cell.y, 0}, 0, {cell.x % side, 0, 0}};
    return true;
  }

  /// What the kernel looks up; empty: nothing.
  static MapTable table(const FractalDomain& /*fractal*/, int /*block_digits*/) { return {}; }

  /// The formula in words, for the thread that the pointer is on.
  static Formula explain(const FractalQuestion& question) { return explain_member_test(question); }

  /// Threads launched, as a closed form; the contract test compares.
  static std::uint64_t launched(const FractalDomain& fractal, int /*block_digits*/) {
    return std::uint64_t{fractal.extent.x} * fractal.extent.y;
  }
};

}  // namespace warploom
