#pragma once
#include "gpu/pictures/plane.h"
#include "gpu/scenes/irregular/tree/radix.h"

// Kernels of the picture of launches.
namespace warploom {

/// What becomes of a slot: it is empty, or has a node that makes none, one or two of the next level.
struct TreeSlots {
  static constexpr std::uint8_t empty = 0, makes_none = 1;
  static WARPLOOM_HD std::uint8_t kind(const Division& division) {
    return static_cast<std::uint8_t>(makes_none + division.made());
  }
};

/// A slot an item.
struct KindsOfSlots {
  TreeKeys keys;
  std::uint32_t leaf;
  int level;
  const PlaceRange* nodes;
  std::uint8_t* kinds;
  WARPLOOM_HD void operator()(std::uint64_t i) const {
    kinds[i] = nodes[i].there() ? TreeSlots::kind(Division::of(keys, nodes[i], level, leaf)) : TreeSlots::empty;
  }
};

/// A thread an item, of trees that are made at once.
struct KindsOfThreads {
  TreeKeys keys;
  std::uint32_t leaf;
  std::uint8_t* kinds;
  WARPLOOM_HD void operator()(std::uint64_t i) const {
    std::uint32_t split = 0;
    const PlaceRange node = radix_node(keys, static_cast<std::uint32_t>(i), split);
    kinds[i] = node.count() > leaf ? TreeSlots::kind(Division::at(node, split, leaf)) : TreeSlots::empty;
  }
};

/// A row for each launch: its slots from the left, up to the end of its last block.
struct PaintTreeLaunch {
  const std::uint8_t* kinds;
  const std::uint64_t* begins;  ///< (rows + 1): of the slots of a row in `kinds`
  std::uint32_t rows;
  std::uint32_t block;  ///< threads

  WARPLOOM_HD static Rgba tone(const Palette& palette, std::uint8_t kind) {
    return mix(palette.ground, palette.track, kind == 3 ? 1 : kind == 2 ? .55f : .28f);
  }

  WARPLOOM_HD Rgba colour(const PlanePixel& pixel) const {
    const Palette& palette = pixel.palette;
    const double wide = pixel.camera.cells_per_pixel_x, high = pixel.camera.cells_per_pixel_y;
    if (pixel.x < 0 || pixel.y < 0 || pixel.y >= rows) return palette.ground;
    const auto row = static_cast<std::uint32_t>(pixel.y);
    const std::uint64_t slots = begins[row + 1] - begins[row], launched = (slots + block - 1) / block * block;
    if (pixel.x >= static_cast<double>(launched)) return palette.ground;
    // Rows are a pixel apart, and where there is room threads and, more so, warps.
    if (high < .25 && pixel.y - row < high) return palette.ground;
    const auto at = static_cast<std::uint64_t>(pixel.x);
    const double within = pixel.x - static_cast<double>(at);
    if (wide < .25 && within < wide * (at % warp_size == 0 && wide < .125 ? 2 : 1)) return palette.ground;
    if (wide >= .25 && wide < 4 && at % warp_size == 0 && within < wide)
      return mix(tone(palette, 1), palette.ground, .8f);
    // A pixel of several slots shows the mean of some, spread evenly.
    constexpr int most = 16;
    const double from = pixel.x - .5 * wide;
    const int looks = wide <= 1 ? 1 : wide < most ? static_cast<int>(ceil(wide)) : most;
    unsigned red = 0, green = 0, blue = 0;
    for (int k = 0; k < looks; ++k) {
      const double x = looks == 1 ? pixel.x : from + (k + .5) * wide / looks;
      const auto slot = x < 0 ? 0 : static_cast<std::uint64_t>(x);
      const std::uint8_t kind = slot < slots ? kinds[begins[row] + slot] : TreeSlots::empty;
      const Rgba own =
          kind == TreeSlots::empty ? (slot < launched ? pixel.hatched() : palette.ground) : tone(palette, kind);
      red += own & 255, green += own >> 8 & 255, blue += own >> 16 & 255;
    }
    const auto count = static_cast<unsigned>(looks);
    return rgba(red / count, green / count, blue / count);
  }
};

}  // namespace warploom
