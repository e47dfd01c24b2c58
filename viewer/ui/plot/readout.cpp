// What a plot says in words: its legend, and the values under the mouse.

#include <algorithm>
#include <cmath>
#include <utility>

#include "viewer/ui/plot/curves.h"
#include "viewer/ui/plot/plot.h"
#include "viewer/ui/text.h"

namespace warploom::ui {
namespace {

/// The sample nearest to `x`, or nothing where the series is empty.
std::optional<std::size_t> nearest(const Series& series, const Axis& axis, double x) {
  const std::size_t count = series.x.empty() ? series.y.size() : std::min(series.x.size(), series.y.size());
  const double wanted = position(axis, x);
  std::optional<std::size_t> best;
  double least = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double distance = std::abs(position(axis, series.x.empty() ? static_cast<double>(i) : series.x[i]) - wanted);
    if (std::isnan(distance) || (best && distance >= least)) continue;
    best = i;
    least = distance;
  }
  return best;
}

void sample(ImDrawList* list, const Series& series, ImVec2 at, float width, float scale) {
  const ImVec2 ends[] = {at, {at.x + width, at.y}};
  if (series.line) draw_curve(list, ends, series.colour, series.stroke, 1.6f * scale, scale);
  draw_marker(list, {at.x + width / 2, at.y}, series.marker, series.colour, scale);
}

}  // namespace

void Plot::finish() {
  if (inner_.empty()) return;
  const bool any = std::any_of(series_.begin(), series_.end(), [](const Series& series) { return !series.y.empty(); });
  if (!any) {
    draw_text(list_, ui_.fonts->body, ui_.theme->quiet, inner_.min, inner_.max, options_.empty_words, Align::centre);
    return;
  }
  if (legend_width() > 0)
    draw_legend_beside();
  else
    draw_legend(title_width_);
  draw_readout();
}

void Plot::draw_legend(float title_width) {
  const float padding = ui_.px(14), room = area_.width() - 3 * padding - title_width;
  float key = ui_.px(18), gap = ui_.px(6), between = ui_.px(14), wanted = 0;
  for (const Series& series : series_)
    if (!series.name.empty()) wanted += key + gap + text_width(ui_.fonts->body, series.name) + between;
  const bool plain = wanted - between > room;  // no room for strokes: the names alone, in their colours
  if (plain) key = gap = 0, between = ui_.px(6);
  const float y = area_.min.y + ui_.px(10), height = ui_.px(18);
  // As many as fit beside the title, the first ones first; the read-out names the others.
  std::vector<const Series*> named;
  float whole = 0;
  for (const Series& series : series_) {
    if (series.name.empty()) continue;
    const float width = key + gap + text_width(ui_.fonts->body, series.name) + (named.empty() ? 0 : between);
    if (whole + width > room) break;
    whole += width;
    named.push_back(&series);
  }
  float x = area_.max.x - padding - whole;
  for (const Series* series : named) {
    const float width = text_width(ui_.fonts->body, series->name);
    if (!plain) sample(list_, *series, {x, std::floor(y + height / 2) + 0.5f}, key, ui_.scale);
    x += key + gap;
    draw_text(list_, ui_.fonts->body, plain ? series->colour : ui_.theme->quiet, {x, y}, {x + width + 1, y + height},
              series->name);
    x += width + between;
  }
}

void Plot::draw_legend_beside() {
  const float key = ui_.px(22), gap = ui_.px(8), height = ui_.px(22);
  ImVec2 at{inner_.max.x + ui_.px(24), inner_.min.y};
  for (const Series& series : series_) {
    if (series.name.empty() || at.y + height > inner_.max.y) continue;
    sample(list_, series, {at.x, std::floor(at.y + height / 2) + .5f}, key, ui_.scale);
    draw_text(list_, ui_.fonts->body, ui_.theme->text, {at.x + key + gap, at.y},
              {area_.max.x - ui_.px(8), at.y + height}, series.name);
    at.y += height;
  }
}

