#include "gpu/scenes/simplex/maps/bounding_box.h"

#include <fmt/format.h>

namespace warploom {

Formula explain_box(const SimplexQuestion& q) {
  Formula formula = q.of_block();
  const Index3 at = q.who.block;
  if (q.corner) {
    formula.steps.push_back(
        {"sum", fmt::format("x + y + z < n_b = {}?", q.blocks), std::to_string(std::uint64_t{at.x} + at.y + at.z)});
  } else {
    formula.steps.push_back({"x, y", fmt::format("{} \u2264 {}", at.x, at.y), at.x <= at.y ? "yes" : "no: waste"});
    if (q.dimensions == 3)
      formula.steps.push_back({"y, z", fmt::format("{} \u2264 {}", at.y, at.z), at.y <= at.z ? "yes" : "no: waste"});
  }
  return formula;
}

}  // namespace warploom
