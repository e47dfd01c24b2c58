#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gpu/tracks/facets/counted.h"
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

/// The numbers themselves, once cells are large enough to hold them: the state, and from 56 pixels on the owner's
/// thread.
void draw_numbers(PanelContext& panel, ImDrawList* list, const Plane& plane, std::size_t track_index) {
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
  if (high.x <= low.x || high.y <= low.y || std::uint64_t{high.x - low.x} * (high.y - low.y) > 128 * 128) return;
  const Index3 size{high.x - low.x, high.y - low.y, 1};
  const auto values = track.window(*panel.questions, low, size);
  const auto* threads = track.facet<Threads>();
  const bool owners = threads && plane.pixels_x() >= ui.px(64) && plane.pixels_y() >= ui.px(40);
  const Palette palette = palette_of(panel, track_index);
  for (std::uint32_t y = 0; y < size.y; ++y)
    for (std::uint32_t x = 0; x < size.x; ++x) {
      const float value = values[std::size_t{y} * size.x + x];
      if (std::isnan(value)) continue;
      const ImVec2 min = plane.screen(low.x + x, low.y + y), max = plane.screen(low.x + x + 1, low.y + y + 1);
      // Dark words on light cells, light ones on dark: by the contrast itself.
      const ImU32 cell = palette.at(track.shade(value)), dark = 0xff14110e, light = 0xffffffff;
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

void draw_selection(PanelContext& panel, ImDrawList* list, const Plane& plane, std::size_t track_index) {
  const Selection& selection = panel.model.selection();
  if (selection.space == Selection::Space::none) return;
  const Track& track = panel.simulation->track(track_index);
  const auto who = panel.model.owner_in(track_index, selection);
  if (who)
    if (const auto box = track.need<Threads>().footprint(*who))
      outline(panel, list, plane.screen(box->first.x, box->first.y), plane.screen(box->second.x, box->second.y),
              panel.ui.px(1.5f));
  const auto target = panel.model.target_of(selection);
  if (!target || selection.space == Selection::Space::block) return;
  const ImVec2 min = plane.screen(target->cell.x, target->cell.y),
               max = plane.screen(target->cell.x + 1., target->cell.y + 1.);
  if (target->useful) {
    outline(panel, list, min, max, panel.ui.px(1));
    return;
  }
  // The empty place a wasted thread maps to: hatched, with a word.
  const ImVec2 least{std::max(max.x, min.x + panel.ui.px(7)), std::max(max.y, min.y + panel.ui.px(7))};
  ui::hatch(list, min, least, panel.ui.theme->selection, panel.ui.px(4));
  list->AddRect(min, least, panel.ui.theme->selection);
  const std::string word = selection.space == Selection::Space::cell ? "empty: nobody's cell" : "waste: no cell here";
  // Only where it was asked: another track's threads do not know of it.
  if (selection.space != Selection::Space::cell && selection.track != track_index) return;
  const float width = ui::text_width(panel.ui.fonts->body, word);
  ImVec2 at{least.x + panel.ui.px(6), least.y + panel.ui.px(2)};
  if (at.x + width + panel.ui.px(16) > plane.area.max.x) at.x = min.x - width - panel.ui.px(18);
  list->AddRectFilled(at, {at.x + width + panel.ui.px(12), at.y + panel.ui.px(20)},
                      ui::fade(panel.ui.theme->raised, .95f), panel.ui.px(3));
  ui::draw_text(list, panel.ui.fonts->body, panel.ui.theme->text, {at.x + panel.ui.px(6), at.y},
                {at.x + width + panel.ui.px(12), at.y + panel.ui.px(20)}, word);
}

void move_planes(PanelContext& panel, std::array<PlaneView, 4>& planes, std::size_t track) {
  if (panel.model.view.linked) planes.fill(PlaneView(planes[track]));
}

}  // namespace

void data_pane(PanelContext& panel, std::size_t track_index, const ui::Rectangle& area) {
  auto& ui = panel.ui;
  const std::string name = "data " + track_letter(track_index);
  const ui::Scope scope(ui, "data_" + track_letter(track_index));
  begin_panel(panel, name.c_str(), area, 0, 0, 0);
  ImDrawList* list = ImGui::GetWindowDrawList();
  if (!panel.simulation) {
    const std::string error = panel.model.runner().error();
    ui::draw_text(list, ui.fonts->body, ui.theme->quiet, area.min, area.max,
                  error.empty() ? "building the tracks \u2026" : "nothing to show yet", ui::Align::centre);
    ImGui::End();
    return;
  }
  const Track& track = panel.simulation->track(track_index);
  if (track.solid()) {
    solid_pane(panel, track_index, area, false);
    ImGui::End();
    return;
  }
  auto& view = panel.model.view.data[track_index];
  const Index3 extent = track.extent();
  const double cell_height = panel.model.scene().cell_height();
  const ImVec2 margin{ui.px(24), ui.px(38)};
  Plane plane(area, view, extent.x, extent.y, cell_height, margin);

  const auto [hovered, active] = mouse_area(panel, "picture", area);
  const bool looking = panel.model.tool == Model::Tool::look || !track.facet<Editable>();
  const bool dragging = active && (looking || ImGui::GetIO().KeyCtrl) && ImGui::IsMouseDragging(0, ui.px(3));
  if (navigate(view, plane, hovered, dragging)) {
    move_planes(panel, panel.model.view.data, track_index);
    plane = Plane(area, view, extent.x, extent.y, cell_height, margin);
  }
  if (hovered) {
    panel.model.active_track = ImGui::IsMouseClicked(0) ? track_index : panel.model.active_track;
    const ImVec2 mouse = mouse_place();
    const double x = plane.cell_x(mouse.x), y = plane.cell_y(mouse.y);
    if (plane.holds(x, y)) {
      panel.model.hover.space = Selection::Space::cell;
      panel.model.hover.cell = {static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y), 0};
    }
    if (looking && ImGui::IsMouseReleased(0) && !was_dragged(ui)) panel.model.picked = panel.model.hover;
    if (looking && ImGui::IsMouseDoubleClicked(0)) {
      view = {};
      move_planes(panel, panel.model.view.data, track_index);
    }
  }
  if (!looking && (active || (panel.state.dragged_plane == int(track_index)))) {
    panel.state.dragged_plane = active ? int(track_index) : -1;
    paint_cells(panel, plane, track_index, active && !ImGui::GetIO().KeyCtrl);
  }

  if (panel.wants)
    panel.wants->push_back({track_index, false, viewport_of(area), plane.camera, palette_of(panel, track_index),
                            panel.model.view.colour_by});
  list->PushClipRect(area.min, area.max, true);
  draw_numbers(panel, list, plane, track_index);
  draw_selection(panel, list, plane, track_index);
  list->PopClipRect();

  const std::string title = track_letter(track_index) + "  " + track.info().title;
  const float room = area.width() - ui.px(24);
  tag(panel, list, {area.min.x + ui.px(12), area.min.y + ui.px(8)}, title, track_index, room);
  const float used = area.min.x + ui.px(40) + ui::text_width(ui.fonts->body, title);
  const double sampled = panel.painter ? panel.painter->sampled(track_index) : 1;
  std::string words = fmt::format("data space {} \u00d7 {}", grouped(extent.x), grouped(extent.y));
  if (!looking) words = panel.model.tool == Model::Tool::draw ? "painting" : "erasing";
  if (sampled > 1.5) words = fmt::format("SAMPLED 1:{:.0f}", sampled);
  note(panel, list, area, words, used);
  ImGui::End();
}

