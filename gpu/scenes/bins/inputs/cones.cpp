#include <algorithm>

#include "gpu/scenes/bins/kernels/inputs.h"
#include "gpu/scenes/bins/kernels/phantom.h"

namespace warploom {

namespace {

constexpr std::uint64_t small_samples = 2655910, large_samples = 30144488;
constexpr double step = .04;  ///< cycles per field of view, of the first samples of a readout

double fraction(double x) { return x - std::floor(x); }

/// How many cones and readouts, and how many samples of each stand close together at its start.
struct Trajectory {
  double cones, readouts;
  std::uint64_t close;
};

Trajectory trajectory(std::uint64_t samples, std::uint32_t points) {
  if (samples == small_samples) return {144, 126, 1};
  if (samples == large_samples) return {324, 271, 7};
  return {std::round(.5625 * points), std::round(.5 * points), 1};
}

}  // namespace

bool legal_grid(std::uint32_t points) {
  if (points < 16 || points % 4) return false;
  for (const std::uint32_t prime : {2u, 3u, 5u})
    while (points % prime == 0) points /= prime;
  return points == 1;
}

std::uint32_t nearest_grid(double points) {
  auto below = static_cast<std::uint32_t>(std::clamp(points, 16., 4096.)), above = below;
  while (!legal_grid(below)) --below;
  while (!legal_grid(above)) ++above;
  return points - below < above - points ? below : above;
}

std::uint32_t grid_of_cones(std::uint64_t samples) {
  if (samples == large_samples) return 576;
  return nearest_grid(256 * std::cbrt(static_cast<double>(samples) / small_samples));
}

BinInput cones(std::uint64_t samples, std::uint32_t points) {
  const Trajectory path_of = trajectory(samples, points);
  const double furthest = furthest_of_cones(points);
  struct Cone {
    double theta, sine;
    std::uint64_t readouts;
  };
  std::vector<Cone> all;
  std::uint64_t readouts = 0;
  for (int cone = 0; cone < static_cast<int>(path_of.cones); ++cone) {
    const double theta = (cone + .5) * pi / path_of.cones, sine = std::sin(theta);
    all.push_back({theta, sine, static_cast<std::uint64_t>(std::max(1., std::round(path_of.readouts * sine)))});
    readouts += all.back().readouts;
  }
  readouts = std::max<std::uint64_t>(readouts, 1);
  BinInput input;
  input.width = 6;
  input.name = "cones";
  input.elements.reserve(6 * samples);
  std::uint64_t number = 0;
  std::vector<double> radii;
  for (std::size_t j = 0; j < all.size(); ++j) {
    const Cone& cone = all[j];
    const double alpha = 2 * pi * cone.sine / path_of.readouts, path = furthest + alpha * furthest * furthest / 2;
    const double start = fraction(.6180339887498949 * static_cast<double>(j));
    const double slab = std::cos(static_cast<double>(j) * pi / path_of.cones) -
                        std::cos(static_cast<double>(j + 1) * pi / path_of.cones);
    for (std::uint64_t readout = 0; readout < cone.readouts; ++readout, ++number) {
      const std::uint64_t count = samples / readouts + (number < samples % readouts);
      const std::uint64_t close = std::min(path_of.close, count);
      radii.clear();
      for (std::uint64_t i = 0; i < count; ++i) {
        const double near = step * static_cast<double>(close - 1);
        const double arc = i < close ? step * static_cast<double>(i)
                                     : near + static_cast<double>(i - close + 1) * (path - near) /
                                                  (static_cast<double>(count - close) + .5);
        radii.push_back(2 * arc / (1 + std::sqrt(1 + 2 * alpha * arc)));
      }
      for (std::uint64_t i = 0; i < count; ++i) {
        const double r = radii[i];
        const double azimuth =
            2 * pi *
            ((static_cast<double>(readout) + start) / static_cast<double>(cone.readouts) + r / path_of.readouts);
        const double k[] = {r * cone.sine * std::cos(azimuth), r * cone.sine * std::sin(azimuth),
                            r * std::cos(cone.theta)};
        const double inner = i == 0 ? 0 : (radii[i - 1] + r) / 2,
                     outer = i + 1 == count ? furthest : (r + radii[i + 1]) / 2;
        const double window = hann_window(r, furthest);
        const double weight = (outer * outer * outer - inner * inner * inner) / 3 * slab *
                              (2 * pi / static_cast<double>(cone.readouts)) * window;
        const std::complex<double> signal = phantom_signal(k[0], k[1], k[2]);
        input.add({points / 2. + 2 * k[0], points / 2. + 2 * k[1], points / 2. + 2 * k[2], signal.real(), signal.imag(),
                   weight});
      }
    }
  }
  input.points = {points, points, points};
  input.phantom = true;
  return input;
}

}  // namespace warploom
