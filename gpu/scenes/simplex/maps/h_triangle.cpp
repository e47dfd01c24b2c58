#include "gpu/scenes/simplex/maps/h_triangle.h"

#include <fmt/format.h>

namespace warploom {

Formula HTrianglePlacing::explain(const SimplexQuestion& q) {
  Formula formula = q.of_block(true);
  const std::uint32_t side = q.grid.y == q.grid.x * 2 + 1 ? q.grid.x * 2 : 0, x = q.who.block.x, y = q.who.block.y;
  if (side == 0) {
    formula.steps.push_back({"piece", "a rectangle or one block", "as it lies"});
    return formula;
  }
  formula.steps.push_back({"piece", "a triangle, side a power of two", std::to_string(side)});
  if (y == side) {
    formula.steps.push_back({"last row", "(x + n/2, y \u2212 1)", fmt::format("({}, {})", x + side / 2, y - 1)});
    return formula;
  }
  const int h = floor_log2(y + 1);
  const std::uint32_t shift = x >> h << h;
  formula.steps.push_back({"h", fmt::format("\u230alog2({} + 1)\u230b", y), std::to_string(h)});
  formula.steps.push_back({"q", fmt::format("\u230a{}/2^{}\u230b\u00b72^{}", x, h, h), std::to_string(shift)});
  formula.steps.push_back({"in it", "(x + q, y + 2q)", fmt::format("({}, {})", x + shift, y + 2 * shift)});
  return formula;
}

}  // namespace warploom