void grid_pane(PanelContext& panel, std::size_t track_index, const ui::Rectangle& area) {
  auto& ui = panel.ui;
  const std::string name = "grid " + track_letter(track_index);
  const ui::Scope scope(ui, "grid_" + track_letter(track_index));
  begin_panel(panel, name.c_str(), area, 0, 0, 0);
  ImDrawList* list = ImGui::GetWindowDrawList();
  if (!panel.simulation) {
    ImGui::End();
    return;
  }
  const Track& track = panel.simulation->track(track_index);
  if (track.solid()) {
    solid_pane(panel, track_index, area, true);
    ImGui::End();
    return;
  }
  const auto launches = track.launches();
  const LaunchShape shape{track.board(), track.board_block()};
  auto& view = panel.model.view.grid[track_index];
  const ImVec2 margin{ui.px(16), ui.px(14)};
  // The tag stands above the grid where the pane is narrow.
  const std::string title =
      launches.size() > 1
          ? fmt::format("{} launches, blocks of {} \u00d7 {}", launches.size(), shape.threads.x, shape.threads.y)
          : fmt::format("{} \u00d7 {} blocks of {} \u00d7 {}", grouped(launches[0].blocks.x),
                        grouped(launches[0].blocks.y), shape.threads.x, shape.threads.y);
  const auto counts = counts_of(track);
  const std::string idle = counts ? fmt::format("{} of {} idle", short_count(counts->blocks - counts->blocks_useful),
                                                short_count(counts->blocks))
                                  : "counting \u2026";
  ui::Rectangle inner = area;
  inner.min.y += ui.px(30);
  const double threads_x = double(shape.blocks.x) * shape.threads.x,
               threads_y = double(shape.blocks.y) * shape.threads.y;
  // A grid of one row would be a line: nothing is drawn flatter than 6 : 1.
  const double tall = std::max(1., threads_x / threads_y / 6);
  Plane plane(inner, view, threads_x, threads_y, tall, margin);
  const auto [hovered, active] = mouse_area(panel, "grid", area);
  if (navigate(view, plane, hovered, active && ImGui::IsMouseDragging(0, ui.px(3)))) {
    move_planes(panel, panel.model.view.grid, track_index);
    plane = Plane(inner, view, threads_x, threads_y, tall, margin);
  }
  if (hovered) {
    const ImVec2 mouse = mouse_place();
    const double x = plane.cell_x(mouse.x), y = plane.cell_y(mouse.y);
    if (plane.holds(x, y)) {
      const auto tx = static_cast<std::uint64_t>(x), ty = static_cast<std::uint64_t>(y);
      const Index3 place{static_cast<std::uint32_t>(tx / shape.threads.x),
                         static_cast<std::uint32_t>(ty / shape.threads.y), 0};
      if (auto who = track.on_board(place)) {
        auto& hover = panel.model.hover;
        hover.space = Selection::Space::thread;
        hover.track = track_index;
        hover.owner = *who;
        hover.owner.thread = {static_cast<std::uint32_t>(tx % shape.threads.x),
                              static_cast<std::uint32_t>(ty % shape.threads.y), 0};
      }
    }
    if (ImGui::IsMouseReleased(0) && !was_dragged(ui)) panel.model.picked = panel.model.hover;
    if (ImGui::IsMouseDoubleClicked(0)) {
      view = {};
      move_planes(panel, panel.model.view.grid, track_index);
    }
  }
  if (panel.wants)
    panel.wants->push_back(
        {track_index, true, viewport_of(inner), plane.camera, palette_of(panel, track_index), ColourBy::state});
  list->PushClipRect(inner.min, inner.max, true);
  if (const auto who = panel.model.owner_in(track_index, panel.model.selection())) {
    const Index3 place = track.board_place(*who);
    const double x = double(place.x) * shape.threads.x, y = double(place.y) * shape.threads.y;
    outline(panel, list, plane.screen(x, y), plane.screen(x + shape.threads.x, y + shape.threads.y), ui.px(1.5f));
    if (plane.pixels_x() >= 4)
      outline(panel, list, plane.screen(x + who->thread.x, y + who->thread.y),
              plane.screen(x + who->thread.x + 1, y + who->thread.y + 1), ui.px(1));
  }
  list->PopClipRect();
  list->AddRectFilled(area.min, {area.max.x, inner.min.y}, ui.theme->ground);
  tag(panel, list, {area.min.x + ui.px(12), area.min.y + ui.px(6)}, title, track_index, area.width() - ui.px(24));
  ui::Rectangle top = area;
  top.min.y -= ui.px(2);
  note(panel, list, top, idle, area.min.x + ui.px(40) + ui::text_width(ui.fonts->body, title));
  ImGui::End();
}

}  // namespace warploom
