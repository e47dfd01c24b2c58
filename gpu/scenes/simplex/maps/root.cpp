#include "gpu/scenes/simplex/maps/root.h"

#include <fmt/format.h>

#include "gpu/core/format.h"

namespace warploom {

Formula explain_roots(const SimplexQuestion& q, ExplainRoot layer, ExplainRoot row) {
  Formula formula{"block " + q.place(q.who.block), {}, {}};
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
