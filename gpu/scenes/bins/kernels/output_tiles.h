#pragma once
#include "gpu/core/types.h"
#include "gpu/scenes/bins/kernels/slots.h"

namespace warploom {

/// The outputs of a block: a cube of the lattice, each thread a column of it along z.
struct OutputTiles {
  Lattice lattice;
  std::uint32_t tile = 8, per_thread = 4;
  static constexpr unsigned most_per_thread = 8, most_threads = 512;

  WARPLOOM_HD LaunchShape shape() const {
    const auto along = [&](std::uint32_t points) { return (points + tile - 1) / tile; };
    return {{along(lattice.points.x), along(lattice.points.y), along(lattice.points.z)},
            {tile, tile, tile / per_thread}};
  }
  /// The first output of a thread.
  WARPLOOM_HD Index3 first(Index3 block, Index3 thread) const {
    return {block.x * tile + thread.x, block.y * tile + thread.y, block.z * tile + thread.z * per_thread};
  }
  WARPLOOM_HD bool inside(Index3 at) const { return is_inside(at, lattice.points); }
  /// Of an output: its block, and the number of its warp there.
  WARPLOOM_HD Index3 block_of(Index3 output) const { return {output.x / tile, output.y / tile, output.z / tile}; }
  WARPLOOM_HD unsigned warp_of(Index3 output) const {
    const Index3 thread{output.x % tile, output.y % tile, output.z % tile / per_thread};
    return static_cast<unsigned>(linear_index(thread, {tile, tile, tile / per_thread})) / warp_size;
  }
  /// The outputs of a block that are inside the lattice; how many: `count`.
  WARPLOOM_HD Reach reach(Index3 block, float margin, std::uint32_t* count = nullptr) const {
    const Index3 first{block.x * tile, block.y * tile, block.z * tile};
    return reach_of(first, {first.x + tile, first.y + tile, first.z + tile}, margin, count);
  }
  /// Those of a warp of a block, in a box: with no margin, and none where `count` is 0.
  WARPLOOM_HD Reach reach_of_warp(Index3 block, unsigned warp, std::uint32_t* count) const {
    const Index3 shape{tile, tile, tile / per_thread};
    const auto size = static_cast<unsigned>(volume(shape)), begin = warp * warp_size;
    const Index3 from = unfold(begin, shape),
                 to = unfold((begin + warp_size < size ? begin + warp_size : size) - 1, shape);
    // Rows of threads along x are never cut, layers may be.
    const bool layers = from.z != to.z;
    return reach_of(
        {block.x * tile, block.y * tile + (layers ? 0 : from.y), block.z * tile + from.z * per_thread},
        {block.x * tile + tile, block.y * tile + (layers ? tile : to.y + 1), block.z * tile + (to.z + 1) * per_thread},
        0, count);
  }

 private:
  WARPLOOM_HD Reach reach_of(Index3 first, Index3 end, float margin, std::uint32_t* count) const {
    Reach all;
    all.margin = margin;
    std::uint32_t inside_it = 1;
    for (int a = 0; a < 3; ++a) {
      const std::uint32_t points = coordinate(lattice.points, a), from = coordinate(first, a),
                          wanted = coordinate(end, a), to = wanted < points ? wanted : points;
      all.low[a] = lattice.at(a, from);
      all.high[a] = lattice.at(a, to - 1);
      inside_it *= from < to ? to - from : 0;
    }
    if (count) *count = inside_it;
    return all;
  }
};

/// Whether an element may reach any of the outputs in a box. Never false where it does: a difference from the nearest
/// face is rounded as that from an output is, and rounding keeps order.
template <class Application>
WARPLOOM_HD bool may_reach(const Application& application, const float* element, const Reach& outputs) {
  float apart[3];
  for (int a = 0; a < 3; ++a) {
    const float p = element[a];
    apart[a] = p < outputs.low[a] ? outputs.low[a] - p : p > outputs.high[a] ? p - outputs.high[a] : 0;
  }
  return square_sum(apart[0], apart[1], apart[2]) < application.square_reach(element);
}

}  // namespace warploom
