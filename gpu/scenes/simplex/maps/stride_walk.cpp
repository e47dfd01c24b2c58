#include "gpu/scenes/simplex/maps/stride_walk.h"

#include <fmt/format.h>

#include "gpu/core/format.h"

namespace warploom {

Formula explain_walk(const SimplexQuestion& q) {
  Formula formula{fmt::format("block {}, turn {}", q.who.block.x, q.who.turn), {}, {}};
  formula.steps.push_back({"w", fmt::format("{} + {} \u00b7 {}", q.who.block.x, q.who.turn, q.grid.x),
                           grouped(q.who.block.x + std::uint64_t(q.who.turn) * q.grid.x)});
  formula.steps.push_back({"carry", "x += stride; while x > y: x \u2212= y + 1, y += 1", "integers"});
  return formula;
}

}  // namespace warploom
