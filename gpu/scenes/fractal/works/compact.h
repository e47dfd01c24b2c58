#pragma once
#include "gpu/maps/map.h"
#include "gpu/scenes/fractal/maps/domain.h"
#include "gpu/scenes/fractal/works/directions.h"
#include "gpu/scenes/fractal/works/row_digits.h"

namespace warploom {

/// The tiles of s_x^j by s_y^j cells that hold any, one after the other by their numbers, the top digits of their
/// cells: found by nu, the inverse of lambda [quezada2022squeeze]. A row takes whole words of eight bytes, from eight
/// cells on.
struct Compact {
  static constexpr MapInfo info{"compact", "compact", "tiles of rho x rho bytes that hold cells, by nu",
                                "quezada2022squeeze"};
  using Value = std::uint8_t;
  static constexpr bool tiled = true;  ///< in tiles of the block's side

  Value* data = nullptr;
  FractalDomain domain;
  int digits = 0;  ///< j
  std::uint32_t pitch = 1, tile_bytes = 1;

  static Compact of(const FractalDomain& domain, int block_digits, std::uint8_t* data) {
    Compact made;
    made.data = data;
    made.domain = domain;
    made.digits = row_digits(domain, block_digits);
    const std::uint32_t wide = domain.power_x[made.digits].divisor;
    made.pitch = wide < 8 ? wide : (wide + 7) / 8 * 8;
    made.tile_bytes = made.pitch * domain.power_y[made.digits].divisor;
    return made;
  }
  std::uint64_t tiles() const { return domain.boxes(digits); }
  /// Of one state; a double, because a refused size may pass 2^64.
  static double bytes(const FractalDomain& domain, int block_digits) {
    const Compact state = of(domain, block_digits, nullptr);
    return static_cast<double>(state.tiles()) * state.tile_bytes;
  }

  /// Of a member: its tile's number, then its place there.
  WARPLOOM_HD std::uint64_t address(Cell cell) const {
    const std::uint32_t x = domain.power_x[digits].split(cell.x), y = domain.power_y[digits].split(cell.y);
    return number(x, y) * tile_bytes + static_cast<std::uint64_t>(cell.y * pitch + cell.x);
  }
  WARPLOOM_HD std::uint8_t load(Cell cell) const { return data[address(cell)]; }
  WARPLOOM_HD void store(Cell cell, std::uint8_t value) const { data[address(cell)] = value; }
  /// Cells of a box of so many digits lie as they do in the domain, row by row.
  WARPLOOM_HD bool has_boxes_of(int box_digits) const { return box_digits <= digits; }

  /// Live cells among the eight around `cell`, those of other tiles by nu.
  WARPLOOM_HD unsigned alive_around(Cell cell) const {
    const std::uint32_t wide = domain.power_x[digits].divisor, high = domain.power_y[digits].divisor;
    Cell in = cell;
    const std::uint32_t x = domain.power_x[digits].split(in.x), y = domain.power_y[digits].split(in.y);
    if (in.x > 0 && in.y > 0 && in.x + 1 < wide && in.y + 1 < high) {
      const std::uint8_t* at = data + number(x, y) * tile_bytes + static_cast<std::uint64_t>(in.y * pitch + in.x);
      return at[-1] + at[1] + row(at - pitch) + row(at + pitch);
    }
    unsigned alive = 0;
    for (int d = 0; d < directions; ++d) {
      const Cell other{cell.x + static_cast<std::uint32_t>(step_x(d)), cell.y + static_cast<std::uint32_t>(step_y(d)),
                       0};
      if (domain.contains(other)) alive += load(other);
    }
    return alive;
  }

 private:
  /// nu of a tile that holds cells.
  WARPLOOM_HD std::uint64_t number(std::uint32_t x, std::uint32_t y) const {
    return domain.number(x, y, domain.level - digits);
  }
  WARPLOOM_HD static unsigned row(const std::uint8_t* at) { return unsigned{at[-1]} + at[0] + at[1]; }
};

}  // namespace warploom
