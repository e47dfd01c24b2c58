#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <utility>

#include "viewer/ui/plot/figure.h"
#include "viewer/ui/text.h"

// Figures on the screen: axes, curves, legend, and the values under the mouse.

namespace warploom::ui {
namespace {

using Curve = Figure::Curve;

int room_for(float pixels, float each) { return std::clamp(static_cast<int>(pixels / each), 2, 12); }

Marker marker_of(const Curve& curve) { return curve.line || curve.marker != Marker::none ? curve.marker : Marker::dot; }

std::optional<std::size_t> nearest(const Curve& curve, const Axis& axis, double x) {
  const double wanted = position(axis, x);
  std::optional<std::size_t> best;
  double least = 0;
  for (std::size_t i = 0; i < curve.size(); ++i) {
    const double distance = std::abs(position(axis, curve.x_at(i)) - wanted);
    if (std::isnan(distance) || (best && distance >= least)) continue;
    best = i;
    least = distance;
  }
  return best;
}

void sample(ImDrawList* list, const Curve& curve, ImVec2 at, float width, float scale) {
  const ImVec2 ends[] = {at, {at.x + width, at.y}};
  if (curve.line) draw_curve(list, ends, curve.colour, curve.stroke, 1.6f * scale, scale);
  draw_marker(list, {at.x + width / 2, at.y}, marker_of(curve), curve.colour, scale);
}

class Plot {
 public:
  Plot(UiContext& ui, const Rectangle& area, const Figure& figure, Crosshair* crosshair)
      : ui_(ui), list_(ImGui::GetWindowDrawList()), area_(area), figure_(figure), crosshair_(crosshair) {
    hovered_ = !figure.still && ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(area.min, area.max);
    for (const Curve& curve : figure.curves)
      if (!curve.y.empty()) curves_.push_back(&curve);
  }

  void draw() {
    draw_frame();
    if (inner_.empty()) return;
    for (const Curve* curve : curves_) draw(*curve);
    for (const Figure::Above& above : figure_.above) draw(above);
    if (curves_.empty()) {
      draw_text(list_, ui_.fonts->body, ui_.theme->quiet, inner_.min, inner_.max, figure_.empty_words, Align::centre);
      return;
    }
    draw_names(legend_width() > 0 ? draw_legend_beside() : draw_legend());
    draw_readout();
  }

 private:
  ImVec2 place(double x, double y) const {
    return {inner_.min.x + static_cast<float>(position(figure_.x, x)) * inner_.width(),
            inner_.max.y - static_cast<float>(position(figure_.y, y)) * inner_.height()};
  }

  float legend_width() const {
    const float wide = ui_.px(290);
    return figure_.legend_beside && area_.width() > 2.4f * wide ? wide : 0;
  }

  void draw_frame() {
    const ImFont* mono = ui_.fonts->mono;
    const float padding = ui_.px(14), title = figure_.title.empty() ? 0 : ui_.px(24), half = mono->FontSize / 2;
    inner_ = {{area_.min.x + padding, area_.min.y + ui_.px(10) + title + half},
              {area_.max.x - padding - legend_width(), area_.max.y - ui_.px(8) - mono->FontSize - ui_.px(4)}};
    if (!figure_.title.empty())
      title_width_ = draw_title(ui_, list_, {area_.min.x + padding, area_.min.y + ui_.px(12)}, ui_.theme->quiet,
                                figure_.title, area_.width() - 2 * padding);
    auto y_ticks = ticks(figure_.y, room_for(inner_.height(), ui_.px(20)));
    // At the uppermost figure; the figures below it stay under its own.
    if (const auto& name = figure_.y.name; !name.empty())
      for (Tick& tick : y_ticks)
        tick.label += &tick == &y_ticks.back() ? " " + name : std::string(name.size() + 1, ' ');
    float labels = 0;
    for (const Tick& tick : y_ticks) labels = std::max(labels, text_width(mono, tick.label));
    const float left = inner_.min.x;
    inner_.min.x += labels + ui_.px(8);
    if (inner_.width() < ui_.px(24) || inner_.height() < ui_.px(16)) {  // too small for a picture: the title stays
      inner_.max = inner_.min;
      return;
    }
    const float line = std::max(1.0f, std::floor(ui_.scale));
    float lowest = area_.max.y;  // from the lowest up, in a low plot not all of them
    for (const Tick& tick : y_ticks) {
      const float y = std::floor(place(figure_.x.min, tick.value).y);
      list_->AddRectFilled({inner_.min.x, y}, {inner_.max.x, y + line}, fade(ui_.theme->line, 0.7f));
      if (y + half > lowest) continue;
      draw_text(list_, mono, ui_.theme->quiet, {left, y - half}, {left + labels, y + half}, tick.label, Align::right);
      lowest = y - half;
    }
    float free_from = area_.min.x, free_to = area_.max.x - legend_width();  // labels never overlap
    if (!figure_.x.name.empty()) {
      const float width = text_width(mono, figure_.x.name), y = inner_.max.y + ui_.px(4);
      const float start =
          legend_width() > 0 ? inner_.max.x + ui_.px(24) : area_.max.x - padding / 2 - width;  // where nothing else is
      draw_text(list_, mono, ui_.theme->quiet, {start, y}, {start + width + 1, y + mono->FontSize}, figure_.x.name);
      free_to = start - ui_.px(8);
    }
    for (const Tick& tick : ticks(figure_.x, room_for(inner_.width(), ui_.px(64)))) {
      const float width = text_width(mono, tick.label), x = place(tick.value, figure_.y.min).x;
      const float start = std::min(x - width / 2, area_.max.x - legend_width() - padding / 2 - width),
                  y = inner_.max.y + ui_.px(4);
      if (start < free_from || start + width > free_to) continue;
      list_->AddRectFilled({std::floor(x), inner_.max.y}, {std::floor(x) + line, inner_.max.y + ui_.px(3)},
                           ui_.theme->line);
      draw_text(list_, mono, ui_.theme->quiet, {start, y}, {start + width + 1, y + mono->FontSize}, tick.label);
      free_from = start + width + ui_.px(8);
    }
  }

