#pragma once
#include "gpu/scenes/butterfly/kernels/look_back.h"
#include "gpu/scenes/butterfly/tuned/scan_block.h"

namespace warploom {

/// Tiles of rows that look back at those before them, a thread at each; of a device or, of any_block, of a CPU. Source:
/// merrill2016lookback.
template <class Network, class Operator, int block = any_block>
struct TiledRows {
  using Value = typename Operator::Value;
  static constexpr int l = StayingScan::most_threads, log_elements = StayingScan::p + l;  ///< of a tile
  using Trace = std::conditional_t<block == any_block, StageTrace<Value>, NoTrace>;
  using Tile = TunedScan<Network, Operator, block, Trace>;
  static_assert(block == any_block || block == l);
  using Told = typename TileBoard<Value>::Told;
  static constexpr unsigned threads = 1u << l, warps = threads / warp_size;

  Tile tile;  ///< its rows are tiles
  int n;      ///< log2 of the elements of a row
  TileBoard<Value> board;

  WARPLOOM_HD std::uint64_t in_row(std::uint64_t number) const {
    return number & ((std::uint64_t{1} << (n - log_elements)) - 1);
  }

  /// What tiles come to, and whether there are none before them: the newer of two behind the older.
  struct Joined {
    Value value;
    std::uint32_t all;
  };
  WARPLOOM_HD Joined joined(const Joined& older, const Joined& newer) const {
    if (newer.all) return newer;
    return {tile.op.combine(older.value, newer.value), older.all};
  }
  static constexpr std::uint64_t words_of_block = warps + 1;

  /// Of the tiles before this one in its row; the same for all threads. Barriers.
  template <class Group, class Words>
  WARPLOOM_HD Value before(Group& group, Words& words, std::uint64_t number) const {
    const std::uint64_t there = in_row(number);
    if (there == 0) return tile.op.identity();
    for (std::uint64_t passed = 0;; passed += threads) {
      typename Group::template PerThread<Joined> own;
      group.each([&](const Thread& thread) {
        const std::uint64_t distance = passed + thread.index + 1;
        Joined one{tile.op.identity(), 1};
        if (distance <= there) one.all = board.wait(group, number - distance, one.value) == Told::prefix;
        own[thread] = one;
      });
      join_lanes<1>(group, own, [&](const Joined& self, const Joined& behind) { return joined(behind, self); });
      group.each([&](const Thread& thread) {
        if (thread.index % warp_size == 0) words[thread.index / warp_size] = own[thread];
      });
      group.barrier();
      group.once([&] {
        Joined all = words[0];
        for (unsigned warp = 1; warp < warps; ++warp) all = joined(words[warp], all);
        words[warps] = passed == 0 ? all : joined(all, words[warps]);
      });
      group.barrier();
      const Joined all = words[warps];
      if (all.all) return all.value;
    }
  }
  /// A lane joins those behind it: the first of a warp all of them. join(its own, what stands behind).
  template <unsigned distance, class Group, class Own, class Join>
  WARPLOOM_HD static void join_lanes(Group& group, Own& own, Join&& join) {
    if constexpr (distance < warp_size) {
      Own received;
      shuffle_lanes(
          group, received, [&](const Thread& thread) { return own[thread]; },
          [](const Thread& thread) { return thread.index + distance; });
      group.each([&](const Thread& thread) { own[thread] = join(own[thread], received[thread]); });
      join_lanes<2 * distance>(group, own, join);
    }
  }

