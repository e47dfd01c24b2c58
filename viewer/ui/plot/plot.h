#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "viewer/ui/context.h"
#include "viewer/ui/layout.h"
#include "viewer/ui/plot/axis.h"

namespace warploom::ui {

enum class Stroke { solid, dashed, dotted };
enum class Marker { none, dot, square, triangle, diamond };

/// One curve. The data must live until the plot is finished. Without `x` the values stand at 0, 1, 2, ...; a value that
/// is not finite, or has no place on a logarithmic axis, is a gap.
struct Series {
  std::string name;  ///< empty: not in the legend
  ImU32 colour = 0;
  std::span<const double> x;
  std::span<const double> y;
  Stroke stroke = Stroke::solid;
  Marker marker = Marker::none;
  bool line = true;  ///< false: the legend shows its marker alone
};

/// Plots that share one show the same x under the mouse.
struct Crosshair {
  std::optional<double> x;  ///< where the mouse was in the last finished plot
  int frame = -2;
};

struct PlotOptions {
  std::string title;  ///< with the unit: "kernel time per frame, ms"
  Axis x, y;
  std::string empty_words;  ///< shown while there is no series: what would fill the plot
  Crosshair* crosshair = nullptr;
  bool still = false;          ///< nothing is read out under the mouse: it is captured
  bool legend_beside = false;  ///< names in a column beside the plot, where there is room
};

/// Draws into `area` of the current window: construct, add series, finish.
class Plot {
 public:
  Plot(UiContext& ui, const Rectangle& area, PlotOptions options);

  /// A line with markers; Stroke and Marker tell curves apart without colour.
  void line(Series series);
  /// Markers only.
  void points(Series series);
  /// Triangles at the top edge, where values lie above the y axis, and quiet words that say how many, right of the
  /// title.
  void above(std::span<const double> x, std::string_view words, ImU32 colour);
  /// Legend and read-out.
  void finish();

 private:
  void draw_frame();
  void draw_legend(float title_width);
  void draw_legend_beside();
  /// Width of that column; 0: there is none.
  float legend_width() const;
  void draw_readout();
  std::optional<double> x_under_mouse() const;
  ImVec2 place(double x, double y) const;
  void mark(ImVec2 at, Marker marker, ImU32 colour) const;

  UiContext& ui_;
  ImDrawList* list_;
  Rectangle area_;   ///< all of it
  Rectangle inner_;  ///< between the axes
  PlotOptions options_;
  std::vector<Series> series_;
  float title_width_ = 0;
  bool hovered_ = false;
};

/// A curve without axes between min and max, its last value marked; the band from `p5` to `p95` where they are given.
void sparkline(UiContext& ui, ImDrawList* list, ImVec2 min, ImVec2 max, std::span<const double> values, ImU32 colour,
               std::optional<double> p5 = {}, std::optional<double> p95 = {});

}  // namespace warploom::ui
