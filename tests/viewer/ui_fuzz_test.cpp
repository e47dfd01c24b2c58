#include <map>
#include <regex>

#include "tests/sanitized.h"
#include "tests/viewer/ui_monkey.h"
#include "tests/viewer/ui_seen_marks.h"
#include "tests/viewer/ui_workplace.h"

namespace warploom {
namespace {

class Monkey : AnyMonkey {
 public:
  Monkey(unsigned seed, const char* first) : AnyMonkey(seed), d({1280, 800}) {
    d.questions = &questions_;
    d.model.folder = d.state.files.folder = place_.deep();
    files_ = place_.files();
    d.model.set("level", std::int64_t{3});
    select_scene(d.model, "simplex");
    d.model.set("n", std::int64_t{12});
    select_scene(d.model, "bins");
    d.model.set("input", std::string("60"));
    // Rows of any length would make the run long: what takes more is refused.
    setenv("WARPLOOM_MEMORY_MIB", "6", 1);
    select_scene(d.model, "butterfly");
    d.model.set({{"n", std::int64_t{3}}, {"batch", std::int64_t{4}}});
    select_scene(d.model, "irregular");
    keep_little();
    select_scene(d.model, first);
    was_ = first;
    d.model.rebuild();
    d.model.steps_per_frame = 1;
    for (const auto& one : d.model.scenes()) kept_[one->key()] = values_of(*one);
  }

  ~Monkey() { unsetenv("WARPLOOM_MEMORY_MIB"); }
  Monkey(const Monkey&) = delete;
  Monkey& operator=(const Monkey&) = delete;

  void event() {
    commands_ = d.model.commands_run;
    chosen_.clear();
    may_write_ = may_choose_any_ = false;
    undoes_ = false;
    opens_ = d.model.path_prompt == "open" || d.model.teaching.welcome;  // the first page opens the last scenes
    reset_allowed_ = d.model.palette_open;  // a click meant for what lies below can take a command
    using M = Monkey;
    constexpr void (M::*kinds[])() = {
        &M::click_widget, &M::click_widget, &M::click_widget, &M::click_widget, &M::click_widget, &M::command,
        &M::command,      &M::command,      &M::type,         &M::type,         &M::wheel,        &M::drag,
        &M::move,         &M::key,          &M::press,        &M::wait,         &M::tab};
    (this->*kinds[below(17)])();
    see_scenes();
    keep_small();
    kept_[scene()] = values_of(d.model.scene());
  }

  void check(int) {
    const std::size_t tracks = d.model.scene().tracks().size();
    ASSERT_GE(tracks, 1u);
    ASSERT_LE(tracks, 4u);
    ASSERT_EQ(d.simulation().size(), tracks);
    ASSERT_LT(d.model.active_track, tracks);
    for (std::size_t i = 0; i < tracks; ++i)
      ASSERT_TRUE(d.simulation().status()[i].agrees || !d.simulation().track(i).info().exact);
    for (const auto& parameter : d.model.scene().parameters()) ASSERT_NO_THROW(parameter.check(parameter.get()));
    for (const auto& parameter : d.model.scene().parameters()) {
      const auto legal = parameter.legal();
      ASSERT_TRUE(legal.empty() ||
                  std::find(legal.begin(), legal.end(), std::get<std::int64_t>(parameter.get())) != legal.end())
          << parameter.key;
    }
    // Steps fall only when a new start state was asked for: of the seal of its parameters, or by reset.
    const std::uint64_t steps = d.steps(), start = d.model.scene().build_request(Backend::cpu).start;
    const std::string values = values_of(d.model.scene());
    // A stroke that is undone goes back to its step, too.
    const bool stroke = undoes_ && d.model.notice.ends_with(": the stroke");
    // A scene that is opened comes with its own.
    const bool opened = opens_ && d.model.path_prompt.empty();
    // What is too large is given up, and the old tracks made anew.
    if (d.model.commands_run != commands_ && d.model.last_command == "full_size") reset_allowed_ = true;
    ASSERT_TRUE(start != start_ || reset_allowed_ || stroke || opened || steps >= steps_)
        << steps_ << " to " << steps << "\nbefore: " << values_ << "\nafter:  " << values
        << "\nnotice: " << d.model.notice;
    values_ = values;
    steps_ = steps;
    start_ = start;
    for (const auto& plane : d.model.view.data) {
      ASSERT_TRUE(std::isfinite(plane.x) && std::isfinite(plane.y) && plane.zoom > 0);
    }
    ASSERT_EQ(lost_, "") << "a scene lost parameters";
    // ---- no command runs that was not chosen -----------------------------------------------------------------------
    const std::uint64_t ran = d.model.commands_run - commands_;
    ASSERT_LE(ran, 1u) << d.model.last_command;
    if (ran && !may_choose_any_) {
      ASSERT_NE(std::find(chosen_.begin(), chosen_.end(), d.model.last_command), chosen_.end())
          << "ran unasked: " << d.model.last_command;
    }
    // ---- no file is written that was not asked for -----------------------------------------------------------------
    const auto files = place_.files();
    std::string others;
    for (const auto& [name, holds] : files)
      if (const auto had = files_.find(name); had == files_.end() || had->second != holds) others += " " + name;
    ASSERT_TRUE(may_write_ || files == files_) << "a file was written, or changed, or is gone:" << others;
    files_ = files;
    // ---- what is hovered is marked in every picture that has it ----------------------------------------------------
    // What changed after the pictures of the last frame were drawn shows in the next: tracks that keep_small built, a
    // step that a dialog ordered, an answer that was due for the inspector, a picture that a worker has finished.
    std::string missing = unmarked(d);
    for (int more = 0; more < 3 && !missing.empty(); ++more) {
      d.frame();
      missing = unmarked(d);
    }
    ASSERT_EQ(missing, "");
    ASSERT_FALSE(d.model.quit);
  }

