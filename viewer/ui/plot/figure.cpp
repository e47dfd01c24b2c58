#include "viewer/ui/plot/figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "viewer/ui/svg.h"

namespace warploom::ui {
namespace {

struct Paper {
  const Figure& figure;
  double left, top, right, bottom;
  double x(double value) const { return left + position(figure.x, value) * (right - left); }
  double y(double value) const { return bottom - position(figure.y, value) * (bottom - top); }
};

std::string words(double x, double y, const char* anchor, const std::string& text, const char* more = "") {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\"{}>{}</text>\n", x, y, anchor, more,
                     svg_escaped(text));
}

std::string axes(const Paper& paper) {
  const Figure& figure = paper.figure;
  std::string svg;
  for (const Tick& tick : ticks(figure.y, 8)) {
    const double y = paper.y(tick.value);
    svg += fmt::format("<path d=\"M{:.1f} {:.1f}H{:.1f}\" stroke=\"#ccc\"/>\n", paper.left, y, paper.right);
    svg += words(paper.left - 8, y + 4, "end", tick.label);
  }
  for (const Tick& tick : ticks(figure.x, 10)) {
    const double x = paper.x(tick.value);
    svg += fmt::format("<path d=\"M{:.1f} {:.1f}v5\" stroke=\"#666\"/>\n", x, paper.bottom);
    svg += words(x, paper.bottom + 20, "middle", tick.label);
  }
  svg += fmt::format("<path d=\"M{:.1f} {:.1f}H{:.1f}\" stroke=\"#666\"/>\n", paper.left, paper.bottom, paper.right);
  const auto named = [](const Axis& axis) { return axis.name.empty() ? axis.unit : axis.name; };
  svg += words(paper.right, paper.bottom + 38, "end", named(figure.x));
  svg += words(paper.left, paper.top - 10, "end", named(figure.y));
  return svg;
}

/// A polyline for each run of finite places, and a dot for a lone one.
std::string curve_path(const Paper& paper, const Figure::Curve& curve) {
  const char* dashes = curve.stroke == Stroke::dashed   ? " stroke-dasharray=\"7 5\""
                       : curve.stroke == Stroke::dotted ? " stroke-dasharray=\"2 4\""
                                                        : "";
  std::string path, svg;
  bool drawing = false;
  for (std::size_t i = 0; i < curve.size(); ++i) {
    const double x = paper.x(curve.x_at(i)), y = std::max(paper.y(curve.y[i]), paper.top - 2);
    const bool there = std::isfinite(x) && std::isfinite(y);
    if (there && (!curve.line || curve.marker != Marker::none))
      svg += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\" fill=\"{}\"/>\n", x, y, svg_colour(curve.colour));
    if (there) path += fmt::format("{}{:.1f} {:.1f}", drawing ? "L" : "M", x, y);
    drawing = there;
  }
  if (curve.line && !path.empty())
    svg += fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.8\"{}/>\n", path,
                       svg_colour(curve.colour), dashes);
  return svg;
}

}  // namespace

std::string to_svg(const Figure& figure, int width, int height) {
  const Paper paper{figure, 84, 64, width - (figure.legend_beside ? 300. : 28.), height - 56.};
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
      "font-family=\"Inter, sans-serif\" font-size=\"13\" fill=\"#222\">\n<rect width=\"{0}\" height=\"{1}\" "
      "fill=\"#fff\"/>\n",
      width, height);
  svg += words(28, 28, "start", figure.title, " font-size=\"16\" font-weight=\"600\"");
  svg += axes(paper);
  double legend = paper.right, row = paper.top + 12;
  for (const auto& curve : figure.curves) {
    if (!figure.legend_beside || curve.name.empty() || curve.y.empty()) continue;
    svg += words(paper.right + 20, row, "start", curve.name,
                 fmt::format(" style=\"fill:{}\"", svg_colour(curve.colour)).c_str());
    row += 20;
  }
  for (auto curve = figure.curves.rbegin(); curve != figure.curves.rend(); ++curve) {
    if (figure.legend_beside || curve->name.empty() || curve->y.empty()) continue;
    svg += words(legend, 28, "end", curve->name, fmt::format(" style=\"fill:{}\"", svg_colour(curve->colour)).c_str());
    legend -= 9. * static_cast<double>(curve->name.size()) + 16;
  }
  for (const Figure::Curve& curve : figure.curves) svg += curve_path(paper, curve);
  for (const Figure::Above& above : figure.above)
    for (const double at : above.x)
      svg += fmt::format("<path d=\"M{0:.1f} {1:.1f}l-4 8h8z\" fill=\"{2}\"/>\n", paper.x(at), paper.top - 8,
                         svg_colour(above.colour));
  return svg + "</svg>\n";
}

std::string to_csv(const Figure& figure) {
  const auto named = [](const Axis& axis, const char* other) {
    return axis.name.empty() ? axis.unit.empty() ? std::string(other) : axis.unit : axis.name;
  };
  std::string csv = "curve," + named(figure.x, "x") + "," + named(figure.y, "y") + "\n";
  for (const Figure::Curve& curve : figure.curves)
    for (std::size_t i = 0; i < curve.size(); ++i) {
      const double x = curve.x_at(i), y = curve.y[i];
      if (std::isfinite(x) && std::isfinite(y)) csv += fmt::format("\"{}\",{:.9g},{:.9g}\n", curve.name, x, y);
    }
  return csv;
}

}  // namespace warploom::ui