  /// The scan of a tile, joined with what is before it, which others are told.
  template <class Group, class Words>
  WARPLOOM_HD void scan(Group& group, Words& words, std::uint64_t number, bool tells_sum) const {
    const std::uint64_t first = number << log_elements;
    typename Tile::template Own<Group> own;
    typename Tile::template One<Group> before_warp;
    tile.load(group, own, first);
    tile.run(group, own, before_warp, first);
    typename Group::template PerThread<Value> last;
    group.each([&](const Thread& thread) {
      last[thread] = own[thread].v[Tile::items - 1];
      if (tells_sum && thread.index + 1 == group.size()) board.tell(number, Told::sum, last[thread]);
    });
    if (tile.exclusive) tile.shift(group, own, before_warp);
    const Value of_row = before(group, words, number);
    group.each([&](const Thread& thread) {
      if (thread.index + 1 == group.size()) {
        // Where another block tells the sum, it has done so: a value of two words is never half of each.
        if (Value sum; !tells_sum) (void)board.wait(group, number, sum);
        board.tell(number, Told::prefix, tile.op.combine(of_row, last[thread]));
      }
      if (in_row(number) != 0) {
        WARPLOOM_UNROLL
        for (int i = 0; i < Tile::items; ++i) own[thread].v[i] = tile.op.combine(of_row, own[thread].v[i]);
      }
      tile.store(group, thread, own[thread], first);
    });
  }
  /// The sum of a tile alone, for those behind it.
  template <class Group, class Words>
  WARPLOOM_HD void tell_sum(Group& group, Words& words, std::uint64_t number) const {
    constexpr int fours = Tile::items / 4;
    typename Tile::template Own<Group> own;
    tile.load(group, own, number << log_elements);
    typename Group::template PerThread<Value> sum;
    // Four neighbours are a thread's, its fours a warp apart.
    WARPLOOM_UNROLL
    for (int four = 0; four < fours; ++four) {
      typename Group::template PerThread<Value> of_four;
      group.each([&](const Thread& thread) {
        const Value* const v = own[thread].v + 4 * four;
        of_four[thread] = tile.op.combine(tile.op.combine(v[0], v[1]), tile.op.combine(v[2], v[3]));
      });
      join_lanes<1>(group, of_four,
                    [&](const Value& self, const Value& behind) { return tile.op.combine(self, behind); });
      group.each([&](const Thread& thread) {
        sum[thread] = four == 0 ? of_four[thread] : tile.op.combine(sum[thread], of_four[thread]);
      });
    }
    group.each([&](const Thread& thread) {
      if (thread.index % warp_size == 0) words[thread.index / warp_size] = Joined{sum[thread], 0};
    });
    group.barrier();
    group.once([&] {
      Joined all = words[0];
      for (unsigned warp = 1; warp < warps; ++warp) all = joined(all, words[warp]);
      board.tell(number, Told::sum, all.value);
    });
  }

  /// Of the tile's totals, rounded up; then those of tiles, then the ticket.
  WARPLOOM_HD static constexpr std::uint64_t own_bytes() { return (warps * sizeof(Value) + 15) / 16 * 16; }
  WARPLOOM_HD static constexpr std::uint64_t joined_bytes() { return (words_of_block * sizeof(Joined) + 15) / 16 * 16; }
  static constexpr std::uint64_t dynamic_bytes() { return own_bytes() + joined_bytes() + sizeof(std::uint64_t); }
  /// body(ticket, words of tiles).
  template <class Group, class Body>
  WARPLOOM_HD void with_ticket(Group& group, Body&& body) const {
    auto words = group.template dynamic_tile<Joined>(words_of_block, own_bytes());
    auto taken = group.template dynamic_tile<std::uint64_t>(1, own_bytes() + joined_bytes());
    group.once([&] { taken[0] = atomic_fetch_add(board.ticket, std::uint64_t{1}); });
    group.barrier();
    body(taken[0], words);
  }
};

/// A scan of long rows: a block scans a tile and looks back. Launched with a block for each tile.
template <class Network, class Operator, int block = any_block>
struct TunedLookBack {
  using Rows = TiledRows<Network, Operator, block>;
  static constexpr bool on_cpu = Rows::Tile::on_cpu, on_devices = Rows::Tile::on_devices;
  static constexpr unsigned exact_threads = Rows::threads, most_threads = exact_threads,
                            least_blocks = Rows::Tile::least_blocks;
  static constexpr std::uint64_t threads_per_chunk = 1024;

  Rows rows;

  std::uint64_t dynamic_shared_bytes() const { return Rows::dynamic_bytes(); }
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    rows.with_ticket(group, [&](std::uint64_t ticket, auto& words) { rows.scan(group, words, ticket, true); });
  }
};

/// ... in two passes of one launch: even tickets tell the sum of a tile; odd ones scan a tile that is `lag` behind,
/// when its sum and all before it are told, or nearly so, and its values are still in the device's second cache.
template <class Network, class Operator, int block = any_block>
struct TunedScanRing {
  using Rows = TiledRows<Network, Operator, block>;
  static constexpr bool on_cpu = Rows::Tile::on_cpu, on_devices = Rows::Tile::on_devices;
  static constexpr unsigned exact_threads = Rows::threads, most_threads = exact_threads,
                            least_blocks = Rows::Tile::least_blocks;
  static constexpr std::uint64_t threads_per_chunk = 1024;

  Rows rows;
  std::uint64_t tiles;
  std::uint32_t lag;

  std::uint64_t tickets() const { return 2 * (tiles + lag); }
  std::uint64_t dynamic_shared_bytes() const { return Rows::dynamic_bytes(); }
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    rows.with_ticket(group, [&](std::uint64_t ticket, auto& words) {
      const std::uint64_t number = ticket / 2;
      if (ticket % 2 == 0) {
        if (number < tiles) rows.tell_sum(group, words, number);
      } else if (number >= lag && number - lag < tiles) {
        rows.scan(group, words, number - lag, false);
      }
    });
  }
};

}  // namespace warploom
