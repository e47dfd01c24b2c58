#pragma once
#include <optional>

#include "gpu/core/types.h"
#include "gpu/maps/formula.h"

namespace warploom {

/// What the formula of a simplex map is asked about: a launched block, and where it went.
struct SimplexQuestion {
  int dimensions = 2;
  bool corner = false;
  std::uint32_t blocks = 1;  ///< a side
  Index3 grid;               ///< of the launch
  Owner who;
  std::optional<Index3> block;  ///< what the map says, in the domain's own coordinates
  bool serves = false;
  bool mismapped = false;  ///< an inexact map sent it elsewhere, on the backend it ran on

  /// (x, y) or (x, y, z); "nowhere" for all ones.
  std::string place(Index3 at) const;
  /// Blocks of the simplex.
  std::uint64_t count() const;
};

/// The map's lines, closed by what became of the block where the map does not close them itself.
Formula closed(Formula lines, const SimplexQuestion& question);

}  // namespace warploom
