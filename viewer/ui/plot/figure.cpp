#include "viewer/ui/plot/figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>

namespace warploom::ui {
namespace {

double x_of(const Figure::Curve& curve, std::size_t i) { return curve.x.empty() ? static_cast<double>(i) : curve.x[i]; }
std::size_t length(const Figure::Curve& curve) {
  return curve.x.empty() ? curve.y.size() : std::min(curve.x.size(), curve.y.size());
}

std::string escaped(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    if (c == '&')
      safe += "&amp;";
    else if (c == '<')
      safe += "&lt;";
    else if (c == '"')
      safe += "&quot;";
    else
      safe += c;
  }
  return safe;
}

std::string hex(ImU32 colour) {
  return fmt::format("#{:02x}{:02x}{:02x}", colour & 255, colour >> 8 & 255, colour >> 16 & 255);
}

/// Where a figure's values come to lie on paper.
struct Paper {
  const Figure& figure;
  double left, top, right, bottom;
  double x(double value) const { return left + position(figure.x, value) * (right - left); }
  double y(double value) const { return bottom - position(figure.y, value) * (bottom - top); }
};

std::string words(double x, double y, const char* anchor, const std::string& text, const char* more = "") {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\"{}>{}</text>\n", x, y, anchor, more,
                     escaped(text));
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
  for (std::size_t i = 0; i < length(curve); ++i) {
    const double x = paper.x(x_of(curve, i)), y = std::max(paper.y(curve.y[i]), paper.top - 2);
    const bool there = std::isfinite(x) && std::isfinite(y);
    if (there && (!curve.line || curve.marker != Marker::none))
      svg += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\" fill=\"{}\"/>\n", x, y, hex(curve.colour));
    if (there) path += fmt::format("{}{:.1f} {:.1f}", drawing ? "L" : "M", x, y);
    drawing = there;
  }
  if (curve.line && !path.empty())
    svg += fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.8\"{}/>\n", path, hex(curve.colour),
                       dashes);
  return svg;
}

/// All that a figure's drawing depends on, but the mouse; never 0.
std::uint64_t hash_of(const UiContext& ui, const Rectangle& area, const Figure& figure) {
  std::uint64_t hash = 0xcbf29ce484222325ull;
  // Word by word: there are thousands of values, every frame.
  const auto add = [&](const void* data, std::size_t bytes) {
    const auto* from = static_cast<const char*>(data);
    for (std::size_t at = 0; at < bytes; at += 8) {
      std::uint64_t word = 0;
      std::memcpy(&word, from + at, std::min<std::size_t>(8, bytes - at));
      hash = (hash ^ word ^ (hash >> 29)) * 0x9e3779b97f4a7c15ull;
    }
    hash ^= bytes;
  };
  const auto add_text = [&](const std::string& text) { add(text.data(), text.size()); };
  const auto add_value = [&](const auto& value) { add(&value, sizeof(value)); };
  const auto add_axis = [&](const Axis& axis) {
    add_value(axis.scale), add_value(axis.min), add_value(axis.max);
    add_text(axis.name), add_text(axis.unit);
  };
  add_text(figure.title), add_text(figure.empty_words);
  add_axis(figure.x), add_axis(figure.y);
  for (const Figure::Curve& curve : figure.curves) {
    add_text(curve.name);
    add_value(curve.colour), add_value(curve.stroke), add_value(curve.marker), add_value(curve.line);
    add(curve.x.data(), curve.x.size() * sizeof(double));
    add(curve.y.data(), curve.y.size() * sizeof(double));
  }
  for (const Figure::Above& above : figure.above) {
    add_text(above.words);
    add_value(above.colour);
    add(above.x.data(), above.x.size() * sizeof(double));
  }
  add_value(area);
  const std::uintptr_t looks[] = {reinterpret_cast<std::uintptr_t>(ui.theme),
                                  reinterpret_cast<std::uintptr_t>(ui.fonts->body)};
  add_value(ui.scale), add_value(looks);
  add_value(ImGui::GetIO().Fonts->TexUvWhitePixel);
  return hash ? hash : 1;
}

/// Whether something is read out under the mouse.
bool is_read(const Rectangle& area, const Crosshair* crosshair) {
  if (ImGui::IsMouseHoveringRect(area.min, area.max)) return true;
  return crosshair && crosshair->x && crosshair->frame >= ImGui::GetFrameCount() - 2;
}

void make(UiContext& ui, const Rectangle& area, const Figure& figure, Crosshair* crosshair) {
  Plot plot(ui, area,
            {figure.title, figure.x, figure.y, figure.empty_words, crosshair, figure.still, figure.legend_beside});
  for (const Figure::Curve& curve : figure.curves) {
    if (curve.y.empty()) continue;
    const Series series{curve.name, curve.colour, curve.x, curve.y, curve.stroke, curve.marker, curve.line};
    if (curve.line)
      plot.line(series);
    else
      plot.points(series);
  }
  for (const Figure::Above& above : figure.above) plot.above(above.x, above.words, above.colour);
  plot.finish();
}

}  // namespace

void draw(UiContext& ui, const Rectangle& area, const Figure& figure, Crosshair* crosshair, DrawCache* cache) {
  if (!cache || is_read(area, crosshair)) return make(ui, area, figure, crosshair);
  ImDrawList* list = ImGui::GetWindowDrawList();
  const std::uint64_t key = hash_of(ui, area, figure);
  if (!cache->replay(list, key)) cache->keep(list, key, [&] { make(ui, area, figure, crosshair); });
}

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
    svg +=
        words(paper.right + 20, row, "start", curve.name, fmt::format(" style=\"fill:{}\"", hex(curve.colour)).c_str());
    row += 20;
  }
  for (auto curve = figure.curves.rbegin(); curve != figure.curves.rend(); ++curve) {
    if (figure.legend_beside || curve->name.empty() || curve->y.empty()) continue;
    svg += words(legend, 28, "end", curve->name, fmt::format(" style=\"fill:{}\"", hex(curve->colour)).c_str());
    legend -= 9. * static_cast<double>(curve->name.size()) + 16;
  }
  for (const Figure::Curve& curve : figure.curves) svg += curve_path(paper, curve);
  for (const Figure::Above& above : figure.above)
    for (const double at : above.x)
      svg += fmt::format("<path d=\"M{0:.1f} {1:.1f}l-4 8h8z\" fill=\"{2}\"/>\n", paper.x(at), paper.top - 8,
                         hex(above.colour));
  return svg + "</svg>\n";
}

std::string to_csv(const Figure& figure) {
  const auto named = [](const Axis& axis, const char* other) {
    return axis.name.empty() ? axis.unit.empty() ? std::string(other) : axis.unit : axis.name;
  };
  std::string csv = "curve," + named(figure.x, "x") + "," + named(figure.y, "y") + "\n";
  for (const Figure::Curve& curve : figure.curves)
    for (std::size_t i = 0; i < length(curve); ++i) {
      const double x = x_of(curve, i), y = curve.y[i];
      if (std::isfinite(x) && std::isfinite(y)) csv += fmt::format("\"{}\",{:.9g},{:.9g}\n", curve.name, x, y);
    }
  return csv;
}

}  // namespace warploom::ui
