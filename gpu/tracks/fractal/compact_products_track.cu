#include "gpu/tracks/fractal/row_track.h"
#include "gpu/tracks/fractal/whole.h"
#include "gpu/works/fractal/row_products.h"

namespace warploom {

detail::FractalEntries detail::compact_product_entries() {
  return {row_entry<CompactProductRows, Compact>(whole_info(CompactProductRows::info, Compact::info))};
}

}  // namespace warploom
