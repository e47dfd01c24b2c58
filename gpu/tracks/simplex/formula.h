#pragma once
#include "gpu/tracks/track.h"

namespace warploom {

/// What a formula is asked about: a launched block of a simplex map, and where it went.
struct SimplexQuestion {
  int dimensions = 2;
  bool corner = false;
  std::uint32_t blocks = 1;  ///< a side
  std::string map;
  Index3 grid;  ///< of the launch
  Owner who;
  std::optional<Index3> block;  ///< what the map says, in the domain's own coordinates
  bool serves = false;
  bool astray = false;  ///< a map that is meant to be wrong sent it elsewhere, on the backend it ran on
};

/// The map's formula line by line for one launched block.
Formula simplex_formula(const SimplexQuestion& question);

}  // namespace warploom
