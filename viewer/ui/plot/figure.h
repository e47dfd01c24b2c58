#pragma once
#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "viewer/ui/context.h"
#include "viewer/ui/layout.h"
#include "viewer/ui/plot/axis.h"

namespace warploom::ui {

enum class Stroke { solid, dashed, dotted };
enum class Marker { none, dot, square, triangle, diamond };

/// Plots that share one show the same x under the mouse.
struct Crosshair {
  std::optional<double> x;  ///< where the mouse was in the last finished plot
  int frame = -2;
};

/// All that a plot shows, as data: to be drawn, or written to a file.
struct Figure {
  struct Curve {
    std::string name = {};  ///< empty: not in the legend
    ImU32 colour = 0;
    /// Without x the values stand at 0, 1, 2, ...; one that is not finite, or has no place on a logarithmic axis, is a
    /// gap.
    std::vector<double> x = {}, y = {};
    Stroke stroke = Stroke::solid;
    Marker marker = Marker::none;
    bool line = true;  ///< false: markers only

    std::size_t size() const { return x.empty() ? y.size() : std::min(x.size(), y.size()); }
    double x_at(std::size_t i) const { return x.empty() ? static_cast<double>(i) : x[i]; }
  };
  /// Triangles at the upper edge, where values lie above the axis, and quiet words that say how many, right of the
  /// title.
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

/// The vertices of something that was drawn, to be drawn again as long as nothing of it changes. It must be drawn into
/// one clip rectangle, by shapes and text alone.
class DrawCache {
 public:
  /// Draws again what was kept under this key; false: nothing was.
  bool replay(ImDrawList* list, std::uint64_t key) const;

  /// Draws by `body`, and keeps it under the key.
  template <class Body>
  void keep(ImDrawList* list, std::uint64_t key, Body&& body) {
    const Mark mark = mark_of(*list);
    body();
    take(*list, mark, key);
  }

 private:
  struct Mark {
    int commands, vertices, indices;
    unsigned current;
  };
  static Mark mark_of(const ImDrawList& list);
  void take(const ImDrawList& list, const Mark& mark, std::uint64_t key);

  std::vector<ImDrawVert> vertices_;
  std::vector<ImDrawIdx> indices_;  ///< from its own first vertex
  std::uint64_t key_ = 0;           ///< 0: nothing is kept
};

/// Into `area` of the current window. Figures that share a crosshair show the same x under the mouse. With a `cache` a
/// figure that is as before is not made of its curves again.
void draw(UiContext& ui, const Rectangle& area, const Figure& figure, Crosshair* crosshair, DrawCache* cache = nullptr);

/// A polyline in one of the strokes; a point with a coordinate that is no number is a gap. A lone point is drawn as a
/// dot.
void draw_curve(ImDrawList* list, std::span<const ImVec2> points, ImU32 colour, Stroke stroke, float thickness,
                float scale);

/// What of a polyline lies in a rectangle; gaps as above.
std::vector<ImVec2> clipped(std::span<const ImVec2> points, const Rectangle& within);

/// A marker of about 6 design pixels.
void draw_marker(ImDrawList* list, ImVec2 at, Marker marker, ImU32 colour, float scale);

/// A curve without axes between min and max, its last value marked, over the band from `p5` to `p95`.
void sparkline(UiContext& ui, ImDrawList* list, ImVec2 min, ImVec2 max, std::span<const double> values, ImU32 colour,
               double p5, double p95);

/// As a picture of its own, black on white: SVG 1.1, `width` x `height` pixels.
std::string to_svg(const Figure& figure, int width = 960, int height = 540);

/// One row per point: curve, x, y. The head names the axes.
std::string to_csv(const Figure& figure);

}  // namespace warploom::ui
