#include "viewer/panels/dialogs.h"

#include <algorithm>
#include <utility>

#include "gpu/core/files.h"
#include "viewer/export/handout_folder.h"
#include "viewer/export/stats.h"
#include "viewer/export/take_home.h"
#include "viewer/export/written_folder.h"
#include "viewer/model/parameters.h"
#include "viewer/model/recent_scenes.h"
#include "viewer/model/scene_text.h"
#include "viewer/panels/page.h"
#include "viewer/ui/imgui_compat.h"

namespace warploom {
namespace {

namespace fs = std::filesystem;

bool has_ending(const std::string& name, const std::vector<std::string>& endings) {
  return std::ranges::any_of(endings, [&](const auto& e) { return lower_case(name).ends_with(e); });
}
bool is_picture(const std::string& path) { return has_ending(path, {".png"}); }

void open_file(PanelContext& panel, const std::string& path) { take_file(panel.model, path); }

void save_scene(PanelContext& panel, const std::string& path) {
  with_edited_state(panel.model, [&model = panel.model, path](const EditedState& edited) {
    const std::string text = scene_text(model, fs::absolute(path).parent_path(), &edited);
    write_atomically(path, text);
    remember_recent_scene(path, model.scene().key());
    model.tell("saved " + path + lost_with(model, text));
  });
}

/// Makes the stats of this moment; `then` is called with them.
void with_stats(PanelContext& panel, std::function<void(std::shared_ptr<nlohmann::ordered_json>)> then) {
  auto& model = panel.model;
  // Seals and numbers are read between two steps: the window does not wait for them.
  auto samples = FrameSamples{panel.state.frame_ms, panel.state.ui_ms, panel.state.interop_ms};
  const auto stats = std::make_shared<nlohmann::ordered_json>();
  model.read_later(
      [stats, scene = std::shared_ptr<Scene>(model.scene().copy()), &runner = model.runner(),
       baseline = model.view.baseline, samples = std::move(samples), renderer = model.machine.gl_renderer,
       interop = model.machine.interop] {
        *stats = make_stats(*scene, runner, baseline, samples.frame.size(), &samples, renderer, interop);
      },
      [stats, then = std::move(then)] { then(stats); });
}

void save_stats(PanelContext& panel, const std::string& path) {
  with_stats(panel, [&model = panel.model, path](const auto& stats) {
    write_stats(path, *stats);
    model.tell("saved " + path);
  });
}

void hand_out(PanelContext& panel, const std::string& path) {
  with_stats(panel, [&teaching = panel.model.teaching, path](const auto& stats) {
    teaching.handout_wanted = {path, stats};
  });
}

void hand_in(PanelContext& panel, const std::string& path) {
  // Lecturers collect *.warploom.json.
  const bool whole = has_ending(path, {".warploom.json"});
  panel.model.teaching.hand_in_wanted =
      whole ? path : (has_ending(path, {".json"}) ? path.substr(0, path.size() - 5) : path) + ".warploom.json";
}

void save_dump(PanelContext& panel, const std::string& path) {
  // Gigabytes, perhaps: beside the window.
  panel.model.beside("writing " + path, [&runner = panel.model.runner(), path](const std::atomic<bool>& cancel) {
    write_dump(path, runner, &cancel);
    return "saved " + path;
  });
}

void save_figure(PanelContext& panel, const std::string& path) {
  write_atomically(path, panel.state.figure_text);
  panel.model.tell("saved " + path);
}

void save_plot_picture(PanelContext& panel, const std::string& path) {
  panel.model.capture_wanted = path;
  panel.model.capture_plot = true;
}

void save_picture(PanelContext& panel, const std::string& path) {
  if (!panel.model.picture_asked) return;
  PictureWish wish = *panel.model.picture_asked;
  wish.file = path;
  wish.theme = panel.state.picture_theme;
  panel.model.picture_wanted = wish;
}

void check_scene_name(const std::string& path) {
  if (is_picture(path))
    throw UsageError(path + ": a picture holds its scene already and is not replaced by a text; name a .toml file");
}
void save_own(PanelContext& panel, const std::string& path) { save_own_draft_as(panel.model, path); }
void take_home(PanelContext& panel, const std::string& path) { take_home_beside(panel.model, path); }

void check_new_folder(const std::string& path) { check_folder({"take home", path}); }
void check_dump(const std::string& path) { check_dump_name(path); }
void check_handout(const std::string& path) { check_handout_name(path); }

/// One of the dialogs. `run` does it, throws Error, and answers what the user is told.
struct FileKind {
  const char *key, *title, *hint;
  std::vector<std::string> endings;        ///< the first is that of a new name; none: it is a folder
  void (*check)(const std::string& path);  ///< before it asks whether to replace; null: any name
  void (*run)(PanelContext&, const std::string& path);

