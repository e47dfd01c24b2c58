#include "viewer/panels/dialogs.h"

#include <algorithm>
#include <cctype>
#include <functional>
#include <utility>

#include "viewer/model/map_choice.h"
#include "viewer/model/presets.h"
#include "viewer/model/scene_parts.h"
#include "viewer/model/scene_text.h"
#include "viewer/ui/imgui_compat.h"

namespace warploom {
namespace {

/// Kinds of rows: what leaves the scene comes after what does not, and words that are only explained come last.
constexpr int leaves = 1, only_tells = 3;

/// A row: what is read, its key or its value in quiet, and what it does.
struct Entry {
  std::string id, title, note;
  std::function<void(Model&)> run;
  std::string also = {};     ///< found by these words too
  int kind = 0;              ///< of rows that are found as well, lower ones come first
  std::string refusal = {};  ///< why it cannot be chosen: it is grey, and this is its tooltip; empty: it can
  std::pair<int, int> order = {};
};

void add_commands(Model& model, std::vector<Entry>& all) {
  for (const auto& command : all_commands())
    if (applies(model, command))
      all.push_back({command.name, command.title, key_text(command), [&command](Model& m) { carry_out(m, command); },
                     std::string(group_of(command).title) + " " + group_of(command).also});
}

void add_scenes(Model& model, std::vector<Entry>& all) {
  for (const auto& scene : model.scenes())
    all.push_back({std::string("scene_") + scene->key(), std::string("Scene: ") + scene->title(), "",
                   [key = std::string(scene->key())](Model& m) { show_scene(m, key); }, scene->description(), leaves});
}

void add_presets(std::vector<Entry>& all) {
  for (const auto& preset : known_presets())
    all.push_back({"preset_" + preset.key,
                   "Preset: " + preset.title,
                   preset.key,
                   [&preset](Model& m) {
                     open_scene(m, "preset: " + preset.title,
                                [&m, file = preset.file] { return read_scene_file(m, file); });
                   },
                   {},
                   leaves + 1});
}

void add_tours(Model& model, std::vector<Entry>& all) {
  for (const TourRow& tour : model.teaching.tours)
    all.push_back({"tour_" + tour.key, "Tour: " + tour.title, tour.key,
                   [file = tour.file](Model& m) { m.teaching.tour_wanted = file; }, tour.idea, leaves + 1});
}

void add_puzzles(Model& model, std::vector<Entry>& all) {
  for (const PuzzleRow& puzzle : model.teaching.puzzles)
    all.push_back({"puzzle_" + puzzle.key, "Puzzle: " + puzzle.title, puzzle.key,
                   [file = puzzle.file](Model& m) { m.teaching.puzzle_wanted = file; }, puzzle.task, leaves + 1});
}

void add_maps(Model& model, std::vector<Entry>& all) {
  const std::size_t active = std::min(model.active_track, model.scene().tracks().size() - 1);
  for (const auto& kind : model.scene().track_kinds()) {
    all.push_back({"track_" + kind.name, "Map of " + model.scene().letter(active) + ": " + full_title(kind), kind.name,
                   [active, name = kind.name](Model& m) {
                     auto tracks = m.scene().tracks();
                     tracks[active] = on_same_devices(name, tracks[active]);
                     m.set_tracks(tracks);
                   }});
    all.back().refusal = unavailable(model.scene(), model.runner().backend(),
                                     on_same_devices(kind.name, model.scene().tracks()[active]));
  }
}

void add_parameters(Model& model, std::vector<Entry>& all) {
  for (const auto& parameter : model.scene().parameters()) {
    if (parameter.kind == Parameter::Kind::list || !parameter.applies().empty()) continue;
    for (const auto& choice : parameter.choices)
      all.push_back({parameter.key + "_" + choice.key, parameter.title + ": " + choice.title, "",
                     [key = parameter.key, value = choice.key](Model& m) { m.set(key, value); }});
    if (!parameter.choices.empty()) continue;
    const std::string value = parameter.words(parameter.get());
    all.push_back(
        {"about_" + parameter.key, parameter.title + ", " + parameter.help, value,
         [words = parameter.title + ": " + parameter.help + "; " + parameter.range()](Model& m) { m.tell(words); }});
  }
}

/// The pictures that the tracks have, each once.
void add_pictures(PanelContext& panel, std::vector<Entry>& all) {
  for (std::size_t i = 0; panel.simulation && i < panel.simulation->size(); ++i)
    for (const Picture* picture : panel.simulation->track(i).pictures()) {
      const std::string key = picture->info().key, id = "picture_" + key;
      if (std::ranges::find(all, id, &Entry::id) == all.end())
        all.push_back(
            {id, "Picture: " + std::string(picture->info().title), "", [key](Model& m) { m.view.pictures[0] = key; }});
    }
}

void add_words(std::vector<Entry>& all) {
  for (const auto& term : glossary())
    all.push_back({std::string("word_") + term.word, term.word, "glossary",
                   [&term](Model& m) {
                     m.glossary_word = term.word;
                     m.glossary_open = true;
                   },
                   term.text, only_tells});
}

/// How well a text has what is looked for: 0 it begins with it, 1 one of its words does, 2 it has it, 3 it has not.
int rank_of(const std::string& text, const std::string& filter) {
  int best = 3;
  for (std::size_t at = text.find(filter); at != std::string::npos; at = text.find(filter, at + 1))
    best = std::min(best, at == 0 ? 0 : std::isalnum(static_cast<unsigned char>(text[at - 1])) ? 2 : 1);
  return best;
}

}  // namespace

std::string lower_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

void row_ground(const ui::UiContext& ui, bool chosen) {
  const ImVec2 low = ImGui::GetCursorScreenPos(), high{low.x + ImGui::GetContentRegionAvail().x, low.y + ui.px(22)};
  const bool under_mouse = ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(low, high);
  if (!chosen && !under_mouse) return;
  ImGui::GetWindowDrawList()->AddRectFilled(
      low, high,
      chosen ? ui::blend(ui.theme->panel, ui.theme->accent, .24f) : ui::blend(ui.theme->panel, ui.theme->text, .06f),
      ui.px(3));
}

void palette(PanelContext& panel, ImVec2 window) {
  auto& [ui, model, state, simulation, painter, wants, questions, grounds] = panel;
  const ui::Scope scope(ui, "palette");
  begin_dialog(panel, "palette", window, 520, 560);
  ui::section_title(ui, "Commands");
  if (!state.palette.open) {
    state.palette_filter.clear();
    state.palette_row = -1;
  }
  const std::string filter = search_field(panel, state.palette, "command, scene, map, value, word");
  std::vector<Entry> rows;
  add_commands(model, rows);
  if (!filter.empty()) {
    add_scenes(model, rows);
    add_presets(rows);
    add_tours(model, rows);
    add_puzzles(model, rows);
    add_maps(model, rows);
    add_pictures(panel, rows);
    add_parameters(model, rows);
    add_words(rows);
    std::erase_if(rows, [&](const Entry& entry) {
      return lower_case(entry.title + " " + entry.id + " " + entry.also).find(filter) == std::string::npos;
    });
    // What Enter runs is what was most likely meant: a name that begins so, and what does not leave the scene.
    for (auto& entry : rows)
      entry.order = {entry.kind == only_tells ? 4 : rank_of(lower_case(entry.title), filter), entry.kind};
    std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.order < b.order; });
  }
  if (filter != std::exchange(state.palette_filter, filter)) state.palette_row = filter.empty() ? -1 : 0;
  const int count = static_cast<int>(rows.size());
  state.palette_row = std::min(state.palette_row, count - 1);
  const bool keys = ui.walk.dialog_has_keys(), moved = keys && ui::move_row(state.palette_row, count);
  const bool entered = keys && ui::enter_pressed();
  int chosen = entered ? state.palette_row : -1;
  // Where Enter ran nothing, what was typed stays to be mended.
  state.palette.again = entered && chosen < 0;
  ImGui::BeginChild("rows", {0, 0}, false, ImGuiWindowFlags_NoNav);
  for (int i = 0; i < count; ++i) {
    const Entry& entry = rows[static_cast<std::size_t>(i)];
    const ImVec2 low = ImGui::GetCursorScreenPos();
    const float right = low.x + ImGui::GetContentRegionAvail().x;
    row_ground(ui, i == state.palette_row);
    if (moved && i == state.palette_row) ImGui::SetScrollHereY();
    // The note keeps to the right of the name; of both, a long name gives way. All of the row takes the click.
    const float note = std::min(ui::text_width(ui.fonts->mono, entry.note), ui.px(160));
    const float room = right - low.x - ui.px(12) - (note > 0 ? note + ui.px(12) : 0);
    if (!entry.refusal.empty()) {
      const ImVec2 high{low.x + std::max(1.f, room), low.y + ui.px(22)};
      ImGui::Dummy({high.x - low.x, high.y - low.y});
      ui::draw_text(ImGui::GetWindowDrawList(), ui.fonts->body, ui::fade(ui.theme->quiet, .6f), low, high, entry.title);
      ui::record(ui, entry.id, entry.title, low, high);
      ui::help_tooltip(ui, entry.refusal);
    } else if (ui::link_button(ui, entry.id, ui::elide(ui.fonts->body, entry.title, room), ui::Icon::none,
                               right - low.x))
      chosen = i;
    if (ui::text_width(ui.fonts->body, entry.title) > room) ui::help_tooltip(ui, entry.title);
    ui::draw_text(ImGui::GetWindowDrawList(), ui.fonts->mono, ui.theme->quiet, {right - ui.px(6) - note, low.y},
                  {right - ui.px(6), low.y + ui.px(22)}, entry.note, ui::Align::right);
  }
  ImGui::EndChild();
  if (rows.empty()) ui::quiet_text(ui, "nothing here matches \"" + filter + "\"");
  if (chosen >= 0) {
    model.palette_open = false;
    model.guarded([&entry = rows[static_cast<std::size_t>(chosen)], &model = model] { entry.run(model); });
  }
  ImGui::End();
}

}  // namespace warploom
