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
              ImU32 colour, float thickness, ui::Stroke stroke = ui::Stroke::solid) {
  const auto corner = [&](int i) {
    return orbit.screen((i & 1 ? high : low)[0] - extent[0] / 2, (i & 2 ? high : low)[1] - extent[1] / 2,
                        (i & 4 ? high : low)[2] - extent[2] / 2);
  };
  for (int i = 0; i < 8; ++i)
    for (int axis = 0; axis < 3; ++axis) {
      if (i >> axis & 1) continue;
      const auto from = corner(i), to = corner(i | 1 << axis);
      if (!from || !to) continue;
      const ImVec2 ends[] = {*from, *to};
      if (stroke == ui::Stroke::solid)
        list->AddLine(*from, *to, colour, thickness);
      else
        ui::draw_curve(list, ui::clipped(ends, orbit.area), colour, stroke, thickness, thickness);
    }
}

/// The name of an axis at a place of the screen.
void axis_name(PanelContext& panel, ImDrawList* list, ImVec2 at, std::size_t axis) {
  constexpr const char* names[] = {"x", "y", "z"};
  const float half = panel.ui.px(10);
  ui::draw_text(list, panel.ui.fonts->mono, panel.ui.theme->quiet, {at.x - half, at.y - half},
                {at.x + half, at.y + half}, names[axis], ui::Align::centre);
}

/// The three edges that leave the origin, with the axes' names at their ends.
void axes(PanelContext& panel, ImDrawList* list, const Orbit& orbit, const Extent& extent) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    Extent end{0, 0, 0};
    end[axis] = extent[axis] + orbit.size * .03;
    const auto from = orbit.screen(-extent[0] / 2, -extent[1] / 2, -extent[2] / 2),
               to = orbit.screen(end[0] - extent[0] / 2, end[1] - extent[1] / 2, end[2] - extent[2] / 2);
    if (!from || !to) continue;
    list->AddLine(*from, *to, ui::fade(panel.ui.theme->quiet, .4f), panel.ui.px(1));
    axis_name(panel, list, *to, axis);
  }
}

/// The outline of a solid's box, so that no line lies over what it holds. The axes' names stand along it, as low on
/// screen as they can.
void frame(PanelContext& panel, ImDrawList* list, const Orbit& orbit, const Extent& extent) {
  std::array<std::optional<BoxEdge>, 3> named;
  const auto height = [&](const BoxEdge& edge) {
    const auto at = orbit.screen((edge.low[0] + edge.high[0]) / 2, (edge.low[1] + edge.high[1]) / 2,
                                 (edge.low[2] + edge.high[2]) / 2);
    return at ? at->y : -HUGE_VALF;
  };
  for (const BoxEdge& edge : outline_of_box(orbit, extent)) {
    const auto from = orbit.screen(edge.low[0], edge.low[1], edge.low[2]),
               to = orbit.screen(edge.high[0], edge.high[1], edge.high[2]);
    if (from && to) list->AddLine(*from, *to, ui::fade(panel.ui.theme->quiet, .35f), panel.ui.px(1));
    auto& lowest = named[edge.axis];
    if (!lowest || height(edge) > height(*lowest)) lowest = edge;
  }
  for (const auto& edge : named) {
    if (!edge) continue;
    Extent end = edge->high;
    end[edge->axis] += orbit.size * .03;
    if (const auto at = orbit.screen(end[0], end[1], end[2])) axis_name(panel, list, *at, edge->axis);
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
  for (const Outline& mark : kept_marks_of(panel, picture, track))
    wire_box(list, orbit, extent, mark.low, mark.high, ui::fade(panel.ui.theme->selection, .5f), panel.ui.px(1),
             ui::Stroke::dashed);
  for (const Outline& mark : marks_of(panel, picture, track)) {
    if (mark.kind == Outline::Kind::block)
      marked_box(panel, list, orbit, extent, mark.low, mark.high);
    else
      wire_box(list, orbit, extent, mark.low, mark.high,
               mark.kind == Outline::Kind::place ? panel.ui.theme->selection : panel.ui.theme->warning, panel.ui.px(1));
  }
  std::vector<ui::Rectangle> notes;
  for (const auto& [mark, pin] : pins_of(panel, picture, track)) {
    const auto middle = [&, &mark = mark](std::size_t a) { return (mark.low[a] + mark.high[a] - extent[a]) / 2; };
    if (const auto at = orbit.screen(middle(0), middle(1), middle(2)))
      draw_pin(panel, list, orbit.area, *at, pin, notes);
  }
}

/// What a solid has of its pane: a corner of it may reach down to where the legend is, which keeps a strip; in a small
/// pane one may reach up to the title, too.
ui::Rectangle solid_area(const PanelContext& panel, const Pane& pane) {
  ui::Rectangle area = pane.area;
  if (!pane.alone && area.height() < panel.ui.px(200)) area.min.y += panel.ui.px(30);
  if (!pane.alone && pane.area.height() >= panel.ui.px(150)) area.max.y -= panel.ui.px(30);
  return area;
}

/// Where the mouse is in a picture, in its pixels.
ImVec2 pixel_under_mouse(const ui::Rectangle& area) {
  const ImVec2 scale = ImGui::GetIO().DisplayFramebufferScale, mouse = ImGui::GetIO().MousePos;
  const auto by = [](float value) { return value > 0 ? value : 1; };
  return {std::floor((mouse.x - area.min.x) * by(scale.x)), std::floor((mouse.y - area.min.y) * by(scale.y))};
}

OrbitView& view_of(PanelContext& panel, const Pane& pane) {
  return (pane.side ? panel.model.view.orbit_grid : panel.model.view.orbit_data)[pane.track];
}

Orbit orbit_of(PanelContext& panel, const Pane& pane, const Picture& picture) {
  double least = 0;
  if (pane.side && !pane.alone && panel.model.view.one_scale)
    for (std::size_t i = 0; i < panel.simulation->size(); ++i) {
      const Picture* other = side_picture(panel, i);
      if (!other || other->info().shape != PictureInfo::Shape::solid) continue;
      const Extent sides = other->extent(looking_at(panel, *other));
      least = std::max(least, std::hypot(sides[0], sides[1], sides[2]));
    }
  return {solid_area(panel, pane), view_of(panel, pane), picture.extent(looking_at(panel, picture)),
          picture.info().z_up, least};
}

PictureRequest solid_request(const PanelContext& panel, const Pane& pane, const Picture& picture, const Orbit& orbit) {
  const SolidSettings& settings = panel.model.view.solid;
  const float scale = ImGui::GetIO().DisplayFramebufferScale.x;
  PictureRequest request = request_for(panel, pane, picture);
  request.solid.camera = orbit.for_pixels(scale > 0 ? scale : 1);
  request.solid.fill = static_cast<float>(1 / settings.explode);
  request.solid.slice_axis = picture.info().sliced ? settings.slice_axis : -1;
  request.solid.slice = settings.slice;
  return request;
}

}  // namespace