  bool opens() const { return run == open_file; }
  bool of_folder() const { return endings.empty(); }
};

// A new dialog is one line here, and a command that names it.
const FileKind kinds[] = {
    {"open",
     "Open",
     "scene.toml, captured .png, map .h, or a file of the scene",
     {".toml", ".png", ".h"},
     nullptr,
     open_file},
    {"save", "Save the scene", "scene.toml", {".toml"}, check_scene_name, save_scene},
    {"stats", "Save what was measured", "stats.json or stats.csv", {".json", ".csv"}, check_stats_name, save_stats},
    {"dump", "Save the tracks' data", "a new folder, or that of an earlier dump", {}, check_dump, save_dump},
    {"handout", "Hand out", "a new folder, or that of an earlier handout", {}, check_handout, hand_out},
    {"hand_in", "Hand in: the file is called like you", "your name", {".warploom.json"}, nullptr, hand_in},
    {"take_home",
     "Take the tracks home, as sources that compile anywhere",
     "a new folder",
     {},
     check_new_folder,
     take_home},
    {"save_own", "Save the text of your map", "my_map.h", {".h"}, nullptr, save_own},
    {"svg", "Save the plot", "plot.svg", {".svg"}, nullptr, save_figure},
    {"png", "Save the plot as a picture", "plot.png", {".png"}, nullptr, save_plot_picture},
    {"csv", "Save the plot's points", "plot.csv", {".csv"}, nullptr, save_figure},
    {"picture",
     "Save one picture alone",
     "picture.png or picture.svg",
     {".png", ".svg"},
     check_picture_name,
     save_picture}};

/// What a dialog lists; the scene's own files too where it opens.
std::vector<std::string> endings_of(const FileKind& kind, Model& model) {
  std::vector<std::string> all = kind.endings;
  for (const auto& parameter : model.scene().parameters())
    if (kind.opens()) all.insert(all.end(), parameter.extensions.begin(), parameter.extensions.end());
  return all;
}

/// Of a picture that is saved alone: which it is, and the theme it is saved in.
void picture_choices(PanelContext& panel) {
  auto& ui = panel.ui;
  auto& theme = panel.state.picture_theme;
  if (theme.empty()) theme = panel.model.view.theme;
  if (const auto& asked = panel.model.picture_asked; asked && panel.simulation) {
    std::string words = track_letter(*panel.simulation, asked->track);
    if (asked->track < panel.simulation->size())
      for (const Picture* picture : panel.simulation->track(asked->track).pictures())
        if (picture->info().key == asked->picture) words += ": " + picture->info().title;
    ui::quiet_text(ui, words + ", with its title, legend and verdict");
  }
  const std::pair<const char*, const char*> all[] = {{"light", "On white"}, {"dark", "On dark"}};
  for (const auto& [key, title] : all) {
    if (key != all[0].first) ImGui::SameLine();
    if (ui::tab(ui, key, title, theme == key, 28)) theme = key;
  }
}

/// What a file is opened as: "scene", "points", or, where its kind leaves it open, "scene or state".
std::string what_for(const std::vector<Parameter>& parameters, const std::string& name) {
  std::vector<std::string> all;
  if (has_ending(name, {".toml", ".png"})) all.emplace_back("scene");
  if (has_ending(name, {".h"})) all.emplace_back("map of your own");
  for (const auto& parameter : parameters)
    if (parameter.takes(name)) all.push_back(lower_case(parameter.title));
  return join(all, " or ");
}

/// "scenes (.toml, .png) . state (.npy, .rle)": what can be opened.
std::string all_uses(Model& model) {
  std::string words = "scenes (.toml, .png) \u00b7 maps of your own (.h)";
  for (const auto& parameter : model.scene().parameters())
    if (!parameter.extensions.empty())
      words += " \u00b7 " + lower_case(parameter.title) + " (" + join(parameter.extensions) + ")";
  return words;
}

/// The path that a text stands for, in the folder that is listed.
fs::path meant(const PanelState& state, const std::string& text) {
  const fs::path path = text;
  return path.is_absolute() ? path : (state.files.folder / path).lexically_normal();
}

/// What was used last comes first, once.
void remember_file(PanelState& state, const std::string& path) {
  auto& recent = state.files.recent;
  std::erase(recent, path);
  recent.insert(recent.begin(), path);
  if (recent.size() > FileDialogState::most_recent) recent.resize(FileDialogState::most_recent);
}

void go_into(PanelState& state, const fs::path& folder) {
  state.files.folder = folder.lexically_normal();
  if (!state.files.folder.has_filename()) state.files.folder = state.files.folder.parent_path();
  state.path_text.clear();
  state.files.read_at = -1;
  state.files.row = -1;
  state.prompt_focused = false;
}

/// What nothing typed stands for: the first name of the hint, of files that are written.
std::string usual_name(const FileKind& kind) {
  const std::string hint = kind.hint;
  return kind.opens() || kind.of_folder() || kind.run == hand_in ? std::string() : hint.substr(0, hint.find(' '));
}

/// Acts on a path: goes into a folder, asks, or does it.
void act(PanelContext& panel, const FileKind& kind, const std::string& text) {
  auto& state = panel.state;
  auto& model = panel.model;
  const std::string name = text.empty() ? usual_name(kind) : text;
  if (name.empty()) {
    if (!kind.opens()) model.tell(std::string("type a name: ") + kind.hint, true);
    return;
  }
  if (model.notice_is_error) model.tell({});  // of a try before this one
  model.guarded([&] {
    fs::path path = meant(state, name);
    std::error_code none;
    const bool is_folder = fs::is_directory(path, none);
    if (is_folder && (!kind.of_folder() || name.ends_with('/'))) return go_into(state, path);
    if (!kind.opens() && !kind.of_folder() && !path.has_extension()) path += kind.endings.front();
    if (kind.check) kind.check(path.string());
    if (!kind.opens() && state.may_replace != path.string() && fs::exists(path, none)) {
      state.may_replace = state.path_text = state.files.proposed = path.string();
      return;  // the dialog asks
    }
    kind.run(panel, path.string());
    remember_file(state, path.string());
    if (!kind.opens()) model.save_folder = path.parent_path();
    state.path_text = path.string();
    model.path_prompt.clear();
  });
}

/// The rows below the field. The one that was chosen; empty: none.
std::string rows(PanelContext& panel, const FileKind& kind, const std::string& typed) {
  auto& ui = panel.ui;
  auto& files = panel.state.files;
  // Looked up twice a second: files come and go.
  const fs::path wanted = typed.find('/') == std::string::npos ? files.folder : meant(panel.state, typed).parent_path();
  if (files.read_at < 0 || ImGui::GetTime() - files.read_at > .5 || files.listed_folder != wanted) {
    files.entries = listed(wanted, endings_of(kind, panel.model));
    files.listed_folder = wanted;
    files.read_at = ImGui::GetTime();
  }
  std::vector<std::string> shown;
  const std::string begin = lower_case(fs::path(typed).filename().string());
  if (typed.empty() && kind.opens())
    for (const auto& path : files.recent)
      if (has_ending(path, endings_of(kind, panel.model))) shown.push_back(path);
  const std::size_t recent = shown.size();
  if (begin.empty()) shown.emplace_back("../");
  for (const auto& entry : files.entries)
    if (begin.empty() || lower_case(entry).starts_with(begin)) shown.push_back(entry);

  const int count = static_cast<int>(shown.size());
  files.row = std::min(files.row, count - 1);
  const bool keys = ui.walk.dialog_has_keys(), moved = keys && ui::move_row(files.row, count);
  std::string chosen;
  const auto parameters = panel.model.scene().parameters();
  ImGui::BeginChild("rows", {0, ImGui::GetContentRegionAvail().y - ui.px(40)}, false, ImGuiWindowFlags_NoNav);
  for (int i = 0; i < count; ++i) {
    const std::string& name = shown[static_cast<std::size_t>(i)];
    const ImVec2 low = ImGui::GetCursorScreenPos();
    const float right = low.x + ImGui::GetContentRegionAvail().x;
    row_ground(ui, i == files.row);
    if (moved && i == files.row) ImGui::SetScrollHereY();
    std::string note = kind.opens() && !name.ends_with('/') ? what_for(parameters, name) : std::string();
    if (static_cast<std::size_t>(i) < recent) note.insert(0, note.empty() ? "recent" : "recent, ");
    const float noted = note.empty() ? 0 : ui::text_width(ui.fonts->body, note) + ui.px(12);
    const std::string shown_name = ui::elide(ui.fonts->body, name, right - low.x - ui.px(12) - noted);
    if (ui::link_button(ui, "row_" + std::to_string(i), shown_name, ui::Icon::none, right - low.x)) chosen = name;
    if (shown_name != name) ui::help_tooltip(ui, name);
    ui::draw_text(ImGui::GetWindowDrawList(), ui.fonts->body, ui.theme->quiet, {right - noted, low.y},
                  {right - ui.px(6), low.y + ui.px(22)}, note, ui::Align::right);
  }
  if (files.entries.empty()) ui::quiet_text(ui, "nothing to open here");
  ImGui::EndChild();
  if (chosen.empty() && files.row >= 0 && keys && ui::enter_pressed())
    chosen = shown[static_cast<std::size_t>(files.row)];
  if (chosen.empty()) return {};
  return fs::path(chosen).is_absolute() ? chosen : (wanted / chosen).string();
}

}  // namespace

std::vector<std::string> listed(const fs::path& folder, const std::vector<std::string>& endings) {
  std::vector<std::string> folders, files;
  std::error_code none;
  for (fs::directory_iterator at(folder, fs::directory_options::skip_permission_denied, none), end; !none && at != end;
       at.increment(none)) {
    const std::string name = at->path().filename().string();
    std::error_code unknown;
    if (name.starts_with('.')) continue;
    if (at->is_directory(unknown))
      folders.push_back(name + "/");
    else if (has_ending(name, endings))
      files.push_back(name);
  }
  std::ranges::sort(folders);
  std::ranges::sort(files);
  folders.insert(folders.end(), files.begin(), files.end());
  return folders;
}

void file_dialog(PanelContext& panel, ImVec2 window) {
  auto& [ui, model, state, simulation, painter, wants, questions, grounds] = panel;
  const auto kind = std::ranges::find(kinds, model.path_prompt, &FileKind::key);
  if (kind == std::end(kinds)) return model.path_prompt.clear();
  const ui::Scope scope(ui, "path");
  begin_dialog(panel, "path", window, 560, 420);
  ui::section_title(ui, kind->title);
  if (kind->run == save_picture) picture_choices(panel);  // before the field, which takes the keyboard
  if (state.files.folder.empty()) {
    std::error_code none;
    state.files.folder = fs::current_path(none);
  }
  const bool opened = !state.prompt_focused;
  // One dialog can follow another.
  if (state.files.kind != kind->key) state.prompt_focused = false;
  if (!state.prompt_focused) {
    state.files.kind = kind->key;
    ImGui::SetKeyboardFocusHere();
    state.may_replace.clear();
    state.files.row = -1;
    // A captured picture is opened, not written over by a text.
    if (!kind->opens() && !kind->of_folder() && !has_ending(state.path_text, kind->endings) && !state.path_text.empty())
      state.path_text = fs::path(state.path_text).replace_extension(kind->endings.front()).string();
  }
  if (!std::exchange(state.prompt_focused, true)) state.files.proposed = state.path_text;
  const bool typing_path = ui.edit.id && ImGui::GetIO().WantTextInput;
  // Where it goes: a path that is typed may name another folder than the one that is listed.
  const fs::path folder = kind->opens() && !typing_path
                              ? state.files.folder
                              : meant(state, typing_path ? ui.edit.text : state.path_text).parent_path();
  ui::quiet_text(ui, ui::elide(ui.fonts->body, (folder.empty() ? state.files.folder : folder).string(),
                               ImGui::GetContentRegionAvail().x));
  if (kind->opens()) ui::quiet_text(ui, all_uses(model));
  ui::wide_text(ui, "file", kind->of_folder() ? "Folder" : "File", state.path_text, kind->hint);
  const bool typing = ui.edit.id && ImGui::GetIO().WantTextInput;
  // What stood there when the dialog opened is no filter: only what is typed over it.
  const std::string& now = typing ? ui.edit.text : state.path_text;
  const std::string typed = now == state.files.proposed ? "" : now;
  if (typed != std::exchange(state.files.typed, typed)) state.files.row = -1;
  // Enter may have opened it, from the palette.
  const bool entered = !opened && ui.walk.dialog_has_keys() && ui::enter_pressed();
  const std::string chosen = rows(panel, *kind, typed);
  const bool replaces =
      !kind->opens() && !state.path_text.empty() && state.may_replace == meant(state, state.path_text).string();
  if (replaces) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ui::draw_text(ImGui::GetWindowDrawList(), ui.fonts->body, ui.theme->warning, {at.x + ui.px(172), at.y},
                  {at.x + ImGui::GetContentRegionAvail().x, at.y + ui.px(26)},
                  "it exists already: Replace overwrites it");
  }
  const bool go = ui::primary_button(ui, "go", replaces ? "Replace" : kind->opens() ? "Open" : "Save");
  ImGui::SameLine();
  const bool cancelled = ui::button(ui, "close", "Cancel");
  ImGui::End();
  if (cancelled)
    model.path_prompt.clear();
  else if (!chosen.empty() && (kind->opens() || chosen.ends_with('/')))
    act(panel, *kind, chosen);
  else if (!chosen.empty())  // what is there already is only named: writing over it is asked for
    state.path_text = state.files.proposed = chosen;
  else if (go || entered)
    act(panel, *kind, state.path_text);
}

}  // namespace warploom