  std::string log() {
    std::string text = noted() + "\nhistory: " + d.model.runner().history();
    const auto status = d.simulation().status();
    for (std::size_t i = 0; i < status.size(); ++i)
      if (status[i].diverged)
        text += "\ntrack " + std::to_string(i) + " diverged at step " + std::to_string(status[i].diverged->step) +
                ", cell " + std::to_string(status[i].diverged->cell.value_or(Cell{}).x) + "," +
                std::to_string(status[i].diverged->cell.value_or(Cell{}).y);
    return text + "\n" + scene_text(d.model);
  }

  Driver d;

 private:
  static std::string values_of(Scene& scene) {
    std::string values;
    for (const auto& parameter : scene.parameters()) values += parameter.key + "=" + to_text(parameter.get()) + " ";
    return values;
  }
  /// A painted scene came back with its cells, which need no file.
  static bool holds_cells(Scene& scene) {
    const auto* stored = scene.facet<StoredState>();
    return stored && !stored->start_origin().second.empty();
  }
  static std::string without_file(const std::string& values) {
    return std::regex_replace(values, std::regex(" state=[^ ]*"), " state=");
  }
  /// Scenes keep their parameters, whatever happens in others: those behind, and one that came to the front by its tab.
  void see_scenes() {
    const bool came = scene() != was_ && !undoes_ && !(opens_ && d.model.path_prompt.empty());
    for (const auto& one : d.model.scenes()) {
      const auto kept = kept_.find(one->key());
      if (kept == kept_.end() || (one->key() == scene() && !came)) continue;
      const std::string now = values_of(*one);
      // What was typed in the scene that is left is taken as its field loses the focus.
      if (one->key() == was_)
        kept->second = now;
      else if (now != (holds_cells(*one) ? without_file(kept->second) : kept->second))
        lost_ = "before: " + kept->second + "\nafter:  " + now + "\nnotice: " + d.model.notice;
    }
  }
  /// Another scene, by its tab.
  void tab() {
    const auto& scenes = d.model.scenes();
    const std::string path = std::string("top/") + scenes[below(static_cast<unsigned>(scenes.size()))]->key();
    note("click " + path);
    if (!d.has(path)) return d.frame();
    if (ImGui::GetIO().WantTextInput) kept_.erase(scene());  // the click takes over what was typed
    const ImVec2 at = Driver::centre(d.widget(path));
    d.move(at);
    chooses_at(at);
    d.press(true);
    chooses_at(at);
    d.press(false);
    reset_allowed_ = true;
  }
  /// The commands that a button under this place runs; "write" where it may write a file.
  std::vector<std::string> under(ImVec2 at) const {
    static const std::map<std::string, std::string> buttons{{"top/play", "play"},
                                                            {"top/step", "step"},
                                                            {"top/reset", "reset"},
                                                            {"top/capture", "capture"},
                                                            {"verdict/full_size", "full_size"}};
    std::vector<std::string> names;
    for (const auto& widget : d.ui.widgets) {
      if (at.x < widget.min.x - 1 || at.y < widget.min.y - 1 || at.x > widget.max.x + 1 || at.y > widget.max.y + 1)
        continue;
      const std::string name = widget.path.substr(widget.path.rfind('/') + 1);
      if (const auto button = buttons.find(widget.path); button != buttons.end()) names.push_back(button->second);
      if (widget.path.starts_with("palette/") || name == "time_maps" || name == "ceiling") names.push_back(name);
      if (widget.path.starts_with("path/")) names.push_back("write");
      if (widget.path.ends_with("break_it/reach")) names.push_back("break_it");
    }
    return names;
  }
  void chooses(const std::vector<std::string>& names) {
    for (const auto& name : names) {
      if (name == "write") may_write_ = true;
      chosen_.push_back(name);
    }
  }
  void chooses_at(ImVec2 at) { chooses(under(at)); }

