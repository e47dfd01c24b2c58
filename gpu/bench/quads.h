#pragma once
#include <cstdint>

#include "gpu/core/hash.h"
#include "gpu/core/queue.h"

namespace warploom::bench {

/// What one load instruction moves at most.
struct alignas(16) Quad {
  std::uint32_t x, y, z, w;
};

/// Random data by its index, so that a check needs no copy of it.
WARPLOOM_HD Quad random_quad(std::uint64_t seed, std::uint64_t index) {
  const std::uint64_t a = cell_hash(seed, index, 0), b = cell_hash(~seed, index, 1);
  return {static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(a >> 32), static_cast<std::uint32_t>(b),
          static_cast<std::uint32_t>(b >> 32)};
}

/// The quads a thread that copies and fills are compiled for.
inline constexpr unsigned quad_widths[] = {1, 2, 4, 8};
/// What no fill and no copy writes.
inline constexpr Quad poison_quad{0xdeadbeefu, 1, 2, 3};

/// Launches a copy of `count` quads, `width` of them a thread: all loads of a thread before its first store, so that
/// they are under way together.
void copy_quads(Queue& queue, const void* from, void* to, std::uint64_t count, unsigned width);
/// Launches what reads `reads` quads for each of `count` that it writes, 1 or 4: their sum, number by number. `width`
/// sums a thread.
void fold_quads(Queue& queue, const void* from, void* to, std::uint64_t count, unsigned reads, unsigned width);
/// Launches a fill of `count` quads, `width` of them a thread.
void fill_quads(Queue& queue, Quad* to, std::uint64_t count, Quad value, unsigned width = 1);
/// Launches a fill with random_quad.
void fill_random(Queue& queue, Quad* to, std::uint64_t count, std::uint64_t seed);

/// Whether all are random_quad. Waits.
bool all_random(Queue& queue, const Quad* at, std::uint64_t count, std::uint64_t seed);
/// Whether all are what fold_quads makes of random quads. Waits.
bool all_folded(Queue& queue, const Quad* at, std::uint64_t count, unsigned reads, std::uint64_t seed);
/// Whether all are the same. Waits.
bool all_are(Queue& queue, const Quad* at, std::uint64_t count, Quad value);

}  // namespace warploom::bench
