#pragma once
#include "gpu/core/bits.h"
#include "gpu/core/group.h"
#include "gpu/scenes/fractal/works/row_tiles.h"

// What a thread does to a row of a tile, in a warp whose threads have the rows of tiles, one after the other.
namespace warploom {

/// What rows are worked on with.
struct RowArguments {
  const std::uint8_t* in = nullptr;
  std::uint8_t* out = nullptr;
  const std::uint64_t* members = nullptr;  ///< (rows of a tile, most_row_words): 1 in the byte of each member
  RowRule rule;
};

/// Which row a thread has.
template <class Tiles>
struct RowAt {
  typename Tiles::Tile tile{};
  std::uint32_t row = 0;
  bool there = false;  ///< false: it has none
};

template <int words, RowKind kind, class Tiles>
struct RowMemory {
  const Tiles& tiles;
  const RowArguments& with;

  using Row = CellRow<words>;
  WARPLOOM_HD Row members(std::uint32_t row) const {
    Row all;
    each_number<words>([&](auto i) { all.words[i] = with.members[row * most_row_words + i]; });
    return all;
  }
  WARPLOOM_HD std::uint64_t of_row(std::uint64_t tile, std::uint32_t row) const {
    return tile + std::uint64_t{row} * tiles.pitch;
  }
  WARPLOOM_HD Row load(std::uint64_t tile, std::uint32_t row) const {
    return tile == Tiles::nowhere ? Row{} : Row::template load<kind>(with.in + of_row(tile, row), wide());
  }
  /// Each cell of a row with those to its left and right, of the tiles beside.
  WARPLOOM_HD Row sums(const Row& cells, std::uint64_t left, std::uint64_t right, std::uint32_t row) const {
    return cells.template beside<kind>(wide(), left == Tiles::nowhere ? 0 : with.in[of_row(left, row) + wide() - 1],
                                       right == Tiles::nowhere ? 0 : with.in[of_row(right, row)]);
  }
  WARPLOOM_HD void store(const Row& cells, std::uint64_t tile, std::uint32_t row) const {
    cells.template store<kind>(with.out + of_row(tile, row), wide());
  }
  WARPLOOM_HD std::uint32_t wide() const { return kind == RowKind::full ? Row::most_cells : tiles.wide(); }
};

/// An automaton. Sums of three cells come from the threads above and below, but at the ends of a tile.
struct RowLife {
  static constexpr bool folds = false, looks_around = true;

  template <int words, RowKind kind, class Tiles, class Group, class Places>
  WARPLOOM_HD static void run(const Tiles& tiles, const RowArguments& with, Group& group, Places& places) {
    const RowMemory<words, kind, Tiles> memory{tiles, with};
    using Row = CellRow<words>;
    typename Group::template PerThread<Row> own, sums, others, count, edge;
    typename Group::template PerThread<unsigned> lanes;
    typename Group::template PerThread<Beside> beside;
    // A thread finds the tile that lies one way, all eight at once, and those of its tile are told.
    bool told = false;
    if constexpr (Tiles::told_by_warp) {
      told = tiles.tells && tiles.high() >= directions;
      if (told) tell(tiles, group, places, lanes, beside);
    }
    const std::uint32_t last = tiles.high() - 1;
    // Of the row above a tile, or below it, each cell with those to its left and right.
    const auto beyond_of = [&](const Thread& thread, bool below) {
      const std::uint32_t row = below ? 0 : last;
      if constexpr (Tiles::told_by_warp) {
        if (told) {
          const auto& beyond = beside[thread].beyond;
          return memory.sums(memory.load(tiles.base_told(beyond[1]), row), tiles.base_told(beyond[0]),
                             tiles.base_told(beyond[2]), row);
        }
      }
      const auto here = places[thread];
      const int left = below ? 5 : 0;
      return memory.sums(memory.load(tiles.beside(here.tile, left + 1), row), tiles.beside(here.tile, left),
                         tiles.beside(here.tile, left + 2), row);
    };
    group.each([&](const Thread& thread) {
      const auto here = places[thread];
      own[thread] = sums[thread] = count[thread] = edge[thread] = Row{};
      if (!here.there) return;
      const Row cells = memory.load(tiles.base(here.tile), here.row);
      std::uint64_t left = 0, right = 0;
      if constexpr (Tiles::told_by_warp) {
        if (told) {
          left = tiles.base_told(beside[thread].left);
          right = tiles.base_told(beside[thread].right);
        }
      }
      if (!told) {
        left = tiles.beside(here.tile, 3);
        right = tiles.beside(here.tile, 4);
      }
      // The first rows and the last ones look beyond their tiles at once; a tile of one row does so twice.
      if (here.row == 0 || here.row == last) edge[thread] = beyond_of(thread, here.row != 0);
      if (last == 0) {
        Row both = edge[thread];
        both += beyond_of(thread, true);
        edge[thread] = both;
      }
      own[thread] = cells;
      sums[thread] = memory.sums(cells, left, right, here.row);
    });
    const auto add = [&](auto side) {
      constexpr bool below = decltype(side)::value == 1;
      group.each([&](const Thread& thread) {
        const unsigned first = thread.index / warp_size * warp_size, lane = thread.index - first;
        const unsigned live = group.size() - first < warp_size ? group.size() - first : warp_size;
        lanes[thread] = below ? (lane + 1 < live ? lane + 1 : lane) : (lane ? lane - 1 : 0);
      });
      group.shuffle(sums, lanes, others);
      group.each([&](const Thread& thread) {
        const auto here = places[thread];
        if (!here.there) return;
        if (here.row != (below ? last : 0))
          count[thread] += others[thread];
        else if (!below || last != 0)
          count[thread] += edge[thread];
      });
    };
    add(Number<0>{});
    add(Number<1>{});
    group.each([&](const Thread& thread) {
      const auto here = places[thread];
      if (!here.there) return;
      const Row members = memory.members(here.row), self = own[thread], around = count[thread], three = sums[thread];
      Row next;
      each_number<words>([&](auto i) {
        next.words[i] =
            with.rule.next(self.words[i], around.words[i] + three.words[i] - self.words[i]) & members.words[i];
      });
      memory.store(next, tiles.base(here.tile), here.row);
    });
  }

