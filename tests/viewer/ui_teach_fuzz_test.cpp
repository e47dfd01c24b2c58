#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <fstream>

#include "gpu/own/registry.h"
#include "tests/viewer/small_tour.h"
#include "tests/viewer/ui_monkey.h"
#include "viewer/cli/view_film.h"
#include "viewer/model/own_watch.h"
#include "viewer/teach/learning.h"
#include "viewer/teach/tour_host.h"

// Somebody without a plan takes tours, answers, works on puzzles, types maps, films and leaves in the middle: nothing
// falls, what is shown stays consistent, and what was there before a tour comes back.

namespace warploom {
namespace {

class Learner : AnyMonkey {
 public:
  explicit Learner(unsigned seed) : AnyMonkey(seed), d({1280, 800}) {
    (void)forget_learning();
    std::ofstream(folder_ / "small.toml") << small_tour;
    d.model.folder = d.model.save_folder = folder_.path.string();
    d.state.files.folder = folder_.path;
    d.model.teaching.tours = known_tours();
    d.model.teaching.puzzles = known_puzzles();
    select_scene(d.model, "simplex");
    d.model.set("n", std::int64_t{12});
    select_scene(d.model, "fractal");
    d.model.set("level", std::int64_t{3});
    d.model.rebuild();
    host_.emplace(stage_, false);
    frames(2);
  }
  ~Learner() {
    film_.finish();
    host_.reset();
    for (const auto& name : own_names()) drop_own(name);
    for (const auto& name : own_rules()) drop_own(name);
    (void)forget_learning();
  }
  Learner(const Learner&) = delete;
  Learner& operator=(const Learner&) = delete;

  void event() {
    using L = Learner;
    constexpr void (L::*kinds[])() = {&L::click, &L::click, &L::click,   &L::click, &L::walk,   &L::walk, &L::command,
                                      &L::open,  &L::wish,  &L::answer,  &L::wheel, &L::drag,   &L::type, &L::wait,
                                      &L::pick,  &L::click, &L::command, &L::walk,  &L::change, &L::edit, &L::film};
    (this->*kinds[below(21)])();
    keep_small();
  }

  void check(int) {
    const Strip& strip = d.model.teaching.strip;
    const std::size_t tracks = d.model.scene().tracks().size();
    ASSERT_TRUE(tracks >= 1 && tracks <= 4);
    ASSERT_TRUE(strip.steps == 0 || strip.step < strip.steps);
    ASSERT_FALSE(strip.open && strip.title.empty());
    ASSERT_TRUE(!strip.asks || strip.asked.low <= strip.asked.high);
    // What tells the answer is not there.
    ASSERT_FALSE(hid_ && d.model.teaching.hides_figures() && d.has("right/threads"));
    hid_ = d.model.teaching.hides_figures();
    const auto simulation = d.model.runner().simulation();
    ASSERT_TRUE(simulation);
    for (const auto& mark : d.model.teaching.marks) ASSERT_FALSE(mark.path.empty() && mark.place.empty());
    ASSERT_LT(d.model.active_track, std::max<std::size_t>(tracks, 1));
  }
  std::string log() const { return noted(); }