  void click_widget() {
    if (d.ui.widgets.empty()) return d.frame();
    const auto widget = one_of(d.ui.widgets);
    // Where one that is scrolled away would be, stands another.
    if (!widget.visible) return d.frame();
    // The first failure of a triangle's maps is some ten million blocks away.
    if (widget.path.ends_with("/quit") || widget.path.ends_with("break_it/reach")) return;
    note("click " + widget.path);
    // A scene that is opened comes with its own.
    if (widget.path.starts_with("palette/preset_") || widget.path.starts_with("welcome/recent_"))
      opens_ = undoes_ = true;
    // A slider of the side passes through others, and may come back to where it was.
    if (widget.path.ends_with("reset") || widget.path.ends_with("break_it/slider")) reset_allowed_ = true;
    d.move(Driver::centre(widget));
    // As they lie now: another scene may just have come.
    const auto lies_there = under(Driver::centre(widget));
    if (std::find(lies_there.begin(), lies_there.end(), "break_it") != lies_there.end()) return;
    chooses(lies_there);
    d.press(true);
    chooses_at(Driver::centre(widget));
    d.press(false);
  }
  void command() {
    const Command& command = one_of(all_commands());
    // The ceiling moves gigabytes, and minutes of a sanitizer; TheCeilingIsMeasured asks for it.
    if (command.name == "quit" || command.name == "break_it" || command.name == "ceiling") return;
    // The file of a text is written where it is; what opens it is a program of the user's.
    may_write_ = command.name == "save_own" || command.name == "open_in_editor";
    if (command.name == "open_in_editor") setenv("VISUAL", "true", 1);
    note("key of " + command.name);
    if (command.name == "reset") reset_allowed_ = true;
    undoes_ = command.name == "undo" || command.name == "redo";
    chosen_.push_back(command.name);
    if (ImGui::GetIO().WantTextInput && command.name != "close") return;
    d.run(command);
    d.frame();
  }
  void type() {
    static const std::vector<std::string> words{"0",           "3",       "9999999999999999999999",
                                                "-1",          "B3/S23",  "B/S",
                                                "x",           ".5",      "nan",
                                                "1e400",       "\x7f",    "=",
                                                "nowhere.npy", "B36/S125"};
    if (simplex()) return d.frame();  // any number is a legal side, and most are long runs
    const std::string& word = one_of(words);
    note("type " + word);
    for (const char c : word) ImGui::GetIO().AddInputCharacter(static_cast<unsigned char>(c));
    d.frame();
  }
  void wheel() {
    note("wheel");
    const ImVec2 at = anywhere();
    ui::move_mouse(ImGui::GetIO(), at);
#if IMGUI_VERSION_NUM >= 18700
    ImGui::GetIO().AddMouseWheelEvent(0, static_cast<float>(below(9)) - 4);
#else
    ImGui::GetIO().MouseWheel = static_cast<float>(below(9)) - 4;
#endif
    d.frame();
  }
  void drag() {
    const ImVec2 from = anywhere(), to = anywhere();
    reset_allowed_ = true;
    note("drag " + std::to_string(int(from.x)) + "," + std::to_string(int(from.y)) + " to " +
         std::to_string(int(to.x)) + "," + std::to_string(int(to.y)));
    d.move(from);
    const auto pressed = under(from);
    d.press(true);
    d.move(to);
    // Pressed and let go on one button is a click of it, however the mouse went between; any other drag chooses
    // nothing.
    std::vector<std::string> clicked;
    for (const auto& name : under(to))
      if (std::find(pressed.begin(), pressed.end(), name) != pressed.end()) clicked.push_back(name);
    chooses(clicked);
    d.press(false);
  }
  void move() { d.move(anywhere()); }
  void key() {
    // While the keyboard walks, Enter presses the widget where it is.
    if (d.ui.walk.at.ends_with("break_it/reach")) return;
    if (d.ui.walk.on && d.ui.walk.at.ends_with("reset")) reset_allowed_ = true;
    // Enter takes the row of the palette that is marked, or presses what the keyboard stands on.
    may_choose_any_ = d.model.palette_open || d.ui.walk.on;
    may_write_ = !d.model.path_prompt.empty();
    d.field_key(below(2) ? ImGuiKey_Enter : ImGuiKey_Escape);
  }
  void press() {
    reset_allowed_ = true;  // the mouse may rest on that button
    chooses_at(ImGui::GetIO().MousePos);
    d.press(below(2) != 0);
  }
  void wait() { d.frame(); }
  /// Large domains would make the run long, and playing fast too.
  void keep_small() {
    if (scene() != was_) reset_allowed_ = true;  // another scene, another run
    was_ = scene();
    if (scene() == "butterfly")
      keep_short();
    else if (scene() == "bins")
      keep_few();
    else if (scene() == "irregular")
      keep_little();
    else
      keep_low();
    d.model.steps_per_frame = std::min<std::uint64_t>(d.model.steps_per_frame, 3);
    // Dialogs may stay open, but not lead out of the workplace.
    if (!place_.holds(d.state.files.folder) || !place_.holds(d.state.path_text.find('/') == 0 ? d.state.path_text : ""))
      d.model.path_prompt.clear(), d.state.files.folder = place_.deep(), d.state.path_text.clear();
    d.model.capture_wanted.clear();
    d.model.clipboard_wanted.clear();
    d.model.full_screen_wanted = false;
    if (d.model.notice.size() > 400) d.model.tell("");
  }

