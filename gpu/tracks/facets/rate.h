#pragma once
#include <string>
#include <vector>

#include "gpu/tracks/faceted.h"

namespace warploom {

/// A track whose work has a measure of its own: how much a step does of it, in `unit` times a second.
class RateFacet : public FacetBase {
 public:
  struct Work {
    double amount = 0;
    std::string unit;  ///< "GFLOPS", "MRows/s"
  };
  virtual Work work() const = 0;
  /// What others printed, by the size of the problem.
  struct Published {
    std::string name;  ///< with their hardware
    std::vector<double> n, rate;
  };
  virtual std::vector<Published> published() const { return {}; }
};

}  // namespace warploom
