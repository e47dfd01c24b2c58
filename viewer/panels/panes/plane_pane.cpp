#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "gpu/pictures/plane_layout.h"
#include "gpu/pictures/scaled_picture.h"
#include "gpu/tracks/facets/editable.h"
#include "gpu/tracks/facets/threads.h"
#include "viewer/panels/panes/marks.h"
#include "viewer/panels/panes/plane.h"

namespace warploom {
namespace {

/// The cells of a stroke from `from` to `to`, `radius` cells wide.
std::vector<Cell> stroke(const Track& track, const Threads& threads, Cell from, Cell to, int radius) {
  std::vector<Cell> cells;
  const auto dx = double(to.x) - from.x, dy = double(to.y) - from.y;
  const int steps = std::max(1, static_cast<int>(std::min(4096., std::max(std::abs(dx), std::abs(dy)))));
  for (int i = 0; i <= steps; ++i)
    for (int v = -radius; v <= radius; ++v)
      for (int u = -radius; u <= radius; ++u) {
        const double x = from.x + dx * i / steps + u, y = from.y + dy * i / steps + v;
        if (x < 0 || y < 0 || x >= track.extent().x || y >= track.extent().y) continue;
        const Cell cell{static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y), 0};
        if (threads.member(cell)) cells.push_back(cell);
      }
  return cells;
}

void paint_cells(PanelContext& panel, const Plane& plane, std::size_t track_index, bool active) {
  if (!active) {
    panel.state.last_painted.reset();
    panel.state.stroke = false;
    return;
  }
  const Track& track = panel.simulation->track(track_index);
  const ImVec2 mouse = mouse_place();
  const double x = plane.cell_x(mouse.x), y = plane.cell_y(mouse.y);
  if (!plane.holds(x, y)) return;
  const Cell cell{static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y), 0};
  if (panel.state.last_painted == cell) return;
  const int radius = static_cast<int>(std::clamp(plane.camera.cells_per_pixel_x * 3, 0., 12.));
  auto cells = stroke(track, track.need<Threads>(), panel.state.last_painted.value_or(cell), cell, radius);
  panel.state.last_painted = cell;
  if (cells.empty()) return;
  panel.model.paint(std::move(cells), panel.model.tool == Model::Tool::draw, !std::exchange(panel.state.stroke, true));
}

/// The colour of words on a ground, dark or light, by contrast.
ImU32 readable_on(ImU32 ground) {
  constexpr ImU32 dark = 0xff14110e, light = 0xffffffff;
  return ui::contrast(ground, dark) > ui::contrast(ground, light) ? dark : light;
}

/// The numbers themselves, once places are large enough to hold them: the values, and of cells from 64 pixels on the
/// owner's thread.
void draw_numbers(PanelContext& panel, ImDrawList* list, const Plane& plane, const Pane& pane, Picture& picture) {
  auto& ui = panel.ui;
  if (plane.pixels_x() < ui.px(16) || plane.pixels_y() < ui.px(14) || !panel.questions) return;
  Track& track = panel.simulation->track(pane.track);
  const auto first = [](double at, double most) {
    return static_cast<std::uint32_t>(std::clamp(std::floor(at), 0., most));
  };
  const Index3 low{first(plane.cell_x(plane.area.min.x), plane.width),
                   first(plane.cell_y(plane.area.min.y), plane.height), 0};
  const Index3 high{first(plane.cell_x(plane.area.max.x) + 1, plane.width),
                    first(plane.cell_y(plane.area.max.y) + 1, plane.height), 1};
  constexpr std::uint64_t most_numbers = 128ul * 128;
  if (high.x <= low.x || high.y <= low.y) return;
  const Index3 size{high.x - low.x, high.y - low.y, 1};
  if (volume(size) > most_numbers) return;
  const auto values = picture.values(*panel.questions, low, size);
  if (values.empty()) return;
  const auto* threads = track.facet<Threads>();
  const bool owners = threads && picture.info().space == Selection::cell && plane.pixels_x() >= ui.px(64) &&
                      plane.pixels_y() >= ui.px(40);
  const Palette palette = palette_of(panel, pane.track);
  const ValueRange shared = request_for(panel, pane, picture).values;
  const Index3 origin = origin_of(picture);
  for (std::uint32_t y = 0; y < size.y; ++y)
    for (std::uint32_t x = 0; x < size.x; ++x) {
      const float value = values[std::size_t{y} * size.x + x];
      if (std::isnan(value)) continue;
      const ImVec2 min = plane.screen(low.x + x, low.y + y), max = plane.screen(low.x + x + 1, low.y + y + 1);
      const ImU32 colour = readable_on(palette.at(picture.shade(value, shared)));
      const float middle = owners ? (min.y + max.y) / 2 : max.y;
      const std::string number = value == std::floor(value) && std::abs(value) < 1000 ? fmt::format("{:.0f}", value)
                                                                                      : fmt::format("{:.2g}", value);
      if (ui::text_width(ui.fonts->mono, number) < max.x - min.x)
        ui::draw_text(list, ui.fonts->mono, colour, min, {max.x, middle}, number, ui::Align::centre);
      Owner who;
      if (owners && threads->owner({low.x + x - origin.x, low.y + y - origin.y, 0}, who))
        ui::draw_text(list, ui.fonts->mono, ui::fade(colour, .75f), {min.x, middle}, max,
                      fmt::format("{},{}", who.thread.x, who.thread.y), ui::Align::centre);
    }
}

