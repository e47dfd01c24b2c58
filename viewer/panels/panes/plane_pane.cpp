#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gpu/tracks/facets/editable.h"
#include "gpu/tracks/facets/threads.h"
#include "viewer/panels/panes/marks.h"
#include "viewer/panels/panes/plane.h"

namespace warploom {

namespace {

/// An outline that stays visible on any ground: light on dark.
void outline(PanelContext& panel, ImDrawList* list, ImVec2 min, ImVec2 max, float thickness) {
  const auto& ui = panel.ui;
  const float least = ui.px(5);
  if (max.x - min.x < least) min.x = (min.x + max.x - least) / 2, max.x = min.x + least;
  if (max.y - min.y < least) min.y = (min.y + max.y - least) / 2, max.y = min.y + least;
  const float out = thickness;
  list->AddRect({min.x - out, min.y - out}, {max.x + out, max.y + out}, ui.theme->ground, 0, 0, thickness + ui.px(3));
  list->AddRect({min.x - out, min.y - out}, {max.x + out, max.y + out}, ui.theme->selection, 0, 0, thickness);
}

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
  const std::uint8_t value = panel.model.tool == Model::Tool::draw;
  panel.model.runner().change(
      [cells = std::move(cells), value](Queue& queue, Simulation& tracks) { tracks.write_cells(queue, cells, value); },
      "painted");
}

/// The numbers themselves, once places are large enough to hold them: the values, and of cells from 64 pixels on the
/// owner's thread.
void draw_numbers(PanelContext& panel, ImDrawList* list, const Plane& plane, Picture& picture,
                  std::size_t track_index) {
  auto& ui = panel.ui;
  if (plane.pixels_x() < ui.px(16) || plane.pixels_y() < ui.px(14) || !panel.questions) return;
  Track& track = panel.simulation->track(track_index);
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
  const Palette palette = palette_of(panel, track_index);
  for (std::uint32_t y = 0; y < size.y; ++y)
    for (std::uint32_t x = 0; x < size.x; ++x) {
      const float value = values[std::size_t{y} * size.x + x];
      if (std::isnan(value)) continue;
      const ImVec2 min = plane.screen(low.x + x, low.y + y), max = plane.screen(low.x + x + 1, low.y + y + 1);
      // Dark words on light cells, light ones on dark: by the contrast itself.
      const ImU32 cell = palette.at(picture.shade(value)), dark = 0xff14110e, light = 0xffffffff;
      const ImU32 colour = ui::contrast(cell, dark) > ui::contrast(cell, light) ? dark : light;
      const float middle = owners ? (min.y + max.y) / 2 : max.y;
      const std::string number = value == std::floor(value) && std::abs(value) < 1000 ? fmt::format("{:.0f}", value)
                                                                                      : fmt::format("{:.2g}", value);
      if (ui::text_width(ui.fonts->mono, number) < max.x - min.x)
        ui::draw_text(list, ui.fonts->mono, colour, min, {max.x, middle}, number, ui::Align::centre);
      Owner who;
      if (owners && threads->owner({low.x + x, low.y + y, 0}, who))
        ui::draw_text(list, ui.fonts->mono, ui::fade(colour, .75f), {min.x, middle}, max,
                      fmt::format("{},{}", who.thread.x, who.thread.y), ui::Align::centre);
    }
}

/// A word beside an outline, to its left where its right has no room.
void say(PanelContext& panel, ImDrawList* list, const Plane& plane, ImVec2 min, ImVec2 max, const std::string& word) {
  auto& ui = panel.ui;
  const float width = ui::text_width(ui.fonts->body, word);
  ImVec2 at{max.x + ui.px(6), max.y + ui.px(2)};
  if (at.x + width + ui.px(16) > plane.area.max.x) at.x = min.x - width - ui.px(18);
  list->AddRectFilled(at, {at.x + width + ui.px(12), at.y + ui.px(20)}, ui::fade(ui.theme->raised, .95f), ui.px(3));
  ui::draw_text(list, ui.fonts->body, ui.theme->text, {at.x + ui.px(6), at.y},
                {at.x + width + ui.px(12), at.y + ui.px(20)}, word);
}

void draw_marks(PanelContext& panel, ImDrawList* list, const Plane& plane, const Picture& picture,
                std::size_t track_index) {
  auto& ui = panel.ui;
  for (const Outline& mark : picture.marks(panel.model.selected_in(track_index, panel.model.selection()))) {
    if (plane.pixels_x() < mark.least_pixels) continue;
    const ImVec2 min = plane.screen(mark.low[0], mark.low[1]);
    ImVec2 max = plane.screen(mark.high[0], mark.high[1]);
    if (mark.kind == Outline::Kind::waste) {
      max = {std::max(max.x, min.x + ui.px(7)), std::max(max.y, min.y + ui.px(7))};
      ui::hatch(list, min, max, ui.theme->selection, ui.px(4));
      list->AddRect(min, max, ui.theme->selection);
    } else {
      outline(panel, list, min, max, ui.px(mark.kind == Outline::Kind::block ? 1.5f : 1));
    }
    if (!mark.word.empty()) say(panel, list, plane, min, max, mark.word);
  }
}

/// How a plane lies in its pane: below a strip with its title, or under it.
struct Placing {
  ui::Rectangle inner;
  ImVec2 margin;
};

Placing placing(const ui::UiContext& ui, const ui::Rectangle& area, bool side) {
  Placing at{area, side ? ImVec2{ui.px(16), ui.px(14)} : ImVec2{ui.px(24), ui.px(38)}};
  if (side) at.inner.min.y += ui.px(30);
  return at;
}

}  // namespace