 private:
  void frames(int count) {
    for (int i = 0; i < count; ++i) {
      host_->go_on(1 / 60.);
      stage_.live = false;  // what is asked is asked at once
      d.model.update();
      texts_.follow(d.model);
      if (!hand_.idle()) hand_.next();
      d.frame();
      film_.frame(film_size_, 1 / 60.);
    }
  }
  void click() {
    if (d.ui.widgets.empty()) return frames(1);
    const auto widget = one_of(d.ui.widgets);
    if (!widget.visible || widget.path.ends_with("/quit") || widget.path.ends_with("break_it/reach")) return frames(1);
    // Other scenes begin with more than such a run has time for.
    for (const auto& scene : d.model.scenes())
      if (widget.path.ends_with(std::string("/") + scene->key()) && !is_quick(scene->key())) return frames(1);
    note("click " + widget.path);
    d.move(Driver::centre(widget));
    d.press(true);
    frames(1);
    d.press(false);
    frames(1);
  }
  void walk() {
    static constexpr int keys[] = {GLFW_KEY_PAGE_DOWN, GLFW_KEY_PAGE_DOWN, GLFW_KEY_PAGE_UP, GLFW_KEY_ENTER,
                                   GLFW_KEY_ESCAPE,    GLFW_KEY_TAB,       GLFW_KEY_F6,      GLFW_KEY_RIGHT,
                                   GLFW_KEY_DOWN,      GLFW_KEY_Y,         GLFW_KEY_H};
    const int key = one_of(keys);
    note("key " + std::to_string(key));
    hand_.press(key, below(6) == 0 ? GLFW_MOD_CONTROL : 0);
    for (int i = 0; i < 20 && !hand_.idle(); ++i) frames(1);
  }
  void command() {
    const Command& command = one_of(all_commands());
    if (command.name == "quit" || command.name == "break_it" || command.name == "ceiling" ||
        command.name == "time_maps")
      return;
    note("command " + command.name);
    d.run(command);
    frames(1);
  }
  void open() {
    if (below(4) != 0) return frames(1);
    static const std::vector<std::string> tours{"thread_map", "digits", "warps", ""}, puzzles{"full_house", "corner"};
    if (below(3) == 0) {
      const std::string& key = one_of(puzzles);
      note("puzzle " + key);
      for (const auto& row : d.model.teaching.puzzles)
        if (row.key == key) d.model.teaching.puzzle_wanted = row.file;
    } else {
      const std::string& key = one_of(tours);
      note("tour " + key);
      d.model.teaching.tour_wanted = folder_ / "small.toml";
      for (const auto& row : d.model.teaching.tours)
        if (row.key == key) d.model.teaching.tour_wanted = row.file;
      d.model.teaching.step_wanted = below(4) == 0 ? below(12) : 0;
    }
    frames(3);
  }
  void wish() {
    static constexpr TourWish wishes[] = {TourWish::next, TourWish::next,  TourWish::back, TourWish::again,
                                          TourWish::skip, TourWish::check, TourWish::hint, TourWish::end};
    const TourWish what = one_of(wishes);
    note("wish " + std::to_string(static_cast<int>(what)));
    d.model.teaching.wish = what;
    frames(2);
  }
  void answer() {
    AskedQuestion& asked = d.model.teaching.strip.asked;
    asked.given = asked.low + (asked.high - asked.low) * below(11) / 10;
    asked.touched = true;
    if (!asked.choices.empty()) asked.chosen = static_cast<int>(below(static_cast<unsigned>(asked.choices.size())));
    note("answer");
    d.model.teaching.wish = TourWish::answer;
    frames(2);
  }
  void pick() {
    static const std::vector<std::string> places{"cell:2,10", "cell:0,0", "thread:A:0,0:1,1", "block:A:0,0",
                                                 "cell:99,99"};
    d.model.picked = parse_selection(one_of(places), d.model.scene().letters());
    note("pick");
    frames(1);
  }
  void change() {
    note("change");
    const char* key = d.model.scene().key() == std::string("simplex") ? "n" : "level";
    for (const auto& parameter : d.model.scene().parameters())
      if (parameter.key == key) {
        d.model.set(key, std::int64_t{1 + below(5)});
        break;
      }
    if (below(3) == 0) d.run("undo");
    frames(1);
  }
  /// Compiling takes a while: seldom.
  void edit() {
    if (below(30) != 0) return frames(1);
    static const std::vector<std::string> texts{
        "Place place(Block b, Domain) { return {b.x, b.y}; }\n", "Place place(Block b, Domain) { return nowhere; }\n",
        "Place place(Block b, Domain) { return {b.x, b.y} }\n", "bool rule(Around a) { return a(1, 0); }\n", "}"};
    note("edit");
    auto& editing = d.model.editing;
    if (!editing.open) toggle_editor(d.model);
    editing.show("typed.h", one_of(texts), "");
    editing.run_wanted = editing.shown;
    frames(3);
  }
  /// Its command alone is chosen too seldom; a window that changes its size ends the film.
  void film() {
    if (below(30) != 0) return frames(1);  // an encoder takes a while to start
    note("film");
    if (below(4) == 0) film_size_.width = film_size_.width == 64 ? 48 : 64;
    d.run("record");
    frames(1 + static_cast<int>(below(20)));
  }
  void wheel() {
    ui::move_mouse(ImGui::GetIO(), anywhere());
    frames(1);
  }
  void drag() {
    note("drag");
    d.move(anywhere());
    d.press(true);
    d.move(anywhere());
    d.press(false);
    frames(1);
  }
  void type() {
    static const std::vector<std::string> words{"0", "-1", "9999999", "x", "B3/S23", "\xc3\xa4", "nan"};
    note("type");
    for (const char c : one_of(words)) ImGui::GetIO().AddInputCharacter(static_cast<unsigned char>(c));
    frames(1);
  }
  void wait() { frames(1 + static_cast<int>(below(5))); }

  static bool is_quick(const std::string& scene) { return scene == "fractal" || scene == "simplex"; }
  void keep_small() {
    if (!d.model.teaching.strip.open && !is_quick(d.model.scene().key())) {
      // A track may be of a text that does not compile.
      d.model.guarded([&] {
        select_scene(d.model, "fractal");
        d.model.set("level", std::int64_t{3});
        d.model.rebuild();
      });
    }
    if (!d.model.teaching.strip.open)
      for (const auto& parameter : d.model.scene().parameters())
        if (const bool level = parameter.key == "level"; level || parameter.key == "n")
          if (std::get<std::int64_t>(parameter.get()) > (level ? 8 : 20)) {
            d.model.set(parameter.key, std::int64_t{3});
            break;
          }
    d.model.steps_per_frame = std::min<std::uint64_t>(d.model.steps_per_frame, 3);
    // Dialogs may stay open, but nothing is written.
    d.model.path_prompt.clear();
    d.model.capture_wanted.clear();
    d.model.clipboard_wanted.clear();
    d.model.full_screen_wanted = false;
  }

  TemporaryFolder folder_;
  Driver d;
  Hand hand_{d.model, d.ui};
  ScriptStage stage_{d.model, d.ui, d.state, hand_, folder_.path};
  gl::Size film_size_{64, 48};
  WindowFilm film_{d.model, "", 30, [](gl::Size size) {
                     return std::vector<Rgba>(static_cast<std::size_t>(size.width * size.height), 0xff808080);
                   }};
  OwnWatch texts_{{}, [] {}};
  bool hid_ = false;  ///< after the event before
  std::optional<TourHost> host_;
};

TEST(UiTeachFuzz, LearnersDoWhatTheyWant) {
  let_monkeys_loose(1000, 3, [](unsigned seed, int) { return Learner(seed); });
}

}  // namespace
}  // namespace warploom
