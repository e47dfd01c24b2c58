#pragma once
#include <algorithm>

#include "gpu/core/launch.h"

namespace warploom {

/// Persistent blocks, as many as a large device holds at once: 132 multiprocessors of 227 KiB, and of registers for
/// `by_registers` blocks. One more would begin when the others end, and leave the device half empty.
inline LaunchShape tile_launch(std::uint64_t tiles, std::uint32_t threads, std::uint64_t by_registers,
                               std::uint64_t shared_bytes) {
  constexpr std::uint64_t multiprocessors = 132, bytes_each = 227 << 10, system_bytes = 1024;
  const std::uint64_t resident =
      std::max<std::uint64_t>(1, std::min(by_registers, bytes_each / (shared_bytes + system_bytes)));
  return {{static_cast<std::uint32_t>(std::min(tiles, resident * multiprocessors)), 1, 1}, {threads, 1, 1}};
}

/// Tiles that shared memory should hold for a block. Where others share its multiprocessor, one is under way while
/// another is worked on, and more would only leave the first-level cache less: carpet 0.77 of a copy for 0.75.
inline std::uint32_t stages_for(std::uint64_t by_registers) { return by_registers > 1 ? 2 : 3; }

/// What tiles in shared memory may have of it: words have 16-bit numbers.
inline std::uint64_t shared_limit(std::uint64_t there) {
  return std::min<std::uint64_t>(there, sizeof(std::uint32_t) * 0xffff);
}

}  // namespace warploom
