#pragma once
#include <cstring>

#include "gpu/pictures/grid_picture.h"
#include "gpu/scenes/bins/kernels/audit.h"

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
  std::uint64_t points;
  std::uint32_t* most;  ///< ordered_bits; 0 before
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    each_item(group, points, [&](std::uint64_t i) {
      const float value = fabsf(shown_output(out, i, components));
      if (value - value == 0) rare_atomic_maximum(most, ordered_bits(value));
    });
  }
};

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
  Lattice lattice;
  int axis;
  std::uint32_t layer;
  OutputScale scale;
  float top;
  Camera camera;
  PixelTarget target;
  Palette palette;

  WARPLOOM_HD static Index3 extent(Index3 points, int axis) {
    if (axis == 0) return {points.y, points.z, 1};
    if (axis == 1) return {points.x, points.z, 1};
    return {points.x, points.y, 1};
  }
  WARPLOOM_HD static Index3 point(int axis, Index3 place, std::uint32_t layer) {
    if (axis == 0) return {layer, place.x, place.y};
    if (axis == 1) return {place.x, layer, place.y};
    return {place.x, place.y, layer};
  }

  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    PlaneTiles::each_pixel(group, target, [&](int x, int y) { return pixel(x, y); });
  }

 private:
  WARPLOOM_HD Rgba pixel(int px, int py) const {
    const Index3 all = extent(lattice.points, axis);
    const double x = camera.x + (px + .5 - .5 * target.width) * camera.cells_per_pixel_x,
                 y = camera.y + (py + .5 - .5 * target.height) * camera.cells_per_pixel_y;
    if (x < 0 || y < 0 || x >= all.x || y >= all.y) return palette.ground;
    const CellRange across(camera.x, camera.cells_per_pixel_x, px - .5 * target.width),
        down(camera.y, camera.cells_per_pixel_y, py - .5 * target.height);
    float most = 0;
    for (std::int64_t v = down.first < 0 ? 0 : down.first; v < down.last && v < all.y; ++v)
      for (std::int64_t u = across.first < 0 ? 0 : across.first; u < across.last && u < all.x; ++u) {
        const Index3 at = point(axis, {static_cast<std::uint32_t>(u), static_cast<std::uint32_t>(v), 0}, layer);
        const float value = shown_output(out, linear_index(at, lattice.points), components);
        if (fabsf(value) > fabsf(most)) most = value;
      }
    return palette.at(shade_output(scale, most, top));
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
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    each_item(group, volume(blocks), [&](std::uint64_t i) {
      std::uint32_t inside = 0;
      const Reach reach = tiles.reach(unfold(i, blocks), margin, &inside);
      loads[i] = inside * elements_read(slots, reach, access, cap);
    });
  }
};

struct BodyLoads {
  static constexpr std::uint64_t threads_per_chunk = 512;
  BinSlots slots;
  const float* bodies;
  std::uint64_t count;
  unsigned width, threads;
  float margin;
  int access;
  std::uint32_t cap;
  std::uint64_t* loads;
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    each_item(group, count, [&](std::uint64_t i) {
      Reach reach;
      for (int a = 0; a < 3; ++a) reach.low[a] = reach.high[a] = bodies[i * width + static_cast<std::uint64_t>(a)];
      reach.margin = margin;
      atomic_add(loads + i / threads, elements_read(slots, reach, access, cap));
    });
  }
};

/// Blocks in launch order, in rows of `wide`.
struct PaintLoads {
  const std::uint64_t* loads;
  std::uint64_t blocks;
  std::uint32_t wide;
  float top;
  bool by_order;
  Camera camera;
  PixelTarget target;
  Palette palette;

  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    PlaneTiles::each_pixel(group, target, [&](int x, int y) { return pixel(x, y); });
  }

 private:
  WARPLOOM_HD Rgba pixel(int px, int py) const {
    const double x = camera.x + (px + .5 - .5 * target.width) * camera.cells_per_pixel_x,
                 y = camera.y + (py + .5 - .5 * target.height) * camera.cells_per_pixel_y;
    if (x < 0 || y < 0 || x >= wide) return palette.ground;
    const CellRange across(camera.x, camera.cells_per_pixel_x, px - .5 * target.width),
        down(camera.y, camera.cells_per_pixel_y, py - .5 * target.height);
    std::uint64_t most = 0, last = 0;
    bool any = false;
    for (std::int64_t v = down.first < 0 ? 0 : down.first; v < down.last; ++v)
      for (std::int64_t u = across.first < 0 ? 0 : across.first; u < across.last && u < wide; ++u) {
        const std::uint64_t block = static_cast<std::uint64_t>(v) * wide + static_cast<std::uint64_t>(u);
        if (block >= blocks) continue;
        any = true;
        last = block;
        if (loads[block] > most) most = loads[block];
      }
    if (!any) return palette.ground;
    const float value = by_order ? static_cast<float>(static_cast<double>(last) / static_cast<double>(blocks))
                                 : (top > 0 ? static_cast<float>(most) / top : 0);
    const Rgba colour = most || by_order ? palette.at(value) : (px + py) % 6 < 2 ? palette.hatch : palette.waste;
    const double in_x = (x - floor(x)) / camera.cells_per_pixel_x, in_y = (y - floor(y)) / camera.cells_per_pixel_y;
    const bool gap = (in_x < 1 && camera.cells_per_pixel_x <= .2) || (in_y < 1 && camera.cells_per_pixel_y <= .2);
    return gap ? mix(colour, palette.ground, .7f) : colour;
  }
};

}  // namespace warploom
