// The editor of own maps: a column beside the left panel.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "gpu/core/files.h"
#include "gpu/core/format.h"
#include "gpu/own/registry.h"
#include "gpu/own/text.h"
#include "gpu/tracks/facets/written.h"
#include "viewer/model/facets.h"
#include "viewer/model/own_watch.h"
#include "viewer/panels/panels.h"
#include "viewer/ui/imgui_compat.h"

namespace warploom {

namespace {

/// What the panel keeps between frames.
struct EditorState {
  std::map<std::string, ui::CodeField> fields;  ///< by file
  std::uint64_t of = 0;                         ///< OwnEditing::edits that it was typed up to
  double typed_at = -1;                         ///< when something was typed last, into which file
  std::string typed_in;
  std::string ran_as_typed;  ///< the text that was run by itself
};

struct Example {
  std::filesystem::path file;
  std::string text, words;  ///< words: what its first line says of it
};
std::vector<Example> examples_of(Scene& scene) {
  std::vector<Example> all;
  const auto* takes = scene.facet<TakesOwnMaps>();
  if (!takes) return all;
  const auto foreign = takes->foreign_words();
  for (const auto& file : own_examples()) {
    std::string text = read_file(file);
    if (std::ranges::any_of(foreign, [&](const auto& word) { return text.find(word) != text.npos; })) continue;
    const std::string first = text.substr(0, text.find('\n'));
    all.push_back({file, std::move(text), first.starts_with("// ") ? first.substr(3) : first});
  }
  return all;
}
void open_example(OwnEditing& editing, const Example& example) {
  editing.show(example.file.filename().string(), example.text, "");
  editing.focus_frames = OwnEditing::focus_takes;
}

/// Read once a scene: a panel reads no files.
const std::vector<Example>& examples(PanelContext& panel) {
  struct Known {
    std::string scene;
    std::vector<Example> all;
  };
  auto& known = panel.state.own<Known>();
  Scene& scene = panel.model.scene();
  if (known.scene != scene.key()) known = {scene.key(), examples_of(scene)};
  return known.all;
}

/// The first text of one's own, without an example.
const Example blank{"map.h",
                    "// Which block of cells does a launched block serve? This is the bounding box.\nPlace place(Block "
                    "b, Domain d) {\n  return {b.x, b.y};\n}\n",
                    {}};

}  // namespace

void write_from(PanelContext& panel, const std::string& track) {
  std::vector<std::string> stems;
  for (const Example& example : examples(panel)) stems.push_back(example.file.stem().string());
  if (stems.empty()) return;
  // An example is nearest to maps whose names hold its own.
  const std::string map = track.substr(0, track.find('/'));
  auto chosen = std::ranges::find_if(stems, [&](const auto& stem) { return map.find(stem) != map.npos; });
  if (chosen == stems.end()) chosen = std::ranges::find(stems, nearest(map, stems));
  open_example(panel.model.editing, examples(panel)[static_cast<std::size_t>(chosen - stems.begin())]);
}

namespace {

/// Null: no example was chosen. `reopened`: a text that was closed.
const Example* examples_menu(PanelContext& panel, std::optional<std::size_t>& reopened) {
  std::vector<ui::Choice> choices{{"", "another text", "opens an example of this scene as a text of your own"},
                                  {"new", "new", "the bounding box, to begin with"}};
  for (const Example& example : examples(panel)) {
    const std::string stem = example.file.stem().string();
    choices.push_back({stem, stem, example.words});
  }
  const int texts = static_cast<int>(choices.size());
  for (const OwnDraft& draft : panel.model.editing.closed)
    choices.push_back({"closed_" + std::to_string(draft.id), draft.file + ", closed",
                       "a text of yours that was closed before it ran or was saved"});
  int chosen = 0;
  if (!ui::combo(panel.ui, "examples", "Open", chosen, choices,
                 "opens an example of this scene as a text of your own") ||
      chosen == 0)
    return nullptr;
  if (chosen >= texts) {
    reopened = static_cast<std::size_t>(chosen - texts);
    return nullptr;
  }
  return chosen == 1 ? &blank : &examples(panel)[static_cast<std::size_t>(chosen - 2)];
}

/// Before anything is written.
void empty_editor(PanelContext& panel) {
  ui::section_title(panel.ui, "Your own map");
  ui::quiet_text(
      panel.ui,
      "A thread map is a dozen lines of C++: which block of cells does a launched block serve? Write one, "
      "press Ctrl+Enter, and it runs as a track beside the others: every cell is checked, wasted threads are "
      "counted, steps are timed. Begin with an example:");
  const Example* chosen = nullptr;
  for (const Example& example : examples(panel)) {
    const std::string stem = example.file.stem().string();
    if (ui::button(panel.ui, stem, stem)) chosen = &example;
    ui::quiet_text(panel.ui, example.words);
  }
  if (ui::button(panel.ui, "new", "new")) chosen = &blank;
  ui::quiet_text(panel.ui, "The bounding box, to begin with.");
  if (chosen) open_example(panel.model.editing, *chosen);
}

void tabs(PanelContext& panel) {
  OwnEditing& editing = panel.model.editing;
  std::optional<std::size_t> closed;
  for (std::size_t i = 0; i < editing.drafts.size(); ++i) {
    const OwnDraft& draft = editing.drafts[i];
    const ui::Scope scope(panel.ui, "tab" + std::to_string(i));
    const bool unsaved = draft.typed != draft.ran;
    if (ui::tab(panel.ui, "show", draft.file + (unsaved ? " *" : ""), i == editing.shown, 28)) {
      editing.shown = i;
      editing.focus_frames = OwnEditing::focus_takes;
    }
    ui::help_tooltip(panel.ui, (draft.name.empty() ? "it has not run yet: Ctrl+Enter" : "the track " + draft.name) +
                                   (draft.path.empty() ? "" : "; " + draft.path));
    ImGui::SameLine(0, panel.ui.px(2));
    if (i == editing.shown) {
      if (ui::icon_button(panel.ui, "close", ui::Icon::close,
                          draft.name.empty() ? "close this text, which never ran" : "close this text; its track stays"))
        closed = i;
      ImGui::SameLine(0, panel.ui.px(2));
    }
    const float left = ImGui::GetContentRegionAvail().x;
    if (left < panel.ui.px(90)) ImGui::NewLine();
  }
  ImGui::NewLine();
  if (!closed) return;
  panel.state.own<EditorState>().fields.erase(editing.drafts[*closed].file);
  editing.close(*closed);
}

/// The file holds another text than it did, and so does the editor.
void ask_which(PanelContext& panel, OwnDraft& draft) {
  ui::quiet_text(panel.ui, draft.file + " was changed by another program.");
  if (ui::button(panel.ui, "load", "Load that")) {
    draft.typed = draft.saved = *draft.on_disk;
    draft.on_disk.reset();
    ++panel.model.editing.edits;
    panel.model.editing.run_wanted = panel.model.editing.shown;
    return;
  }
  ImGui::SameLine();
  if (ui::button(panel.ui, "keep", "Keep mine")) {
    draft.saved = *draft.on_disk;
    draft.on_disk.reset();
  }
}

/// Selects the first cell that a map misses, or serves twice; of one that fell its block, and goes to the line.
void pick_what_is_wrong(PanelContext& panel, const OwnDraft& draft) {
  for (std::size_t i = 0; panel.simulation && i < panel.simulation->size(); ++i)
    if (const auto* written = panel.simulation->track(i).facet<Written>(); written && written->own().name == draft.name)
      (void)go_where_it_fails(panel, i);
}

/// Of what was tried last, where its line is still as it was then.
std::vector<ui::LineMark> marks_of(const OwnDraft& draft) {
  std::vector<ui::LineMark> marks;
  for (const OwnMessage& message : draft.messages)
    if (draft.typed == draft.tried || line_of(draft.typed, message.line) == line_of(draft.tried, message.line))
      marks.push_back({message.line, message.column, message.words});
  return marks;
}

/// What the selected thread computed at the lines of the text, where this is what the active track runs.
void add_values(PanelContext& panel, const OwnDraft& draft, ui::CodeField& field) {
  const auto& tracks = panel.model.scene().tracks();
  const std::size_t active = panel.model.active_track;
  // A map's text is the first source of its track, that of the rule under it the last.
  const auto& files = panel.model.source.files();
  const bool is_map = active < tracks.size() && tracks[active].substr(0, tracks[active].find('/')) == draft.name;
  const bool is_rule = !is_map && !files.empty() && !draft.name.empty() && files.back().name == draft.file &&
                       files.back().text == find_own(draft.name)->source;
  if (draft.typed != draft.ran || (!is_map && !is_rule)) {
    field.values.clear();
    field.values_version = 0;
    field.at_line = 0;
    return;
  }
  const int file = is_map ? 0 : static_cast<int>(files.size()) - 1;
  show_values(panel, file, field);
  if (const int line = std::exchange(panel.model.source.go_to, 0); line && panel.model.source.front == file)
    field.go_to = line;
}

}  // namespace

const std::vector<std::string_view>& own_words() {
  static const std::vector<std::string_view> words{
      "Place", "Block", "Thread", "Domain", "From", "To",      "Around",   "Group",         "nowhere",
      "grid",  "place", "cell",   "kernel", "rule", "threads", "launches", "turns",         "power",
      "min",   "max",   "abs",    "sqrt",   "cbrt", "floor",   "popcount", "leading_zeros", "trailing_zeros"};
  return words;
}

void editor_panel(PanelContext& panel, const ui::Rectangle& area) {
  ui::UiContext& ui = panel.ui;
  Model& model = panel.model;
  OwnEditing& editing = model.editing;
  auto& kept = panel.state.own<EditorState>();
  const ui::Scope scope(ui, "editor");
  begin_panel(panel, "editor", area, ui.theme->panel, 10, 6);
  if (!editing.drafts.empty()) tabs(panel);
  OwnDraft* const draft = editing.front();
  if (!draft) {
    empty_editor(panel);
    editing.has_focus = false;
    ImGui::End();
    return;
  }
  if (ui::primary_button(ui, "run", draft->compiling ? "Compiling" : "Run", ui::Icon::play))
    editing.run_wanted = editing.shown;
  ui::help_tooltip(ui, "compiles the text and runs it as a track (Ctrl+Enter)");
  ImGui::SameLine();
  const bool has_file = !draft->path.empty(), saved = draft->is_saved();
  if (ui::button(ui, "save", saved ? "Saved" : has_file ? "Save" : "Save as"))
    model.guarded([&] { save_own_draft(model); });
  ui::help_tooltip(ui, has_file ? draft->path + " (Ctrl+S)" : "gives the text a file of its own (Ctrl+S)");
  ImGui::SameLine();
  const bool hides = ui::button(ui, "hide", "Close editor");
  ui::help_tooltip(ui, "what runs stays (Ctrl+E)");
  if (hides) {
    editing.open = false;
    editing.has_focus = false;
  }
  std::optional<std::size_t> reopened;
  const Example* const chosen = examples_menu(panel, reopened);
  ui::toggle(ui, "as_typed", "Run as I type", editing.as_typed, "runs the text when nothing was typed for 0.4 s");
  if (draft->on_disk) ask_which(panel, *draft);

  // The text, above its status.
  auto& field = kept.fields[draft->file];
  const float status_height = ui.px(62);
  ImVec2 room = ImGui::GetContentRegionAvail();
  room.y = std::max(room.y - status_height, ui.px(60));
  field.marks = marks_of(*draft);
  add_values(panel, *draft, field);
  field.focus = editing.focus_frames > 0;
  if (const int line = std::exchange(editing.go_to, 0)) field.go_to = line;
  if (std::exchange(editing.comments_wanted, 0)) field.comment = true;
  const bool changed = [&] {
    const ui::Scope one(ui, draft->file);
    return ui::code_field(ui, "code", draft->typed, field, room, own_words(), most_own_bytes);
  }();
  editing.has_focus = field.active;
  if (field.cursor_line > 0 && field.go_to == 0) editing.at_line = field.cursor_line;
  if (editing.focus_frames > 0) --editing.focus_frames;
  const double now = ImGui::GetTime();
  if (changed) {
    ++editing.edits;
    kept.typed_at = now;
    kept.typed_in = draft->file;
  }
  constexpr double rest = .4;
  if (editing.as_typed && kept.typed_at >= 0 && now - kept.typed_at > rest && kept.typed_in == draft->file &&
      draft->typed != draft->tried) {
    kept.typed_at = -1;
    // In the middle of a word nothing is wrong yet.
    if (brackets_match(draft->typed)) editing.run_wanted = editing.shown;
  }

  // What became of it, in two lines at most; the whole of it as its help.
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const bool edited = draft->typed != draft->ran;
  const bool asks = draft->status.empty() && !draft->name.empty();
  const auto runs = asks ? how_it_runs(model, draft->name) : std::pair<std::string, bool>{};
  const std::string status = draft->compiling         ? "it is being compiled"
                             : !draft->status.empty() ? draft->status
                             : draft->name.empty()    ? "not run yet: Ctrl+Enter runs it"
                                                      : runs.first;
  const bool failed = draft->failed || (draft->status.empty() && runs.second);
  const ImU32 colour = failed && !draft->compiling ? ui.theme->bad : ui.theme->quiet;
  const std::string lines = ui::wrapped(ui.fonts->body, status, room.x);
  const auto second = lines.find('\n');
  const auto line = [&](float y, ImU32 of, std::string_view words) {
    ui::draw_text(ImGui::GetWindowDrawList(), ui.fonts->body, of, {at.x, at.y + ui.px(y)},
                  {at.x + room.x, at.y + ui.px(y + 18)}, words);
  };
  line(2, colour, std::string_view(lines).substr(0, second));
  if (second != lines.npos) {
    std::string below_it = lines.substr(second + 1);
    std::ranges::replace(below_it, '\n', ' ');
    line(20, colour, below_it);
  }
  std::string below = field.cursor_line > 0 ? fmt::format("line {}", field.cursor_line) : "";
  if (edited && !draft->compiling)
    below += (below.empty() ? "" : " \u00b7 ") +
             std::string(draft->ran.empty() ? "not run yet" : "changed: Ctrl+Enter runs it");
  line(40, ui.theme->quiet, below);
  ImGui::InvisibleButton("status", {std::max(room.x, 1.f), ui.px(38)});
  if (ImGui::IsItemClicked()) pick_what_is_wrong(panel, *draft);
  ui::help_tooltip(ui, status);
  // The draft that was shown may move.
  if (chosen) open_example(editing, *chosen);
  if (reopened) editing.reopen(*reopened);
  ImGui::End();
}

}  // namespace warploom
