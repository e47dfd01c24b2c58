#pragma once
#include <cstddef>
#include <cstdint>

#include "gpu/core/pack.h"
#include "gpu/scenes/butterfly/kernels/complex.h"

namespace warploom {

/// An element of the lower half of a row: k = at + part, of the row number row + in_block + row_part of a batch. `part`
/// and `row_part` are known when the program is compiled, as loops over registers are unrolled: addresses spend no
/// instruction on them.
struct RowHalf {
  std::uint64_t row;
  std::uint32_t in_block, row_part, at, part;
  WARPLOOM_HD bool is_first() const { return part == 0 && at == 0; }
};

/// Real rows of N = 2M values and those of cosine transforms (DCT-II, and its inverse, DCT-III / 2N), by transforms of
/// M complex elements. Elements k and M - k of a spectrum are made of each other, as are elements q and M - 1 - q of
/// what a cosine transform folds. W is exp(-2 pi i / N). Source: makhoul1980cosine.
struct RealRows {
  static constexpr bool contiguous = false;
  bool cosine, inverse;
  const void* in;           ///< (batch, N) floats; (batch, M + 1) complex where a real spectrum is transformed back
  void* out;                ///< the other one
  const Complex* turns;     ///< (M / 2): W^k
  const Complex* quarters;  ///< (M / 2 + 1): W^(k/4), of cosine transforms

  struct Both {
    Complex of[2];
  };

  // Forward: elements k < M / 2 and M - k of the complex spectrum become those of the real one.
  template <std::uint32_t M>
  WARPLOOM_HD void split(const RowHalf& one, Complex own, Complex other) const {
    const Both both = apart(one, own, other);
    Complex* const to = static_cast<Complex*>(out);
    *rising<M + 1>(to, one) = both.of[0];
    *falling<M + 1>(to + M, one) = both.of[1];
  }
  template <std::uint32_t M>
  WARPLOOM_HD void split_cosine(const RowHalf& one, Complex own, Complex other) const {
    const Both both = apart(one, own, other);
    const Complex turn = (quarters + one.at)[one.part], low = turn * both.of[0],
                  high = behind_middle(turn) * both.of[1];
    float* const y = static_cast<float*>(out);
    *rising<2 * M>(y, one) = 2 * low.re;
    *falling<2 * M>(y + M, one) = 2 * high.re;
    if (one.is_first()) return;
    *falling<2 * M>(y + std::size_t{2} * M, one) = -2 * low.im;
    *rising<2 * M>(y + M, one) = -2 * high.im;
  }
  /// ... and M / 2, which is made of itself.
  template <std::uint32_t M>
  WARPLOOM_HD void split_middle(const RowHalf& one, Complex own) const {
    if (!cosine) {
      *rising<M + 1>(static_cast<Complex*>(out), one) = conjugate(own);
      return;
    }
    const Complex value = quarters[M / 2] * conjugate(own);
    *rising<2 * M>(static_cast<float*>(out), one) = 2 * value.re;
    *falling<2 * M>(static_cast<float*>(out) + std::size_t{2} * M, one) = -2 * value.im;
  }

  // The inverse: elements k < M / 2 and M - k of what the complex transform begins with.
  template <std::uint32_t M>
  WARPLOOM_HD Both joined(const RowHalf& one) const {
    const Complex* const from = static_cast<const Complex*>(in);
    Complex low = *rising<M + 1>(from, one), high = *falling<M + 1>(from + M, one);
    if (one.is_first()) low.im = high.im = 0;  // of real values those two are real
    return together(one, low, high);
  }
  template <std::uint32_t M>
  WARPLOOM_HD Both joined_cosine(const RowHalf& one) const {
    const float* const y = static_cast<const float*>(in);
    const Complex turn = (quarters + one.at)[one.part];
    const float last = *falling<2 * M>(y + (one.is_first() ? 0 : std::size_t{2} * M), one);
    const Complex low{*rising<2 * M>(y, one), one.is_first() ? 0 : -last},
        high{*falling<2 * M>(y + M, one), -*rising<2 * M>(y + M, one)};
    return together(one, .5f * (conjugate(turn) * low), .5f * (conjugate(behind_middle(turn)) * high));
  }
  template <std::uint32_t M>
  WARPLOOM_HD Complex joined_middle(const RowHalf& one) const {
    if (!cosine) return conjugate(*rising<M + 1>(static_cast<const Complex*>(in), one));
    const float* const y = static_cast<const float*>(in);
    return .5f * (quarters[M / 2] * Complex{*rising<2 * M>(y, one), *falling<2 * M>(y + std::size_t{2} * M, one)});
  }

