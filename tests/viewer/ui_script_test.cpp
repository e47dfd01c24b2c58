#include <random>

#include "tests/viewer/mutated.h"
#include "tests/viewer/ui_driver.h"
#include "viewer/teach/run_script.h"
#include "viewer/teach/words.h"

// Scripts: how they are read, and what they do in a window that draws nothing (docs/scripts.md).

namespace warploom {
namespace {

std::vector<std::string> texts(std::string_view line) {
  std::vector<std::string> all;
  for (const auto& word : script_words(line)) all.push_back(word.text);
  return all;
}

TEST(ScriptWords, QuotesKeepSpacesAndHashesEndLines) {
  EXPECT_EQ(texts("set  level=4\tblock=2 # the rest"), (std::vector<std::string>{"set", "level=4", "block=2"}));
  EXPECT_EQ(texts(R"(say "a # \"b\" \\ c" x="y z")"), (std::vector<std::string>{"say", "a # \"b\" \\ c", "x=y z"}));
  EXPECT_EQ(script_words("say \"\"").size(), 2u);
  EXPECT_TRUE(texts("   # nothing").empty());
  EXPECT_THROW((void)script_words("say \"a"), FileError);
}

const Expression::Json figures = Expression::Json::parse(R"({
  "scene": "fractal", "steps": 7, "parameters": {"level": 4}, "results": {"cells": 81},
  "tracks": [
    {"letter": "A", "agrees": true, "seal": "0012", "layout": "linear", "threads": {"launched": 256, "useful": 81},
     "layouts": [{"name": "blocked", "sectors": 4}, {"name": "linear", "sectors": 9}]},
    {"letter": "B", "agrees": false, "layout": null, "threads": null, "layouts": [],
     "network": {"by_stage": [{"w": {"n": 3}}, {"w": null}, {"w": {"n": 4}}]}}]})");

Expression::Answer ask(const std::string& text) {
  const auto window = [](const std::vector<std::string>& path) -> Expression::Json {
    if (path[0] == "active") return "B";
    return path.size() > 1 && path[1] == "useful" ? Expression::Json(true) : Expression::Json();
  };
  return Expression::read(text).ask({&figures, window});
}

TEST(Expressions, AskFiguresAndTheWindow) {
  for (const char* true_one :
       {"steps = 7", "scene = fractal", "scene = \"fractal\"", "tracks.A.threads.launched = 256",
        "tracks.0.agrees = true", "tracks.A.threads.launched - tracks.A.threads.useful = 175",
        "tracks.A.layouts.own.sectors = 9", "tracks.B.network.by_stage.*.w.n = 7", "tracks.B.threads = null",
        "parameters.level + 3 >= steps", "steps != 8", "active = B", "selection.useful = true",
        "selection.space = null", "tracks.A.seal = \"0012\"", "1.5 < 2", "results.cells > 80", "results.cells <= 81"})
    EXPECT_TRUE(ask(true_one).holds) << true_one << ": " << ask(true_one).why;
  EXPECT_EQ(ask("tracks.A.threads.launched = 5").why, "tracks.A.threads.launched = 5: it is 256");
  EXPECT_EQ(ask("steps = results.cells").why, "steps = results.cells: it is 7, against 81");
}

TEST(Expressions, WhatIsNotThereDoesNotHold) {
  for (const char* none :
       {"tracks.C.agrees = true", "tracks.B.threads.launched = 0", "tracks.B.threads + 1 = 1", "results.cell = 81",
        "tracks.B.layouts.own.sectors = 0", "scene < 4", "tracks.*.none + 1 = 2"}) {
    EXPECT_FALSE(ask(none).holds) << none;
    EXPECT_FALSE(ask(none).why.empty()) << none;
  }
}

TEST(Expressions, MalformedOnesAreRefused) {
  const std::pair<const char*, const char*> wrong[] = {{"steps", "LEFT OP RIGHT"},
                                                       {"= 4", "empty"},
                                                       {"steps = ", "empty"},
                                                       {"steps = 4 = 4", "second operator"},
                                                       {"steps 4 = 4", "missing"},
                                                       {"steps 4 5 = 4", "+ or -"},
                                                       {"steps + = 4", "missing"},
                                                       {"trakcs.A.agrees = true", "'tracks'"},
                                                       {"tracks..agrees = true", "missing"},
                                                       {"tracks.A.kernels.0.median_ms < 5", "times differ"},
                                                       {"tracks.B.ratio_to_baseline.median > 1", "times differ"},
                                                       {"frame.median_ms < 4", "times differ"}};
  for (const auto& [text, why] : wrong) try {
      (void)Expression::read(text);
      ADD_FAILURE() << text;
    } catch (const FileError& error) {
      EXPECT_NE(std::string(error.what()).find(why), std::string::npos) << text << ": " << error.what();
    }
}

struct Scripts : DriverTest {
  /// Runs lines over the driver's window; what they throw is the answer, empty: nothing.
  std::string run(const std::string& text) {
    code = ExitCode::done;
    try {
      const Script script = read_script(text, "s.txt", {.scene = d.model.scene().key(), .folder = folder.path});
      Scenery scenery{d.ui, d.state, [this](float seconds) { d.frame(seconds); }, nullptr};
      run_script(d.model, script, scenery, [] { return false; });
    } catch (const Error& error) {
      code = error.code();
      return error.what();
    }
    return {};
  }
  ExitCode code = ExitCode::done;
};

TEST_F(Scripts, DoWhatAPersonCanDo) {
  EXPECT_EQ(run("scene simplex\nset n=40 block=4\nwait built\ncheck parameters.n = 40\nstep 3\ncheck steps = 3\n"
                "track B\ncheck active = B\nselect cell:0,0,0\ncheck selection.useful = true\n"
                "view explode=2 theme=light plots=[\"times\",\"waste\",\"frames\"] in 2\ncheck view.explode = 2\n"
                "check view.theme = light\nwaste off\nwaste off\ncheck view.waste = off\noverlay on\n"
                "step\ncheck steps = 4\nreset\ncheck steps = 0\nplay on\nwait 5 frames\nplay off\n"
                "check steps >= 4\nselect none\ncheck selection.space = null\n"),
            "");
}

TEST_F(Scripts, ValuesOfOneLineAreOneStepOfUndo) {
  const auto before = d.model.values();
  EXPECT_EQ(run("set level=4 block=4\n"), "");
  d.model.undo();
  EXPECT_EQ(d.model.values(), before);
}

TEST_F(Scripts, MarksAreDrawnAndScrolledTo) {
  d.resize({900, 600});
  EXPECT_EQ(run("mark data_A \"81 cells\"\nmark cell:1,1 here\nmark right/threads\n"), "");
  EXPECT_EQ(d.model.teaching.marks.size(), 3u);
  const auto drawn = [&] {
    d.frames(2);
    return ImGui::GetForegroundDrawList()->VtxBuffer.Size > 0;
  };
  EXPECT_TRUE(drawn());
  d.model.plot_open = 0;  // it lies over them
  EXPECT_FALSE(drawn());
  d.model.plot_open = -1;
  EXPECT_TRUE(drawn());
  EXPECT_EQ(run("unmark\n"), "");
  EXPECT_TRUE(d.model.teaching.marks.empty());
  EXPECT_NE(run("mark nowhere/at/all\n").find("s.txt:1: mark nowhere/at/all"), std::string::npos);
  EXPECT_EQ(code, ExitCode::verification);
  EXPECT_NE(run("\nclick nowhere\n").find("s.txt:2: "), std::string::npos);
  EXPECT_EQ(code, ExitCode::verification);
}

TEST_F(Scripts, MouseAndKeysReachTheWindow) {
  EXPECT_EQ(run("click top/simplex\ncheck scene = simplex\ntype scene/n 24\ncheck parameters.n = 24\npress T\n"
                "check view.theme = light\npress Ctrl+Z\ncheck parameters.n != 24\n"),
            "");
}

TEST_F(Scripts, AHoverStaysUntilTheMouseMoves) {
  EXPECT_EQ(run("hover cell:0,0\nwait 3 frames\ncheck hover.space = cell\n"), "");
  d.move({300, 300});
  d.move({500, 400});
  EXPECT_TRUE(d.model.teaching.hover.empty());
}

TEST_F(Scripts, NothingRunsOfATextThatIsWrong) {
  const std::pair<const char*, const char*> wrong[] = {{"stepp", "'step'"},
                                                       {"set levell=4", "'level'"},
                                                       {"view zom=2", "'zoom'"},
                                                       {"scene fractals", "'fractal'"},
                                                       {"preset none_such", "preset"},
                                                       {"track E", "A, B, C or D"},
                                                       {"step 1.5", "whole number"},
                                                       {"wait 3600 s", "0 to 60"},
                                                       {"wait forever", "built"},
                                                       {"play maybe", "on or off"},
                                                       {"fit now", "unexpected"},
                                                       {"press Ctrl+Nokey", "key"},
                                                       {"capture a.jpg", ".png"},
                                                       {"check steps", "OP"},
                                                       {"set level", "KEY=VALUE"},
                                                       {"view zoom=2 in 90", "0.1 to 20"}};
  for (const auto& [line, why] : wrong) {
    const std::string said = run(std::string("set level=3\n") + line + "\n");
    EXPECT_TRUE(said.starts_with("s.txt:2: ")) << said;
    EXPECT_NE(said.find(why), std::string::npos) << line << ": " << said;
    EXPECT_EQ(code, ExitCode::failure) << line;
    EXPECT_NE(d.shown("level"), "3") << line;
  }
}

TEST_F(Scripts, WhatIsRefusedWhereItStandsEndsTheScript) {
  for (const char* line : {"set level=99", "track D", "slice", "select cell:9999,1"}) {
    const std::string said = run(std::string("fit\n") + line + "\nset level=2\n");
    EXPECT_TRUE(said.starts_with("s.txt:2: ")) << said;
    EXPECT_EQ(code, ExitCode::failure) << line;
    EXPECT_NE(d.shown("level"), "2");
  }
}

TEST_F(Scripts, ToursWriteNoFilesAndSayTheStateOfToggles) {
  for (const char* line : {"stats s.json", "capture c.png", "dump d", "play", "waste", "set state=../x.npy"}) try {
      (void)read_script(line, "t.toml", {.scene = "fractal", .tour = true, .folder = folder.path});
      ADD_FAILURE() << line;
    } catch (const FileError& error) {
      EXPECT_TRUE(std::string(error.what()).starts_with("t.toml:1: ")) << error.what();
    }
}

/// Mutated scripts are read or refused by Error, and nothing is written.
TEST_F(Scripts, MutatedOnesAreReadOrRefused) {
  const std::string whole =
      "scene fractal\nset level=4 block=4 tracks=bounding_box,lambda_table/lookup\nwait built\nmark data_A \"81 "
      "\\\"c\"\n"
      "view launched=0.5 center=[0.25,0.5] in 2\ncheck tracks.A.threads.launched - tracks.A.threads.useful = 175\n"
      "select thread:A:3,0:1,1\npress Ctrl+Shift+P\nstep 3 # three\nwait 2 s\nsay \"a\"\ncheck results.* > 4\n";
  std::mt19937 random(1119);
  for (int i = mutated_texts(300); i > 0; --i) {
    const std::string text = mutated(whole, random);
    try {
      (void)read_script(text, "s.txt", {.scene = "fractal", .tour = i % 2 == 0, .folder = folder.path});
    } catch (const Error& error) {
      EXPECT_TRUE(std::string(error.what()).starts_with("s.txt:")) << error.what();
    }
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder.path));
}

}  // namespace
}  // namespace warploom
