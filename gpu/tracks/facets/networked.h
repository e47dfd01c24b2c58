#pragma once
#include <string>
#include <vector>

#include "gpu/butterfly/report.h"
#include "gpu/pictures/selection.h"

namespace warploom {

/// A wire of the network after a stage: x the element, y the stage, 0 before the first, z of how many: networks of
/// other depth have it as far on as that.
inline constexpr const char* wire_space = "wire";

/// The stage of a wire in a network of so many.
inline int stage_of_wire(const Index3& wire, int stages) {
  if (wire.z == 0) return static_cast<int>(wire.y);
  return static_cast<int>(std::uint64_t{wire.y} * static_cast<std::uint64_t>(stages) / wire.z);
}
/// ... of what is selected; 0: no wire is.
inline int stage_of_wire(const Selection& selection, int stages) {
  return selection.space == wire_space ? stage_of_wire(selection.at, stages) : 0;
}

/// The window of an FFT that a stage is in.
inline int paired_window(const NetworkReport& network, int stage) {
  return network.by_stage.empty() ? 0 : network.by_stage[static_cast<std::size_t>(stage - 1)].digits.window;
}

/// A track that runs a network of operators. Any thread may ask.
class Networked {
 public:
  virtual const NetworkReport& network() const = 0;

 protected:
  ~Networked() = default;
};

/// A track whose work has a measure of its own: how much a step does of it, in `unit` times a second.
class Rated {
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

 protected:
  ~Rated() = default;
};

}  // namespace warploom