void solid_mouse(PanelContext& panel, const Pane& pane, Picture& picture) {
  auto& ui = panel.ui;
  auto& model = panel.model;
  OrbitView& view = view_of(panel, pane);
  const auto look_from = [&](const OrbitView& now) {
    if (!model.view.linked) return void(view = now);
    model.view.orbit_data.fill(now);
    model.view.orbit_grid.fill(now);
  };
  Orbit orbit = orbit_of(panel, pane, picture);
  const auto [hovered, active] = mouse_area(panel, pane.side ? "grid" : "picture", pane.area);
  pick_by_keys(panel, pane, picture);
  const bool shift = ImGui::GetIO().KeyShift;
  const bool moving = hovered && ImGui::IsMouseDragging(1, ui.px(3));
  const bool dragging = active && ImGui::IsMouseDragging(0, ui.px(3));
  if (navigate(view, orbit, hovered, dragging, moving || (dragging && shift))) {
    look_from(OrbitView(view));
    orbit = orbit_of(panel, pane, picture);
  }
  if (!hovered) return;
  // Not while the button is down: a solid that turns is not asked what lies under the mouse.
  const float mouse_y = ImGui::GetIO().MousePos.y;
  if (!ImGui::IsMouseDown(0) && mouse_y >= orbit.area.min.y && mouse_y < orbit.area.max.y) {
    const gl::Viewport place = viewport_of(orbit.area);
    PictureRequest request = solid_request(panel, pane, picture, orbit);
    request.target.width = place.width;
    request.target.height = place.height;
    const ImVec2 at = pixel_under_mouse(orbit.area);
    hover(panel, pane, picture, request, at.x, at.y);
  }
  if (ImGui::IsMouseClicked(0)) model.activate(pane.track);
  if (ImGui::IsMouseReleased(0) && !was_dragged(ui) && panel.questions) model.picked = model.hover;
  if (ImGui::IsMouseDoubleClicked(0)) look_from({});
}

void solid_drawing(PanelContext& panel, const Pane& pane, Picture& picture) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const double morph = morph_of(panel, picture);
  const Extent extent = picture.extent(looking_at(panel, picture));
  const Orbit orbit = orbit_of(panel, pane, picture);
  if (panel.wants)
    panel.wants->push_back(
        {pane.track, pane.picture, viewport_of(orbit.area), solid_request(panel, pane, picture, orbit)});
  if (pane.area.max.y > orbit.area.max.y) {
    const PictureRequest request = request_for(panel, pane, picture);
    const float right = legend(panel, list, pane.area, request, picture, pane.track);
    legend_kinds(panel, list, pane.area, request, picture, pane.track, right);
  }
  list->PushClipRect(orbit.area.min, orbit.area.max, true);
  if (morph >= 1) {
    if (picture.info().framed)
      frame(panel, list, orbit, extent);
    else
      axes(panel, list, orbit, extent);
  }
  draw_marks(panel, list, orbit, extent, picture, pane.track);
  list->PopClipRect();
  if (pane.alone) return;
  std::vector<std::string> words;
  if (pane.side) words = slow_launch_words(panel, pane.track);
  if (words.empty()) words = {morph < 1 ? on_their_way(morph) : picture.caption()};
  title(panel, list, pane, picture, words);
}

}  // namespace warploom
