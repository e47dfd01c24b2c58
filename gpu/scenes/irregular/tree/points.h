#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "gpu/core/macros.h"
#include "gpu/scenes/irregular/irregular.h"

namespace warploom {

/// Points on a grid of 2^bits places an axis, and how they move.
struct GridPoints {
  int dimension = 2, bits = 15;
  std::string name;                    ///< the recipe, or the file without its folder
  std::vector<std::uint32_t> moving;   ///< (n, dimension): the place in step 0, and 2^16 times what a step adds
  std::vector<std::string> remarks{};  ///< of the file, a line each
  std::uint64_t count() const { return moving.size() / static_cast<std::uint64_t>(dimension); }
};

/// Bits of an axis: 15 in the plane, 10 in space.
constexpr int bits_of_axis(int dimension) { return dimension == 2 ? 15 : 10; }

/// Where a point is on an axis in a step, by its word of `moving`.
WARPLOOM_HD constexpr std::uint32_t place_at(std::uint32_t moving, std::uint32_t step, int bits) {
  return ((moving & 0xffffu) + (moving >> 16) * step) & ((1u << bits) - 1);
}

/// "uniform" and so on; all else is a file's name.
const std::vector<std::string>& point_recipes();
/// Throws UsageError where `settings.points` is neither a recipe nor the name of a file of points.
void check_points(const IrregularSettings& settings);
/// A hash of all that make_points depends on.
std::uint64_t points_key(const IrregularSettings& settings, int dimension);
/// How many points there will be; 0: as many as the file holds.
std::uint64_t recipe_count(const IrregularSettings& settings);

/// The points of a recipe, `settings.count` of them (0: 20,000), or of a file, which rest. Long work that tells how far
/// it is. Throws UsageError, FileError, Cancelled.
GridPoints make_points(const IrregularSettings& settings, int dimension);

/// All places in a step: (n, dimension).
std::vector<std::uint32_t> points_in_step(const GridPoints& points, std::uint64_t step);

}  // namespace warploom
