#pragma once
#include "gpu/core/atomic.h"
#include "gpu/pictures/grid_layout.h"
#include "gpu/scenes/simplex/works/layouts.h"

namespace warploom {

/// Of maps that place cells one by one: who serves which. Pointers are null where the numbers are not kept.
struct SimplexCellsServed {
  Index3 threads{0, 0, 0};                 ///< of a launched block; none: the map places blocks
  const std::uint32_t* serving = nullptr;  ///< a bit a visit of a thread: it serves a cell
  const std::uint64_t* owner = nullptr;    ///< [cells] the visit of a thread that serves each; all ones: none
  const std::uint32_t* twice = nullptr;    ///< a bit a cell: several serve it. Of own maps of blocks, too
  WARPLOOM_HD bool any() const { return threads.x > 0; }
};

/// What a map does with each visit of a block and each data block, for pictures and dumps.
struct SimplexTables {
  static constexpr std::uint16_t mismapped = 0xffff;  ///< a visit that should serve a block and does not

  std::uint16_t* useful = nullptr;          ///< [visits] threads that serve a cell, or as many as would serve them all
  std::uint32_t* block_of_visit = nullptr;  ///< [visits] linear data block + 1, 0: none
  std::uint32_t* visit_of_block = nullptr;  ///< [data blocks] visit + 1, 0: none
  SimplexCellsServed cells;
};

/// The words that counting finds; two per layout follow: sectors, lines.
struct SimplexCountWords {
  std::uint64_t launched, useful, warps_full, warps_useful, warps_idle, blocks_useful, wrong;
};

/// Where counts lie: in so many slots, to be added up, each of so many words.
template <int Dimensions>
struct SimplexCounters {
  static constexpr std::uint64_t slots = 256, fixed = sizeof(SimplexCountWords) / sizeof(std::uint64_t),
                                 words = fixed + 2 * AnyLayout<Dimensions>::count;
};

/// Runs the map and counts places (a thread once per cell of its box), warps, blocks, and the memory that the useful
/// threads of each warp touch under every layout. An access is the cells of a row that a thread serves; what several
/// threads of a warp touch in one access counts once. A warp is full where all its places are useful, idle where none
/// is.
template <class Map>
struct SimplexCount {
  static constexpr int dimensions = Map::dimensions;
  using Layouts = AnyLayout<dimensions>;
  static constexpr bool gangs = true;
  static constexpr std::uint64_t slots = SimplexCounters<dimensions>::slots, fixed = SimplexCounters<dimensions>::fixed,
                                 words = SimplexCounters<dimensions>::words;

  Map map;
  Layouts layouts;
  std::uint32_t value_bytes;
  int launch;
  std::uint64_t first_visit, grid_blocks;  ///< of this launch
  std::uint64_t* counters;                 ///< SimplexCounters, zeroed before
  SimplexTables tables;                    ///< pointers null: not kept
  std::uint32_t ascending;                 ///< bit i: the i-th layout's addresses ascend along a block's places

  std::uint64_t work_of_a_thread() const { return map.items(); }

  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    typename Group::template PerThread<bool> useful, touches;
    typename Group::template PerThread<std::uint64_t> served;
    typename Group::template PerThread<std::uint32_t> places;
    std::uint64_t* to = counters + group.block_number() % slots * words;
    std::uint64_t any = 0;
    const std::uint64_t warps = (group.size() + warp_size - 1) / warp_size;
    const std::uint32_t cells = map.shares.box.cells(), items = map.items();
    for (int turn = 0; map.more(launch, group.block(), turn); ++turn) {
      Cell origin;
      const bool live = map.block(group, launch, group.block(), turn, origin);
      const std::uint64_t visit = first_visit + static_cast<std::uint64_t>(turn) * grid_blocks + group.block_number();
      group.once([&] { atomic_add(to, std::uint64_t{group.size()} * cells); });
      if (!live) {
        group.once([&] {
          atomic_add(to + 4, warps);
          note(visit, 0, 0);
        });
        continue;
      }
      group.each([&](const Thread& thread) {
        std::uint32_t count = 0;
        for (std::uint32_t item = 0; item < items; ++item) {
          Cell cell;
          count += map.thread(origin, thread.at, item, cell);
        }
        served[thread] = places[thread] = count;
        useful[thread] = count > 0;
        touches[thread] = count >= cells;
      });
      // For each warp: how many threads serve anything, and whether all serve their whole box.
      group.each_warp_count(useful, [&](unsigned, unsigned set) { atomic_add(to + (set ? 3 : 4), 1); });
      group.each_warp_count(touches, [&](unsigned, unsigned set) {
        if (set == warp_size) atomic_add(to + 2, 1);
      });
      group.each_warp_sum(places, [&](unsigned, std::uint32_t sum) { atomic_add(to + 1, sum); });
      for (std::uint32_t access = 0; access < items; access += map.shares.box.x) touch(group, origin, access, to);
      const std::uint64_t total = group.sum(served);
      any += total;
      group.once([&] {
        const std::uint64_t block = map.domain.index(map.domain.block_of(origin));
        // For pictures: as many threads as would serve so many places, rounded up; no more than there are in a first
        // block that serves what lies before its rows' shares. A block without a cell of its own, whose rows end before
        // its shares begin, counts as served.
        note(visit, total || Map::info.exact ? static_cast<std::uint32_t>(block + 1) : 0,
             total > std::uint64_t{group.size()} * cells ? group.size() : (total + cells - 1) / cells);
      });
    }
    group.once([&] {
      if (any) atomic_add(to + 5, 1);
    });
  }

