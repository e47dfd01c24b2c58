#pragma once
#include <cstdint>
#include <optional>

#include "gpu/core/queue.h"
#include "gpu/core/types.h"
#include "gpu/tracks/faceted.h"

namespace warploom {

/// What a map does over one step, counted; `launched_stated` is its closed form.
struct Counts {
  std::uint64_t launched = 0, launched_stated = 0, useful = 0, useful_stated = 0;
  std::uint64_t blocks = 0, blocks_useful = 0;
  std::uint64_t warps_full = 0, warps_partial = 0, warps_idle = 0;  ///< full: 32 useful threads
  std::uint64_t sectors = 0;  ///< 32-byte sectors that the useful threads touch, warp by warp
  std::uint64_t items = 1;  ///< places that a thread serves: each counts as launched, and where it is a cell as useful
  std::uint64_t wrong = 0;  ///< blocks that an inexact map mis-mapped
  std::uint64_t threads() const { return launched / items; }
  /// A thread of an own kernel can serve several: then none is wasted.
  std::uint64_t wasted() const { return launched > useful ? launched - useful : 0; }
  /// Places in all warps: 32 threads' each, also of a block's last warp that has fewer threads.
  std::uint64_t lanes() const { return (warps_full + warps_partial + warps_idle) * warp_size * items; }
  /// Lanes without a thread: the block's size is rounded up to whole warps.
  std::uint64_t lanes_lost() const { return lanes() - launched; }
  /// Useful threads of all lanes, 0..1.
  double warp_efficiency() const {
    const std::uint64_t served = useful < lanes() ? useful : lanes();
    return lanes() ? static_cast<double>(served) / static_cast<double>(lanes()) : 0;
  }
};

/// What the first warps of a step did, in launch order.
struct CountsSoFar {
  std::uint64_t launched = 0, useful = 0;  ///< threads
  std::optional<Owner> last;               ///< of the last warp, its first thread; none before the first
  bool whole = false;                      ///< all have come
};

/// A track that can count what its threads do.
class Counted : public FacetBase {
 public:
  /// Runs the map once and counts; remembers each block's useful threads for pictures and dumps. The thread that steps.
  virtual void count(Queue& queue) = 0;
  /// Nullopt until counted. Any thread.
  virtual std::optional<Counts> counts() const = 0;
  /// Of so many warps, block after block. Waits for a kernel in `queue`; nullopt until counted, or where it is not
  /// kept.
  virtual std::optional<CountsSoFar> counts_so_far(Queue&, std::uint64_t /*warps*/) const { return std::nullopt; }
};

/// Of anything: nullopt, too, where it does not count.
inline std::optional<Counts> counts_of(const Faceted& track) {
  const auto* counted = track.facet<Counted>();
  return counted ? counted->counts() : std::nullopt;
}

}  // namespace warploom
