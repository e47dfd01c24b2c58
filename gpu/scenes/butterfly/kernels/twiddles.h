#pragma once
#include <cstdint>
#include <vector>

#include "gpu/core/buffer.h"
#include "gpu/scenes/butterfly/kernels/complex.h"

namespace warploom {

/// W_M^k = exp(-2 pi i k / M), M = 2^j, from tables that a host made in double: both backends read the same bits. Half
/// a turn where M is small, else W^k of two factors.
struct Twiddles {
  static constexpr int one_table = 13, low_digits = 11;
  const Complex* high = nullptr;  ///< steps of 2^-digits of a turn; of two tables of 2^(low_digits - digits)
  const Complex* low = nullptr;   ///< steps of 2^-digits of a turn; null: one table
  int digits = 0;

  /// k < 2^j, j <= digits.
  WARPLOOM_HD Complex at(std::uint32_t k, int j) const {
    std::uint32_t turn = k << (digits - j);
    const std::uint32_t half = 1u << (digits - 1);
    const bool opposite = turn & half;
    turn &= half - 1;
    const Complex w = low ? high[turn >> low_digits] * low[turn & ((1u << low_digits) - 1)] : high[turn];
    return opposite ? Complex{-w.re, -w.im} : w;
  }
};

/// exp(-2 pi i k / 2^digits), k < count: computed in double within an octant, and rounded once.
std::vector<Complex> twiddle_table(int digits, std::uint64_t count);

/// The tables of turns down to 2^-digits, on a backend.
class TwiddleTables {
 public:
  TwiddleTables(Queue& queue, int digits);
  Twiddles view() const { return {high_.data(), low_.size() ? low_.data() : nullptr, digits_}; }
  std::uint64_t bytes() const { return high_.bytes() + low_.bytes(); }

 private:
  int digits_;
  Buffer<Complex> high_, low_;
};

}  // namespace warploom
