#pragma once
#include "gpu/core/group.h"
#include "gpu/core/pack.h"
#include "gpu/core/unroll.h"
#include "gpu/scenes/butterfly/rules/sort.h"

// Sorts of rows that are longer than a block. Source: perez2018large.
namespace warploom {

/// A tile of a row as a problem of its own. Descending tiles are sorted by the complements of their keys.
template <class Network_>
struct TileSortRule : SortRule<Network_> {
  using Value = std::uint32_t;
  int descending = -1;  ///< the bit of a tile's number that says so; -1: none is

  WARPLOOM_HD Value load(std::uint64_t tile, std::uint32_t e) const {
    return this->in[(tile << this->network.n) + e] ^ turned(tile);
  }
  WARPLOOM_HD void store(std::uint64_t tile, std::uint32_t e, Value value, ZeroPivot&) const {
    this->out[(tile << this->network.n) + e] = value ^ turned(tile);
  }

 private:
  WARPLOOM_HD Value turned(std::uint64_t tile) const { return descending >= 0 && tile >> descending & 1 ? ~0u : 0u; }
};

/// Launches of tiles of 2^s keys and of merges above them, of so many digits at most each.
constexpr std::uint64_t sort_launches(int n, int s, int digits) {
  std::uint64_t all = 1;
  for (int k = s + 1; k <= n; ++k) all += 1 + static_cast<std::uint64_t>((k - s + digits - 1) / digits);
  return all;
}

/// Of a bitonic merge of runs of 2^k some digits above those of a tile, each thread alone: 2^digits keys in its
/// registers, of one column or of four that lie side by side. Launched with row_shape of the threads.
template <int digits, unsigned columns = 1>
struct MergeDigits {
  std::uint32_t* keys;
  std::uint64_t threads;  ///< (all keys >> digits) / columns
  int n, k, low;          ///< of a row; of the runs; the lowest of the digits, from 1

  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    each_item(group, threads, [&](std::uint64_t i) {
      const std::uint64_t column = columns * i, below = below_digit(low),
                          first = (column & below) | (column & ~below) << digits;
      Pack<std::uint32_t, columns> own[1 << digits];
      WARPLOOM_UNROLL
      for (int t = 0; t < 1 << digits; ++t) own[t] = load_pack<columns>(keys + (first | std::uint64_t(t) << (low - 1)));
      const bool falls = k < n && first >> k & 1;
      WARPLOOM_UNROLL
      for (int half = 1 << (digits - 1); half > 0; half /= 2) {
        WARPLOOM_UNROLL
        for (int t = 0; t < 1 << digits; ++t) {
          if (t & half) continue;
          WARPLOOM_UNROLL
          for (unsigned c = 0; c < columns; ++c) {
            const std::uint32_t a = own[t][c], b = own[t | half][c];
            const bool keeps = (a < b) != falls;
            own[t][c] = keeps ? a : b;
            own[t | half][c] = keeps ? b : a;
          }
        }
      }
      WARPLOOM_UNROLL
      for (int t = 0; t < 1 << digits; ++t) store_pack(keys + (first | std::uint64_t(t) << (low - 1)), own[t]);
    });
  }
};

}  // namespace warploom
