#include "gpu/core/product.h"

#include <cmath>

// Once for all: every map of tensor cores would take these in, under every work.
namespace warploom {

float rounded_half(float x) {
  if (!std::isfinite(x) || x == 0) return x;
  int exponent = 0;
  (void)std::frexp(x, &exponent);
  // 11 bits of significance; below 2^-14 fewer.
  const int step = (exponent > -13 ? exponent : -13) - 11;
  const float rounded = std::ldexp(std::nearbyint(std::ldexp(x, -step)), step);
  return std::fabs(rounded) > 65504.f ? std::copysign(HUGE_VALF, x) : rounded;
}

namespace detail {

namespace {

template <class Sum>
void add(Sum (&values)[256], const Sum (&left)[256], const Sum (&right)[256]) {
  for (unsigned i = 0; i < 16; ++i)
    for (unsigned k = 0; k < 16; ++k)
      for (unsigned j = 0; j < 16; ++j) values[i * 16 + j] += left[i * 16 + k] * right[k * 16 + j];
}

}  // namespace

void add_product(float (&values)[256], const float (&left)[256], const float (&right)[256]) {
  add(values, left, right);
}
void add_product(std::int32_t (&values)[256], const std::int32_t (&left)[256], const std::int32_t (&right)[256]) {
  add(values, left, right);
}

}  // namespace detail

}  // namespace warploom