  /// Rows.
  void keep_short() {
    const std::string n = d.shown("n"), batch = d.shown("batch");
    if (n.size() > 1 || n > "6" || batch.size() > 2)
      d.model.set({{"n", std::int64_t{3}},
                   {"batch", std::int64_t{4}},
                   {"signal", d.model.scene().parameters()[3].choices[0].key}});
  }
  /// Elements, and outputs.
  void keep_few() {
    const std::string input = d.shown("input"), application = d.shown("application");
    const bool count = !input.empty() && input.size() < 3 && input.find_first_not_of("0123456789") == std::string::npos;
    std::vector<std::pair<std::string, Value>> wanted;
    if (!count) wanted.emplace_back("input", std::string("60"));
    if (application == "cutcp" && std::get<double>(d.value("spacing")) < 3) wanted.emplace_back("spacing", 4.);
    if (wanted.empty()) return;
    d.model.set(wanted);
    reset_allowed_ = true;
  }

  /// Nonzeros, keys, points and tasks.
  void keep_little() {
    const struct {
      const char* key;
      std::int64_t most, usual;
    } all[] = {{"n", 16, 8},     {"count", 200, 60},     {"side", 16, 8},
               {"size", 64, 64}, {"iterations", 64, 16}, {"grain", 4, 0}};
    std::vector<std::pair<std::string, Value>> wanted;
    for (const auto& one : all) {
      const auto value = std::get<std::int64_t>(d.value(one.key));
      // 0 is the usual size of what is run, which is large.
      const bool usual = value == 0 && one.usual != 0;
      if (usual || value > one.most) wanted.emplace_back(one.key, one.usual);
    }
    if (wanted.empty()) return;
    d.model.set(wanted);
    reset_allowed_ = true;
  }

  void keep_low() {
    const char* size = simplex() ? "n" : "level";
    if (std::get<std::int64_t>(d.value(size)) > (simplex() ? 20 : 4)) {
      d.model.set(size, std::int64_t{simplex() ? 12 : 2});
      reset_allowed_ = true;
    }
    // Nor may the slider go there.
    if (simplex() && d.shown("domain") == "triangle" &&
        std::any_of(d.model.scene().tracks().begin(), d.model.scene().tracks().end(),
                    [](const std::string& track) { return track.find("fp32") + 1 || track.find("rsqrt") + 1; }))
      d.model.set_tracks({"bounding_box", "root_exact"});
  }

  std::string scene() { return d.model.scene().key(); }
  bool simplex() { return scene() == "simplex"; }

  std::string was_;  ///< the scene in front, as of the last event
  std::uint64_t steps_ = 0, start_ = 0;
  std::string values_;                       ///< as of the last check
  std::map<std::string, std::string> kept_;  ///< of each scene that was in front, its parameters then
  std::string lost_;
  bool reset_allowed_ = false, undoes_ = false, opens_ = false;
  Workplace place_;
  Queue questions_{Backend::cpu};
  std::map<std::string, std::string> files_;  ///< as of the last check
  std::uint64_t commands_ = 0;                ///< that had run before the event
  std::vector<std::string> chosen_;           ///< by it
  bool may_write_ = false, may_choose_any_ = false;
};

TEST(UiFuzz, RandomEventsKeepTheInvariants) {
  // scripts/long.sh has ten times as many events. Every third run begins among bins: the way there by clicks is rare.
  let_monkeys_loose(sanitized ? 3000 : 10000, 10,
                    [](unsigned seed, int run) { return Monkey(seed, run % 3 == 1 ? "bins" : "fractal"); });
}

}  // namespace
}  // namespace warploom
