#include <fstream>
#include <functional>

#include "gpu/own/registry.h"
#include "tests/viewer/picture_compare.h"
#include "tests/viewer/picture_still.h"
#include "viewer/app/app.h"
#include "viewer/base/paths.h"
#include "viewer/gl/framebuffer.h"
#include "viewer/model/scene.h"
#include "viewer/model/scene_text.h"
#include "viewer/teach/classroom.h"
#include "viewer/teach/learning.h"
#include "viewer/teach/tour_host.h"
#include "viewer/ui/layout.h"

// How tours, puzzles, words, the first page and the editor look: each is brought about as by its user.

namespace warploom {
namespace {

/// A tour with one question of each kind.
const char* const all_kinds = R"(schema = 1
tour = "Four kinds of question"
idea = "Each is asked before its answer is seen."
scene = "fractal"
[[steps]]
title = "A number"
text = "A launch of 16 blocks of 16 threads serves these 81 cells. A [[thread]] whose place is empty works for nothing."
do = """
set level=4 block=4 tracks=bounding_box,lambda_serial
wait built
"""
[steps.ask]
question = "How many of the 256 threads have a cell?"
kind = "number"
low = 0
high = 256
answer = "tracks.A.threads.useful"
said = "Three of four blocks hold cells, and of those three of four quarters, and so on."
[[steps]]
title = "A choice"
text = "A fractal of level 4 has 3 x 3 x 3 x 3 cells."
[steps.ask]
question = "How does it grow with the level?"
kind = "choice"
choices = ["by 2", "by 3", "by 4"]
answer = "by 3"
said = "Each level has three copies of the one before."
[[steps]]
title = "A place"
text = "Some threads have no cell."
[steps.ask]
question = "Click a thread that works for nothing."
kind = "place"
answer = "thread:A:3,0:1,1"
said = "There is nothing at its place."
[[steps]]
title = "A ratio"
text = "B launches only blocks that hold cells."
[steps.ask]
question = "How many times as fast is B?"
kind = "ratio"
why = ["fewer blocks", "fewer bytes"]
said = "It depends on the machine."
)";

class Taught : public Golden {
 protected:
  /// Somebody at the window.
  struct Seat {
    int width, height;
    Model model{Backend::cpu, true};
    gl::Framebuffer framebuffer{width, height};
    App app{model, Options{}, nullptr, true};
    Hand hand{model, app.ui()};
    ScriptStage stage{model, app.ui(), app.panels(), hand, "."};
    std::optional<TourHost> host;

    Seat(int w, int h, const char* theme) : width(w), height(h) {
      app.name_machine(true);
      model.machine.device = "test processor";
      model.machine.gl_renderer = "software";
      model.runner().measure = false;
      model.view.theme = theme;
      model.teaching.tours = known_tours();
      model.teaching.puzzles = known_puzzles();
      model.rebuild();
      host.emplace(stage, false);
      app.painter().still = true;
      frames(3);
    }
    void frames(int count) {
      for (int i = 0; i < count || !hand.idle(); ++i) {
        if (host) host->go_on(1 / 60.);
        stage.live = false;  // what is asked is asked at once
        hand.next();
        model.update();
        invent_timings(model);
        app.panels().shown.at = -1;
        framebuffer.bind();
        app.frame(width, height, hand.idle() ? 1.f / 60 : hand.seconds(), 1);
        gl::finish();
      }
    }
    void click(const std::string& path) {
      hand.click(path);
      frames(4);
    }
    Strip& strip() { return model.teaching.strip; }
    void wish(TourWish what) {
      model.teaching.wish = what;
      frames(4);
    }
    void open_tour(std::size_t step) {
      const auto file = std::filesystem::current_path() / "all_kinds.toml";
      std::ofstream(file) << all_kinds;
      model.teaching.tour_wanted = file.string();
      frames(6);
      for (std::size_t i = 0; i < step; ++i) {
        if (strip().asks) wish(TourWish::skip);
        wish(TourWish::next);
      }
    }
    void open_puzzle(const std::string& key) {
      for (const PuzzleRow& row : model.teaching.puzzles)
        if (row.key == key) model.teaching.puzzle_wanted = row.file;
      frames(4);
    }
  };

