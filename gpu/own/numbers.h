#pragma once
#include <cmath>
#include <cstdint>
#include <type_traits>

#include "gpu/core/macros.h"

// Numbers in an own map: the same on both processors. Roots are correctly rounded on both, cube roots are not.

namespace warploom::own {

/// base^exponent; 1 for exponents below 1.
WARPLOOM_HD constexpr unsigned power(unsigned base, int exponent) {
  unsigned product = 1;
  for (int i = 0; i < exponent; ++i) product *= base;
  return product;
}

/// What min and max of two types are: of one whole number with a sign and one without, the one without.
template <class A, class B>
using Common = decltype(true ? A{} : B{});

template <class A, class B>
WARPLOOM_HD constexpr Common<A, B> min(A a, B b) {
  const auto left = static_cast<Common<A, B>>(a), right = static_cast<Common<A, B>>(b);
  return right < left ? right : left;
}
template <class A, class B>
WARPLOOM_HD constexpr Common<A, B> max(A a, B b) {
  const auto left = static_cast<Common<A, B>>(a), right = static_cast<Common<A, B>>(b);
  return left < right ? right : left;
}
template <class Number>
WARPLOOM_HD constexpr Number abs(Number x) {
  if constexpr (std::is_unsigned_v<Number>)
    return x;
  else
    return x < Number{} ? -x : x;
}

WARPLOOM_HD float sqrt(float x) { return ::sqrtf(x); }
WARPLOOM_HD double sqrt(double x) { return ::sqrt(x); }
WARPLOOM_HD float cbrt(float x) { return ::cbrtf(x); }
WARPLOOM_HD double cbrt(double x) { return ::cbrt(x); }
WARPLOOM_HD float floor(float x) { return ::floorf(x); }
WARPLOOM_HD double floor(double x) { return ::floor(x); }
// Of whole numbers: in double, which holds all of 32 bits.
template <class Number>
WARPLOOM_HD double sqrt(Number x) requires std::is_integral_v<Number> {
  return ::sqrt(static_cast<double>(x));
}
template <class Number>
WARPLOOM_HD double cbrt(Number x) requires std::is_integral_v<Number> {
  return ::cbrt(static_cast<double>(x));
}

template <class Number>
WARPLOOM_HD constexpr Number floor(Number x) requires std::is_integral_v<Number> {
  return x;
}

/// Bits of x that are set.
WARPLOOM_HD constexpr int popcount(std::uint32_t x) {
  int count = 0;
  for (; x; x &= x - 1) ++count;
  return count;
}
/// Zeros above the highest bit that is set; 32 of 0.
WARPLOOM_HD constexpr int leading_zeros(std::uint32_t x) {
  int count = 32;
  for (; x; x >>= 1) --count;
  return count;
}
/// Zeros below the lowest bit that is set; 32 of 0.
WARPLOOM_HD constexpr int trailing_zeros(std::uint32_t x) { return x ? popcount((x & (~x + 1)) - 1) : 32; }

}  // namespace warploom::own
