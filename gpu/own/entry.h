#pragma once
#include "gpu/core/atomic.h"
#include "gpu/core/run_blocks.h"
#include "gpu/core/run_on_device.h"
#include "gpu/own/asked.h"

// Judging an own map, and running it in a host; read before its text, as asked.h is.

namespace warploom::own {

/// Keeps that a visit of a thread, by its number, serves the cell whose marks lie at `place`. `order`: the number by
/// which the first of several is told.
WARPLOOM_HD void mark(const Arguments& with, std::uint64_t place, std::uint64_t visit, std::uint64_t order) {
  if (auto* serving = with.at<Serving>(Memory::serving)) {
    if (place != serving->place) return;
    const std::uint64_t at = atomic_fetch_add(&serving->count, 1);
    if (at < Serving::most) serving->visits[at] = visit;
    return;
  }
  const std::uint32_t bit = 1u << place % 32;
  if (atomic_fetch_or(with.at<std::uint32_t>(Memory::once) + place / 32, bit) & bit)
    atomic_or(with.at<std::uint32_t>(Memory::twice) + place / 32, bit);
  if (auto* owner = with.at<std::uint64_t>(Memory::owner)) atomic_minimum(owner + place, order);
  if (auto* table = with.at<std::uint32_t>(Memory::threads)) atomic_or(table + visit / 32, 1u << visit % 32);
}

/// Counts a visit of a block: its warps, and what their useful threads touch of memory. Returns its useful threads.
template <class Group, class World, class Flags, class Cells>
WARPLOOM_HD std::uint32_t count_visits(Group& group, const World& world, const Arguments& with, Tally& tally,
                                       std::uint64_t visit, Flags& useful, Cells& cells) {
  group.each_warp_count(useful, [&](unsigned, unsigned set) {
    atomic_add(set == warp_size ? &tally.warps_full : set ? &tally.warps_partial : &tally.warps_idle, 1);
  });
  typename Group::template PerThread<std::uint64_t> sector;
  for (int way = 0; way < World::sector_ways; ++way) {
    group.each([&](const warploom::Thread& thread) {
      sector[thread] = useful[thread] ? world.sector(way, cells[thread]) : 0;
    });
    group.each_warp_distinct(useful, sector, [&](unsigned distinct) {
      if (distinct) atomic_add(&tally.sectors[way], distinct);
    });
  }
  typename Group::template PerThread<std::uint32_t> served;
  group.each([&](const warploom::Thread& thread) { served[thread] = useful[thread]; });
  const std::uint32_t total = group.sum(served);
  group.once([&] {
    if (total) atomic_add(&tally.blocks_useful, 1);
    if (auto* table = with.at<std::uint16_t>(Memory::useful)) table[visit] = static_cast<std::uint16_t>(total);
  });
  return total;
}

/// Holds a map to its contract: who is served how often, by whom, and what that costs. `World` further has
///   std::uint64_t place(Cell)          where marks of a cell lie
///   static constexpr int sector_ways   ways to count what warps touch of memory
///   std::uint64_t sector(int way, Cell)      the piece of the state that it is in
///   std::uint32_t number_of(Place)     of a block of cells
template <class World>
struct Judge {
  Asked<World, true> asked;
  const Arguments& with;
  int launch, turns;
  std::uint64_t first_visit;  ///< of the launch

  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    const World& world = asked.world;
    typename Group::template PerThread<bool> useful;
    typename Group::template PerThread<Cell> cells;
    typename Group::template PerThread<std::uint32_t> fates;  // outside, nowhere in the high half
    Tally& tally = with.at<Tally>(Memory::tallies)[group.block_number() % tally_slots];
    const Index3 threads = group.threads();
    const std::uint64_t blocks = world.blocks(launch);
    const int last = HasTurns<decltype(World::domain)> ? turns : 1;
    for (int turn = 0; turn < last; ++turn) {
      const std::uint64_t visit = first_visit + static_cast<std::uint64_t>(turn) * blocks + group.block_number();
      // Judging runs all turns of a block before the next block: first served means first in this order.
      const std::uint64_t order =
          first_visit + group.block_number() * static_cast<unsigned>(turns) + static_cast<unsigned>(turn);
      const Entry entry = asked.enter(launch, group.block(), turn);
      group.each([&](const warploom::Thread& thread) {
        Cell to;
        const Fate fate = entry.fate == Fate::serves ? asked.find(entry, thread, threads, to) : entry.fate;
        useful[thread] = fate == Fate::serves;
        fates[thread] = fate == Fate::outside ? 1 : fate == Fate::nowhere ? 1u << 16 : 0;
        cells[thread] = to;
        if (fate != Fate::serves) return;
        mark(with, world.place(to), visit * group.size() + thread.index, order * group.size() + thread.index);
      });
      const std::uint32_t all = group.sum(fates);
      const std::uint32_t total = count_visits(group, world, with, tally, visit, useful, cells);
      group.once([&] {
        if (total) atomic_add(&tally.served, total);
        atomic_add(&tally.outside, all & 0xffffu);
        atomic_add(&tally.nowhere, all >> 16);
        if (auto* table = with.at<std::uint32_t>(Memory::served))
          table[visit] =
              HasPlace<decltype(World::domain)> && entry.fate == Fate::serves ? 1 + world.number_of(entry.to) : 0;
      });
    }
  }
};

/// Runs blocks of a launch, and keeps where it is.
template <class Program>
void run(const Program& program, const Launches& shape, int launch, std::uint64_t first, std::uint64_t last,
         Whereabouts& at) {
  at.launch = launch;
  detail::run_blocks<CpuGroup>(program, shape.grids[launch], first, last, [&](Index3 block, std::uint64_t number) {
    at.block = number;
    return CpuGroup(block, number, shape.threads);
  });
}

}  // namespace warploom::own
