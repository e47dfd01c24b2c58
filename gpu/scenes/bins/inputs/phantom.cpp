#include "gpu/scenes/bins/kernels/phantom.h"

#include <cmath>

#include "gpu/scenes/bins/kernels/inputs.h"

namespace warploom {

namespace {

struct Ellipsoid {
  double value;
  double semi[3], centre[3];
  double degrees;  ///< turned about z
};

constexpr Ellipsoid ellipsoids[] = {
    {1, {.69, .92, .81}, {0, 0, 0}, 0},        {-.8, {.6624, .874, .78}, {0, -.0184, 0}, 0},
    {-.2, {.11, .31, .22}, {.22, 0, 0}, -18},  {-.2, {.16, .41, .28}, {-.22, 0, 0}, 18},
    {.1, {.21, .25, .41}, {0, .35, -.15}, 0},  {.1, {.046, .046, .05}, {0, .1, .25}, 0},
    {.1, {.046, .046, .05}, {0, -.1, .25}, 0}, {.1, {.046, .023, .05}, {-.08, -.605, 0}, 0},
    {.1, {.023, .023, .02}, {0, -.606, 0}, 0}, {.1, {.023, .046, .02}, {.06, -.605, 0}, 0},
};

/// (sin q - q cos q) / q^3.
double ball_transform(double q) {
  // Near 0 the difference cancels: three terms of its series are exact to 1e-15 there.
  if (q < .02) return 1. / 3 - q * q / 30 + q * q * q * q / 840;
  return (std::sin(q) - q * std::cos(q)) / (q * q * q);
}

}  // namespace

std::complex<double> shepp_logan_transform(double x, double y, double z) {
  std::complex<double> sum = 0;
  for (const Ellipsoid& one : ellipsoids) {
    const double turn = one.degrees * pi / 180, cosine = std::cos(turn), sine = std::sin(turn);
    const double u = x * cosine + y * sine, v = y * cosine - x * sine;
    const double q = 2 * pi * std::hypot(one.semi[0] * u, one.semi[1] * v, one.semi[2] * z);
    const double phase = -2 * pi * (x * one.centre[0] + y * one.centre[1] + z * one.centre[2]);
    sum += one.value * 4 * pi * one.semi[0] * one.semi[1] * one.semi[2] * ball_transform(q) * std::polar(1., phase);
  }
  return sum;
}

double hann_window(double distance, double furthest) { return (1 + std::cos(pi * distance / furthest)) / 2; }

std::vector<float> filtered_phantom(std::uint32_t side, double furthest, Pool& pool) {
  const auto most = static_cast<std::int64_t>(std::floor(furthest)), middle = static_cast<std::int64_t>(side / 2),
             along = static_cast<std::int64_t>(side);
  std::vector<float> spectrum(2ull * side * side * side);
  const auto set = [&](std::int64_t x, std::int64_t y, std::int64_t z, const std::complex<double>& value) {
    const auto at = 2 * static_cast<std::uint64_t>(((z + middle) * along + y + middle) * along + x + middle);
    spectrum[at] = static_cast<float>(value.real());
    spectrum[at + 1] = static_cast<float>(value.imag());
  };
  // The phantom is real: opposite frequencies are conjugate, and half of them are computed. A plane a chunk; those of
  // the plane z = 0 are each written twice, and alike.
  pool.run(static_cast<std::uint64_t>(most) + 1, [&](std::uint64_t chunk) {
    const auto z = static_cast<std::int64_t>(chunk);
    for (std::int64_t y = -most; y <= most; ++y)
      for (std::int64_t x = -most; x <= most; ++x) {
        const auto square = static_cast<double>(x * x + y * y + z * z);
        if (square > furthest * furthest) continue;
        const auto value = phantom_signal(static_cast<double>(x), static_cast<double>(y), static_cast<double>(z)) *
                           hann_window(std::sqrt(square), furthest);
        set(x, y, z, value);
        set(-x, -y, -z, std::conj(value));
      }
  });
  return spectrum;
}

}  // namespace warploom
