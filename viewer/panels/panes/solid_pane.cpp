#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "viewer/panels/panes/marks.h"
#include "viewer/panels/panes/orbit.h"

namespace warploom {

namespace {

using Extent = std::array<double, 3>;

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

void draw_marks(PanelContext& panel, ImDrawList* list, const Orbit& orbit, const Extent& extent, const Picture& picture,
                std::size_t track) {
  for (const Outline& mark : picture.marks(panel.model.selected_in(track, panel.model.selection()))) {
    if (mark.kind == Outline::Kind::block)
      marked_box(panel, list, orbit, extent, mark.low, mark.high);
    else
      wire_box(list, orbit, extent, mark.low, mark.high,
               mark.kind == Outline::Kind::place ? panel.ui.theme->selection : panel.ui.theme->warning, panel.ui.px(1));
  }
}

/// Where the mouse is in a picture, in its pixels.
ImVec2 pixel_under_mouse(const ui::Rectangle& area) {
  const ImVec2 scale = ImGui::GetIO().DisplayFramebufferScale, mouse = ImGui::GetIO().MousePos;
  const auto by = [](float value) { return value > 0 ? value : 1; };
  return {std::floor((mouse.x - area.min.x) * by(scale.x)), std::floor((mouse.y - area.min.y) * by(scale.y))};
}

}  // namespace

void solid_pane(PanelContext& panel, const Pane& pane, Picture& picture) {
  auto& ui = panel.ui;
  auto& model = panel.model;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const PictureInfo& info = picture.info();
  OrbitView& view = (pane.side ? model.view.orbit_grid : model.view.orbit_data)[pane.track];
  const SolidSettings& settings = model.view.solid;
  const double morph = info.morphs ? settings.morph : 1;
  const Extent extent = picture.extent(morph);
  Orbit orbit(pane.area, view, extent, info.z_up);

  const auto [hovered, active] = mouse_area(panel, pane.side ? "grid" : "picture", pane.area);
  const bool shift = ImGui::GetIO().KeyShift;
  const bool moving = hovered && ImGui::IsMouseDragging(1, ui.px(3));
  const bool dragging = active && ImGui::IsMouseDragging(0, ui.px(3));
  if (navigate(view, orbit, hovered, dragging, moving || (dragging && shift))) {
    if (model.view.linked) {
      const OrbitView now = view;
      model.view.orbit_data.fill(now);
      model.view.orbit_grid.fill(now);
    }
    orbit = Orbit(pane.area, view, extent, info.z_up);
  }
  const gl::Viewport place = viewport_of(pane.area);
  const ImVec2 scale = ImGui::GetIO().DisplayFramebufferScale;
  PictureRequest request = request_for(panel, pane, picture);
  request.solid.camera = orbit.for_pixels(scale.x > 0 ? scale.x : 1);
  request.solid.fill = static_cast<float>(1 / settings.explode);
  request.solid.slice_axis = info.sliced ? settings.slice_axis : -1;
  request.solid.slice = settings.slice;
  request.solid.morph = morph;
  request.solid.waste = settings.waste;
  if (panel.wants) panel.wants->push_back({pane.track, pane.picture, place, request});

  // Not while the button is down: a solid that turns is not asked what lies under the mouse.
  if (hovered && !ImGui::IsMouseDown(0)) {
    request.target.width = place.width;
    request.target.height = place.height;
    const ImVec2 at = pixel_under_mouse(pane.area);
    hover(panel, pane, picture, request, at.x, at.y);
  }
  if (hovered) {
    if (ImGui::IsMouseClicked(0)) model.active_track = pane.track;
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
  list->PushClipRect(pane.area.min, pane.area.max, true);
  if (morph >= 1) {
    if (info.framed) wire_box(list, orbit, extent, {0, 0, 0}, extent, ui::fade(ui.theme->quiet, .35f), ui.px(1));
    axes(panel, list, orbit, extent);
    draw_marks(panel, list, orbit, extent, picture, pane.track);
  }
  list->PopClipRect();
  title(panel, list, pane, picture,
        morph < 1 ? fmt::format("{:.0f} % of the way to their cells", 100 * morph) : picture.caption());
}

}  // namespace warploom
