#pragma once
#include "gpu/scenes/butterfly/kernels/look_back.h"
#include "gpu/scenes/butterfly/tuned/scan_block.h"

namespace warploom {

/// A block scans a tile of a row, adds up what tiles before it in its row have told, and joins it. Launched with a
/// block for each tile. Source: merrill2016lookback.
template <class Network, class Operator>
struct TunedLookBack {
  using Value = typename Operator::Value;
  static constexpr int l = StayingScan::threads(StayingScan::most_in_block);
  using Tile = TunedScan<Network, Operator, l>;
  static constexpr unsigned exact_threads = Tile::exact_threads, most_threads = exact_threads,
                            least_blocks = Tile::least_blocks;
  static constexpr std::uint64_t threads_per_chunk = 1024;

  Tile tile;  ///< its rows are tiles
  int n;      ///< log2 of the elements of a row
  TileBoard<Value> board;

  std::uint64_t dynamic_shared_bytes() const { return own_bytes() + 16 + 2 * sizeof(Value); }

  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    auto taken = group.template dynamic_tile<std::uint64_t>(1, own_bytes());
    auto sums = group.template dynamic_tile<Value>(2, own_bytes() + 16);
    group.once([&] { taken[0] = atomic_fetch_add(board.ticket, std::uint64_t{1}); });
    group.barrier();
    const std::uint64_t number = taken[0], first = number << Tile::tile,
                        in_row = number & ((std::uint64_t{1} << (n - Tile::tile)) - 1);
    typename Tile::template Own<Group> own;
    typename Tile::template One<Group> before;
    tile.load(group, own, first);
    tile.run(group, own, before, first);
    group.each([&](const Thread& thread) {
      if (thread.index + 1 == group.size()) sums[0] = own[thread].v[Tile::items - 1];
    });
    group.barrier();
    group.once([&] { sums[1] = board.before(group, tile.op, number, in_row, sums[0]); });
    if (tile.exclusive) tile.shift(group, own, before);
    group.barrier();
    group.each([&](const Thread& thread) {
      const Value of_row = sums[1];
      if (in_row != 0) {
        WARPLOOM_UNROLL
        for (int i = 0; i < Tile::items; ++i) own[thread].v[i] = tile.op.combine(of_row, own[thread].v[i]);
      }
      tile.store(thread, own[thread], first);
    });
  }

 private:
  /// Of the tile's totals, rounded up.
  WARPLOOM_HD static constexpr std::uint64_t own_bytes() {
    return (Tile::words_of_block() * sizeof(Value) + 15) / 16 * 16;
  }
};

}  // namespace warploom
