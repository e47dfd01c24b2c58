#pragma once
#include "gpu/core/buffer.h"
#include "gpu/pictures/grid_picture.h"
#include "gpu/scenes/bins/kernels/audit.h"

// Kernels of the pictures of bins.
namespace warploom {

/// A plane of bins: those that lie behind each other along an axis, all of them or one layer.
struct BinPlane {
  BinGrid grid;
  int axis = 2;
  std::uint32_t first = 0, end = 1;  ///< layers along it

  /// The axes that run to the right and down.
  WARPLOOM_HD int right() const { return axis == 0 ? 1 : 0; }
  WARPLOOM_HD int down() const { return axis == 2 ? 1 : 2; }
  WARPLOOM_HD Index3 extent() const { return {grid.extent(right()), grid.extent(down()), 1}; }
  WARPLOOM_HD Index3 bin(Index3 place, std::uint32_t layer) const {
    if (axis == 0) return {layer, place.x, place.y};
    if (axis == 1) return {place.x, layer, place.y};
    return {place.x, place.y, layer};
  }
  WARPLOOM_HD Index3 place(Index3 bin) const {
    if (axis == 0) return {bin.y, bin.z, 0};
    if (axis == 1) return {bin.x, bin.z, 0};
    return {bin.x, bin.y, 0};
  }
  WARPLOOM_HD std::uint32_t layer(Index3 bin) const { return axis == 0 ? bin.x : axis == 1 ? bin.y : bin.z; }
};

/// As a view looks at them: all bins behind each other, or the layer at this share of an axis.
BinPlane plane_of_bins(const BinGrid& grid, int slice_axis, double slice);

/// Grows to what is needed; what was there is lost.
template <class Value>
void make_room(Buffer<Value>& buffer, Queue& queue, std::uint64_t count) {
  if (buffer.size() < count) buffer = {}, buffer = Buffer<Value>(queue.backend(), count);
}

/// Of each place of a plane its elements, and the layer of its deepest bin.
struct ProjectBins {
  const std::uint32_t* counts;
  BinPlane plane;
  bool deepest;           ///< the elements of the deepest bin; false: of all
  std::uint32_t* values;  ///< (places)
  std::uint32_t* layers;
  std::uint32_t* most;  ///< 0 before

  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    const Index3 extent = plane.extent();
    each_item(group, volume(extent), [&](std::uint64_t i) {
      const Index3 place = unfold(i, extent);
      std::uint32_t sum = 0, top = 0, at = plane.first;
      for (std::uint32_t layer = plane.first; layer < plane.end; ++layer) {
        const std::uint32_t depth = counts[plane.grid.number(plane.bin(place, layer))];
        sum += depth;
        if (depth > top) top = depth, at = layer;
      }
      values[i] = deepest ? top : sum;
      layers[i] = at;
      rare_atomic_maximum(most, values[i]);
    });
  }
};

/// Where the dots of elements are on the screen, over a plane of bins.
struct DotPlaces {
  Elements elements;
  BinPlane plane;
  Camera camera;
  int width, height;

  /// In pixels; false: it lies in no layer that is looked at.
  WARPLOOM_HD bool at(std::uint64_t i, double& x, double& y) const {
    const Float3 p = elements.place(i);
    const std::uint32_t layer = plane.grid.index(plane.axis, p[plane.axis]);
    if (layer < plane.first || layer >= plane.end) return false;
    const auto along = [&](int axis) {
      return static_cast<double>((p[axis] - plane.grid.origin[axis]) * plane.grid.per_side[axis]);
    };
    x = (along(plane.right()) - camera.x) / camera.cells_per_pixel_x + .5 * width;
    y = (along(plane.down()) - camera.y) / camera.cells_per_pixel_y + .5 * height;
    return true;
  }
};

