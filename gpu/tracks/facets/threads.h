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
  /// Whether a step launches this thread at all.
  virtual bool launched(const Owner& who) const = 0;
  /// The byte of a cell's value in the track's memory.
  virtual std::uint64_t address(Cell cell) const = 0;

  /// A cell of the domain?
  bool member(Cell cell) const {
    Owner who;
    return owner(cell, who);
  }
  /// Who comes to a place: its owner, or the thread that is launched for it and finds nothing there. `block`: the
  /// extent of the track's blocks, in threads. False: nobody comes.
  bool comes_to(Cell place, Index3 block, Owner& who) const;

 protected:
  ~Threads() = default;
};

}  // namespace warploom
