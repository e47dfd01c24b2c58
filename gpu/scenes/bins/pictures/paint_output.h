#pragma once
#include <bit>
#include <cstring>

#include "gpu/scenes/bins/kernels/audit.h"
#include "gpu/scenes/bins/pictures/plane.h"

// Kernels of the pictures of outputs, and of what blocks have to do.
namespace warploom {

/// An output as one number: its value, or of a complex one its magnitude.
WARPLOOM_HD float shown_output(const float* out, std::uint64_t point, unsigned components) {
  if (components == 1) return out[point];
  float square = 0;
  for (unsigned c = 0; c < components; ++c) square += out[point * components + c] * out[point * components + c];
  return sqrtf(square);
}

/// Bits of a number that is not negative: ordered as numbers are.
WARPLOOM_HD std::uint32_t ordered_bits(float value) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

/// The largest magnitude of all outputs.
struct LargestOutput {
  const float* out;
  unsigned components;
  std::uint32_t* most;  ///< ordered_bits; 0 before
  WARPLOOM_HD void operator()(std::uint64_t i) const {
    const float value = fabsf(shown_output(out, i, components));
    if (value - value == 0) rare_atomic_maximum(most, ordered_bits(value));
  }
};

/// Asks the device for it, in `most`.
inline float largest_output(Queue& queue, Buffer<std::uint32_t>& most, const float* out, unsigned components,
                            std::uint64_t points) {
  make_room(most, queue, 1);
  most.zero(queue);
  launch_items("bins.range", queue, points, LargestOutput{out, components, most.data()});
  return std::bit_cast<float>(most.download(queue)[0]);
}

/// How outputs become colours.
enum class OutputScale {
  positive,   ///< by the root: from 0
  two_sided,  ///< by the root, 0 in the middle
  wide        ///< logarithmic over three decades
};

WARPLOOM_HD float shade_output(OutputScale scale, float value, float top) {
  if (!(top > 0)) return scale == OutputScale::two_sided ? .5f : 0;
  const float share = fabsf(value) / top, root = sqrtf(share < 1 ? share : 1);
  if (scale == OutputScale::positive) return root;
  if (scale == OutputScale::wide) return logf(1 + 1000 * (share < 1 ? share : 1)) / logf(1001);
  return value < 0 ? .5f - .5f * root : .5f + .5f * root;
}

/// A layer of the lattice of outputs for the screen.
struct PaintOutput {
  const float* out;
  unsigned components;
  BoxPlane plane;
  OutputScale scale;
  float top;

  WARPLOOM_HD Rgba colour(const PlanePixel& pixel) const {
    const Index3 extent = plane.extent();
    if (!pixel.inside(extent.x, extent.y)) return pixel.palette.ground;
    float most = 0;
    pixel.each_place(extent, [&](Index3 place) {
      const float value = shown_output(out, plane.number(place, plane.first), components);
      if (fabsf(value) > fabsf(most)) most = value;
    });
    return pixel.palette.at(shade_output(scale, most, top));
  }
};

/// Elements that the bins of a row of bins hold for those who read them.
WARPLOOM_HD std::uint64_t elements_of(const BinSlots& slots, const BinRow& row, std::uint32_t cap) {
  std::uint64_t sum = 0;
  for (std::uint64_t bin = row.first; bin <= row.last; ++bin) sum += slots.counts[bin] < cap ? slots.counts[bin] : cap;
  return sum;
}

/// Elements that are read for outputs of this reach: `access` by its number in BinAccesses.
WARPLOOM_HD std::uint64_t elements_read(const BinSlots& slots, const Reach& reach, int access, std::uint32_t cap) {
  std::uint64_t sum = 0;
  with_access(access, BinAccesses{}, [&]<class Access>() {
    if (Access::info.structure == BinStructure::none)
      sum = slots.elements;
    else
      each_row_of<Access>(slots.grid, reach, [&](const BinRow& row) { sum += elements_of(slots, row, cap); });
  });
  return sum;
}

/// Pairs that each block of outputs tests.
struct LatticeLoads {
  static constexpr std::uint64_t threads_per_chunk = 512;
  BinSlots slots;
  OutputTiles tiles;
  Index3 blocks;
  float margin;
  int access;
  std::uint32_t cap;
  std::uint64_t* loads;  ///< (blocks), in launch order, 0 before
  WARPLOOM_HD void operator()(std::uint64_t i) const {
    std::uint32_t inside = 0;
    const Reach reach = tiles.reach(unfold(i, blocks), margin, &inside);
    loads[i] = inside * elements_read(slots, reach, access, cap);
  }
};

struct BodyLoads {
  static constexpr std::uint64_t threads_per_chunk = 512;
  BinSlots slots;
  const float* bodies;
  unsigned width, threads;
  float margin;
  int access;
  std::uint32_t cap;
  std::uint64_t* loads;
  WARPLOOM_HD void operator()(std::uint64_t i) const {
    const Reach reach = reach_at(bodies + i * width, margin);
    atomic_add(loads + i / threads, elements_read(slots, reach, access, cap));
  }
};

/// Blocks in launch order, in rows of a plane.
struct PaintLoads {
  const std::uint64_t* loads;
  std::uint64_t blocks;
  Index3 extent;
  float top;
  bool by_order;

  WARPLOOM_HD Rgba colour(const PlanePixel& pixel) const {
    if (pixel.x < 0 || pixel.y < 0 || pixel.x >= extent.x) return pixel.palette.ground;
    std::uint64_t most = 0, last = 0;
    bool any = false;
    pixel.each_place(extent, [&](Index3 place) {
      const std::uint64_t block = linear_index(place, extent);
      if (block >= blocks) return;
      any = true;
      last = block;
      if (loads[block] > most) most = loads[block];
    });
    if (!any) return pixel.palette.ground;
    const float value = by_order ? static_cast<float>(static_cast<double>(last) / static_cast<double>(blocks))
                                 : (top > 0 ? static_cast<float>(most) / top : 0);
    return pixel.gapped(most || by_order ? pixel.palette.at(value) : pixel.hatched(), .2);
  }
};

}  // namespace warploom
