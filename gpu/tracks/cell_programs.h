#pragma once
#include <cmath>
#include <cstring>

#include "gpu/core/atomic.h"
#include "gpu/core/group.h"
#include "gpu/core/hash.h"
#include "gpu/core/types.h"

// Programs over the cells of a domain by their number: they lean on no map, so they can check every map.
//
// `Cells` says which cells those are:
//   LaunchShape shape() const                  the launch that has a thread per cell
//   void each(Group&, Body&&) const            calls body(cell, thread) for the cell that each thread stands for
//   bool contains(Cell) const
//   static uint64 key(Cell); Cell cell(key)    a cell as one number, that sorts row-major
//   static uint64 hash(uint64 seed, Cell)
// `State` is one state in a storage of its own: Value load(Cell) const, void store(Cell, Value) const; and where
// several cells share a word, so that all of them are best written at once:
//   LaunchShape assign_shape() const           the launch that has a thread a word
//   void assign(Group&, Value(Cell)) const     writes every cell

namespace warploom {

template <class State>
concept AssignsWords = requires(const State& state) {
  state.assign_shape();
};
/// Of a program that writes every cell.
template <class Cells, class State>
LaunchShape assign_shape(const Cells& cells, const State& to) {
  if constexpr (AssignsWords<State>)
    return to.assign_shape();
  else
    return cells.shape();
}
template <class Group, class Cells, class State, class Body>
WARPLOOM_HD void assign(Group& group, const Cells& cells, const State& to, Body&& value) {
  if constexpr (AssignsWords<State>)
    to.assign(group, value);
  else
    cells.each(group, [&](Cell cell, const Thread&) { to.store(cell, value(cell)); });
}

/// The bits of a value, for seals: integers as they are, floats by their pattern.
WARPLOOM_HD std::uint64_t seal_bits(std::uint8_t value) { return value; }
WARPLOOM_HD std::uint64_t seal_bits(std::uint32_t value) { return value; }
WARPLOOM_HD std::uint64_t seal_bits(float value) {
  std::uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

/// The initial state: alive with the given density, or a number below one, by the hash of (seed, cell).
template <class Cells, class State>
struct FillCells {
  Cells cells;
  std::uint64_t seed;
  double density;
  State to;
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    assign(group, cells, to, [&](Cell cell) { return first_value(Cells::hash(seed, cell), typename State::Value{}); });
  }

 private:
  WARPLOOM_HD std::uint8_t first_value(std::uint64_t hash, std::uint8_t) const { return chosen(hash, density); }
  WARPLOOM_HD std::uint32_t first_value(std::uint64_t, std::uint32_t) const { return 0; }
  WARPLOOM_HD float first_value(std::uint64_t hash, float) const { return static_cast<float>(hash >> 40) * 0x1p-24f; }
};

/// One storage's logical state into another's.
template <class Cells, class From, class To>
struct CopyCells {
  Cells cells;
  From from;
  To to;
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    assign(group, cells, to, [&](Cell cell) { return from.load(cell); });
  }
};

/// The first cell, row-major, in which two states differ, as its key; lowered from all ones.
template <class Cells, class A, class B>
struct FirstDifference {
  Cells cells;
  A a;
  B b;
  std::uint64_t* first;
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    cells.each(group, [&](Cell cell, const Thread&) {
      // As the seal sees them: a zero of either sign is none, and not a number equals itself.
      const auto mine = a.load(cell), theirs = b.load(cell);
      if ((mine != 0 ? seal_bits(mine) : 0) != (theirs != 0 ? seal_bits(theirs) : 0))
        atomic_minimum(first, Cells::key(cell));
    });
  }
};

/// Cells of a list of keys, written. Launched with row_shape(count).
template <class Cells, class State>
struct WriteCells {
  State to;
  const std::uint64_t* keys;
  std::uint64_t count;
  typename State::Value value;
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    each_item(group, count, [&](std::uint64_t i) { to.store(Cells::cell(keys[i]), value); });
  }
};

/// The values of a box of places, row-major; not a number where there is no cell. Launched with row_shape(places).
template <class Cells, class State>
struct GatherCells {
  Cells cells;
  State from;
  Index3 first, size;
  float* to;
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    each_item(group, volume(size), [&](std::uint64_t i) {
      const Index3 in = unfold(i, size);
      const Cell cell{first.x + in.x, first.y + in.y, first.z + in.z};
      to[i] = cells.contains(cell) ? static_cast<float>(from.load(cell)) : NAN;
    });
  }
};

}  // namespace warploom
