#pragma once
#include "gpu/scenes/simplex/maps/simplex_map.h"

namespace warploom {

Formula explain_table(const SimplexQuestion& question);

/// Memory instead of arithmetic: an entry per block for up to 2^22 blocks; beyond, the starts of all rows and layers,
/// and binary searches.
template <int Dimensions>
struct TablePlacing : FoldedPlacing<Dimensions> {
  static constexpr MapInfo info{"table", "Table", "an entry a block; beyond 2^22 blocks a binary search of rows",
                                "navarro2016tetrahedra"};
  static constexpr std::uint64_t most_entries = 1u << 22;
  static constexpr int bits = Dimensions == 2 ? 16 : 10;  ///< of a coordinate in an entry

  using FoldedPlacing<Dimensions>::count, FoldedPlacing<Dimensions>::folded;
  std::uint32_t blocks;
  const std::uint32_t* entries;
  TablePlacing(std::uint32_t blocks_a_side, const std::uint32_t* table)
      : FoldedPlacing<Dimensions>(blocks_a_side), blocks(blocks_a_side), entries(table) {}

  WARPLOOM_HD bool place(int, Index3 at, int, Index3& block) const {
    if (count <= most_entries) {
      const std::uint32_t number = (at.z * folded.y + at.y) * folded.x + at.x;
      if (number >= static_cast<std::uint32_t>(count)) return false;
      const std::uint32_t entry = entries[number], mask = (1u << bits) - 1;
      block = {entry & mask, entry >> bits & mask, Dimensions == 3 ? entry >> 2 * bits : 0};
      return true;
    }
    std::uint64_t w = linear_index(at, folded);
    if (w >= count) return false;
    block = {};
    if constexpr (Dimensions == 3) {
      const std::uint32_t of_rows = 2 * (blocks + 1);  // their starts come first
      block.z = last_start(entries + of_rows, w);
      w -= start(entries + of_rows, block.z);
    }
    block.y = last_start(entries, w);
    block.x = static_cast<std::uint32_t>(w - start(entries, block.y));
    return true;
  }

  /// t or T words of packed coordinates; or where rows start, then layers, low word first.
  static MapTable table(std::uint32_t blocks) {
    MapTable all;
    const std::uint64_t count = simplex_number<Dimensions>(blocks);
    if (count <= most_entries) {
      all.reserve(count);
      for (std::uint32_t z = 0; z < (Dimensions == 3 ? blocks : 1); ++z)
        for (std::uint32_t y = 0; y <= (Dimensions == 3 ? z : blocks - 1); ++y)
          for (std::uint32_t x = 0; x <= y; ++x)
            all.push_back(x | y << bits | (Dimensions == 3 ? z << 2 * bits % 32 : 0));
      return all;
    }
    const auto add = [&](std::uint64_t value) {
      all.push_back(static_cast<std::uint32_t>(value));
      all.push_back(static_cast<std::uint32_t>(value >> 32));
    };
    for (std::uint32_t y = 0; y <= blocks; ++y) add(triangle_number(y));
    if (Dimensions == 3)
      for (std::uint32_t z = 0; z <= blocks; ++z) add(tetrahedron_number(z));
    return all;
  }

  static double table_bytes(std::uint32_t blocks) {
    const double entries = simplex_number_real(Dimensions, blocks);
    return entries <= static_cast<double>(most_entries) ? 4 * entries : 8 * (blocks + 1.) * (Dimensions - 1);
  }

  static Formula explain(const SimplexQuestion& question) { return explain_table(question); }

 private:
  WARPLOOM_HD static std::uint64_t start(const std::uint32_t* starts, std::uint32_t i) {
    const std::uint32_t low = 2 * i;
    return starts[low] | std::uint64_t{starts[low + 1]} << 32;
  }
  /// The last i with start(i) <= w, i below the number of blocks per side.
  WARPLOOM_HD std::uint32_t last_start(const std::uint32_t* starts, std::uint64_t w) const {
    std::uint32_t low = 0, high = blocks;
    while (high - low > 1) {
      const std::uint32_t middle = low + (high - low) / 2;
      if (start(starts, middle) <= w)
        low = middle;
      else
        high = middle;
    }
    return low;
  }
};

}  // namespace warploom
