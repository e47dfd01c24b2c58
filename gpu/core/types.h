#pragma once
#include <cstdint>

#include "gpu/core/macros.h"

namespace warploom {

/// A place in a launch grid, in a block, or in a domain. x is the fastest. 32 bits per axis, checked at the border.
struct Index3 {
  std::uint32_t x = 0, y = 0, z = 0;
  friend constexpr bool operator==(const Index3&, const Index3&) = default;
};

/// A place in the domain. Two-dimensional domains have z = 0; y grows downwards.
using Cell = Index3;

/// Number of places in a box of this extent.
WARPLOOM_HD constexpr std::uint64_t volume(Index3 extent) { return std::uint64_t{extent.x} * extent.y * extent.z; }

/// Position of `at` in a box of extent `extent`, x fastest.
WARPLOOM_HD constexpr std::uint64_t linear_index(Index3 at, Index3 extent) {
  return (std::uint64_t{at.z} * extent.y + at.y) * extent.x + at.x;
}

/// Inverse of linear_index.
WARPLOOM_HD constexpr Index3 unfold(std::uint64_t index, Index3 extent) {
  const std::uint64_t row = index / extent.x;
  return {static_cast<std::uint32_t>(index % extent.x), static_cast<std::uint32_t>(row % extent.y),
          static_cast<std::uint32_t>(row / extent.y)};
}

/// One launch: a box of blocks, each a box of threads. Indices are logical; the launch function folds what the device
/// cannot take, and a device launches `gang` of them, neighbours along x, as one block of its own. Only programs that
/// say so (program.h) may be ganged; nothing but the time they take depends on it.
struct LaunchShape {
  Index3 blocks{1, 1, 1};
  Index3 threads{1, 1, 1};
  std::uint32_t gang = 1;  ///< 1 to most_gang
  friend constexpr bool operator==(const LaunchShape&, const LaunchShape&) = default;
  WARPLOOM_HD constexpr std::uint64_t block_count() const { return volume(blocks); }
  WARPLOOM_HD constexpr std::uint64_t thread_count() const { return volume(blocks) * volume(threads); }
};

/// So many blocks, in rows of 2^30.
WARPLOOM_HD constexpr Index3 row_of_blocks(std::uint64_t blocks) {
  constexpr std::uint64_t row = 1u << 30;
  return {static_cast<std::uint32_t>(blocks < row ? blocks : row), static_cast<std::uint32_t>((blocks + row - 1) / row),
          1};
}

/// The box of cells that a thread serves; its sides divide those of a block.
struct ThreadBox {
  std::uint32_t x = 1, y = 1, z = 1;
  friend constexpr bool operator==(const ThreadBox&, const ThreadBox&) = default;
  WARPLOOM_HD constexpr std::uint32_t cells() const { return x * y * z; }
};

/// Who serves a cell: a thread of a block of a launch, on one of its turns.
struct Owner {
  int launch = 0;
  Index3 block;
  int turn = 0;
  Index3 thread;
  std::uint32_t item = 0;  ///< which of the places that the thread serves, where there are several: its place in a box
  friend constexpr bool operator==(const Owner&, const Owner&) = default;
};

/// The cell a thread maps to; `useful` false: the empty place a wasted thread maps to.
struct Target {
  Cell cell;
  bool useful = false;
};

/// Threads in a warp on every CUDA device so far; the CPU engine counts warps the same way.
inline constexpr unsigned warp_size = 32;

/// Threads a block may have on every CUDA device so far.
inline constexpr unsigned max_block_threads = 1024;

/// Blocks that are launched as one at most: each has a barrier of its own, and a device has 16.
inline constexpr unsigned most_gang = 8;

/// Threads that a gang of blocks of so many takes on a device: each block begins with a warp of its own.
WARPLOOM_HD constexpr std::uint64_t gang_threads(std::uint64_t threads, std::uint32_t gang) {
  return gang == 1 ? threads : (threads + warp_size - 1) / warp_size * warp_size * gang;
}

}  // namespace warploom
