#include "gpu/tracks/fractal/row_track.h"
#include "gpu/tracks/fractal/whole.h"

namespace warploom {

detail::FractalEntries detail::walk_entries() {
  return {row_entry<WalkRows, Embedded>(whole_info(WalkRows::info, Embedded::info))};
}

}  // namespace warploom
