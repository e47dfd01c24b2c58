#pragma once
#include "gpu/binning/access/compact_range.h"
#include "gpu/binning/application.h"
#include "gpu/core/group.h"

namespace warploom {

/// How many elements each output of a lattice has in reach, for a picture: a thread an output, over compact bins.
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

}  // namespace warploom
