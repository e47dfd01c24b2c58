#include <fmt/format.h>

#include <algorithm>

#include "viewer/model/small_scene.h"
#include "viewer/panels/panels.h"
#include "viewer/ui/buttons.h"

namespace warploom {

namespace {

VerdictWords words_of(const PanelContext& panel, std::size_t track) {
  return verdict_of(*panel.simulation, track, panel.model.baseline_of(*panel.simulation),
                    panel.state.shown.ratio(track), panel.model.on_cpu());
}

int lines_of(const ImFont* font, const std::string& words, float width) {
  if (words.empty()) return 0;
  const std::string text = ui::wrapped(font, words, width);
  return 1 + static_cast<int>(std::ranges::count(text, '\n'));
}

std::string joined(const std::string& first, const std::string& second) {
  return first + (first.empty() || second.empty() ? "" : " ") + second;
}

/// The button that makes the scene real, or small again; the width that it takes, 0 where there is none.
float size_button(PanelContext& panel, const ui::Rectangle& area) {
  constexpr float width = 84;
  auto& ui = panel.ui;
  const SceneSize size = scene_size(panel.model);
  if (size == SceneSize::none || panel.model.view.presentation || area.width() < ui.px(4 * width)) return 0;
  ImGui::SetCursorScreenPos({area.max.x - ui.px(width + 12), area.min.y + ui.px(6)});
  const bool small = size == SceneSize::small;
  if (ui::button(ui, "full_size", small ? "Full size" : "Small", ui::Icon::none, width))
    find_and_run(panel.model, "full_size");
  ui::help_tooltip(ui, small ? "this scene is small, to be counted by eye: shows the real one (F)"
                             : "shows a scene that is small enough to be counted by eye (F)");
  return ui.px(width + 12);
}

}  // namespace

std::vector<std::string> verdicts(const PanelContext& panel) {
  std::vector<std::string> all;
  for (std::size_t i = 0; panel.simulation && i < panel.simulation->size(); ++i) {
    const auto words = verdict_text(*panel.simulation, i, panel.model.baseline_of(*panel.simulation),
                                    panel.state.shown.ratio(i), panel.model.on_cpu());
    if (!words.empty()) all.push_back(words);
  }
  return all;
}

std::string look_at_text(const PanelContext& panel) {
  const auto* captioned = panel.model.shown_scene().facet<Captioned>();
  if (!captioned || !panel.simulation) return {};
  const Track& first = panel.simulation->track(0);
  std::vector<std::string> pictures;
  for (const bool side : {false, true})
    if (const auto at = shown_picture(first, panel.model.view, side))
      pictures.push_back(first.pictures()[*at]->info().key);
  return captioned->look_at(*panel.simulation, pictures);
}

void verdict_bar(PanelContext& panel, const ui::Rectangle& area) {
  auto& ui = panel.ui;
  const ui::Scope scope(ui, "verdict");
  begin_panel(panel, "verdict", area, ui.theme->panel, 12, 8);
  const float room = area.width() - ui.px(24), first_room = room - size_button(panel, area);
  ImGui::SetCursorScreenPos({area.min.x + ui.px(12), area.min.y + ui.px(8)});
  const auto say = [](ImFont* font, const std::string& words, float width) {
    if (words.empty()) return;
    ImGui::PushFont(font);
    ImGui::TextUnformatted(ui::wrapped(font, words, width).c_str());
    ImGui::PopFont();
  };
  const std::string look = look_at_text(panel);
  const std::size_t tracks = panel.simulation->size();
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, ui.px(4)});
  if (tracks > 2) {
    // A line each: where it has no room for the times, the timings have them.
    const auto all = verdicts(panel);
    for (std::size_t i = 0, line = 0; i < tracks && line < all.size(); ++i) {
      const VerdictWords words = words_of(panel, i);
      if (words.does.empty() && words.takes.empty()) continue;
      const bool fits = words.does.empty() || ui::text_width(ui.fonts->strong, all[line]) <= first_room;
      say(ui.fonts->strong, ui::elide(ui.fonts->strong, fits ? all[line] : words.does, first_room), first_room);
      ++line;
    }
    say(ui.fonts->body, look, room);
  } else {
    const VerdictWords words = words_of(panel, tracks - 1 - panel.model.baseline_of(*panel.simulation));
    say(ui.fonts->large, words.does.empty() ? caption_text(panel.model.shown_scene()) : words.does, first_room);
    const std::string rest = joined(look, words.takes);
    say(ui.fonts->body, rest, room);
    // The times come later: their line is kept free, so that the pictures stay where they are.
    const std::string usual = tracks > 1 ? joined(look, "B is as fast on this CPU: the interval contains 1.") : rest;
    const int missing = lines_of(ui.fonts->body, usual, room) - lines_of(ui.fonts->body, rest, room);
    if (missing > 0) ImGui::Dummy({1, static_cast<float>(missing) * ui.fonts->body->FontSize});
  }
  ImGui::PopStyleVar();
  panel.state.head_height = ImGui::GetCursorPosY() + ui.px(4);
  ImGui::End();
}

std::string caption_words(const PanelContext& panel) {
  std::string words =
      caption_text(panel.model.shown_scene()) + fmt::format("  \u00b7  step {}", grouped(panel.simulation->steps()));
  if (panel.model.on_cpu()) words += "  \u00b7  CPU ENGINE";
  // What spoils a figure is said here too.
  const auto status = panel.simulation->status();
  for (std::size_t i = 0; i < status.size(); ++i)
    if (!status[i].agrees) words += "  \u00b7  " + std::string(status[i].badge()) + ": " + track_letter(i);
  return words;
}

void captions(PanelContext& panel, const ui::Rectangle& area) {
  auto& ui = panel.ui;
  begin_panel(panel, "captions", area, ui.theme->panel, 16, 8);
  ImGui::GetWindowDrawList()->AddLine(area.min, {area.max.x, area.min.y}, ui.theme->line);
  ui::quiet_text(ui, caption_words(panel));
  panel.state.caption_height = ImGui::GetCursorPosY() + ui.px(6);
  ImGui::End();
}

}  // namespace warploom
