// The page of the first start, in place of the panes.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <filesystem>
#include <utility>

#include "viewer/base/paths.h"
#include "viewer/model/parameters.h"
#include "viewer/model/recent_scenes.h"
#include "viewer/model/scene_text.h"
#include "viewer/panels/dialogs.h"

namespace warploom {

namespace {

/// A title that begins something, and what it is.
bool entry(PanelContext& panel, const std::string& id, const std::string& title, const std::string& about,
           float width) {
  auto& ui = panel.ui;
  row_ground(ui, false);
  const bool clicked = ui::link_button(ui, id, title, ui::Icon::play, width);
  ImGui::Indent(ui.px(24));
  ui::quiet_text(ui, about);
  ImGui::Unindent(ui.px(24));
  ImGui::Dummy({0, ui.px(4)});
  return clicked;
}

/// A picture with words below it, in a grid as wide as `width`; the `number`-th of its list. True: it was chosen.
bool card(PanelContext& panel, std::size_t number, float width, const std::string& id, const std::string& title,
          const std::string& about, const std::string& picture) {
  auto& ui = panel.ui;
  const float between = ui.px(16);
  const std::size_t columns = std::max<std::size_t>(1, static_cast<std::size_t>((width + between) / ui.px(226)));
  const float wide = std::floor((width + between) / static_cast<float>(columns) - between),
              high =
                  std::floor(wide * (ImGui::GetIO().DisplaySize.y < ui.px(700) ? .38f : .56f));  // all scenes in sight
  if (number % columns) ImGui::SameLine(0, between);
  ImGui::BeginGroup();
  const ImVec2 at = ImGui::GetCursorScreenPos(), end{at.x + wide, at.y + high};
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddRectFilled(at, end, ui.theme->raised, ui.px(3));
  if (const auto small = ui.small_picture ? ui.small_picture(picture) : std::nullopt) {
    // All of it, in the middle; on its own dark ground.
    list->AddRectFilled(at, end, ui::theme(ui::ThemeName::dark).ground, ui.px(3));
    const float by = std::min(wide / small->width, high / small->height);
    const ImVec2 half{small->width * by / 2, small->height * by / 2}, middle{(at.x + end.x) / 2, (at.y + end.y) / 2};
    list->AddImage(std::bit_cast<ImTextureID>(std::uintptr_t{small->texture}),
                   {std::floor(middle.x - half.x), std::floor(middle.y - half.y)},
                   {std::floor(middle.x + half.x), std::floor(middle.y + half.y)});
  }
  list->AddRect(at, end, ui.theme->line, ui.px(3));
  bool chosen = ImGui::InvisibleButton(("picture_" + id).c_str(), {wide, high});
  if (ImGui::IsItemHovered()) {
    list->AddRect(at, end, ui.theme->accent, ui.px(3));
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  }
  row_ground(ui, false);
  chosen = ui::link_button(ui, id, title, ui::Icon::none, wide) || chosen;
  ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + wide);
  ImGui::PushStyleColor(ImGuiCol_Text, ui.theme->quiet);
  ImGui::TextUnformatted(about.c_str());
  ImGui::PopStyleColor();
  ImGui::PopTextWrapPos();
  ImGui::Dummy({wide, ui.px(8)});
  ImGui::EndGroup();
  return chosen;
}

std::string picture_of_scene(const std::string& key) {
  return (data_folder() / "assets" / "scenes" / (key + ".png")).string();
}

void recent_scenes(PanelContext& panel, float width) {
  auto& ui = panel.ui;
  auto& [version, scenes] = panel.state.own<std::pair<std::uint64_t, std::vector<RecentScene>>>();
  if (const auto now = recent_scenes_version(); std::exchange(version, now) != now) scenes = read_recent_scenes();
  if (scenes.empty()) return;
  ui::section_title(ui, "Recent");
  std::size_t number = 0;
  std::vector<std::string> gone;
  for (const auto& scene : scenes) {
    const std::filesystem::path path = scene.file;
    if (scene.gone) {
      gone.push_back(scene.file);
      continue;
    }
    const std::string name = path.filename().string();
    if (card(panel, number, width, "recent_" + std::to_string(number + 1), name, path.parent_path().string(),
             scene.picture.empty() ? picture_of_scene(scene.scene) : scene.picture)) {
      panel.model.teaching.welcome = false;
      panel.model.guarded([&, wanted = scene.file] { take_file(panel.model, wanted); });
      return;  // the list may be another now
    }
    ++number;
  }
  for (std::size_t i = 0; i < gone.size(); ++i) {
    ui::quiet_text(ui, gone[i] + " is gone");
    ImGui::SameLine(0, ui.px(8));
    if (ui::link_button(ui, "forget_" + std::to_string(i + 1), "forget it")) forget_recent_scene(gone[i]);
  }
}

}  // namespace

