#include "gpu/scenes/simplex/maps/recursive.h"

#include <fmt/format.h>

namespace warploom {

Formula RecursivePlacing::explain(const SimplexQuestion& q) {
  Formula formula{"block " + q.place(q.who.block) + fmt::format(", launch {}", q.who.launch), {}, {}};
  formula.steps.push_back({"launch", q.grid.x == 1 && q.grid.y == 1 ? "the diagonal" : "boxes of blocks",
                           fmt::format("{} \u00d7 {} \u00d7 {}", q.grid.x, q.grid.y, q.grid.z)});
  formula.steps.push_back({"box", "number z down the diagonal", std::to_string(q.who.block.z)});
  return formula;
}

}  // namespace warploom
