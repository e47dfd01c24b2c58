#pragma once
#include <cstdint>
#include <vector>

#include "gpu/core/team.h"

namespace warploom::bench {

/// How long exchanges took that all of a team's devices were part of.
struct LinkTimes {
  bool verified = false;  ///< every byte arrived, in the first exchange and in the last
  std::vector<double> microseconds;
};

/// Every device sends `bytes`, a multiple of 8, to every other: of each exchange the longest device's time for it.
/// Throws Cancelled.
LinkTimes time_exchange(Queue& queue, Team& team, std::uint64_t bytes, std::size_t samples, std::uint64_t seed);

/// Steps in which no device does anything, by the host's clock: fork and join.
std::vector<double> time_joins(Queue& queue, Team& team, std::size_t samples);

}  // namespace warploom::bench
