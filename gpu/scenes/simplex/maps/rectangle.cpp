#include "gpu/scenes/simplex/maps/rectangle.h"

#include <fmt/format.h>

namespace warploom {

Formula RectanglePlacing::explain(const SimplexQuestion& q) {
  Formula formula = q.of_block();
  const std::uint32_t even = 1 - q.blocks % 2, x = q.who.block.x;
  const bool stays = q.who.block.y >= x + even;
  formula.steps = {{"n_b", even ? "even: one row more" : "odd: one column alone", std::to_string(q.blocks)},
                   {"side", fmt::format("y {} x{}", stays ? "\u2265" : "<", even ? " + 1" : ""),
                    stays ? "near half" : "far half, folded"},
                   {"column", stays ? "x" : fmt::format("n_b \u2212 x{}", even ? " \u2212 1" : ""),
                    std::to_string(stays ? x : q.blocks - x - even)}};
  return formula;
}

}  // namespace warploom
