#include <chrono>
#include <limits>
#include <thread>

#include "gpu/files/npy.h"
#include "tests/sanitized.h"
#include "tests/viewer/ui_monkey.h"
#include "viewer/model/parameters.h"

// The scene of bins under a user without a plan, while its tracks step on a thread of their own as in the window.

namespace warploom {
namespace {

class BinsMonkey : AnyMonkey {
 public:
  explicit BinsMonkey(unsigned seed) : AnyMonkey(seed), d({1280, 800}, 1, "dark", make_scenes(), false) {
    d.questions = &questions_;
    write_files();
    select_scene(d.model, "bins");
    d.model.set({{"input", std::string("60")}, {"spacing", 0.}});
    d.model.rebuild();
    settle();
  }

  void event() {
    stay();
    using M = BinsMonkey;
    constexpr void (M::*kinds[])() = {&M::drop, &M::application, &M::tracks, &M::cap,     &M::drag_cap, &M::click,
                                      &M::play, &M::move,        &M::drag,   &M::setting, &M::undo,     &M::wait};
    (this->*kinds[below(12)])();
  }

  /// Now and then: every track tells the truth, and the scene is one that can be built.
  void check(int event) {
    if (event % 7 != 6) return;
    settle();
    ASSERT_TRUE(d.model.scene().key() == std::string("bins"));
    ASSERT_EQ(d.simulation().size(), d.model.scene().tracks().size());
    const auto all = d.simulation().status();
    for (std::size_t i = 0; i < all.size(); ++i) ASSERT_TRUE(all[i].agrees) << "track " << i;
    for (const auto& parameter : d.model.scene().parameters()) ASSERT_NO_THROW(parameter.check(parameter.get()));
    ASSERT_FALSE(d.model.quit);
  }

  std::string log() { return noted() + "\nnotice: " + d.model.notice + "\n" + scene_text(d.model); }

 private:
  /// What was asked for is there. Then large inputs, which a click may have chosen, are made small again.
  void settle() {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    const bool playing = d.model.playing;
    d.model.playing = false;
    const auto wait = [&] {
      do {
        d.frame();
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      } while ((d.model.runner().busy() || d.model.building()) && std::chrono::steady_clock::now() < end);
      if (d.model.runner().busy()) throw std::runtime_error("still under way: " + d.model.runner().progress().what);
    };
    stay();
    wait();
    stay();
    wait();
    d.model.playing = playing;
  }
  void stay() {
    if (d.model.scene().key() != std::string("bins")) select_scene(d.model, "bins"), d.model.rebuild();
    const std::string input = d.shown("input");
    if (input == "demo" || input == "small" || input == "large" || input == "random")
      d.model.set("input", std::string("60"));
    if (d.shown("application") == "cutcp" && std::get<double>(d.value("spacing")) < 2) d.model.set("spacing", 4.);
    d.model.steps_per_frame = std::min<std::uint64_t>(d.model.steps_per_frame, 2);
    d.model.path_prompt.clear();
    d.model.capture_wanted.clear();
    d.model.full_screen_wanted = false;
  }

  // ---- events: none waits for what it began ------------------------------------------------------------------------

