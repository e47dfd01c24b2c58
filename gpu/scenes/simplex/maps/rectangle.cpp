#include "gpu/scenes/simplex/maps/rectangle.h"

#include <fmt/format.h>

namespace warploom {

Formula RectanglePlacing::explain(const SimplexQuestion& q) {
  Formula formula{"block " + q.place(q.who.block), {}, {}};
  const std::uint32_t even = 1 - q.blocks % 2, x = q.who.block.x, y = q.who.block.y;
  formula.steps.push_back({"n_b", even ? "even: one row more" : "odd: one column alone", std::to_string(q.blocks)});
  const bool stays = y >= x + even;
  formula.steps.push_back({"side", fmt::format("y {} x{}", stays ? "\u2265" : "<", even ? " + 1" : ""),
                           stays ? "near half" : "far half, folded"});
  formula.steps.push_back({"column", stays ? "x" : fmt::format("n_b \u2212 x{}", even ? " \u2212 1" : ""),
                           std::to_string(stays ? x : q.blocks - x - even)});
  return formula;
}

}  // namespace warploom