  void SetUp() override {
    Golden::SetUp();
    (void)forget_learning();
    std::filesystem::remove(state_folder() / "recent.json");  // of other tests
  }
  void TearDown() override { (void)forget_learning(); }
  void looks_like(const char* name, int width, int height, const char* theme,
                  const std::function<void(Seat&)>& arrange) {
    expect_golden(name, drawn(name, width, height, theme, arrange));
  }
  /// Without what differs from run to run: how long compiling took.
  void centre_looks_like(const char* name, const std::function<void(Seat&)>& arrange) {
    const PngImage all = drawn(name, 1280, 720, "dark", arrange);
    const ui::Arrangement at = ui::arrange({}, {1280, 720}, 2, {}, 1);
    expect_golden(name, cut(all, int(at.centre.min.x), int(at.top.max.y), int(at.centre.max.x), int(at.status.min.y)));
  }
  static PngImage drawn(const char* name, int width, int height, const char* theme,
                        const std::function<void(Seat&)>& arrange) {
    Seat seat(width, height, theme);
    arrange(seat);
    // The mouse is away: nothing is lit by where it happens to be.
    ImGui::GetIO().MousePos = {-1, -1};
    seat.frames(3);
    gl::check_errors(name);
    return {width, height, seat.framebuffer.read_pixels(), {}};
  }
};

TEST_F(Taught, Welcome) {
  const auto open = [](Seat& seat) {
    seat.model.teaching.welcome = true;
    seat.frames(3);
  };
  looks_like("welcome", 1280, 720, "dark", open);
  looks_like("welcome_small_light", 900, 600, "light", open);
}

TEST_F(Taught, QuestionsBeforeAndAfter) {
  looks_like("ask_number", 1280, 720, "dark", [](Seat& seat) { seat.open_tour(0); });
  looks_like("ask_number_answered", 900, 600, "light", [](Seat& seat) {
    seat.open_tour(0);
    seat.strip().asked.given = 90;
    seat.wish(TourWish::answer);
  });
  looks_like("ask_choice", 900, 600, "dark", [](Seat& seat) { seat.open_tour(1); });
  looks_like("ask_choice_answered", 1280, 720, "light", [](Seat& seat) {
    seat.open_tour(1);
    seat.click("tour/choice_2");
    seat.wish(TourWish::answer);
  });
  looks_like("ask_place", 1280, 720, "dark", [](Seat& seat) { seat.open_tour(2); });
  looks_like("ask_place_answered", 1280, 720, "dark", [](Seat& seat) {
    seat.open_tour(2);
    seat.model.picked = parse_selection("thread:A:3,0:2,1", "ABCD");
    seat.frames(4);
    seat.wish(TourWish::answer);
  });
  looks_like("ask_ratio", 1280, 720, "light", [](Seat& seat) { seat.open_tour(3); });
  looks_like("answered_ratio", 900, 600, "dark", [](Seat& seat) {
    seat.open_tour(3);
    seat.host.reset();  // times are others each time
    AskedQuestion& asked = seat.model.teaching.strip.asked;
    asked.answered = true;
    asked.given = 4;
    asked.measured = {1.47, 1.5, 1.53};
    for (int i = 0; i < 60; ++i) asked.spread.push_back(1.5 + .002 * (i * 37 % 60 - 30) + (i % 20 ? 0 : .6));
    asked.verdict = "B was 1.50 [1.47, 1.53] times as fast; you said 4: 2.7 times too high. (CPU engine)";
    seat.frames(2);
  });
}

TEST_F(Taught, PuzzlesSolvedAndNot) {
  looks_like("puzzle_open", 1280, 720, "dark", [](Seat& seat) { seat.open_puzzle("full_house"); });
  looks_like("puzzle_not_solved", 900, 600, "light", [](Seat& seat) {
    seat.open_puzzle("full_house");
    seat.wish(TourWish::check);
    seat.wish(TourWish::hint);
  });
  looks_like("puzzle_solved", 1280, 720, "light", [](Seat& seat) {
    seat.open_puzzle("full_house");
    ASSERT_TRUE(seat.model.set("block", std::int64_t{32}));
    ASSERT_TRUE(seat.model.set("tracks", std::vector<std::string>{"lambda_table/lookup"}));
    seat.wish(TourWish::check);
  });
}

TEST_F(Taught, WordsAndAClass) {
  looks_like("in_words", 1280, 720, "dark", [](Seat& seat) {
    seat.model.teaching.words_open = true;
    seat.frames(4);
    // Every machine has another processor.
    seat.host.reset();
    std::string& words = seat.model.teaching.words;
    const auto at = words.find("on the CPU engine, ") + 19;
    words.replace(at, words.find('\n', at) - at, "test processor.");
  });
  const auto folder = std::filesystem::current_path() / "a-class";
  std::filesystem::remove_all(folder);
  make_classroom(folder, {"Wednesday, the first", {"thread_map"}, {"full_house", "small_break"}, {}});
  looks_like("class", 900, 600, "light", [&](Seat& seat) {
    seat.host->open_class(folder);
    seat.model.teaching.tours_open = true;
    seat.frames(4);
  });
}

TEST_F(Taught, WrongMaps) {
  const std::string
      broken = add_own(read_own_file(WARPLOOM_SOURCE_DIR "/assets/own/rectangle_broken.h")),
      doubled = add_own(read_own_text(
          "doubled.h",
          "Place place(Block b, Domain) { return b.x % 3 ? Place{b.x, b.y, b.z} : Place{1, b.y, b.z}; }\n"));
  const auto of = [&](const char* scene, std::vector<std::string> parameters, const std::string& name) {
    return [=](Seat& seat) {
      select_scene(seat.model, scene);
      std::set<std::string> given;
      auto all = parameters;
      all.push_back("tracks=bounding_box," + name);
      for (const auto& one : all) set_parameter(seat.model.scene(), one, given);
      seat.model.scene().resolve(given, seat.model.folder);
      seat.model.rebuild();
      seat.frames(4);
      EXPECT_EQ(seat.model.view.colour_by, ColourBy::state) << "a scene is as it was saved";
      // The fault of a text that was run here is shown by itself, once.
      seat.model.editing.text_runs();
      seat.frames(2);
      EXPECT_EQ(seat.model.view.colour_by, ColourBy::visits) << scene;
      seat.model.view.colour_by = ColourBy::state;
      seat.frames(2);
      EXPECT_EQ(seat.model.view.colour_by, ColourBy::state) << scene;
      seat.model.view.colour_by = ColourBy::visits;
      seat.frames(2);
    };
  };
  centre_looks_like("wrong_fractal", of("fractal", {"level=6", "block=4"}, doubled));
  centre_looks_like("wrong_triangle", of("simplex", {"domain=triangle", "n=64", "block=16"}, broken));
  centre_looks_like("wrong_tetrahedron", of("simplex", {"domain=tetrahedron", "n=24", "block=4"}, doubled));
  drop_own(broken);
  drop_own(doubled);
}

TEST_F(Taught, Editor) {
  const auto with = [](const std::string& text, int line, int column, const char* words) {
    return [=](Seat& seat) {
      select_scene(seat.model, "simplex");
      seat.model.rebuild();
      auto& editing = seat.model.editing;
      editing.open = true;
      editing.show("rectangle.h", text, "");
      auto& draft = editing.drafts[0];
      draft.status = "rectangle.h:" + std::to_string(line) + ": " + words;
      draft.tried = draft.typed;
      draft.failed = true;
      draft.messages = {{line, column, words}};
      seat.frames(8);
      go_to_error(editing, 1);
      seat.frames(8);
    };
  };
  const std::string map =
      "// A rectangle: the far half is folded over.\n"
      "Place grid(Domain d) { return {(d.blocks + 1) / 2, d.blocks | 1, 1}; }\n\n"
      "Place place(Block b, Domain d) {\n"
      "  const unsigned even = 1 - d.blocks % 2;\n"
      "  if (b.y >= b.x + even) return {b.x, b.y - even};\n"
      "  return {d.blocks - b.x - even, d.block - b.x - even + b.y};\n"
      "}\n";
  const char* const unknown = "'struct Domain' has no member named 'block'; did you mean 'blocks'?";
  looks_like("editor_small", 900, 600, "dark", with(map, 7, 36, unknown));
  looks_like("editor_light", 1600, 900, "light", with(map, 7, 36, unknown));
  std::string long_text;
  for (int i = 1; i <= 1000; ++i)
    long_text += i == 900 ? "unsigned f" + std::to_string(i) + "() { return nothing; }\n"
                          : "unsigned f" + std::to_string(i) + "() { return " + std::to_string(i) + "; }\n";
  looks_like("editor_line_900", 1280, 720, "dark",
             with(long_text, 900, 23, "'nothing' was not declared in this scope"));
}

}  // namespace
}  // namespace warploom
