#pragma once
#include "gpu/pictures/mouse_question.h"
#include "gpu/scenes/bins/kernels/stages.h"
#include "gpu/scenes/bins/pictures/plane.h"

// Kernels of the pictures of bins.
namespace warploom {

/// Of each place of a plane its elements, and the layer of its deepest bin.
struct ProjectBins {
  const std::uint32_t* counts;
  BoxPlane plane;
  bool deepest;           ///< the elements of the deepest bin; false: of all
  std::uint32_t* values;  ///< (places)
  std::uint32_t* layers;
  std::uint32_t* most;  ///< 0 before

  WARPLOOM_HD void operator()(std::uint64_t i) const {
    const Index3 extent = plane.extent();
    const Index3 place = unfold(i, extent);
    std::uint32_t sum = 0, top = 0, at = plane.first;
    for (std::uint32_t layer = plane.first; layer < plane.end; ++layer) {
      const std::uint32_t depth = counts[plane.number(place, layer)];
      sum += depth;
      if (depth > top) top = depth, at = layer;
    }
    values[i] = deepest ? top : sum;
    layers[i] = at;
    rare_atomic_maximum(most, values[i]);
  }
};

/// Where the dots of elements are on the screen, over a plane of bins.
struct DotPlaces {
  Elements elements;
  BinGrid grid;
  BoxPlane plane;  ///< of its bins
  Camera camera;
  int width, height;

