#include <cstring>
#include <fstream>
#include <thread>

#include "gpu/tracks/facets/all.h"
#include "tests/row/row_scene.h"
#include "tests/row/row_track.h"
#include "tests/scenes/bins/picture_bins_cases.h"
#include "tests/scenes/butterfly/picture_butterfly_cases.h"
#include "tests/scenes/irregular/picture_irregular_cases.h"
#include "tests/scenes/simplex/picture_simplex_cases.h"
#include "tests/viewer/picture_compare.h"
#include "tests/viewer/picture_still.h"
#include "viewer/gl/framebuffer.h"
#include "viewer/gl/state.h"
#include "viewer/ui/layout.h"

namespace warploom {
namespace {

/// A folder that is the same on every machine.
std::filesystem::path small_folder() {
  const std::filesystem::path folder = "/tmp/warploom-pictures";  // its name is in the golden
  std::filesystem::create_directories(folder / "lecture");
  for (const char* name : {"carpet.toml", "gasket.toml", "start.npy", "notes.txt"}) std::ofstream(folder / name) << "";
  return folder;
}

/// One picture of the fractal scene.
Case shot(const char* name, void (*arrange)(Model&)) {
  return {name, [arrange](Model& model, PanelState&) { arrange(model); }, 1280, 720};
}
/// The same, of which only the pictures and plots are compared.
Case part(const char* name, void (*arrange)(Model&)) {
  Case what = shot(name, arrange);
  what.whole = false;
  return what;
}
Case sized(int width, int height, Case what) {
  what.width = width, what.height = height;
  return what;
}

constexpr Cell usual{67, 251, 0};
void look_near(Model& model, double zoom) {
  pick(model, usual);
  look_at(model, 68 / 256., 250 / 256., zoom);
}
void four(Model& model) {
  give(model, {"tracks=bounding_box,lambda_serial,lambda_table/unroll,lambda_shuffle/lookup"});
}
/// A shipped fractal, or another level.
template <class... Text>
void take(Model& model, Text... assignments) {
  give(model, {assignments...});
}

std::vector<Case> cases() {
  std::vector<Case> all{
      sized(1600, 900, shot("default_dark", [](Model& m) { pick(m, usual), m.active_track = 1, m.formula_level = 2; })),
      shot("default_light", [](Model& m) { pick(m, usual), m.active_track = 1, m.view.theme = "light"; }),
      shot("nothing_picked", [](Model&) {}),
      sized(1600, 900, shot("four_tracks", four)),
      shot("four_tracks_small", four),
      sized(900, 600, shot("small", [](Model&) {})),
      sized(3840, 2160, shot("large_scaled", [](Model& m) { pick(m, usual); })),
      part("one_track_carpet",
           [](Model& m) { take(m, "fractal=sierpinski_carpet", "level=5", "tracks=lambda_shuffle"); }),
      sized(1600, 900, part("numbered_cells", [](Model& m) { look_near(m, 40), m.active_track = 1; })),
      sized(1600, 900, part("numbered_cells_light", [](Model& m) { look_near(m, 18), m.view.theme = "light"; })),
      sized(1600, 900, part("level_12_sampled", [](Model& m) { take(m, "level=12", "tracks=lambda_table"); })),
      part("launch_order", [](Model& m) { m.view.colour_by = ColourBy::launch_order; }),
      part("warps",
           [](Model& m) { take(m, "level=6"), m.view.colour_by = ColourBy::warp, m.view.colormap = "viridis"; }),
      part("flight", [](Model& m) { pick(m, usual), m.view.solid.morph = .5; }),
      part("flight_on_the_grid", [](Model& m) { m.view.solid.morph = 0; }),
      part("flight_near", [](Model& m) { look_near(m, 6), m.view.solid.morph = .93, m.view.theme = "light"; }),
      part("cantor", [](Model& m) { take(m, "fractal=cantor_set", "level=6"); }),
      part("chandelier", [](Model& m) { take(m, "fractal=chandelier", "level=4"); }),
      shot("panels_hidden", [](Model& m) { m.view.panels = false; }),
      part("overlay", [](Model& m) { m.view.overlay = true; }),
      part("error", [](Model& m) { m.set("rule", std::string("B9/S2")); }),
      shot("help", [](Model& m) { m.help_open = true; }),
      part("palette", [](Model& m) { m.palette_open = true; }),
      part("path_prompt", [](Model& m) { m.path_prompt = "open"; }),
      shot("presentation",
           [](Model& m) {
             m.view.presentation = true;
             m.view.pins.push_back({{Selection::cell, usual, 0, {}}, "served by both, by different blocks"});
           }),
      part("slow_launch", [](Model& m) { take(m, "level=6"), m.view.launched = .37; }),
      shot("large_plot", [](Model& m) { m.view.plots[0] = "histogram", m.plot_open = 0; }),
      shot("level_0", [](Model& m) { take(m, "level=0"), pick(m, Cell()); }),
      shot("wasted_thread",
           [](Model& m) {
             m.picked = {Selection::thread, {}, 0, {0, {12, 3, 0}, 0, {5, 7, 0}}};
           }),
  };
  for (Case& one : all) {
    if (one.name == "nothing_picked") one.steps = 0;
    if (one.name == "level_12_sampled") one.steps = 1;
    if (one.name == "large_scaled") one.scale = 2;
    if (one.name == "path_prompt")
      one.arrange = [arrange = one.arrange](Model& model, PanelState& state) {
        state.files.folder = small_folder();
        arrange(model, state);
      };
  }
  return all;
}

PngImage draw(const Case& what, const std::function<void(Model&)>& before_last = {}) {
  Model model(Backend::cpu, true);
  Options options;
  gl::Framebuffer framebuffer(what.width, what.height);
  App app(model, options, nullptr, true);
  app.name_machine(true);
  model.machine.device = "test processor";
  model.machine.gl_renderer = "software";
  model.runner().measure = false;
  what.arrange(model, app.panels());
  model.rebuild();
  for (std::uint64_t i = 0; i < what.steps; ++i) model.runner().step(1);
  if (before_last) before_last(model);
  app.painter().still = true;
  for (int frame = 0; frame < 3; ++frame) {
    invent_timings(model);
    app.panels().shown.at = -1;
    framebuffer.bind();
    app.frame(what.width, what.height, 1.f / 60, what.scale);
    gl::finish();
    gl::check_errors(what.name);
  }
  const PngImage all{what.width, what.height, framebuffer.read_pixels(), {}};
  if (what.whole) return all;
  const ui::Arrangement at = ui::arrange(app.panels().layout, {float(what.width), float(what.height)},
                                         int(model.runner().simulation()->size()), {}, what.scale);
  return cut(all, int(at.centre.min.x), int(at.top.max.y), int(at.centre.max.x), int(at.status.min.y));
}

class Pictures : public Golden, public testing::WithParamInterface<Case> {};

TEST_P(Pictures, LooksLikeItsGolden) {
  PngImage picture = draw(GetParam());
  // Something is shown: the middle holds more than one colour.
  std::set<Rgba> colours(picture.pixels.begin(), picture.pixels.end());
  EXPECT_GT(colours.size(), 16u);
  expect_golden(GetParam().name, GetParam().scale > 1 ? halved(picture) : picture);
}

std::string name_of(const testing::TestParamInfo<Case>& at) { return at.param.name; }
INSTANTIATE_TEST_SUITE_P(Fractal, Pictures, testing::ValuesIn(cases()), name_of);
INSTANTIATE_TEST_SUITE_P(Bins, Pictures, testing::ValuesIn(bins_cases()), name_of);
INSTANTIATE_TEST_SUITE_P(Butterfly, Pictures, testing::ValuesIn(butterfly_cases()), name_of);
INSTANTIATE_TEST_SUITE_P(Irregular, Pictures, testing::ValuesIn(irregular_cases()), name_of);
INSTANTIATE_TEST_SUITE_P(Simplex, Pictures, testing::ValuesIn(simplex_cases()), name_of);

TEST_F(Golden, ABrokenSealIsShown) {
  const Case what{"broken_seal", [](Model&, PanelState&) {}, 1280, 720};
  const PngImage picture = draw(what, [](Model& model) {
    const Simulation& simulation = *model.runner().simulation();
    model.runner().ask([](Queue& queue, Simulation& tracks) {
      const std::vector<Cell> cells{{0, 128, 0}, {0, 129, 0}, {0, 130, 0}};
      auto& editable = tracks.track(1).need<Editable>();
      const auto state = editable.state(queue);
      editable.edit(queue, cells, state[128 * 256] ? 0 : 1);
      tracks.seal(queue, nullptr);
    });
    ASSERT_FALSE(simulation.status()[1].agrees);
    ASSERT_TRUE(simulation.status()[1].diverged);
  });
  expect_golden(what.name, picture);
}

TEST_F(Golden, OneThatFailsShowsWhyAndTheWindowLives) {
  for (const bool synchronous : {true, false}) {
    gl::Framebuffer framebuffer(900, 600);
    Model model(Backend::cpu, true, row_alone());
    App app(model, {}, nullptr, synchronous);
    app.name_machine(true);
    model.rebuild();
    const auto frames = [&] {
      for (int i = 0; i < 200; ++i) {
        framebuffer.bind();
        app.frame(900, 600, 1.f / 60, 1);
        gl::finish();
        if (i > 2 && !app.unfinished()) break;
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
      }
      return framebuffer.read_pixels();
    };
    const auto whole = frames();
    ASSERT_EQ(app.painter().failure(0, 0), nullptr);
    row_pictures_fail = true;
    model.runner().step(2);
    const auto failed = frames();
    row_pictures_fail = false;
    ASSERT_NE(app.painter().failure(0, 0), nullptr);
    EXPECT_EQ(*app.painter().failure(0, 0), "cpu memory: 12 GiB needed, 3 MiB free");
    EXPECT_NE(failed, whole);
    const Rgba bad = ui::theme(ui::ThemeName::dark).bad;
    EXPECT_GT(std::count(failed.begin(), failed.end(), bad), std::count(whole.begin(), whole.end(), bad) + 20);
    model.runner().step(2);
    frames();
    EXPECT_EQ(app.painter().failure(0, 0), nullptr) << "it is tried again with the next state";
  }
}

TEST_F(Golden, NoPictureOfOtherTracksIsShownUnderTheirName) {
  gl::Framebuffer framebuffer(900, 600);
  Model model(Backend::cpu, true, row_alone());
  App app(model, {}, nullptr, false);
  app.name_machine(true);
  model.rebuild();
  const auto frames = [&](int most) {
    for (int i = 0; i < most; ++i) {
      framebuffer.bind();
      app.frame(900, 600, 1.f / 60, 1);
      gl::finish();
      if (i > 2 && !app.unfinished()) break;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    // The middle of the first pane, where its picture is.
    const PngImage all{900, 600, framebuffer.read_pixels(), {}};
    const ui::Arrangement at = ui::arrange(app.panels().layout, {900, 600}, 2, {}, 1);
    const auto pixels = cut(all, int(at.data[0].min.x) + 20, int(at.data[0].min.y) + 40, int(at.data[0].max.x) - 20,
                            int(at.data[0].max.y) - 20)
                            .pixels;
    return std::set<Rgba>(pixels.begin(), pixels.end());
  };
  const auto colours = frames(200);
  ASSERT_FALSE(app.painter().waits(0, 0));
  row_pictures_wait = true;
  ASSERT_TRUE(model.set("n", std::int64_t{48})) << model.notice;
  const auto empty = frames(40);  // 200 ms
  EXPECT_TRUE(app.painter().waits(0, 0));
  EXPECT_GE(std::ranges::count_if(colours, [&](Rgba one) { return !empty.contains(one); }), 2)
      << "cells, dead and alive, are gone";
  row_pictures_wait = false;
  EXPECT_EQ(frames(200), colours);
  EXPECT_FALSE(app.painter().waits(0, 0));
}

}  // namespace
}  // namespace warploom

int main(int count, char** words) {
  testing::InitGoogleTest(&count, words);
  for (int i = 1; i < count; ++i)
    if (std::strcmp(words[i], "--update-goldens") == 0) warploom::update_goldens = true;
  return RUN_ALL_TESTS();
}
