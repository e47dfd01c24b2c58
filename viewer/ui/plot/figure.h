#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "viewer/ui/draw_cache.h"
#include "viewer/ui/plot/plot.h"

namespace warploom::ui {

/// All that a plot shows, as data: to be drawn, or written to a file.
struct Figure {
  struct Curve {
    std::string name = {};  ///< empty: not in the legend
    ImU32 colour = 0;
    std::vector<double> x = {}, y = {};  ///< without x the values stand at 0, 1, 2, ...
    Stroke stroke = Stroke::solid;
    Marker marker = Marker::none;
    bool line = true;  ///< false: markers only
  };
  /// Marks at the upper edge, of what lies above the axis.
  struct Above {
    std::vector<double> x = {};
    std::string words = {};
    ImU32 colour = 0;
  };
  std::string title = {};
  Axis x = {}, y = {};
  std::string empty_words = {};  ///< what would fill it
  std::vector<Curve> curves = {};
  std::vector<Above> above = {};
  bool still = false;          ///< drawn without what is under the mouse
  bool legend_beside = false;  ///< where there is room, the curves' names stand in a column beside the plot
};

/// Into `area` of the current window. Figures that share a crosshair show the same x under the mouse. With a `cache` a
/// figure that is as before is not made of its curves again.
void draw(UiContext& ui, const Rectangle& area, const Figure& figure, Crosshair* crosshair, DrawCache* cache = nullptr);

/// As a picture of its own, black on white: SVG 1.1, `width` x `height` pixels.
std::string to_svg(const Figure& figure, int width = 960, int height = 540);

/// A row a point: curve, x, y. The head names the axes.
std::string to_csv(const Figure& figure);

}  // namespace warploom::ui
