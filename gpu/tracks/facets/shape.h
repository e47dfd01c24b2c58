#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "gpu/core/types.h"
#include "gpu/tracks/faceted.h"

namespace warploom {

/// How a track's work is shared out among threads and launched blocks, for the law of what a map gains: a device starts
/// a block in so many nanoseconds whatever it does, and memory moves so many bytes meanwhile.
struct WorkShape {
  std::uint32_t rho = 1;     ///< cells per side of a block
  ThreadBox box;             ///< cells per thread
  std::uint32_t sector = 0;  ///< cells of a sector, where a block's share of a row begins at one; 0: where it does
  std::uint32_t gang = 1;    ///< blocks a launched one
  double launched = 0;       ///< launched blocks per step: gangs
  double bytes = 0;          ///< that a step moves at least; 0: its work is arithmetic
  bool persistent = false;   ///< few blocks that walk on: starting them costs next to nothing

  /// Milliseconds that starting its blocks takes, at so many nanoseconds each; and moving its bytes.
  double start_ms(double block_ns) const { return launched * block_ns * 1e-6; }
  double memory_ms(double bytes_per_second) const { return bytes / bytes_per_second * 1e3; }
};

/// What the law says that a map without waste gains over the bounding box in one shape: the longer of starting blocks
/// and of the work, of both, each launching so many. `work_ms`: what the work takes however it is launched.
inline double gain_by_law(double box_launched, double map_launched, double block_ns, double work_ms) {
  const double start = block_ns * 1e-6;
  return std::max(box_launched * start, work_ms) / std::max(map_launched * start, work_ms);
}

/// A track whose threads can serve several cells, and whose blocks can be launched together. Any thread may ask.
class ShapeFacet : public FacetBase {
 public:
  virtual WorkShape shape() const = 0;
  /// What is measured at one place: everything but the shape and the map.
  virtual std::string measured_as() const = 0;
  /// Blocks that are launched for the domain cut into blocks of that side, in gangs: by a map without waste, and by the
  /// bounding box.
  virtual double map_launched(std::uint32_t rho, std::uint32_t gang) const = 0;
  virtual double box_launched(std::uint32_t rho, std::uint32_t gang) const = 0;
};

}  // namespace warploom
