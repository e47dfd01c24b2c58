#include "gpu/scenes/butterfly/tracks/kept_rows.h"

#include <algorithm>

#include "gpu/core/launch.h"
#include "gpu/core/scoped_member.h"

namespace warploom {

namespace {

struct KeepRow {
  RowMagnitude rows;
  std::uint64_t row;
  std::uint32_t columns;
  float* to;  ///< (columns)

  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    each_item(group, columns, [&](std::uint64_t i) {
      const std::uint64_t end = (i + 1) * rows.elements / columns;
      float most = 0;
      for (std::uint64_t e = i * rows.elements / columns; e < end; ++e) {
        const float value = rows.at(row, e);
        if (most == most && !(value <= most)) most = value;  // what is no number stays
      }
      to[i] = most;
    });
  }
};

}  // namespace

RowKeeper::RowKeeper(Backend backend, std::uint64_t elements)
    : columns_(static_cast<std::uint32_t>(std::min(elements, KeptRows::most_columns))),
      values_(backend, KeptRows::slots * columns_) {}

void RowKeeper::keep(Queue& queue, const RowMagnitude& rows, std::uint64_t row, std::uint64_t number) {
  const ScopedUntimed aside(queue);
  launch("butterfly.keep", queue, row_shape(columns_),
         KeepRow{rows, row, columns_, values_.data() + number % KeptRows::slots * columns_});
}

void RowKeeper::copy(Queue& queue, const RowKeeper& from) {
  copy_bytes(queue, values_.data(), from.values_.data(), values_.bytes());
}

}  // namespace warploom
