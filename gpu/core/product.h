#pragma once
#include <cmath>
#include <cstdint>
#include <type_traits>

#include "gpu/core/macros.h"

// Products of 16 x 16 matrices, as tensor cores make them: D = A B + C.
namespace warploom {

/// Operands of 16-bit floats, sums of 32-bit ones.
struct HalfOperands {
  using Sum = float;
};
/// Operands of 8 bits without sign, sums of 32-bit integers: exact.
struct ByteOperands {
  using Sum = std::int32_t;
};

/// D, as every thread may read it until the next product.
template <class Sum>
struct Product16 {
  Sum values[256];
  WARPLOOM_HD Sum at(unsigned row, unsigned column) const { return values[row * 16 + column]; }
};

/// What is left of a number as a 16-bit float: the nearest, of two as near the even one.
inline float rounded_half(float x) {
  if (!std::isfinite(x) || x == 0) return x;
  int exponent = 0;
  (void)std::frexp(x, &exponent);
  // 11 bits of significance; below 2^-14 fewer.
  const int step = (exponent > -13 ? exponent : -13) - 11;
  const float rounded = std::ldexp(std::nearbyint(std::ldexp(x, -step)), step);
  return std::fabs(rounded) > 65504.f ? std::copysign(HUGE_VALF, x) : rounded;
}

namespace detail {
/// The same product on a CPU, operands rounded as they are there.
template <class Operands, class A, class B, class C>
void product_on_cpu(Product16<typename Operands::Sum>& to, A&& a, B&& b, C&& c) {
  using Sum = typename Operands::Sum;
  const auto operand = [](auto value) {
    if constexpr (std::is_same_v<Operands, HalfOperands>)
      return rounded_half(static_cast<float>(value));
    else
      return static_cast<Sum>(static_cast<std::uint8_t>(value));
  };
  for (unsigned i = 0; i < 16; ++i)
    for (unsigned j = 0; j < 16; ++j) {
      Sum sum = static_cast<Sum>(c(i, j));
      for (unsigned k = 0; k < 16; ++k) sum += operand(a(i, k)) * operand(b(k, j));
      to.values[i * 16 + j] = sum;
    }
}
}  // namespace detail

}  // namespace warploom
