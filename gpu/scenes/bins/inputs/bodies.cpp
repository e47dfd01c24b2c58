#include <algorithm>

#include "gpu/scenes/bins/kernels/inputs.h"

namespace warploom {

namespace {

/// Into [0, length), as a float.
double wrapped_into(double p, double length) {
  p -= length * std::floor(p / length);
  return static_cast<float>(p) < static_cast<float>(length) ? p : 0;
}

}  // namespace

BinInput clumps(std::uint64_t bodies, std::uint32_t side, std::uint64_t seed) {
  constexpr std::uint64_t groups = 24;
  const double length = side;
  BinInput input;
  input.name = "clumps";
  const std::uint64_t even = bodies / 4;
  for (std::uint64_t i = 0; i < bodies; ++i) {
    double p[3];
    for (int a = 0; a < 3; ++a) {
      const auto axis = static_cast<std::uint64_t>(a);
      if (i < even) {
        p[a] = length * uniform(seed, i, axis);
        continue;
      }
      const std::uint64_t k = (i - even) * groups / (bodies - even);
      const double deviation = (1.35 + 1.15 * static_cast<double>(k) / 23) * length / 32;
      const double normal =
          std::sqrt(-2 * std::log(1 - uniform(seed, i, axis))) * std::cos(2 * pi * uniform(seed, i, axis + 3));
      p[a] = wrapped_into(length * spread(k, a) + deviation * normal, length);
    }
    input.add({p[0], p[1], p[2], 1});
  }
  input.velocities.assign(3 * bodies, 0.f);
  input.origin = {0, 0, 0};
  input.box = {length, length, length};
  return input;
}

namespace {

BinInput web_in(double length, double depth, std::uint64_t bodies, std::uint64_t seed) {
  struct Wave {
    double x, y, phase;
  };
  std::vector<Wave> waves;
  for (std::uint64_t w = 0; w < 24; ++w) {
    const double periods = 1.5 + 4 * uniform(seed, w, 10), angle = 2 * pi * uniform(seed, w, 11);
    double x = std::round(periods * std::cos(angle)), y = std::round(periods * std::sin(angle));
    if (x == 0 && y == 0) x = 1;
    waves.push_back({2 * pi * x / length, 2 * pi * y / length, 2 * pi * uniform(seed, w, 12)});
  }
  BinInput input;
  input.name = "web";
  for (std::uint64_t i = 0; i < bodies; ++i) {
    const double q[] = {length * uniform(seed, i, 0), length * uniform(seed, i, 1), depth * uniform(seed, i, 2)};
    double d[2] = {0, 0};
    for (const Wave& wave : waves) {
      const double push =
          std::sin(wave.x * q[0] + wave.y * q[1] + wave.phase) / (wave.x * wave.x + wave.y * wave.y) / std::sqrt(12.);
      d[0] += wave.x * push;
      d[1] += wave.y * push;
    }
    input.add({wrapped_into(q[0] + 1.2 * d[0], length), wrapped_into(q[1] + 1.2 * d[1], length), q[2], 1});
    for (const double v : {.2 * d[0], .2 * d[1], 0.}) input.velocities.push_back(static_cast<float>(v));
  }
  input.origin = {0, 0, 0};
  input.box = {length, length, depth};
  return input;
}

}  // namespace

BinInput web(std::uint64_t bodies, std::uint64_t seed) {
  return web_in(std::max(4., std::round(64 * std::sqrt(static_cast<double>(bodies) / 16384))), 4, bodies, seed);
}

BinInput few_bodies(std::uint64_t seed) {
  BinInput input = web_in(16, 2, 60, seed);
  input.name = "few";
  return input;
}

}  // namespace warploom
