#pragma once
#include "gpu/scenes/butterfly/networks/bitonic_merge.h"
#include "gpu/scenes/butterfly/rules/long_sort.h"
#include "gpu/scenes/butterfly/tracks/in_place_blocks.h"

namespace warploom {

/// Merges of runs of keys that are bitonic, in place: the digits above a tile by registers, then tiles.
class BitonicMerges {
 public:
  /// `tile`: of a tile as a problem of its own.
  BitonicMerges(const NetworkMapping& tile, bool shuffles);
  /// Of rows of 2^n the runs of 2^k keys, k at least the digits of a tile: rising, and every second one falling where
  /// a row has several.
  void launch(const char* kernel, Queue& queue, std::uint32_t* keys, std::uint64_t batch, int n, int k) const;
  /// How many launches that takes.
  std::uint64_t launches(int k) const;
  std::uint64_t exchanges() const { return tiles_.exchanges(); }

 private:
  static constexpr int most_digits = 4;
  using Merge = TileSortRule<BitonicMerge>;
  static Merge rule(const NetworkMapping& tile, std::uint32_t* keys, int descending);
  int digits_;  ///< of a tile
  InPlaceBlocks<Merge> tiles_;
};

}  // namespace warploom