/// Elements as dots: each adds to the pixel it lies in, and less to those around.
struct SplatElements {
  DotPlaces dots;
  std::uint32_t* weights;  ///< (height, width), 0 before

  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    const int width = dots.width, height = dots.height;
    each_item(group, dots.elements.count, [&](std::uint64_t i) {
      double x = 0, y = 0;
      if (!dots.at(i, x, y)) return;
      if (!(x >= 1 && y >= 1 && x < width - 1 && y < height - 1)) return;
      const auto px = static_cast<int>(x), py = static_cast<int>(y);
      for (int v = -1; v <= 1; ++v)
        for (int u = -1; u <= 1; ++u)
          atomic_fetch_add(weights + static_cast<std::int64_t>(py + v) * width + px + u, u == 0 && v == 0   ? 6u
                                                                                         : u == 0 || v == 0 ? 2u
                                                                                                            : 1u);
    });
  }
};

/// The element whose dot is nearest to a pixel, of those a few pixels away.
struct FindElement {
  static constexpr std::uint64_t none = ~0ull;
  DotPlaces dots;
  double x, y;
  std::uint64_t* nearest;  ///< the distance, and below it the element; none before

  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    each_item(group, dots.elements.count, [&](std::uint64_t i) {
      double at_x = 0, at_y = 0;
      if (!dots.at(i, at_x, at_y)) return;
      const double dx = at_x - x, dy = at_y - y, square = dx * dx + dy * dy;
      constexpr double most_pixels = 5;
      if (!(square < most_pixels * most_pixels)) return;
      atomic_minimum(nearest, static_cast<std::uint64_t>(square * 0x1p20) << 32 | i);
    });
  }
};

/// The element of a rank in a bin.
struct FindInSlot {
  Elements elements;
  BinGrid grid;
  std::uint64_t bin;
  std::uint32_t rank;
  const std::uint32_t* ranks;
  std::uint64_t* nearest;  ///< FindElement::none before
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    each_item(group, elements.count, [&](std::uint64_t i) {
      if (ranks[i] == rank && grid.number(grid.bin_of(elements.place(i))) == bin) atomic_minimum(nearest, i);
    });
  }
};

/// Launched with one thread, after either.
struct TellNearest {
  const std::uint64_t* nearest;
  std::uint64_t* to;
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    group.each([&](const Thread&) { *to = *nearest == FindElement::none ? FindElement::none : *nearest & 0xffffffff; });
  }
};

/// What each place of a plane is coloured by its elements, on a logarithmic scale: there are fewer places than pixels.
struct ColourPlaces {
  const std::uint32_t* values;
  std::uint64_t places;
  float top;    ///< the value of the palette's high end
  float share;  ///< of the heat that is shown: below 1 it is ground for dots
  Palette palette;
  Rgba* colours;  ///< (places)

  /// 0..1
  WARPLOOM_HD static float shade(float value, float top) {
    return top > 0 ? logf(1 + value) / logf(1 + (top > value ? top : value)) : 0;
  }
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    each_item(group, places, [&](std::uint64_t i) {
      const Rgba full = values[i] ? palette.at(.04f + .96f * shade(static_cast<float>(values[i]), top)) : palette.waste;
      colours[i] = mix(palette.ground, full, share);
    });
  }
};

