#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "gpu/core/queue.h"
#include "gpu/core/types.h"

namespace warploom {

/// A track whose cells are dead or alive, and can be painted so. The thread that steps.
class Editable {
 public:
  /// In the finished state itself; pictures wait so long. Cells outside the domain are left out.
  virtual void edit(Queue& queue, std::span<const Cell> cells, std::uint8_t value) = 0;
  /// The finished state, row-major over the box: what a capture keeps of a painted run.
  virtual std::vector<std::uint8_t> state(Queue& queue) = 0;

 protected:
  ~Editable() = default;
};

}  // namespace warploom