  void draw(const Curve& curve) {
    std::vector<ImVec2> places(curve.size());
    for (std::size_t i = 0; i < places.size(); ++i) places[i] = place(curve.x_at(i), curve.y[i]);
    Rectangle within = inner_;
    if (curve.line) {
      within = {{inner_.min.x, inner_.min.y - 4 * ui_.scale}, {inner_.max.x + 4 * ui_.scale, inner_.max.y + 2}};
      draw_curve(list_, clipped(places, within), curve.colour, curve.stroke, 1.4f * ui_.scale, ui_.scale);
    }
    for (const ImVec2 at : places)
      if (at.x >= within.min.x && at.x <= within.max.x && at.y >= within.min.y && at.y <= within.max.y)
        draw_marker(list_, at, marker_of(curve), curve.colour, ui_.scale);
  }

  void draw(const Figure::Above& above) {
    if (above.x.empty()) return;
    for (const double value : above.x)
      draw_marker(list_, place(value, figure_.y.max), Marker::triangle, above.colour, ui_.scale);
    const float padding = ui_.px(14), height = ui_.px(18), y = area_.min.y + ui_.px(10);
    draw_text(list_, ui_.fonts->body, ui_.theme->quiet, {area_.min.x + padding + title_width_ + padding, y},
              {area_.max.x - padding, y + height}, above.words, Align::right);
  }

  /// Answers the curves that it had room for.
  std::vector<const Curve*> draw_legend() {
    const float padding = ui_.px(14), room = area_.width() - 3 * padding - title_width_;
    float key = ui_.px(18), gap = ui_.px(6), between = ui_.px(14), wanted = 0;
    for (const Curve* curve : curves_)
      if (!curve->name.empty()) wanted += key + gap + text_width(ui_.fonts->body, curve->name) + between;
    const bool plain = wanted - between > room;  // no room for strokes: the names alone, in their colours
    if (plain) key = gap = 0, between = ui_.px(6);
    const float y = area_.min.y + ui_.px(10), height = ui_.px(18);
    // As many as fit beside the title, the first ones first; the others are named in the plot.
    std::vector<const Curve*> named;
    float whole = 0;
    for (const Curve* curve : curves_) {
      if (curve->name.empty()) continue;
      const float width = key + gap + text_width(ui_.fonts->body, curve->name) + (named.empty() ? 0 : between);
      if (whole + width > room) break;
      whole += width;
      named.push_back(curve);
    }
    float x = area_.max.x - padding - whole;
    for (const Curve* curve : named) {
      const float width = text_width(ui_.fonts->body, curve->name);
      if (!plain) sample(list_, *curve, {x, std::floor(y + height / 2) + 0.5f}, key, ui_.scale);
      x += key + gap;
      draw_text(list_, ui_.fonts->body, plain ? curve->colour : ui_.theme->quiet, {x, y}, {x + width + 1, y + height},
                curve->name);
      x += width + between;
    }
    return named;
  }

