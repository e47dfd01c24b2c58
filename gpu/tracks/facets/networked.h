#pragma once
#include <string>

#include "gpu/butterfly/report.h"

namespace warploom {

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

 protected:
  ~Rated() = default;
};

}  // namespace warploom
