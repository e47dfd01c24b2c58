#include "gpu/tracks/facets/curves.h"
#include "viewer/panels/plots/plots.h"

namespace warploom {

namespace {

/// `found`: what a track knows of row lengths, as long as what is returned is kept; it stays null where it has no rows.
std::shared_ptr<const std::vector<CurveFigure>> row_lengths(const PanelContext& panel, std::size_t track,
                                                            const CurveFigure*& found) {
  const auto* curves = panel.simulation->track(track).facet<Curves>();
  auto all = curves ? curves->curves() : nullptr;
  if (all)
    for (const CurveFigure& one : *all)
      if (one.key == "row_lengths") found = &one;
  return all;
}

}  // namespace

std::string spmv_rows_missing(const PanelContext& panel) {
  const CurveFigure* found = nullptr;
  const auto kept = panel.simulation ? row_lengths(panel, 0, found) : nullptr;
  return found ? "" : "the tracks have no rows of a matrix";
}

/// How many rows have so many nonzeros; and how wide tracks pad them.
ui::Figure spmv_rows_figure(PanelContext& panel) {
  ui::Figure figure{.title = "rows by nonzeros", .empty_words = spmv_rows_missing(panel)};
  const auto& theme = *panel.ui.theme;
  ui::Extent lengths{ui::Scale::log10}, rows{ui::Scale::log10};
  rows.add(1);
  for (std::size_t i = 0; figure.empty_words.empty() && i < panel.simulation->size(); ++i) {
    const CurveFigure* found = nullptr;
    const auto kept = row_lengths(panel, i, found);
    if (!found) continue;
    if (figure.curves.empty()) {
      lengths.add(found->lines[0].x);
      rows.add(found->lines[0].y);
      figure.curves.push_back({.name = "rows",
                               .colour = theme.quiet,
                               .x = found->lines[0].x,
                               .y = found->lines[0].y,
                               .marker = ui::Marker::dot,
                               .line = false});
    }
    if (found->mark && *found->mark > 0)
      figure.curves.push_back({.name = track_letter(*panel.simulation, i) + " pads to",
                               .colour = theme.tracks[i],
                               .x = {*found->mark, *found->mark},
                               .y = {1, rows.max},
                               .stroke = ui::Stroke::dashed});
  }
  figure.x = ui::fitted(lengths, false);
  figure.x.name = "nonzeros in a row";
  figure.y = ui::fitted(rows, false);
  return figure;
}

}  // namespace warploom
