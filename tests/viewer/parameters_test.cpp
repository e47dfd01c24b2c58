#include <map>
#include <random>
#include <sstream>

#include "tests/files/files.h"
#include "tests/sanitized.h"
#include "tests/viewer/parameters.h"
#include "viewer/app/app.h"
#include "viewer/base/png.h"
#include "viewer/model/scene_text.h"

namespace warploom {
namespace {

/// A legal value by chance, extremes more often than chance would have them.
std::string random_value(const Parameter& p, Scene& scene, std::mt19937_64& random) {
  const auto pick = [&](const auto& of) { return of[random() % of.size()]; };
  static const std::map<std::string, std::vector<std::string>> words{
      {"butterfly.curve", {"0 1", "-1 0.25 1e-3", "0 0 0 1"}},
      {"irregular.matrix", {"stencil5", "fem", "circuit", "random"}},
      {"irregular.hyb_width", {"bytes", "cusp", "0", "3"}},
      {"irregular.keys", {"voxels", "random", "sequential", "duplicates"}},
      {"irregular.points", {"clusters", "uniform", "sheet", "line", "equal"}}};
  if (const auto of_key = words.find(std::string(scene.key()) + "." + p.key); of_key != words.end())
    return pick(of_key->second);
  switch (p.kind) {
    case Parameter::Kind::integer: {
      if (const auto legal = p.legal(); !legal.empty()) return std::to_string(pick(legal));
      const double most = std::min(p.maximum, std::max(7., p.minimum + 7));
      return std::to_string(std::int64_t(p.minimum) + std::int64_t(random() % std::uint64_t(most - p.minimum + 1)));
    }
    case Parameter::Kind::natural:
      return pick(std::vector<std::string>{"0", "1", "18446744073709551615", "9223372036854775807",
                                           "9223372036854775808", std::to_string(random())});
    case Parameter::Kind::real: {
      std::vector<std::string> legal;
      for (const char* text :
           {"0", "1", "5e-324", "2.2250738585072014e-308", "0.1", "0.30000000000000004", "0.9999999999999999"})
        if (std::stold(text) >= p.minimum && std::stold(text) <= p.maximum) legal.emplace_back(text);
      legal.push_back(to_text(Value(std::uniform_real_distribution<double>(p.minimum, p.maximum)(random))));
      return pick(legal);
    }
    case Parameter::Kind::choice:
      return pick(p.choices).key;
    case Parameter::Kind::list: {
      std::string text;
      const auto least = std::uint64_t(p.minimum), most = std::uint64_t(p.maximum),
                 count = least + random() % (most - least + 1);
      for (std::uint64_t i = 0; i < count; ++i) text += (i ? "," : "") + pick(p.choices).key;
      return text;
    }
    case Parameter::Kind::text: {
      if (p.key == "cap") return random() % 2 ? "auto" : std::to_string(random() % 100);
      std::string born, survive;
      // A cell of a tetrahedron has six neighbours.
      const bool six = std::string(scene.key()) == "simplex" && to_text(parameter(scene, "domain").get()) != "triangle";
      for (int digit = 0; digit <= (six ? 6 : 8); ++digit) {
        if (random() % 2) born += std::to_string(digit);
        if (random() % 2) survive += std::to_string(digit);
      }
      return "B" + born + "/S" + survive;
    }
    case Parameter::Kind::path:
      return p.key == "input" ? std::to_string(random() % 100 + 3) : "";
  }
  return "";
}

TEST(Parameters, CommandLineToSceneTextAndBackIsTheIdentity) {
  for (const auto& shipped : make_scenes()) {
    std::mt19937_64 random(3);
    int taken = 0;
    for (int round = 0; taken < (sanitized ? 40 : 150); ++round) {
      ASSERT_LT(round, 30'000) << shipped->key();
      Model model(Backend::cpu, true);
      select_scene(model, shipped->key());
      std::set<std::string> given;
      std::string line;
      // Level and fractal come before the block, whose legal values follow from them.
      for (const auto& p : model.scene().parameters()) {
        if (p.key == "block") model.scene().resolve(given, model.folder);
        // What may be chosen follows from what was set before: asked anew.
        const std::string assignment =
            p.key + "=" + random_value(parameter(model.scene(), p.key), model.scene(), random);
        line += " --set " + assignment;
        set_parameter(model.scene(), assignment, given);
      }
      SCOPED_TRACE(line);
      try {
        model.scene().resolve(given, model.folder);
      } catch (const UsageError&) {  // a work or rule of another domain: drawn anew
        ASSERT_NE(std::string(shipped->key()), "fractal");
        continue;
      }
      ++taken;
      const std::string text = scene_text(model);
      Model other(Backend::cpu, true);
      ASSERT_NO_THROW(read_scene_text(other, text, "text", ".")) << text;
      ASSERT_EQ(other.values(), model.values()) << text;
      ASSERT_EQ(scene_text(other), text);
      for (const auto& p : model.scene().parameters()) ASSERT_EQ(p.parse(to_text(p.get())), p.get()) << p.key;
    }
  }
}

TEST(Parameters, ABadValueNamesTheKeyTheRangeAndTheNearest) {
  for (const auto& scene : make_scenes())
    for (const auto& p : scene->parameters()) {
      SCOPED_TRACE(p.key);
      std::set<std::string> given;
      const auto refused = [&](const std::string& value) {
        return message_of<Error>([&] { set_parameter(*scene, p.key + "=" + value, given); });
      };
      switch (p.kind) {
        case Parameter::Kind::integer:
        case Parameter::Kind::real:
          for (const char* value : {"", "x", "1x", "nan", "-2", "1e99"})
            expect_parts(refused(value), {p.key, p.range()});
          break;
        case Parameter::Kind::natural:
          for (const char* value : {"", "-1", "18446744073709551616", "1.5"}) expect_parts(refused(value), {p.range()});
          break;
        case Parameter::Kind::choice:
        case Parameter::Kind::list: {
          // A key of one character has nothing left to be near to.
          std::string typo = p.choices[0].key.size() > 1 ? p.choices[0].key : p.choices.back().key;
          typo.pop_back();
          expect_parts(refused(typo), {p.key, "did you mean '"});
          break;
        }
        default:
          break;
      }
      std::string key = p.key;
      if (key.size() > 1)
        std::swap(key[0], key[1]);
      else
        key += key;
      expect_parts(message_of<Error>([&] { set_parameter(*scene, key + "=1", given); }),
                   {"did you mean '" + p.key + "'"});
    }
}

TEST(Parameters, ListsKnowTheirLengths) {
  auto scene = make_scenes()[0]->copy();
  const Parameter tracks = parameter(*scene, "tracks");
  EXPECT_THROW((void)tracks.parse(""), UsageError);
  EXPECT_THROW((void)tracks.parse("bounding_box,bounding_box,bounding_box,bounding_box,bounding_box"), UsageError);
  EXPECT_THROW((void)tracks.parse("bounding_box,,bounding_box"), UsageError);
}

TEST(SceneText, ViewSelectionAndMaskComeBack) {
  Model model(Backend::cpu, true);
  model.scene().need<OwnText>().read({{"name", "my mask"}, {"rows", std::vector<std::string>{"#.#", ".#.", "#.#"}}});
  model.set("level", std::int64_t{3});
  for (auto& plane : model.view.data) plane = {.25, .75, 3.5};
  model.view.colormap = "viridis";
  model.view.colour_by = ColourBy::warp;
  model.view.theme = "light";
  model.view.panels = model.view.one_scale = false;
  model.picked.space = Selection::thread;
  model.picked.track = 1;
  model.picked.owner = {0, {4, 5, 0}, 0, {1, 2, 0}};
  model.runner().step(9);
  const std::string text = scene_text(model);
  Model other(Backend::cpu, true);
  const LoadedScene loaded = read_scene_text(other, text, "text", ".");
  EXPECT_EQ(loaded.steps, 9u);
  EXPECT_TRUE(loaded.warning.empty()) << loaded.warning;
  EXPECT_EQ(other.values(), model.values());
  const auto own = other.scene().need<OwnText>().written();
  ASSERT_EQ(own.size(), 2u);
  EXPECT_EQ(own[0].value, model.scene().need<OwnText>().written()[0].value);
  EXPECT_EQ(own[1].value, model.scene().need<OwnText>().written()[1].value);
  EXPECT_EQ(std::get<std::string>(own[0].value), "my mask");
  EXPECT_EQ(other.view.data, model.view.data);
  EXPECT_EQ(other.view.colormap, "viridis");
  EXPECT_EQ(other.view.colour_by, ColourBy::warp);
  EXPECT_EQ(other.view.theme, "light");
  EXPECT_FALSE(other.view.panels || other.view.one_scale);
  EXPECT_EQ(other.picked, model.picked);
  other.rebuild(loaded.steps);
  EXPECT_EQ(other.runner().simulation()->status()[0].seal.hash, model.runner().simulation()->status()[0].seal.hash);
  EXPECT_EQ(scene_text(other), text);
}

TEST(SceneText, AShippedFractalAfterAMaskIsWrittenByItsKey) {
  Model model(Backend::cpu, true);
  model.scene().need<OwnText>().read({{"name", "my mask"}, {"rows", std::vector<std::string>{"##", "#."}}});
  model.set("fractal", std::string("sierpinski_carpet"));
  EXPECT_TRUE(model.scene().need<OwnText>().written().empty()) << scene_text(model);
  Model other(Backend::cpu, true);
  (void)read_scene_text(other, scene_text(model), "text", ".");
  EXPECT_EQ(other.values(), model.values());
}

TEST(SceneText, ARefusedTextLeavesTheModelAsItWas) {
  const std::string head = "schema = 1\nscene = \"fractal\"\n", seed = head + "[parameters]\nseed = 5\n";
  const std::vector<std::pair<std::string, std::string>> bad{
      {"nonsense", "not TOML"},
      {"", "schema"},
      {"schema = 2\nscene = \"fractal\"\n", "schema"},
      {"schema = 1\nscene = \"fractl\"\n", "fractal"},
      {head + "[parameter]\nlevel = 3\n", "parameters"},
      {head + "[parameters]\nlevl = 3\n", "level"},
      {seed + "level = 77\n", "level"},
      {seed + "level = \"x\"\n", "level"},
      {seed + "level = 3.5\n", "level"},
      {seed + "level = [3]\n", "level"},
      {seed + "tracks = []\n", "tracks"},
      {seed + "tracks = [1]\n", "tracks"},
      {seed + "tracks = [\"lambda_shufle\"]\n", "lambda_shuffle"},
      {seed + "rule = \"B9\"\n", "rule"},
      {seed + "fractal = \"sierpinski_gaskt\"\n", "sierpinski_gasket"},
      {seed + "state = \"absent.npy\"\n", "absent.npy"},
      {seed + "[mask]\nname = \"m\"\nrows = [\"##\", \"#\"]\n", "text"},
      {seed + "[mask]\nname = \"m\"\n", "text"},
      {seed + "[run]\nsteps = -1\n", "steps"},
      {seed + "[view]\nzoom = 0\n", "zoom"},
      {seed + "[view]\nzoom = nan\n", "zoom"},
      {seed + "[view]\ncenter = [0.1]\n", "center"},
      {seed + "[view]\ncenter = [\"a\", \"b\"]\n", "center"},
      {seed + "[view]\ntheme = \"drak\"\n", "dark"},
      {seed + "[view]\npanels = true\n", "panels"},
      {seed + "[view]\ncolormap = \"cividsi\"\n", "cividis"},
      {seed + "[view]\nselect = \"cell:1\"\n", "select"},
  };
  for (const auto& [text, word] : bad) {
    SCOPED_TRACE(text);
    Model model(Backend::cpu, true);
    model.rebuild();
    model.picked.space = Selection::cell;
    model.picked.at = {3, 4, 0};
    const auto values = model.values();
    const auto view = scene_text(model);
    expect_parts(message_of<Error>([&, &read = text] { (void)read_scene_text(model, read, "text", "/elsewhere"); }),
                 {"text", word});
    EXPECT_EQ(model.values(), values);
    EXPECT_EQ(scene_text(model), view);
    EXPECT_NE(model.folder, "/elsewhere");
  }
}

TEST(Selections, TextAndBack) {
  const std::pair<Selection, const char*> all[] = {
      {{}, ""},
      {{Selection::cell, {67, 251, 0}, 0, {}}, "cell:67,251"},
      {{Selection::cell, {1, 2, 3}, 0, {}}, "cell:1,2,3"},
      {{Selection::block, {}, 3, {0, {4, 15, 0}, 0, {}}}, "block:D:4,15"},
      {{Selection::block, {}, 0, {2, {7, 0, 9}, 0, {}}}, "block:A:7,0,9:L2"},
      {{Selection::thread, {}, 1, {0, {4294967295u, 0, 0}, 0, {3, 11, 0}}}, "thread:B:4294967295,0:3,11"},
      {{Selection::thread, {}, 0, {0, {12, 0, 0}, 5, {1, 0, 4}}}, "thread:A:12,0:1,0,4:T5"},
      {{Selection::thread, {}, 2, {1, {5, 6, 7}, 3, {7, 7, 0}}}, "thread:C:5,6,7:7,7:L1:T3"},
      {{"element", {4294967295u, 0, 0}, 0, {}}, "element:4294967295"},
      {{"bin", {5, 0, 2}, 0, {}}, "bin:5,0,2"}};
  for (const auto& [selection, text] : all) {
    EXPECT_EQ(selection_text(selection), text);
    EXPECT_EQ(parse_selection(text), selection) << text;
  }
  EXPECT_EQ(parse_selection("thread:C:5,6,7:7,7:T3:L1"), all[7].first);
  std::istringstream refused(
      "cell cell:1 cell:1,2,3,4 element: element:1,2 element:-1 cell:-1,2 block:E:1,1 block:A:1 thread:A:1,1 "
      "thread:A:1,1:2 cell:99999999999,1 xyz cell:1,2, cell:1,2,-3 cell:1,2:L1 block:A:1,1:L block:A:1,1:L-1 "
      "block:A:1,1:T1.5 block:A:1,1:X1 block:A:1,1:L1: thread:A:1,1:L1");
  std::string bad = "cell:1,2 ";
  do {
    EXPECT_THROW((void)parse_selection(bad), UsageError) << bad;
  } while (refused >> bad);
}

/// What is refused leaves everything as it was, and reads nothing again.
TEST(Values, ARefusedValueWhenTheStateFileIsGone) {
  TemporaryFolder folder;
  const std::string file = folder / "start.rle";
  std::ofstream(file) << "x = 1, y = 1\nb!\n";
  Model model(Backend::cpu, true);
  ASSERT_TRUE(model.set("level", std::int64_t{4}));
  ASSERT_TRUE(model.set("state", file)) << model.notice;
  const auto before = model.values();
  const auto* scene = &model.scene();
  std::filesystem::remove(file);
  EXPECT_NO_THROW(EXPECT_FALSE(model.set("level", std::int64_t{1'000'000})));
  EXPECT_TRUE(model.notice_is_error);
  EXPECT_NO_THROW(EXPECT_FALSE(model.set("no_such", std::int64_t{1})));
  EXPECT_EQ(model.values(), before);
  EXPECT_EQ(&model.scene(), scene);
  EXPECT_NE(model.scene().need<StoredState>().start_state(), nullptr);
}

TEST(FrameSamples, TheOlderHalfIsForgotten) {
  FrameSamples samples;
  for (int i = 0; i < 11; ++i) {
    for (auto* row : {&samples.frame, &samples.ui, &samples.interop}) row->push_back(i);
    samples.forget_oldest_above(10);
  }
  EXPECT_EQ(samples.frame, (std::vector<double>{5, 6, 7, 8, 9, 10}));
  EXPECT_EQ(samples.ui.size(), 6u);
  EXPECT_EQ(samples.interop.size(), 6u);
}

TEST(Captures, ADamagedStateIsRefused) {
  const std::string scene = "schema = 1\nscene = \"fractal\"\n[parameters]\nlevel = 1\nseed = 5\n";
  for (const char* state : {"x", "2 2", "2 2 3b", "2 2 5b", "0 0 ", "3 3 9b", "4294967296 4294967296 1b",
                            "2 2 1b18446744073709551615b", "2 2 4o", "2 2 4b junk"}) {
    SCOPED_TRACE(state);
    Model model(Backend::cpu, true);
    model.rebuild();
    const auto before = model.values();
    expect_parts(message_of<Error>([&] { (void)read_scene_text(model, scene, "text", ".", state); }), {"text"});
    EXPECT_EQ(model.values(), before);
    EXPECT_EQ(model.scene().need<StoredState>().start_state(), nullptr);
  }
}

TEST(Captures, RunLengths) {
  EXPECT_EQ(pack_state({0, 0, 1, 1, 1, 0}, 3, 2), "3 2 2b3o1b");
  EXPECT_EQ(pack_state({}, 0, 0), "0 0 ");
}

}  // namespace
}  // namespace warploom
