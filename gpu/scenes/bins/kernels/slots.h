#pragma once
#include <cmath>
#include <cstdint>

#include "gpu/scenes/bins/kernels/geometry.h"

namespace warploom {

/// How the floats of elements lie in their slots.
enum class BinLayout {
  records,         ///< one element after another
  arrays,          ///< an array of each float
  vectors,         ///< arrays of pairs of floats
  padded_elements  ///< 32 bytes each
};

/// Floats that a slot of padded_elements takes.
inline constexpr unsigned padded_width = 8;

/// Where float f of a slot lies; `stride`: how many slots there are.
WARPLOOM_HD constexpr std::uint64_t float_of_slot(BinLayout layout, unsigned width, std::uint64_t stride,
                                                  std::uint64_t slot, unsigned f) {
  if (layout == BinLayout::arrays) return f * stride + slot;
  if (layout == BinLayout::vectors) return std::uint64_t{f / 2} * 2 * stride + 2 * slot + f % 2;
  return slot * (layout == BinLayout::padded_elements ? padded_width : width) + f;
}

/// Where binned elements lie: slots of `width` floats each. What is no number in x marks padding.
struct BinSlots {
  BinGrid grid;
  const float* values = nullptr;
  unsigned width = 4;
  const std::uint32_t* counts = nullptr;   ///< regular: elements in a bin's slots
  const std::uint32_t* offsets = nullptr;  ///< compact: first slot of each bin, and one past the last
  std::uint32_t capacity = 0;              ///< regular: slots per bin
  std::uint64_t elements = 0;              ///< all of them, where nothing is binned
  std::uint64_t stride = 0;                ///< slots, padding and all

  template <BinLayout layout>
  WARPLOOM_HD float value(std::uint64_t slot, unsigned f) const {
    return values[float_of_slot(layout, width, stride, slot, f)];
  }
  template <BinLayout layout, unsigned count>
  WARPLOOM_HD void read(std::uint64_t slot, float (&element)[count]) const {
    for (unsigned f = 0; f < count; ++f) element[f] = value<layout>(slot, f);
  }
};

/// Outputs that are gathered together: the box they fill, and how far beyond it elements may reach them.
struct Reach {
  Float3 low, high;
  float margin = 0;

  /// The bins that may hold such elements.
  WARPLOOM_HD BinBox bins(const BinGrid& grid) const {
    BinBox box;
    for (int a = 0; a < 3; ++a) {
      const float from = rounded_sum(low[a], -margin), to = rounded_sum(high[a], margin);
      if (!grid.periodic) {
        box.first[a] = static_cast<std::int32_t>(grid.index(a, from));
        box.last[a] = static_cast<std::int32_t>(grid.index(a, to));
        continue;
      }
      const auto bins = static_cast<std::int32_t>(grid.extent(a));
      // A box away at most, also of what is no number.
      const auto near = [bins](float at) {
        const float least = static_cast<float>(-bins), most = static_cast<float>(2 * bins - 1);
        return static_cast<std::int32_t>(at > least ? (at < most ? at : most) : least);
      };
      box.first[a] = near(grid.place(a, from));
      box.last[a] = near(grid.place(a, to));
      if (box.last[a] - box.first[a] + 1 >= bins) box.first[a] = 0, box.last[a] = bins - 1;
    }
    return box;
  }
};

/// ... of one place.
WARPLOOM_HD Reach reach_at(const float* place, float margin) {
  Reach reach;
  for (int a = 0; a < 3; ++a) reach.low[a] = reach.high[a] = place[a];
  reach.margin = margin;
  return reach;
}

/// Bins of a row along x, from first to last, both inclusive, by their numbers; y and z as in the box, not wrapped.
struct BinRow {
  std::uint64_t first, last;
  std::int32_t y, z;
};

/// A place along an axis of a periodic grid, once around at most.
WARPLOOM_HD std::int32_t wrapped_bin(std::int32_t at, std::int32_t bins) {
  return at < 0 ? at + bins : at >= bins ? at - bins : at;
}

/// Calls body(BinRow) for the bins from `first` to `last` of the row (y, z): of a periodic grid in two parts where the
/// row passes its end.
template <class Body>
WARPLOOM_HD void row_parts(const BinGrid& grid, std::int32_t first, std::int32_t last, std::int32_t y, std::int32_t z,
                           Body&& body) {
  const auto mx = static_cast<std::int32_t>(grid.bins.x);
  const std::uint64_t start =
      (static_cast<std::uint64_t>(wrapped_bin(z, static_cast<std::int32_t>(grid.bins.z))) * grid.bins.y +
       static_cast<std::uint64_t>(wrapped_bin(y, static_cast<std::int32_t>(grid.bins.y)))) *
      grid.bins.x;
  // Below the first bin, among them, beyond the last. A loop: its body is a kernel's whole work.
  for (int part = 0; part < 3; ++part) {
    const std::int32_t from = part == 0 ? (first < 0 ? first + mx : mx) : part == 1 && first > 0 ? first : 0;
    const std::int32_t to = part == 0 ? mx - 1 : part == 1 ? (last < mx ? last : mx - 1) : last - mx;
    if (from <= to)
      body(BinRow{start + static_cast<std::uint64_t>(from), start + static_cast<std::uint64_t>(to), y, z});
  }
}

WARPLOOM_HD bool is_padding(float x) { return x != x; }

}  // namespace warploom