 private:
  /// Numbers of the tiles beside a row's own; `beyond` of a tile's first and last row: those above or below it.
  struct Beside {
    std::uint32_t left = 0, right = 0, beyond[3] = {};
  };
  template <class Tiles, class Group, class Places, class Lanes, class Besides>
  WARPLOOM_HD static void tell(const Tiles& tiles, Group& group, Places& places, Lanes& lanes, Besides& beside) {
    typename Group::template PerThread<std::uint32_t> found, heard;
    typename Group::template PerThread<unsigned> first;  ///< lane of the tile's first row
    group.each([&](const Thread& thread) {
      const auto here = places[thread];
      found[thread] = Tiles::told_nowhere;
      if (here.there && here.row < directions) found[thread] = tiles.told(here.tile, static_cast<int>(here.row));
      first[thread] = here.there ? thread.index % warp_size - here.row : 0;
    });
    const auto ask = [&](unsigned of, bool beyond, auto&& take) {
      group.each([&](const Thread& thread) {
        lanes[thread] = first[thread] + of + (beyond && places[thread].row + 1 == tiles.high() ? 5 : 0);
      });
      group.shuffle(found, lanes, heard);
      group.each([&](const Thread& thread) { take(beside[thread], heard[thread]); });
    };
    ask(3, false, [](Beside& to, std::uint32_t tile) { to.left = tile; });
    ask(4, false, [](Beside& to, std::uint32_t tile) { to.right = tile; });
    ask(0, true, [](Beside& to, std::uint32_t tile) { to.beyond[0] = tile; });
    ask(1, true, [](Beside& to, std::uint32_t tile) { to.beyond[1] = tile; });
    ask(2, true, [](Beside& to, std::uint32_t tile) { to.beyond[2] = tile; });
  }
};

/// A constant to every cell; places between them get the zeros that they have.
struct RowWrite {
  static constexpr bool folds = false, looks_around = false;
  template <int words, RowKind kind, class Tiles, class Group, class Places>
  WARPLOOM_HD static void run(const Tiles& tiles, const RowArguments& with, Group& group, Places& places) {
    const RowMemory<words, kind, Tiles> memory{tiles, with};
    group.each([&](const Thread& thread) {
      const auto here = places[thread];
      if (here.there) memory.store(memory.members(here.row), tiles.base(here.tile), here.row);
    });
  }
};

/// The sum of all cells.
struct RowSum {
  static constexpr bool folds = true;
  template <int words, RowKind kind, class Tiles>
  WARPLOOM_HD static std::uint64_t part(const Tiles& tiles, const RowArguments& with, const RowAt<Tiles>& here) {
    const auto cells = RowMemory<words, kind, Tiles>{tiles, with}.load(tiles.base(here.tile), here.row);
    std::uint64_t sum = 0;
    each_number<words>([&](auto i) { sum += cells.words[i] * ones_of_bytes >> 56; });
    return sum;
  }
};

/// The map alone: x + 2^32 y of every cell, summed.
struct RowPlaces {
  static constexpr bool folds = true;
  template <int words, RowKind kind, class Tiles>
  WARPLOOM_HD static std::uint64_t part(const Tiles& tiles, const RowArguments& with, const RowAt<Tiles>& here) {
    const Index2 first = tiles.origin(here.tile);
    const auto members = RowMemory<words, kind, Tiles>{tiles, with}.members(here.row);
    std::uint64_t sum = 0;
    each_number<words>([&](auto i) {
      for (std::uint64_t rest = members.words[i]; rest; rest &= rest - 1) {
        const std::uint32_t x = i * 8 + static_cast<std::uint32_t>(lowest_bit(rest)) / 8;
        sum += first.x + x + (std::uint64_t{first.y + here.row} << 32);
      }
    });
    return sum;
  }
};

}  // namespace warploom
