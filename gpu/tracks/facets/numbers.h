#pragma once
#include <string>
#include <utility>
#include <vector>

#include "gpu/core/queue.h"
#include "gpu/tracks/faceted.h"

namespace warploom {

/// A track that computes numbers besides its state: name and value. The thread that steps.
class Numbers : public FacetBase {
 public:
  virtual std::vector<std::pair<std::string, double>> numbers(Queue& queue) = 0;
};

}  // namespace warploom
