#include "gpu/scenes/simplex/maps/root_fp32.h"

#include <fmt/format.h>

#include <cmath>

namespace warploom {

RootStep SingleRoot::explain_layer(std::uint64_t w) {
  RootStep step{"eq. 14, single", w ? fmt::format("{:.7f}", layer_value(w)) : "guarded"};
  layer(w, step.place);
  return step;
}

RootStep SingleRoot::explain_row(std::uint64_t w) {
  const float a = .25f + 2 * static_cast<float>(w);
  RootStep step{"\u221a(2w+\u00bc) \u2212 \u00bd, single", fmt::format("{:.5f}", std::sqrt(a) - .5f)};
  row(w, step.place);
  return step;
}

}  // namespace warploom