void welcome_page(PanelContext& panel, const ui::Rectangle& area) {
  auto& ui = panel.ui;
  Teaching& teaching = panel.model.teaching;
  const ui::Scope scope(ui, "welcome");
  const float page = std::min(area.width() - ui.px(48), ui.px(680)),
              left = std::floor((area.min.x + area.max.x - page) / 2);
  begin_panel(panel, "welcome", area, ui.theme->ground, 0, 0);
  const float top = ui.px(area.height() < ui.px(600) ? 16 : 36);
  ImGui::SetCursorScreenPos({left, area.min.y + top});
  ImGui::BeginChild("page", {page, area.max.y - area.min.y - top - ui.px(8)}, false, ImGuiWindowFlags_NoNav);
  const float width = ImGui::GetContentRegionAvail().x;  // beside the scrollbar, if there is one
  ImGui::PushFont(ui.fonts->large);
  const bool in_class = !teaching.class_title.empty();
  ImGui::TextWrapped("%s", in_class ? teaching.class_title.c_str() : "Warploom shows how GPU threads find their data.");
  ImGui::PopFont();
  ImGui::Dummy({0, ui.px(6)});
  ImGui::PushStyleColor(ImGuiCol_Text, ui.theme->quiet);
  ImGui::TextWrapped(
      "A launch grid is a box, many domains are not. A thread map decides which thread works where, and how many work "
      "for nothing. The real kernels run here, on this machine.");
  ImGui::PopStyleColor();
  ImGui::Dummy({0, ui.px(10)});
  if (in_class) {
    for (const TourRow& tour : teaching.tours)
      if (entry(panel, "tour_" + tour.key, "Tour: " + tour.title + (tour.done ? ", done" : ""), tour.idea, width)) {
        teaching.tour_wanted = tour.file;
        teaching.welcome = false;
      }
    for (const PuzzleRow& puzzle : teaching.puzzles)
      if (entry(panel, "puzzle_" + puzzle.key,
                "Puzzle: " + puzzle.title + (puzzle.best.empty() ? "" : ", best: " + puzzle.best), puzzle.task,
                width)) {
        teaching.puzzle_wanted = puzzle.file;
        teaching.welcome = false;
      }
    for (std::size_t i = 0; i < teaching.class_scenes.size(); ++i) {
      const std::filesystem::path file = teaching.class_scenes[i];
      if (entry(panel, "scene_" + std::to_string(i + 1), "Scene: " + file.stem().string(), "a scene of this class",
                width)) {
        teaching.welcome = false;
        panel.model.guarded([&] { take_file(panel.model, file.string()); });
      }
    }
    if (ui::primary_button(ui, "hand_in", "Hand in")) {
      panel.model.path_prompt = "hand_in";
      teaching.welcome = false;
    }
    ImGui::SameLine(0, ui.px(8));
  }
  const auto first = std::ranges::find(teaching.tours, "thread_map", &TourRow::key);
  if (!in_class && first != teaching.tours.end()) {
    if (ui::primary_button(ui, "tour", "Take the tour (8 minutes)", ui::Icon::play)) {
      teaching.tour_wanted = first->file;
      teaching.welcome = false;
    }
    ImGui::SameLine(0, ui.px(8));
  }
  for (const bool puzzles : {false, true}) {
    if (puzzles) ImGui::SameLine(0, ui.px(8));
    if (!ui::button(ui, puzzles ? "puzzles" : "tours", puzzles ? "Puzzles" : "Tours")) continue;
    teaching.tours_open = true;
    teaching.at_puzzles = puzzles;
    teaching.scrolls = 3;
    teaching.welcome = false;
  }
  ImGui::SameLine(0, ui.px(8));
  if (ui::button(ui, "open", "Open a file")) {
    panel.model.path_prompt = "open";
    teaching.welcome = false;
  }
  ImGui::SameLine(0, ui.px(8));
  if (ui::button(ui, "look", "Just look")) teaching.welcome = false;
  ImGui::Dummy({0, ui.px(8)});
  ui::section_title(ui, "Scenes");
  std::size_t number = 0;
  for (const auto& scene : panel.model.scenes())
    if (card(panel, number++, width, scene->key(), scene->title(), scene->description(),
             picture_of_scene(scene->key()))) {
      teaching.welcome = false;
      show_scene(panel.model, scene->key());
      break;  // the list may be another now
    }
  recent_scenes(panel, width);
  ui::quiet_text(ui, "Tab and Enter choose; a letter leaves this page, the command Welcome brings it back.");
  ImGui::EndChild();
  ImGui::End();
}

}  // namespace warploom