  /// In pixels; false: it lies in no layer that is looked at.
  WARPLOOM_HD bool at(std::uint64_t i, double& x, double& y) const {
    const Float3 p = elements.place(i);
    if (!plane.has_layer(grid.index(plane.axis, p[plane.axis]))) return false;
    const auto along = [&](int axis) {
      return static_cast<double>((p[axis] - grid.origin[axis]) * grid.per_side[axis]);
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

  WARPLOOM_HD void operator()(std::uint64_t i) const {
    const int width = dots.width, height = dots.height;
    double x = 0, y = 0;
    if (!dots.at(i, x, y)) return;
    if (!(x >= 1 && y >= 1 && x < width - 1 && y < height - 1)) return;
    const auto px = static_cast<int>(x), py = static_cast<int>(y);
    for (int v = -1; v <= 1; ++v)
      for (int u = -1; u <= 1; ++u)
        atomic_fetch_add(weights + static_cast<std::int64_t>(py + v) * width + px + u, u == 0 && v == 0   ? 6u
                                                                                       : u == 0 || v == 0 ? 2u
                                                                                                          : 1u);
  }
};

/// The element whose dot is nearest to a pixel, of those a few pixels away.
struct FindElement {
  static constexpr std::uint64_t none = ~0ull;
  DotPlaces dots;
  double x, y;
  std::uint64_t* nearest;  ///< the distance, and below it the element; none before

  WARPLOOM_HD void operator()(std::uint64_t i) const {
    double at_x = 0, at_y = 0;
    if (!dots.at(i, at_x, at_y)) return;
    const double dx = at_x - x, dy = at_y - y, square = dx * dx + dy * dy;
    constexpr double most_pixels = 5;
    if (!(square < most_pixels * most_pixels)) return;
    atomic_minimum(nearest, static_cast<std::uint64_t>(square * 0x1p20) << 32 | i);
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
  WARPLOOM_HD void operator()(std::uint64_t i) const {
    if (ranks[i] == rank && grid.number(grid.bin_of(elements.place(i))) == bin) atomic_minimum(nearest, i);
  }
};

/// Launched with one thread, after either.
struct TellNearest {
  const std::uint64_t* nearest;
  std::uint64_t* to;
  WARPLOOM_HD void operator()(std::uint64_t) const {
    *to = *nearest == FindElement::none ? FindElement::none : *nearest & 0xffffffff;
  }
};

/// An element that kernels find for the mouse.
class FoundElement {
 public:
  /// `find(nearest)` launches what makes it less for who is found: his number, below 2^32, under how far he is.
  template <class Launch>
  std::optional<std::uint32_t> ask(Queue& queue, const PictureRequest& request, double x, double y,
                                   std::uint64_t serial, Launch&& find) {
    if (!nearest_.size()) nearest_ = Buffer<std::uint64_t>(queue.backend(), 1);
    const std::uint64_t found = question_.answer(queue, request, x, y, serial, [&](std::uint64_t* to) {
      fill_with_ones(queue, nearest_.data(), nearest_.bytes());  // none
      find(nearest_.data());
      launch_one("bins.nearest", queue, TellNearest{nearest_.data(), to});
    });
    return found == FindElement::none ? std::nullopt : std::optional(static_cast<std::uint32_t>(found));
  }

 private:
  Buffer<std::uint64_t> nearest_;
  MouseQuestion<std::uint64_t> question_;
};

/// What each place of a plane is coloured by its elements, on a logarithmic scale: there are fewer places than pixels.
struct ColourPlaces {
  const std::uint32_t* values;
  float top;    ///< the value of the palette's high end
  float share;  ///< of the heat that is shown: below 1 it is ground for dots
  Palette palette;
  Rgba* colours;  ///< (places)

  /// 0..1
  WARPLOOM_HD static float shade(float value, float top) {
    return top > 0 ? logf(1 + value) / logf(1 + (top > value ? top : value)) : 0;
  }
  WARPLOOM_HD void operator()(std::uint64_t i) const {
    const Rgba full = values[i] ? palette.at(.04f + .96f * shade(static_cast<float>(values[i]), top)) : palette.waste;
    colours[i] = mix(palette.ground, full, share);
  }
};

/// The plane for the screen: depths, and elements as dots.
struct PaintBins {
  BoxPlane plane;
  const std::uint32_t *values, *layers, *counts;
  const Rgba* colours;           ///< of places
  const std::uint32_t* weights;  ///< of dots, (height, width); null: none
  int width;                     ///< of the screen
  std::uint32_t cap;             ///< deeper bins are hatched
  float share;                   ///< that colours have of the heat

  /// The lines over a bin that is deeper than the cap.
  WARPLOOM_HD static Rgba hatched(Rgba colour, const Palette& palette) { return mix(colour, palette.ground, .55f); }

  WARPLOOM_HD static bool is_bright(Rgba colour) {
    return (colour & 255) * 3 + (colour >> 8 & 255) * 6 + (colour >> 16 & 255) > 1100;
  }
  /// The colour of a dot on a bin of this colour, in dark and in light palettes.
  WARPLOOM_HD static Rgba dot(Rgba heat, const Palette& palette) {
    return is_bright(heat) == is_bright(palette.ground) ? palette.at(1) : palette.ground;
  }
  WARPLOOM_HD Rgba colour(const PlanePixel& pixel) const {
    const Rgba heat = heat_at(pixel);
    if (!weights) return heat;
    const std::uint32_t weight = weights[static_cast<std::int64_t>(pixel.py) * width + pixel.px];
    if (!weight) return heat;
    const float light = 1 - expf(-.22f * static_cast<float>(weight));
    // On a quiet ground by how many there are; on bins in the colour that stands off.
    if (share < 1) return mix(heat, pixel.palette.at(.45f + .55f * light), light);
    return mix(heat, dot(heat, pixel.palette), light);
  }

 private:
  WARPLOOM_HD Rgba heat_at(const PlanePixel& pixel) const {
    const Index3 extent = plane.extent();
    if (!pixel.inside(extent.x, extent.y)) return pixel.palette.ground;
    const Index3 own{static_cast<std::uint32_t>(pixel.x), static_cast<std::uint32_t>(pixel.y), 0};
    std::uint64_t deepest = linear_index(own, extent);
    bool capped = is_capped(own, deepest);
    if (pixel.camera.cells_per_pixel_x > 1 || pixel.camera.cells_per_pixel_y > 1)
      // Several places a pixel: the deepest of them.
      pixel.each_place(extent, [&](Index3 place) {
        const std::uint64_t i = linear_index(place, extent);
        if (values[i] > values[deepest]) deepest = i;
        capped = capped || is_capped(place, i);
      });
    Rgba colour = colours[deepest];
    if (capped && pixel.on_hatch()) colour = hatched(colour, pixel.palette);
    return pixel.gapped(colour, .125);
  }
  WARPLOOM_HD bool is_capped(Index3 place, std::uint64_t i) const {
    return cap != ~0u && counts && counts[plane.number(place, layers[i])] > cap;
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

  /// The colour of index arrays.
  WARPLOOM_HD static Rgba table(const Palette& palette) { return mix(palette.ground, palette.at(.75f), .8f); }

  static constexpr int most_looks = 4;
  WARPLOOM_HD static int looks(double slots_per_pixel) {
    return slots_per_pixel <= 1           ? 1
           : slots_per_pixel < most_looks ? static_cast<int>(ceil(slots_per_pixel))
                                          : most_looks;
  }

  /// The bin that a slot belongs to.
  WARPLOOM_HD static std::uint64_t bin_of(const BinSlots& slots, bool regular, std::uint64_t slot) {
    // Short numbers divide three times as fast, and a pixel asks sixteen times.
    if (regular) return slot >> 32 ? slot / slots.capacity : static_cast<std::uint32_t>(slot) / slots.capacity;
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
    return low;
  }

  WARPLOOM_HD Rgba colour(const PlanePixel& pixel) const {
    const Palette& palette = pixel.palette;
    const double wide = pixel.camera.cells_per_pixel_x, high = pixel.camera.cells_per_pixel_y,
                 rows = static_cast<double>(plane.rows());
    if (!pixel.inside(plane.wide, static_cast<double>(plane.high()))) return palette.ground;
    if (pixel.y >= rows) {
      const double place = (floor(pixel.y) - rows - 1) * plane.wide + pixel.x;
      return place >= 0 && place < static_cast<double>(plane.index) ? table(palette) : palette.ground;
    }
    // So many of the slots that lie in the pixel are looked at, evenly.
    const int across = looks(wide), down = looks(high);
    int seen = 0, full = 0, odd = 0;
    BinLooked looked;
    for (int v = 0; v < down; ++v)
      for (int u = 0; u < across; ++u) {
        const double at_x = pixel.x + ((u + .5) / across - .5) * wide, at_y = pixel.y + ((v + .5) / down - .5) * high;
        if (at_x < 0 || at_y < 0 || at_x >= plane.wide || at_y >= rows) continue;
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
    return pixel.gapped(full == seen ? element
                        : full == 0  ? pixel.hatched()
                                     : mix(pixel.hatched(), element, share),
                        .2);
  }

 private:
  /// The bin that was looked at last: its slots are `first` to `end`, elements those before `full`.
  struct BinLooked {
    std::uint64_t bin = 0, first = 1, end = 0, full = 0;
  };
  /// Whether an element stands in a slot. Neighbours are mostly of one bin, which is sought once.
  WARPLOOM_HD bool look(BinLooked& looked, std::uint64_t slot) const {
    if (slot < looked.first || slot >= looked.end) {
      const std::uint64_t bin = bin_of(slots, regular, slot);
      looked.bin = bin;
      looked.first = regular ? bin * slots.capacity : slots.offsets[bin];
      looked.end = regular ? looked.first + slots.capacity : slots.offsets[bin + 1];
      const std::uint32_t count = slots.counts[bin];
      looked.full = looked.first + (regular || count < cap ? count : cap);
    }
    return slot < looked.full;
  }
};

}  // namespace warploom
