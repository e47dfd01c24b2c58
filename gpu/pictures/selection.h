#pragma once
#include <optional>
#include <string>

#include "gpu/core/types.h"

namespace warploom {

/// What the user points at or has picked: one shared value. Panels and pictures read it and make it; none keeps its
/// own. A space is a word: a scene may have spaces of its own (a bin, a row), and a picture that does not know one
/// shows nothing of it.
struct Selection {
  static constexpr const char *none = "", *cell = "cell", *thread = "thread", *block = "block";

  std::string space;      ///< empty: nothing is selected
  Index3 at = {};         ///< of a cell, and of a scene's own spaces: which
  std::size_t track = 0;  ///< of threads and blocks: whose launch grid
  Owner owner = {};
  friend bool operator==(const Selection&, const Selection&) = default;

  bool empty() const { return space.empty(); }
  /// Else it is the same in every track.
  bool of_a_track() const { return space == thread || space == block; }
};

/// A selection as one track has it.
struct Selected {
  Selection selection;
  std::optional<Owner> owner;    ///< who of this track is selected, or serves what is; none: no thread
  std::optional<Target> target;  ///< the cell it stands for
  bool own = true;               ///< false: selected among another track's threads
};

}  // namespace warploom
