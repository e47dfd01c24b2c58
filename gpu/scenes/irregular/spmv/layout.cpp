#include "gpu/scenes/irregular/spmv/layout.h"

#include <algorithm>

#include "gpu/core/error.h"
#include "gpu/core/format.h"
#include "gpu/scenes/irregular/spmv/recipes.h"

namespace warploom {

void SpmvLayout::count_turns(int launch, std::uint64_t warp, std::uint64_t full, std::uint64_t partial,
                             std::uint64_t turns) {
  if (warp % 65536 == 0) tell_spmv(0);
  counts_.launched += warp_size * turns;
  counts_.warps_full += full;
  counts_.warps_partial += partial;
  counts_.warps_idle += turns - full - partial;
  longest_turns_ = std::max(longest_turns_, turns);
  const std::uint64_t block = warp / (spmv_threads / warp_size);
  if (full + partial == 0 || (block == last_block_ && launch == last_launch_)) return;
  last_block_ = block;
  last_launch_ = launch;
  ++counts_.blocks_useful;
}

void SpmvLayout::count_warp(int launch, std::uint64_t warp, const std::uint64_t (&work)[warp_size],
                            std::uint64_t turns) {
  const auto [least, most] = std::minmax_element(std::begin(work), std::end(work));
  count_turns(launch, warp, *least, *most - *least, turns);
}

void SpmvLayout::count_elements(int launch, std::uint64_t elements) {
  for (std::uint64_t first = 0; first < elements; first += warp_size) {
    const bool full = elements - first >= warp_size;
    count_turns(launch, first / warp_size, full, !full, 1);
  }
}

void SpmvLayout::finish(double bytes) {
  bytes_ = bytes;
  for (const SpmvArray& array : arrays_) stored_ += array.elements;
  for (std::size_t i = 0; i < threads_.size(); ++i) counts_.blocks += shape(static_cast<int>(i)).block_count();
  counts_.launched_stated = counts_.launched;
  counts_.useful = counts_.useful_stated = matrix_.nonzeros();
}

std::vector<std::uint32_t> spmv_lengths(const SpmvMatrix& matrix) {
  std::vector<std::uint32_t> rows(matrix.longest + 1ull);
  for (std::uint32_t row = 0; row < matrix.rows; ++row) ++rows[matrix.length(row)];
  return rows;
}

std::uint32_t hyb_width(const std::string& words, const SpmvMatrix& matrix, const std::vector<std::uint32_t>& lengths) {
  // Rows of at least so many nonzeros fall with the width: each rule is looked for from one end.
  if (words == "bytes") {
    std::uint64_t rows = 0;
    for (std::uint32_t width = matrix.longest; width > 0; --width) {
      rows += lengths[width];
      if (12 * rows > 8 * matrix.padded_rows()) return width;
    }
    return 0;
  }
  if (words == "cusp") {
    std::uint64_t longer = matrix.rows;
    for (std::uint32_t width = 0;; ++width) {
      longer -= lengths[width];
      if (3 * longer < matrix.rows || longer < 4096) return width;
    }
  }
  check_hyb_width(words);
  return std::min(*whole_number(words), matrix.longest);
}

void check_hyb_width(const std::string& words) {
  if (words == "bytes" || words == "cusp" || whole_number(words)) return;
  throw UsageError("hyb_width '" + words + "': expected bytes, cusp or a number from 0 to 999999999");
}

}  // namespace warploom
