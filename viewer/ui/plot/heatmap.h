#pragma once
#include <span>
#include <string>
#include <string_view>

#include "viewer/ui/colormaps.h"
#include "viewer/ui/context.h"
#include "viewer/ui/layout.h"
#include "viewer/ui/plot/axis.h"

namespace warploom::ui {

struct Heatmap {
  std::string title;
  int columns = 0, rows = 0;
  std::span<const double> values;  ///< row by row, row 0 on top; NaN: no data, drawn hatched
  Axis scale;                      ///< of the colours; its unit stands in the read-out
  const Colormap* colours = nullptr;
  std::string column_name = "x", row_name = "y";  ///< for the read-out
  bool square = true;                             ///< cells keep their shape
};

/// Draws the cells, their colour bar and the value under the mouse. More cells than pixels are thinned, and it says so.
void heatmap(UiContext& ui, std::string_view id, const Rectangle& area, const Heatmap& map);

/// A vertical colour bar with its figures on the right.
void colour_bar(UiContext& ui, const Rectangle& area, const Axis& scale, const Colormap& colours);

}  // namespace warploom::ui
