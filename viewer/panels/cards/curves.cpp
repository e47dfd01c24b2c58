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
  std::optional<ui::Axis> measured;  ///< of y, where no amounts are drawn
  double first_x = 0;

  float x(double value) const {
    // 0 has a place, too.
    const double share =
        logarithmic_x ? std::log(1 + value) / std::log(1 + most_x) : (value - first_x) / (most_x - first_x);
    return min.x + static_cast<float>(share) * (max.x - min.x);
  }
  double value(float at) const {
    const double share = std::clamp(double(at - min.x) / double(max.x - min.x), 0., 1.);
    return logarithmic_x ? std::exp(share * std::log(1 + most_x)) - 1 : first_x + share * (most_x - first_x);
  }
  /// Amounts of 1 stand out from the ground on a logarithmic axis.
  float y(double value) const {
    const double share = measured        ? ui::position(*measured, value)
                         : logarithmic_y ? (value > 0 ? std::log(1 + value) / std::log(1 + most_y) : 0)
                                         : value / most_y;
    return max.y - static_cast<float>(std::clamp(share, 0., 1.)) * (max.y - min.y);
  }
};

Frame frame_of(const CurveFigure& figure, ImVec2 min, ImVec2 max) {
  Frame frame{min, max, 1, 1, figure.logarithmic_x, figure.logarithmic_y, std::nullopt, figure.first_x};
  ui::Extent measured{figure.logarithmic_y ? ui::Scale::log10 : ui::Scale::linear};
  bool amounts = false;
  for (const auto& line : figure.lines) {
    amounts = amounts || line.kind == Kind::bars;
    if (line.kind != Kind::theory && !line.x.empty()) frame.most_x = std::max(frame.most_x, line.x.back() + 1);
    measured.add(line.y);
    for (const double value : line.y)
      if (std::isfinite(value)) frame.most_y = std::max(frame.most_y, value);
  }
  if (!amounts) frame.measured = ui::fitted(measured, !figure.logarithmic_y);
  return frame;
}

