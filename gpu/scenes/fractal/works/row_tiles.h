#pragma once
#include "gpu/scenes/fractal/maps/domain.h"
#include "gpu/scenes/fractal/works/row_cells.h"
#include "gpu/scenes/fractal/works/row_digits.h"
#include "gpu/scenes/fractal/works/sliced_shape.h"

// Tiles of bytes that kernels go through row by row, a thread per row. `Tiles` says of a state of bytes where a tile
// and those beside it lie:
//   FractalDomain domain; int digits            a tile is s_x^digits by s_y^digits cells
//   std::uint32_t pitch                          bytes from row to row
//   Divider by_wide, by_high                     by its sides
//   std::uint64_t base(tile)                     its first byte
//   std::uint64_t beside(tile, direction)        the first byte of the tile beside it; `nowhere`: there is none
//   Index2 origin(tile)                          its first cell
//   told_by_warp                                 whether beside() is so long that the threads of a tile share it; then
//   bool tells                                   ... and whether they can: tiles have numbers of 32 bits
//   std::uint32_t told(tile, direction)          the number of the tile beside it; told_nowhere
//   std::uint64_t base_told(number)              the first byte of that, or `nowhere`
namespace warploom {

/// Of the whole box, row by row: a tile is told by its place.
struct EmbeddedTiles {
  static constexpr std::uint64_t nowhere = ~std::uint64_t{0};
  static constexpr bool told_by_warp = false;
  FractalDomain domain;
  int digits = 0;
  std::uint32_t pitch = 1;
  Divider by_wide, by_high;

  EmbeddedTiles() = default;
  EmbeddedTiles(const FractalDomain& fractal, int tile_digits)
      : domain(fractal),
        digits(tile_digits),
        pitch(fractal.extent.x),
        by_wide(fractal.power_x[tile_digits]),
        by_high(fractal.power_y[tile_digits]) {}
  using Tile = Index2;  ///< its first cell
  WARPLOOM_HD std::uint32_t wide() const { return by_wide.divisor; }
  WARPLOOM_HD std::uint32_t high() const { return by_high.divisor; }
  WARPLOOM_HD std::uint64_t base(Index2 tile) const { return std::uint64_t{tile.y} * pitch + tile.x; }
  WARPLOOM_HD std::uint64_t beside(Index2 tile, int direction) const {
    const int x = step_x(direction), y = step_y(direction);
    if ((x < 0 && tile.x == 0) || (y < 0 && tile.y == 0) || (x > 0 && tile.x + wide() >= domain.extent.x) ||
        (y > 0 && tile.y + high() >= domain.extent.y))
      return nowhere;
    return base({tile.x + static_cast<std::uint32_t>(x) * wide(), tile.y + static_cast<std::uint32_t>(y) * high()});
  }
  WARPLOOM_HD Index2 origin(Index2 tile) const { return tile; }
};

/// Of a compact state: a tile is told by its number, the top digits of its cells.
struct CompactTiles {
  static constexpr std::uint64_t nowhere = ~std::uint64_t{0};
  static constexpr bool told_by_warp = true;
  static constexpr std::uint32_t told_nowhere = ~0u;
  FractalDomain domain;
  int digits = 0;
  std::uint32_t pitch = 1;
  std::uint32_t tile_bytes = 1;
  Divider by_wide, by_high;
  SlicedSteps steps;  ///< of digits alone
  bool tells = false;

  CompactTiles() = default;
  CompactTiles(const FractalDomain& fractal, int tile_digits, std::uint32_t row_bytes)
      : domain(fractal),
        digits(tile_digits),
        pitch(row_bytes),
        tile_bytes(row_bytes * fractal.power_y[tile_digits].divisor),
        by_wide(fractal.power_x[tile_digits]),
        by_high(fractal.power_y[tile_digits]) {}

  using Tile = std::uint64_t;
  WARPLOOM_HD static Tile numbered(std::uint64_t number) { return number; }
  WARPLOOM_HD std::uint32_t wide() const { return by_wide.divisor; }
  WARPLOOM_HD std::uint32_t high() const { return by_high.divisor; }
  WARPLOOM_HD std::uint64_t base(std::uint64_t tile) const { return tile * tile_bytes; }
  WARPLOOM_HD std::uint64_t beside(std::uint64_t tile, int direction) const {
    const auto found = steps.neighbour(tile, domain.level - digits, direction);
    return found.there && found.crossing < 0 ? base(found.number) : nowhere;
  }
  WARPLOOM_HD std::uint32_t told(std::uint64_t tile, int direction) const {
    const auto found = steps.neighbour(static_cast<std::uint32_t>(tile), domain.level - digits, direction);
    return found.there && found.crossing < 0 ? static_cast<std::uint32_t>(found.number) : told_nowhere;
  }
  WARPLOOM_HD std::uint64_t base_told(std::uint32_t tile) const {
    return tile == told_nowhere ? nowhere : std::uint64_t{tile} * tile_bytes;
  }
  WARPLOOM_HD Index2 origin(std::uint64_t tile) const {
    return domain.member_digits(tile, digits, domain.level - digits);
  }
};

}  // namespace warploom
