#pragma once
#include <cstdint>

#include "gpu/core/pixels.h"

namespace warploom {

/// How a map fails a cell. The worse, the greater.
enum class Wrong : std::uint8_t { none, doubled, missed };

/// How pictures and their legends show cells that are not served just once: red and hatched where no thread does, amber
/// and cross-hatched where several do.
struct WrongCells {
  static constexpr Rgba missed = rgba(229, 72, 77), doubled = rgba(230, 159, 0);
  static constexpr double least_side = 2;  ///< in pixels: a smaller cell alone could be all stroke

  WARPLOOM_HD static Rgba stroke(Rgba colour, Rgba ground) { return mix(colour, ground, .55f); }
  /// Whether a stroke lies on a pixel of the screen; `side`: of the cell, in pixels.
  WARPLOOM_HD static bool on_stroke(Wrong wrong, int x, int y, double side) {
    if (wrong == Wrong::none || side < least_side) return false;
    if (wrong == Wrong::missed) return (x + y) % 6 < 2;
    return (x + y) % 6 == 0 || (x - y) % 6 == 0;  // thinner: together they must leave more than they cover
  }
  /// Of a wrong cell on a plane.
  WARPLOOM_HD static Rgba colour(Wrong wrong, Rgba ground, int x, int y, double side) {
    const Rgba flat = wrong == Wrong::missed ? missed : doubled;
    return on_stroke(wrong, x, y, side) ? stroke(flat, ground) : flat;
  }
};

}  // namespace warploom
