#include <fmt/format.h>

#include <cctype>
#include <cstdlib>
#include <fstream>

#include "tests/viewer/ui_driver.h"
#include "viewer/app/app.h"
#include "viewer/model/presets.h"
#include "viewer/model/small_scene.h"

// The first ten seconds: the verdict, the small scenes and how they become real, captions, and `auto`.

namespace warploom {
namespace {

/// A window at its first start.
struct UiFirst : DriverTest {
  UiFirst() { d.model.starts_small = true; }
  /// Everything that a window of this name wrote in the last frame would take: how high its words go.
  float bottom_of(const std::string& window) {
    float bottom = 0;
    for (const auto* list : drawn_by(window))
      for (const auto& vertex : list->VtxBuffer) bottom = std::max(bottom, vertex.pos.y);
    return bottom;
  }
  std::string caption() { return caption_text(d.model.shown_scene()); }
  std::string look() {
    const PanelContext panel{d.ui, d.model, d.state, d.model.runner().simulation()};
    return look_at_text(panel);
  }
};

TEST_F(UiFirst, TheVerdictStandsAbovePicturesInEveryScene) {
  for (const ImVec2 size : {ImVec2{900, 600}, ImVec2{1280, 720}, ImVec2{2560, 1440}}) {
    d.resize(size);
    for (const auto& scene : d.model.scenes()) {
      SCOPED_TRACE(std::string(scene->key()) + " " + std::to_string(int(size.x)));
      d.click(std::string("top/") + scene->key());
      d.frames(3);
      EXPECT_GT(d.state.head_height, d.ui.fonts->large->FontSize);
      const float pictures = d.widget("data_A/picture").min.y;
      EXPECT_GE(pictures, d.state.head_height + 39) << "words over a picture";
      EXPECT_LE(bottom_of("verdict"), pictures + 1) << "a line of it is cut";
      EXPECT_GT(bottom_of("verdict"), 40) << "nothing was written";
      EXPECT_FALSE(look().empty());
    }
  }
}

TEST_F(UiFirst, PicturesStayWhereTheyAreWhenTimesCome) {
  for (const ImVec2 size : {ImVec2{900, 600}, ImVec2{1280, 720}, ImVec2{1600, 900}}) {
    d.resize(size);
    d.simulation().timings().clear();
    d.refresh();
    const float before = d.widget("data_A/picture").min.y;
    // Whatever they are.
    for (const double times : {1., 1.3, .7, 12.5, .05}) {
      SCOPED_TRACE(fmt::format("{} wide, {} times", size.x, times));
      d.simulation().timings().clear();
      for (int step = 1; step <= 12; ++step)
        for (const int track : {0, 1})
          d.simulation().timings().add({d.simulation().track(std::size_t(track)).kernel(), track, 1,
                                        (track == 0 ? times : 1) * (1 + .1 * (step % 3)), 0, std::uint64_t(step)});
      d.refresh();
      EXPECT_FALSE(verdict_of(d.simulation(), 1, 0, d.state.shown.ratio(1)).takes.empty());
      EXPECT_EQ(d.widget("data_A/picture").min.y, before);
    }
  }
}

TEST_F(UiFirst, TimesOfTheCpuEngineSaySo) {
  const Ratio ratio{2, 1.5, 3, 20};
  EXPECT_EQ(verdict_of(d.simulation(), 1, 0, ratio, true).takes, "B is 2.00\u00d7 [1.50, 3.00] faster on this CPU.");
  EXPECT_EQ(verdict_of(d.simulation(), 1, 0, Ratio{1, .9, 1.1, 20}, true).takes,
            "B shows no difference on this CPU, [0.90, 1.10]: idle threads end early.");
  for (int i = 0; i < 12; ++i) d.run("step");
  d.refresh();
  const PanelContext panel{d.ui, d.model, d.state, d.model.runner().simulation()};
  ASSERT_EQ(verdicts(panel).size(), 1u);
  EXPECT_NE(verdicts(panel)[0].find(" on this CPU"), std::string::npos) << verdicts(panel)[0];
  EXPECT_NE(figures_with_origin(d.model).find(" on this CPU"), std::string::npos) << "copied as text, too";
}

TEST_F(UiFirst, TabsBeginSmallAndKeepTheirDefaults) {
  d.click("top/bins");
  EXPECT_EQ(d.simulation().track(0).cells(), 60u) << "bodies";
  EXPECT_EQ(caption(), "Bodies: 60 elements in 8 \u00d7 8 \u00d7 1 bins of side 2");
  d.click("top/butterfly");
  EXPECT_EQ(d.shown("n"), "3");
  EXPECT_EQ(to_text(d.parameter("n").preset), "6") << "the default stays";
  d.enter("scene/n", "4");
  d.click("top/fractal");
  EXPECT_EQ(d.shown("level"), "8");
  d.click("top/butterfly");
  EXPECT_EQ(d.shown("n"), "4") << "it is as it was left";
  // Elsewhere than in the window a scene has its defaults.
  Model plain(Backend::cpu, true);
  show_scene(plain, "butterfly");
  const auto parameters = plain.scene().parameters();
  EXPECT_EQ(to_text(std::ranges::find(parameters, "n", &Parameter::key)->get()), "6");
}

TEST_F(UiFirst, FullSizeIsTheDefaultsAndBack) {
  EXPECT_FALSE(applies(d.model, *find_command("full_size"))) << "fractals are as they are";
  EXPECT_FALSE(d.has("verdict/full_size"));
  d.click("top/bins");
  const auto small = d.model.values();
  d.click("verdict/full_size");
  EXPECT_EQ(d.shown("input"), "demo");
  EXPECT_EQ(d.parameter("bin").words(d.value("bin")), "auto (1)");
  for (const auto& parameter : d.model.scene().parameters())
    EXPECT_EQ(to_text(parameter.get()), to_text(parameter.preset)) << parameter.key;
  EXPECT_EQ(d.simulation().track(0).cells(), 16384u);
  d.key('Z', control);
  EXPECT_EQ(d.model.values(), small);
  d.key('F');
  EXPECT_EQ(d.shown("input"), "demo");
  d.key('F');
  EXPECT_EQ(d.model.values(), small);
  // Another application has no small version, and is not turned back into bodies.
  d.choose("scene/application", "blinn");
  EXPECT_EQ(scene_size(d.model), SceneSize::none);
  EXPECT_FALSE(d.has("verdict/full_size"));
  d.key('F');
  EXPECT_EQ(d.shown("application"), "blinn");
}

TEST_F(UiFirst, OptionsGoOverWhatIsShown) {
  const auto shown = [&](const std::vector<std::string>& set) {
    Model model(Backend::cpu, true);
    model.starts_small = true;
    Options options;
    options.words = {"butterfly"};
    options.set = set;
    (void)apply_options(model, options);
    std::string words;
    for (const auto& parameter : model.scene().parameters())
      if (parameter.key == "n" || parameter.key == "batch" || parameter.key == "seed")
        words += to_text(parameter.get()) + " ";
    return words;
  };
  EXPECT_EQ(shown({}), "3 64 7 ");
  EXPECT_EQ(shown({"batch=9"}), "3 9 7 ");
  EXPECT_EQ(shown({"n=5"}), "5 64 7 ") << "who sets the size has the rest real";
}

TEST_F(UiFirst, ASceneTextLeavesNothingSmall) {
  d.click("top/butterfly");
  ASSERT_EQ(d.shown("n"), "3");
  std::ofstream(folder / "s.toml") << "schema = 1\nscene = \"butterfly\"\n[parameters]\nseed = 5\n";
  const std::string file = folder / "s.toml";
  open_scene(d.model, "opened", [&] { return read_scene_file(d.model, file); });
  d.frames(2);
  EXPECT_EQ(d.shown("n"), "6");
}

TEST_F(UiFirst, EverySceneBeginsWithItsFirstTrack) {
  for (const auto& scene : d.model.scenes()) {
    d.model.active_track = 1;
    const std::string was = d.model.scene().key();
    d.click(std::string("top/") + scene->key());
    EXPECT_EQ(d.model.active_track, was == scene->key() ? 1u : 0u) << scene->key();
  }
  d.click("top/fractal");
  EXPECT_EQ(d.model.active_track, 1u) << "as it was left";
}

TEST_F(UiFirst, LaunchGridsOfThreadsAreAsLargeAsTheirData) {
  for (const char* scene : {"fractal", "simplex"})
    for (const std::size_t tracks : {1u, 2u, 3u, 4u}) {
      SCOPED_TRACE(std::string(scene) + " " + std::to_string(tracks));
      d.resize({1280, 720});
      d.click(std::string("top/") + scene);
      d.model.set_tracks(std::vector<std::string>(tracks, "bounding_box"));
      d.frames(3);
      const auto &data = d.widget("data_A/picture"), &grid = d.widget("grid_A/grid");
      EXPECT_NEAR(data.max.y - data.min.y, grid.max.y - grid.min.y, 2);
      EXPECT_EQ(data.max.x - data.min.x, grid.max.x - grid.min.x);
      EXPECT_EQ(data.min.x, grid.min.x) << "always below";
      EXPECT_GE(grid.min.y, data.max.y - 1);
    }
  // Four tracks in a small window: every launch grid can still be read.
  d.click("top/fractal");
  d.resize({900, 600});
  for (const char* path : {"grid_A/grid", "grid_D/grid"}) {
    const auto& small = d.widget(path);
    EXPECT_GE(small.max.x - small.min.x, 160) << path;
    EXPECT_GE(small.max.y - small.min.y, 100) << path;
  }
  d.state.layout.grid_height = 150;
  d.frames(2);
  const auto& grid = d.widget("grid_A/grid");
  EXPECT_LE(grid.max.y - grid.min.y, 160) << "one that was resized stays so";
}

TEST_F(UiFirst, CaptionsAreHumanWords) {
  EXPECT_EQ(caption(), "Sierpinski gasket, level 8: 256 \u00d7 256 places, blocks of 16 \u00d7 16");
  d.click("top/simplex");
  EXPECT_EQ(caption(), "Tetrahedron, n = 96: 152 096 cells, blocks of 8\u00b3");
  d.click("top/butterfly");
  EXPECT_EQ(caption(), "FFT, N = 8, 64 rows of tones");
  for (const auto& scene : d.model.scenes()) {
    d.click(std::string("top/") + scene->key());
    const PanelContext panel{d.ui, d.model, d.state, d.model.runner().simulation()};
    const std::string words = caption_words(panel);
    EXPECT_EQ(words.find('_'), std::string::npos) << words;
    EXPECT_NE(words.find("step"), std::string::npos) << words;
    EXPECT_TRUE(std::isupper(static_cast<unsigned char>(words[0]))) << words;
    d.key(f5);
    EXPECT_GT(d.state.caption_height, 20);
    EXPECT_GT(d.state.head_height, 20);
    d.key(escape);
  }
}

TEST_F(UiFirst, AutoIsWrittenAndTaken) {
  d.open("bins", {{"input", std::string("400")}});
  EXPECT_EQ(d.parameter("cutoff").words(d.value("cutoff")), "auto (1)");
  d.enter("scene/cutoff", "2");
  EXPECT_EQ(d.shown("cutoff"), "2");
  d.enter("scene/cutoff", "auto");
  EXPECT_EQ(std::get<double>(d.value("cutoff")), 0);
  d.enter("scene/cutoff", "1.5");
  d.enter("scene/cutoff", "0");
  EXPECT_EQ(d.parameter("cutoff").words(d.value("cutoff")), "auto (1)") << "numbers as before";
  d.key('Z', control);
  d.key('Z', control | shift);
  EXPECT_NE(d.model.notice.find("Cutoff is auto"), std::string::npos) << d.model.notice;
  d.click("top/butterfly");
  EXPECT_EQ(d.parameter("p").words(d.value("p")), "auto (1, 3)") << "of radix 2 and 8";
  d.enter("scene/p", "2");
  d.enter("scene/p", "auto");
  EXPECT_EQ(d.shown("p"), "-1");
  d.choose("scene/s", "8");
  d.choose("scene/s", "0");
  EXPECT_TRUE(d.parameter("s").words(d.value("s")).starts_with("auto ("));
  d.click("top/fractal");
  d.choose("scene/block", "4");
  d.choose("scene/block", "0");
  EXPECT_EQ(d.shown("block"), "16") << "the largest with at most 256 threads";
  std::set<std::string> given;
  set_parameter(d.model.scene(), "block=auto", given);
  EXPECT_EQ(d.shown("block"), "0");
  const auto read = [&](const std::string& block) {
    (void)read_scene_text(d.model, "schema = 1\nscene = 'fractal'\n[parameters]\nblock = " + block, "text", {});
    return d.shown("block");
  };
  EXPECT_EQ(read("4"), "4");
  EXPECT_EQ(read("'auto'"), "16");
}

/// What the lessons are of stands in their titles, and each opens as it says.
TEST_F(UiFirst, LessonsAreFoundByWordsOfTheirTitlesAndOpen) {
  for (const auto& [words, preset, tracks] :
       std::vector<std::tuple<std::string, std::string, std::vector<std::string>>>{
           {"padding", "lesson_padding", {"regular/count", "compact/range"}},
           {"bank conflicts", "lesson_bank_conflicts", {"radix8", "radix8/shared/padded", "radix8/shared/swizzled"}},
           {"why radix 8", "lesson_radix", {"radix2", "radix4", "radix8"}},
           {"several devices", "several_devices", {"kogge_stone", "ladner_fischer"}},
           {"cap and spill", "lesson_cap", {"regular/count", "regular/count/spill"}}}) {
    SCOPED_TRACE(preset);
    d.look_up(words);
    ASSERT_TRUE(d.has("palette/preset_" + preset)) << words;
    d.click("palette/preset_" + preset);
    d.frames(3);
    EXPECT_FALSE(d.model.notice_is_error) << d.model.notice;
    EXPECT_EQ(d.model.scene().tracks(), tracks);
    d.run("step");
    EXPECT_TRUE(d.seals_agree());
  }
}

/// Texts of scenes that were left stand beside the session as long as they are left; what others wrote stays.
TEST_F(UiFirst, ATextOfASceneGoesWithIt) {
  const char* was = std::getenv("XDG_STATE_HOME");
  const std::string before = was ? was : "";
  setenv("XDG_STATE_HOME", folder.path.c_str(), 1);
  const auto file = [&](const std::string& name) { return folder.path / "warploom" / name; };
  const auto there = [&](const std::string& name) { return std::filesystem::exists(file(name)); };
  d.click("top/bins");
  save_session(d.model, d.state, {});
  EXPECT_TRUE(there("session-fractal.toml"));
  EXPECT_FALSE(there("session-bins.toml")) << "it is in front";
  std::ofstream(file("session-butterfly.toml")) << "# mine\nscene = \"butterfly\"\n";
  std::ofstream(file("session-other.toml")) << "schema = 1\nscene = \"other\"\n";
  d.click("top/fractal");
  save_session(d.model, d.state, {});
  EXPECT_TRUE(there("session-bins.toml"));
  EXPECT_FALSE(there("session-fractal.toml")) << "it is in front again";
  d.model.left.erase("bins");
  save_session(d.model, d.state, {});
  EXPECT_FALSE(there("session-bins.toml"));
  EXPECT_TRUE(there("session-butterfly.toml") && there("session-other.toml")) << "of somebody else";
  EXPECT_TRUE(there("session.toml") && there("layout.toml"));
  if (was)
    setenv("XDG_STATE_HOME", before.c_str(), 1);
  else
    unsetenv("XDG_STATE_HOME");
}

TEST_F(UiFirst, TheVerdictIsMadeWhereItChangesAlone) {
  d.click("top/bins");
  d.frames(30);  // the timings are looked up now and then
  const auto made = [&] { return d.state.verdict.made; };
  auto before = made();
  d.frames(10);
  EXPECT_LE(made(), before + 1);
  before = made();
  d.run("step");
  EXPECT_GT(made(), before);
  before = made();
  d.click("verdict/full_size");
  EXPECT_GT(made(), before);
  EXPECT_EQ(d.state.verdict.size, scene_size(d.model));
  EXPECT_EQ(d.widget("verdict/full_size").label, "Small");
}

}  // namespace
}  // namespace warploom
