#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "gpu/tracks/facets/counted.h"
#include "gpu/tracks/facets/threads.h"
#include "viewer/panels/panes/marks.h"
#include "viewer/panels/panes/orbit.h"

namespace warploom {

namespace {

using Extent = std::array<double, 3>;

Extent real(Index3 extent) { return {double(extent.x), double(extent.y), double(extent.z)}; }

/// Blocks of the data space along its sides.
Extent data_blocks(const Track& track) {
  const Index3 cells = track.extent(), block = track.board_block();
  const auto blocks = [](std::uint32_t n, std::uint32_t rho) { return double((n + rho - 1) / rho); };
  return {blocks(cells.x, block.x), blocks(cells.y, block.y), blocks(cells.z, block.z)};
}

/// The twelve edges of a box around the solid's middle: coordinates in blocks, from the lattice's corner.
void wire_box(ImDrawList* list, const Orbit& orbit, const Extent& extent, const Extent& low, const Extent& high,
              ImU32 colour, float thickness) {
  const auto corner = [&](int i) {
    return orbit.screen((i & 1 ? high : low)[0] - extent[0] / 2, (i & 2 ? high : low)[1] - extent[1] / 2,
                        (i & 4 ? high : low)[2] - extent[2] / 2);
  };
  for (int i = 0; i < 8; ++i)
    for (int axis = 0; axis < 3; ++axis) {
      if (i >> axis & 1) continue;
      const auto from = corner(i), to = corner(i | 1 << axis);
      if (from && to) list->AddLine(*from, *to, colour, thickness);
    }
}

/// Names of the axes at the ends of the three edges that leave the origin.
void axes(PanelContext& panel, ImDrawList* list, const Orbit& orbit, const Extent& extent) {
  constexpr const char* names[] = {"x", "y", "z"};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    Extent end{0, 0, 0};
    end[axis] = extent[axis] + orbit.size * .03;
    const auto from = orbit.screen(-extent[0] / 2, -extent[1] / 2, -extent[2] / 2),
               to = orbit.screen(end[0] - extent[0] / 2, end[1] - extent[1] / 2, end[2] - extent[2] / 2);
    if (!from || !to) continue;
    list->AddLine(*from, *to, ui::fade(panel.ui.theme->quiet, .4f), panel.ui.px(1));
    const ImVec2 half{panel.ui.px(10), panel.ui.px(10)};
    ui::draw_text(list, panel.ui.fonts->mono, panel.ui.theme->quiet, {to->x - half.x, to->y - half.y},
                  {to->x + half.x, to->y + half.y}, names[axis], ui::Align::centre);
  }
}

/// A box that stays visible on any ground.
void marked_box(PanelContext& panel, ImDrawList* list, const Orbit& orbit, const Extent& extent, const Extent& low,
                const Extent& high) {
  wire_box(list, orbit, extent, low, high, ui::fade(panel.ui.theme->ground, .9f), panel.ui.px(4));
  wire_box(list, orbit, extent, low, high, panel.ui.theme->selection, panel.ui.px(1.6f));
}

void draw_selection(PanelContext& panel, ImDrawList* list, const Orbit& orbit, const Extent& extent, const Track& track,
                    std::size_t track_index, bool board) {
  const Selection& selection = panel.model.selection();
  if (selection.space == Selection::Space::none) return;
  const auto who = panel.model.owner_in(track_index, selection);
  const Extent rho = real(track.board_block());
  if (board) {
    if (!who) return;
    const Extent at = real(track.board_place(*who));
    marked_box(panel, list, orbit, extent, at, {at[0] + 1, at[1] + 1, at[2] + 1});
    return;
  }
  if (who)
    if (const auto box = track.need<Threads>().footprint(*who)) {
      const Extent low = real(box->first), high = real(box->second);
      marked_box(panel, list, orbit, extent, {low[0] / rho[0], low[1] / rho[1], low[2] / rho[2]},
                 {high[0] / rho[0], high[1] / rho[1], high[2] / rho[2]});
    }
  const auto target = panel.model.target_of(selection);
  if (!target || selection.space == Selection::Space::block) return;
  const Extent cell = real(target->cell);
  const Extent low{cell[0] / rho[0], cell[1] / rho[1], cell[2] / rho[2]};
  wire_box(list, orbit, extent, low, {low[0] + 1 / rho[0], low[1] + 1 / rho[1], low[2] + 1 / rho[2]},
           target->useful ? panel.ui.theme->selection : panel.ui.theme->warning, panel.ui.px(1));
}

void hover(PanelContext& panel, const PictureRequest& request, Track& track, std::size_t track_index, bool board,
           const ui::Rectangle& area) {
  const ImVec2 scale = ImGui::GetIO().DisplayFramebufferScale, mouse = ImGui::GetIO().MousePos;
  const auto by = [](float value) { return value > 0 ? value : 1; };
  const float x = std::floor((mouse.x - area.min.x) * by(scale.x)),
              y = std::floor((mouse.y - area.min.y) * by(scale.y));
  const auto picked = track.pick(*panel.questions, request, board, x, y);
  if (!picked) return;
  Selection& hover = panel.model.hover;
  if (picked->on_board) {
    hover.space = Selection::Space::thread;
    hover.track = track_index;
    hover.owner = picked->owner;
  } else {
    hover.space = Selection::Space::cell;
    hover.cell = picked->cell;
  }
}

std::string title_of(const Track& track) {
  const auto launches = track.launches();
  const Index3 grid = launches[0].blocks, block = track.board_block();
  if (launches.size() > 1) return fmt::format("{} launches, blocks of {}\u00b3", launches.size(), block.x);
  return fmt::format("{} \u00d7 {} \u00d7 {} blocks of {}\u00b3", grouped(grid.x), grouped(grid.y), grouped(grid.z),
                     block.x);
}

}  // namespace

