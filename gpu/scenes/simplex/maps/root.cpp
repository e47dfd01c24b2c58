#include "gpu/scenes/simplex/maps/root.h"

#include <fmt/format.h>

#include <cmath>

#include "gpu/core/format.h"
#include "gpu/scenes/simplex/maps/root_exact.h"
#include "gpu/scenes/simplex/maps/root_fp32.h"
#include "gpu/scenes/simplex/maps/root_fp64.h"
#include "gpu/scenes/simplex/maps/root_rsqrt.h"

namespace warploom {

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
