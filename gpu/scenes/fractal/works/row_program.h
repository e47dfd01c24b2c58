#pragma once
#include "gpu/core/bits.h"
#include "gpu/maps/work.h"
#include "gpu/scenes/fractal/maps/lambda_map.h"
#include "gpu/scenes/fractal/works/row_works.h"

// How warps come to their tiles, and the program of all of them. `Ways`:
//   Tiles tiles; LaunchShape shape() const; int turns() const; visits() const
//   each(group, body)       body(PerThread<RowAt<Tiles>>&) for each turn of the block
//   bool owner(cell, who)   who serves a cell: block, turn, thread, and its place in the row as item
//   bool tile(who, first)   the first cell of the tile that a thread has a row of; false: none with cells
//   row(who)                which row
//   static explain(question)
//   looks_around; look_around(group, places, body)    if so: finds what places need to see neighbours, then body()
namespace warploom {

/// A warp a tile of the box.
struct EmbeddedRows {
  using Tiles = EmbeddedTiles;
  static constexpr unsigned most_threads = warp_size;
  static constexpr bool looks_around = false;
  Tiles tiles;
  int grid_digits = 0;
  const std::uint32_t* table = nullptr;

  EmbeddedRows() = default;
  EmbeddedRows(const FractalDomain& domain, int digits, const std::uint32_t* entries)
      : tiles(domain, digits), grid_digits(domain.level - digits), table(entries) {}
  WARPLOOM_HD std::uint32_t row(const Owner& who) const { return who.thread.x; }

 protected:
  /// Of a tile by its place in tiles.
  WARPLOOM_HD Index2 first_cell(Index2 place) const { return {place.x * tiles.wide(), place.y * tiles.high()}; }
  template <class Group, class Places>
  WARPLOOM_HD void place(Group& group, Places& places, Index2 tile) const {
    group.each([&](const Thread& thread) {
      places[thread] = {first_cell(tile), thread.index, thread.index < tiles.high()};
    });
  }
};

/// lambda of the block's index.
template <class Placing>
struct LambdaRows : EmbeddedRows {
  static constexpr MapInfo info = Placing::info;

  using EmbeddedRows::EmbeddedRows;
  static MapTable make_table(const FractalDomain& domain, int digits) {
    return Placing::table(domain, domain.level - digits);
  }
  WARPLOOM_HD LaunchShape shape() const {
    const FractalDomain& domain = tiles.domain;
    return {{domain.power_k[(grid_digits + 1) / 2].divisor, domain.power_k[grid_digits / 2].divisor, 1},
            {warp_size, 1, 1}};
  }
  WARPLOOM_HD int turns() const { return 1; }
  WARPLOOM_HD std::uint64_t visits() const { return shape().block_count(); }

  template <class Group, class Body>
  WARPLOOM_HD void each(Group& group, Body&& body) const {
    const Index2 tile = Placing::place(group, tiles.domain, grid_digits, table, group.block());
    typename Group::template PerThread<RowAt<Tiles>> places;
    place(group, places, tile);
    body(places);
  }

  WARPLOOM_HD bool owner(Cell cell, Owner& who) const {
    const FractalDomain& domain = tiles.domain;
    who = {};
    if (!domain.contains(cell) ||
        !domain.inverse(cell.x / tiles.wide(), cell.y / tiles.high(), grid_digits, who.block.x, who.block.y))
      return false;
    who.thread.x = cell.y % tiles.high();
    who.item = cell.x % tiles.wide();
    return true;
  }
  WARPLOOM_HD bool tile(const Owner& who, Index2& first) const {
    SoloGroup solo;
    first = first_cell(Placing::place(solo, tiles.domain, grid_digits, table, who.block));
    return true;
  }
  static Formula explain(const FractalQuestion& question) { return explain_lambda(question); }
};

/// The box: a warp tests 32 tiles of a column at once, and walks those that hold cells.
struct WalkRows : EmbeddedRows {
  static constexpr MapInfo info{"bounding_box_walk", "Bounding box, walking",
                                "a warp tests 32 tiles at once and walks those that hold cells", "navarro2020fractals"};
  std::uint32_t columns = 1, rows = 1;  ///< of tiles
  int chunk = 1;                        ///< digits that are tested at a look-up
  std::uint32_t chunk_rows = 1;         ///< s_y to so many