std::optional<double> Plot::x_under_mouse() const {
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const bool inside = hovered_ && mouse.x >= inner_.min.x && mouse.x <= inner_.max.x;
  if (inside) return value_at(options_.x, (mouse.x - inner_.min.x) / inner_.width());
  const Crosshair* shared = options_.crosshair;
  // One frame old at most: the plot under the mouse may be drawn after this one.
  return shared && shared->frame >= ImGui::GetFrameCount() - 1 ? shared->x : std::nullopt;
}

void Plot::draw_readout() {
  const std::optional<double> x = x_under_mouse();
  if (!x) return;
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const bool own = hovered_ && mouse.x >= inner_.min.x && mouse.x <= inner_.max.x;
  if (own && options_.crosshair) *options_.crosshair = {x, ImGui::GetFrameCount()};
  const float at = std::floor(place(*x, options_.y.min).x);
  if (at < inner_.min.x || at > inner_.max.x) return;
  list_->AddRectFilled({at, inner_.min.y}, {at + std::max(1.0f, std::floor(ui_.scale)), inner_.max.y},
                       fade(ui_.theme->quiet, 0.6f));

  std::vector<std::pair<const Series*, std::size_t>> found;
  // Single points without a name stand elsewhere than under the mouse; of others without a line, those alone that are
  // pointed at.
  for (const Series& series : series_) {
    const auto i = nearest(series, options_.x, *x);
    if (!i || (series.name.empty() && series.marker != Marker::none)) continue;
    const double own_x = series.x.empty() ? static_cast<double>(*i) : series.x[*i];
    if (!series.line && std::abs(place(own_x, options_.y.min).x - at) > ui_.px(10)) continue;
    found.emplace_back(&series, *i);
  }
  for (const auto& [series, i] : found) {
    const ImVec2 dot = place(series->x.empty() ? static_cast<double>(i) : series->x[i], series->y[i]);
    // Above the axis the words alone tell the value.
    if (std::isfinite(dot.x + dot.y) && dot.y >= inner_.min.y - 1)
      list_->AddCircle(dot, ui_.px(4), ui_.theme->text, 16, 1.2f * ui_.scale);
  }
  if (!own || found.empty()) return;

  const auto& [first, index] = found.front();
  const auto with_unit = [](double value, const std::string& unit) {
    return short_number(value) + (unit.empty() ? "" : " " + unit);
  };
  const double place_x = first->x.empty() ? static_cast<double>(index) : first->x[index];
  const std::string head =
      options_.x.name.empty() ? with_unit(place_x, options_.x.unit) : options_.x.name + " " + short_number(place_x);
  float names = 0, values = text_width(ui_.fonts->mono, head);
  for (const auto& [series, i] : found) {
    names = std::max(names, text_width(ui_.fonts->body, series->name));
    values = std::max(values, text_width(ui_.fonts->mono, with_unit(series->y[i], options_.y.unit)));
  }
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {ui_.px(10), ui_.px(6)});
  ImGui::BeginTooltip();
  const float key = ui_.px(18), gap = ui_.px(8), width = key + gap + names + ui_.px(16) + values, height = ui_.px(18);
  ImDrawList* list = ImGui::GetWindowDrawList();
  ImVec2 row = ImGui::GetCursorScreenPos();
  ImGui::Dummy({width, height * static_cast<float>(found.size() + 1)});
  draw_text(list, ui_.fonts->mono, ui_.theme->quiet, row, {row.x + width, row.y + height}, head, Align::right);
  for (const auto& [series, i] : found) {
    row.y += height;
    const ImVec2 high{row.x + width, row.y + height};
    sample(list, *series, {row.x, std::floor(row.y + height / 2) + 0.5f}, key, ui_.scale);
    draw_text(list, ui_.fonts->body, ui_.theme->text, {row.x + key + gap, row.y}, high, series->name);
    draw_text(list, ui_.fonts->mono, ui_.theme->text, row, high, with_unit(series->y[i], options_.y.unit),
              Align::right);
  }
  ImGui::EndTooltip();
  ImGui::PopStyleVar();
}

}  // namespace warploom::ui
