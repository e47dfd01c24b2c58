#pragma once
#include <concepts>
#include <cstdint>
#include <span>
#include <vector>

#include "gpu/core/group.h"
#include "gpu/core/type_list.h"
#include "gpu/core/types.h"

// The thread-map contract
// -----------------------
// A map says where a thread works. It is a small value that knows neither a backend nor a picture; `skeleton.h` is the
// file to copy. A launch is `blocks x threads`, and a map splits its work as the papers do:
//
//   static constexpr MapInfo info            key, title, one line, citation, exact up to which side
//   int  launches() const                    most maps have one launch
//   LaunchShape shape(int launch) const      the grid and the block of each
//   bool block(Group&, int launch, Index3 block, int turn, Cell& origin) const
//                                            which data block a thread block serves; false: none, its threads are
//                                            waste. The same answer in every thread. The group lends its threads to
//                                            maps that ask.
//   bool more(int launch, Index3 block, int turn) const
//                                            turn = 0, 1, ... while this holds: persistent blocks walk on
//   bool thread(Cell origin, Index3 at, Cell& cell) const
//                                            which cell the thread at `at` of its block serves; false: it
//                                            is waste, and `cell` is the empty place it maps to
//   std::uint32_t items() const;  bool thread(Cell origin, Index3 at, std::uint32_t item, Cell& cell) const
//                                            of maps whose threads can serve several cells: which of them
//   bool owner(Cell cell, Owner& owner) const
//                                            the inverse: who serves this cell; false: the cell is outside the domain
//   static MapTable table(domain ...)        what it looks up; static launched(domain ...): threads, in closed form
//   static Formula explain(question)         its arithmetic in words, line by line, for one thread
//
// Every cell of the domain is served exactly once, and no cell outside it. tests/scenes/fractal/map_contract_test.cpp
// holds every registered map to that, on every backend.

namespace warploom {

/// What a map says of itself.
struct MapInfo {
  const char* key;                                ///< the name on the command line
  const char* title;                              ///< the name on screen
  const char* description;                        ///< one line
  const char* citation;                           ///< a key of gpu/REFERENCES.md
  bool exact = true;                              ///< false: meant to be wrong somewhere; its track's seal breaks there
  std::uint64_t exact_up_to = ~std::uint64_t{0};  ///< largest side it is right for; more is refused
};

/// What a map may look up at run time: filled on the host once, held in the memory of the backend.
using MapTable = std::vector<std::uint32_t>;

/// The contract as a concept; the group stands for any group.
template <class Map>
concept ThreadMap = requires(const Map map, CpuGroup& group, int launch, Index3 index, int turn, Cell cell,
                             Owner owner) {
  { Map::info } -> std::convertible_to<MapInfo>;
  { map.launches() } -> std::same_as<int>;
  { map.shape(launch) } -> std::same_as<LaunchShape>;
  { map.block(group, launch, index, turn, cell) } -> std::same_as<bool>;
  { map.more(launch, index, turn) } -> std::same_as<bool>;
  { map.thread(cell, index, cell) } -> std::same_as<bool>;
  { map.owner(cell, owner) } -> std::same_as<bool>;
};

/// What maps of one launch and one turn have in common.
struct SingleLaunch {
  static constexpr int launches() { return 1; }
  WARPLOOM_HD static constexpr bool more(int, Index3, int turn) { return turn == 0; }
};

}  // namespace warploom
