#include "gpu/tracks/fractal/row_track.h"
#include "gpu/tracks/fractal/whole.h"

namespace warploom {

detail::FractalEntries detail::compact_entries() {
  return {row_entry<CompactRows, Compact>(whole_info(Compact::info, Compact::info))};
}

}  // namespace warploom
