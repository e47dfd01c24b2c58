#include "viewer/ui/plot/paper.h"

namespace warploom::ui {

ImU32 paper_colour(const Theme& theme, std::size_t i) {
  const ImU32 all[] = {theme.tracks[0], theme.tracks[1], theme.tracks[2], theme.tracks[3],
                       theme.text,      theme.bad,       theme.good,      theme.accent};
  return all[i % std::size(all)];
}

Figure paper_figure(const bench::PaperFigure& paper, const Theme& theme) {
  Figure figure{.title = paper.title, .legend_beside = true};
  for (const auto& curve : paper.promised)
    figure.curves.push_back({.name = curve.name + ", promised",
                             .colour = theme.quiet,
                             .x = curve.x,
                             .y = curve.y,
                             .stroke = Stroke::dotted});
  constexpr Marker markers[] = {Marker::square, Marker::triangle, Marker::diamond, Marker::dot};
  std::size_t i = 0;
  for (const auto& curve : paper.printed)
    figure.curves.push_back({.name = curve.name + ", printed",
                             .colour = theme.quiet,
                             .x = curve.x,
                             .y = curve.y,
                             .stroke = Stroke::dashed,
                             .marker = markers[i++ % std::size(markers)],
                             .line = curve.x.size() > 1});
  return figure;
}

void fit_axes(Figure& figure, const bench::PaperFigure& paper) {
  using Shows = bench::PaperFigure::Shows;
  Extent x{Scale::log2}, y{paper.shows == Shows::speed_up ? Scale::log2 : Scale::log10};
  for (const auto& curve : figure.curves) x.add(curve.x), y.add(curve.y);
  figure.x = fitted(x, false);
  figure.x.name = paper.x_name();
  figure.y = fitted(y, false, paper.shows == Shows::milliseconds ? "ms" : "\u00d7");
  figure.y.name = paper.shows == Shows::milliseconds ? "ms" : "\u00d7";
}

}  // namespace warploom::ui
