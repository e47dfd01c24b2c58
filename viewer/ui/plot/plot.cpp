#include "viewer/ui/plot/plot.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "viewer/ui/plot/curves.h"
#include "viewer/ui/text.h"

namespace warploom::ui {
namespace {

double x_of(const Series& series, std::size_t i) { return series.x.empty() ? static_cast<double>(i) : series.x[i]; }

std::size_t length(const Series& series) {
  return series.x.empty() ? series.y.size() : std::min(series.x.size(), series.y.size());
}

/// How many labels fit: one for so many pixels.
int room_for(float pixels, float each) { return std::clamp(static_cast<int>(pixels / each), 2, 12); }

}  // namespace

Plot::Plot(UiContext& ui, const Rectangle& area, PlotOptions options)
    : ui_(ui), list_(ImGui::GetWindowDrawList()), area_(area), options_(std::move(options)) {
  hovered_ = !options_.still && ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(area.min, area.max);
  draw_frame();
}

ImVec2 Plot::place(double x, double y) const {
  return {inner_.min.x + static_cast<float>(position(options_.x, x)) * inner_.width(),
          inner_.max.y - static_cast<float>(position(options_.y, y)) * inner_.height()};
}

float Plot::legend_width() const {
  const float wide = ui_.px(290);
  return options_.legend_beside && area_.width() > 2.4f * wide ? wide : 0;
}

void Plot::draw_frame() {
  const ImFont* mono = ui_.fonts->mono;
  const float padding = ui_.px(14), title = options_.title.empty() ? 0 : ui_.px(24), half = mono->FontSize / 2;
  inner_ = {{area_.min.x + padding, area_.min.y + ui_.px(10) + title + half},
            {area_.max.x - padding - legend_width(), area_.max.y - ui_.px(8) - mono->FontSize - ui_.px(4)}};
  if (!options_.title.empty())
    title_width_ = draw_title(ui_, list_, {area_.min.x + padding, area_.min.y + ui_.px(12)}, ui_.theme->quiet,
                              options_.title, area_.width() - 2 * padding);
  auto y_ticks = ticks(options_.y, room_for(inner_.height(), ui_.px(20)));
  // At the uppermost figure; the figures below it stay under its own.
  if (const auto& name = options_.y.name; !name.empty())
    for (Tick& tick : y_ticks) tick.label += &tick == &y_ticks.back() ? " " + name : std::string(name.size() + 1, ' ');
  float labels = 0;
  for (const Tick& tick : y_ticks) labels = std::max(labels, text_width(mono, tick.label));
  const float left = inner_.min.x;
  inner_.min.x += labels + ui_.px(8);
  if (inner_.width() < ui_.px(24) || inner_.height() < ui_.px(16)) {  // too small for a picture: the title stays
    inner_.max = inner_.min;
    return;
  }
  const float line = std::max(1.0f, std::floor(ui_.scale));
  for (const Tick& tick : y_ticks) {
    const float y = std::floor(place(options_.x.min, tick.value).y);
    list_->AddRectFilled({inner_.min.x, y}, {inner_.max.x, y + line}, fade(ui_.theme->line, 0.7f));
    draw_text(list_, mono, ui_.theme->quiet, {left, y - half}, {left + labels, y + half}, tick.label, Align::right);
  }
  float free_from = area_.min.x, free_to = area_.max.x - legend_width();  // labels never overlap
  if (!options_.x.name.empty()) {
    const float width = text_width(mono, options_.x.name), y = inner_.max.y + ui_.px(4);
    const float start =
        legend_width() > 0 ? inner_.max.x + ui_.px(24) : area_.max.x - padding / 2 - width;  // where nothing else is
    draw_text(list_, mono, ui_.theme->quiet, {start, y}, {start + width + 1, y + mono->FontSize}, options_.x.name);
    free_to = start - ui_.px(8);
  }
  for (const Tick& tick : ticks(options_.x, room_for(inner_.width(), ui_.px(64)))) {
    const float width = text_width(mono, tick.label), x = place(tick.value, options_.y.min).x;
    const float start = std::min(x - width / 2, area_.max.x - legend_width() - padding / 2 - width),
                y = inner_.max.y + ui_.px(4);
    if (start < free_from || start + width > free_to) continue;
    list_->AddRectFilled({std::floor(x), inner_.max.y}, {std::floor(x) + line, inner_.max.y + ui_.px(3)},
                         ui_.theme->line);
    draw_text(list_, mono, ui_.theme->quiet, {start, y}, {start + width + 1, y + mono->FontSize}, tick.label);
    free_from = start + width + ui_.px(8);
  }
}

void Plot::line(Series series) {
  if (inner_.empty()) return;
  std::vector<ImVec2> places(length(series));
  for (std::size_t i = 0; i < places.size(); ++i) places[i] = place(x_of(series, i), series.y[i]);
  const Rectangle within{{inner_.min.x, inner_.min.y - 4 * ui_.scale},
                         {inner_.max.x + 4 * ui_.scale, inner_.max.y + 2}};
  draw_curve(list_, clipped(places, within), series.colour, series.stroke, 1.4f * ui_.scale, ui_.scale);
  for (const ImVec2 at : places)
    if (at.x >= within.min.x && at.x <= within.max.x && at.y >= within.min.y && at.y <= within.max.y)
      mark(at, series.marker, series.colour);
  series_.push_back(std::move(series));
}

void Plot::points(Series series) {
  if (inner_.empty()) return;
  if (series.marker == Marker::none) series.marker = Marker::dot;
  for (std::size_t i = 0; i < length(series); ++i) {
    const ImVec2 at = place(x_of(series, i), series.y[i]);
    const bool inside = at.x >= inner_.min.x && at.x <= inner_.max.x && at.y >= inner_.min.y && at.y <= inner_.max.y;
    if (inside) mark(at, series.marker, series.colour);
  }
  series_.push_back(std::move(series));
}

void Plot::above(std::span<const double> x, std::string_view words, ImU32 colour) {
  if (inner_.empty() || x.empty()) return;
  for (const double value : x) mark(place(value, options_.y.max), Marker::triangle, colour);
  const float padding = ui_.px(14), height = ui_.px(18), y = area_.min.y + ui_.px(10);
  draw_text(list_, ui_.fonts->body, ui_.theme->quiet, {area_.min.x + padding + title_width_ + padding, y},
            {area_.max.x - padding, y + height}, words, Align::right);
}

void Plot::mark(ImVec2 at, Marker marker, ImU32 colour) const { draw_marker(list_, at, marker, colour, ui_.scale); }

}  // namespace warploom::ui
