#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "gpu/core/queue.h"
#include "gpu/core/types.h"
#include "gpu/tracks/faceted.h"

namespace warploom {

/// A track whose cells are dead or alive, and can be painted so. The thread that steps, but for its rule.
class Editable : public FacetBase {
 public:
  // ---- any thread -----------------------------------------------------------------------------------------------
  /// What a step makes of a cell with so many live neighbours; nullopt: its work follows no rule.
  virtual std::optional<bool> next(bool /*alive*/, unsigned /*around*/) const { return std::nullopt; }
  /// Whether the rule counts the cell at this offset as a neighbour, where it lies in the domain. By default the eight
  /// of Moore.
  virtual bool neighbour(int x, int y, int z) const { return z == 0 && (x != 0 || y != 0) && x * x <= 1 && y * y <= 1; }

  // ---- the thread that steps --------------------------------------------------------------------------------------
  /// In the finished state itself; pictures wait so long. Cells outside the domain are left out.
  virtual void edit(Queue& queue, std::span<const Cell> cells, std::uint8_t value) = 0;
  /// The finished state, row-major over the box: what a capture keeps of a painted run.
  virtual std::vector<std::uint8_t> state(Queue& queue) = 0;
};

}  // namespace warploom
