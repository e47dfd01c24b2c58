#include "gpu/scenes/simplex/maps/recursive.h"

#include <fmt/format.h>

namespace warploom {

Formula RecursivePlacing::explain(const SimplexQuestion& q) {
  Formula formula = q.of_block(true);
  formula.steps = {{"launch", q.grid.x == 1 && q.grid.y == 1 ? "the diagonal" : "boxes of blocks",
                    fmt::format("{} \u00d7 {} \u00d7 {}", q.grid.x, q.grid.y, q.grid.z)},
                   {"box", "number z down the diagonal", std::to_string(q.who.block.z)}};
  return formula;
}

}  // namespace warploom
