#pragma once
#include <array>
#include <bit>
#include <cstdint>

#include "gpu/scenes/fractal/works/sliced_shape.h"

// Of masks that are known when the program is compiled: who is next to whom in a register block, as constants.
namespace warploom {

/// A mask: bit y s_x + x of `boxes` is set where it has a copy.
template <int side_x_, int side_y_, std::uint64_t boxes_>
struct MaskBits {
  static constexpr int side_x = side_x_, side_y = side_y_;
  static constexpr std::uint64_t boxes = boxes_;
  static constexpr int copies() { return std::popcount(boxes); }
  static constexpr bool has(int x, int y) { return boxes >> (y * side_x + x) & 1; }
};

/// Where the neighbours of the words of a register block are: in the block, or in one beside it. `blocks` tells of a
/// block in some direction whether it can be there at all.
template <class Mask>
struct BlockGeometry {
  static constexpr int copies = Mask::copies();
  /// Of large states.
  static constexpr SlicedShape usual{static_cast<std::uint32_t>(copies), 24, SlicedShape::usual_tile_bytes};
  static constexpr int digits = [] {
    int count = 1;
    for (int all = copies * copies; all <= 32; all *= copies) ++count;
    return count;
  }();
  static constexpr int to_all_digits(int base) {
    int all = 1;
    for (int i = 0; i < digits; ++i) all *= base;
    return all;
  }
  static constexpr int words = to_all_digits(copies), wide = to_all_digits(Mask::side_x),
                       high = to_all_digits(Mask::side_y);

  struct Place {
    int x, y;
  };
  static constexpr std::array<Place, words> places = [] {
    std::array<Place, words> found{};
    for (int power_x = 1, power_y = 1, of_digit = 1; of_digit < words;
         of_digit *= copies, power_x *= Mask::side_x, power_y *= Mask::side_y) {
      int copy = 0;
      for (int box = 0; box < Mask::side_x * Mask::side_y; ++box) {
        if (!Mask::has(box % Mask::side_x, box / Mask::side_x)) continue;
        for (int word = 0; word < words; ++word)
          if (word / of_digit % copies == copy) {
            found[word].x += box % Mask::side_x * power_x;
            found[word].y += box / Mask::side_x * power_y;
          }
        ++copy;
      }
    }
    return found;
  }();
  /// -1: a hole.
  static constexpr int word_at(int x, int y) {
    for (int i = 0; i < words; ++i)
      if (places[i].x == x && places[i].y == y) return i;
    return -1;
  }
  /// Whether a step in this direction can carry over from any digit.
  static constexpr std::array<bool, directions> can_carry = [] {
    std::array<bool, directions> can{};
    for (bool more = true; more;) {
      more = false;
      for (int d = 0; d < directions; ++d)
        for (int box = 0; box < Mask::side_x * Mask::side_y && !can[d]; ++box) {
          const int x = box % Mask::side_x, y = box / Mask::side_x;
          if (!Mask::has(x, y)) continue;
          const int u = x + step_x(d), v = y + step_y(d);
          const int carry_x = u < 0 ? -1 : u >= Mask::side_x, carry_y = v < 0 ? -1 : v >= Mask::side_y;
          if (!Mask::has(u - carry_x * Mask::side_x, v - carry_y * Mask::side_y)) continue;
          if ((carry_x == 0 && carry_y == 0) || can[direction_of(carry_x, carry_y)]) can[d] = more = true;
        }
    }
    return can;
  }();

  /// A word of another block that some word here is next to.
  struct Slot {
    int direction = 0, word = 0;
  };
  /// Of every word and direction: the word of the block, or `words` + a slot; -1: none.
  struct All {
    int around[words][directions] = {};
    int slots = 0;
    Slot slot[words * directions] = {};
  };
  static constexpr All all = [] {
    All found;
    for (int i = 0; i < words; ++i)
      for (int d = 0; d < directions; ++d) {
        const Place at = places[i];
        const int u = at.x + step_x(d), v = at.y + step_y(d);
        const int carry_x = u < 0 ? -1 : u >= wide, carry_y = v < 0 ? -1 : v >= high;
        int other = word_at(u - carry_x * wide, v - carry_y * high);
        if (other >= 0 && (carry_x || carry_y)) {
          const int direction = direction_of(carry_x, carry_y);
          if (!can_carry[direction]) {
            other = -1;
          } else {
            int slot = 0;
            while (slot < found.slots && (found.slot[slot].direction != direction || found.slot[slot].word != other))
              ++slot;
            if (slot == found.slots) found.slot[found.slots++] = {direction, other};
            other = words + slot;
          }
        }
        found.around[i][d] = other;
      }
    return found;
  }();
  static constexpr int slots = all.slots;
  WARPLOOM_HD static constexpr bool meets(int direction) {
    for (int i = 0; i < slots; ++i)
      if (all.slot[i].direction == direction) return true;
    return false;
  }
  WARPLOOM_HD static constexpr int neighbours(int word) {
    int count = 0;
    for (int d = 0; d < directions; ++d) count += all.around[word][d] >= 0;
    return count;
  }
  /// Word or slot of the n-th neighbour that there is.
  WARPLOOM_HD static constexpr int neighbour(int word, int n) {
    for (int d = 0; d < directions; ++d)
      if (all.around[word][d] >= 0 && n-- == 0) return all.around[word][d];
    return -1;
  }
};

}  // namespace warploom
