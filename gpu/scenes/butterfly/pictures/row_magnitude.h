#pragma once
#include <cmath>
#include <cstdint>

#include "gpu/core/macros.h"
#include "gpu/scenes/butterfly/kernels/complex.h"

namespace warploom {

/// How values are shown: magnitudes of complex ones and floats, whole numbers as they are.
enum class RowValues { complex, real, whole, key };

/// Magnitude of a place of output rows.
struct RowMagnitude {
  const void* values;
  RowValues kind;
  std::uint32_t stride;  ///< numbers of an element
  std::uint64_t elements, batch;
  bool interleaved;

  WARPLOOM_HD std::uint64_t rows() const { return batch; }
  WARPLOOM_HD std::uint64_t room() const { return batch; }
  WARPLOOM_HD float at(std::uint64_t row, std::uint64_t element) const {
    const std::uint64_t i = (interleaved ? element * batch + row : row * elements + element) * stride;
    if (kind == RowValues::complex) {
      const Complex z = static_cast<const Complex*>(values)[i];
      return sqrtf(z.re * z.re + z.im * z.im);
    }
    if (kind == RowValues::real) return fabsf(static_cast<const float*>(values)[i]);
    if (kind == RowValues::key) return static_cast<float>(static_cast<const std::uint32_t*>(values)[i]);
    return fabsf(static_cast<float>(static_cast<const std::int32_t*>(values)[i]));
  }
};

/// 60 dB below the greatest and it, or, of whole numbers, from 0 on.
WARPLOOM_HD float shade_of_magnitude(float value, float top, bool decibels) {
  if (!(value <= 3e38f)) return 1;
  if (!(top > 0)) return 0;
  if (!decibels) return value / top < 1 ? value / top : 1;
  const float below = value > 0 ? 20 * log10f(value / top) : -1000;
  return below <= -60 ? 0 : below >= 0 ? 1 : 1 + below / 60;
}

}  // namespace warploom
