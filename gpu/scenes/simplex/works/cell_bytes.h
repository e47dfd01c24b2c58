#pragma once
#include <cstdint>

#include "gpu/core/bits.h"
#include "gpu/core/macros.h"
#include "gpu/maps/rule.h"

// Cells as bytes of 0 or 1, four per word.

namespace warploom {

/// A life-like rule for four cells at once.
class RuleOfFour {
 public:
  RuleOfFour() = default;
  explicit RuleOfFour(const Rule& rule) {
    for (unsigned count = 0; count < 9; ++count) {
      born_[count] = (rule.born >> count & 1u) * ones;
      differs_[count] = born_[count] ^ (rule.survive >> count & 1u) * ones;
    }
    for (unsigned count = 0; count < 8; ++count) {
      (count < 4 ? born_low_ : born_high_) |= (rule.born >> count & 1u) << (8 * (count % 4));
      (count < 4 ? survive_low_ : survive_high_) |= (rule.survive >> count & 1u) << (8 * (count % 4));
    }
  }

  /// The next generation of `own`, whose cells have `around` living neighbours: up to seven, or `eight`.
  template <bool eight>
  WARPLOOM_HD std::uint32_t operator()(std::uint32_t own, std::uint32_t around) const {
    if constexpr (on_device()) {
      // Each count selects a byte of a table of eight; 8 selects the sign of the first, which is 0.
      const std::uint32_t counts = select_bytes(around | around >> 4, 0, 0x4420);
      std::uint32_t next = (own & select_bytes(survive_low_, survive_high_, counts)) |
                           (~own & select_bytes(born_low_, born_high_, counts));
      if constexpr (eight) next |= around >> 3 & ones & (born_[8] ^ (own & differs_[8]));
      return next;
    } else {
      // A multiplexer tree over the bits of the count.
      std::uint32_t level[8];
      for (unsigned count = 0; count < 8; ++count) level[count] = born_[count] ^ (own & differs_[count]);
      const std::uint32_t bit0 = around & ones, bit1 = around >> 1 & ones, bit2 = around >> 2 & ones;
      for (std::size_t i = 0; i < 4; ++i) level[i] = level[2 * i] ^ (bit0 & (level[2 * i] ^ level[2 * i + 1]));
      for (std::size_t i = 0; i < 2; ++i) level[i] = level[2 * i] ^ (bit1 & (level[2 * i] ^ level[2 * i + 1]));
      std::uint32_t next = level[0] ^ (bit2 & (level[0] ^ level[1]));
      if constexpr (eight) {
        const std::uint32_t bit3 = around >> 3 & ones;
        next ^= bit3 & (next ^ born_[8] ^ (own & differs_[8]));
      }
      return next;
    }
  }

 private:
  static constexpr std::uint32_t ones = 0x01010101;
  std::uint32_t born_[9]{}, differs_[9]{};  ///< of each count: born, and where survival differs from it
  std::uint32_t born_low_ = 0, born_high_ = 0, survive_low_ = 0, survive_high_ = 0;
};

/// All ones in the first `left` bytes of a word; zero in the others.
WARPLOOM_HD std::uint32_t first_bytes(std::int32_t left) {
  return left >= 4 ? ~0u : left <= 0 ? 0u : (1u << (8 * left)) - 1;
}

/// A cell; where none is there, reads nothing and returns a dead one.
WARPLOOM_HD std::uint32_t byte_at(const std::uint8_t* from, bool there) { return there ? *from : 0u; }

/// For each of four cells the sum of its left and right neighbour. `before`, and the lowest byte of `after`, are the
/// cells beside the four.
WARPLOOM_HD std::uint32_t sides_of_four(std::uint32_t own, std::uint32_t before, std::uint32_t after) {
  return (own << 8 | before) + (own >> 8 | after << 24);
}

}  // namespace warploom