 private:
  /// Sectors and lines of one access: the items from `access` on that lie in a row. A place counts where no earlier one
  /// of its warp, thread by thread and item by item, touches the same.
  template <class Group>
  WARPLOOM_HD void touch(Group& group, Cell origin, std::uint32_t access, std::uint64_t* to) const {
    typename Group::template PerThread<bool> first;
    typename Group::template PerThread<std::uint64_t> key;
    const std::uint32_t wide = map.shares.box.x;
    for (int layout = 0; layout < Layouts::count; ++layout)
      for (int line = 0; line < 2; ++line) {
        const std::uint32_t bytes = line ? 128 : 32;
        const auto of = [&](Cell cell) { return layouts.address_in(layout, cell) * value_bytes / bytes; };
        const auto add = [&](unsigned distinct) {
          if (distinct) atomic_add(to + fixed + static_cast<unsigned>(2 * layout + line), distinct);
        };
        if (wide == 1) {
          group.each([&](const Thread& thread) {
            Cell cell;
            first[thread] = map.thread(origin, thread.at, access, cell);
            key[thread] = first[thread] ? of(cell) : 0;
          });
          group.each_warp_distinct(first, key, add);
          continue;
        }
        for (std::uint32_t item = 0; item < wide; ++item) {
          group.each([&](const Thread& thread) {
            Cell cell;
            first[thread] = map.thread(origin, thread.at, access + item, cell) &&
                            !touched_before(origin, thread, access, item, of, of(cell), ascending >> layout & 1);
          });
          group.each_warp_count(first, [&](unsigned, unsigned set) { add(set); });
        }
      }
  }
  /// Whether a place before the thread's item touches `key`; where addresses ascend, the nearest decides for all.
  template <class Of>
  WARPLOOM_HD bool touched_before(Cell origin, const Thread& thread, std::uint32_t access, std::uint32_t item,
                                  const Of& of, std::uint64_t key, bool nearest) const {
    const Index3 threads = map.shares.threads(map.domain);
    Index3 at = thread.at;
    for (unsigned lane = thread.index % warp_size;; --lane) {
      while (item > 0) {
        Cell cell;
        if (!map.thread(origin, at, access + --item, cell)) continue;
        if (of(cell) == key) return true;
        if (nearest) return false;
      }
      if (lane == 0) return false;
      item = map.shares.box.x;
      if (at.x-- > 0) continue;
      at.x = threads.x - 1;
      if (at.y-- > 0) continue;
      at.y = threads.y - 1;
      --at.z;
    }
  }
  WARPLOOM_HD void note(std::uint64_t visit, std::uint32_t block, std::uint64_t total) const {
    if (!tables.useful) return;
    tables.useful[visit] = static_cast<std::uint16_t>(total);
    tables.block_of_visit[visit] = block;
    if (block) tables.visit_of_block[block - 1] = static_cast<std::uint32_t>(visit + 1);
  }
};

/// Marks the visits that should have served the data blocks that none serves. Launched with row_shape(data blocks).
template <class Map>
struct FindAstray {
  Map map;
  GridLayout board;
  SimplexTables tables;
  std::uint64_t* wrong;
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    each_item(group, map.domain.block_count(), [&](std::uint64_t block) {
      if (tables.visit_of_block[block]) return;
      Owner who;
      if (!map.owner(map.domain.first_cell(map.domain.at(block)), who)) return;
      const std::uint64_t visit = board.number_of(who);
      tables.useful[visit] = SimplexTables::mismapped;
      tables.block_of_visit[visit] = static_cast<std::uint32_t>(block + 1);
      atomic_add(wrong, 1);
    });
  }
};

/// Where a map of roots sends one linear block, on this backend.
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

/// The first of `count` linear blocks from `from` on that a map of roots mis-maps; lowered from all ones.
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
