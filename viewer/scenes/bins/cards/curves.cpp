#include "gpu/tracks/facets/curves.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "viewer/panels/cards/cards.h"
#include "viewer/ui/fields.h"
#include "viewer/ui/plot/axis.h"
#include "viewer/ui/walk.h"

namespace warploom {

namespace {

using Kind = CurveFigure::Line::Kind;

/// Where values stand in a figure of this size.
struct Frame {
  ImVec2 min, max;
  double most_x = 1, most_y = 1;
  bool logarithmic_x = false, logarithmic_y = false;

  float x(double value) const {
    // 0 has a place, too.
    const double share = logarithmic_x ? std::log(1 + value) / std::log(1 + most_x) : value / most_x;
    return min.x + static_cast<float>(share) * (max.x - min.x);
  }
  double value(float at) const {
    const double share = std::clamp(double(at - min.x) / double(max.x - min.x), 0., 1.);
    return logarithmic_x ? std::exp(share * std::log(1 + most_x)) - 1 : share * most_x;
  }
  /// Amounts of 1 stand out from the ground on a logarithmic axis.
  float y(double value) const {
    const double share = logarithmic_y ? (value > 0 ? std::log(1 + value) / std::log(1 + most_y) : 0) : value / most_y;
    return max.y - static_cast<float>(std::clamp(share, 0., 1.)) * (max.y - min.y);
  }
};

Frame frame_of(const CurveFigure& figure, ImVec2 min, ImVec2 max) {
  Frame frame{min, max, 1, 1, figure.logarithmic_x, figure.logarithmic_y};
  for (const auto& line : figure.lines) {
    if (line.kind != Kind::theory && !line.x.empty()) frame.most_x = std::max(frame.most_x, line.x.back() + 1);
    for (const double value : line.y)
      if (std::isfinite(value)) frame.most_y = std::max(frame.most_y, value);
  }
  return frame;
}

/// A bar a pixel column at least: of several values in one the largest.
void bars(PanelContext& panel, ImDrawList* list, const Frame& frame, const CurveFigure::Line& line, ImU32 colour,
          double cap) {
  const auto& ui = panel.ui;
  const auto columns = std::max(1, static_cast<int>((frame.max.x - frame.min.x) / ui.px(2)));
  const auto all = static_cast<std::size_t>(frame.most_x);
  const std::size_t each =
      std::max<std::size_t>(1, (all + static_cast<std::size_t>(columns) - 1) / static_cast<std::size_t>(columns));
  for (std::size_t first = 0; first < line.y.size(); first += each) {
    double most = 0;
    for (std::size_t i = first; i < std::min(line.y.size(), first + each); ++i) most = std::max(most, line.y[i]);
    if (!(most > 0)) continue;
    const float left = frame.x(double(first)), right = frame.x(double(first + each));
    const bool spilled = double(first) > cap;
    const ImVec2 low{left, frame.y(most)},
        high{std::max(left + 1, right - (right - left > ui.px(4) ? 1 : 0)), frame.max.y};
    list->AddRectFilled(low, high, spilled ? ui::fade(ui.theme->bad, .7f) : colour);
    if (spilled) ui::hatch(list, low, high, ui.theme->ground, ui.px(4));
  }
}

void dashes(PanelContext& panel, ImDrawList* list, const Frame& frame, const CurveFigure::Line& line, ImU32 colour) {
  const auto& ui = panel.ui;
  for (std::size_t i = 0; i + 1 < line.x.size(); ++i) {
    if (!std::isfinite(line.y[i]) || !std::isfinite(line.y[i + 1]) || line.x[i + 1] > frame.most_x) continue;
    const ImVec2 from{frame.x(line.x[i] + .5), frame.y(line.y[i])},
        to{frame.x(line.x[i + 1] + .5), frame.y(line.y[i + 1])};
    // Every other piece where there are many; where they are long, their first halves.
    if (to.x - from.x < ui.px(3) && i % 4 > 1) continue;
    const ImVec2 end =
        to.x - from.x < ui.px(3) ? to : ImVec2{from.x + (to.x - from.x) * .6f, from.y + (to.y - from.y) * .6f};
    list->AddLine(from, end, colour, ui.px(1.5f));
  }
}

/// Measured points, joined; its name where it ends.
void points(PanelContext& panel, ImDrawList* list, const Frame& frame, const CurveFigure::Line& line, ImU32 colour) {
  const auto& ui = panel.ui;
  for (std::size_t i = 0; i < line.x.size(); ++i) {
    const ImVec2 at{frame.x(line.x[i]), frame.y(line.y[i])};
    if (i > 0) list->AddLine({frame.x(line.x[i - 1]), frame.y(line.y[i - 1])}, at, ui::fade(colour, .6f), ui.px(1));
    list->AddCircleFilled(at, ui.px(2.5f), colour);
  }
}

/// Times of this track's kernels beside each other.
void kernel_bars(PanelContext& panel, std::size_t track, const std::vector<std::string>& kernels) {
  auto& ui = panel.ui;
  const auto median = [&](const std::string& kernel) {
    const KernelTiming* row = panel.state.shown.find(kernel, track);
    return row ? row->milliseconds.median : 0.;
  };
  double most = 0;
  for (const auto& kernel : kernels) most = std::max(most, median(kernel));
  ImDrawList* list = ImGui::GetWindowDrawList();
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    const double ms = median(kernels[i]);
    ui::key_value(ui, kernels[i].substr(kernels[i].find('.') + 1),
                  ms > 0 ? milliseconds_text(ms) + " ms" : "not measured yet");
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x, height = ui.px(8);
    list->AddRectFilled(at, {at.x + width, at.y + height}, ui.theme->raised);
    if (ms > 0)
      list->AddRectFilled(at, {at.x + std::max(1.f, static_cast<float>(ms / most) * width), at.y + height},
                          i == 0 ? ui.theme->tracks[track] : ui.theme->quiet);
    ImGui::Dummy({width, height + ui.px(4)});
  }
}

/// The place that a parameter sets: dragged, or moved by keys; the parameter is set when it is let go.
void handle(PanelContext& panel, ImDrawList* list, const Frame& frame, const CurveFigure::Handle& handle) {
  auto& ui = panel.ui;
  const float width = frame.max.x - frame.min.x;
  ImGui::SetCursorScreenPos({frame.min.x, frame.min.y});
  ImGui::InvisibleButton("handle", {width, frame.max.y - frame.min.y});
  ui::record(ui, "handle", handle.parameter, frame.min, frame.max);
  auto& dragged = panel.state.dragged_handle;
  const bool held = ImGui::IsItemActive();
  if (held) dragged = std::floor(frame.value(ImGui::GetIO().MousePos.x));
  const auto set = [&](double value) { panel.model.set(handle.parameter, fmt::format("{:.0f}", std::max(0., value))); };
  if (!held && dragged >= 0) {
    set(dragged);
    dragged = -1;
  }
  if (const int by = ui::stepped_by_key(ui, "handle")) set(handle.x + by);
  const double shown = held ? dragged : handle.x;
  const float x = frame.x(std::min(shown + 1, frame.most_x));
  list->AddLine({x, frame.min.y}, {x, frame.max.y}, ui.theme->text, ui.px(held ? 2.f : 1.f));
  list->AddTriangleFilled({x - ui.px(5), frame.min.y}, {x + ui.px(5), frame.min.y}, {x, frame.min.y + ui.px(7)},
                          ui.theme->text);
  const std::string words = fmt::format("{} {:.0f}", handle.parameter, shown);
  const float text = ui::text_width(ui.fonts->mono, words) + ui.px(8);
  const float left = x + text + ui.px(4) < frame.max.x ? x + ui.px(6) : x - text - ui.px(2);
  ui::draw_text(list, ui.fonts->mono, ui.theme->text, {left, frame.min.y}, {left + text, frame.min.y + ui.px(18)},
                words);
}

void draw_figure(PanelContext& panel, std::size_t track, const CurveFigure& figure) {
  auto& ui = panel.ui;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, height = ui.px(96), below = ui.px(18);
  const Frame frame = frame_of(figure, at, {at.x + width, at.y + height});
  list->AddRectFilled(frame.min, frame.max, ui::fade(ui.theme->ground, .6f));
  const double cap = figure.handle ? figure.handle->x : HUGE_VAL;
  for (const auto& line : figure.lines)
    if (line.kind == Kind::bars) bars(panel, list, frame, line, ui.theme->tracks[track], cap);
  for (const auto& line : figure.lines)
    if (line.kind == Kind::theory) dashes(panel, list, frame, line, ui.theme->text);
  if (figure.mark)
    list->AddLine({frame.x(*figure.mark), frame.min.y}, {frame.x(*figure.mark), frame.max.y},
                  ui::fade(ui.theme->text, .5f), ui.px(1));
  std::size_t measured = 0;
  for (const auto& line : figure.lines)
    if (line.kind == Kind::points)
      points(panel, list, frame, line, measured++ == 0 ? ui.theme->tracks[track] : ui.theme->quiet);
  list->AddLine({frame.min.x, frame.max.y}, frame.max, ui.theme->line);
  if (figure.handle) {
    handle(panel, list, frame, *figure.handle);
  } else {
    ImGui::Dummy({width, height});
    ui::help_tooltip(ui, figure.help);
  }
  // ---- the ends of the axes ---------------------------------------------------------------------------------------
  const float top = frame.max.y + ui.px(1);
  ui::draw_text(list, ui.fonts->mono, ui.theme->quiet, {frame.min.x, top}, {frame.max.x, top + below}, "0");
  ui::draw_text(list, ui.fonts->mono, ui.theme->quiet, {frame.min.x, top}, {frame.max.x, top + below},
                grouped(static_cast<unsigned long long>(frame.most_x - 1)), ui::Align::right);
  ui::draw_text(list, ui.fonts->body, ui.theme->quiet, {frame.min.x, top}, {frame.max.x, top + below}, figure.x,
                ui::Align::centre);
  const std::string amount =
      frame.most_y < 1000 ? ui::short_number(frame.most_y) : short_count(static_cast<unsigned long long>(frame.most_y));
  const std::string most = amount + " " + figure.y;
  if (!figure.handle)
    ui::draw_text(list, ui.fonts->mono, ui.theme->quiet, {frame.min.x, frame.min.y + ui.px(1)},
                  {frame.max.x - ui.px(4), frame.min.y + ui.px(17)}, most, ui::Align::right);
  ImGui::SetCursorScreenPos({at.x, top});
  ImGui::Dummy({width, below});
  for (const auto& [what, value] : figure.rows) ui::key_value(ui, what, value);
}

}  // namespace

/// Figures that the active track has of itself.
void curves_card(PanelContext& panel, std::size_t track, Track&, Curves& curves) {
  auto& ui = panel.ui;
  const ui::Scope scope(ui, "curves");
  const auto figures = curves.curves();
  if (!figures) return;
  for (const CurveFigure& figure : *figures) {
    const ui::Section section(ui, figure.key, figure.title + " \u00b7 " + track_letter(track), figure.help);
    if (!section) continue;
    if (!figure.lines.empty()) draw_figure(panel, track, figure);
    if (!figure.kernels.empty()) kernel_bars(panel, track, figure.kernels);
  }
}

}  // namespace warploom
