#pragma once
#include "gpu/core/group.h"
#include "gpu/core/unroll.h"
#include "gpu/scenes/fractal/works/block_rule.h"
#include "gpu/scenes/fractal/works/tile_pipe.h"
#include "gpu/scenes/fractal/works/window_tables.h"

namespace warploom {

/// A window of side_x x side_y places of the boxes of a mask that is known when the program runs: not all of them need
/// have a word, and those without are always 0. Beside it are the places around, row by row.
template <int side_x, int side_y>
struct OpenGeometry {
  static constexpr int words = side_x * side_y, slots = (side_x + 2) * (side_y + 2) - words;
  WARPLOOM_HD static constexpr int neighbours(int) { return directions; }
  WARPLOOM_HD static constexpr int neighbour(int place, int direction) {
    return at(place % side_x + step_x(direction), place / side_x + step_y(direction));
  }
  /// The place (x, y), -1 to the sides: one of the window, or `words` + one of those around.
  WARPLOOM_HD static constexpr int at(int x, int y) {
    if (x >= 0 && y >= 0 && x < side_x && y < side_y) return y * side_x + x;
    if (y < 0) return words + x + 1;
    if (y >= side_y) return words + side_x + 2 + 2 * side_y + x + 1;
    return words + side_x + 2 + 2 * y + (x >= side_x);
  }
};

/// One step on a mask that is known when the program runs, tile by tile: a thread has the places of a window of a box
/// in one chunk, then of another. Which of them have words, and where the words around lie, is looked up in shared
/// memory where it has room for it; what no window has is not asked for. Launched with any number of blocks.
template <int wide, int high, class Logic, bool shared_table = true>
struct WindowStep {
  static constexpr bool begins_early = true, rows_of_warps = true;
  using Geometry = OpenGeometry<wide, high>;
  static_assert(Geometry::words <= 16 && Geometry::words + Geometry::slots <= 64);
  using Pipe = TilePipe<void, 1>;

  Pipe pipe;
  WindowView window;
  Logic logic;

  static std::uint64_t items(const SlicedShape& shape, const Windows& windows) {
    return std::uint64_t{windows.pieces()} * shape.chunks;
  }
  std::uint64_t dynamic_shared_bytes() const { return sizeof(std::uint32_t) * std::uint64_t{words()}; }

  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    auto memory = group.template dynamic_tile<std::uint32_t>(words());
    const std::uint32_t table = pipe.end();
    if constexpr (shared_table)
      group.each([&](const Thread& thread) {
        for (std::uint32_t i = thread.index; i < window.words; i += group.size()) memory[table + i] = window.table[i];
      });
    const std::uint32_t all = window.pieces * pipe.chunks();
    pipe.each_tile(group, words(), [&](std::uint32_t tile, std::uint32_t stage) {
      group.each([&](const Thread& thread) {
        for (std::uint32_t item = thread.index; item < all; item += group.size()) run(group, stage, tile, item);
      });
    });
  }

 private:
  using Rule = BlockRule<Geometry, Logic>;
  WARPLOOM_HD std::uint32_t words() const { return pipe.end() + (shared_table ? window.words : 0); }

  template <class Group>
  WARPLOOM_HD void run(Group& group, std::uint32_t stage, std::uint32_t tile, std::uint32_t item) const {
    const SlicedShape& shape = pipe.states.shape;
    std::uint32_t chunk = item;
    const std::uint32_t piece = shape.by_chunks.split(chunk), of_chunk = chunk * 4 * 0x10001u;
    const std::uint32_t head = head_of(group, piece), there = head >> 16;
    std::uint32_t own[Geometry::words] = {}, beside[Geometry::slots] = {};
    constexpr int row = wide + 2, all = row * (high + 2);
    WARPLOOM_UNROLL
    for (int four = 0; four < (all + 3) / 4; ++four) {
      const Chunks<2> at = cells_of(group, piece + static_cast<std::uint32_t>(four) * window.pieces);
      WARPLOOM_UNROLL
      for (int i = 0; i < 4; ++i) {
        const int cell = 4 * four + i, place = Geometry::at(cell % row - 1, cell / row - 1);
        if (cell >= all) continue;
        // Two bytes' numbers at once: both stay below 2^16.
        const std::uint32_t both = at.of[i / 2] + of_chunk;
        const std::uint32_t word = Pipe::word_at(group, stage, i % 2 ? both >> 16 : both & 0xffffu).of[0];
        if (place < Geometry::words)
          own[place] = word;
        else
          beside[place - Geometry::words] = word;
      }
    }
    std::uint32_t* out = pipe.states.out + std::uint64_t{tile} * shape.tile_stride + (head & 0xffffu) + chunk;
    const std::uint32_t apart = shape.blocks_in_tile * shape.chunks;
    Rule::each_next(
        logic, own, beside,
        [&](auto i, std::uint32_t next) {
          if (!(there >> i & 1u)) return;
          if constexpr (!Logic::stays_dead) next &= shape.valid(chunk);
          *out = next;
          out += apart;
        },
        [&](int i) { return (window.used_places >> i & 1u) != 0; });
  }
  /// Of a piece: its first word and its places. And where four of its cells begin.
  template <class Group>
  WARPLOOM_HD std::uint32_t head_of(Group& group, std::uint32_t piece) const {
    if constexpr (shared_table) {
      auto heads = group.template dynamic_tile<std::uint32_t>(window.pieces, pipe.end() * 4);
      return heads[piece];
    } else {
      return window.table[piece];
    }
  }
  template <class Group>
  WARPLOOM_HD Chunks<2> cells_of(Group& group, std::uint32_t four) const {
    if constexpr (shared_table) {
      auto cells =
          group.template dynamic_tile<Chunks<2>>((window.words - even_pieces()) / 2, (pipe.end() + even_pieces()) * 4);
      return cells[four];
    } else {
      const std::uint32_t* const at = window.table + even_pieces() + 2 * std::size_t{four};
      return {{at[0], at[1]}};
    }
  }
  WARPLOOM_HD std::uint32_t even_pieces() const { return (window.pieces + 1) / 2 * 2; }
};

}  // namespace warploom
