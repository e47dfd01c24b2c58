#pragma once
#include <optional>

#include "gpu/core/types.h"
#include "gpu/maps/formula.h"

namespace warploom {

/// A launched block that a map's formula explains, and where it went.
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
  /// A formula without lines yet, with the block as its title, and in maps of several launches the launch.
  Formula of_block(bool of_launch = false) const;
};

/// Adds what became of the block where the map's lines do not say it.
Formula closed(Formula lines, const SimplexQuestion& question);

}  // namespace warploom
