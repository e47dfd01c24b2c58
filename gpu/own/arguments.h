#pragma once
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "gpu/core/types.h"

// What passes between the program, a host and the code of an own map. All three are compiled apart, so everything here
// is plain bytes of one layout; a host refuses code whose arguments have another size than those that it was sent.

namespace warploom::own {

/// Memory of the program that a host maps, by what it is for. Which of them a run has, its scene says.
enum class Memory : std::uint32_t {
  in,       ///< the finished state
  out,      ///< the state that a step writes
  sums,     ///< SumSlots, of works that fold
  placing,  ///< what a built-in map looks up to place blocks
  table,    ///< what the way inside a block looks up
  points,   ///< what a work reads beside the state
  once,     ///< a bit a place: served
  twice,    ///< a bit a place: served again
  owner,    ///< [places] the least visit of a thread that serves the place; all ones: none
  served,   ///< [visits of blocks] 1 + the number of the block of cells that is served; 0: none
  useful,   ///< [visits of blocks] std::uint16_t, how many threads serve a cell
  threads,  ///< a bit a visit of a thread: it serves a cell
  tallies,  ///< [tally_slots] Tally
  notes,    ///< SeenNotes, of code that notes its values
  serving,  ///< Serving: judging looks for who serves one place, and marks none
  count
};

/// The begin of every scene's arguments.
struct Arguments {
  void* memory[static_cast<std::size_t>(Memory::count)] = {};  ///< null: it is not there
  bool tests = true;  ///< of a trusted step: whether answers are tested against the domain
  /// Whether marks lie by the numbers of cells, in place of their places in the box.
  bool by_number = false;

  template <class Value>
  WARPLOOM_HD Value* at(Memory which) const {
    return static_cast<Value*>(memory[static_cast<std::size_t>(which)]);
  }
};

/// Arguments as the code of a run holds them. Code of a device that comes to them as its kernel's parameters reads them
/// there: a copy of a table would be memory of each thread. Else what holds them is handed on as a whole; a CPU's
/// compiler takes what a work writes for any memory that is not held so.
#ifdef __CUDACC_RTC__
template <class Value>
using Held = const Value&;
#else
template <class Value>
using Held = Value;
#endif

/// Most launches of a map.
inline constexpr int most_launches = 256;
/// What a map launches, as it says itself.
struct Launches {
  int count = 1;   ///< of `grids`, when 1 to most_launches
  int turns = 1;   ///< of each block
  Index3 threads;  ///< a block
  Index3 grids[most_launches];
};

/// What a built-in map launches, as find_launches() has it.
template <class Map>
void find_launches_of_map(const Map& map, Launches& all) {
  all.count = map.launches();
  all.turns = 1;
  for (int i = 0; i < all.count && i < most_launches; ++i) all.grids[i] = map.shape(i).blocks;
  all.threads = map.shape(0).threads;
}

/// What judging counts: visits of threads, warps, and visits of blocks.
struct Tally {
  static constexpr int most_sectors = 6;
  std::uint64_t served, outside, nowhere;
  std::uint64_t warps_full, warps_partial, warps_idle, blocks_useful;
  std::uint64_t sectors[most_sectors];  ///< that useful threads of each warp touch, in as many ways as a scene counts
};
/// Tallies lie in so many slots, to be added up.
inline constexpr std::uint64_t tally_slots = 64;

/// The visits of threads that serve a place, by their numbers.
struct Serving {
  static constexpr std::uint64_t most = 64;
  std::uint64_t place;
  std::uint64_t count;         ///< of all
  std::uint64_t visits[most];  ///< of so many, in any order
};

/// A visit of a thread, and what a map answers.
struct Visit {
  int launch = 0, turn = 0;
  Index3 block, thread;
};
struct Answered {
  std::uint8_t serves = 0;  ///< a cell of the domain
  std::uint8_t has_block = 0;
  Index3 cell;   ///< as answered
  Index3 first;  ///< of `place`: the first cell of its block
};

/// A launch of a device's kernel.
struct DeviceLaunch {
  const Launches* shape;  ///< of the device
  int launch, turns;
  std::uint64_t first_visit;  ///< of the launch
  Index3 blocks;
  bool folded;  ///< the grid is a row of rows: see run_on_device.h
};

/// Where a host's thread is, for the report of a fall.
struct Whereabouts {
  volatile std::uint64_t block = 0;
  volatile int launch = -1;
};

/// What code of an own map does for a range of blocks of a launch.
enum class Job : std::uint32_t { judge, checked_step, trusted_step };

/// The functions of a compiled own map, by name.
extern "C" {
using OwnSize = std::size_t();                          ///< own_size: of its arguments
using OwnLaunches = void(const Arguments*, Launches*);  ///< own_launches
using OwnRun = void(Job, const Arguments*, const Launches*, int launch, std::uint64_t first_visit, std::uint64_t first,
                    std::uint64_t last, Whereabouts*);                            ///< own_run
using OwnAsk = void(const Arguments*, const Launches*, const Visit*, Answered*);  ///< own_ask
}
// Of a device they are kernels: own_size(std::uint64_t*), own_launches(arguments, Launches*), own_ask(arguments, const
// Launches*, Visit, Answered*), each of one thread; own_judge, of checked code, and own_step(arguments, DeviceLaunch).
// own_map_size(std::uint64_t*) is 0, but of a built-in map under a rule: there is own_map(arguments, map*) besides, and
// own_step(arguments, map, DeviceLaunch).

}  // namespace warploom::own
