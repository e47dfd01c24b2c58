#include "gpu/scenes/irregular/pictures/spmv_colours.h"
#include "viewer/panels/cards/cards.h"
#include "viewer/panels/plots/plots.h"

namespace warploom {

void spmv_formats_card(PanelContext& panel);
ui::Figure spmv_rows_figure(PanelContext& panel);
std::string spmv_rows_missing(const PanelContext& panel);

const SceneParts& spmv_parts() {
  static const SceneParts parts{
      .cards = {{Card::Panel::right, spmv_formats_card}},
      .plots = {{"rows", "Row lengths",
                 "How many rows have so many nonzeros; where a track pads rows, the width that it pads them to.",
                 spmv_rows_figure, spmv_rows_missing, "waste"}},
      .colours = {{spmv_colours::value, "value", "value",
                   "the numbers of the matrix; where several share a pixel, how many of them do, logarithmic"},
                  {spmv_colours::block, "block", "block", "the block whose thread multiplies the nonzero"},
                  {spmv_colours::turn, "turn", "turn",
                   "the turn of its warp in which a nonzero is multiplied, logarithmic"}},
      .terms = {{"COO", "A sparse format: of each nonzero its row, its column and its value."},
                {"CSR", "A sparse format: values and columns row after row, and where each row starts."},
                {"DIA", "A sparse format: every diagonal that has a nonzero is stored whole."},
                {"ELL", "A sparse format: every row is padded to the longest one, and stored column by column."},
                {"HYB", "A sparse format: the first nonzeros of each row as ELL, the rest of long rows as COO."},
                {"lane turns",
                 "Each of the 32 lanes of a warp in each turn that the warp takes. A lane that has nothing to do in a "
                 "turn waits."},
                {"matrix", "The sparse matrix A of y = A x, by its nonzeros; x lies above it, y at its right."},
                {"merge path",
                 "The ends of rows and the nonzeros, merged into one list: cut into equal pieces, every thread has as "
                 "much to do, however long the rows are."},
                {"nonzero", "A number of a sparse matrix that is stored; all others are zero."},
                {"SELL", "A sparse format: slices of 32 rows, each padded to its own longest row."},
                {"sigma",
                 "How many rows SELL-C-sigma sorts by length at a time: more of them are padded less, and their "
                 "results lie further apart."},
                {"storage", "The arrays of a format, an area an element, at one scale in all tracks."},
                {"turn",
                 "A warp takes turns as long as one of its 32 lanes has something left to do. In the "
                 "picture a row is a turn, and a column a thread in launch order."}},
  };
  return parts;
}

}  // namespace warploom