/// Which thread a place is, its warp and its lane, once places are large enough to hold the words.
void draw_threads(PanelContext& panel, ImDrawList* list, const Plane& plane, const Pane& pane, Picture& picture) {
  auto& ui = panel.ui;
  if (picture.info().space != Selection::thread || plane.pixels_x() < ui.px(56) || plane.pixels_y() < ui.px(34)) return;
  const Index3 block = panel.simulation->track(pane.track).launches()[0].threads;
  const PictureRequest request = plane_request(panel, pane, picture, plane);
  const auto bound = [](double at, double most) { return static_cast<std::uint32_t>(std::clamp(at, 0., most)); };
  const std::uint32_t left = bound(plane.cell_x(plane.area.min.x), plane.width),
                      right = bound(std::ceil(plane.cell_x(plane.area.max.x)), plane.width),
                      top = bound(plane.cell_y(plane.area.min.y), plane.height),
                      bottom = bound(std::ceil(plane.cell_y(plane.area.max.y)), plane.height);
  for (std::uint32_t y = top; y < bottom; ++y)
    for (std::uint32_t x = left; x < right; ++x) {
      const ImVec2 min = plane.screen(x, y), max = plane.screen(x + 1., y + 1.);
      const Selection found =
          picture.at(nullptr, request, (min.x + max.x) / 2 - plane.area.min.x, (min.y + max.y) / 2 - plane.area.min.y);
      if (found.space != Selection::thread) continue;
      const auto threads = panel.simulation->track(pane.track).facet<Threads>();
      const auto target = threads ? threads->target(found.owner) : std::nullopt;
      const ImU32 colour = readable_on(target && target->useful ? ui.theme->tracks[pane.track] : ui.theme->raised);
      const auto linear = linear_index(found.owner.thread, block);
      const float middle = (min.y + max.y) / 2;
      ui::draw_text(list, ui.fonts->mono, colour, min, {max.x, middle + ui.px(2)},
                    fmt::format("{},{}", found.owner.thread.x, found.owner.thread.y), ui::Align::centre);
      ui::draw_text(list, ui.fonts->mono, colour, {min.x, middle - ui.px(2)}, max,
                    fmt::format("w{} l{}", linear / warp_size, linear % warp_size), ui::Align::centre);
    }
}

