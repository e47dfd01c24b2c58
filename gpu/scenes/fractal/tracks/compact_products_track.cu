#include "gpu/scenes/fractal/tracks/row_track.h"
#include "gpu/scenes/fractal/works/row_products.h"

namespace warploom {

detail::FractalEntries detail::compact_product_entries() {
  auto entry = row_entry<CompactProductRows, Compact>(whole_info(CompactProductRows::info, Compact::info));
  entry.only_work = CompactProductRows::only_work;
  entry.else_track = Compact::info.key;
  return {entry};
}

}  // namespace warploom
