#pragma once
#include "gpu/maps/rule.h"
#include "gpu/maps/work.h"
#include "gpu/scenes/simplex/works/layouts.h"

// What a thread does at its cell:
//
//   static constexpr SimplexWorkInfo info
//   template <int Dimensions> using Value             what a cell holds
//   template <int Dimensions, class Storage> struct At {
//     explicit At(const SimplexArguments<Dimensions, Storage>&);
//     void operator()(const Spot&) const              writes to out at spot.address; or
//     Value operator()(const Spot&, bool& odd) const  its value, to be written (or summed over the block, see
//                                                     per_block); `odd` says that this cell is to be counted; or
//     std::uint64_t operator()(const Spot&) const     folded into one sum modulo 2^64
//   or, for works whose threads share what they load,
//     template <class Group> struct Shared            the shared memory of a block (core/program.h), and
//     void block(Group&, Shared<Group>&, Cell origin, SpotOf&&) const    called by all threads of a block
//   };

namespace warploom {

/// A thread's cell, and its address in the track's layout.
struct Spot {
  Cell cell;
  std::uint64_t address = 0;
};

struct SimplexWorkInfo {
  const char* key;
  const char* title;
  const char* description;
  const char* citation;
  bool reads_state = false;       ///< steps from a state to the next; else every step writes the same
  bool per_block = false;         ///< sums values over each data block, in the order of its threads
  std::uint32_t more_points = 0;  ///< points needed beyond n; ~0: none at all
  const char* odd = nullptr;      ///< what is counted, in words; null: nothing
  std::uint64_t bytes_per_cell = 0;
  bool under_inexact_maps = false;  ///< compiled under maps that are meant to be wrong, too
};
inline constexpr std::uint32_t no_points = ~0u;

/// A point as kernels read it: one load.
template <int Dimensions>
struct Point;
template <>
struct alignas(8) Point<2> {
  float x, y;
};
template <>
struct alignas(16) Point<3> {
  float x, y, z, none;
};

template <int Dimensions, class Storage>
struct SimplexArguments {
  SimplexDomain<Dimensions> domain;
  Storage in, out;
  Rule rule;
  const Point<Dimensions>* points = nullptr;
};

}  // namespace warploom