/// Where one is in a plane that is only partly in view: the whole of it small in the lower right corner, the part in
/// view framed, and which places those are.
/// Not over a legend, that ends at `legend_right`.
void overview(PanelContext& panel, ImDrawList* list, const Plane& plane, double tall, float legend_right) {
  const auto& ui = panel.ui;
  const double left = std::max(0., plane.cell_x(plane.area.min.x)),
               right = std::min(plane.width, plane.cell_x(plane.area.max.x)),
               top = std::max(0., plane.cell_y(plane.area.min.y)),
               bottom = std::min(plane.height, plane.cell_y(plane.area.max.y));
  const bool whole = right - left >= .98 * plane.width && bottom - top >= .98 * plane.height;
  if (whole || right <= left || bottom <= top || plane.area.width() < ui.px(220) || plane.area.height() < ui.px(150))
    return;
  const double across = plane.width, down = plane.height * tall, most = std::max(across, down);
  const ImVec2 size{std::max(ui.px(10), static_cast<float>(across / most) * ui.px(64)),
                    std::max(ui.px(10), static_cast<float>(down / most) * ui.px(64))};
  const ImVec2 high{plane.area.max.x - ui.px(12), plane.area.max.y - ui.px(10)}, low{high.x - size.x, high.y - size.y};
  if (low.x < legend_right + ui.px(6)) return;
  const std::string words = fmt::format("{:.0f} to {:.0f} \u00d7 {:.0f} to {:.0f}", std::floor(left),
                                        std::ceil(right) - 1, std::floor(top), std::ceil(bottom) - 1);
  const float width = ui::text_width(ui.fonts->mono, words), y = low.y - ui.px(22);
  if (width + ui.px(24) < plane.area.width()) {  // half a number would be another one
    list->AddRectFilled({high.x - width - ui.px(12), y}, {high.x, y + ui.px(20)}, ui::fade(ui.theme->ground, .85f),
                        ui.px(3));
    ui::draw_text(list, ui.fonts->mono, ui.theme->quiet, {high.x - width - ui.px(6), y}, {high.x, y + ui.px(20)},
                  words);
  }
  list->AddRectFilled(low, high, ui::fade(ui.theme->panel, .9f));
  list->AddRect(low, high, ui.theme->quiet);
  const auto at = [&](double x, double v) {
    return ImVec2{low.x + size.x * static_cast<float>(x / plane.width),
                  low.y + size.y * static_cast<float>(v / plane.height)};
  };
  ImVec2 first = at(left, top), last = at(right, bottom);
  const float least = ui.px(3);
  last = {std::max(last.x, first.x + least), std::max(last.y, first.y + least)};
  list->AddRectFilled(first, last, ui::fade(ui.theme->accent, .5f));
  list->AddRect(first, last, ui.theme->accent);
}

/// How a plane lies in its pane: under its title and its legend, or between them. Where the pane is low it has no
/// legend, and the plane the room of it.
struct Placing {
  ui::Rectangle inner;
  ImVec2 margin;
  bool low = false;
};

Placing placing(const ui::UiContext& ui, const ui::Rectangle& area, bool side, bool key_below) {
  const bool low = area.height() < ui.px(150);
  Placing at{area, low ? ImVec2{ui.px(8), ui.px(4)} : ImVec2{ui.px(24), ui.px(38)}, low};
  if (!side && !low) return at;
  at.inner.min.y += ui.px(30);
  if (!low) at.margin = {ui.px(16), ui.px(key_below ? 8 : 14)};
  if (key_below && !low) at.inner.max.y -= ui.px(30);
  return at;
}

/// Its legend stands below it, where it is at the side; else beside it.
bool key_below(const Picture& picture) {
  return picture.info().space == Selection::thread || leaves_room_for_kinds(picture);
}

/// The sides of the plane: its own, or where tracks have one scale those that all of theirs lie in.
std::array<double, 3> sides_of(const PanelContext& panel, const Picture& picture) {
  auto sides = picture.extent(looking_at(panel, picture));
  if (!is_joint(picture) || !panel.model.view.one_scale) return sides;
  for (std::size_t i = 0; i < panel.simulation->size(); ++i)
    for (const Picture* other : panel.simulation->track(i).pictures())
      if (other->info().key == picture.info().key) {
        const auto theirs = other->extent(looking_at(panel, *other));
        for (const std::size_t axis : {0, 1}) sides[axis] = std::max(sides[axis], theirs[axis]);
      }
  return sides;
}

/// How many times as tall as wide a place of a picture is drawn there.
double tallness(const Picture& picture, const Placing& at, const std::array<double, 3>& extent) {
  if (!picture.info().fills) return picture.info().tall;
  const double across = at.inner.width() - 2 * at.margin.x, down = at.inner.height() - 2 * at.margin.y;
  return std::max(8., down) / extent[1] / (std::max(8., across) / extent[0]);
}

/// Cells of a fractal are thin: where the mouse is on none, the nearest within a few pixels is meant.
void snap(PanelContext& panel, const Pane& pane, const Plane& plane) {
  Selection& hovered = panel.model.hover;
  const auto* threads = panel.simulation->track(pane.track).facet<Threads>();
  if (!threads || hovered.space != Selection::cell || threads->member(hovered.at)) return;
  const ImVec2 mouse = mouse_place();
  const int reach = static_cast<int>(panel.ui.px(6));
  int nearest = reach * reach + 1;
  for (int dy = -reach; dy <= reach; ++dy)
    for (int dx = -reach; dx <= reach; ++dx) {
      if (dx * dx + dy * dy >= nearest) continue;
      const double x = plane.cell_x(mouse.x + static_cast<float>(dx)),
                   y = plane.cell_y(mouse.y + static_cast<float>(dy));
      if (!plane.holds(x, y)) continue;
      const Cell cell{static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y), 0};
      if (!threads->member(cell)) continue;
      nearest = dx * dx + dy * dy;
      hovered.at = cell;
    }
}

