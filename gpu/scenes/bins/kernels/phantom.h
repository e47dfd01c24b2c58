#pragma once
#include <complex>
#include <cstdint>
#include <vector>

#include "gpu/core/pool.h"

namespace warploom {

/// The transform of the three-dimensional Shepp-Logan phantom at a spatial frequency, in cycles per unit; [-1, 1]^3 is
/// the field of view. Source: shepp1974phantom.
std::complex<double> shepp_logan_transform(double x, double y, double z);

/// What a scanner measures of it at k, in cycles per field of view.
inline std::complex<double> phantom_signal(double x, double y, double z) {
  return shepp_logan_transform(x / 2, y / 2, z / 2) / 8.;
}

/// The Hann window that samples up to `furthest` from the middle are weighted by.
double hann_window(double distance, double furthest);

/// The windowed signal at the whole frequencies up to `furthest`, below side/2: (side, side, side, 2) floats, x
/// fastest, k at k + side/2 along each axis; 0 beyond. The spectrum of the filtered phantom.
std::vector<float> filtered_phantom(std::uint32_t side, double furthest, Pool& pool);

}  // namespace warploom
