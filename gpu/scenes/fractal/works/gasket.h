#pragma once
#include <utility>

#include "gpu/core/number.h"
#include "gpu/scenes/fractal/works/block_geometry.h"

// The Sierpinski gasket in closed form: what is next to what in a state sliced by its top digits. Source: the house's
// design. A tile is a register block, 27 words, an 8 x 8 box; a word is 8 chunks, one sector of 32 bytes.
//
// Corner q of tile T (0: the apex, 1: bottom left, 2: bottom right) meets one other tile. With p the lowest digit of T
// that is not q, d that digit, P = 3^p and h = (P + 1) / 2:
//
//   q  d   other tile     its words -> places beside T
//   0  1   T - h          13, 14 -> (0, -1), (1, -1)
//   0  2   T - P - 1      26 -> (-1, -1)
//   1  0   T + h          0 -> (0, 8)
//   1  2   T - h          26 -> (-1, 7)
//   2  0   T + P + 1      0 -> (8, 8)
//   2  1   T + h          13, 12 -> (8, 7), (8, 6)
//
// No such digit: the same table on the number of the lane gives the lane that its bits come from, of the tile whose
// digits are all d.
namespace warploom {

using GasketMask = MaskBits<2, 2, 0b11'01>;
using GasketGeometry = BlockGeometry<GasketMask>;

namespace gasket_tiles {

inline constexpr std::uint32_t words = 27, chunks = 8, lanes = 243;
inline constexpr int lane_digits = 5, block_digits = 3;
/// The words that any corner is asked for.
inline constexpr std::uint32_t corner_words = 5;
WARPLOOM_HD constexpr std::uint32_t corner_word(std::uint32_t i) {
  return i == 0 ? 0 : i == 1 ? 12 : i == 2 ? 13 : i == 3 ? 14 : 26;
}
/// Its place among those.
WARPLOOM_HD constexpr std::uint32_t place_of(std::uint32_t word) {
  return word == 0 ? 0 : word == 12 ? 1 : word == 13 ? 2 : word == 14 ? 3 : 4;
}

/// Where a chunk lies in a state.
WARPLOOM_HD constexpr std::uint64_t at(std::uint32_t tile, std::uint32_t word, std::uint32_t chunk) {
  return (std::uint64_t{tile} * words + word) * chunks + chunk;
}

/// The tile, or lane, that a corner meets.
struct Meeting {
  bool there = false;
  std::uint32_t digit = 0;  ///< d
  std::uint32_t other = 0;
};
WARPLOOM_HD constexpr Meeting meeting(std::uint32_t number, std::uint32_t corner, int digits) {
  std::uint32_t rest = number, power = 1;
  for (int i = 0; i < digits; ++i) {
    const std::uint32_t above = rest / 3, digit = rest - above * 3;
    if (digit != corner) {
      const std::uint32_t half = (power + 1) / 2;
      const std::uint32_t far = corner + digit == 2 ? power + 1 : half;  // from 0 to 2, and back
      return {true, digit, corner < digit ? number - far : number + far};
    }
    rest = above;
    power *= 3;
  }
  return {};
}

/// A place beside a tile: the corner it is at, the digit with which it is met, and which word of the other tile it is.
struct Slot {
  std::uint32_t corner, digit, word;
};
inline constexpr int slots = 8;
WARPLOOM_HD constexpr Slot slot(int i) {
  constexpr Slot all[slots] = {{0, 1, 13}, {0, 1, 14}, {0, 2, 26}, {1, 0, 0},
                               {1, 2, 26}, {2, 0, 0},  {2, 1, 13}, {2, 1, 12}};
  return all[i];
}
/// Where the geometry has that place: by the direction in which the other tile lies.
WARPLOOM_HD constexpr int slot_of_geometry(Slot of) {
  // Towards the other tile: up, up and left, down, left, down and right, right.
  const int x = of.corner == 0 ? (of.digit == 1 ? 0 : -1) : of.corner == 1 ? (of.digit == 0 ? 0 : -1) : 1;
  const int y = of.corner == 0 ? -1 : of.digit == 0 ? 1 : 0;
  for (int i = 0; i < GasketGeometry::slots; ++i)
    if (GasketGeometry::all.slot[i].direction == direction_of(x, y) &&
        GasketGeometry::all.slot[i].word == static_cast<int>(of.word))
      return i;
  return -1;
}
static_assert(GasketGeometry::words == words && GasketGeometry::slots == slots);
/// around[where the geometry has it] = word(slot) of every slot, as straight-line code.
template <class Word>
WARPLOOM_HD void each_beside(std::uint32_t (&around)[slots], Word&& word) {
  [&]<int... i>(std::integer_sequence<int, i...>) {
    ((around[Number<slot_of_geometry(slot(i))>::value] = word(Number<i>{})), ...);
  }
  (std::make_integer_sequence<int, slots>{});
}

/// Whether it has what these kernels ask for: whole words, and room for the numbers of tiles in 32 bits.
inline bool served(const FractalDomain& domain, const SlicedShape& shape) {
  return SlicedShape::is_gasket(domain) && shape.chunks == chunks && shape.lanes == lanes && shape.tiles() < (1u << 31);
}

}  // namespace gasket_tiles

}  // namespace warploom
