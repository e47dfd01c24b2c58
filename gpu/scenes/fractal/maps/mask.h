#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace warploom {

/// A fractal of non-overlapping bottom-up boxes, F(k, s): level r + 1 is k translated copies of level r in the boxes of
/// an s_x by s_y grid [navarro2020fractals]. The mask is that grid's picture: '#' a copy, '.' none.
struct Mask {
  std::string key, name, source, status;
  std::vector<std::string> rows;  ///< top to bottom, s_y rows of s_x characters
  std::filesystem::path file;     ///< where it came from; empty when it was typed

  std::uint32_t side_x() const { return rows.empty() ? 0 : static_cast<std::uint32_t>(rows[0].size()); }
  std::uint32_t side_y() const { return static_cast<std::uint32_t>(rows.size()); }
  std::uint32_t copies() const;
  /// Hausdorff dimension: log k / log s of a square mask; of others, self-affine carpets, McMullen's
  /// [mcmullen1984carpets].
  double dimension() const;
};

/// Largest side of a mask.
inline constexpr std::uint32_t largest_mask_side = 8;

/// Throws UsageError naming the culprit unless 2 <= s_x, 1 <= s_y, both <= 8, rows of equal length out of '#' and '.',
/// and 2 <= k <= s_x s_y.
void check(const Mask& mask);

}  // namespace warploom
