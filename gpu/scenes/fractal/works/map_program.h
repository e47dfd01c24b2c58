#pragma once
#include <type_traits>

#include "gpu/core/thread.h"
#include "gpu/core/types.h"
#include "gpu/maps/work.h"

namespace warploom {

/// A work under a map, as one kernel: every block asks the map for its origin, every thread for its cell. `HeldMap`:
/// the map, or a reference to one that is a kernel's parameter already: a copy there would be memory of each thread.
template <class Map, class At, class HeldMap = Map>
struct MapProgram {
  HeldMap map;
  At at;
  int launch = 0;
  SumSlots sum;

  static constexpr bool folds = !std::is_void_v<std::invoke_result_t<const At&, Cell>>;

  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    if constexpr (folds)
      sum.fold(group, [&](auto& part) {
        each_useful(group, [&](const Thread& thread, Cell cell) { part[thread] += at(cell); });
      });
    else
      each_useful(group, [&](const Thread&, Cell cell) { at(cell); });
  }

 private:
  /// A map may place every thread of a block itself, by what the whole block works out: it says so, because what a
  /// group can be asked cannot be asked of a compiler for devices.
  static constexpr bool serves = requires { Map::serves_blocks; };

  template <class Group, class Body>
  WARPLOOM_HD void each_useful(Group& group, Body&& body) const {
    if constexpr (serves) {
      map.serve(group, launch, group.block(), 0, [&](const Thread& thread, Cell cell, bool useful) {
        if (useful) body(thread, cell);
      });
    } else {
      for (int turn = 0; map.more(launch, group.block(), turn); ++turn) {
        Cell origin;
        if (!map.block(group, launch, group.block(), turn, origin)) continue;
        group.each([&](const Thread& thread) {
          Cell cell;
          if (map.thread(origin, thread.at, cell)) body(thread, cell);
        });
      }
    }
  }
};

/// What counting a map finds. All are counts of thread visits, warps or blocks; sectors are of 32 bytes.
struct MapCounts {
  std::uint64_t useful, warps_full, warps_partial, warps_idle, blocks_useful, sectors;
};

/// Counts lie in so many slots, to be added up.
inline constexpr std::uint64_t slots_of_counts = 256;

/// Counts what a map does, and how many useful threads each block has. Blocks are numbered through all launches.
template <class Map, class Storage>
struct CountProgram {
  Map map;
  Storage storage;
  int launch = 0;
  std::uint64_t first_block = 0;
  MapCounts* counters = nullptr;             ///< [slots_of_counts], zeroed before
  std::uint16_t* useful_in_block = nullptr;  ///< [blocks of all launches], or null

  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    typename Group::template PerThread<bool> useful;
    typename Group::template PerThread<std::uint64_t> sector;
    MapCounts* const to = counters + group.block_number() % slots_of_counts;
    typename Group::template PerThread<std::uint64_t> served;
    group.each([&](const Thread& thread) { served[thread] = 0; });
    for (int turn = 0; map.more(launch, group.block(), turn); ++turn) {
      Cell origin;
      const bool live = map.block(group, launch, group.block(), turn, origin);
      group.each([&](const Thread& thread) {
        Cell cell;
        useful[thread] = live && map.thread(origin, thread.at, cell);
        sector[thread] = useful[thread] ? storage.address(cell) / 32 : 0;
        served[thread] += useful[thread];
      });
      group.each_warp_count(useful, [&](unsigned, unsigned set) {
        if (set) atomic_add(&to->useful, set);
        atomic_add(set == warp_size ? &to->warps_full : set ? &to->warps_partial : &to->warps_idle, 1);
      });
      group.each_warp_distinct(useful, sector, [&](unsigned distinct) {
        if (distinct) atomic_add(&to->sectors, distinct);
      });
    }
    const std::uint64_t total = group.sum(served);
    group.once([&] {
      if (total) atomic_add(&to->blocks_useful, 1);
      if (useful_in_block)
        useful_in_block[first_block + group.block_number()] = static_cast<std::uint16_t>(total < 65535 ? total : 65535);
    });
  }
};

}  // namespace warploom
