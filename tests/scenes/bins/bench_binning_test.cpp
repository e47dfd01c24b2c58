#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

#include "gpu/bench/suites.h"
#include "gpu/core/error.h"
#include "gpu/scenes/bins/bench/case.h"

namespace warploom {
namespace {

using bench::Bench;
using bench::Figure;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool slow = true;  // the release build draws all figures of all applications
#else
constexpr bool slow = false;
#endif

/// Small enough for a test: few samples of next to no data.
bench::Settings little(std::map<std::string, std::string> set = {}) {
  bench::Settings settings;
  settings.samples = 3;
  settings.warm_ups = 1;
  settings.scale = 1. / 256;
  settings.seed = 7;
  settings.set = std::move(set);
  return settings;
}

std::string parameter(const Figure& figure, const std::string& key) {
  for (const auto& [name, value] : figure.parameters)
    if (name == key) return value;
  return "";
}

/// Figures by name; each verified and in order.
std::map<std::string, Figure> run(const bench::Settings& settings) {
  Bench bench(Backend::cpu, settings);
  bench.set_ceiling("copy", 1e9);
  std::map<std::string, Figure> all;
  for (const Figure& figure : bench::find_suite("binning").run(bench)) {
    SCOPED_TRACE(figure.name);
    EXPECT_EQ(figure.suite, "binning");
    EXPECT_TRUE(figure.verified) << figure.note;
    EXPECT_TRUE(all.emplace(figure.name, figure).second) << "a name twice";
    if (figure.note.starts_with("skipped")) continue;
    EXPECT_GT(figure.median, 0);
    EXPECT_LE(figure.low, figure.median);
    EXPECT_GE(figure.high, figure.median);
    EXPECT_GE(figure.samples, 3u);
    EXPECT_FALSE(figure.unit.empty());
    if (!figure.peer.empty()) {
      EXPECT_LE(figure.ratio_low, figure.ratio_to_peer);
      EXPECT_GE(figure.ratio_high, figure.ratio_to_peer);
    }
  }
  return all;
}

TEST(BenchBinning, TheTableHasEveryApplicationBesideThePrintedTimes) {
  const auto figures = run(little({{"figure", "table5"}}));
  for (const char* application : {"cutcp", "mri", "blinn", "nbody"}) {
    SCOPED_TRACE(application);
    int printed = 0;
    for (const auto& [name, figure] : figures) {
      if (parameter(figure, "application") != application) continue;
      printed += !parameter(figure, "printed_ms").empty();
      EXPECT_TRUE(name.ends_with("/total")) << name;
      EXPECT_NE(parameter(figure, "verified_by").find("in double"), std::string::npos);
    }
    EXPECT_EQ(printed, 2);
  }
  const Figure& blinn = figures.at("table5/blinn/75/compact/range/total");
  EXPECT_EQ(parameter(blinn, "printed_ratio"), "7.97");
  EXPECT_EQ(blinn.peer, "regular/count");
  EXPECT_TRUE(figures.contains("table5/mri/324/regular/count/spill/total"));
  EXPECT_TRUE(figures.contains("table5/mri/324/none/scatter/total"));
  EXPECT_TRUE(figures.contains("table5/nbody/256/compact/bin/total"));
}

TEST(BenchBinning, CapsAreSweptAndTheSearchIsHeldAgainstTheBest) {
  const auto figures = run(little({{"figure", "caps"}, {"application", slow ? "nbody" : "nbody,mri"}}));
  for (const std::string at : {"caps/nbody/256/", "caps/mri/324/"}) {
    if (slow && at.starts_with("caps/mri")) continue;
    for (const char* track : {"regular/count/spill", "regular/sentinel/spill", "compact/range/spill"}) {
      SCOPED_TRACE(at + track);
      for (const char* stage : {"gather", "spill", "total"})
        EXPECT_TRUE(figures.contains(at + "cap0/" + track + "/" + stage)) << stage;
      ASSERT_TRUE(figures.contains(at + track + "/auto"));
      const Figure& found = figures.at(at + track + "/auto");
      EXPECT_NE(found.peer.find("the best of the sweep"), std::string::npos);
      EXPECT_FALSE(parameter(found, "cap").empty());
    }
  }
  // What is spilled of a cap of 0 is everything.
  EXPECT_EQ(parameter(figures.at("caps/nbody/256/cap0/compact/range/spill/total"), "spilled"), "256");
}

TEST(BenchBinning, EveryOtherFigureIsDrawn) {
  if (slow) {
    const auto figures = run(little({{"figure", "layouts,cutoffs"}, {"application", "blinn"}}));
    EXPECT_TRUE(figures.contains("layouts/blinn/75/compact/bin/padded_bins/gather"));
    EXPECT_TRUE(figures.at("cutoffs/blinn/75").note.starts_with("skipped"));
    return;
  }
  const auto figures =
      run(little({{"figure", "accesses,layouts,tuned,sides,cutoffs,counts"}, {"application", "cutcp,blinn"}}));
  for (const char* name :
       {"accesses/cutcp/93/regular/range/gather", "accesses/blinn/75/compact/trimmed/total",
        "layouts/cutcp/93/compact/range/arrays/gather", "layouts/blinn/75/compact/bin/padded_bins/gather",
        "tuned/cutcp/93/regular/sentinel/spill/total", "tuned/cutcp/93/compact/trimmed/gather",
        "sides/cutcp/93/side4/compact/range/gather", "cutoffs/cutcp/93/cutoff12/regular/count/total",
        "counts/blinn/counts/n64/compact/range/gather"})
    EXPECT_TRUE(figures.contains(name)) << name;
  EXPECT_TRUE(figures.at("cutoffs/blinn/75").note.starts_with("skipped"));
  EXPECT_EQ(parameter(figures.at("tuned/cutcp/93/regular/sentinel/spill/total"), "cap"), "8");
}

TEST(BenchBinning, RecordsAreBinnedByRanksAndBySorting) {
  const auto figures = run(little({{"figure", "records,histogram,misaligned"}}));
  std::set<std::string> begins;
  for (const auto& [name, figure] : figures) begins.insert(name.substr(0, name.find('/')));
  EXPECT_EQ(begins, (std::set<std::string>{"records", "histogram", "misaligned"}));
  EXPECT_EQ(figures.at("records/clustered/2^10/counting sort, gather").peer, "ranks");
  EXPECT_TRUE(figures.contains("records/uniform/2^10/ranks"));
  EXPECT_TRUE(figures.contains("histogram/8192/bins.histogram"));
  EXPECT_EQ(figures.at("misaligned/4_bytes/shift1").peer, "aligned runs");
}

TEST(BenchBinning, AWrongResultHasNoTime) {
  Bench bench(Backend::cpu, little());
  BinSettings settings;
  settings.input = "64";
  const bench::BinningCase c = bench::make_binning_case(bench, settings);
  EXPECT_GT(c.expected->at.size(), 30u);
  const auto measured = [&](const bench::BinningCase& of) {
    const auto one = bench::binning_contestant(bench, of, "compact/range");
    return bench::measure_steps(bench, {one}, "bins.total")[0];
  };
  EXPECT_EQ(measured(c).at("bins.total").milliseconds.size(), 3u);
  EXPECT_EQ(measured(c).at("bins.gather").milliseconds.size(), 3u);
  auto other = *c.expected;
  ++other.seal;
  const auto wrong_seal = measured({c.problem, std::make_shared<bench::BinningExpected>(other)});
  EXPECT_FALSE(wrong_seal.at("bins.total").verified);
  EXPECT_TRUE(wrong_seal.at("bins.total").milliseconds.empty());
  other = *c.expected;
  for (double& value : other.values) value *= 1.0001;
  EXPECT_FALSE(measured({c.problem, std::make_shared<bench::BinningExpected>(other)}).at("bins.total").verified);
}

TEST(BenchBinning, PartsThatAreDoneAreLeftOut) {
  const auto settings = little({{"figure", "table5,accesses"}, {"application", "nbody"}});
  std::vector<std::string> parts;
  Bench first(Backend::cpu, settings);
  first.finished = [&](const std::string& part, std::span<const Figure> added) {
    parts.push_back(part);
    EXPECT_FALSE(added.empty());
  };
  EXPECT_FALSE(bench::find_suite("binning").run(first).empty());
  EXPECT_EQ(parts, (std::vector<std::string>{"binning/table5/nbody/256", "binning/accesses/nbody/256"}));
  Bench second(Backend::cpu, settings);
  second.done = {parts[0]};
  for (const Figure& figure : bench::find_suite("binning").run(second))
    EXPECT_TRUE(figure.name.starts_with("accesses/")) << figure.name;
}

TEST(BenchBinning, SettingsThatAreNoneAreRefused) {
  for (const auto& [key, value] : std::map<std::string, std::string>{{"figure", "table6"}, {"application", "sand"}}) {
    bench::Settings settings;
    settings.set = {{key, value}};
    EXPECT_THROW(bench::check_settings(settings), UsageError) << key;
  }
}

}  // namespace
}  // namespace warploom
