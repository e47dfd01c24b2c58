#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <set>

#include "gpu/bench/ceilings.h"
#include "gpu/core/buffer.h"
#include "gpu/core/error.h"
#include "gpu/scenes/fractal/bench/case.h"
#include "gpu/scenes/fractal/works/list.h"
#include "gpu/scenes/simplex/works/list.h"
#include "tests/files/files.h"
#include "tests/scenes/benches.h"
#include "tests/scenes/fractal/fractals.h"
#include "viewer/cli/bench.h"

namespace warploom {
namespace {

using bench::Bench;
using bench::Contestant;
using bench::Figure;

bench::Settings tiny_fractals(std::map<std::string, std::string> set = {
                                  {"fractal", "sierpinski_gasket,sierpinski_carpet,chandelier"}, {"level", "3"}}) {
  bench::Settings settings = little(std::move(set));
  settings.data = {std::filesystem::path(WARPLOOM_SOURCE_DIR) / "assets"};
  return settings;
}

TEST(BenchCeilings, AllAreMeasuredAndRight) {
  Bench run(Backend::cpu, tiny_fractals());
  double last;
  expect_progress(run, last);
  const Figures figures = figures_of(run, "ceilings");
  ASSERT_EQ(figures.size(), bench::all_ceilings().size());
  for (const auto& [name, figure] : figures) {
    expect_times(figure);
    EXPECT_GT(run.ceiling(name), 0);
  }
  EXPECT_GE(last, 0);
}

/// Works and tracks that are compiled together.
std::size_t compiled_pairs(bool exact_alone) {
  std::size_t pairs = 0;
  for (const auto& work : fractal_works())
    for (const auto& track : fractal_tracks())
      pairs += (track.exact || !exact_alone) && compiled_fractal_track(track, work.key).name == track.name;
  return pairs;
}

TEST(BenchFractal, EveryExactTrackOnEveryPoint) {
  Bench run(Backend::cpu, tiny_fractals());
  const Figures figures = figures_of(run, "fractal");
  for (const auto& [name, figure] : figures) {
    if (figure.note.starts_with("skipped: no block serves: blocks of ")) {
      EXPECT_NE(name.find("lambda_tensor"), std::string::npos);
      continue;
    }
    expect_times(figure);
    if (name.ends_with("/bounding_box")) {
      EXPECT_TRUE(std::isnan(figure.ratio_to_peer));
    } else {
      EXPECT_EQ(figure.peer, "bounding_box");
      expect_ratio(figure);
      EXPECT_GT(figure.ratio_low, 1e-3);
      EXPECT_LT(figure.ratio_high, 1e3);
    }
  }
  // One level, 3, of each mask: it lies below where the curves start.
  EXPECT_EQ(figures.size(), 3 * compiled_pairs(true));
}

TEST(BenchFractal, SlicedStepsPeersAndLambdaAloneAreRight) {
  const TemporaryFolder folder;
  const std::string drawn = folder / "drawn.toml";  // a mask of one's own is measured as the shipped ones are
  std::ofstream(drawn) << "name = \"Drawn\"\nrows = [\"##.#\", \"#.##\", \".###\"]\n";
  Bench run(Backend::cpu,
            tiny_fractals(
                {{"fractal", "sierpinski_gasket,vicsek," + drawn}, {"level", "4"}, {"part", "sliced,peers,lambda"}}));
  const Figures figures = figures_of(run, "fractal");
  for (const auto& [_, figure] : figures) expect_times(figure);
  expect_names(figures,
               {"sierpinski_gasket/4/life/sliced: step", "sierpinski_gasket/4/life/sliced: copy",
                "sierpinski_gasket/4/life/sliced: any rule", "sierpinski_gasket/4/life/sliced: seal",
                "vicsek/4/life/sliced: step", "sierpinski_gasket/4/life/sliced against bounding_box",
                "vicsek/4/life/sliced against compact", "drawn/4/life/sliced: step", "lambda alone/vicsek/table",
                "lambda alone/vicsek/tensor 8 bit", "lambda alone/sierpinski_gasket/tensor 16 bit"});
}

TEST(BenchFractal, SerialStepAgreesWithClosedFormsAndTracks) {
  Bench run(Backend::cpu, tiny_fractals());
  for (const auto& work : fractal_works()) {
    bench::FractalCase c;
    c.settings.mask = carpet();
    c.settings.level = 4;
    c.settings.work = work.key;
    c.folds = work.key == "reduction" || work.key == "map_only";
    c.expected = bench::expect(run, c, "lambda_serial");
    EXPECT_EQ(c.expected.source, "a serial step");
    EXPECT_EQ(c.expected.fold.has_value(), c.folds);
    if (work.key == "single_write") {
      EXPECT_EQ(c.expected.sum, 4096u);
    }
    const auto samples = measure(run, {bench::fractal_contestant(run, c, "lambda_table", 2)});
    EXPECT_TRUE(samples[0].verified) << work.key;
    c.expected.hash = *c.expected.hash + 1;
    if (c.folds) c.expected.fold = *c.expected.fold + 1;
    const auto wrong = measure(run, {bench::fractal_contestant(run, c, "lambda_table", 2)});
    EXPECT_FALSE(wrong[0].verified) << work.key;
  }
}

TEST(BenchFractal, Cancels) {
  Bench run(Backend::cpu, tiny_fractals({{"fractal", "sierpinski_gasket"}, {"level", "20"}}));
  const std::atomic<bool> stop{true};
  run.cancel_with(&stop);
  EXPECT_THROW(bench::find_suite("fractal").run(run), Cancelled);
}

/// Works on one word; `right` is what it should be after a run.
Contestant word(Buffer<std::uint64_t>& memory, std::uint64_t written, std::uint64_t right) {
  return {"word", [&memory, written](Queue&) { *memory.data() = written; }, [&memory](Queue&) { *memory.data() = 0; },
          [&memory, right](Queue&) { return *memory.data() == right; }};
}

TEST(BenchMeasure, AWrongResultHasNoTime) {
  Bench run(Backend::cpu, tiny_fractals());
  Buffer<std::uint64_t> a(Backend::cpu, 1), b(Backend::cpu, 1);
  const auto samples = measure(run, {word(a, 5, 5), word(b, 6, 5)});
  Figure good, wrong;
  set_times(good, samples[0]);
  set_times(wrong, samples[1]);
  set_peer(wrong, "good", samples[1], samples[0]);
  set_share(run, wrong, "copy", 8);
  EXPECT_TRUE(good.verified);
  EXPECT_EQ(good.samples, 10u) << "more samples below 50 us";
  EXPECT_FALSE(wrong.verified);
  EXPECT_EQ(wrong.samples, 0u);
  for (const double value : {wrong.median, wrong.low, wrong.high, wrong.ratio_to_peer, wrong.share_of_ceiling})
    EXPECT_TRUE(std::isnan(value));
  EXPECT_NE(wrong.note.find("wrong result"), std::string::npos);
}

TEST(BenchMeasure, WhatOnlyTurnsWrongLaterHasNoTimeEither) {
  Bench run(Backend::cpu, tiny_fractals());
  int runs = 0;
  std::uint64_t written = 0;
  const Contestant fading{
      "fading", [&](Queue&) { written = ++runs < 5 ? 5 : 6; }, {}, [&](Queue&) { return written == 5; }};
  const auto samples = measure(run, {fading});
  EXPECT_FALSE(samples[0].verified);
  EXPECT_TRUE(samples[0].milliseconds.empty());
}

TEST(BenchMeasure, SamplesAlternate) {
  Bench run(Backend::cpu, tiny_fractals());
  std::string order;
  const auto one = [&](char name) {
    return Contestant{{name}, [&order, name](Queue&) { order += name; }, {}, [](Queue&) { return true; }};
  };
  const auto samples = measure(run, {one('a'), one('b')});
  // Short and warm: each sample follows an untimed run of its own.
  EXPECT_NE(order.find("aabbaabbaabb"), std::string::npos) << order;
  EXPECT_EQ(samples[0].milliseconds.size(), samples[1].milliseconds.size());
}

TEST(BenchMeasure, Cancels) {
  Bench run(Backend::cpu, tiny_fractals());
  std::atomic<bool> stop{false};
  run.cancel_with(&stop);
  int runs = 0;
  const Contestant contestant{"stops",
                              [&](Queue&) {
                                if (++runs == 4) stop = true;
                              },
                              {},
                              [](Queue&) { return true; }};
  EXPECT_THROW((void)measure(run, {contestant}), Cancelled);
  EXPECT_LT(runs, 8) << "no samples after it";
}

TEST(BenchFiles, JsonHasEveryFieldAndNullForWhatDoesNotApply) {
  const Bench run(Backend::cpu, tiny_fractals());
  Figure figure;
  figure.suite = "fractal";
  figure.name = "a/\"b\"";
  figure.unit = "ms";
  figure.median = figure.low = figure.high = 2;
  figure.verified = true;
  figure.parameters = {{"level", "3"}, {"block", "4"}};
  Figure wrong = figure;
  wrong.median = wrong.low = wrong.high = bench::none;
  wrong.verified = false;
  BenchFile file;
  add_part(file, "fractal/one", std::vector<Figure>{figure, wrong});
  EXPECT_FALSE(all_verified(file));
  const auto json = bench_json(run, {"fractal"}, file);
  EXPECT_EQ(json["parts"][0], "fractal/one");
  EXPECT_EQ(json["schema"], "warploom.bench/1");
  EXPECT_EQ(json["environment"]["backend"], "cpu");
  EXPECT_EQ(json["settings"]["seed"], 7);
  EXPECT_EQ(json["suites"][0], "fractal");
  ASSERT_EQ(json["figures"].size(), 2u);
  for (const char* key : {"suite", "name", "unit", "parameters", "median", "low", "high", "samples", "share_of_ceiling",
                          "ceiling", "peer", "ratio_to_peer", "verified", "note"})
    EXPECT_TRUE(json["figures"][0].contains(key)) << key;
  EXPECT_EQ(json["figures"][0]["median"], 2);
  EXPECT_EQ(json["figures"][0]["parameters"]["block"], "4");
  EXPECT_TRUE(json["figures"][0]["ratio_to_peer"].is_null());
  EXPECT_TRUE(json["figures"][1]["median"].is_null());
  EXPECT_EQ(json["figures"][1]["verified"], false);
  const std::string csv = bench_csv(json);
  expect_parts(csv, {"suite,name,parameters,unit,median", "\"a/\"\"b\"\"\"", "\"level=3;block=4\"", ",false,"});
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 3);
}

TEST(BenchSuites, EachIsThereOnceAndSaysWhatItIs) {
  std::set<std::string> keys;
  for (const auto& suite : bench::all_suites()) {
    EXPECT_TRUE(keys.insert(suite.key).second) << suite.key;
    EXPECT_FALSE(suite.description.empty()) << suite.key;
    EXPECT_EQ(&bench::find_suite(suite.key), &suite);
  }
  EXPECT_TRUE(keys.contains("ceilings"));
  expect_parts(message_of<UsageError>([] { (void)bench::find_suite("fractle"); }), {"'fractle'", "'fractal'"});
}

TEST(BenchSuites, CheckTheirOwnSettings) {
  auto settings = tiny_fractals();
  EXPECT_NO_THROW(bench::check_settings(settings));
  EXPECT_EQ(bench::setting_keys(),
            (std::vector<std::string>{"devices", "level", "part", "work", "track", "fractal", "paper", "measure",
                                      "figure", "application", "input", "algorithm", "n", "curve"}));
  settings.set["fractal"] = "all";
  EXPECT_NO_THROW(bench::check_settings(settings));
  settings.set["fractal"] = "sierpinski_gasket,chandelie";
  expect_parts(message_of<UsageError>([&] { bench::check_settings(settings); }), {"'chandelie'", "'chandelier'"});
  settings.set = {{"lvl", "3"}};
  expect_parts(message_of<UsageError>([&] { bench::check_settings(settings); }),
               {"'lvl'", "known: algorithm, application, curve, devices, figure, fractal, input, level, measure, n"});
}

TEST(BenchSuites, TheWorkKnowsTheNumberOfItsCells) {
  EXPECT_EQ(SingleWrite::total(carpet(), 4), 4096u);
  EXPECT_EQ(SimplexSingleWrite::total(2, 5), 15u);
  EXPECT_EQ(SimplexSingleWrite::total(3, 5), 35u);
}

/// A closed form against the serial step, over every cell.
TEST(BenchSuites, ClosedFormsAreTheSumOfSerialSteps) {
  for (const Mask& mask : {gasket(), carpet()})
    for_each_type(FractalWorks{}, [&]<class Work>() {
      if constexpr (requires { Work::total(mask, 3); }) {
        std::uint64_t sum = 0;
        SerialCell cell{0, 0, {}, [](std::int64_t, std::int64_t) { return true; }};
        const std::int64_t side = mask.side_x() * mask.side_x() * mask.side_x();
        for (cell.y = 0; cell.y < side; ++cell.y)
          for (cell.x = 0; cell.x < side; ++cell.x)
            if (oracle::member(mask.rows, 3, static_cast<std::uint64_t>(cell.x), static_cast<std::uint64_t>(cell.y)))
              sum += Work::serial(cell);
        EXPECT_EQ(Work::total(mask, 3), sum) << Work::info.key;
      }
    });
}

using BenchCommand = FileTest;

TEST_F(BenchCommand, WritesWhatItMeasured) {
  BenchOptions options;
  options.backend = "cpu";
  options.suites = {"fractal"};
  options.samples = 3;
  options.set = {"fractal=vicsek,cantor_set", "level=2"};
  options.stats = (folder / "bench.json").string();
  ::testing::internal::CaptureStdout();
  const ExitCode code = run_bench(options);
  const std::string table = ::testing::internal::GetCapturedStdout();
  EXPECT_EQ(code, ExitCode::done);
  expect_parts(table, {"vicsek/2/life/bounding_box", "cantor_set/2/map_only/lambda_serial", "of ceiling"});
  std::ifstream file(options.stats);
  const auto json = nlohmann::json::parse(file);
  EXPECT_EQ(json["figures"].size(), 2 * compiled_pairs(false));
}

TEST_F(BenchCommand, RefusesWhatItDoesNotKnow) {
  BenchOptions options;
  options.backend = "cpu";
  const auto said = [&] { return message_of<UsageError>([&] { (void)run_bench(options); }); };
  options.suites = {"ceiling"};
  expect_parts(said(), {"suite 'ceiling'", "did you mean 'ceilings'"});
  options.suites.clear();
  options.set = {"fractl=all"};
  expect_parts(said(), {"'fractl'", "'fractal'"});
  options.set = {"fractal=vicsec"};
  expect_parts(said(), {"fractal 'vicsec'", "'vicsek'"});
  options.set = {"level=many"};
  expect_parts(said(), {"level 'many'", "0 to 31"});
  options.set = {"level"};
  expect_parts(said(), {"KEY=VALUE"});
  options.set.clear();
  options.stats = "bench.txt";
  EXPECT_THROW((void)run_bench(options), UsageError);
}

}  // namespace
}  // namespace warploom
