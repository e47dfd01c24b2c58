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

  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    each_item(group, volume(lattice.points), [&](std::uint64_t i) { hits[i] = static_cast<float>(of(i)); });
  }

 private:
  WARPLOOM_HD std::uint32_t of(std::uint64_t i) const {
    const Index3 at = unfold(i, lattice.points);
    const std::uint32_t index[] = {at.x, at.y, at.z};
    Reach reach;
    for (int a = 0; a < 3; ++a) reach.low[a] = reach.high[a] = lattice.at(a, index[a]);
    reach.margin = margin;
    std::uint32_t found = 0;
    each_run<CompactRange>(slots, reach, [&](std::uint64_t first, std::uint64_t last) {
      for (; first < last; ++first) {
        float element[Application::info.width];
        slots.template read<BinLayout::records>(first, element);
        const float square =
            square_sum(element[0] - reach.low[0], element[1] - reach.low[1], element[2] - reach.low[2]);
        found += square < application.square_reach(element);
      }
    });
    return found;
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

  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    const LaunchShape shape = outputs.shape();
    const auto warps = static_cast<unsigned>((volume(shape.threads) + warp_size - 1) / warp_size);
    each_item(group, elements.count, [&](std::uint64_t i) {
      const float* element = elements.values + i * elements.width;
      const float reach = sqrtf(application.square_reach(element));
      std::uint32_t first[3], end[3];  // of blocks that hold points in reach
      for (int a = 0; a < 3; ++a) {
        points_in_reach(outputs.lattice, a, element[a], reach, first[a], end[a]);
        // Boxes reach as far as their outputs, of which the nearest may be beside the ball.
        first[a] = (first[a] > outputs.tile ? first[a] - outputs.tile : 0) / outputs.tile;
        end[a] = end[a] / outputs.tile + 2;
      }
      const std::uint32_t all[] = {shape.blocks.x, shape.blocks.y, shape.blocks.z};
      for (int a = 0; a < 3; ++a) end[a] = end[a] < all[a] ? end[a] : all[a];
      for (std::uint32_t z = first[2]; z < end[2]; ++z)
        for (std::uint32_t y = first[1]; y < end[1]; ++y)
          for (std::uint32_t x = first[0]; x < end[0]; ++x) {
            std::uint64_t tested = 0;
            for (unsigned warp = 0; warp < warps; ++warp) {
              std::uint32_t inside = 0;
              const Reach box = outputs.reach_of_warp({x, y, z}, warp, &inside);
              if (inside && may_reach(application, element, box)) tested += inside;
            }
            if (tested) atomic_add(loads + linear_index({x, y, z}, shape.blocks), tested);
          }
    });
  }
};

}  // namespace warploom
