#include "gpu/scenes/simplex/maps/root_fp64.h"

#include <fmt/format.h>

#include <cmath>

namespace warploom {

RootStep DoubleRoot::explain_layer(std::uint64_t w) {
  RootStep step{"eq. 14, double", w ? fmt::format("{:.13f}", layer_value(w)) : "guarded"};
  layer(w, step.place);
  return step;
}

RootStep DoubleRoot::explain_row(std::uint64_t w) {
  RootStep step{"\u221a(2w+\u00bc) \u2212 \u00bd",
                fmt::format("{:.7f}", std::sqrt(2 * static_cast<double>(w) + .25) - .5)};
  row(w, step.place);
  return step;
}

}  // namespace warploom
