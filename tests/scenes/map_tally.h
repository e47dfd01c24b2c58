#pragma once
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "gpu/core/cpu_group.h"
#include "gpu/core/type_list.h"
#include "gpu/core/types.h"

// What tests of every registered map share: the maps as types of a suite, and what one pass over a map finds.

namespace warploom {

template <class... Maps>
::testing::Types<Maps...> as_test_types(TypeList<Maps...>);

struct MapTally {
  std::uint64_t launched = 0, useful = 0, blocks = 0, idle_blocks = 0, outside = 0, twice = 0, wrong_inverse = 0,
                wrong_carry = 0;
  std::vector<std::uint8_t> served;  ///< how often each place of the box was, row-major
};

/// Calls the map as a kernel does: each block of each launch with a group of its own, turn by turn, thread by thread,
/// item by item. `inside`: whether a cell belongs to the domain, whose box is `extent`.
template <class Map, class Inside>
MapTally tally_of(const Map& map, Index3 extent, const Inside& inside) {
  MapTally tally;
  tally.served.assign(volume(extent), 0);
  for (int launch = 0; launch < map.launches(); ++launch) {
    const LaunchShape shape = map.shape(launch);
    for (std::uint64_t number = 0; number < shape.block_count(); ++number) {
      const Index3 at = unfold(number, shape.blocks);
      CpuGroup group(at, tally.blocks++, shape.threads);
      const std::uint64_t useful_before = tally.useful;
      [[maybe_unused]] Index3 carried, block;
      for (int turn = 0; map.more(launch, at, turn); ++turn) {
        Cell origin;
        const bool live = map.block(group, launch, at, turn, origin);
        // Maps of several cells a thread say the block of a turn apart, too.
        if constexpr (requires { map.items(); })
          tally.wrong_carry += map.block_of_turn(launch, at, turn, carried, block) != live ||
                               (live && !(map.domain.first_cell(block) == origin));
        const auto serve = [&](const Owner& by, bool useful, const Cell& cell) {
          if (!useful) return;
          if (!inside(cell)) {
            ++tally.outside;
            return;
          }
          ++tally.useful;
          tally.twice += tally.served[linear_index(cell, extent)]++ > 0;
          Owner who;
          tally.wrong_inverse += !map.owner(cell, who) || !(who == by);
        };
        group.each([&](const Thread& thread) {
          Cell cell;
          if constexpr (requires { map.items(); }) {
            for (std::uint32_t item = 0; item < map.items(); ++item)
              serve({launch, at, turn, thread.at, item}, live && map.thread(origin, thread.at, item, cell), cell);
          } else {
            serve({launch, at, turn, thread.at}, live && map.thread(origin, thread.at, cell), cell);
          }
        });
        std::uint64_t cells_each = 1;
        if constexpr (requires { map.items(); }) cells_each = map.shares.box.cells();
        tally.launched += volume(shape.threads) * cells_each;
      }
      tally.idle_blocks += tally.useful == useful_before;
    }
  }
  return tally;
}

}  // namespace warploom
