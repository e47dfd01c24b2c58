#include "viewer/model/commands.h"
#include "gpu/tracks/facets/all.h"
#include "viewer/model/map_choice.h"
#include "viewer/model/small_scene.h"
#include "viewer/model/user_files.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

namespace warploom {

void measure_copy_ceiling(Model& model);
bool breaks(Model& model);
std::string why_nothing_breaks(Model& model);
std::vector<Command> learn_commands();
void go_to_first_failure(Model& model);

namespace {

constexpr int ctrl = GLFW_MOD_CONTROL, shift = GLFW_MOD_SHIFT;

/// Commands of what some tracks offer apply where one of them is shown.
template <class Facet>
bool any(Model& model) {
  const auto simulation = model.runner().simulation();
  return simulation && any_offers<Facet>(*simulation);
}
template <auto has>
bool shown(Model& model) {
  const auto simulation = model.runner().simulation();
  return simulation && has(*simulation);
}
bool is_solid(const Simulation& tracks) { return shows(tracks, PictureInfo::Shape::solid); }
/// Wasted blocks are shown in solids, and while blocks fly.
bool hollow(Model& model) { return shown<is_solid>(model) || (shown<flies>(model) && model.view.solid.morph < 1); }
bool paintable(Model& model) {
  return (any<Editable>(model) && !shown<is_solid>(model)) || model.scene().facet<DrawnInput>();
}

bool tells_figures(Model& model) { return !model.teaching.hides_figures(); }
std::string why_figures_are_hidden(Model&) {
  return "a question is open: answer it, or skip it, and the figures are there";
}

bool walks(Model& model) { return walked_by_arrows(model) != Walked::nothing; }
bool walks_across(Model& model) { return walks(model) && walked_by_arrows(model) != Walked::handle; }
bool staged(Model& model) { return any<Explained>(model) || any<StagesFacet>(model); }
void pause(Model& model) {
  model.playing = false;
  model.runner().pause();
}

void run_in_editor(Model& model) {
  model.editing.run_wanted = model.editing.shown;
  if (model.editing.has_focus)
    model.editing.focus_frames = OwnEditing::focus_takes;  // Ctrl+Enter ends what is typed into a field
}
bool has_values(Model& model) { return (model.view.source || model.editing.open) && model.source.at(); }
std::string why_no_values(Model& model) {
  return model.source.why_not().empty() ? "no source is shown: Ctrl+Shift+E shows it" : model.source.why_not();
}
bool has_draft(Model& model) { return model.editing.open && model.editing.front(); }
std::string why_no_draft(Model& model) {
  return model.editing.open ? "the editor shows no text: Open begins with an example"
                            : "the editor is closed: Ctrl+E opens it";
}

/// Goes to the next larger or smaller round size; 0: to the normal one.
void scale_interface(Model& model, int towards) {
  constexpr std::array sizes{.5f, .67f, .75f, .9f, 1.f, 1.1f, 1.25f, 1.5f, 1.75f, 2.f, 2.5f, 3.f};
  float next = 1;
  if (towards > 0) {
    const auto larger = std::ranges::find_if(sizes, [&](float s) { return s > model.ui_scale * 1.01f; });
    next = larger == sizes.end() ? sizes.back() : *larger;
  } else if (towards < 0) {
    const auto smaller = std::find_if(sizes.rbegin(), sizes.rend(), [&](float s) { return s < model.ui_scale * .99f; });
    next = smaller == sizes.rend() ? sizes.front() : *smaller;
  }
  model.ui_scale = next;
  model.tell("interface at " + std::to_string(std::lround(100 * next)) + " %");
}

void use_map(Model& model, std::size_t number) {
  const auto choices = map_choices(model.scene());
  if (number >= choices.size() || model.active_track >= model.scene().tracks().size()) return;
  auto tracks = model.scene().tracks();
  const auto& kinds = model.scene().track_kinds();
  std::string& track = tracks[model.active_track];
  const auto own = std::ranges::find(kinds, kind_of_track(track), &TrackInfo::name);
  track = on_same_devices(own == kinds.end() ? choices[number].ways[0]->name : choices[number].like(*own).name, track);
  model.set_tracks(tracks);
}

void compare_with_vendor(Model& model) {
  const auto wanted = model.scene().facet<VendorPeer>()->against_vendor(model.runner().backend());
  if (!model.set(wanted.values)) return;
  model.active_track = model.view.baseline = 0;
  model.tell(wanted.changed.empty() ? "A is tuned, B is the vendor's library" : wanted.changed);
}

void close_topmost(Model& model) {
  if (!std::exchange(model.path_prompt, {}).empty() || std::exchange(model.palette_open, false) ||
      std::exchange(model.pin_open, false) || std::exchange(model.glossary_open, false) ||
      std::exchange(model.help_open, false) || std::exchange(model.plot_open, -1) >= 0)
    return;
  if (std::exchange(model.teaching.tours_open, false) || std::exchange(model.teaching.welcome, false)) return;
  const Strip& strip = model.teaching.strip;
  if (strip.open && strip.steps > 0 && !strip.puzzle) {
    model.teaching.wish = TourWish::end;  // of a tour, whatever its step shows
    return;
  }
  if (!model.notice.empty()) {
    model.tell("");
    model.runner().clear_error();
  } else if (model.tool != Model::Tool::look) {
    model.tool = Model::Tool::look;
  } else if (model.launching || model.view.launched < 1) {
    model.launching = false, model.view.launched = 1;
  } else if (std::exchange(model.teaching.words_open, false)) {
    // It is closed.
  } else if (strip.open) {
    model.teaching.wish = TourWish::end;
  } else if (!std::exchange(model.view.presentation, false)) {
    model.picked = {};
  }
}

std::vector<Command> make_commands() {
  std::vector<Command> all{
      {"play", "Play or pause", GLFW_KEY_SPACE, 0, [](Model& m) { m.playing ? pause(m) : void(m.playing = true); }},
      {"step", "One step", GLFW_KEY_PERIOD, 0,
       [](Model& m) { m.playing = false, m.runner().step(static_cast<unsigned>(m.steps_per_frame)); }},
      {"reset", "Reset to the start state", GLFW_KEY_R, 0, [](Model& m) { m.runner().reset(); }},
      {"formula_previous", "Formula: previous level; network: previous stage", GLFW_KEY_LEFT_BRACKET, 0,
       [](Model& m) { step_stage(m, -1); }, 0, staged},
      {"formula_next", "Formula: next level; network: next stage", GLFW_KEY_RIGHT_BRACKET, 0,
       [](Model& m) { step_stage(m, 1); }, 0, staged},
      {"add_track", "Add a track", GLFW_KEY_L, 0,
       [](Model& m) {
         auto tracks = m.scene().tracks();
         if (tracks.size() >= 4) return m.tell("at most four tracks can be shown", true);
         tracks.push_back(next_track(m.scene()));
         m.set_tracks(tracks);
       }},
      {"remove_track", "Remove the active track", GLFW_KEY_L, shift, [](Model& m) { m.remove_track(m.active_track); }},
      {"next_active_track", "Activate the next track", GLFW_KEY_N, 0,
       [](Model& m) { m.active_track = (m.active_track + 1) % m.scene().tracks().size(); }},
      {"baseline", "Use the active track as the baseline", 0, 0,
       [](Model& m) {
         m.view.baseline = m.active_track;
         m.tell("ratios are against " + m.scene().letter(m.active_track));
       }},
      {"compare_vendor", "Compare with the vendor", 0, 0, compare_with_vendor, 0,
       [](Model& m) { return m.scene().facet<VendorPeer>() != nullptr; }},
      {"pin", "Pin a note to the selection, or remove it", GLFW_KEY_I, 0,
       [](Model& m) {
         if (m.picked.empty()) return m.tell("click a cell or a thread first to pin a note there", true);
         m.pin_open = true;
       }},
      {"fit", "Show everything", GLFW_KEY_HOME, 0,
       [](Model& m) {
         for (auto* planes : {&m.view.data, &m.view.grid}) planes->fill({});
         for (auto* orbits : {&m.view.orbit_data, &m.view.orbit_grid}) orbits->fill({});
       },
       GLFW_KEY_0},
      {"full_size", "Full size of the scene, and back to the small one", GLFW_KEY_F, 0, change_size, 0,
       [](Model& m) { return scene_size(m) != SceneSize::none; }},
      {"morph", "Fly blocks to the launch grid, and back to their cells", GLFW_KEY_M, 0,
       [](Model& m) {
         const double towards = m.morph_towards >= 0 ? m.morph_towards : m.view.solid.morph;
         m.morph_towards = towards > .5 ? 0 : 1;
       },
       0, shown<flies>},
      {"slow_launch", "Slow launch: show blocks in launch order", GLFW_KEY_G, 0,
       [](Model& m) {
         if (!m.launching && m.view.launched >= 1) m.view.launched = 0;
         m.launching = !m.launching;
       },
       0, any<Counted>},
      {"launch_on", "Slow launch: one warp forward", GLFW_KEY_G, shift, [](Model& m) { launch_by(m, 1); }, 0,
       any<Counted>},
      {"launch_back", "Slow launch: one warp back", GLFW_KEY_G, ctrl, [](Model& m) { launch_by(m, -1); }, 0,
       any<Counted>},
      {"waste", "Show or hide wasted blocks of solids and flights", GLFW_KEY_W, 0,
       [](Model& m) { m.view.solid.waste = !m.view.solid.waste; }, 0, hollow},
      {"slice", "Slice pictures along the next axis", GLFW_KEY_X, 0,
       [](Model& m) { m.view.solid.slice_axis = m.view.solid.slice_axis == 2 ? -1 : m.view.solid.slice_axis + 1; }, 0,
       shown<slices>},
      {"break_it", "Break it: go to the first failure of an inexact map", GLFW_KEY_B, 0, go_to_first_failure, 0, breaks,
       why_nothing_breaks},
      {"time_maps", "Measure the cost of the maps alone (beta, tau)", GLFW_KEY_K, 0,
       [](Model& m) {
         m.runner().time_maps();
         if (!m.scene().facet<GainTheory>()) return;
         // In the last place that is shown; where none is, by itself.
         const std::size_t shown = m.plots_shown, place = shown ? shown - 1 : 2;
         if (shown == 0) m.plot_open = static_cast<int>(place);
         if (std::exchange(m.view.plots[place], "gain") == "gain" || shown == 0) return;
         const char* const which[] = {"", "second ", "third "};
         m.tell(std::string("the ") + which[place] + "plot shows the predicted speed-up; click it to choose another");
       },
       0, any<MapAlone>},
      {"ceiling", "Measure memory and dispatch (the ceilings)", GLFW_KEY_K, shift, measure_copy_ceiling},
      {"clear_samples", "Clear the timings so far", GLFW_KEY_BACKSPACE, shift,
       [](Model& m) {
         if (const auto simulation = m.runner().simulation()) simulation->timings().clear();
         m.tell("timings cleared");
       }},
      {"plot", "Enlarge the first plot: others, SVG, PNG, CSV", GLFW_KEY_V, 0,
       [](Model& m) { m.plot_open = m.plot_open < 0 ? 0 : -1; }, 0, tells_figures, why_figures_are_hidden},
      {"paint", "Paint cells or draw the input with the mouse", GLFW_KEY_P, 0,
       [](Model& m) { m.tool = m.tool == Model::Tool::draw ? Model::Tool::look : Model::Tool::draw; }, 0, paintable},
      {"erase", "Erase cells or the drawn input with the mouse", GLFW_KEY_E, 0,
       [](Model& m) { m.tool = m.tool == Model::Tool::erase ? Model::Tool::look : Model::Tool::erase; }, 0, paintable},
      {"panels", "Hide or show the panels", GLFW_KEY_TAB, 0, [](Model& m) { m.view.panels = !m.view.panels; }},
      {"present", "Presentation: only pictures, captions and verdict", GLFW_KEY_F5, 0,
       [](Model& m) { m.view.presentation = !m.view.presentation; }},
      {"forward", "Presentation: next stage, warp or cap", GLFW_KEY_RIGHT, 0, [](Model& m) { walk_on(m, 1); }, 0,
       walks},
      {"back", "Presentation: previous stage, warp or cap", GLFW_KEY_LEFT, 0, [](Model& m) { walk_on(m, -1); }, 0,
       walks},
      {"down", "Presentation: next wire, or a block of warps forward", GLFW_KEY_DOWN, 0,
       [](Model& m) { walk_on(m, 1, true); }, 0, walks_across},
      {"up", "Presentation: previous wire, or a block of warps back", GLFW_KEY_UP, 0,
       [](Model& m) { walk_on(m, -1, true); }, 0, walks_across},
      {"overlay", "Show or hide the timing table over the picture", GLFW_KEY_O, 0,
       [](Model& m) { m.view.overlay = !m.view.overlay; }},
      {"theme", "Dark or light theme", GLFW_KEY_T, 0,
       [](Model& m) { m.view.theme = m.view.theme == "dark" ? "light" : "dark"; }},
      {"motion", "Reduced motion: stop all animations", 0, 0,
       [](Model& m) {
         m.view.motion = !m.view.motion;
         m.tell(m.view.motion ? "motion as usual" : "reduced motion: animations are off");
       }},
      {"capture", "Capture the window as PNG", GLFW_KEY_F12, 0,
       [](Model& m) {
         // Else one is taken in this frame.
         if (m.capture_wanted.empty()) m.capture_wanted = new_picture(m.save_folder).string();
       }},
      {"save_picture", "Save one picture alone (PNG or SVG)", GLFW_KEY_F12, ctrl, ask_for_picture, 0, tells_figures,
       why_figures_are_hidden},
      {"open_scene", "Open a scene, or a file that it takes", GLFW_KEY_O, ctrl,
       [](Model& m) { m.path_prompt = "open"; }},
      {"save_scene", "Save the scene", GLFW_KEY_S, ctrl, [](Model& m) { m.path_prompt = "save"; }},
      {"save_stats", "Save the figures (JSON or CSV)", GLFW_KEY_S, ctrl | shift,
       [](Model& m) { m.path_prompt = "stats"; }, 0, tells_figures, why_figures_are_hidden},
      {"save_dump", "Save the data (a folder of NumPy files)", 0, 0, [](Model& m) { m.path_prompt = "dump"; }, 0,
       tells_figures, why_figures_are_hidden},
      {"copy_figures", "Copy the figures and verdicts as text", GLFW_KEY_C, ctrl | shift,
       [](Model& m) { m.clipboard_wanted = "figures"; }, 0, tells_figures, why_figures_are_hidden},
      {"copy_scene", "Copy the scene text", GLFW_KEY_C, ctrl, [](Model& m) { m.clipboard_wanted = "copy"; }},
      {"paste_scene", "Paste a scene text", GLFW_KEY_V, ctrl, [](Model& m) { m.clipboard_wanted = "paste"; }},
      {"editor", "Write maps of your own: the editor", GLFW_KEY_E, ctrl, toggle_editor},
      {"source", "Show the source of the active track", GLFW_KEY_E, ctrl | shift, toggle_source},
      {"line_before", "Go to the line that the thread ran before", GLFW_KEY_LEFT_BRACKET, shift,
       [](Model& m) { step_source(m, -1); }, 0, has_values, why_no_values},
      {"line_after", "Go to the line that the thread ran next", GLFW_KEY_RIGHT_BRACKET, shift,
       [](Model& m) { step_source(m, 1); }, 0, has_values, why_no_values},
      {"run_map", "Run the text in the editor", GLFW_KEY_ENTER, ctrl, run_in_editor, 0, has_draft, why_no_draft},
      {"save_own", "Save the text in the editor to its file (Ctrl+S in the editor)", 0, 0, save_own_draft, 0, has_draft,
       why_no_draft},
      {"open_in_editor", "Open the file of the text in your own editor", 0, 0, open_in_own_editor, 0, has_draft,
       why_no_draft},
      {"take_home", "Take the tracks home: sources that compile anywhere", 0, 0,
       [](Model& m) { m.path_prompt = "take_home"; }},
      {"comment_lines", "Comment the selected lines of the editor, or no more", GLFW_KEY_SLASH, ctrl,
       [](Model& m) { ++m.editing.comments_wanted; }, 0, has_draft, why_no_draft},
      {"own_words", "The words of own maps (F1 in the editor)", 0, 0, show_own_words},
      {"next_error", "Go to the next error in the editor", GLFW_KEY_F8, 0, [](Model& m) { go_to_error(m.editing, 1); },
       0, has_draft, why_no_draft},
      {"previous_error", "Go to the error before", GLFW_KEY_F8, shift, [](Model& m) { go_to_error(m.editing, -1); }, 0,
       has_draft, why_no_draft},
      {"undo", "Undo the last change of a parameter", GLFW_KEY_Z, ctrl, [](Model& m) { m.undo(); }},
      {"redo", "Redo the last change undone", GLFW_KEY_Z, ctrl | shift, [](Model& m) { m.redo(); }},
      {"cancel", "Cancel long work", GLFW_KEY_BACKSPACE, ctrl, [](Model& m) { m.cancel(); }},
      {"palette", "Command palette", GLFW_KEY_P, ctrl | shift, [](Model& m) { m.palette_open = !m.palette_open; }},
      {"help", "Show the keys that apply", GLFW_KEY_H, 0, [](Model& m) { m.help_open = !m.help_open; }, GLFW_KEY_F1},
      {"glossary", "Glossary: what the words mean", GLFW_KEY_H, shift,
       [](Model& m) { m.glossary_open = !m.glossary_open; }},
      {"larger", "Larger interface", GLFW_KEY_EQUAL, ctrl, [](Model& m) { scale_interface(m, 1); }, GLFW_KEY_KP_ADD},
      {"smaller", "Smaller interface", GLFW_KEY_MINUS, ctrl, [](Model& m) { scale_interface(m, -1); },
       GLFW_KEY_KP_SUBTRACT},
      {"normal_size", "Normal interface size", GLFW_KEY_0, ctrl, [](Model& m) { scale_interface(m, 0); }},
      {"full_screen", "Full screen", GLFW_KEY_F11, 0, [](Model& m) { m.full_screen_wanted = true; }},
      {"walk", "Walk through the widgets by keyboard; on to the next pane", GLFW_KEY_F6, 0,
       [](Model& m) { walk_by_pane(m, 1); }},
      {"walk_back", "Walk through the widgets: back to the pane before", GLFW_KEY_F6, shift,
       [](Model& m) { walk_by_pane(m, -1); }},
      {"close", "Close what is on top", GLFW_KEY_ESCAPE, 0, close_topmost},
      {"quit", "Quit", GLFW_KEY_Q, ctrl, [](Model& m) { m.quit = true; }},
  };
  const auto learn = learn_commands();
  all.insert(std::ranges::find(all, "palette", &Command::name), learn.begin(), learn.end());
  for (std::size_t i = 0; i < 9; ++i)
    all.push_back({"map_" + std::to_string(i + 1), "Active track: map " + std::to_string(i + 1) + " of the list",
                   GLFW_KEY_1 + static_cast<int>(i), 0, [i](Model& m) { use_map(m, i); }});
  return all;
}

std::string key_name(int key) {
  static const std::map<int, const char*> names{
      {GLFW_KEY_SPACE, "Space"},        {GLFW_KEY_ESCAPE, "Esc"},          {GLFW_KEY_TAB, "Tab"},
      {GLFW_KEY_HOME, "Home"},          {GLFW_KEY_BACKSPACE, "Backspace"}, {GLFW_KEY_EQUAL, "+"},
      {GLFW_KEY_LEFT, "Left"},          {GLFW_KEY_RIGHT, "Right"},         {GLFW_KEY_UP, "Up"},
      {GLFW_KEY_DOWN, "Down"},          {GLFW_KEY_ENTER, "Enter"},         {GLFW_KEY_PAGE_UP, "Page Up"},
      {GLFW_KEY_PAGE_DOWN, "Page Down"}};
  if (const auto found = names.find(key); found != names.end()) return found->second;
  if (key >= GLFW_KEY_F1 && key <= GLFW_KEY_F12) return "F" + std::to_string(key - GLFW_KEY_F1 + 1);
  return std::string(1, static_cast<char>(key));  // GLFW's codes of printable keys are ASCII
}

}  // namespace

const std::vector<Command>& all_commands() {
  static const std::vector<Command> all = make_commands();
  return all;
}

std::string key_text(const Command& command) {
  if (command.key == 0) return "";
  const auto text = [&](int key) {
    return std::string(command.modifiers & ctrl ? "Ctrl+" : "") + (command.modifiers & shift ? "Shift+" : "") +
           key_name(key);
  };
  // Keypad keys show the same signs.
  const bool second = command.other_key && command.other_key < GLFW_KEY_KP_0;
  const bool function_key = command.other_key >= GLFW_KEY_F1 && command.other_key <= GLFW_KEY_F12;
  return text(command.key) + (second || function_key ? ", " + text(command.other_key) : "");
}

bool applies(Model& model, const Command& command) { return !command.applies || command.applies(model); }

void carry_out(Model& model, const Command& command) {
  model.last_command = command.name;
  ++model.commands_run;
  if (!applies(model, command))
    return model.tell(command.why_not ? command.why_not(model)
                                      : "'" + command.title + "' has no effect on what is shown");
  model.guarded([&] { command.effect(model); });
}

const Command* key_of_tour(const Model& model, int key, int modifiers, KeysOf keys);
bool answers_question(const Model& model, int key, int modifiers);

const Command* pressed_command(const Model& model, int key, int modifiers, KeysOf keys) {
  if (const Command* of_tour = key_of_tour(model, key, modifiers, keys)) return of_tour;
  const Command* command = find_command(key, modifiers);
  // These work over open dialogs, which a capture may be meant to show.
  constexpr std::array anywhere{GLFW_KEY_F11, GLFW_KEY_F12};
  if (!command || command->name == "quit" || std::ranges::count(anywhere, key)) return command;
  if (keys == KeysOf::list) return nullptr;  // Escape closes it, and nothing below
  if (keys == KeysOf::field && model.editing.has_focus) {
    if (key == GLFW_KEY_S && (modifiers & (ctrl | shift)) == ctrl) return find_command("save_own");
    if (key == GLFW_KEY_F1 && modifiers == 0) return find_command("own_words");
    constexpr std::array of_editor{"editor", "source", "run_map", "comment_lines", "next_error", "previous_error"};
    return std::ranges::count(of_editor, command->name) ? command : nullptr;
  }
  constexpr std::array walked{GLFW_KEY_TAB,  GLFW_KEY_ENTER, GLFW_KEY_SPACE, GLFW_KEY_ESCAPE,
                              GLFW_KEY_LEFT, GLFW_KEY_RIGHT, GLFW_KEY_UP,    GLFW_KEY_DOWN};
  if (model.walking && keys == KeysOf::none && std::ranges::count(walked, key)) return nullptr;
  // Outside a presentation they move nothing.
  if (key >= GLFW_KEY_RIGHT && key <= GLFW_KEY_UP && !model.view.presentation) return nullptr;
  // Nothing behind the list of keys, and behind that of tours, is meant.
  constexpr std::array over_lists{"close", "help", "walk", "walk_back", "tour", "palette", "glossary"};
  if (model.help_open || model.teaching.tours_open)
    return command->name == "close" || (keys == KeysOf::none && std::ranges::count(over_lists, command->name))
               ? command
               : nullptr;
  if (answers_question(model, key, modifiers)) return nullptr;
  const bool asked = model.palette_open || model.pin_open || model.glossary_open || !model.path_prompt.empty();
  return (keys == KeysOf::field || asked) && command->name != "close" ? nullptr : command;
}

const Command* find_command(int key, int modifiers) {
  const int wanted = modifiers & (ctrl | shift);
  for (const auto& command : all_commands()) {
    if (key == command.key && wanted == command.modifiers) return &command;
    if (key == command.other_key && command.other_key && wanted == command.modifiers) return &command;
    // '+' is a shifted '=' on many keyboards.
    if (key == GLFW_KEY_EQUAL && command.key == key && wanted == (ctrl | shift)) return &command;
  }
  return nullptr;
}

const Command* find_command(const std::string& name) {
  const auto& all = all_commands();
  const auto at = std::ranges::find(all, name, &Command::name);
  return at == all.end() ? nullptr : &*at;
}

}  // namespace warploom
