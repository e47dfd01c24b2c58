#include <array>
#include <sstream>

#include "tests/files/files.h"
#include "tests/viewer/parameters.h"
#include "viewer/app/app.h"
#include "viewer/base/png.h"
#include "viewer/model/parameters.h"
#include "viewer/model/scene_text.h"

namespace warploom {
namespace {

using Assignments = std::vector<std::string>;

void give(Model& model, const Assignments& assignments) {
  std::set<std::string> given;
  for (const auto& assignment : assignments) set_parameter(model.scene(), assignment, given);
  follow_given(model.scene(), given);
  model.scene().resolve(given, model.folder);
}

void write(const std::string& file, const std::string& text) { std::ofstream(file) << text; }

const std::string corner_points = "5\n\nH 0 0 0\nH 1 0 0\nH 0 2 0\nH 0 0 3\nH 4 1 0\n";

TEST(Roles, OfEveryParameter) {
  // By scene: the keys that start it anew, those that are logic, those that are settings.
  const std::map<std::string, std::array<std::string, 3>> expected{
      {"fractal", {"fractal level density seed state", "work rule", "block devices device_memory tracks constants"}},
      {"simplex", {"domain n work density seed points", "rule", "block coarsen gang tracks constants"}},
      {"bins",
       {"application input seed cutoff spacing grid blobbiness", "time_step",
        "bin cap binning tile per_thread tracks"}},
      {"butterfly",
       {"algorithm n batch signal curve seed direction operator scan axes", "",
        "p s devices split order device_memory row trace operators tracks"}},
      {"irregular",
       {"system seed count matrix n values keys side hits points dimension leaf application size "
        "iterations probability grain",
        "", "hyb_width row_lanes items sigma load hash bucket compact_every blocks capacity clock timeline tracks"}}};
  for (const auto& scene : make_scenes()) {
    std::map<std::string, Role> roles, right;
    for (const auto& p : scene->parameters()) roles[p.key] = p.role;
    for (const Role role : {Role::start, Role::logic, Role::settings}) {
      std::istringstream keys(expected.at(scene->key())[role == Role::start ? 0 : role == Role::logic ? 1 : 2]);
      for (std::string key; keys >> key;) right[key] = role;
    }
    EXPECT_EQ(roles, right) << scene->key();
  }
}

/// Changes in mid-run, each by itself: is the state kept, and what does the history say then?
struct Changes {
  const char* scene;
  Assignments before;
  bool kept;
  Assignments changes;
  std::string history = {};
};

TEST(Roles, SayWhatAChangeInMidRunKeeps) {
  TemporaryFolder folder;
  write(folder / "five.xyz", corner_points);
  const Assignments gasket{"level=4"}, triangle{"domain=triangle", "n=8"},
      energy{"domain=tetrahedron", "n=3", "work=triplet_energy"},
      distances{"domain=triangle", "n=5", "work=distance_matrix"}, bodies{"input=100"}, matrix{"n=5"};
  const std::vector<Changes> all{
      {"fractal", gasket, true, {"block=4", "tracks=lambda_serial"}},
      {"fractal", gasket, true, {"rule=B36/S23"}, "rule B36/S23 since step 3"},
      {"fractal", gasket, true, {"work=reduction"}, "work reduction since step 3"},
      {"fractal", {"level=4", "work=reduction"}, true, {"work=life"}, "rule B3/S23 since step 3"},
      {"fractal", gasket, false, {"density=0.25", "seed=9", "level=3", "fractal=vicsek"}},
      {"simplex", triangle, true, {"block=4", "tracks=root_exact"}},
      {"simplex", triangle, true, {"rule=B36/S23"}, "rule B36/S23 since step 3"},
      {"simplex", triangle, false, {"work=single_write", "density=0.25", "seed=9", "n=9", "domain=tetrahedron"}},
      {"simplex", energy, true, {"tracks=root_exact"}},
      {"simplex",
       energy,
       false,
       {"block=4" /* its values are sums over blocks */, "seed=9", "points=" + (folder / "five.xyz")}},
      {"simplex", distances, true, {"block=4", "points=5" /* as many as were made before */}},
      // What has no effect changes nothing.
      {"fractal", {"level=4", "work=single_write"}, true, {"rule=B36/S23"}},
      {"simplex", {"domain=triangle", "n=8", "work=single_write"}, true, {"seed=9"}},
      {"simplex", {"domain=triangle", "n=8", "work=stencil"}, true, {"density=0.25"}},
      {"simplex", distances, true, {"rule=B36/S23"}},
      {"bins", bodies, true, {"tracks=compact/trimmed", "bin=2", "binning=sort", "spacing=3"}},
      {"bins", bodies, true, {"time_step=0.02"}, "time_step 0.02 since step 3"},
      {"bins", bodies, false, {"cutoff=0.9", "seed=8", "input=90"}},
      {"butterfly", {}, true, {"tracks=radix16/shared/swizzled", "p=3", "s=6", "row=9"}},
      {"butterfly", {}, true, {"operator=max"}},  // a transform has none
      {"butterfly", {}, false, {"n=5", "signal=chirp", "algorithm=scan"}},
      {"irregular", matrix, true, {"tracks=csr/merge", "items=3", "sigma=64"}},
      {"irregular", matrix, true, {"count=9", "leaf=2"}},  // of other systems
      {"irregular", matrix, false, {"n=6", "matrix=stencil5", "values=real"}},
  };
  for (const auto& [scene, before, kept, changes, history] : all)
    for (const std::string& change : changes) {
      SCOPED_TRACE(std::string(scene) + " " + change);
      const std::string key = change.substr(0, change.find('='));
      Model model(Backend::cpu, true);
      select_scene(model, scene);
      give(model, before);
      model.rebuild();
      model.runner().step(3);
      const auto settings = model.scene().build_request(Backend::cpu).settings;
      ASSERT_TRUE(model.set(key, parameter(model.scene(), key).parse(change.substr(key.size() + 1)))) << model.notice;
      EXPECT_EQ(model.runner().simulation()->steps(), kept ? 3u : 0u);
      EXPECT_EQ(model.runner().history(), history);
      const Parameter changed = parameter(model.scene(), key);
      if (changed.applies().empty() && !changed.by_content && key != "tracks") {
        EXPECT_NE(model.scene().build_request(Backend::cpu).settings, settings);
      }
    }
}

TEST(Roles, AStateIsKnownByItsCells) {
  TemporaryFolder folder;
  write(folder / "one.rle", "x = 3, y = 1, rule = B3/S23\nobo!\n");
  write(folder / "same.rle", "x = 3, y = 1, rule = B3/S23\no1b1o!\n");
  write(folder / "other.rle", "x = 3, y = 3, rule = B3/S23\n3o$obo$3o!\n");
  Model model(Backend::cpu, true);
  give(model, {"fractal=sierpinski_carpet", "level=1", "density=1"});
  const auto start = [&](const std::string& file) {
    give(model, {"state=" + file});
    return model.scene().build_request(Backend::cpu).start;
  };
  const auto random = model.scene().build_request(Backend::cpu).start;
  const auto one = start(folder / "one.rle");
  EXPECT_NE(one, random);
  EXPECT_NE(start(folder / "other.rle"), one);
  EXPECT_EQ(start(folder / "same.rle"), one);
  // Nothing is random now, so neither seed nor density counts.
  EXPECT_FALSE(parameter(model.scene(), "seed").applies().empty());
  give(model, {"seed=99", "density=0.1"});
  EXPECT_EQ(model.scene().build_request(Backend::cpu).start, one);
}

/// Seals of the first track after 0, 1 and 2 steps from the start.
std::vector<std::uint64_t> seals(const std::string& scene, const Assignments& assignments) {
  Model model(Backend::cpu, true);
  select_scene(model, scene);
  give(model, assignments);
  model.rebuild();
  std::vector<std::uint64_t> all;
  for (int step = 0; step < 3; ++step) {
    if (step) model.runner().step(1);
    all.push_back(model.runner().simulation()->status()[0].seal.hash);
  }
  return all;
}

TEST(Applies, WhatHasNoEffectHasNone) {
  std::vector<std::pair<std::string, Assignments>> places;
  const auto add = [&](const char* scene, const Assignments& assignments, std::initializer_list<const char*> works) {
    for (const std::string work : works) {
      places.push_back({scene, assignments});
      places.back().second.push_back("work=" + work);
    }
  };
  add("fractal", {"level=4"}, {"life", "single_write", "reduction", "map_only"});
  add("simplex", {"domain=triangle", "n=7"}, {"automaton", "single_write", "distance_matrix", "stencil", "map_only"});
  add("simplex", {"domain=tetrahedron", "n=7"}, {"automaton", "single_write", "triplet_energy", "stencil", "map_only"});
  const std::map<std::string, std::string> others{
      {"rule", "B1/S1"}, {"density", "0.9"}, {"seed", "1234"}, {"points", "40"}};
  int without = 0, with = 0;
  for (const auto& [scene, assignments] : places)
    for (const auto& [key, value] : others) {
      Model model(Backend::cpu, true);
      select_scene(model, scene);
      give(model, assignments);
      const auto all = model.scene().parameters();
      if (!std::ranges::count(all, key, &Parameter::key)) continue;
      SCOPED_TRACE(scene + " " + assignments.back() + " " + key);
      const bool applies = parameter(model.scene(), key).applies().empty();
      Assignments changed = assignments;
      changed.push_back(key + "=" + value);
      const auto before = seals(scene, assignments), after = seals(scene, changed);
      // As many points as before are needed: they are the same ones.
      EXPECT_TRUE((after != before) == applies || (applies && key == "points"));
      ++(applies ? with : without);
    }
  EXPECT_GE(without, 15);
  EXPECT_GE(with, 15);
}

TEST(Applies, SaysWhyInWords) {
  Model model(Backend::cpu, true);
  const auto why = [&](const char* key) { return parameter(model.scene(), key).applies(); };
  for (const auto& p : model.scene().parameters())
    EXPECT_EQ(p.applies(), p.key == "constants"          ? "no track is an own map"
                           : p.key.starts_with("device") ? "no track is sliced, and maps run on one device"
                                                         : "")
        << p.key;
  give(model, {"level=3", "work=map_only"});
  EXPECT_EQ(why("rule"), "work 'map_only' has no rule");
  select_scene(model, "simplex");
  EXPECT_EQ(why("points"), "work 'automaton' needs no points");
  give(model, {"domain=triangle", "n=5", "work=distance_matrix"});
  EXPECT_EQ(why("points"), "");
  EXPECT_EQ(why("seed"), "");
  EXPECT_EQ(why("density"), "work 'distance_matrix' has no cells that live");
  TemporaryFolder folder;
  write(folder / "five.xyz", corner_points);
  give(model, {"domain=tetrahedron", "n=3", "work=triplet_energy", "points=" + (folder / "five.xyz")});
  EXPECT_EQ(why("seed"), "the points are read from a file");
  give(model, {"work=single_write"});
  EXPECT_EQ(why("seed"), "work 'single_write' has nothing random");
  EXPECT_EQ(without_effect(model.scene(), {"rule", "n", "points"}),
            (Assignments{"rule has no effect here: work 'single_write' has no rule",
                         "points has no effect here: work 'single_write' needs no points"}));
}

TEST(Follows, TheBlockOfAnotherDomainIsThePreset) {
  TemporaryFolder folder;
  write(folder / "scene.toml", "schema = 1\nscene = \"fractal\"\n[parameters]\nlevel = 4\nblock = 2\n");
  const auto block = [&](const Assignments& assignments) {
    Model model(Backend::cpu, true);
    Options options;
    options.scene_file = folder / "scene.toml";
    options.set = assignments;
    (void)apply_options(model, options);
    return to_text(parameter(model.scene(), "block").get());
  };
  EXPECT_EQ(block({}), "2");
  EXPECT_EQ(block({"seed=5"}), "2");
  EXPECT_EQ(block({"level=5"}), "16");
  EXPECT_EQ(block({"fractal=vicsek"}), "9");
  EXPECT_EQ(block({"block=4", "level=5"}), "4");
  Model model(Backend::cpu, true);
  give(model, {"level=6", "block=2"});
  (void)read_scene_text(model, "schema = 1\nscene = \"fractal\"\n[parameters]\nlevel = 5\n", "text", ".");
  EXPECT_EQ(to_text(parameter(model.scene(), "block").get()), "16");
  select_scene(model, "simplex");
  give(model, {"block=3"});
  give(model, {"domain=triangle"});
  EXPECT_EQ(to_text(parameter(model.scene(), "block").get()), "8");
}

TEST(FormerKeys, AreStillRead) {
  for (const auto& shipped : make_scenes()) {
    SCOPED_TRACE(shipped->key());
    if (std::string(shipped->key()) == "irregular") continue;  // it came after them
    std::set<std::string> given;
    const std::string track = shipped->track_kinds().back().name;
    set_parameter(*shipped, "lanes=" + track, given);
    EXPECT_EQ(given, std::set<std::string>{"tracks"});
    EXPECT_EQ(shipped->tracks(), Assignments{track});
    Model model(Backend::cpu, true);
    const std::string head = std::string("schema = 1\nscene = \"") + shipped->key() + "\"\n[parameters]\n";
    (void)read_scene_text(model, head + "lanes = [\"" + track + "\"]\n", "text", ".");
    EXPECT_EQ(model.scene().tracks(), Assignments{track});
    const std::string text = scene_text(model);
    EXPECT_TRUE(has(text, "tracks = ")) << text;
    EXPECT_FALSE(has(text, "lanes")) << text;
  }
}

TEST(Files, GoToTheFirstParameterThatTakesThemAndHasAnEffect) {
  std::string system = "first", none, keys, points, state;
  Describer d;
  const auto where = [&](std::string right) {
    return [&system, right] { return system == right ? std::string() : "system '" + system + "' has none"; };
  };
  d.choice("none", "None", none, {{"", "", ""}}, "takes no file");
  d.choice("keys", "Keys", keys, {{"", "", ""}}, "a choice or a file").taking({".npy"}).where(where("first"));
  d.choice("points", "Points", points, {{"", "", ""}}, "likewise").taking({".npy", ".xyz"}).where(where("second"));
  d.path("state", "State", state, "a file").taking({".npy", ".rle"});
  const auto taker = [&](const char* now, const char* file) {
    system = now;
    const Parameter* const found = taker_of(d.parameters, file);
    return found ? found->key : "nobody";
  };
  EXPECT_EQ(taker("first", "some.npy"), "keys");
  EXPECT_EQ(taker("second", "some.NPY"), "points");
  EXPECT_EQ(taker("third", "some.npy"), "state");
  EXPECT_EQ(taker("third", "some.rle"), "state");
  EXPECT_EQ(taker("third", "some.xyz"), "points") << "whoever takes it can say why it has no effect";
  EXPECT_EQ(taker("first", "npy"), "nobody");
}

TEST(Files, GoToTheParameterThatTakesThem) {
  TemporaryFolder folder;
  write(folder / "one.rle", "x = 1, y = 1, rule = B3/S23\no!\n");
  write(folder / "five.xyz", corner_points);
  write(folder / "scene.toml",
        "schema = 1\nscene = \"fractal\"\n[parameters]\nfractal = \"sierpinski_gasket\"\nlevel = 2\n");
  write(folder / "notes.txt", "");
  Model model(Backend::cpu, true);
  give(model, {"fractal=vicsek", "level=1"});
  take_file(model, folder / "one.rle");
  EXPECT_EQ(to_text(parameter(model.scene(), "state").get()), folder / "one.rle") << model.notice;
  select_scene(model, "simplex");
  give(model, {"n=2"});
  EXPECT_TRUE(parameter(model.scene(), "points").takes("molecule.pdb"));
  take_file(model, folder / "five.xyz");
  EXPECT_EQ(to_text(parameter(model.scene(), "points").get()), folder / "five.xyz") << model.notice;
  EXPECT_EQ(model.notice, "points has no effect here: work 'automaton' needs no points");
  for (const char* file : {"one.rle", "notes.txt"})
    expect_parts(message_of<UsageError>([&] { take_file(model, folder / file); }),
                 {".npy, .pdb, .pqr, .xyz, .toml, .png"});
  take_file(model, folder / "scene.toml");
  EXPECT_STREQ(model.scene().key(), "fractal");
  EXPECT_EQ(model.runner().simulation()->track(0).extent().x, 4u);
  // What a .toml or a .png holds decides: a mask is no scene, and a picture no capture.
  write(folder / "plus.TOML", "name = \"Plus\"\nrows = [\".#.\", \"###\", \".#.\"]\n");
  take_file(model, folder / "plus.TOML");
  EXPECT_EQ(to_text(parameter(model.scene(), "fractal").get()), "plus") << model.notice;
  write_png(folder / "grey.png", {16, 8, std::vector<Rgba>(16 * 8, rgba(9, 9, 9)), {}});
  select_scene(model, "butterfly");
  take_file(model, folder / "grey.png");
  EXPECT_EQ(to_text(parameter(model.scene(), "signal").get()), folder / "grey.png") << model.notice;
  EXPECT_TRUE(has(model.notice, "grey.png")) << model.notice;
  EXPECT_EQ(to_text(parameter(model.scene(), "n").get()), "4");
  EXPECT_EQ(to_text(parameter(model.scene(), "batch").get()), "8");
}

}  // namespace
}  // namespace warploom
