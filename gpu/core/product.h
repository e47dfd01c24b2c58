#pragma once
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
float rounded_half(float x);

namespace detail {
/// values += left right.
void add_product(float (&values)[256], const float (&left)[256], const float (&right)[256]);
void add_product(std::int32_t (&values)[256], const std::int32_t (&left)[256], const std::int32_t (&right)[256]);

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
  Sum left[256], right[256];
  for (unsigned i = 0; i < 256; ++i) {
    left[i] = operand(a(i / 16, i % 16));
    right[i] = operand(b(i / 16, i % 16));
    to.values[i] = static_cast<Sum>(c(i / 16, i % 16));
  }
  add_product(to.values, left, right);
}
}  // namespace detail

}  // namespace warploom
