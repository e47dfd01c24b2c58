#pragma once
#include <cstdint>
#include <functional>

#include "gpu/core/queue.h"
#include "gpu/tracks/faceted.h"

namespace warploom {

/// A track that can take several steps before one is published. The thread that steps.
class Batched : public FacetBase {
 public:
  /// How many it can take, at most `count`, at least 1: as memory for the states in between allows.
  virtual std::uint64_t reach(Queue& queue, std::uint64_t count) = 0;
  /// Whether `count` steps, which `reach` gave, can only be taken as a whole: fewer need a state that is not there.
  virtual bool only_whole(std::uint64_t count) const = 0;
  /// Up to `count` steps, no more than `reach`, into a state that is not shown: like that many of Track::step, of which
  /// none but the last is published. Returns how many: fewer only where enough(), asked between two launches, says so.
  /// One sample of time, of the mean of a step.
  virtual std::uint64_t steps(Queue& queue, std::uint64_t count, const std::function<bool()>& enough) = 0;
};

}  // namespace warploom
