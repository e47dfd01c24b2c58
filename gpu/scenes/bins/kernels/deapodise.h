#pragma once
#include <cmath>
#include <cstdint>
#include <vector>

#include "gpu/core/group.h"
#include "gpu/core/types.h"

// Samples that a kernel spread over a grid leave the grid's image multiplied by the kernel's transform: the image is
// divided by it. Source: beatty2005gridding.
namespace warploom {

/// 1 / transform(cutoff, |s| / side) by |s|^2, the square of a voxel's distance from the middle, which is a whole
/// number: of the middle `kept` voxels along each axis.
template <class Transform>
std::vector<float> deapodising_factors(std::uint32_t side, std::uint32_t kept, double cutoff, Transform transform) {
  const std::uint64_t half = kept / 2;
  std::vector<float> factors;
  factors.reserve(3 * half * half + 1);
  for (std::uint64_t square = 0; square <= 3 * half * half; ++square)
    factors.push_back(static_cast<float>(1 / transform(cutoff, std::sqrt(static_cast<double>(square)) / side)));
  return factors;
}

/// Real parts, each by the factor of its distance from the middle.
struct DeapodiseStage {
  const float* values;   ///< (kept, kept, kept, 2)
  const float* factors;  ///< by the square of the distance; null: 1
  std::uint32_t kept;
  float* out;  ///< (kept, kept, kept)
  WARPLOOM_HD void operator()(std::uint64_t i) const {
    const Index3 extent{kept, kept, kept};
    const Index3 at = unfold(i, extent);
    const std::uint32_t square = from_middle(at.x) + from_middle(at.y) + from_middle(at.z);
    out[i] = factors ? values[2 * i] * factors[square] : values[2 * i];
  }

 private:
  WARPLOOM_HD std::uint32_t from_middle(std::uint32_t at) const {
    const std::uint32_t middle = kept / 2, away = at < middle ? middle - at : at - middle;
    return away * away;
  }
};

}  // namespace warploom
