#pragma once
#include <string>
#include <vector>

#include "gpu/tracks/simulation.h"

namespace warploom {

/// A curve of theory, over sides n.
struct TheoryCurve {
  std::size_t track = 0;
  std::vector<double> n, value;
  std::string name;  ///< where it is not the track's own
};

/// A scene whose waste is known by closed form.
class Theory {
 public:
  /// One sentence for the threads card.
  virtual std::string sentence(const Simulation& simulation) const = 0;
  /// Threads launched a cell, against n: one a track.
  virtual std::vector<TheoryCurve> waste() const = 0;

 protected:
  ~Theory() = default;
};

/// A scene with a theory of speed-ups from what the maps alone cost, and of what a layout costs in memory.
class GainTheory {
 public:
  /// Speed-up against n; empty where the maps were not timed yet.
  virtual std::vector<TheoryCurve> gains(const Simulation& simulation) const = 0;
  /// Lines that stand beside the exact counts of the layouts.
  virtual std::vector<std::string> layout_lines(const Simulation& simulation) const = 0;

 protected:
  ~GainTheory() = default;
};

}  // namespace warploom
