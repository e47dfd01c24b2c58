#pragma once
#include <cstdint>
#include <type_traits>

#include "gpu/core/types.h"

// What a group program says of itself
// -----------------------------------
// A program is a small value that launch() runs in every block:
//
//   template <class Group> void operator()(Group&) const
//
// and where they apply
//
//   template <class Group> struct Shared { typename Group::template Tile<float, 1000> values; ... };
//   template <class Group> void operator()(Group&, Shared<Group>&) const      in place of the other
//                                              the shared memory of a block, all of it in one struct, at most 48 KiB:
//                                              no constructor runs, its members need none
//   std::uint64_t dynamic_shared_bytes() const shared memory beside it whose size is known at run time
//   static constexpr unsigned most_threads     largest block it is launched with (1024): fewer leave it more registers
//   static constexpr bool begins_early         its blocks may start while the launch before ends: it calls
//                                              after_previous first of all (group.h). From compute capability 9.0;
//                                              below, as all others
//   static constexpr bool waits_for_blocks     its blocks wait, by pause(), for what other blocks of the launch do. All
//                                              of them are resident: each runs beside all others until its own end,
//                                              and may wait for any. A launch of more than resident_blocks (launch.h)
//                                              is refused. It does not gang
//   static constexpr bool needs_all_blocks     of programs that wait for blocks: false: no block waits for one that has
//                                              not started. Then there may be more than are resident: they start, in
//                                              any order, when others have ended
//   static constexpr unsigned least_blocks     blocks a multiprocessor should hold at once: a limit to its registers
//   static constexpr bool rows_of_warps        its blocks are rows of whole warps: what threads of a warp do together
//                                              need not ask which of them there are
//   static constexpr unsigned exact_threads    its blocks have so many, known to the compiler
//   static constexpr bool gangs                several of its blocks may be launched as one (LaunchShape::gang): they
//                                              share nothing, and do not see it. No product, no dynamic shared memory
//   static constexpr bool waits                of programs that gang: false: no thread of it waits for another warp's
//   static constexpr bool fits_grids           of programs that gang: its grids are never past a device's limits
//   static constexpr bool on_cpu, on_devices   false: another program does the same there, and this one is not compiled
//                                              for it

namespace warploom {

/// Of programs without shared memory of their own.
struct NothingShared {};

template <class Program, class Group>
concept SharesMemory = requires {
  typename Program::template Shared<Group>;
};

namespace detail {
template <class Program, class Group>
struct SharedOf {
  using type = NothingShared;
};
template <class Program, class Group>
requires SharesMemory<Program, Group>
struct SharedOf<Program, Group> {
  using type = typename Program::template Shared<Group>;
};
}  // namespace detail

/// The Shared of a program, or of a part of one; NothingShared where it has none.
template <class Program, class Group>
using SharedBy = typename detail::SharedOf<Program, Group>::type;

/// Bytes of a Shared, in whole steps of 16: from that of one block of a gang to that of the next.
template <class Shared>
constexpr std::uint64_t shared_bytes_of = std::is_empty_v<Shared> ? 0 : (sizeof(Shared) + 15) / 16 * 16;

/// Threads a block of the program has at most.
template <class Program>
constexpr unsigned most_threads_of() {
  if constexpr (requires { Program::most_threads; }) {
    static_assert(Program::most_threads >= 1 && Program::most_threads <= max_block_threads);
    return Program::most_threads;
  } else {
    return max_block_threads;
  }
}

/// Blocks of the program a multiprocessor should hold; 0: no wish.
template <class Program>
constexpr unsigned least_blocks_of() {
  if constexpr (requires { Program::least_blocks; })
    return Program::least_blocks;
  else
    return 0;
}

/// Whether its blocks are rows of whole warps.
template <class Program>
constexpr bool rows_of_warps = requires {
  requires Program::rows_of_warps;
};

/// How many threads its blocks have, where the compiler knows; 0: any.
template <class Program>
WARPLOOM_HD constexpr unsigned exact_threads_of() {
  if constexpr (requires { Program::exact_threads; })
    return Program::exact_threads;
  else
    return 0;
}

/// Whether several of its blocks may be launched as one.
template <class Program>
constexpr bool may_gang = requires {
  requires Program::gangs;
};

/// Whether two of its blocks have room in one launch; of programs that gang.
template <class Program>
constexpr bool has_room_for_gangs = gang_threads(exact_threads_of<Program>(), 2) <= most_threads_of<Program>();

/// Whether threads of its blocks wait for other warps; of programs that gang.
template <class Program>
constexpr bool waits_for_warps = !requires {
  requires !Program::waits;
};

/// Whether its grids keep to a device's limits; of programs that gang.
template <class Program>
constexpr bool fits_grids = requires {
  requires Program::fits_grids;
};

/// Whether its blocks may start before the launch before it is over.
template <class Program>
constexpr bool begins_early = requires {
  requires Program::begins_early;
};

/// Whether its blocks wait for each other.
template <class Program>
constexpr bool waits_for_blocks = requires {
  requires Program::waits_for_blocks;
};

/// Whether all blocks of a launch must be resident at once.
template <class Program>
constexpr bool needs_all_blocks = waits_for_blocks<Program> && !requires {
  requires !Program::needs_all_blocks;
};

/// Whether it is compiled for the CPU, and for devices.
template <class Program>
constexpr bool runs_on_cpu = !requires {
  requires !Program::on_cpu;
};
template <class Program>
constexpr bool runs_on_devices = !requires {
  requires !Program::on_devices;
};

/// A program that a CPU has another one for.
template <class Program>
struct OnDevices : Program {
  static constexpr bool on_cpu = false;
};

template <class Program>
constexpr bool has_dynamic_shared = requires(const Program& program) {
  program.dynamic_shared_bytes();
};

/// Bytes of shared memory beside its Shared.
template <class Program>
std::uint64_t dynamic_shared_of(const Program& program) {
  if constexpr (has_dynamic_shared<Program>)
    return program.dynamic_shared_bytes();
  else
    return 0;
}

}  // namespace warploom