  void drop() {
    const std::string& file = one_of(files_);
    note("drop " + file.substr(file.rfind('/') + 1));
    try {
      take_file(d.model, file);
    } catch (const Error& error) {
      d.model.tell(error.what(), true);
    }
    d.frame();
  }
  void application() {
    static const std::string all[] = {"nbody", "cutcp", "mri", "blinn"};
    const std::string& wanted = one_of(all);
    note("application " + wanted);
    std::vector<std::pair<std::string, Value>> values{{"application", wanted}, {"input", std::string("60")}};
    if (wanted == "cutcp") values.emplace_back("spacing", 4.);
    d.model.set(values);
    d.frame();
  }
  void tracks() {
    static const std::string all[] = {"none/gather",       "none/scatter",        "regular/count",
                                      "regular/sentinel",  "regular/range",       "compact/bin",
                                      "compact/range",     "compact/trimmed",     "compact/subproblem",
                                      "compact/bin/spill", "regular/count/spill", "compact/range/arrays"};
    std::vector<std::string> wanted;
    for (unsigned i = 0; i < 1 + below(4); ++i) {
      const std::string& name = one_of(all);
      if (std::find(wanted.begin(), wanted.end(), name) == wanted.end()) wanted.push_back(name);
    }
    note("tracks " + std::to_string(wanted.size()) + " from " + wanted[0]);
    d.model.set("tracks", wanted);
    d.frame();
  }
  void cap() {
    static const std::string all[] = {"auto", "0", "1", "3", "10000", "-1", "abc"};
    const std::string& wanted = one_of(all);
    note("cap " + wanted);
    d.model.set("cap", wanted);
    d.frame();
  }
  void drag_cap() {
    const std::string handle = "right/curves/depths/handle";
    if (!d.has(handle) || !d.widget(handle).visible) return d.frame();
    const auto at = d.widget(handle);
    const auto along = [&] { return at.min.x + (at.max.x - at.min.x) * float(below(100)) / 100; };
    const float y = (at.min.y + at.max.y) / 2;
    note("drag the cap");
    d.drag({along(), y}, {along(), y}, int(2 + below(6)));
  }
  void click() {
    if (d.ui.widgets.empty()) return d.frame();
    const auto widget = one_of(d.ui.widgets);
    if (!widget.visible || widget.path.ends_with("/quit") || widget.path.starts_with("path/") ||
        widget.path.starts_with("top/"))
      return d.frame();
    note("click " + widget.path);
    d.click_at(Driver::centre(widget));
  }
  void play() { note("play"), d.run(*find_command(below(2) ? "play" : "step")); }
  void move() { note("move"), d.move(anywhere()); }
  void wait() { d.frames(int(below(4))); }
  void drag() {
    note("drag");
    d.drag(anywhere(), anywhere(), 3);
  }
  void setting() {
    static const std::pair<std::string, Value> all[] = {{"binning", std::string("sort")},
                                                        {"binning", std::string("rank")},
                                                        {"tile", std::int64_t{4}},
                                                        {"tile", std::int64_t{8}},
                                                        {"per_thread", std::int64_t{1}},
                                                        {"per_thread", std::int64_t{4}},
                                                        {"bin", 0.},
                                                        {"bin", 2.},
                                                        {"bin", -1.},
                                                        {"time_step", 0.},
                                                        {"time_step", .01},
                                                        {"seed", std::uint64_t{99}},
                                                        {"input", std::string("1")},
                                                        {"input", std::string("0")},
                                                        {"input", std::string("90")}};
    const auto& [key, value] = one_of(all);
    note("set " + key);
    d.model.set(key, value);
    d.frame();
  }
  void undo() {
    note("undo");
    d.run(*find_command(below(3) ? "undo" : "redo"));
    d.frame();
  }

  void write_files() {
    std::vector<float> atoms(4 * 40), samples(6 * 50), bodies(7 * 30);
    const auto fill = [&](std::vector<float>& all, float most) {
      for (float& one : all) one = (float(below(10000)) / 10000 - .5f) * most;
    };
    fill(atoms, 9);
    for (std::size_t i = 3; i < atoms.size(); i += 4) atoms[i] = 1;  // a charge, a radius, a mass
    fill(samples, 6);
    fill(bodies, 4);
    for (std::size_t i = 3; i < bodies.size(); i += 7) bodies[i] = 1;
    const auto write = [&](const char* name, std::uint64_t columns, const std::vector<float>& values) {
      write_npy(folder_ / name, "<f4", {values.size() / columns, columns}, values.data(),
                values.size() * sizeof(float));
      files_.push_back(folder_ / name);
    };
    write("atoms.npy", 4, atoms);
    write("samples.npy", 6, samples);
    write("bodies.npy", 7, bodies);
    atoms[5] = std::numeric_limits<float>::quiet_NaN();
    write("no_number.npy", 4, atoms);
    write("five.npy", 5, std::vector<float>(atoms.begin(), atoms.begin() + 100));
    std::ofstream(folder_ / "water.xyz") << "3\nwater\nO 0 0 0\nH 0.96 0 0\nH -0.24 0.93 0\n";
    std::ofstream(folder_ / "cut.xyz") << "3\nwater\nO 0 0 0\n";
    std::ofstream(folder_ / "notes.txt") << "nothing\n";
    for (const char* name : {"water.xyz", "cut.xyz", "notes.txt", "gone.npy"}) files_.push_back(folder_ / name);
  }

  TemporaryFolder folder_;
  std::vector<std::string> files_;
  Queue questions_{Backend::cpu};
  Driver d;
};

TEST(UiBinsFuzz, TracksAgreeWhateverIsDoneWhileTheyStep) {
  let_monkeys_loose(sanitized ? 300 : 2000, 5, [](unsigned seed, int) { return BinsMonkey(seed); });
}

}  // namespace
}  // namespace warploom
