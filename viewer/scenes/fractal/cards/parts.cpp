#include "gpu/scenes/fractal/bench/suites.h"
#include "viewer/model/scene_parts.h"

namespace warploom {

const SceneParts& fractal_parts() {
  static const SceneParts parts{
      .terms = {{"embedded", "Cells are stored in the whole box, including its holes."},
                {"member", "A place of the box that belongs to the domain."},
                {"sub-boxes", "Inside a block every thread tests its own place of the block's small box."},
                {"lookup", "Inside a block every thread looks its cell up in a table."},
                {"unroll",
                 "Inside a block the map is applied once more, so that only threads with a cell are launched."}},
      .suites = {bench::fractal_suite(), bench::figures_suite()},
      .papers = bench::paper_figures(),
      .variants = "how the threads of a block find their cells, and how the cells are stored",
  };
  return parts;
}

}  // namespace warploom