  std::vector<const Curve*> draw_legend_beside() {
    const float key = ui_.px(22), gap = ui_.px(8), height = ui_.px(22);
    std::vector<const Curve*> named;
    ImVec2 at{inner_.max.x + ui_.px(24), inner_.min.y};
    for (const Curve* curve : curves_) {
      if (curve->name.empty() || at.y + height > inner_.max.y) continue;
      sample(list_, *curve, {at.x, std::floor(at.y + height / 2) + .5f}, key, ui_.scale);
      draw_text(list_, ui_.fonts->body, ui_.theme->text, {at.x + key + gap, at.y},
                {area_.max.x - ui_.px(8), at.y + height}, curve->name);
      at.y += height;
      named.push_back(curve);
    }
    return named;
  }

  /// The names of curves that the legend lacks, on the curves: at the last point in view that has room, above or below.
  void draw_names(const std::vector<const Curve*>& in_legend) {
    const ImFont* font = ui_.fonts->body;
    const float height = font->FontSize + ui_.px(2), apart = ui_.px(3);
    std::vector<Rectangle> taken;
    const auto is_free = [&](const Rectangle& at) {
      return at.min.x >= inner_.min.x && at.min.y >= inner_.min.y && at.max.y <= inner_.max.y &&
             std::ranges::none_of(taken, [&](const Rectangle& other) {
               return at.min.x < other.max.x && other.min.x < at.max.x && at.min.y < other.max.y &&
                      other.min.y < at.max.y;
             });
    };
    const auto find_place = [&](const Curve& curve) -> std::optional<Rectangle> {
      const float width = text_width(font, curve.name) + 1;
      for (std::size_t i = curve.size(); i-- > 0;) {
        const ImVec2 end = place(curve.x_at(i), curve.y[i]);
        if (!std::isfinite(end.x + end.y) || end.x > inner_.max.x) continue;
        // Beside all of the curve that runs along the name.
        float top = end.y, bottom = end.y;
        for (std::size_t j = i; j-- > 0;) {
          const ImVec2 before = place(curve.x_at(j), curve.y[j]);
          if (std::isfinite(before.y)) top = std::min(top, before.y), bottom = std::max(bottom, before.y);
          if (before.x < end.x - width) break;
        }
        for (const float y : {top - height - apart, bottom + apart})
          if (const Rectangle at{{end.x - width, y}, {end.x, y + height}}; is_free(at)) return at;
      }
      return std::nullopt;
    };
    for (const Curve* curve : curves_) {
      if (curve->name.empty() || std::ranges::count(in_legend, curve)) continue;
      const auto at = find_place(*curve);
      if (!at) continue;
      taken.push_back(*at);
      draw_text(list_, font, curve->colour, at->min, at->max, curve->name);
    }
  }

  void draw_readout() {
    const float mouse = ImGui::GetIO().MousePos.x;
    const bool own = hovered_ && mouse >= inner_.min.x && mouse <= inner_.max.x;
    std::optional<double> x;
    if (own)
      x = value_at(figure_.x, (mouse - inner_.min.x) / inner_.width());
    else if (crosshair_ && crosshair_->frame >= ImGui::GetFrameCount() - 1)
      x = crosshair_->x;  // one frame old at most: the plot under the mouse may be drawn after this one
    if (!x) return;
    if (own && crosshair_) *crosshair_ = {x, ImGui::GetFrameCount()};
    const float at = std::floor(place(*x, figure_.y.min).x);
    if (at < inner_.min.x || at > inner_.max.x) return;
    list_->AddRectFilled({at, inner_.min.y}, {at + std::max(1.0f, std::floor(ui_.scale)), inner_.max.y},
                         fade(ui_.theme->quiet, 0.6f));

    std::vector<std::pair<const Curve*, std::size_t>> found;
    // Single points without a name stand elsewhere than under the mouse; of others without a line, those alone that are
    // pointed at.
    for (const Curve* curve : curves_) {
      const auto i = nearest(*curve, figure_.x, *x);
      if (!i || (curve->name.empty() && marker_of(*curve) != Marker::none)) continue;
      if (!curve->line && std::abs(place(curve->x_at(*i), figure_.y.min).x - at) > ui_.px(10)) continue;
      found.emplace_back(curve, *i);
    }
    for (const auto& [curve, i] : found) {
      const ImVec2 dot = place(curve->x_at(i), curve->y[i]);
      // Above the axis the words alone tell the value.
      if (std::isfinite(dot.x + dot.y) && dot.y >= inner_.min.y - 1)
        list_->AddCircle(dot, ui_.px(4), ui_.theme->text, 16, 1.2f * ui_.scale);
    }
    if (!own || found.empty()) return;

    const auto& [first, index] = found.front();
    const auto with_unit = [](double value, const std::string& unit) {
      return short_number(value) + (unit.empty() ? "" : " " + unit);
    };
    const double place_x = first->x_at(index);
    const std::string head =
        figure_.x.name.empty() ? with_unit(place_x, figure_.x.unit) : figure_.x.name + " " + short_number(place_x);
    float names = 0, values = text_width(ui_.fonts->mono, head);
    for (const auto& [curve, i] : found) {
      names = std::max(names, text_width(ui_.fonts->body, curve->name));
      values = std::max(values, text_width(ui_.fonts->mono, with_unit(curve->y[i], figure_.y.unit)));
    }
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {ui_.px(10), ui_.px(6)});
    ImGui::BeginTooltip();
    const float key = ui_.px(18), gap = ui_.px(8), width = key + gap + names + ui_.px(16) + values, height = ui_.px(18);
    ImDrawList* list = ImGui::GetWindowDrawList();
    ImVec2 row = ImGui::GetCursorScreenPos();
    ImGui::Dummy({width, height * static_cast<float>(found.size() + 1)});
    draw_text(list, ui_.fonts->mono, ui_.theme->quiet, row, {row.x + width, row.y + height}, head, Align::right);
    for (const auto& [curve, i] : found) {
      row.y += height;
      const ImVec2 high{row.x + width, row.y + height};
      sample(list, *curve, {row.x, std::floor(row.y + height / 2) + 0.5f}, key, ui_.scale);
      draw_text(list, ui_.fonts->body, ui_.theme->text, {row.x + key + gap, row.y}, high, curve->name);
      draw_text(list, ui_.fonts->mono, ui_.theme->text, row, high, with_unit(curve->y[i], figure_.y.unit),
                Align::right);
    }
    ImGui::EndTooltip();
    ImGui::PopStyleVar();
  }