/// Round values from 0 to `most`; of a logarithmic axis 0, 1 and powers of ten.
std::vector<ui::Tick> round_values(double most, bool logarithmic, int wanted, double first = 0) {
  if (!logarithmic) return ui::ticks({ui::Scale::linear, first, std::max(first + 1, most), {}}, wanted);
  std::vector<ui::Tick> all{{0, "0"}};
  for (std::uint64_t value = 1; static_cast<double>(value) <= most && value < 1'000'000'000'000'000; value *= 10)
    all.push_back({static_cast<double>(value), short_count(value)});
  return all;
}

/// Lines of equal amounts with their numbers, left of the frame. Numbers never overlap.
void y_axis(PanelContext& panel, ImDrawList* list, const Frame& frame, const std::vector<ui::Tick>& all) {
  const auto& ui = panel.ui;
  const float half = ui.fonts->mono->FontSize / 2, line = std::max(1.f, std::floor(ui.scale));
  float free = frame.max.y + half;
  for (const ui::Tick& tick : all) {
    const float y = std::floor(frame.y(tick.value));
    if (y + half > free || y < frame.min.y) continue;
    list->AddRectFilled({frame.min.x, y}, {frame.max.x, y + line}, ui::fade(ui.theme->line, .7f));
    ui::draw_text(list, ui.fonts->mono, ui.theme->quiet, {frame.min.x - ui.px(60), y - half},
                  {frame.min.x - ui.px(5), y + half}, tick.label, ui::Align::right);
    free = y - half - ui.px(2);
  }
}

/// Numbers below the frame; `last`: what its right end is called, where that is no number.
void x_axis(PanelContext& panel, ImDrawList* list, const Frame& frame, const std::vector<ui::Tick>& all, double middle,
            const std::string& last) {
  const auto& ui = panel.ui;
  const float top = frame.max.y + ui.px(2), bottom = top + ui.px(16);
  float free_from = frame.min.x - ui.px(20), free_to = frame.max.x + ui.px(10);
  if (!last.empty()) {
    free_to = frame.max.x - ui::text_width(ui.fonts->mono, last) - ui.px(8);
    ui::draw_text(list, ui.fonts->mono, ui.theme->quiet, {free_to, top}, {frame.max.x, bottom}, last, ui::Align::right);
  }
  for (const ui::Tick& tick : all) {
    const float width = ui::text_width(ui.fonts->mono, tick.label), x = frame.x(tick.value + middle),
                start = std::min(x - width / 2, frame.max.x - width);
    if (start < free_from || start + width > free_to) continue;
    list->AddRectFilled({std::floor(x), frame.max.y}, {std::floor(x) + 1, frame.max.y + ui.px(3)}, ui.theme->line);
    ui::draw_text(list, ui.fonts->mono, ui.theme->quiet, {start, top}, {start + width + 1, bottom}, tick.label);
    free_from = start + width + ui.px(8);
  }
}

/// What the figure has at a place, in words.
std::string words_at(const CurveFigure& figure, const Frame& frame, float at) {
  const double x = frame.value(at);
  std::string words;
  for (const auto& line : figure.lines) {
    // A bar fills its value to the next; points are where they are.
    const auto off = [&](double value) { return std::abs(value + (line.kind == Kind::points ? 0 : .5) - x); };
    const auto nearest = std::ranges::min_element(line.x, {}, off);
    if (nearest == line.x.end()) continue;
    const double value = line.y[static_cast<std::size_t>(nearest - line.x.begin())];
    if (words.empty()) words = fmt::format("{}: {:.0f}", figure.x, *nearest);
    if (std::isfinite(value))
      words += fmt::format("\n{}: {}{}", line.name, ui::short_number(value),
                           line.kind == Kind::points ? " " + figure.y : std::string());
  }
  return words;
}

/// A bar two pixels wide at least: of several values in one the largest.
void bars(PanelContext& panel, ImDrawList* list, const Frame& frame, const CurveFigure::Line& line, ImU32 colour,
          double cap) {
  const auto& ui = panel.ui;
  std::size_t last = 0;
  for (std::size_t first = 0; first < line.y.size(); first = last) {
    const float left = frame.x(line.x[first]);
    float right = left;
    double most = 0;
    for (last = first; last < line.y.size() && (last == first || frame.x(line.x[last]) - left < ui.px(2)); ++last) {
      most = std::max(most, line.y[last]);
      right = frame.x(line.x[last] + 1);
    }
    if (!(most > 0) || line.x[first] < frame.first_x) continue;
    const bool spilled = line.x[first] > cap;
    const ImVec2 low{left, frame.y(most)},
        high{std::max(left + 1, right - (right - left > ui.px(4) ? 1 : 0)), frame.max.y};
    list->AddRectFilled(low, high, spilled ? ui::fade(ui.theme->bad, .7f) : colour);
    if (spilled) ui::hatch(list, low, high, ui.theme->ground, ui.px(4));
  }
}

/// As theory has it.
void dashes(PanelContext& panel, ImDrawList* list, const Frame& frame, const CurveFigure::Line& line, ImU32 colour) {
  const auto& ui = panel.ui;
  for (std::size_t i = 0; i + 1 < line.x.size(); ++i) {
    if (!std::isfinite(line.y[i]) || !std::isfinite(line.y[i + 1]) || line.x[i + 1] > frame.most_x ||
        line.x[i] < frame.first_x)
      continue;
    const double middle = frame.measured ? 0 : .5;  // of a bar
    const ImVec2 from{frame.x(line.x[i] + middle), frame.y(line.y[i])},
        to{frame.x(line.x[i + 1] + middle), frame.y(line.y[i + 1])};
    // Every other piece where there are many; where they are long, their first halves.
    if (to.x - from.x < ui.px(3) && i % 4 > 1) continue;
    const ImVec2 end =
        to.x - from.x < ui.px(3) ? to : ImVec2{from.x + (to.x - from.x) * .6f, from.y + (to.y - from.y) * .6f};
    list->AddLine(from, end, colour, ui.px(1.5f));
  }
}

/// Measured points, joined.
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
  // Of bars it stands behind the one that is the last within; of points at its own.
  const bool of_points = frame.measured.has_value();
  if (held) dragged = std::floor(frame.value(ImGui::GetIO().MousePos.x) + (of_points ? .5 : 0));
  const auto set = [&](double value) {
    double least = 0, most = HUGE_VAL;
    for (const Parameter& one : panel.model.scene().parameters())
      if (one.key == handle.parameter && one.kind == Parameter::Kind::integer) least = one.minimum, most = one.maximum;
    panel.model.set(handle.parameter, fmt::format("{:.0f}", std::clamp(value, least, most)));
  };
  if (ImGui::IsItemDeactivated() && dragged >= 0) {  // this one: another figure's may be held
    set(dragged);
    dragged = -1;
  }
  if (const int by = ui::stepped_by_key(ui, "handle")) set(handle.x + by);
  const double shown = held ? dragged : handle.x;
  const float x = frame.x(std::min(shown + (of_points ? 0 : 1), frame.most_x));
  list->AddLine({x, frame.min.y}, {x, frame.max.y}, ui.theme->text, ui.px(held ? 2.f : 1.f));
  list->AddTriangleFilled({x - ui.px(5), frame.min.y}, {x + ui.px(5), frame.min.y}, {x, frame.min.y + ui.px(7)},
                          ui.theme->text);
  const std::string words = fmt::format("{} {:.0f}", handle.parameter, shown);
  const float text = ui::text_width(ui.fonts->mono, words) + ui.px(8);
  const float left = x + text + ui.px(4) < frame.max.x ? x + ui.px(6) : x - text - ui.px(2);
  ui::draw_text(list, ui.fonts->mono, ui.theme->text, {left, frame.min.y}, {left + text, frame.min.y + ui.px(18)},
                words);
}

