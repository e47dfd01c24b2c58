#include <cmath>

#include "gpu/scenes/bins/bins.h"
#include "gpu/scenes/bins/kernels/spill.h"

namespace warploom {

namespace {

// As they are defined, not as they are rounded for the force.
constexpr double gravity = .2, square_softening = .04;

}  // namespace

Conserved conserved(const BinProblem& problem, const std::vector<float>& bodies, const std::vector<float>& velocities) {
  Conserved all;
  const double square_cutoff = static_cast<double>(problem.space.cutoff) * static_cast<double>(problem.space.cutoff);
  const HostBins near(problem.space, bodies, 4);
  for (std::uint64_t i = 0; i < bodies.size() / 4; ++i) {
    const double mass = static_cast<double>(bodies[4 * i + 3]);
    double square = 0;
    for (std::uint64_t a = 0; a < 3; ++a) {
      const double v = static_cast<double>(velocities[3 * i + a]);
      all.momentum[a] += mass * v;
      square += v * v;
    }
    all.momenta += mass * std::sqrt(square);
    all.kinetic += mass * square / 2;
    near.each_near(near.place(i), [&](std::uint64_t j) {
      if (j <= i) return;  // each pair once, and none with itself
      double apart = 0;
      for (std::uint64_t a = 0; a < 3; ++a) {
        const double length = static_cast<double>(problem.space.grid.length[static_cast<int>(a)]);
        const double d = static_cast<double>(bodies[4 * j + a]) - static_cast<double>(bodies[4 * i + a]);
        const double image = d - length * std::round(d / length);
        apart += image * image;
      }
      if (apart >= square_cutoff) return;
      const double u = 1 - apart / square_cutoff;
      all.potential -=
          gravity * mass * static_cast<double>(bodies[4 * j + 3]) * u * u / std::sqrt(apart + square_softening);
    });
  }
  return all;
}

}  // namespace warploom
