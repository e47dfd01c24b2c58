#include "gpu/scenes/simplex/bench/suites.h"
#include "viewer/panels/cards/cards.h"
#include "viewer/panels/plots/plots.h"

namespace warploom {

CardOf<FailureFacet> failure_card;
CardOf<ShapeFacet> shape_card;
ui::Figure shapes_figure(PanelContext& panel);
std::string shapes_missing(const PanelContext& panel);

const SceneParts& simplex_parts() {
  static const SceneParts parts{
      .cards = {card_of_active<FailureFacet, failure_card>(Card::Panel::left),
                card_of_active<ShapeFacet, shape_card>(Card::Panel::right)},
      .plots = {{"shapes", "Gain by shape",
                 "Speed-up of a map over the bounding box, by the side of a block and the blocks joined: the law of "
                 "dispatch and "
                 "memory as lines, measurements as dots.",
                 shapes_figure, shapes_missing}},
      .terms =
          {{"beta",
            "The cost of one map relative to another, measured alone: the time per block of one divided by that of the "
            "other."},
           {"tau", "The cost per thread of one map relative to another, including the work."},
           {"gang", "Blocks of a map that start as one CUDA block (CTA): fewer to start, each with its own barrier."},
           {"rho", "The side of a block, in cells."},
           {"shape",
            "How work is shared out: the side of a block, the cells per thread, and the blocks that are launched as "
            "one. Map and shape are chosen separately: at its best shape a bounding box is hardly slower."},
           {"item", "The cell within a thread's box, counted along x, then y, then z."},
           {"early item",
            "An item before the first whole sector of its row of memory. The first block of the row serves it, too."}},
      .suites = {bench::simplex_suite()},
  };
  return parts;
}

}  // namespace warploom
