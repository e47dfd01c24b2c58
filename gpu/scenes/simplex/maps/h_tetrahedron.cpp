#include "gpu/scenes/simplex/maps/h_tetrahedron.h"

#include <fmt/format.h>

namespace warploom {

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

}  // namespace warploom
