#pragma once
#include <complex>

namespace warploom {

/// The transform of the three-dimensional Shepp-Logan phantom at a spatial frequency, in cycles per unit; [-1, 1]^3 is
/// the field of view. Source: shepp1974phantom.
std::complex<double> shepp_logan_transform(double x, double y, double z);

}  // namespace warploom
