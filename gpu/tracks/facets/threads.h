#pragma once
#include <cstdint>
#include <optional>
#include <utility>

#include "gpu/core/types.h"

namespace warploom {

/// A track whose threads serve cells: who serves which, and where it lies. Any thread may ask.
class Threads {
 public:
  /// Who serves this cell; false: it lies outside the domain.
  virtual bool owner(Cell cell, Owner& who) const = 0;
  /// Where a thread works. Nullopt: its block serves none.
  virtual std::optional<Target> target(const Owner& who) const = 0;
  /// The box in data space that a block serves, first and one past the last cell. Nullopt: it serves none.
  virtual std::optional<std::pair<Cell, Cell>> footprint(const Owner& who) const = 0;
  /// The box of cells that a thread serves, as footprint; of rows of its own, the one of the owner's item. Nullopt: one
  /// cell alone.
  virtual std::optional<std::pair<Cell, Cell>> thread_box(const Owner&) const { return std::nullopt; }
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
  /// of the track's blocks. False: nobody comes.
  bool comes_to(Cell place, Index3 threads, Owner& who) const;

 protected:
  ~Threads() = default;
};

}  // namespace warploom
