#pragma once
#include "gpu/scenes/simplex/maps/simplex_map.h"

namespace warploom {

Formula explain_box(const SimplexQuestion& question);

/// The baseline: a box of n_b blocks per side, identity; blocks outside the simplex return at once, threads outside
/// test their own cell. Launches 2 (triangle) or 6 (tetrahedra) times too much.
template <int Dimensions>
struct BoxPlacing : PlainPlacing {
  static constexpr MapInfo info{"bounding_box", "Bounding box", "identity, discard outside", "navarro2016tetrahedra"};
  static constexpr int dimensions = Dimensions;
  static constexpr BlockSpace space = BlockSpace::own;
  static constexpr bool compiles_all = true;

  std::uint32_t blocks;
  WARPLOOM_HD BoxPlacing(std::uint32_t blocks_a_side, const std::uint32_t*) : blocks(blocks_a_side) {}

  Index3 grid(int) const { return {blocks, blocks, Dimensions == 3 ? blocks : 1}; }
  WARPLOOM_HD bool place(int, Index3 at, int, Index3& block) const {
    block = at;
    return true;
  }
  WARPLOOM_HD bool find(Index3 block, Owner& who) const {
    who.block = block;
    return true;
  }
  static Formula explain(const SimplexQuestion& question) { return explain_box(question); }
  /// n_b^d
  static std::uint64_t launched(std::uint32_t blocks) {
    const std::uint64_t side = blocks;
    return Dimensions == 3 ? side * side * side : side * side;
  }
};

}  // namespace warploom
