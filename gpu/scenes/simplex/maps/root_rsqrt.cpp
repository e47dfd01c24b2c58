#include "gpu/scenes/simplex/maps/root_rsqrt.h"

#include <fmt/format.h>

namespace warploom {

RootStep InverseRoot::explain_row(std::uint64_t w) {
  const float a = .25f + 2 * static_cast<float>(w);
  RootStep step{"a\u00b7rsqrt(a) \u2212 .4999",
                fmt::format("{:.5f}", fused_multiply_add(a, inverse_square_root(a), -.4999f))};
  row(w, step.place);
  return step;
}

}  // namespace warploom
