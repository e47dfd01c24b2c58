#include <fmt/format.h>

#include <algorithm>

#include "viewer/panels/panels.h"
#include "viewer/ui/buttons.h"

namespace warploom {

namespace {

VerdictWords words_of(const PanelContext& panel, std::size_t track) {
  return verdict_of(*panel.simulation, track, panel.model.baseline_of(*panel.simulation),
                    panel.state.shown.ratio(track), panel.model.on_cpu());
}

std::string joined(const std::string& first, const std::string& second) {
  return first + (first.empty() || second.empty() ? "" : " ") + second;
}

int lines_of(const std::string& text) { return 1 + static_cast<int>(std::ranges::count(text, '\n')); }

constexpr float padding = 8, padding_x = 12, gap = 4, button_width = 84;

using VerdictLine = PanelState::Verdict::Words;

/// The button that makes the scene real, or small again.
bool has_button(const PanelContext& panel, float width) {
  return panel.state.verdict.size != SceneSize::none && !panel.model.view.presentation &&
         width >= panel.ui.px(4 * button_width);
}

std::vector<VerdictLine> make_words(const PanelContext& panel, float width) {
  const auto& ui = panel.ui;
  const float room = width - ui.px(2 * padding_x),
              first_room = room - (has_button(panel, width) ? ui.px(button_width + padding_x) : 0);
  std::vector<VerdictLine> all;
  const auto say = [&all](ImFont* font, const std::string& words, float within) {
    if (words.empty()) return;
    std::string text = ui::wrapped(font, words, within);
    const int lines = lines_of(text);
    all.push_back({font, std::move(text), lines});
  };
  const std::string look = look_at_text(panel);
  const std::size_t tracks = panel.simulation->size();
  if (tracks > 2) {
    // A line each: where it has no room for the times, the timings have them. If not even that has room: the sentence
    // of the active track alone.
    const auto fits = [&](const std::string& words) { return ui::text_width(ui.fonts->strong, words) <= first_room; };
    std::vector<std::string> lines;
    for (std::size_t i = 0; i < tracks; ++i) {
      const VerdictWords words = words_of(panel, i);
      const std::string whole = joined(words.does, words.takes);
      lines.push_back(fits(whole) ? whole : words.does);
    }
    if (!std::ranges::all_of(lines, fits)) {
      const std::size_t active = std::min(panel.model.active_track, tracks - 1);
      lines = {lines[active].empty() ? lines[active == 0] : lines[active]};
    }
    for (const std::string& line : lines) say(ui.fonts->strong, line, first_room);
    say(ui.fonts->body, look, room);
    return all;
  }
  const VerdictWords words = words_of(panel, tracks - 1 - panel.model.baseline_of(*panel.simulation));
  say(ui.fonts->large, words.does.empty() ? caption_text(panel.model.shown_scene()) : words.does, first_room);
  // The times come later, and change: the lines that they may need are kept free, so that the pictures stay where they
  // are. A reason is told where it has room there.
  auto& free = panel.state.verdict.free;
  if (std::string of = fmt::format("{}\n{}\n{}", words.does, look, room); tracks > 1 && free.of != of) {
    free = {std::move(of), 0};
    for (const Ratio& ratio : {Ratio{1, .9, 1.1, 20}, Ratio{.005, .004, .006, 20}, Ratio{200, 160, 250, 20}}) {
      const std::size_t baseline = panel.model.baseline_of(*panel.simulation);
      const VerdictWords then =
          verdict_of(*panel.simulation, tracks - 1 - baseline, baseline, ratio, panel.model.on_cpu());
      free.lines = std::max(free.lines, lines_of(ui::wrapped(ui.fonts->body, joined(look, then.brief), room)));
    }
  }
  const int kept = tracks > 1 ? free.lines : 0;
  const std::string whole = joined(look, words.takes);
  const bool fits = kept == 0 || lines_of(ui::wrapped(ui.fonts->body, whole, room)) <= kept;
  say(ui.fonts->body, fits ? whole : joined(look, words.brief), room);
  if (kept > 0 && all.size() < 2) all.push_back({ui.fonts->body, {}, kept});
  if (kept > 0) all.back().lines = std::max(all.back().lines, kept);
  return all;
}

const std::vector<VerdictLine>& verdict_words(const PanelContext& panel, float width) {
  auto& verdict = panel.state.verdict;
  const Model& model = panel.model;
  const ViewSettings& view = model.view;
  std::string of = fmt::format(
      "{} {} {} {} {} {} {} {} {} {} {} {}", panel.simulation->id(), panel.simulation->version(), model.changes(),
      panel.state.shown.at, panel.state.shown.baseline, view.baseline, model.active_track, view.presentation,
      view.pictures[0], view.pictures[1], width, static_cast<const void*>(panel.ui.fonts->large));
  if (of == verdict.of) return verdict.words;
  verdict.of = std::move(of);
  if (const std::pair sized{panel.simulation->id(), model.changes()}; verdict.sized != sized) {
    verdict.sized = sized;
    verdict.size = scene_size(panel.model);
  }
  verdict.words = make_words(panel, width);
  ++verdict.made;
  return verdict.words;
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

float verdict_height(const PanelContext& panel, float width) {
  float height = panel.ui.px(2 * padding - gap);
  for (const VerdictLine& words : verdict_words(panel, width))
    height += static_cast<float>(words.lines) * words.font->FontSize + panel.ui.px(gap);
  return height;
}

void verdict_bar(PanelContext& panel, const ui::Rectangle& area) {
  auto& ui = panel.ui;
  const ui::Scope scope(ui, "verdict");
  begin_panel(panel, "verdict", area, ui.theme->panel, padding_x, padding);
  float y = area.min.y + ui.px(padding);
  const bool hidden = panel.model.teaching.hides_figures();
  if (hidden) {
    ImGui::SetCursorScreenPos({area.min.x + ui.px(padding_x), y});
    ui::quiet_text(ui, hidden_words);
  }
  for (const VerdictLine& words : verdict_words(panel, area.width())) {
    if (hidden) break;  // its room stays, so that nothing moves
    ImGui::SetCursorScreenPos({area.min.x + ui.px(padding_x), y});
    ImGui::PushFont(words.font);
    ImGui::TextUnformatted(words.text.c_str());
    ImGui::PopFont();
    y += static_cast<float>(words.lines) * words.font->FontSize + ui.px(gap);
  }
  if (has_button(panel, area.width())) {
    const bool small = panel.state.verdict.size == SceneSize::small;
    ImGui::SetCursorScreenPos({area.max.x - ui.px(button_width + padding_x), area.min.y + ui.px(6)});
    if (ui::button(ui, "full_size", small ? "Full size" : "Small", ui::Icon::none, button_width))
      find_and_run(panel.model, "full_size");
    ui::help_tooltip(ui, small ? "this scene is small, to be counted by eye: shows the real one (F)"
                               : "shows a scene that is small enough to be counted by eye (F)");
  }
  dim_stale(panel, area, ui.theme->panel);
  ImGui::End();
}

std::string caption_words(const PanelContext& panel) {
  std::string words =
      caption_text(panel.model.shown_scene()) + fmt::format("  \u00b7  step {}", grouped(panel.simulation->steps()));
  if (panel.model.on_cpu()) words += "  \u00b7  CPU ENGINE";
  for (const auto& badge : device_badges(*panel.simulation)) words += "  \u00b7  " + badge;
  // What spoils a figure is said here too.
  const auto status = panel.simulation->status();
  for (std::size_t i = 0; i < status.size(); ++i)
    if (*status[i].badge())
      words += "  \u00b7  " + std::string(status[i].badge()) + ": " + track_letter(*panel.simulation, i);
  return words;
}

void captions(PanelContext& panel, const ui::Rectangle& area) {
  auto& ui = panel.ui;
  begin_panel(panel, "captions", area, ui.theme->panel, 16, 8);
  ImGui::GetWindowDrawList()->AddLine(area.min, {area.max.x, area.min.y}, ui.theme->line);
  if (const std::string& said = panel.model.teaching.said; !said.empty()) {
    ImGui::PushFont(ui.fonts->large);
    ImGui::TextWrapped("%s", said.c_str());
    ImGui::PopFont();
  }
  if (panel.model.view.presentation) {
    ui::quiet_text(ui, caption_words(panel));
    if (const std::string walked = walked_words(panel.model); !walked.empty()) ImGui::TextUnformatted(walked.c_str());
  }
  if (panel.model.view.overlay && panel.model.teaching.hides_figures())
    ui::quiet_text(ui, hidden_words);
  else if (panel.model.view.overlay)
    timing_table(panel);
  panel.state.caption_height = ImGui::GetCursorPosY() + ui.px(6);
  dim_stale(panel, area, ui.theme->panel);
  ImGui::End();
}

}  // namespace warploom
