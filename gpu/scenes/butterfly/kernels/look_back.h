#pragma once
#include <cstdint>
#include <cstring>

#include "gpu/core/atomic.h"
#include "gpu/scenes/butterfly/kernels/in_place_block.h"

// A scan of long rows in one launch. Source: merrill2016lookback.
namespace warploom {

/// What tiles tell those behind them: their own sum first, and that of all of their row up to them when they know it.
/// Each 64-bit word is 32 bits of a value and what they are, so that no order of stores matters.
template <class Value>
struct TileBoard {
  static constexpr int words = sizeof(Value) / 4;
  enum class Told : std::uint32_t { nothing, sum, prefix };

  std::uint64_t* told;    ///< (tiles, words); 0 before
  std::uint64_t* ticket;  ///< the next tile to be taken; 0 before

  WARPLOOM_HD void tell(std::uint64_t tile, Told what, const Value& value) const {
    std::uint32_t parts[words];
    memcpy(parts, &value, sizeof value);
    for (int w = 0; w < words; ++w)
      relaxed_store(told + tile * words + w, static_cast<std::uint64_t>(what) << 32 | parts[w]);
  }
  /// Waits until that tile has told something. It is running, or has run: tiles are taken in order.
  template <class Group>
  WARPLOOM_HD Told wait(Group& group, std::uint64_t tile, Value& value) const {
    std::uint32_t parts[words];
    for (;; group.pause()) {
      const std::uint64_t first = relaxed_load(told + tile * words);
      auto what = static_cast<Told>(first >> 32);
      parts[0] = static_cast<std::uint32_t>(first);
      for (int w = 1; w < words; ++w) {
        const std::uint64_t next = relaxed_load(told + tile * words + w);
        // Half a sum and half a prefix are neither.
        if (static_cast<Told>(next >> 32) != what) what = Told::nothing;
        parts[w] = static_cast<std::uint32_t>(next);
      }
      if (what == Told::nothing) continue;
      memcpy(&value, parts, sizeof value);
      return what;
    }
  }
  /// Of the tiles before this one in its row, of which there are `in_row`: those behind are told of its sum meanwhile,
  /// and of both together. One thread.
  template <class Group, class Operator>
  WARPLOOM_HD Value before(Group& group, const Operator& op, std::uint64_t tile, std::uint64_t in_row,
                           const Value& sum) const {
    Value all = op.identity();
    if (in_row != 0) {
      tell(tile, Told::sum, sum);
      for (std::uint64_t other = tile - 1;; --other) {
        Value more;
        const Told what = wait(group, other, more);
        all = op.combine(more, all);
        if (what == Told::prefix) break;
      }
    }
    tell(tile, Told::prefix, op.combine(all, sum));
    return all;
  }
};

/// A block scans a tile of 2^s elements by a network, adds up what tiles before it in its row have told, and joins it.
/// Launched with a block for each tile.
template <class Rule, int most, bool exact>
struct LookBackBlock {
  static constexpr std::uint64_t threads_per_chunk = 1024;
  using Value = typename Rule::Value;

  InPlaceBlock<Rule, most, exact, false> tile;  ///< its problems are tiles, of which a block has one
  int n;                                        ///< log2 of the elements of a row
  TileBoard<Value> board;

  std::uint64_t dynamic_shared_bytes() const { return own_bytes() + 2 * sizeof(std::uint64_t) + 2 * sizeof(Value); }

  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    auto taken = group.template dynamic_tile<std::uint64_t>(1, own_bytes());
    auto sums = group.template dynamic_tile<Value>(2, own_bytes() + 2 * sizeof(std::uint64_t));
    group.once([&] { taken[0] = atomic_fetch_add(board.ticket, std::uint64_t{1}); });
    group.barrier();
    const std::uint64_t number = taken[0];
    typename InPlaceBlock<Rule, most, exact, false>::template Own<Group> own;
    tile.load(group, own, number);
    tile.run(group, own, number);
    const int s = tile.mapping.s;
    const std::uint64_t in_row = number & ((std::uint64_t{1} << (n - s)) - 1), row = number >> (n - s);
    const std::uint32_t elements = 1u << s;
    group.each([&](const Thread& thread) {
      if (thread.index + 1 == group.size()) sums[0] = tile.last(own[thread]);
    });
    group.barrier();
    group.once([&] { sums[1] = board.before(group, tile.rule.op, number, in_row, sums[0]); });
    group.barrier();
    group.each([&](const Thread& thread) {
      const Value before = sums[1];
      tile.each_of(thread, own[thread], [&](std::uint32_t e, const Value& value) {
        tile.rule.put(tile.rule.out + (row << n), 1u << n, static_cast<std::uint32_t>(in_row) * elements + e,
                      in_row ? tile.rule.op.combine(before, value) : value);
      });
    });
  }

 private:
  /// Of the network's exchanges, rounded up.
  WARPLOOM_HD std::uint64_t own_bytes() const {
    const std::uint64_t bytes = tile.crossing.none() ? 0 : sizeof(typename Rule::Word) << tile.mapping.s;
    return (bytes + 15) / 16 * 16;
  }
};

}  // namespace warploom