/// Whether the mouse looks, or draws cells.
bool looks(const PanelContext& panel, const Pane& pane, const Picture& picture) {
  const bool editable = picture.info().space == Selection::cell &&
                        panel.simulation->track(pane.track).facet<Editable>() &&
                        !(morph_of(panel, picture) < 1);  // cells that are not seen where they are cannot be meant
  const bool drawable = picture.info().draws && panel.model.scene().facet<DrawnInput>();
  return panel.model.tool == Model::Tool::look || !(editable || drawable);
}

}  // namespace

PictureRequest plane_request(const PanelContext& panel, const Pane& pane, const Picture& picture, const Plane& plane) {
  PictureRequest request = request_for(panel, pane, picture, plane.pixels_x() >= 1);
  request.camera = plane.camera;
  request.target.width = static_cast<int>(std::lround(plane.area.width()));
  request.target.height = static_cast<int>(std::lround(plane.area.height()));
  return request;
}

std::string caption_of(const Picture& picture, const PictureRequest& request) {
  const auto* scaled = dynamic_cast<const ScaledPicture*>(&picture);
  const std::string scale = scaled ? scaled->scale(request) : std::string();
  return picture.caption() + (scale.empty() ? "" : ", ") + scale;
}

Plane plane_of(const PanelContext& panel, const Pane& pane, const Picture& picture) {
  const auto& views = pane.side ? panel.model.view.grid : panel.model.view.data;
  Placing at = pane.alone ? Placing{pane.area, {}} : placing(panel.ui, pane.area, pane.side, key_below(picture));
  // Three lines of words stand below what flows, and nothing of them over the legend, which a narrow pane has not: in a
  // low pane they need more room than a ninth of the picture.
  if (picture.info().flows && !pane.alone && !at.low && pane.area.width() >= panel.ui.px(240))
    at.inner.max.y -= std::max(0.f, panel.ui.px(36) - .107f * (at.inner.height() - 2 * at.margin.y)) / .893f;
  if (picture.info().fills && has_axis(picture) && !pane.alone && !at.low)
    at.margin = {panel.ui.px(30), panel.ui.px(pane.side ? 24.f : 54.f)};  // axis and legend
  const auto extent = sides_of(panel, picture);
  double most_area = HUGE_VAL;
  if (pane.side && !pane.alone && panel.model.view.one_scale)
    for (std::size_t i = 0; i < panel.simulation->size(); ++i) {
      const Picture* other = side_picture(panel, i);
      if (!other || other->info().shape != PictureInfo::Shape::plane || other->info().key != picture.info().key ||
          picture.info().fills)
        continue;  // slots are no threads
      const auto sides = other->extent(looking_at(panel, *other));
      // Each in its own pane: they need not be of one size.
      const ui::Rectangle& area = panel.state.side_areas[i];
      const Placing there = placing(panel.ui, area.empty() ? pane.area : area, true, key_below(*other));
      most_area =
          std::min(most_area, Plane::fitted_area(there.inner, sides[0], sides[1], other->info().tall, there.margin));
    }
  return {at.inner, views[pane.track], extent[0], extent[1], tallness(picture, at, extent), at.margin, most_area};
}

