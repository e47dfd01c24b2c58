#include "gpu/scenes/simplex/maps/table.h"

#include <fmt/format.h>

#include "gpu/core/format.h"

namespace warploom {

Formula explain_table(const SimplexQuestion& q) {
  Formula formula = q.of_block();
  const std::uint64_t w = linear_index(q.who.block, q.grid), count = q.count();
  formula.steps = {{"w", "in the folded grid", grouped(w)},
                   {"look up", count <= TablePlacing<2>::most_entries ? "one word a block" : "binary search of rows",
                    w < count ? fmt::format("entry {}", w) : "past the last"}};
  return formula;
}

}  // namespace warploom