/// The plane for the screen: depths, and elements as dots.
struct PaintBins {
  BinPlane plane;
  const std::uint32_t *values, *layers, *counts;
  const Rgba* colours;           ///< of places
  const std::uint32_t* weights;  ///< of dots; null: none
  std::uint32_t cap;             ///< deeper bins are hatched
  float share;                   ///< that colours have of the heat
  Camera camera;
  PixelTarget target;
  Palette palette;

  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    PlaneTiles::each_pixel(group, target, [&](int x, int y) { return pixel(x, y); });
  }

  WARPLOOM_HD static bool is_bright(Rgba colour) {
    return (colour & 255) * 3 + (colour >> 8 & 255) * 6 + (colour >> 16 & 255) > 1100;
  }

 private:
  WARPLOOM_HD Rgba pixel(int px, int py) const {
    const Rgba heat = heat_at(px, py);
    if (!weights) return heat;
    const std::uint32_t weight = weights[static_cast<std::int64_t>(py) * target.width + px];
    if (!weight) return heat;
    const float light = 1 - expf(-.22f * static_cast<float>(weight));
    // On a quiet ground by how many there are; on bins in the colour that stands off.
    if (share < 1) return mix(heat, palette.at(.45f + .55f * light), light);
    return mix(heat, is_bright(heat) ? palette.ground : palette.at(1), light);
  }
  WARPLOOM_HD Rgba heat_at(int px, int py) const {
    const Index3 extent = plane.extent();
    const double x = camera.x + (px + .5 - .5 * target.width) * camera.cells_per_pixel_x,
                 y = camera.y + (py + .5 - .5 * target.height) * camera.cells_per_pixel_y;
    if (x < 0 || y < 0 || x >= extent.x || y >= extent.y) return palette.ground;
    const Index3 own{static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y), 0};
    std::uint64_t deepest = linear_index(own, extent);
    bool capped = is_capped(extent, deepest);
    if (camera.cells_per_pixel_x > 1 || camera.cells_per_pixel_y > 1) {
      // Several places a pixel: the deepest of them.
      const CellRange across(camera.x, camera.cells_per_pixel_x, px - .5 * target.width),
          down(camera.y, camera.cells_per_pixel_y, py - .5 * target.height);
      for (std::int64_t v = down.first < 0 ? 0 : down.first; v < down.last && v < extent.y; ++v)
        for (std::int64_t u = across.first < 0 ? 0 : across.first; u < across.last && u < extent.x; ++u) {
          const Index3 place{static_cast<std::uint32_t>(u), static_cast<std::uint32_t>(v), 0};
          const std::uint64_t i = linear_index(place, extent);
          if (values[i] > values[deepest]) deepest = i;
          capped = capped || is_capped(extent, i);
        }
    }
    Rgba colour = colours[deepest];
    if (capped && (px + py) % 6 < 2) colour = mix(colour, palette.ground, .55f);
    // A gap between bins, from 8 pixels on.
    const bool gap = (camera.cells_per_pixel_x <= .125 && x - own.x < camera.cells_per_pixel_x) ||
                     (camera.cells_per_pixel_y <= .125 && y - own.y < camera.cells_per_pixel_y);
    return gap ? mix(colour, palette.ground, .7f) : colour;
  }
  WARPLOOM_HD bool is_capped(Index3 extent, std::uint64_t i) const {
    return cap != ~0u && counts && counts[plane.grid.number(plane.bin(unfold(i, extent), layers[i]))] > cap;
  }
};

/// Where slots lie in the picture of memory: rows of them, and below the index arrays to scale, as slots of elements.
struct MemoryPlane {
  std::uint64_t slots = 0, index = 0;  ///< index: the bytes of index arrays, in slots
  std::uint32_t wide = 1;              ///< slots per row

  WARPLOOM_HD std::uint64_t rows() const { return (slots + wide - 1) / wide; }
  WARPLOOM_HD std::uint64_t index_rows() const { return (index + wide - 1) / wide; }
  /// A row is left free between.
  WARPLOOM_HD std::uint64_t high() const { return rows() + (index ? 1 + index_rows() : 0); }
};

