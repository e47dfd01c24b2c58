#pragma once
#include <type_traits>

#include "gpu/core/atomic.h"
#include "gpu/core/group.h"
#include "gpu/core/run_blocks.h"
#include "gpu/own/arguments.h"
#include "gpu/own/words.h"

// What is made of an own map, of whatever scene; read before its text, whose functions templates find by their
// arguments. What must know them all stands in tail.inc.

namespace warploom::own {

// ---- what a text defines, and what it has where it leaves that out
// ----------------------------------------------------
template <class D>
concept HasPlace = requires(Block b, D d) {
  place(b, d);
};
template <class D>
concept HasCell = requires(Thread t, D d) {
  cell(t, d);
};
template <class D>
concept HasGrid = requires(D d) {
  grid(d);
};
template <class D>
concept HasGridOfLaunch = requires(D d) {
  grid(d, 0);
};
template <class D>
concept HasThreads = requires(D d) {
  threads(d);
};
template <class D>
concept HasLaunches = requires(D d) {
  launches(d);
};
template <class D>
concept HasTurns = requires(D d) {
  turns(d);
};

WARPLOOM_HD constexpr unsigned rounds(unsigned cells, unsigned by) { return by ? (cells + by - 1) / by : 0; }

/// `usual`: threads of a block of cells, of maps with `place`.
template <class D>
WARPLOOM_HD Launches launches_of(D d, Index3 usual) {
  Launches all;
  if constexpr (HasLaunches<D>) all.count = static_cast<int>(launches(d));
  if constexpr (HasTurns<D>) all.turns = static_cast<int>(turns(d));
  all.threads = usual;
  if constexpr (!HasPlace<D>) {
    Place of{d.rho, d.rho_y, 1};
    if constexpr (HasThreads<D>) of = threads(d);
    all.threads = {of.x, of.y, of.z};
  }
  for (int i = 0; i < all.count && i < most_launches; ++i) {
    Place of{d.blocks, d.blocks_y, d.dimensions == 3 ? d.blocks : 1};
    if constexpr (!HasPlace<D>)
      of = {rounds(d.n, all.threads.x), rounds(d.n_y, all.threads.y),
            d.dimensions == 3 ? rounds(d.n, all.threads.z) : 1};
    if constexpr (HasGridOfLaunch<D>)
      of = grid(d, i);
    else if constexpr (HasGrid<D>)
      of = grid(d);
    all.grids[i] = {of.x, of.y, of.z};
  }
  return all;
}

/// What becomes of an answer.
enum class Fate : std::uint8_t { serves, waste, nowhere, outside };

/// A launched block on one of its turns, and of `place` the block of cells that it serves.
struct Entry {
  Block block;
  Place to;
  Fate fate = Fate::waste;
};

WARPLOOM_HD Thread thread_of(const Block& block, const warploom::Thread& thread, Index3 threads) {
  Thread own;
  own.x = block.x * threads.x + thread.at.x;
  own.y = block.y * threads.y + thread.at.y;
  own.z = block.z * threads.z + thread.at.z;
  own.block = block;
  own.at = {thread.at.x, thread.at.y, thread.at.z};
  own.index = thread.index;
  return own;
}

/// Asks the text. `World` is the scene's, and has
///   Domain domain
///   Fate in_block(Entry, Index3 at, Cell&)    of `place`: the thread at `at` of a block that serves one of the
///   domain's
/// A checked one tests every answer; one that is trusted only what some answer needed.
template <class World, bool checked>
struct Asked {
  using D = decltype(World::domain);
  World world;  // here and not elsewhere: bytes that a work writes could be any memory, to a compiler
  bool tests;

  WARPLOOM_HD bool tests_answers() const { return checked || tests; }
  WARPLOOM_HD Entry enter(int launch, Index3 at, int turn) const {
    Entry entry;
    entry.block = {at.x, at.y, at.z, static_cast<unsigned>(launch), static_cast<unsigned>(turn)};
    entry.fate = Fate::serves;
    if constexpr (HasPlace<D>) {
      entry.to = place(entry.block, D(world.domain));
      entry.fate = fate_of(entry.to, [&](Place b) { return world.domain.holds_block(b); });
    }
    return entry;
  }
  /// Of a block that serves.
  WARPLOOM_HD Fate find(const Entry& entry, const warploom::Thread& thread, Index3 threads, Cell& to) const {
    if constexpr (HasPlace<D>) {
      return world.in_block(entry, thread.at, to);
    } else {
      const Place at = cell(thread_of(entry.block, thread, threads), D(world.domain));
      to = {at.x, at.y, at.z};
      return fate_of(at, [&](Place c) { return world.domain.holds(c); });
    }
  }

 private:
  template <class Holds>
  WARPLOOM_HD Fate fate_of(Place answer, Holds&& holds) const {
    if (answer == nowhere) return Fate::nowhere;
    return !tests_answers() || holds(answer) ? Fate::serves : Fate::outside;
  }
};

/// A map as MapProgram and the like want it: serve() places every thread of a block.
template <class World, bool checked>
struct WrittenMap {
  static constexpr bool serves_blocks = true;
  Asked<World, checked> asked;
  int turns;

  template <class Group, class Body>
  WARPLOOM_HD void serve(Group& group, int launch, Index3 at, int, Body&& body) const {
    const Index3 threads = group.threads();
    for (int turn = 0; turn < turns; ++turn) {
      const Entry entry = asked.enter(launch, at, turn);
      if (entry.fate != Fate::serves) continue;
      group.each([&](const warploom::Thread& thread) {
        Cell to;
        if (asked.find(entry, thread, threads, to) == Fate::serves) body(thread, to, true);
      });
    }
  }
};

/// Keeps that a visit of a thread, by its number, serves the cell whose marks lie at `place`. `order`: the number by
/// which the first of several is told.
WARPLOOM_HD void mark(const Arguments& with, std::uint64_t place, std::uint64_t visit, std::uint64_t order) {
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
    for (int turn = 0; turn < turns; ++turn) {
      const std::uint64_t visit = first_visit + static_cast<std::uint64_t>(turn) * blocks + group.block_number();
      // Who comes first: turn by turn of a block.
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
