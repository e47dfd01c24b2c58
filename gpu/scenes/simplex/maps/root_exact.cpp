#include "gpu/scenes/simplex/maps/root_exact.h"

#include <fmt/format.h>

#include <cmath>

namespace warploom {

RootStep ExactRoot::explain_layer(std::uint64_t w) {
  return {"cbrt(6w), then down", fmt::format("{:.5f}", std::cbrt(6 * static_cast<double>(w))), tetrahedron_root(w)};
}

RootStep ExactRoot::explain_row(std::uint64_t w) {
  return {"\u221a(2w+\u00bc) \u2212 \u00bd", fmt::format("{:.7f}", std::sqrt(2 * static_cast<double>(w) + .25) - .5),
          triangle_root(w)};
}

}  // namespace warploom
