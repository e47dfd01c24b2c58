#pragma once
#include "gpu/core/atomic.h"
#include "gpu/core/group.h"
#include "gpu/scenes/bins/access/compact_range.h"
#include "gpu/scenes/bins/kernels/gather.h"
#include "gpu/scenes/bins/kernels/spread.h"

namespace warploom {

/// How many elements each output of a lattice has in reach, for a picture: a thread per output, over compact bins.
template <class Application>
struct HitsOfOutputs {
  static constexpr std::uint64_t threads_per_chunk = 512;
  Application application;
  BinSlots slots;
  Lattice lattice;
  float margin;
  float* hits;

  WARPLOOM_HD void operator()(std::uint64_t i) const {
    const Index3 at = unfold(i, lattice.points);
    const float place[] = {lattice.at(0, at.x), lattice.at(1, at.y), lattice.at(2, at.z)};
    const Reach reach = reach_at(place, margin);
    std::uint32_t found = 0;
    each_run<CompactRange>(slots, reach, [&](std::uint64_t first, std::uint64_t last) {
      for (; first < last; ++first) {
        float element[Application::info.width];
        slots.template read<BinLayout::records>(first, element);
        const float square = square_sum(element[0] - place[0], element[1] - place[1], element[2] - place[2]);
        found += square < application.square_reach(element);
      }
    });
    hits[i] = static_cast<float>(found);
  }
};

/// Pairs that each block of a gather which culls tests, for a picture: a thread per element.
template <class Application>
struct CulledLoads {
  static constexpr std::uint64_t threads_per_chunk = 512;
  Application application;
  Elements elements;
  OutputTiles outputs;
  std::uint64_t* loads;  ///< (blocks), in launch order; added to

  WARPLOOM_HD void operator()(std::uint64_t i) const {
    const LaunchShape shape = outputs.shape();
    const auto warps = static_cast<unsigned>((volume(shape.threads) + warp_size - 1) / warp_size);
    const float* element = elements.values + i * elements.width;
    TileBox box = points_in_reach(application, outputs.lattice, element);  // then of blocks that hold some of them
    for (int a = 0; a < 3; ++a) {
      // Boxes reach as far as their outputs, of which the nearest may be beside the ball.
      const std::uint32_t all = coordinate(shape.blocks, a), end = box.end[a] / outputs.tile + 2;
      box.first[a] = (box.first[a] > outputs.tile ? box.first[a] - outputs.tile : 0) / outputs.tile;
      box.end[a] = end < all ? end : all;
    }
    box.each([&](Index3 block) {
      std::uint64_t tested = 0;
      for (unsigned warp = 0; warp < warps; ++warp) {
        std::uint32_t inside = 0;
        const Reach own = outputs.reach_of_warp(block, warp, &inside);
        if (inside && may_reach(application, element, own)) tested += inside;
      }
      if (tested) atomic_add(loads + linear_index(block, shape.blocks), tested);
    });
  }
};

}  // namespace warploom
