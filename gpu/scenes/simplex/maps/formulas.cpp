#include <fmt/format.h>

#include <cmath>

#include "gpu/core/format.h"
#include "gpu/scenes/simplex/maps/list.h"

// The formulas of the maps in words.

namespace warploom {

std::string SimplexQuestion::place(Index3 at) const {
  if (at.x == ~0u) return "nowhere";
  return dimensions == 2 ? fmt::format("({}, {})", at.x, at.y) : fmt::format("({}, {}, {})", at.x, at.y, at.z);
}

std::uint64_t SimplexQuestion::count() const {
  return dimensions == 2 ? triangle_number(blocks) : tetrahedron_number(blocks);
}

Formula SimplexQuestion::of_block(bool of_launch) const {
  return {"block " + place(who.block) + (of_launch ? fmt::format(", launch {}", who.launch) : ""), {}, {}};
}

Formula closed(Formula lines, const SimplexQuestion& question) {
  // These lines are the host's arithmetic; a device's roots may fail where they do not.
  if (question.mismapped)
    lines.result = {"mis-mapped", "", lines.result.what == "wrong" ? lines.result.result : "on this device"};
  if (lines.result.what.empty())
    lines.result = {question.serves ? "serves block" : "waste", "",
                    question.block ? question.place(*question.block) : "no block"};
  return lines;
}

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
  formula.steps = {{"w", "block number", grouped(w)},
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

RootStep ExactRoot::explain_layer(std::uint64_t w) {
  return {"cbrt(6w), then down", fmt::format("{:.5f}", std::cbrt(6 * static_cast<double>(w))), tetrahedron_root(w)};
}
RootStep ExactRoot::explain_row(std::uint64_t w) {
  return {"\u221a(2w+\u00bc) \u2212 \u00bd", fmt::format("{:.7f}", std::sqrt(2 * static_cast<double>(w) + .25) - .5),
          triangle_root(w)};
}

namespace {

RootStep printed(const char* how, const std::string& value, bool (*root)(std::uint64_t, std::uint32_t&),
                 std::uint64_t w) {
  RootStep step{how, value};
  root(w, step.place);
  return step;
}

}  // namespace

RootStep SingleRoot::explain_layer(std::uint64_t w) {
  return printed("eq. 14, single", w ? fmt::format("{:.7f}", layer_value(w)) : "guarded", layer, w);
}
RootStep SingleRoot::explain_row(std::uint64_t w) {
  const float a = .25f + 2 * static_cast<float>(w);
  return printed("\u221a(2w+\u00bc) \u2212 \u00bd, single", fmt::format("{:.5f}", std::sqrt(a) - .5f), row, w);
}
RootStep DoubleRoot::explain_layer(std::uint64_t w) {
  return printed("eq. 14, double", w ? fmt::format("{:.13f}", layer_value(w)) : "guarded", layer, w);
}
RootStep DoubleRoot::explain_row(std::uint64_t w) {
  return printed("\u221a(2w+\u00bc) \u2212 \u00bd",
                 fmt::format("{:.7f}", std::sqrt(2 * static_cast<double>(w) + .25) - .5), row, w);
}
RootStep InverseRoot::explain_row(std::uint64_t w) {
  const float a = .25f + 2 * static_cast<float>(w);
  return printed("a\u00b7rsqrt(a) \u2212 .4999",
                 fmt::format("{:.5f}", fused_multiply_add(a, inverse_square_root(a), -.4999f)), row, w);
}

Formula explain_roots(const SimplexQuestion& q, ExplainRoot layer, ExplainRoot row) {
  Formula formula = q.of_block();
  const std::uint64_t w = linear_index(q.who.block, q.grid), count = q.count();
  auto& steps = formula.steps;
  steps.push_back({"w", fmt::format("block number, of {}", grouped(count)), grouped(w)});
  if (w >= count) {
    formula.result = {"waste", "", "w is past the last block"};
    return formula;
  }
  const auto note = [&](const char* what, std::uint32_t got, std::uint32_t right) {
    steps.push_back({what, got == right ? "floor" : fmt::format("floor; right is {}", right), std::to_string(got)});
  };
  std::uint64_t rest = w;
  if (q.dimensions == 3) {
    const std::uint32_t right = tetrahedron_root(w);
    const RootStep root = layer(w);
    const std::uint32_t z = root.place;
    steps.push_back({"root", root.how, root.value});
    note("z", z, right);
    if (tetrahedron_number(z) > w || z > right + 1) {
      formula.result = {"wrong", "", fmt::format("T({}) is past w", z)};
      return formula;
    }
    rest = w - tetrahedron_number(z);
    steps.push_back({"w'", fmt::format("w \u2212 T({})", z), grouped(rest)});
  }
  const RootStep root = row(rest);
  steps.push_back({"root", root.how, root.value});
  note("y", root.place, triangle_root(rest));
  const std::uint64_t before = triangle_number(root.place);
  steps.push_back({"x", fmt::format("w{} \u2212 t({})", q.dimensions == 3 ? "'" : "", root.place),
                   before > rest ? "negative" : grouped(rest - before)});
  return formula;
}

}  // namespace warploom
