// nvcc: by itself
#include "gpu/scenes/fractal/tracks/row_track.h"

namespace warploom {

detail::FractalEntries detail::compact_entries() {
  return {row_entry<CompactRows, Compact>(whole_info(Compact::info, Compact::info))};
}

}  // namespace warploom
