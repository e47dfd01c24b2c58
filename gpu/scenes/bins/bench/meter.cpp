#include "gpu/scenes/bins/bench/meter.h"

#include <fmt/format.h>

#include <algorithm>

#include "gpu/core/error.h"
#include "gpu/tracks/facets/numbers.h"

namespace warploom::bench {

namespace {

const Samples& stage_of(const StageSamples& stages, const std::string& stage) {
  static const Samples missing;
  if (const auto at = stages.find(stage); at != stages.end()) return at->second;
  // What spreads has no gather; a wrong result has no stage but the whole.
  if (stage == "bins.gather")
    if (const auto at = stages.find("bins.spread"); at != stages.end()) return at->second;
  if (const auto at = stages.find("bins.total"); at != stages.end() && !at->second.verified) return at->second;
  return missing;
}

std::vector<Contestant> contestants_of(const std::vector<BinningContestant>& all) {
  std::vector<Contestant> only;
  only.reserve(all.size());
  for (const auto& one : all) only.push_back(one.contestant);
  return only;
}

}  // namespace

std::string figure_parameter(const Figure& figure, const std::string& key) {
  for (const auto& [name, value] : figure.parameters)
    if (name == key) return value;
  return {};
}

bool has_bin_track(const std::string& application, const std::string& name) {
  const auto& all = bin_tracks(application);
  return std::any_of(all.begin(), all.end(), [&](const TrackInfo& track) { return track.name == name; });
}

void BinningMeter::measure(const BinningCase& c, const std::vector<std::string>& names,
                           const std::vector<std::string>& stages) {
  std::vector<BinningContestant> all;
  for (const auto& name : names) {
    if (!has_bin_track(c.settings().application, name)) continue;
    bench_.report(part + "/" + name);
    try {
      all.push_back(binning_contestant(bench_, c, name));
    } catch (const UsageError& error) {
      Figure figure = named(c, name, stages.front());
      figure.verified = true;
      figure.note = std::string("skipped: ") + error.what();
      figures.push_back(std::move(figure));
    }
  }
  if (all.empty()) return;
  const auto samples = measure_steps(bench_, contestants_of(all), "bins.total");
  std::vector<std::vector<std::pair<std::string, std::string>>> numbers(all.size());
  for (std::size_t i = 0; i < all.size(); ++i)
    for (const auto& [name, value] : all[i].track->need<Numbers>().numbers(bench_.queue()))
      for (const char* key : {"capacity", "cap", "spilled", "pairs_tested", "pairs_hit"})
        if (name == key && value >= 0) numbers[i].emplace_back(name, count_text(value));
  const bool with_first = all.front().contestant.name == names.front();
  for (const auto& stage : stages)
    for (std::size_t i = 0; i < all.size(); ++i) {
      const Samples& own = stage_of(samples[i], stage);
      if (own.verified ? own.milliseconds.empty() : stage != stages.front()) continue;
      Figure figure = named(c, all[i].contestant.name, stage);
      for (const auto& number : numbers[i]) figure.parameters.push_back(number);
      set_times(figure, own);
      if (with_first && i) set_peer(figure, names.front(), own, stage_of(samples.front(), stage));
      figures.push_back(std::move(figure));
    }
}

void BinningMeter::measure_search(const BinningCase& c, const std::string& track, std::int64_t cap) {
  bench_.report(part + "/" + track + "/auto");
  BinSettings settings = c.settings();
  settings.cap = cap;
  const BinningCase given = rebinned(bench_, c, settings);
  settings.cap = -1;
  const BinningCase found = rebinned(bench_, c, settings);
  std::vector<BinningContestant> both;
  both.push_back(binning_contestant(bench_, given, track));
  both.push_back(binning_contestant(bench_, found, track));
  const double chosen = both[1].number(bench_.queue(), "cap");
  const auto samples = measure_steps(bench_, contestants_of(both), "bins.total");
  Figure figure = named(found, track, "bins.total");
  figure.name = part + "/" + track + "/auto";
  figure.parameters.emplace_back("cap", count_text(chosen));
  figure.parameters.emplace_back("best_of_sweep", std::to_string(cap));
  set_times(figure, stage_of(samples[1], "bins.total"));
  set_peer(figure, fmt::format("cap {}, the best of the sweep", cap), stage_of(samples[1], "bins.total"),
           stage_of(samples[0], "bins.total"));
  figures.push_back(std::move(figure));
}

void BinningMeter::skip(const std::string& why) {
  Figure figure;
  figure.suite = "binning";
  figure.name = part;
  figure.unit = "ms";
  figure.verified = true;
  figure.note = "skipped: " + why;
  figures.push_back(std::move(figure));
}

Figure BinningMeter::named(const BinningCase& c, const std::string& track, const std::string& stage) const {
  const BinSpace& space = c.problem->space;
  Figure figure;
  figure.suite = "binning";
  figure.name = part + "/" + track + "/" + stage.substr(stage.find('.') + 1);
  figure.unit = "ms";
  figure.parameters = {{"application", c.settings().application},
                       {"input", c.settings().input},
                       {"elements", std::to_string(c.problem->input.count())},
                       {"bins", std::to_string(space.grid.count())},
                       {"bin", fmt::format("{:g}", space.grid.side[0])},
                       {"cutoff", fmt::format("{:g}", space.cutoff)},
                       {"track", track},
                       {"stage", stage},
                       {"seed", std::to_string(c.settings().seed)},
                       {"verified_by", fmt::format("{} outputs in double, and the seal", c.expected->at.size())}};
  return figure;
}

}  // namespace warploom::bench