void plane_mouse(PanelContext& panel, const Pane& pane, Picture& picture) {
  auto& ui = panel.ui;
  auto& model = panel.model;
  auto& views = pane.side ? model.view.grid : model.view.data;
  PlaneView& view = views[pane.track];
  const auto move_all = [&] {
    if (model.view.linked) views.fill(PlaneView(view));
  };
  Plane plane = plane_of(panel, pane, picture);
  const auto [hovered, active] = mouse_area(panel, pane.side ? "grid" : "picture", pane.area);
  pick_by_keys(panel, pane, picture);
  const bool looking = looks(panel, pane, picture);
  const bool dragging = active && (looking || ImGui::GetIO().KeyCtrl) && ImGui::IsMouseDragging(0, ui.px(3));
  if (navigate(view, plane, hovered, dragging)) {
    move_all();
    plane = plane_of(panel, pane, picture);
  }
  if (hovered) {
    if (ImGui::IsMouseClicked(0)) model.activate(pane.track);
    const ImVec2 mouse = mouse_place();
    const PictureRequest request = plane_request(panel, pane, picture, plane);
    hover(panel, pane, picture, request, mouse.x - plane.area.min.x, mouse.y - plane.area.min.y);
    snap(panel, pane, plane);
    if (looking && ImGui::IsMouseReleased(0) && !was_dragged(ui)) model.picked = model.hover;
    if (looking && ImGui::IsMouseDoubleClicked(0)) {
      view = {};
      move_all();
    }
  }
  const int here = static_cast<int>(pane.track) + (pane.side ? 4 : 0);
  if (looking && panel.state.dragged_plane == here) {
    // The tool was put away in the middle of a stroke: it is given up.
    panel.state.dragged_plane = -1;
    panel.state.drawn.clear();
    panel.state.drawn_line.clear();
  }
  if (!looking && (active || panel.state.dragged_plane == here)) {
    panel.state.dragged_plane = active ? here : -1;
    const bool painting = active && !ImGui::GetIO().KeyCtrl;
    if (picture.info().draws)
      draw_input(panel, plane, picture, plane_request(panel, pane, picture, plane), painting);
    else
      paint_cells(panel, plane, pane.track, painting);
  }
}

void plane_drawing(PanelContext& panel, const Pane& pane, Picture& picture) {
  auto& ui = panel.ui;
  const auto& model = panel.model;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const Plane plane = plane_of(panel, pane, picture);
  const PictureRequest request = plane_request(panel, pane, picture, plane);
  if (panel.wants) {
    panel.wants->push_back({pane.track, pane.picture, viewport_of(plane.area), request});
    panel.wants->back().request.target = {};  // the painter's
  }
  const Placing at = placing(ui, pane.area, pane.side, key_below(picture));
  float legend_right = pane.area.min.x;
  if (!at.low && !pane.alone) {
    ui::Rectangle room = pane.area;
    if (pane.side && !key_below(picture)) room.max.x = std::min(room.max.x, plane.screen(0, 0).x);
    legend_right = legend(panel, list, room, request, picture, pane.track);
    legend_right = legend_kinds(panel, list, room, request, picture, pane.track, legend_right);
  }
  list->PushClipRect(plane.area.min, plane.area.max, true);
  const double morph = morph_of(panel, picture);
  if (!(morph < 1)) draw_numbers(panel, list, plane, pane, picture);
  draw_threads(panel, list, plane, pane, picture);
  list->PushClipRect(plane.area.min, {plane.area.max.x, pane.area.max.y});
  draw_labels(panel, list, plane, picture, request);
  list->PopClipRect();
  if (!pane.alone) {
    draw_pulse(panel, list, plane, picture);
    if (panel.state.dragged_plane == static_cast<int>(pane.track) + (pane.side ? 4 : 0)) draw_stroke(panel, list);
    overview(panel, list, plane, plane.pixels_y() / plane.pixels_x(), legend_right);
  }
  draw_marks(panel, list, plane, picture, pane.track);
  list->PopClipRect();
  if (pane.alone) return;

  std::vector<std::string> words;
  if (pane.side) words = slow_launch_words(panel, pane.track);
  if (words.empty()) words = {morph < 1 ? on_their_way(morph) : caption_of(picture, request)};
  if (picture.info().morphs && model.view.solid.morph < 1 && !(morph < 1)) {
    const auto* counting = panel.simulation->track(pane.track).facet<Counted>();
    words = {"too many blocks to be shown in flight", "too many blocks to fly"};
    if (counting && !counting->counts()) words = {"counting \u2026"};
  }
  if (!looks(panel, pane, picture))
    words = {picture.info().draws              ? "draw over the input's bars"
             : model.tool == Model::Tool::draw ? "painting"
                                               : "erasing"};
  const double sampled = panel.painter ? panel.painter->sampled(pane.track, pane.picture) : 1;
  if (sampled > 1.5) words = {fmt::format("SAMPLED 1:{:.0f}", sampled)};
  if (pane.side) list->AddRectFilled(pane.area.min, {pane.area.max.x, plane.area.min.y}, ui.theme->ground);
  title(panel, list, pane, picture, words);
}

}  // namespace warploom
