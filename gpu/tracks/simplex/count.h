#pragma once
#include "gpu/core/atomic.h"
#include "gpu/pictures/launch_board.h"
#include "gpu/works/simplex/layouts.h"

namespace warploom {

/// What a map does with each visit of a block, and with each data block; for pictures and dumps.
struct SimplexTables {
  static constexpr std::uint16_t astray = 0xffff;  ///< a visit that should serve a block, and does not

  std::uint16_t* useful = nullptr;          ///< [visits] threads that serve a cell
  std::uint32_t* block_of_visit = nullptr;  ///< [visits] linear data block + 1, 0: none
  std::uint32_t* visit_of_block = nullptr;  ///< [data blocks] visit + 1, 0: nobody
};

/// What counting a simplex map finds, as words; two for each layout follow: sectors, lines.
struct SimplexCountWords {
  std::uint64_t launched, useful, warps_full, warps_partial, warps_idle, blocks_useful, wrong;
};

/// Runs the map, counts threads, warps, blocks, and the memory the useful threads of each warp touch under every
/// layout.
template <class Map>
struct SimplexCount {
  static constexpr int dimensions = Map::dimensions;
  using Layouts = AnyLayout<dimensions>;
  static constexpr std::uint64_t slots = 256, fixed = sizeof(SimplexCountWords) / sizeof(std::uint64_t),
                                 words = fixed + 2 * Layouts::count;

  Map map;
  Layouts layouts;
  std::uint32_t value_bytes;
  int launch;
  std::uint64_t first_visit, grid_blocks;  ///< of this launch
  std::uint64_t* counters;                 ///< [slots][words], zeroed before
  SimplexTables tables;                    ///< pointers null: not kept

  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    typename Group::template PerLane<bool> useful;
    typename Group::template PerLane<Cell> cells;
    typename Group::template PerLane<std::uint64_t> key, served;
    std::uint64_t* to = counters + group.block_number() % slots * words;
    std::uint64_t any = 0;
    const std::uint64_t warps = (group.size() + warp_size - 1) / warp_size;
    for (int turn = 0; map.more(launch, group.block(), turn); ++turn) {
      Cell origin;
      const bool live = map.block(group, launch, group.block(), turn, origin);
      const std::uint64_t visit = first_visit + static_cast<std::uint64_t>(turn) * grid_blocks + group.block_number();
      group.once([&] { atomic_add(to, group.size()); });
      if (!live) {
        group.once([&] {
          atomic_add(to + 4, warps);
          note(visit, 0, 0);
        });
        continue;
      }
      group.each([&](const Thread& thread) {
        useful[thread] = map.thread(origin, thread.at, cells[thread]);
        served[thread] = useful[thread];
      });
      group.each_warp_count(useful, [&](unsigned, unsigned set) {
        if (set) atomic_add(to + 1, set);
        atomic_add(to + (set == warp_size ? 2 : set ? 3 : 4), 1);
      });
      for (int layout = 0; layout < Layouts::count; ++layout)
        for (int line = 0; line < 2; ++line) {
          const std::size_t column = fixed + static_cast<unsigned>(2 * layout + line);
          group.each([&](const Thread& thread) {
            key[thread] =
                useful[thread] ? layouts.address_in(layout, cells[thread]) * value_bytes / (line ? 128 : 32) : 0;
          });
          group.each_warp_distinct(useful, key, [&](unsigned distinct) {
            if (distinct) atomic_add(to + column, distinct);
          });
        }
      const std::uint64_t total = group.sum(served);
      any += total;
      group.once([&] {
        const std::uint64_t block = map.domain.index(map.domain.block_of(origin));
        note(visit, total ? static_cast<std::uint32_t>(block + 1) : 0, total);
      });
    }
    group.once([&] {
      if (any) atomic_add(to + 5, 1);
    });
  }

 private:
  WARPLOOM_HD void note(std::uint64_t visit, std::uint32_t block, std::uint64_t total) const {
    if (!tables.useful) return;
    tables.useful[visit] = static_cast<std::uint16_t>(total);
    tables.block_of_visit[visit] = block;
    if (block) tables.visit_of_block[block - 1] = static_cast<std::uint32_t>(visit + 1);
  }
};

/// Data blocks that nobody serves: the visit that should have is astray. Launched with row_shape(data blocks).
template <class Map>
struct FindAstray {
  Map map;
  LaunchBoard board;
  SimplexTables tables;
  std::uint64_t* wrong;
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    each_item(group, map.domain.block_count(), [&](std::uint64_t block) {
      if (tables.visit_of_block[block]) return;
      Owner who;
      if (!map.owner(map.domain.first_cell(map.domain.at(block)), who)) return;
      const std::uint64_t visit = board.number_of(who);
      tables.useful[visit] = SimplexTables::astray;
      tables.block_of_visit[visit] = static_cast<std::uint32_t>(block + 1);
      atomic_add(wrong, 1);
    });
  }
};

/// What a map of roots says to one linear block, on the backend that is asked.
template <class Placing>
struct AskRoot {
  std::uint64_t w;
  Index3* answer;  ///< all ones: nowhere
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    group.once([&] {
      Index3 block;
      *answer = Placing::answer(w, block) ? block : Index3{~0u, ~0u, ~0u};
    });
  }
};

/// The first linear block that a map of roots sends elsewhere, among `count` from `from` on; lowered from all ones.
template <class Placing>
struct FirstWrongRoot {
  std::uint64_t from, count;
  std::uint64_t* first;
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    each_item(group, count, [&](std::uint64_t i) {
      Index3 block;
      const Index3 right = simplex_place<Placing::dimensions>(from + i);
      if (!Placing::answer(from + i, block) || !(block == right)) atomic_minimum(first, from + i);
    });
  }
};

}  // namespace warploom
