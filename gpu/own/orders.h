#pragma once
#include <algorithm>
#include <atomic>
#include <cstdint>

#include "gpu/core/run_blocks.h"
#include "gpu/own/arguments.h"

// What a program and its host say to each other: an order and its answer, one packet each, of fixed size but for the
// arguments at an order's end. Both are of one build.

namespace warploom::own {

inline constexpr std::uint32_t orders_version = 6;
/// Arguments of a scene are at most so long.
inline constexpr std::size_t most_argument_bytes = 16 << 10;
/// The socket in the host's process.
inline constexpr int host_socket = 3;

enum class OrderKind : std::uint32_t {
  map,       ///< shared pages, whose file or handle comes with it, from now on have the number `pages`
  unmap,     ///< pages of the number `pages` are the program's alone again
  load,      ///< the checked map and the trusted one, of `paths`; on a CPU its rights end with that
  launches,  ///< what it launches
  run,       ///< a job, over all launches
  ask        ///< one visit
};

/// A CPU's pool takes so many blocks at a time, and so many times of each launch; the host tells of each.
inline std::uint64_t blocks_of_chunk(const Launches& shape) {
  return std::max<std::uint64_t>(1, warploom::detail::usual_threads_per_chunk / volume(shape.threads));
}
inline std::uint64_t chunks_of(const Launches& shape, int launch) {
  const std::uint64_t grain = blocks_of_chunk(shape);
  return (volume(shape.grids[launch]) + grain - 1) / grain;
}

/// Where memory of the program's lies.
struct PagesAt {
  std::uint64_t pages = 0;  ///< 0: nowhere
  std::uint64_t offset = 0;
};

struct Order {
  std::uint32_t version = orders_version;
  OrderKind kind = OrderKind::map;
  Job job = Job::judge;
  std::uint32_t argument_bytes = 0;
  std::uint64_t pages = 0, page_bytes = 0;
  bool of_device = false;  ///< of `map`: pages lie in what `handle` is of, from `page_offset` on
  unsigned char handle[64] = {};
  std::uint64_t page_offset = 0;
  PagesAt memory[static_cast<std::size_t>(Memory::count)];
  /// Of `run`: so many, one after the other. Each but the first reads what the one before wrote, and writes to `second`
  /// and Memory::out in turn.
  std::uint32_t steps = 1;
  PagesAt second;
  /// Of `run` on a CPU: the chunks of all launches from the first to the one before `last`; a device runs all.
  std::uint64_t first = 0, last = ~std::uint64_t{0};
  Visit visit;
  char paths[2][1024] = {};
};

struct Answer {
  std::uint8_t done = 0;       ///< no bool: what a host writes may be any byte
  double milliseconds = 0;     ///< that the pool took, by its own clock
  std::uint64_t base[2] = {};  ///< of `load`: where the code of each lies in the host
  Launches launches;
  Answered answered;
  char why[400] = {};  ///< where it is not done
};

/// Shared with the program: what a host tells while it works, and as it falls.
struct Signals {
  static constexpr int most_frames = 32;
  std::atomic<std::uint64_t> beats{0};      ///< chunks that are done
  std::atomic<std::uint32_t> cancelled{0};  ///< set by the program
  /// 0: nothing; 1: a thread writes what follows; 2: it is written.
  std::atomic<std::uint32_t> fallen{0};
  int signal = 0;
  char what[120] = {};  ///< of checked code: "kind:words"
  std::uint64_t address = 0, stack = 0;
  std::uint64_t frames[most_frames] = {};  ///< return addresses, the innermost first
  int frame_count = 0;
  int launch = -1;
  std::uint64_t block = 0;
};

}  // namespace warploom::own
