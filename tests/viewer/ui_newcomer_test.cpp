#include "gpu/tracks/facets/all.h"
#include "tests/viewer/ui_driver.h"
#include "viewer/model/parameters.h"

// What a newcomer stumbled over in the finished window.

namespace warploom {
namespace {

using UiNewcomer = DriverTest;

TEST_F(UiNewcomer, UndoStaysInTheSceneThatIsShown) {
  d.enter("scene/level", "5");
  d.click("top/simplex");
  d.enter("scene/n", "20");
  d.click("top/fractal");
  for (int i = 0; i < 3; ++i) d.run("step");
  const auto steps = d.steps();
  d.run("undo");
  EXPECT_EQ(std::string(d.model.scene().key()), "fractal");
  EXPECT_EQ(std::get<std::int64_t>(d.value("level")), 8) << "its own change is undone";
  EXPECT_FALSE(d.model.can_undo());
  d.run("redo");
  EXPECT_EQ(std::get<std::int64_t>(d.value("level")), 5);
  EXPECT_LE(d.steps(), steps);
  d.click("top/simplex");
  EXPECT_EQ(std::get<std::int64_t>(d.value("n")), 20) << "what was done in the other scene stands";
  d.run("undo");
  EXPECT_EQ(std::string(d.model.scene().key()), "simplex");
  EXPECT_EQ(std::get<std::int64_t>(d.value("n")), 96);
}

TEST_F(UiNewcomer, OpeningAnotherSceneKeepsTheOneThatIsLeft) {
  std::ofstream(folder / "simplex.toml") << "schema = 1\nscene = \"simplex\"\n[parameters]\nn = 12\n";
  for (int i = 0; i < 3; ++i) d.run("step");
  take_file(d.model, folder / "simplex.toml");
  d.frames(2);
  ASSERT_EQ(std::string(d.model.scene().key()), "simplex");
  d.click("top/fractal");
  EXPECT_EQ(d.steps(), 3u);
}

TEST_F(UiNewcomer, AnotherSceneBeginsWithItsBlocksWhereTheyWork) {
  d.model.view.solid.morph = 0;
  d.frame();
  d.click("top/simplex");
  EXPECT_EQ(d.model.view.solid.morph, 1);
  d.click("top/fractal");
  EXPECT_EQ(d.model.view.solid.morph, 0) << "as it was left";
}

TEST_F(UiNewcomer, SavingTakesTheNameThatIsProposed) {
  d.state.files.folder = folder.path;
  d.run("plot");
  d.click("plot/svg");
  d.frames(2);
  d.field_key(ImGuiKey_Enter);
  d.frames(2);
  EXPECT_TRUE(std::filesystem::exists(folder / "plot.svg")) << d.model.notice;
  EXPECT_TRUE(d.model.path_prompt.empty());
  Driver e;
  e.state.files.folder = folder.path;
  e.run("save_scene");
  e.frames(2);
  e.click("path/go");
  EXPECT_TRUE(std::filesystem::exists(folder / "scene.toml")) << e.model.notice;
  Driver f;
  f.state.files.folder = folder.path;
  f.run("save_dump");
  f.frames(2);
  f.click("path/go");
  EXPECT_TRUE(f.model.notice_is_error) << "a folder has no usual name";
}

TEST_F(UiNewcomer, TheFirstPageWaitsBelowADialog) {
  d.model.teaching.welcome = true;
  d.frames(3);
  const ImVec2 card = Driver::centre(d.widget("welcome/simplex"));
  d.model.path_prompt = "open";
  d.frames(3);
  const auto& dialog = d.ui.find_whole("path");
  ImVec2 beside = card;
  if (beside.x >= dialog.min.x && beside.x < dialog.max.x && beside.y >= dialog.min.y && beside.y < dialog.max.y)
    beside = Driver::centre(d.widget("welcome/tours"));
  d.click_at(beside);
  EXPECT_EQ(std::string(d.model.scene().key()), "fractal");
  EXPECT_TRUE(d.model.teaching.welcome);
  EXPECT_FALSE(d.model.teaching.tours_open);
  d.click("path/close");
  d.click("welcome/simplex");
  EXPECT_EQ(std::string(d.model.scene().key()), "simplex");
}

TEST_F(UiNewcomer, TheFirstPageLeadsToToursAndToPuzzles) {
  for (int i = 0; i < 30; ++i) {
    TourRow& tour = d.model.teaching.tours.emplace_back();
    tour.key = "tour_" + std::to_string(i);
    tour.title = "A tour";
    PuzzleRow& puzzle = d.model.teaching.puzzles.emplace_back();
    puzzle.key = "puzzle_" + std::to_string(i);
    puzzle.title = "A puzzle";
  }
  for (const bool puzzles : {true, false}) {
    d.model.teaching.welcome = true;
    d.frames(3);
    d.click(puzzles ? "welcome/puzzles" : "welcome/tours");
    d.frames(4);
    EXPECT_TRUE(d.model.teaching.tours_open);
    EXPECT_FALSE(d.model.teaching.welcome);
    EXPECT_EQ(d.ui.find_whole("tours/puzzle_0").visible, puzzles);
    EXPECT_EQ(d.ui.find_whole("tours/tour_0").visible, !puzzles);
    d.click("tours/close");
    d.frames(2);
  }
}

TEST_F(UiNewcomer, WhatLiesBelowADialogWaits) {
  d.run("plot");
  const ImVec2 other = Driver::centre(d.widget("plot/csv"));
  d.click("plot/svg");
  d.frames(3);
  ASSERT_EQ(d.model.path_prompt, "svg");
  d.move(other);
  d.press(true);
  d.press(false);
  d.frames(2);
  EXPECT_EQ(d.model.path_prompt, "svg") << "the plot's button is not reached through the dialog";
  EXPECT_EQ(d.model.plot_open, 0);
}

TEST_F(UiNewcomer, AStateThatIsRightByLuckIsNotCalledSealed) {
  d.show_inexact("9");
  d.model.set({{"block", std::int64_t{1}}, {"density", 0.}});
  d.run("step");
  const auto& simulation = d.simulation();
  ASSERT_GT(simulation.track(1).need<Counted>().counts()->wrong, 0u);
  ASSERT_TRUE(simulation.status()[1].agrees) << "all cells stay dead, also those that no thread serves";
  const auto [words, role] = seal_words(simulation, 1);
  EXPECT_NE(words.find("mis-mapped"), std::string::npos) << words;
  EXPECT_EQ(role, ui::Role::warning);
}

TEST_F(UiNewcomer, TheDotOfATrackLiesOnItsCurve) {
  d.click("top/simplex");
  d.model.set("n", std::int64_t{97});
  const auto curves = d.model.scene().need<Theory>().waste();
  for (const auto& curve : curves) {
    const auto at = std::find(curve.n.begin(), curve.n.end(), 97.);
    ASSERT_NE(at, curve.n.end());
    const auto counts = d.simulation().track(curve.track).need<Counted>().counts();
    EXPECT_NEAR(curve.value[std::size_t(at - curve.n.begin())], double(counts->launched) / double(counts->useful),
                1e-9);
    EXPECT_TRUE(std::is_sorted(curve.n.begin(), curve.n.end()));
  }
}

TEST_F(UiNewcomer, WordsGoByThemselvesAndErrorsStay) {
  d.model.tell("saved x");
  const auto later = std::chrono::steady_clock::now() + std::chrono::seconds(11);
  EXPECT_FALSE(d.model.notice_is_old()) << "just told";
  EXPECT_TRUE(d.model.notice_is_old(later));
  d.model.tell("no such file", true);
  EXPECT_FALSE(d.model.notice_is_old(later));
}

/// What a window of the finished frame drew, vertex by vertex.
std::vector<float> vertices_of(const std::string& window) {
  std::vector<float> all;
  for (const ImDrawList* list : drawn_by(window))
    for (const ImDrawIdx index : list->IdxBuffer) {
      const ImDrawVert& at = list->VtxBuffer[index];
      all.insert(all.end(), {at.pos.x, at.pos.y, at.uv.x, at.uv.y, static_cast<float>(at.col)});
    }
  return all;
}

TEST_F(UiNewcomer, APlotThatIsDrawnAgainIsTheSame) {
  for (int i = 0; i < 12; ++i) d.run("step");
  d.state.shown.at = -1;
  d.state.plot_drawings = {};
  d.frame();
  const auto made = vertices_of("plots");
  d.frame();
  ASSERT_GT(made.size(), 1000u);
  EXPECT_EQ(vertices_of("plots"), made) << "kept vertices";
  d.state.plot_drawings = {};
  d.frame();
  EXPECT_EQ(vertices_of("plots"), made) << "made anew";
  d.model.view.theme = "light";
  d.ui.theme = &ui::theme(ui::ThemeName::light);
  d.frame();
  EXPECT_NE(vertices_of("plots"), made) << "another theme, another picture";
}

TEST_F(UiNewcomer, WhileItPlaysACellIsLookedAtTenTimesASecond) {
  Queue questions(Backend::cpu);
  d.questions = &questions;
  d.model.set("level", std::int64_t{6});
  d.model.rebuild();
  d.move(Driver::centre(d.widget("data_A/picture")));
  ASSERT_FALSE(d.model.hover.empty());
  const auto& looked = d.state.looked;
  const auto holds = [&] {
    const auto now = look_at(questions, d.simulation().track(0), d.model.hover.at);
    return now && looked.look && now->value == looked.look->value && now->alive == looked.look->alive &&
           now->next == looked.look->next;
  };
  EXPECT_TRUE(holds());
  d.model.playing = true;
  const std::uint64_t steps = d.steps();
  int looks = 0;
  for (int frame = 0; frame < 60; ++frame) {
    const double before = looked.at;
    d.frame();
    looks += looked.at != before;
  }
  EXPECT_GE(d.steps(), steps + 50);
  EXPECT_GE(looks, 8) << "in one second";
  EXPECT_LE(looks, 11);
  d.model.playing = false;
  d.frame();
  EXPECT_TRUE(holds()) << "at rest it is that of the picture";
  for (int step = 0; step < 5; ++step) {
    d.run("step");
    EXPECT_TRUE(holds()) << "after a single step, too";
  }
}

}  // namespace
}  // namespace warploom
