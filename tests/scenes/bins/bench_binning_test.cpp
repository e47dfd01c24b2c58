#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

#include "gpu/core/error.h"
#include "gpu/scenes/bins/bench/case.h"
#include "tests/sanitized.h"
#include "tests/scenes/benches.h"

namespace warploom {
namespace {

using bench::Bench;
using bench::Figure;

/// Figures by name; each verified and in order.
Figures run(std::map<std::string, std::string> set) {
  Bench bench(Backend::cpu, little(std::move(set)));
  bench.set_ceiling("copy", 1e9);
  const Figures all = figures_of(bench, "binning");
  for (const auto& [_, figure] : all) {
    EXPECT_TRUE(figure.verified) << figure.note;
    if (figure.note.starts_with("skipped")) continue;
    expect_times(figure);
    if (!figure.peer.empty()) expect_ratio(figure);
  }
  return all;
}

TEST(BenchBinning, TheTableHasEveryApplicationBesideThePrintedTimes) {
  const auto figures = run({{"figure", "table5"}});
  for (const char* application : {"cutcp", "mri", "blinn", "nbody"}) {
    SCOPED_TRACE(application);
    int printed = 0;
    for (const auto& [name, figure] : figures) {
      if (figure.parameter("application") != application) continue;
      printed += !figure.parameter("printed_ms").empty();
      EXPECT_TRUE(name.ends_with("/total")) << name;
      EXPECT_NE(figure.parameter("verified_by").find("in double"), std::string::npos);
    }
    EXPECT_EQ(printed, 2);
  }
  const Figure& blinn = figures.at("table5/blinn/75/compact/range/total");
  EXPECT_EQ(blinn.parameter("printed_ratio"), "7.97");
  EXPECT_EQ(blinn.peer, "regular/count");
  expect_names(figures, {"table5/mri/324/regular/count/spill/total", "table5/mri/324/none/scatter/total",
                         "table5/nbody/256/compact/bin/total"});
}

TEST(BenchBinning, CapsAreSweptAndTheSearchIsHeldAgainstTheBest) {
  const auto figures = run({{"figure", "caps"}, {"application", sanitized ? "nbody" : "nbody,mri"}});
  for (const std::string at : {"caps/nbody/256/", "caps/mri/324/"}) {
    if (sanitized && at.starts_with("caps/mri")) continue;
    for (const char* track : {"regular/count/spill", "regular/sentinel/spill", "compact/range/spill"}) {
      SCOPED_TRACE(at + track);
      for (const char* stage : {"gather", "spill", "total"})
        EXPECT_TRUE(figures.contains(at + "cap0/" + track + "/" + stage)) << stage;
      ASSERT_TRUE(figures.contains(at + track + "/auto"));
      const Figure& found = figures.at(at + track + "/auto");
      EXPECT_NE(found.peer.find("the best of the sweep"), std::string::npos);
      EXPECT_FALSE(found.parameter("cap").empty());
    }
  }
  // What is spilled of a cap of 0 is everything.
  EXPECT_EQ(figures.at("caps/nbody/256/cap0/compact/range/spill/total").parameter("spilled"), "256");
}

TEST(BenchBinning, EveryOtherFigureIsDrawn) {
  if (sanitized) {
    // The release build draws all figures of all applications.
    const auto figures = run({{"figure", "layouts,cutoffs"}, {"application", "blinn"}});
    expect_names(figures, {"layouts/blinn/75/compact/bin/padded_bins/gather"});
    EXPECT_TRUE(figures.at("cutoffs/blinn/75").note.starts_with("skipped"));
    return;
  }
  const auto figures = run({{"figure", "accesses,layouts,tuned,sides,cutoffs,counts"}, {"application", "cutcp,blinn"}});
  expect_names(figures,
               {"accesses/cutcp/93/regular/range/gather", "accesses/blinn/75/compact/trimmed/total",
                "layouts/cutcp/93/compact/range/arrays/gather", "layouts/blinn/75/compact/bin/padded_bins/gather",
                "tuned/cutcp/93/regular/sentinel/spill/total", "tuned/cutcp/93/compact/trimmed/gather",
                "sides/cutcp/93/side4/compact/range/gather", "cutoffs/cutcp/93/cutoff12/regular/count/total",
                "counts/blinn/counts/n64/compact/range/gather"});
  EXPECT_TRUE(figures.at("cutoffs/blinn/75").note.starts_with("skipped"));
  EXPECT_EQ(figures.at("tuned/cutcp/93/regular/sentinel/spill/total").parameter("cap"), "8");
}

TEST(BenchBinning, RecordsAreBinnedByRanksAndBySorting) {
  const auto figures = run({{"figure", "records,histogram,misaligned"}});
  std::set<std::string> begins;
  for (const auto& [name, figure] : figures) begins.insert(name.substr(0, name.find('/')));
  EXPECT_EQ(begins, (std::set<std::string>{"records", "histogram", "misaligned"}));
  EXPECT_EQ(figures.at("records/clustered/2^10/counting sort, gather").peer, "ranks");
  expect_names(figures, {"records/uniform/2^10/ranks", "histogram/8192/bins.histogram"});
  EXPECT_EQ(figures.at("misaligned/4_bytes/shift1").peer, "aligned runs");
}

TEST(BenchBinning, AWrongResultHasNoTime) {
  Bench bench(Backend::cpu, little());
  const bench::BinningCase c = bench::make_binning_case(bench, {.input = "64"});
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
  EXPECT_THROW(bench::check_settings(little({{"figure", "table6"}})), UsageError);
  EXPECT_THROW(bench::check_settings(little({{"application", "sand"}})), UsageError);
}

}  // namespace
}  // namespace warploom
