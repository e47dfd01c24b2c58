#pragma once
#include "gpu/scenes/simplex/maps/h_triangle.h"

namespace warploom {

/// H of the corner tetrahedron whose side n is a power of two from 2 on [navarro2023simplex], in integers: a grid of
/// n/2 x n/2 x 3n/4 for all but the plane y = 0, which is H of a triangle.
struct HTetrahedron {
  WARPLOOM_HD static bool place(std::uint32_t n, Index3 at, Index3& block) {
    const std::uint32_t m = n / 2;
    std::uint32_t x, y, z;
    if (at.z < m) {
      x = at.x;
      y = m - 1 - at.y;
      z = at.z;
      if (x + y + z >= n - 1) {  // through the middle of the box
        x = m - 1 - x;
        y = m - 1 - y;
        z = n - 1 - z;
      }
    } else {
      if (at.y == 0) return false;
      const int h = floor_log2(at.y);
      const std::uint32_t b = 1u << h, q = at.x >> h;
      z = at.z - m;
      if (z >= b) return false;
      x = at.x + q * b;
      y = n - 1 - (at.y + 2 * q * b);
      if (x + y + z >= n - 1) {
        const std::uint32_t in_x = x & (b - 1), in_y = y & (b - 1);
        x += b - 1 - in_y - in_x;
        y += b - 1 - in_x - in_y;
        z = 2 * b - 1 - z;
      }
    }
    block = {x, y + 1, z};
    return true;
  }

  /// The grid place of a block with y > 0.
  WARPLOOM_HD static Index3 find(std::uint32_t n, Index3 block) {
    const std::uint32_t m = n / 2;
    std::uint32_t x = block.x, y = block.y - 1, z = block.z;
    // The highest bit in which x and n - 1 - y differ names the cube the block lies in; the largest cube is the first
    // half of the grid.
    const std::uint32_t b = 1u << floor_log2(x ^ (n - 1 - y));
    if (b == m) {
      if (z < m) return {x, m - 1 - y, z};
      return {m - 1 - x, y, n - 1 - z};
    }
    if (z >= b) {
      const std::uint32_t in_x = x & (b - 1), in_y = y & (b - 1);
      x += b - 1 - in_y - in_x;
      y += b - 1 - in_x - in_y;
      z = 2 * b - 1 - z;
    }
    const std::uint32_t base = x / (2 * b) * b;  // q b
    return {x - base, n - 1 - y - 2 * base, m + z};
  }
};

/// H on a tetrahedron of any side n_b = p + q, p the largest power of two: the layers from q up are H of side p, the
/// lowest q layers one folded grid; or H of side 2p where that launches fewer.
struct HTetrahedronPlacing : PlainPlacing {
  static constexpr MapInfo info{"h_map", "H map", "integers and leading-zero counts only, a few blocks waste",
                                "navarro2023simplex"};
  static constexpr int dimensions = 3;
  static constexpr BlockSpace space = BlockSpace::corner;

  std::uint32_t blocks, side, low;  ///< side of H, a power of two; layers below it
  Index3 rest{1, 1, 1};             ///< the grid of the low layers

  HTetrahedronPlacing(std::uint32_t blocks_a_side, const std::uint32_t*)
      : blocks(blocks_a_side), side(1u << floor_log2(blocks_a_side)), low(blocks_a_side - side) {
    if (low == 0) return;
    const std::uint32_t doubled = 2 * side;
    if (cost_of(doubled) < split_cost(blocks)) {
      side = doubled;
      low = 0;
    } else {
      rest = folded_grid<2>(triangle_number(blocks));
      rest.z = low;
    }
  }

  int launches() const { return (side == 1 ? 1 : 2) + (low > 0); }
  Index3 grid(int launch) const {
    if (launch == launches() - 1 && low > 0) return rest;
    if (side == 1) return {1, 1, 1};
    return launch == 0 ? Index3{side / 2, side / 2, 3 * side / 4} : Index3{side / 2, side + 1, 1};
  }

  WARPLOOM_HD bool place(int launch, Index3 at, int, Index3& block) const {
    if (low > 0 && launch == (side == 1 ? 1 : 2)) {  // the lowest layers
      const std::uint64_t w = std::uint64_t{at.y} * rest.x + at.x;
      if (w >= triangle_number(blocks)) return false;
      const Index3 in = simplex_place<2>(w);
      block = {in.x, in.y - in.x, at.z};
      return in.y + at.z < blocks;
    }
    if (side == 1) {
      block = {0, 0, low};
      return true;
    }
    if (launch == 0) {
      if (!HTetrahedron::place(side, at, block)) return false;
    } else {
      const Index3 in = HTriangle::place(side, at);
      block = {in.x, 0, side - 1 - in.y};
    }
    block.z += low;
    // Where H was padded to a power of two, part of it lies outside.
    return block.x + block.y + block.z < blocks;
  }

  WARPLOOM_HD bool find(Index3 block, Owner& who) const {
    if (block.z < low) {
      const std::uint64_t w = triangle_number(block.x + block.y) + block.x;
      who.launch = side == 1 ? 1 : 2;
      who.block = {static_cast<std::uint32_t>(w % rest.x), static_cast<std::uint32_t>(w / rest.x), block.z};
      return true;
    }
    block.z -= low;
    if (side == 1) {
      who.block = {0, 0, 0};
    } else if (block.y > 0) {
      who.block = HTetrahedron::find(side, block);
    } else {
      who.launch = 1;
      who.block = HTriangle::find(side, {block.x, side - 1 - block.z, 0});
    }
    return true;
  }

  static Formula explain(const SimplexQuestion& question);
  /// (p/2)^2 floor(3p/4) + p/2 (p + 1), with p = n_b or the next power of two, or plus the folded t(n_b) times q of the
  /// lowest layers: whichever is least.
  static std::uint64_t launched(std::uint32_t blocks) {
    const std::uint32_t side = 1u << floor_log2(blocks);
    if (side == blocks) return cost_of(side);
    const std::uint32_t doubled = 2 * side;
    return cost_of(doubled) < split_cost(blocks) ? cost_of(doubled) : split_cost(blocks);
  }

 private:
  static std::uint64_t cost_of(std::uint64_t p) { return p == 1 ? 1 : p / 2 * (p / 2) * (3 * p / 4) + p / 2 * (p + 1); }
  static std::uint64_t split_cost(std::uint32_t blocks) {
    const std::uint32_t side = 1u << floor_log2(blocks);
    const Index3 folded = folded_grid<2>(triangle_number(blocks));
    return cost_of(side) + std::uint64_t{folded.x} * folded.y * (blocks - side);
  }
};

}  // namespace warploom
