#pragma once
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "gpu/core/types.h"
#include "gpu/tracks/faceted.h"

namespace warploom {

/// A track whose threads serve cells: who serves which, and where it lies. Any thread may ask.
class Threads : public FacetBase {
 public:
  /// Who serves this cell; false: it lies outside the domain.
  virtual bool owner(Cell cell, Owner& who) const = 0;
  /// Where a thread works. Nullopt: its block serves none.
  virtual std::optional<Target> target(const Owner& who) const = 0;
  /// The box in data space that a block serves, first and one past the last cell. Nullopt: it serves none.
  virtual std::optional<std::pair<Cell, Cell>> footprint(const Owner& who) const = 0;
  /// The boxes of cells that a thread serves, as footprint: one, or a row each where they begin at different places.
  /// Empty: one cell alone.
  virtual std::vector<std::pair<Cell, Cell>> thread_boxes(const Owner&) const { return {}; }
  /// How many cells a thread serves, of how many that it has a place for.
  struct Served {
    std::uint32_t cells = 0, places = 1;
  };
  virtual Served served(const Owner& who) const {
    const auto found = target(who);
    return {found && found->useful ? 1u : 0u, 1};
  }
  /// Of the same thread, the first item that is of use; as it is where none is.
  virtual Owner at_work(const Owner& who) const { return who; }
  /// Of a block of so many threads, the box of places that it comes to; and who of it comes to one of them.
  virtual Index3 served_box(Index3 threads) const { return threads; }
  virtual void take_place(Index3 in, Owner& who) const { who.thread = in; }
  /// Whether a step launches this thread at all.
  virtual bool launched(const Owner& who) const = 0;
  /// The byte of a cell's value in the track's memory.
  virtual std::uint64_t address(Cell cell) const = 0;

  /// A cell of the domain?
  bool member(Cell cell) const {
    Owner who;
    return owner(cell, who);
  }
  /// Who comes to a place: its owner, or the thread that is launched for it and finds nothing there. `threads`: those
  /// of the track's blocks. False: none.
  bool comes_to(Cell place, Index3 threads, Owner& who) const;
};

}  // namespace warploom
