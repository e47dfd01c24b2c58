#pragma once
#include <algorithm>
#include <cstdint>

#include "gpu/core/ordered_atomic.h"

// Two passes in one launch: blocks take tickets in order, even ones a tile of the first pass, odd ones of the second,
// some tiles behind. Between them values lie in a ring of chunks, small enough for a device's second cache. A wait is
// for what smaller tickets do, and these have begun: all waits end. Source: the house's design.
namespace warploom {

/// How a ring is cut; every number a power of two but `lag` and `slots`. A chunk is what the second pass needs whole.
struct RingShape {
  int chunk = 0;            ///< log2 of its elements
  int tile = 0;             ///< log2 of a tile's
  std::uint32_t slots = 0;  ///< chunks that the ring holds; 0: there is no ring
  std::uint32_t lag = 0;    ///< tiles from a pass to the other

  WARPLOOM_HD std::uint64_t tiles_of_chunk() const { return std::uint64_t{1} << (chunk - tile); }
  WARPLOOM_HD std::uint64_t elements() const { return std::uint64_t{slots} << chunk; }
};

/// A ring of at most so many bytes, where as many blocks are resident. No ring where three chunks do not fit it: of two
/// one waits for the other, and a launch a pass is quicker (docs/measurements/butterflies.md).
inline RingShape ring_shape(int chunk, int tile, std::uint64_t element_bytes, std::uint64_t most_bytes,
                            std::uint32_t resident, double share) {
  RingShape ring{chunk, tile, static_cast<std::uint32_t>(most_bytes / (element_bytes << chunk)), 0};
  if (ring.slots < 3) return {};
  const auto tiles = static_cast<std::uint32_t>(ring.tiles_of_chunk());
  ring.lag = tiles >= resident / 2 ? tiles + resident / 8 : static_cast<std::uint32_t>(share * resident);
  // The second pass is no sooner than the first has made a chunk, nor later than when the first wants its slot again.
  ring.lag = std::clamp(ring.lag, tiles, (ring.slots - 1) * tiles);
  return ring;
}

/// What blocks tell each other of a ring; all of it 0 before a launch.
struct RingBoard {
  std::uint64_t* ticket;  ///< the next one to be taken
  std::uint64_t* made;    ///< (chunks): tiles of each that the first pass has stored
  std::uint64_t* taken;   ///< (chunks): ... that the second pass has read

  static std::uint64_t words(std::uint64_t chunks) { return 1 + 2 * chunks; }
  static RingBoard in(std::uint64_t* words, std::uint64_t chunks) { return {words, words + 1, words + 1 + chunks}; }

  /// One thread: waits until that many tiles of a chunk are told.
  template <class Group>
  WARPLOOM_HD static void wait(Group& group, const std::uint64_t* told, std::uint64_t tiles) {
    while (acquire_load(told) != tiles) group.pause();
  }
};

}  // namespace warploom
