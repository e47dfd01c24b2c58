#pragma once
#include "gpu/scenes/simplex/maps/simplex_map.h"

namespace warploom {

Formula explain_walk(const SimplexQuestion& question);

/// Persistent blocks: block i serves data blocks i, i + G, i + 2G, ... in linear order, and carries its place (x, y, z)
/// from turn to turn by integer steps. No root in any kernel.
template <int Dimensions>
struct StrideWalkPlacing : PlainPlacing {
  static constexpr MapInfo info{
      "stride_walk",
      "Stride walk",
      "few persistent blocks carry their place, no root at all",
      "navarro2016tetrahedra",
      true,
      Dimensions == 2 ? ~std::uint64_t{0} : 32767};  // turns and layers are counted in 32 bits
  static constexpr int dimensions = Dimensions;

  std::uint64_t count;
  std::uint32_t stride;
  /// As many blocks as a device holds at once: more would take more steps from turn to turn.
  StrideWalkPlacing(std::uint32_t blocks, const std::uint32_t*, ResidentBlocks resident)
      : count(simplex_number<Dimensions>(blocks)), stride(static_cast<std::uint32_t>(count)) {
    if (count > resident.count) stride = resident.count;
  }

  Index3 grid(int) const { return {stride, 1, 1}; }
  WARPLOOM_HD int turns(int) const { return static_cast<int>((count + stride - 1) / stride); }
  WARPLOOM_HD bool more(int, Index3 at, int turn) const {
    return at.x + static_cast<std::uint64_t>(turn) * stride < count;
  }

  /// By roots, for callers that have not walked to the turn.
  WARPLOOM_HD bool place(int, Index3 at, int turn, Index3& block) const {
    block = simplex_place<Dimensions>(at.x + static_cast<std::uint64_t>(turn) * stride);
    return true;
  }

  /// From the place of the turn before; the first turn starts at the origin.
  WARPLOOM_HD bool carry(int, Index3 at, int turn, Index3& block) const {
    if (turn == 0) block = {0, 0, 0};
    std::uint32_t left = turn == 0 ? at.x : stride;
    if constexpr (Dimensions == 3) {
      // To the end of the layer, then layer by layer: t(z + 1) blocks each.
      const std::uint32_t before = block.y * (block.y + 1) / 2 + block.x;
      if (left + before >= (block.z + 1) * (block.z + 2) / 2) {
        left += before;
        do {
          left -= (block.z + 1) * (block.z + 2) / 2;
          ++block.z;
        } while (left >= (block.z + 1) * (block.z + 2) / 2);
        block.x = block.y = 0;
      }
    }
    block.x += left;
    while (block.x > block.y) {
      block.x -= block.y + 1;
      ++block.y;
    }
    return true;
  }

  WARPLOOM_HD bool find(Index3 block, Owner& who) const {
    const std::uint64_t w = simplex_index<Dimensions>(block);
    who.block = {static_cast<std::uint32_t>(w % stride), 0, 0};
    who.turn = static_cast<int>(w / stride);
    return true;
  }

  static Formula explain(const SimplexQuestion& question) { return explain_walk(question); }

  /// t(n_b) or T(n_b): one per turn.
  static std::uint64_t launched(std::uint32_t blocks) { return simplex_number<Dimensions>(blocks); }
};

}  // namespace warploom
