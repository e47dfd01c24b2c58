#pragma once
#include <type_traits>

#include "gpu/core/group.h"
#include "gpu/own/arguments.h"
#include "gpu/own/words.h"

// What is made of an own map, of whatever scene; read before its text, whose functions templates find by their
// arguments. What must know them all stands in tail.inc.

namespace warploom::own {

// What a text defines, and what it has where it leaves that out.
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

/// Fills all of `all` but grids past its count: to copy them whole would be most of a device's code. `usual`: threads
/// of a block of cells, of maps with `place`.
WARPLOOM_HOST_CALLS
template <class D>
WARPLOOM_HD void find_launches(D d, Index3 usual, Launches& all) {
  all.count = all.turns = 1;
  if constexpr (HasLaunches<D>) all.count = static_cast<int>(launches(d));
  if constexpr (HasTurns<D>) all.turns = static_cast<int>(turns(d));
  all.threads = usual;
  if constexpr (!HasPlace<D>) {
    Place of{d.rho, d.rho_y, 1};
    if constexpr (HasThreads<D>) of = threads(d);
    all.threads = {of.x, of.y, of.z ? of.z : 1};
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
    all.grids[i] = {of.x, of.y, of.z ? of.z : 1};  // of a plane nothing need be said of z
  }
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
///   Domain domain;  Domain words() const     ... as the text is given it: it may point into the World
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
      entry.to = place(entry.block, world.words());
      entry.fate = fate_of(entry.to, [&](Place b) { return world.words().holds_block(b); });
    }
    return entry;
  }
  /// Of a block that serves.
  WARPLOOM_HD Fate find(const Entry& entry, const warploom::Thread& thread, Index3 threads, Cell& to) const {
    if constexpr (HasPlace<D>) {
      return world.in_block(entry, thread.at, to);
    } else {
      const Place at = cell(thread_of(entry.block, thread, threads), world.words());
      to = {at.x, at.y, at.z};
      return fate_of(at, [&](Place c) { return world.words().holds(c); });
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
    // A loop that turns once costs a device's compiler what it would know without it.
    const int last = HasTurns<typename Asked<World, checked>::D> ? turns : 1;
    for (int turn = 0; turn < last; ++turn) {
      const Entry entry = asked.enter(launch, at, turn);
      if (entry.fate != Fate::serves) continue;
      group.each([&](const warploom::Thread& thread) {
        Cell to;
        if (asked.find(entry, thread, threads, to) == Fate::serves) body(thread, to, true);
      });
    }
  }
};

}  // namespace warploom::own
