#pragma once
#include "gpu/scenes/bins/kernels/stages.h"

namespace warploom {

WARPLOOM_HD bool is_finite(float value) { return value - value == 0; }

/// Bodies of a periodic box in kick-drift-kick leapfrog: the first half of a kick, and the drift.
struct DriftStage {
  const float *from, *velocities_from, *accelerations;  ///< (count, 4), (count, 3), (count, 3)
  float *to, *velocities_to;
  BinGrid grid;
  float time_step;
  std::uint32_t* lost;  ///< becomes 1 where a body leaves the finite numbers
  WARPLOOM_HD void operator()(std::uint64_t i) const {
    for (int a = 0; a < 3; ++a) {
      const std::uint64_t at = 3 * i + static_cast<std::uint64_t>(a);
      const float velocity = velocities_from[at] + accelerations[at] * (time_step / 2);
      velocities_to[at] = velocity;
      to[4 * i + static_cast<std::uint64_t>(a)] =
          wrapped(from[4 * i + static_cast<std::uint64_t>(a)] + velocity * time_step, a);
    }
    to[4 * i + 3] = from[4 * i + 3];
    for (std::uint64_t a = 0; a < 3; ++a)
      if (!is_finite(to[4 * i + a])) relaxed_store(lost, 1u);
  }

 private:
  /// Into the box, from at most many boxes away; what is no number stays.
  WARPLOOM_HD float wrapped(float p, int a) const {
    const float origin = grid.origin[a], length = grid.length[a];
    float in = p - origin;
    if (in >= 0 && in < length) return p;
    in -= length * floorf(in / length);
    // Far away a float is coarser than the box.
    return in >= 0 && in < length ? origin + in : in != in ? in : origin;
  }
};

/// The second half of a kick.
struct KickStage {
  float* velocities;
  const float* accelerations;
  float time_step;
  std::uint32_t* lost;  ///< as of DriftStage
  WARPLOOM_HD void operator()(std::uint64_t i) const {
    velocities[i] += accelerations[i] * (time_step / 2);
    if (!is_finite(velocities[i])) relaxed_store(lost, 1u);
  }
};

}  // namespace warploom
