#include "gpu/tracks/simplex/formula.h"

#include <fmt/format.h>

#include "gpu/core/real_roots.h"
#include "gpu/core/words.h"
#include "gpu/maps/simplex/list.h"

namespace warploom {

namespace {

std::string place(const SimplexQuestion& question, Index3 at) {
  if (at.x == ~0u) return "nowhere";
  return question.dimensions == 2 ? fmt::format("({}, {})", at.x, at.y) : fmt::format("({}, {}, {})", at.x, at.y, at.z);
}

/// w and what it is the place of; then roots, with what is right where they are not.
Formula roots(const SimplexQuestion& q) {
  Formula formula{"block " + place(q, q.who.block), {}, {}};
  const std::uint64_t w = linear_index(q.who.block, q.grid),
                      count = q.dimensions == 2 ? triangle_number(q.blocks) : tetrahedron_number(q.blocks);
  auto& steps = formula.steps;
  steps.push_back({"w", fmt::format("folded grid, of {}", grouped(count)), grouped(w)});
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
    std::uint32_t z = right;
    if (q.map == "root_fp32") {
      SingleRoot::layer(w, z);
      steps.push_back({"root", "eq. 14, single", w ? fmt::format("{:.7f}", SingleRoot::layer_value(w)) : "guarded"});
    } else if (q.map == "root_fp64") {
      DoubleRoot::layer(w, z);
      steps.push_back({"root", "eq. 14, double", w ? fmt::format("{:.13f}", DoubleRoot::layer_value(w)) : "guarded"});
    } else {
      steps.push_back({"root", "cbrt(6w), then down", fmt::format("{:.5f}", std::cbrt(6 * static_cast<double>(w)))});
    }
    note("z", z, right);
    if (tetrahedron_number(z) > w || z > right + 1) {
      formula.result = {"wrong", "", fmt::format("T({}) is past w", z)};
      return formula;
    }
    rest = w - tetrahedron_number(z);
    steps.push_back({"w'", fmt::format("w \u2212 T({})", z), grouped(rest)});
  }
  const std::uint32_t right = triangle_root(rest);
  std::uint32_t y = right;
  const float a = .25f + 2 * static_cast<float>(rest);
  if (q.map == "root_fp32") {
    SingleRoot::row(rest, y);
    steps.push_back({"root", "\u221a(2w+\u00bc) \u2212 \u00bd, single", fmt::format("{:.5f}", std::sqrt(a) - .5f)});
  } else if (q.map == "root_rsqrt") {
    InverseRoot::row(rest, y);
    steps.push_back({"root", "a\u00b7rsqrt(a) \u2212 .4999",
                     fmt::format("{:.5f}", fused_multiply_add(a, inverse_square_root(a), -.4999f))});
  } else {
    if (q.map == "root_fp64") DoubleRoot::row(rest, y);
    steps.push_back({"root", "\u221a(2w+\u00bc) \u2212 \u00bd",
                     fmt::format("{:.7f}", std::sqrt(2 * static_cast<double>(rest) + .25) - .5)});
  }
  note("y", y, right);
  const std::uint64_t before = triangle_number(y);
  steps.push_back({"x", fmt::format("w{} \u2212 t({})", q.dimensions == 3 ? "'" : "", y),
                   before > rest ? "negative" : grouped(rest - before)});
  return formula;
}

Formula rectangle(const SimplexQuestion& q) {
  Formula formula{"block " + place(q, q.who.block), {}, {}};
  const std::uint32_t even = 1 - q.blocks % 2, x = q.who.block.x, y = q.who.block.y;
  formula.steps.push_back({"n_b", even ? "even: one row more" : "odd: one column alone", std::to_string(q.blocks)});
  const bool stays = y >= x + even;
  formula.steps.push_back({"side", fmt::format("y {} x{}", stays ? "\u2265" : "<", even ? " + 1" : ""),
                           stays ? "near half" : "far half, folded"});
  formula.steps.push_back({"column", stays ? "x" : fmt::format("n_b \u2212 x{}", even ? " \u2212 1" : ""),
                           std::to_string(stays ? x : q.blocks - x - even)});
  return formula;
}

Formula h_triangle(const SimplexQuestion& q) {
  Formula formula{"block " + place(q, q.who.block) + fmt::format(", launch {}", q.who.launch), {}, {}};
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
  formula.steps.push_back({"h", fmt::format("\u230alog2({} + 1)\u230b", y), std::to_string(h)});
  const std::uint32_t shift = x >> h << h;
  formula.steps.push_back({"q", fmt::format("\u230a{}/2^{}\u230b\u00b72^{}", x, h, h), std::to_string(shift)});
  formula.steps.push_back({"in it", "(x + q, y + 2q)", fmt::format("({}, {})", x + shift, y + 2 * shift)});
  return formula;
}

Formula h_tetrahedron(const SimplexQuestion& q) {
  Formula formula{"block " + place(q, q.who.block) + fmt::format(", launch {}", q.who.launch), {}, {}};
  auto& steps = formula.steps;
  const Index3 at = q.who.block;
  if (q.who.launch > 0 || q.grid.x != q.grid.y) {
    steps.push_back(
        {"launch", q.who.launch == 1 ? "the plane y = 0: H of a triangle" : "the lowest layers, folded", place(q, at)});
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

Formula walk(const SimplexQuestion& q) {
  Formula formula{fmt::format("block {}, turn {}", q.who.block.x, q.who.turn), {}, {}};
  formula.steps.push_back({"w", fmt::format("{} + {} \u00b7 {}", q.who.block.x, q.who.turn, q.grid.x),
                           grouped(q.who.block.x + std::uint64_t(q.who.turn) * q.grid.x)});
  formula.steps.push_back({"carry", "x += stride; while x > y: x \u2212= y + 1, y += 1", "integers"});
  return formula;
}

Formula searched(const SimplexQuestion& q) {
  Formula formula{"block " + place(q, q.who.block), {}, {}};
  const std::uint64_t w = linear_index(q.who.block, q.grid);
  formula.steps.push_back({"w", "in the folded grid", grouped(w)});
  const std::uint64_t count = q.dimensions == 2 ? triangle_number(q.blocks) : tetrahedron_number(q.blocks);
  formula.steps.push_back({"look up",
                           count <= TablePlacing<2>::most_entries ? "one word a block" : "binary search of rows",
                           w < count ? fmt::format("entry {}", w) : "past the last"});
  return formula;
}

Formula squares(const SimplexQuestion& q) {
  Formula formula{"block " + place(q, q.who.block) + fmt::format(", launch {}", q.who.launch), {}, {}};
  formula.steps.push_back({"launch", q.grid.x == 1 && q.grid.y == 1 ? "the diagonal" : "boxes of blocks",
                           fmt::format("{} \u00d7 {} \u00d7 {}", q.grid.x, q.grid.y, q.grid.z)});
  formula.steps.push_back({"box", "number z down the diagonal", std::to_string(q.who.block.z)});
  return formula;
}

Formula box(const SimplexQuestion& q) {
  Formula formula{"block " + place(q, q.who.block), {}, {}};
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

using Explain = Formula (*)(const SimplexQuestion&);
struct Explained {
  const char* map;
  int dimensions;  ///< 0: both
  Explain explain;
};
constexpr Explained explanations[] = {{"bounding_box", 0, box},  {"root_exact", 0, roots}, {"root_fp32", 0, roots},
                                      {"root_fp64", 0, roots},   {"root_rsqrt", 0, roots}, {"rectangle", 2, rectangle},
                                      {"recursive", 2, squares}, {"h_map", 2, h_triangle}, {"h_map", 3, h_tetrahedron},
                                      {"table", 0, searched},    {"stride_walk", 0, walk}};

}  // namespace

Formula simplex_formula(const SimplexQuestion& question) {
  Formula formula;
  for (const auto& known : explanations)
    if (question.map == known.map && (known.dimensions == 0 || known.dimensions == question.dimensions))
      formula = known.explain(question);
  // These lines are the host's arithmetic; a device's roots may fail where they do not.
  if (question.astray)
    formula.result = {"astray", "", formula.result.what == "wrong" ? formula.result.result : "on this device"};
  if (formula.result.what.empty())
    formula.result = {question.serves ? "serves block" : "waste", "",
                      question.block ? place(question, *question.block) : "no block"};
  return formula;
}

}  // namespace warploom