  // What cosine transforms fold: the even values forward, then the odd ones backward.
  template <std::uint32_t M>
  WARPLOOM_HD Both folded(const RowHalf& one) const {
    const auto four = load_pack<4>(by_fours<M>(static_cast<const float*>(in), one));
    return {{{four[0], four[2]}, {four[3], four[1]}}};
  }
  template <std::uint32_t M>
  WARPLOOM_HD void unfold(const RowHalf& one, Complex low, Complex high) const {
    store_pack(by_fours<M>(static_cast<float*>(out), one), Pack<float, 4>{low.re, high.im, low.im, high.re});
  }

 private:
  static constexpr float eighth = .70710678118654752f;  ///< of both parts of W^(M/4)

  /// Of rows of `length`: where the row of no row_part begins, which may lie before the first of all.
  template <std::uint32_t length>
  WARPLOOM_HD static std::ptrdiff_t begin(const RowHalf& one) {
    return static_cast<std::ptrdiff_t>(one.row + one.in_block) * std::ptrdiff_t{length};
  }
  // k behind where a row begins, and before it.
  template <std::uint32_t length, class Value>
  WARPLOOM_HD static Value* rising(Value* rows, const RowHalf& one) {
    Value* const at = rows + begin<length>(one) + one.at;
    return at + (one.row_part * length + one.part);
  }
  template <std::uint32_t length, class Value>
  WARPLOOM_HD static Value* falling(Value* rows, const RowHalf& one) {
    Value* const at = rows + begin<length>(one) - one.at;
    return at + (std::ptrdiff_t{one.row_part} * length - std::ptrdiff_t{one.part});
  }
  template <std::uint32_t M, class Value>
  WARPLOOM_HD static Value* by_fours(Value* rows, const RowHalf& one) {
    Value* const at = rows + begin<2 * M>(one) + one.at * 4;
    return at + (one.row_part * (2 * M) + one.part * 4);
  }
  /// W^((M - k)/4), of W^(k/4).
  WARPLOOM_HD static Complex behind_middle(Complex turn) {
    return {eighth * (turn.re - turn.im), -eighth * (turn.re + turn.im)};
  }
  /// X_k = (Z_k + Z*_(M-k)) / 2 - (i / 2) W^k (Z_k - Z*_(M-k)), and X_(M-k).
  WARPLOOM_HD Both apart(const RowHalf& one, Complex own, Complex other) const {
    const Complex sum = own + conjugate(other), part = turned((turns + one.at)[one.part] * (own - conjugate(other)));
    return {{.5f * (sum - part), .5f * conjugate(sum + part)}};
  }
  /// Z_k = (X_k + X*_(M-k)) / 2 + (i / 2) W^-k (X_k - X*_(M-k)), and Z_(M-k).
  WARPLOOM_HD Both together(const RowHalf& one, Complex own, Complex other) const {
    const Complex sum = own + conjugate(other),
                  part = turned(conjugate((turns + one.at)[one.part]) * (own - conjugate(other)));
    return {{.5f * (sum + part), .5f * conjugate(sum - part)}};
  }
};

}  // namespace warploom
