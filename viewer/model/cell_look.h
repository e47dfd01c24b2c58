#pragma once
#include <optional>

#include "gpu/tracks/track.h"

namespace warploom {

/// What a cell holds, and its next value.
struct CellLook {
  float value = 0;
  bool two = false;                    ///< dead or alive
  unsigned neighbours = 0, alive = 0;  ///< that the rule counts; 0 without a rule
  std::optional<bool> next = {};       ///< alive after the next step
};

/// Whether the track knows where its threads go: an own kernel says so by writing alone.
bool knows_targets(const Track& track);

/// Reads the finished state in `queue` and waits for it. Nullopt where the track shows no values.
std::optional<CellLook> look_at(Queue& queue, const Track& track, Cell cell);

}  // namespace warploom