void solid_pane(PanelContext& panel, std::size_t track_index, const ui::Rectangle& area, bool board) {
  auto& ui = panel.ui;
  auto& model = panel.model;
  ImDrawList* list = ImGui::GetWindowDrawList();
  Track& track = panel.simulation->track(track_index);
  auto& views = board ? model.view.orbit_grid : model.view.orbit_data;
  OrbitView& view = views[track_index];
  const SolidSettings& settings = model.view.solid;
  const Extent blocks = data_blocks(track), launched = real(track.board());
  Extent extent = board ? launched : blocks;
  // On the way from the launch box the camera keeps both in view.
  const double morph = board ? 1 : settings.morph;
  for (std::size_t a = 0; a < 3; ++a) extent[a] += (launched[a] - extent[a]) * (1 - morph);
  Orbit orbit(area, view, extent, track.z_up());

  const auto [hovered, active] = mouse_area(panel, board ? "grid" : "picture", area);
  const bool shift = ImGui::GetIO().KeyShift;
  const bool moving = hovered && ImGui::IsMouseDragging(1, ui.px(3));
  const bool dragging = active && ImGui::IsMouseDragging(0, ui.px(3));
  if (navigate(view, orbit, hovered, dragging, moving || (dragging && shift))) {
    if (model.view.linked) {
      const OrbitView now = view;
      model.view.orbit_data.fill(now);
      model.view.orbit_grid.fill(now);
    }
    orbit = Orbit(area, view, extent, track.z_up());
  }
  const gl::Viewport place = viewport_of(area);
  const ImVec2 scale = ImGui::GetIO().DisplayFramebufferScale;
  Want want{track_index, board, place, {}, palette_of(panel, track_index), model.view.colour_by, true, {}};
  want.solid.camera = orbit.for_pixels(scale.x > 0 ? scale.x : 1);
  want.solid.fill = static_cast<float>(1 / settings.explode);
  want.solid.slice_axis = board ? -1 : settings.slice_axis;
  want.solid.slice = settings.slice;
  want.solid.morph = morph;
  want.solid.waste = settings.waste;
  if (panel.wants) panel.wants->push_back(want);

  // Not while the button is down: a solid that turns is not asked what lies under the mouse.
  if (hovered && panel.questions && !ImGui::IsMouseDown(0)) {
    const PictureRequest request{{}, {0, nullptr, place.width, place.height}, {}, want.colour_by, 0, want.solid};
    hover(panel, request, track, track_index, board, area);
  }
  if (hovered) {
    if (ImGui::IsMouseClicked(0)) model.active_track = track_index;
    if (ImGui::IsMouseReleased(0) && !was_dragged(ui) && panel.questions) model.picked = model.hover;
    if (ImGui::IsMouseDoubleClicked(0)) {
      if (model.view.linked) {
        model.view.orbit_data.fill({});
        model.view.orbit_grid.fill({});
      } else {
        view = {};
      }
    }
  }
  list->PushClipRect(area.min, area.max, true);
  if (board || morph >= 1) {
    if (board) wire_box(list, orbit, extent, {0, 0, 0}, extent, ui::fade(ui.theme->quiet, .35f), ui.px(1));
    axes(panel, list, orbit, extent);
    draw_selection(panel, list, orbit, extent, track, track_index, board);
  }
  list->PopClipRect();

  const auto counts = counts_of(track);
  const std::string title = board ? title_of(track) : track_letter(track_index) + "  " + track.info().title;
  std::string words;
  if (board)
    words = !counts         ? "counting \u2026"
            : counts->wrong ? fmt::format("{} blocks astray", short_count(counts->wrong))
                            : fmt::format("{} of {} idle", short_count(counts->blocks - counts->blocks_useful),
                                          short_count(counts->blocks));
  else if (morph < 1)
    words = fmt::format("{:.0f} % of the way to their cells", 100 * morph);
  else
    words = fmt::format("data space, n = {}", grouped(track.extent().x));
  tag(panel, list, {area.min.x + ui.px(12), area.min.y + ui.px(8)}, title, track_index, area.width() - ui.px(24));
  note(panel, list, area, words, area.min.x + ui.px(40) + ui::text_width(ui.fonts->body, title));
}

}  // namespace warploom
