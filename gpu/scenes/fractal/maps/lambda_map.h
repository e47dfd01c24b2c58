#pragma once
#include "gpu/maps/map.h"
#include "gpu/scenes/fractal/maps/question.h"

namespace warploom {

/// lambda [navarro2020fractals]: a grid of k^ceil(r_b/2) x k^floor(r_b/2) blocks, each placed by the digits of its own
/// index. `Placing` says how lambda is computed, `Intra` what the threads of the block do then.
template <class Placing, class Intra>
struct LambdaMap : SingleLaunch {
  static constexpr MapInfo info = Placing::info;
  using intra = Intra;

  FractalDomain domain;
  int block_digits = 0;  ///< j: rho = s^j
  int grid_digits = 0;   ///< r_b = r - j
  const std::uint32_t* placing_table = nullptr;
  const std::uint32_t* intra_table = nullptr;

  LambdaMap() = default;
  LambdaMap(const FractalDomain& fractal, int digits, const std::uint32_t* tables)
      : domain(fractal),
        block_digits(digits),
        grid_digits(fractal.level - digits),
        placing_table(tables),
        intra_table(tables ? tables + Placing::table(fractal, fractal.level - digits).size() : nullptr) {}

  LaunchShape shape(int) const {
    return {{domain.power_k[(grid_digits + 1) / 2].divisor, domain.power_k[grid_digits / 2].divisor, 1},
            Intra::threads(domain, block_digits)};
  }

  template <class Group>
  WARPLOOM_HD bool block(Group& group, int, Index3 at, int, Cell& origin) const {
    const Index2 place = Placing::place(group, domain, grid_digits, placing_table, at);
    origin = {place.x * domain.power_x[block_digits].divisor, place.y * domain.power_y[block_digits].divisor, 0};
    return true;
  }

  WARPLOOM_HD bool thread(Cell origin, Index3 in_block, Cell& cell) const {
    Index2 at;
    const bool useful = Intra::place(domain, block_digits, intra_table, in_block, at);
    cell = {origin.x + at.x, origin.y + at.y, 0};
    return useful;
  }

  WARPLOOM_HD bool owner(Cell cell, Owner& who) const {
    if (cell.x >= domain.extent.x || cell.y >= domain.extent.y) return false;
    Index2 at{cell.x, cell.y};
    const Index2 place{domain.power_x[block_digits].split(at.x), domain.power_y[block_digits].split(at.y)};
    who = {};
    return domain.inverse(place.x, place.y, grid_digits, who.block.x, who.block.y) &&
           Intra::thread(domain, block_digits, at, who.thread);
  }

  /// What place and thread look up: the placing's entries, then the intra-block way's.
  static MapTable table(const FractalDomain& fractal, int digits) {
    MapTable all = Placing::table(fractal, fractal.level - digits);
    const MapTable offsets = Intra::table(fractal, digits);
    all.insert(all.end(), offsets.begin(), offsets.end());
    return all;
  }

  static Formula explain(const FractalQuestion& question) { return explain_lambda(question); }

  /// Threads launched, stated: k^r_b blocks of the intra-block way's threads.
  static std::uint64_t launched(const FractalDomain& fractal, int digits) {
    return fractal.boxes(digits) * volume(Intra::threads(fractal, digits));
  }
};

}  // namespace warploom
