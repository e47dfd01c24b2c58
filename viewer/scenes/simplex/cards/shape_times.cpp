#include "viewer/scenes/simplex/cards/shape_times.h"

#include <fmt/format.h>

#include <algorithm>

namespace warploom {

std::string shape_text(const ShapeTimes::Key& key) {
  return fmt::format("\u03c1 {} \u00b7 c {} \u00b7 G {}", key.rho, key.cells, key.gang);
}

double law_ms(const WorkShape& shape, double block_ns, double bytes_per_second) {
  return std::max(shape.memory_ms(bytes_per_second), shape.persistent ? 0 : shape.start_ms(block_ns));
}

std::string bound_text(const WorkShape& shape, double block_ns, double bytes_per_second, double measured_ms) {
  if (!(block_ns > 0) || !(bytes_per_second > 0)) return {};
  // What arithmetic takes is known only once it was measured.
  if (shape.bytes == 0) return {};
  const double start = shape.start_ms(block_ns), memory = shape.memory_ms(bytes_per_second);
  if (measured_ms > 2 * law_ms(shape, block_ns, bytes_per_second)) return "bound by neither";
  if (!shape.persistent && start > 1.15 * memory) return "bound by dispatch";
  return !shape.persistent && start > memory / 1.15 ? "bound by dispatch and memory alike" : "bound by memory";
}

}  // namespace warploom
