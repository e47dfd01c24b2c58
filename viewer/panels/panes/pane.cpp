#include "viewer/panels/panes/marks.h"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace warploom {
namespace {

/// What draws pictures of a shape.
struct Shape {
  PictureInfo::Shape shape;
  void (*mouse)(PanelContext&, const Pane&, Picture&);
  void (*drawing)(PanelContext&, const Pane&, Picture&);
};
constexpr Shape shapes[] = {{PictureInfo::Shape::plane, plane_mouse, plane_drawing},
                            {PictureInfo::Shape::solid, solid_mouse, solid_drawing}};

/// In place of a picture that could not be painted.
void failure_words(PanelContext& panel, const ui::Rectangle& area, const std::string& why) {
  const auto& ui = panel.ui;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float line = ui.px(20), room = std::max(ui.px(60), area.width() - ui.px(48));
  std::istringstream lines(ui::wrapped(ui.fonts->body, "this picture cannot be painted: " + why, room));
  float y = std::floor(area.min.y + area.height() / 3);
  for (std::string words; std::getline(lines, words) && y + line <= area.max.y; y += line)
    ui::draw_text(list, ui.fonts->body, ui.theme->bad, {area.min.x, y}, {area.max.x, y + line}, words,
                  ui::Align::centre);
}

/// In place of a picture: what is being made, how far it is, and how to stop it.
void coming_words(PanelContext& panel, const ui::Rectangle& area) {
  auto& ui = panel.ui;
  const std::string words = panel.model.coming();
  const std::string text = words.empty()                               ? "nothing to show yet"
                           : !panel.simulation && !panel.model.stale() ? "building the tracks \u2026"
                                                                       : words;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float line = ui.px(20), middle = std::floor((area.min.y + area.max.y) / 2);
  const auto say = [&](const std::string& one, float y, ImU32 colour) {
    ui::draw_text(list, ui.fonts->body, colour, {area.min.x, y}, {area.max.x, y + line},
                  ui::elide(ui.fonts->body, one, area.width() - ui.px(16)), ui::Align::centre);
  };
  const bool stops = panel.model.stale() && area.height() > ui.px(110);
  say(text, middle - line, panel.model.stale() ? ui.theme->text : ui.theme->quiet);
  if (!stops) return;
  say("Ctrl+Backspace stops", middle, ui.theme->quiet);
  ImGui::SetCursorScreenPos({std::floor((area.min.x + area.max.x) / 2 - ui.px(40)), middle + line + ui.px(6)});
  if (ui::button(ui, "cancel", "Cancel", ui::Icon::none, 80)) panel.model.cancel();
}

}  // namespace

const Picture* side_picture(const PanelContext& panel, std::size_t track) {
  const Track& shown = panel.simulation->track(track);
  const auto at = shown_picture(shown, panel.model.view, true);
  return at ? shown.pictures()[*at] : nullptr;
}

void picture_pane(PanelContext& panel, std::size_t track, const ui::Rectangle& area, bool side, PanePass pass) {
  auto& ui = panel.ui;
  const std::string name = (side ? "grid " : "data ") + panel.model.shown_scene().letter(track);
  const ui::Scope scope(ui, (side ? "grid_" : "data_") + panel.model.shown_scene().letter(track));
  begin_panel(panel, name.c_str(), area, 0, 0, 0);
  if (panel.simulation) {
    const Track& shown = panel.simulation->track(track);
    const auto picture = shown_picture(shown, panel.model.view, side);
    const bool stale = panel.model.stale();
    if (picture && pass == PanePass::mouse && ImGui::IsWindowHovered())
      panel.model.pointed = PictureWish{track, shown.pictures()[*picture]->info().key, {}, {}};
    // What is out of date answers nothing.
    if (picture && !(stale && pass == PanePass::mouse))
      for (const Shape& shape : shapes)
        if (shape.shape == shown.pictures()[*picture]->info().shape)
          (pass == PanePass::mouse ? shape.mouse : shape.drawing)(panel, {track, *picture, side, area},
                                                                  *shown.pictures()[*picture]);
    if (const auto* why = picture && panel.painter ? panel.painter->failure(track, *picture) : nullptr;
        why && pass == PanePass::drawing)
      failure_words(panel, area, *why);
    if (pass == PanePass::drawing) {
      if (picture && !stale && panel.painter && panel.painter->waits(track, *picture))
        ui::draw_text(ImGui::GetWindowDrawList(), ui.fonts->body, ui.theme->quiet, area.min, area.max,
                      "painting \u2026", ui::Align::centre);
      dim_stale(panel, area, ui.theme->ground);
      if (stale && !side) coming_words(panel, area);
    }
  } else if (!side && pass == PanePass::drawing) {
    coming_words(panel, area);
  }
  ImGui::End();
}

}  // namespace warploom
