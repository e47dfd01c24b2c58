// What a table says of itself: numbers, a comparison, a key in sentences.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gpu/core/format.h"
#include "gpu/scenes/irregular/hash/two_level_shape.h"
#include "gpu/scenes/irregular/tracks/hash_track.h"

namespace warploom {

IrregularResults HashTrack::results(Queue& queue) {
  count(queue);
  return {{"pairs", shape_.keys}, {"queries", shape_.keys}, {"found", report()->hits}};
}

std::vector<std::pair<std::string, double>> HashTrack::numbers(Queue& queue) {
  count(queue);
  const auto of = report();
  const HashFacts& facts = of->facts;
  const auto real = [](std::uint64_t value) { return static_cast<double>(value); };
  return {{"slots", real(facts.slots)},
          {"bytes", real(facts.bytes)},
          {"bytes_per_pair", of->bytes_per_pair()},
          {"load", of->load()},
          {"probes_insert", facts.probes_insert},
          {"probes_hit", of->probes_hit},
          {"probes_miss", of->probes_miss},
          {"restarts", real(facts.restarts)},
          {"reseeded", real(facts.reseeded)},
          {"rounds", facts.rounds},
          {"most_in_bucket", real(facts.most_in_bucket)}};
}

std::vector<RateFacet::Published> HashTrack::published() const {
  // Each builds or asks alone; a step here does both.
  if (info_.name == "bucketed")
    return {{"published: A100, bucket 8 at .8, insert", {5e7}, {4693}},
            {"published: A100, bucket 8 at .8, hits", {5e7}, {10419}},
            {"published: A100, bucket 8 at .8, misses", {5e7}, {7207}},
            {"published: A100, bucket 16 at .99, insert", {5e7}, {2844}},
            {"published: A100, bucket 16 at .99, hits", {5e7}, {5517}},
            {"published: A100, bucket 16 at .99, misses", {5e7}, {3206}}};
  constexpr double pairs = 5;  // millions
  if (info_.name == "two_level")
    return {{"published: GTX 280, build", {5e6}, {pairs / 35.7e-3}},
            {"published: GTX 280, ask", {5e6}, {pairs / 15.3e-3}}};
  if (info_.name == "sort")
    return {{"published: GTX 280, sort", {5e6}, {pairs / 36.6e-3}},
            {"published: GTX 280, halving", {5e6}, {pairs / 79.5e-3}}};
  return {};
}

std::vector<std::string> HashTrack::against(const Track& other, const std::string& name) const {
  const auto* facet = other.facet<HashFacet>();
  const auto own = report(), base = facet ? facet->report() : nullptr;
  if (!own || !base) return {};
  // The queries of both are the same.
  const auto probes = [&](const HashReport& of, const char* a_hit, const char* a_miss) {
    const std::string hit = fmt::format("{:.3g}{}", of.probes_hit, a_hit),
                      miss = fmt::format("{:.3g}{}", of.probes_miss, a_miss);
    return own->misses == 0 ? hit : own->hits == 0 ? miss : hit + " and " + miss;
  };
  const double useful = 100 * own->counts.warp_efficiency(), theirs = 100 * base->counts.warp_efficiency();
  std::vector<std::string> all{
      fmt::format("takes {}, {} {}", probes(*own, " probes a hit", own->hits ? " a miss" : " probes a miss"), name,
                  probes(*base, "", "")),
      fmt::format("keeps {:.0f} % of the lanes useful, {} {:.0f} %", useful, name, theirs)};
  // Tables of about one size are not told apart by it.
  if (const double bytes = own->bytes_per_pair(), others = base->bytes_per_pair(); std::abs(bytes / others - 1) > .1)
    all.push_back(fmt::format("stores {:.1f} bytes a pair, {} {:.1f}", bytes, name, others));
  return all;
}

namespace {

std::string voxel_words(std::uint32_t key) {
  return fmt::format("({}, {}, {})", key & 1023, key >> 10 & 1023, key >> 20);
}

/// "slots 3, 4, 5 and 17 more"
std::string places_words(const HashWalk& walk, const char* one, const char* many) {
  constexpr std::uint32_t most_words = 6;
  if (walk.probes == 0) return {};
  std::vector<std::string> words;
  for (std::uint32_t i = 0; i < std::min(walk.probes, most_words); ++i) words.push_back(grouped(walk.places[i]));
  std::string all = (walk.probes == 1 ? one : many) + (" " + join(words));
  if (walk.probes > most_words) all += fmt::format(" and {} more", walk.probes - most_words);
  return all;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> HashTrack::describe(const Selection& selection) const {
  const auto found = looked(selection);
  if (!found) return {};
  std::vector<std::pair<std::string, std::string>> rows;
  if (selection.space == slot_space) {
    if (selection.at.x >= slots_) return {{"slot", "this table has no such slot"}};
    if (!found->key) return {{"slot", "it is empty"}};
    rows.emplace_back("slot", fmt::format("it holds key {}", *found->key));
  }
  if (!found->key) return rows;
  const HashWalk& walk = found->walk;
  const bool there = walk.answer != absent_answer;
  if (const std::uint32_t key = *found->key, side = problem_->sheet.side;
      problem_->moves() && (key & 1023) < side && (key >> 10 & 1023) < side && key >> 20 < side)
    rows.emplace_back("voxel", voxel_words(key));
  rows.emplace_back("answer", there ? fmt::format("found, its value is {}", walk.answer) : "it is not in the table");
  const bool chained = info_.name == "chaining", by_buckets = info_.name == "bucketed";
  std::string probes = counted(walk.probes, by_buckets ? "bucket" : chained ? "node" : "probe");
  const auto width = static_cast<std::uint32_t>(by_buckets ? shape_.bucket : 1);
  HashWalk places = walk;
  for (std::uint32_t i = 0; i < std::min(places.probes, HashWalk::most); ++i) places.places[i] /= width;
  const std::string where = by_buckets ? places_words(places, "bucket", "buckets")
                            : chained  ? places_words(places, "pair", "pairs")
                                       : places_words(places, "slot", "slots");
  rows.emplace_back("probes", where.empty() ? "none: its chain is empty" : probes + ": " + where);
  const auto of = report();
  const std::uint32_t last = walk.probes ? walk.places[std::min(walk.probes, HashWalk::most) - 1] : 0;
  if (info_.name == "two_level" && of) {
    const std::uint32_t bucket = last / TwoLevelShape::slots;
    if (there) rows.emplace_back("table", strategy_.tables[walk.probes - 1]);
    if (bucket < of->buckets.counts.size()) {
      std::string built = fmt::format("bucket {}: {} pairs, built in {}", grouped(bucket), of->buckets.counts[bucket],
                                      counted(of->buckets.rounds[bucket], "round"));
      if (const auto seeds = of->buckets.reseeds[bucket]) built += fmt::format(" after {} other attempts", seeds);
      rows.emplace_back("bucket", built);
    }
  }
  if (by_buckets && there)
    rows.emplace_back("stands in", fmt::format("its {}", strategy_.tables[std::min(walk.probes, 3u) - 1]));
  return rows;
}

std::shared_ptr<const std::vector<CurveFigure>> HashTrack::curves() const {
  const auto of = report();
  if (!of) return nullptr;
  LevelTwoSuccess::Points success;
  if (info_.name == "two_level") success = success_->points();
  const std::scoped_lock lock(report_mutex_);
  if (!curves_.figures || curves_.of != of || curves_.measured != success.keys.size())
    curves_ = {of, success.keys.size(), std::make_shared<const std::vector<CurveFigure>>(make_curves(*of, success))};
  return curves_.figures;
}

std::vector<CurveFigure> HashTrack::make_curves(const HashReport& report,
                                                const LevelTwoSuccess::Points& success) const {
  using Kind = CurveFigure::Line::Kind;
  std::vector<CurveFigure> all;
  {
    CurveFigure probes;
    probes.key = "probes";
    probes.title = "Probes";
    probes.help =
        "How many queries of the last step take how many probes. A warp is busy for as long as its longest one.";
    probes.x = "probes of a query";
    probes.y = "queries";
    probes.logarithmic_y = true;
    const auto add = [&](const char* name, const std::vector<double>& of) {
      CurveFigure::Line line{name, {}, {}, Kind::points};
      for (std::size_t i = 0; i < of.size(); ++i)
        if (of[i] > 0) line.x.push_back(static_cast<double>(i)), line.y.push_back(of[i]);
      if (!line.x.empty()) probes.lines.push_back(std::move(line));
    };
    add("hits", report.of_hits);
    add("misses", report.of_misses);
    if (report.of_hits.back() + report.of_misses.back() > 0)
      probes.last = std::to_string(HashReport::most_probes - 1) + " and more";
    probes.rows = {{"mean of a hit", report.hits ? fmt::format("{:.3f}", report.probes_hit) : "no hits"},
                   {"mean of a miss", report.misses ? fmt::format("{:.3f}", report.probes_miss) : "no misses"}};
    all.push_back(std::move(probes));
  }
  if (report.buckets.counts.empty()) return all;
  CurveFigure buckets;
  buckets.key = "buckets";
  buckets.title = "Pairs per bucket";
  buckets.help =
      "Buckets of level 1 by their pairs, beside the Poisson distribution of mean 409. The line is the cap: a "
      "bucket of more than 512 pairs restarts the build.";
  buckets.x = "pairs";
  buckets.y = "buckets";
  buckets.mark = TwoLevelShape::most;
  constexpr double below = 5;  // standard deviations
  buckets.first_x = std::floor(TwoLevelShape::mean - below * std::sqrt(double{TwoLevelShape::mean}));
  for (const std::uint32_t pairs : report.buckets.counts) buckets.first_x = std::min(buckets.first_x, double(pairs));
  CurveFigure::Line bars{"buckets", {}, {}, Kind::bars}, theory{"Poisson(409)", {}, {}, Kind::theory};
  const double mean = TwoLevelShape::mean, amount = static_cast<double>(report.buckets.counts.size());
  for (unsigned pairs = 0; pairs <= TwoLevelShape::most + 16; ++pairs) {
    bars.x.push_back(pairs);
    bars.y.push_back(0);
    theory.x.push_back(pairs);
    theory.y.push_back(amount * std::exp(pairs * std::log(mean) - mean - std::lgamma(pairs + 1.)));
  }
  for (const std::uint32_t pairs : report.buckets.counts) ++bars.y[pairs];
  buckets.lines = {std::move(bars), std::move(theory)};
  buckets.rows = {{"fullest", fmt::format("{} of at most {}", report.facts.most_in_bucket, TwoLevelShape::most)},
                  {"restarts", std::to_string(report.facts.restarts)}};
  all.push_back(std::move(buckets));
  CurveFigure fits;
  fits.key = "success";
  fits.title = "Success of level 2";
  fits.help = fmt::format(
      "The share of buckets that are built within 25 rounds, by their keys: {} buckets of each size "
      "are built on the host. The line is the cap of 512 keys.",
      LevelTwoSuccess::buckets);
  fits.x = "keys of a bucket";
  fits.y = "share built";
  fits.mark = TwoLevelShape::most;
  fits.first_x = LevelTwoSuccess::first;
  if (!success.keys.empty()) fits.lines = {{"share built", success.keys, success.share, Kind::points}};
  const auto share_at = [&](double keys) {
    const auto at = std::ranges::find(success.keys, keys);
    return at == success.keys.end()
               ? std::string("measuring \u2026")
               : fmt::format("{:.1f} %", 100 * success.share[static_cast<std::size_t>(at - success.keys.begin())]);
  };
  fits.rows = {{"400 keys; the mean is 409", share_at(400)},
               {"512 keys, the cap", share_at(512)},
               {"528 keys, the limit in theory", share_at(528)}};
  all.push_back(std::move(fits));
  return all;
}

}  // namespace warploom