void plane_pane(PanelContext& panel, const Pane& pane, Picture& picture) {
  auto& ui = panel.ui;
  auto& model = panel.model;
  ImDrawList* list = ImGui::GetWindowDrawList();
  Track& track = panel.simulation->track(pane.track);
  auto& views = pane.side ? model.view.grid : model.view.data;
  PlaneView& view = views[pane.track];
  const auto move_all = [&] {
    if (model.view.linked) views.fill(PlaneView(view));
  };
  const Placing at = placing(ui, pane.area, pane.side);
  const auto extent = picture.extent();
  const auto make = [&] { return Plane(at.inner, view, extent[0], extent[1], picture.info().tall, at.margin); };
  Plane plane = make();

  const auto [hovered, active] = mouse_area(panel, pane.side ? "grid" : "picture", pane.area);
  const bool editable = picture.info().space == Selection::cell && track.facet<Editable>();
  const bool looking = model.tool == Model::Tool::look || !editable;
  const bool dragging = active && (looking || ImGui::GetIO().KeyCtrl) && ImGui::IsMouseDragging(0, ui.px(3));
  if (navigate(view, plane, hovered, dragging)) {
    move_all();
    plane = make();
  }
  const gl::Viewport place = viewport_of(at.inner);
  PictureRequest request = request_for(panel, pane, picture);
  request.camera = plane.camera;
  if (panel.wants) panel.wants->push_back({pane.track, pane.picture, place, request});
  if (hovered) {
    if (ImGui::IsMouseClicked(0) && !pane.side) model.active_track = pane.track;
    const ImVec2 mouse = mouse_place();
    // In points, as its camera is.
    request.target.width = static_cast<int>(std::lround(at.inner.width()));
    request.target.height = static_cast<int>(std::lround(at.inner.height()));
    hover(panel, pane, picture, request, mouse.x - at.inner.min.x, mouse.y - at.inner.min.y);
    if (looking && ImGui::IsMouseReleased(0) && !was_dragged(ui)) model.picked = model.hover;
    if (looking && ImGui::IsMouseDoubleClicked(0)) {
      view = {};
      move_all();
    }
  }
  const int here = static_cast<int>(pane.track) + (pane.side ? 4 : 0);
  if (!looking && (active || panel.state.dragged_plane == here)) {
    panel.state.dragged_plane = active ? here : -1;
    paint_cells(panel, plane, pane.track, active && !ImGui::GetIO().KeyCtrl);
  }

  list->PushClipRect(at.inner.min, at.inner.max, true);
  draw_numbers(panel, list, plane, picture, pane.track);
  draw_marks(panel, list, plane, picture, pane.track);
  list->PopClipRect();

  std::string words = picture.caption();
  if (!looking) words = model.tool == Model::Tool::draw ? "painting" : "erasing";
  const double sampled = panel.painter ? panel.painter->sampled(pane.track, pane.picture) : 1;
  if (sampled > 1.5) words = fmt::format("SAMPLED 1:{:.0f}", sampled);
  if (pane.side) list->AddRectFilled(pane.area.min, {pane.area.max.x, at.inner.min.y}, ui.theme->ground);
  title(panel, list, pane, picture, words);
}

}  // namespace warploom