/// What the y axis is, and right of it what the lines are, where they are not what the axis is; below it where that
/// leaves no room.
void names(PanelContext& panel, std::size_t track, const CurveFigure& figure, float width) {
  const auto& ui = panel.ui;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float key = ui.px(16), gap = ui.px(5), between = ui.px(12), row = ui.px(18);
  const std::string name = figure.y + (figure.logarithmic_y ? " (log)" : "");
  const float own = ui::text_width(ui.fonts->body, name);
  float all = 0;
  for (const auto& line : figure.lines)
    if (line.name != figure.y) all += key + gap + ui::text_width(ui.fonts->body, line.name) + between;
  const bool below = own + all > width;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::Dummy({width, below ? 2 * row : row});
  ui::draw_text(list, ui.fonts->body, ui.theme->quiet, at, {at.x + width, at.y + row}, name);
  const float top = below ? at.y + row : at.y;
  float x = below ? at.x : at.x + width + between - all;
  std::size_t measured = 0;
  for (const auto& line : figure.lines) {
    if (line.name == figure.y) continue;
    const float y = top + row / 2, end = x + key;
    const ImU32 colour = line.kind == Kind::theory ? ui.theme->text
                         : measured++ == 0         ? ui.theme->tracks[track]
                                                   : ui.theme->quiet;
    if (line.kind == Kind::theory) {
      list->AddLine({x, y}, {x + key * .4f, y}, colour, ui.px(1.5f));
      list->AddLine({x + key * .6f, y}, {end, y}, colour, ui.px(1.5f));
    } else {
      list->AddLine({x, y}, {end, y}, ui::fade(colour, .6f), ui.px(1));
      list->AddCircleFilled({(x + end) / 2, y}, ui.px(2.5f), colour);
    }
    const float words = ui::text_width(ui.fonts->body, line.name);
    ui::draw_text(list, ui.fonts->body, ui.theme->quiet, {end + gap, top}, {end + gap + words + 1, top + row},
                  line.name);
    x = end + gap + words + between;
  }
}

void draw_figure(PanelContext& panel, std::size_t track, const CurveFigure& figure) {
  auto& ui = panel.ui;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float width = ImGui::GetContentRegionAvail().x, height = ui.px(96), below = ui.px(36);
  names(panel, track, figure, width);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  Frame frame = frame_of(figure, at, {at.x + width, at.y + height});
  const auto y_ticks =
      frame.measured ? ui::ticks(*frame.measured, 4) : round_values(frame.most_y, frame.logarithmic_y, 4);
  float labels = 0;
  for (const ui::Tick& tick : y_ticks) labels = std::max(labels, ui::text_width(ui.fonts->mono, tick.label));
  frame.min.x += std::ceil(labels) + ui.px(6);
  list->AddRectFilled(frame.min, frame.max, ui::fade(ui.theme->ground, .6f));
  y_axis(panel, list, frame, y_ticks);
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
  ImGui::SetCursorScreenPos(frame.min);
  if (figure.handle)
    handle(panel, list, frame, *figure.handle);
  else
    ImGui::InvisibleButton("figure", {frame.max.x - frame.min.x, height});
  ui::record(ui, "plot", figure.title, frame.min, frame.max, false);
  if (ImGui::IsItemHovered() && !ImGui::IsItemActive())
    ui::show_help(ui, words_at(figure, frame, ImGui::GetIO().MousePos.x));
  x_axis(panel, list, frame, round_values(frame.most_x - 1, frame.logarithmic_x, 5, frame.first_x),
         frame.measured ? 0 : .5, figure.last);
  ImGui::SetCursorScreenPos({at.x, frame.max.y + ui.px(1)});
  ImGui::Dummy({width, below});
  ui::draw_text(list, ui.fonts->body, ui.theme->quiet, {frame.min.x, frame.max.y + ui.px(18)},
                {frame.max.x, frame.max.y + below}, figure.x + (figure.logarithmic_x ? " (log)" : ""),
                ui::Align::centre);
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
    const ui::Section section(ui, figure.key, figure.title + " \u00b7 " + track_letter(*panel.simulation, track),
                              figure.help);
    if (!section) continue;
    if (!figure.lines.empty()) draw_figure(panel, track, figure);
    if (!figure.kernels.empty()) kernel_bars(panel, track, figure.kernels);
  }
}

}  // namespace warploom