  WalkRows() = default;
  WalkRows(const FractalDomain& domain, int digits, const std::uint32_t* entries)
      : EmbeddedRows(domain, digits, entries),
        columns(domain.extent.x / tiles.wide()),
        rows(domain.extent.y / tiles.high()),
        chunk(chunk_digits(domain)) {
    for (int i = 0; i < chunk; ++i) chunk_rows *= domain.side_y;
  }
  /// As many as a word has bits for, and 1024 rows at most.
  static int chunk_digits(const FractalDomain& domain) {
    int digits = 1;
    for (std::uint64_t wide = std::uint64_t{domain.side_x} * domain.side_x,
                       high = std::uint64_t{domain.side_y} * domain.side_y;
         wide <= 32 && high <= 1024; wide *= domain.side_x, high *= domain.side_y)
      ++digits;
    return digits;
  }
  /// Of as many digits as a chunk: a word a row, a bit a column that is a member; then of the digits that are left.
  static MapTable make_table(const FractalDomain& domain, int digits) {
    MapTable all;
    const int most = chunk_digits(domain);
    for (const int own : {most, (domain.level - digits) % most}) {
      std::uint32_t wide = 1, high = 1;
      for (int i = 0; i < own; ++i) wide *= domain.side_x, high *= domain.side_y;
      for (std::uint32_t y = 0; y < high; ++y) {
        std::uint32_t bits = 0;
        for (std::uint32_t x = 0; x < wide; ++x) {
          bool member = true;
          for (std::uint32_t u = x, v = y, i = 0; i < static_cast<std::uint32_t>(own);
               ++i, u /= domain.side_x, v /= domain.side_y)
            member &= domain.copy_at[v % domain.side_y * domain.side_x + u % domain.side_x] != FractalDomain::outside;
          bits |= std::uint32_t{member} << x;
        }
        all.push_back(bits);
      }
    }
    return all;
  }
  WARPLOOM_HD LaunchShape shape() const {
    return {{columns * ((rows + warp_size - 1) / warp_size), 1, 1}, {warp_size, 1, 1}};
  }
  WARPLOOM_HD int turns() const { return warp_size; }
  WARPLOOM_HD std::uint64_t visits() const { return shape().block_count() * warp_size; }

  WARPLOOM_HD bool member(std::uint32_t x, std::uint32_t y) const {
    const FractalDomain& domain = tiles.domain;
    int left = grid_digits;
    for (; left >= chunk; left -= chunk) {
      std::uint32_t u = x, v = y;
      // The level may have fewer digits than a chunk: then this is not reached.
      x = domain.power_x[chunk].split(u);
      y = domain.power_y[chunk].split(v);
      if (!(table[v] >> u & 1u)) return false;
    }
    return left == 0 || (table[chunk_rows + y] >> x & 1u);
  }

  template <class Group, class Body>
  WARPLOOM_HD void each(Group& group, Body&& body) const {
    const std::uint32_t y = group.block().x / columns, x = group.block().x - y * columns, first = y * warp_size;
    typename Group::template PerThread<bool> flags;
    group.each(
        [&](const Thread& thread) { flags[thread] = first + thread.index < rows && member(x, first + thread.index); });
    typename Group::template PerThread<RowAt<Tiles>> places;
    for (std::uint32_t rest = group.ballot(flags); rest; rest &= rest - 1) {
      const std::uint32_t row = first + static_cast<std::uint32_t>(lowest_bit(rest));
      place(group, places, {x, row});
      body(places);
    }
  }

  WARPLOOM_HD bool owner(Cell cell, Owner& who) const {
    if (!tiles.domain.contains(cell)) return false;
    const std::uint32_t y = cell.y / tiles.high();
    who = {0,
           {y / warp_size * columns + cell.x / tiles.wide(), 0, 0},
           static_cast<int>(y % warp_size),
           {cell.y % tiles.high(), 0, 0},
           cell.x % tiles.wide()};
    return true;
  }
  /// Of tiles without cells, too: they are tested.
  WARPLOOM_HD bool tile(const Owner& who, Index2& first) const {
    const std::uint32_t y = who.block.x / columns * warp_size + static_cast<std::uint32_t>(who.turn);
    first = {who.block.x % columns * tiles.wide(), y * tiles.high()};
    return y < rows && tiles.domain.member(first.x / tiles.wide(), first.y / tiles.high(), grid_digits);
  }
  static Formula explain(const FractalQuestion& question) { return explain_member_test(question); }
};

/// Tiles as they lie in a compact state: a warp has as many as it has rows for.
template <class OfTiles, std::uint32_t warps, std::uint32_t most_in_warp>
struct CompactRowsOf {
  using Tiles = OfTiles;
  static constexpr std::uint32_t most_threads = warps * warp_size;
  static constexpr bool looks_around = false;
  Tiles tiles;
  std::uint64_t count = 1;  ///< tiles
  std::uint32_t in_warp = 1;

