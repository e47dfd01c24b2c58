#include "gpu/scenes/fractal/tracks/row_track.h"

namespace warploom {

detail::FractalEntries detail::walk_entries() {
  return {row_entry<WalkRows, Embedded>(whole_info(WalkRows::info, Embedded::info))};
}

}  // namespace warploom