/// Slots in address order: real ones in the track's colour, bin after bin in two tones, padding hatched.
struct PaintMemory {
  MemoryPlane plane;
  BinSlots slots;
  bool regular;
  std::uint32_t cap;
  Camera camera;
  PixelTarget target;
  Palette palette;

  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    PlaneTiles::each_pixel(group, target, [&](int x, int y) { return pixel(x, y); });
  }

  static constexpr int most_looks = 4;
  WARPLOOM_HD static int looks(double slots_per_pixel) {
    return slots_per_pixel <= 1           ? 1
           : slots_per_pixel < most_looks ? static_cast<int>(ceil(slots_per_pixel))
                                          : most_looks;
  }

  /// The bin of a slot, and whether an element stands there.
  WARPLOOM_HD static std::uint64_t bin_of(const BinSlots& slots, bool regular, std::uint32_t cap, std::uint64_t slot,
                                          bool& real) {
    if (regular) {
      // Short numbers divide three times as fast, and a pixel asks sixteen times.
      const std::uint64_t bin = slot >> 32 ? slot / slots.capacity : static_cast<std::uint32_t>(slot) / slots.capacity;
      real = slot - bin * slots.capacity < slots.counts[bin];
      return bin;
    }
    // The last bin that begins at or before it.
    std::uint64_t low = 0,
                  high = slots.grid.number({slots.grid.bins.x - 1, slots.grid.bins.y - 1, slots.grid.bins.z - 1});
    while (low < high) {
      const std::uint64_t middle = (low + high + 1) / 2;
      if (slots.offsets[middle] <= slot)
        low = middle;
      else
        high = middle - 1;
    }
    const std::uint32_t count = slots.counts[low] < cap ? slots.counts[low] : cap;
    real = slot - slots.offsets[low] < count;
    return low;
  }

 private:
  /// The bin that was looked at last: its slots are `first` to `end`, elements those before `full`.
  struct BinLooked {
    std::uint64_t bin = 0, first = 1, end = 0, full = 0;
  };
  /// Whether an element stands in a slot. Neighbours are mostly of one bin, which is sought once.
  WARPLOOM_HD bool look(BinLooked& looked, std::uint64_t slot) const {
    if (slot < looked.first || slot >= looked.end) {
      bool real = false;
      const std::uint64_t bin = bin_of(slots, regular, cap, slot, real);
      looked.bin = bin;
      looked.first = regular ? bin * slots.capacity : slots.offsets[bin];
      looked.end = regular ? looked.first + slots.capacity : slots.offsets[bin + 1];
      const std::uint32_t count = slots.counts[bin];
      looked.full = looked.first + (regular || count < cap ? count : cap);
    }
    return slot < looked.full;
  }

  WARPLOOM_HD Rgba pixel(int px, int py) const {
    const double x = camera.x + (px + .5 - .5 * target.width) * camera.cells_per_pixel_x,
                 y = camera.y + (py + .5 - .5 * target.height) * camera.cells_per_pixel_y;
    if (x < 0 || y < 0 || x >= plane.wide || y >= static_cast<double>(plane.high())) return palette.ground;
    const Rgba hatched = (px + py) % 6 < 2 ? palette.hatch : palette.waste;
    const std::uint64_t rows = plane.rows();
    if (y >= static_cast<double>(rows)) {
      const double place = (floor(y) - static_cast<double>(rows) - 1) * plane.wide + x;
      return place >= 0 && place < static_cast<double>(plane.index) ? mix(palette.ground, palette.at(.75f), .8f)
                                                                    : palette.ground;
    }
    // So many of the slots that lie in the pixel are looked at, evenly.
    const int across = looks(camera.cells_per_pixel_x), down = looks(camera.cells_per_pixel_y);
    int seen = 0, full = 0, odd = 0;
    BinLooked looked;
    for (int v = 0; v < down; ++v)
      for (int u = 0; u < across; ++u) {
        const double at_x = x + ((u + .5) / across - .5) * camera.cells_per_pixel_x,
                     at_y = y + ((v + .5) / down - .5) * camera.cells_per_pixel_y;
        if (at_x < 0 || at_y < 0 || at_x >= plane.wide || at_y >= static_cast<double>(rows)) continue;
        const std::uint64_t slot = static_cast<std::uint64_t>(at_y) * plane.wide + static_cast<std::uint64_t>(at_x);
        if (slot >= plane.slots) continue;
        const bool real = look(looked, slot);
        ++seen;
        full += real;
        odd += real && looked.bin % 2;
      }
    if (!seen) return palette.ground;
    const float share = static_cast<float>(full) / static_cast<float>(seen);
    const float second = full ? static_cast<float>(odd) / static_cast<float>(full) : 0;
    const Rgba element = mix(palette.track, palette.ground, .38f * second);
    Rgba colour = full == seen ? element : full == 0 ? hatched : mix(hatched, element, share);
    const double in_x = x - static_cast<double>(static_cast<std::uint64_t>(x)),
                 in_y = y - static_cast<double>(static_cast<std::uint64_t>(y));
    if ((camera.cells_per_pixel_x <= .2 && in_x < camera.cells_per_pixel_x) ||
        (camera.cells_per_pixel_y <= .2 && in_y < camera.cells_per_pixel_y))
      colour = mix(colour, palette.ground, .7f);
    return colour;
  }
};

}  // namespace warploom