  UiContext& ui_;
  ImDrawList* list_;
  Rectangle area_;   ///< all of it
  Rectangle inner_;  ///< between the axes
  const Figure& figure_;
  std::vector<const Curve*> curves_;  ///< that have values
  Crosshair* crosshair_;
  float title_width_ = 0;
  bool hovered_ = false;
};

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

}  // namespace

bool DrawCache::replay(ImDrawList* list, std::uint64_t key) const {
  if (key_ == 0 || key != key_) return false;
  list->PrimReserve(static_cast<int>(indices_.size()), static_cast<int>(vertices_.size()));
  std::copy(vertices_.begin(), vertices_.end(), list->_VtxWritePtr);
  const auto first = static_cast<ImDrawIdx>(list->_VtxCurrentIdx);
  std::transform(indices_.begin(), indices_.end(), list->_IdxWritePtr,
                 [first](ImDrawIdx index) { return static_cast<ImDrawIdx>(first + index); });
  list->_VtxWritePtr += vertices_.size();
  list->_IdxWritePtr += indices_.size();
  list->_VtxCurrentIdx += static_cast<unsigned>(vertices_.size());
  return true;
}

DrawCache::Mark DrawCache::mark_of(const ImDrawList& list) {
  return {list.CmdBuffer.Size, list.VtxBuffer.Size, list.IdxBuffer.Size, list._VtxCurrentIdx};
}

void DrawCache::take(const ImDrawList& list, const Mark& mark, std::uint64_t key) {
  key_ = 0;
  const int count = list.VtxBuffer.Size - mark.vertices;
  // Another clip rectangle, another texture, or more vertices than an index can name: drawn anew each time.
  if (list.CmdBuffer.Size != mark.commands || count <= 0 ||
      list._VtxCurrentIdx != mark.current + static_cast<unsigned>(count))
    return;
  vertices_.assign(list.VtxBuffer.begin() + mark.vertices, list.VtxBuffer.end());
  indices_.assign(list.IdxBuffer.begin() + mark.indices, list.IdxBuffer.end());
  for (ImDrawIdx& index : indices_) index = static_cast<ImDrawIdx>(index - mark.current);
  key_ = key;
}

void draw(UiContext& ui, const Rectangle& area, const Figure& figure, Crosshair* crosshair, DrawCache* cache) {
  if (!cache || is_read(area, crosshair)) return Plot(ui, area, figure, crosshair).draw();
  ImDrawList* list = ImGui::GetWindowDrawList();
  const std::uint64_t key = hash_of(ui, area, figure);
  if (!cache->replay(list, key)) cache->keep(list, key, [&] { Plot(ui, area, figure, crosshair).draw(); });
}

}  // namespace warploom::ui