  CompactRowsOf() = default;
  CompactRowsOf(const Tiles& of, std::uint64_t number) : tiles(of), count(number) {
    const std::uint32_t fit = warp_size / tiles.high();
    in_warp = fit < most_in_warp ? fit : most_in_warp;
  }

  WARPLOOM_HD std::uint32_t in_block() const { return in_warp * warps; }
  WARPLOOM_HD LaunchShape shape() const {
    return {row_of_blocks((count + in_block() - 1) / in_block()), {warp_size * warps, 1, 1}};
  }
  WARPLOOM_HD int turns() const { return 1; }
  WARPLOOM_HD std::uint64_t visits() const { return shape().block_count(); }

  template <class Group, class Body>
  WARPLOOM_HD void each(Group& group, Body&& body) const {
    typename Group::template PerThread<RowAt<Tiles>> places;
    group.each([&](const Thread& thread) {
      const std::uint32_t lane = thread.index % warp_size, own = tiles.by_high.quotient(lane);
      const std::uint64_t tile = group.block_number() * in_block() + thread.index / warp_size * in_warp + own;
      places[thread] = {Tiles::numbered(tile), lane - own * tiles.high(), own < in_warp && tile < count};
    });
    body(places);
  }

  WARPLOOM_HD bool owner(Cell cell, Owner& who) const {
    const FractalDomain& domain = tiles.domain;
    if (!domain.contains(cell)) return false;
    const std::uint64_t tile = domain.number(cell.x / tiles.wide(), cell.y / tiles.high(), domain.level - tiles.digits);
    const std::uint64_t in = tile % in_block();
    who = {};
    who.block = unfold(tile / in_block(), shape().blocks);
    who.thread.x =
        static_cast<std::uint32_t>(in / in_warp * warp_size + in % in_warp * tiles.high() + cell.y % tiles.high());
    who.item = cell.x % tiles.wide();
    return true;
  }
  WARPLOOM_HD bool tile(const Owner& who, Index2& first) const {
    const std::uint32_t lane = who.thread.x % warp_size, own = lane / tiles.high();
    const std::uint64_t number =
        linear_index(who.block, shape().blocks) * in_block() + who.thread.x / warp_size * in_warp + own;
    if (own >= in_warp || number >= count) return false;
    first = tiles.origin(number);
    return true;
  }
  WARPLOOM_HD std::uint32_t row(const Owner& who) const { return who.thread.x % warp_size % tiles.high(); }
  static Formula explain(const FractalQuestion& question) { return explain_member_test(question); }
};

/// ... whose neighbours nu of each row's own tile gives.
using CompactRows = CompactRowsOf<CompactTiles, 8, warp_size>;

template <class Ways, class Work, int words, RowKind kind>
struct RowProgram {
  static constexpr bool rows_of_warps = true;
  static constexpr unsigned most_threads = Ways::most_threads;
  /// As many as 64 registers per thread allow.
  static constexpr unsigned least_blocks = 1024 / most_threads;
  Ways ways;
  RowArguments with;
  SumSlots sum;

  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    if constexpr (Work::folds) {
      sum.fold(group, [&](auto& part) {
        ways.each(group, [&](auto& places) {
          group.each([&](const Thread& thread) {
            const auto here = places[thread];
            if (here.there) part[thread] += Work::template part<words, kind>(ways.tiles, with, here);
          });
        });
      });
    } else {
      ways.each(group, [&](auto& places) {
        const auto work = [&] { Work::template run<words, kind>(ways.tiles, with, group, places); };
        if constexpr (Work::looks_around && Ways::looks_around)
          ways.look_around(group, places, work);
        else
          work();
      });
    }
  }
};

}  // namespace warploom
