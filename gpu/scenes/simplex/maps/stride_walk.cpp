#include "gpu/scenes/simplex/maps/stride_walk.h"

#include <fmt/format.h>

#include "gpu/core/format.h"

namespace warploom {

Formula explain_walk(const SimplexQuestion& q) {
  const std::uint32_t block = q.who.block.x;
  return {fmt::format("block {}, turn {}", block, q.who.turn),
          {{"w", fmt::format("{} + {} \u00b7 {}", block, q.who.turn, q.grid.x),
            grouped(block + std::uint64_t(q.who.turn) * q.grid.x)},
           {"carry", "x += stride; while x > y: x \u2212= y + 1, y += 1", "integers"}},
          {}};
}

}  // namespace warploom
