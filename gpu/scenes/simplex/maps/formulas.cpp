#include <fmt/format.h>

#include "gpu/core/format.h"
#include "gpu/scenes/simplex/maps/list.h"

// The formulas of the maps in words; those of roots are in root.cpp.

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

Formula RecursivePlacing::explain(const SimplexQuestion& q) {
  Formula formula = q.of_block(true);
  formula.steps = {{"launch", q.grid.x == 1 && q.grid.y == 1 ? "the diagonal" : "boxes of blocks",
                    fmt::format("{} \u00d7 {} \u00d7 {}", q.grid.x, q.grid.y, q.grid.z)},
                   {"box", "number z down the diagonal", std::to_string(q.who.block.z)}};
  return formula;
}

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

Formula HTetrahedronPlacing::explain(const SimplexQuestion& q) {
  Formula formula = q.of_block(true);
  auto& steps = formula.steps;
  const Index3 at = q.who.block;
  if (q.who.launch > 0 || q.grid.x != q.grid.y) {
    steps.push_back(
        {"launch", q.who.launch == 1 ? "the plane y = 0: H of a triangle" : "the lowest layers, folded", q.place(at)});
    return formula;
  }
  const std::uint32_t m = q.grid.x, n = 2 * m;
  steps.push_back({"m", "half the side of H", std::to_string(m)});
  if (at.z < m) {
    const std::uint32_t flipped = m - 1 - at.y;
    steps.push_back({"Y", "m \u2212 1 \u2212 y", std::to_string(flipped)});
    const bool reflected = at.x + flipped + at.z >= n - 1;
    steps.push_back({"x+Y+z", reflected ? "\u2265 n \u2212 1: reflected" : "< n \u2212 1: stays",
                     std::to_string(at.x + flipped + at.z)});
    return formula;
  }
  if (at.y == 0) {
    steps.push_back({"y", "no cell", "0"});
    return formula;
  }
  const int h = floor_log2(at.y);
  const std::uint32_t b = 1u << h, shift = at.x >> h;
  steps.push_back({"h", fmt::format("\u230alog2 {}\u230b", at.y), std::to_string(h)});
  steps.push_back({"q", fmt::format("\u230a{}/2^{}\u230b", at.x, h), std::to_string(shift)});
  steps.push_back({"Z", at.z - m < b ? "z \u2212 m" : "z \u2212 m, past 2^h: no cell", std::to_string(at.z - m)});
  steps.push_back({"X, Y", "x + q b, n \u2212 1 \u2212 (y + 2 q b)",
                   at.z - m < b ? fmt::format("{}, {}", at.x + shift * b, n - 1 - (at.y + 2 * shift * b)) : "\u2013"});
  return formula;
}

Formula explain_table(const SimplexQuestion& q) {
  Formula formula = q.of_block();
  const std::uint64_t w = linear_index(q.who.block, q.grid), count = q.count();
  formula.steps = {{"w", "in the folded grid", grouped(w)},
                   {"look up", count <= TablePlacing<2>::most_entries ? "one word a block" : "binary search of rows",
                    w < count ? fmt::format("entry {}", w) : "past the last"}};
  return formula;
}

Formula explain_walk(const SimplexQuestion& q) {
  const std::uint32_t block = q.who.block.x;
  return {fmt::format("block {}, turn {}", block, q.who.turn),
          {{"w", fmt::format("{} + {} \u00b7 {}", block, q.who.turn, q.grid.x),
            grouped(block + std::uint64_t(q.who.turn) * q.grid.x)},
           {"carry", "x += stride; while x > y: x \u2212= y + 1, y += 1", "integers"}},
          {}};
}

}  // namespace warploom
