#include "gpu/bench/binning_case.h"

#include <algorithm>
#include <cmath>

#include "gpu/bench/suites.h"
#include "gpu/core/stopwatch.h"
#include "gpu/tracks/facets/numbers.h"

namespace warploom::bench {

namespace {

/// By the rule of the tracks: ||o - o_ref|| against the larger of ||o_ref|| and a hundredth of all magnitudes.
bool near(const BinningExpected& expected, const std::vector<float>& found) {
  double apart = 0, values = 0, sizes = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    apart += std::pow(double{found[i]} - expected.values[i], 2);
    values += std::pow(expected.values[i], 2);
    sizes += std::pow(expected.sizes[i], 2);
    // Weak outputs are not to be lost among strong ones.
    if (!(std::abs(double{found[i]} - expected.values[i]) <= 1e-4 * expected.sizes[i] + 1e-30)) return false;
  }
  // What is no number is near to nothing.
  return std::sqrt(apart) <= 1e-5 * std::max(std::sqrt(values), std::sqrt(sizes) / 100);
}

}  // namespace

double BinningContestant::number(Queue& queue, const std::string& name) const {
  for (const auto& [key, value] : track->need<Numbers>().numbers(queue))
    if (key == name) return value;
  return none;
}

BinningContestant binning_contestant(Bench& bench, const BinningCase& c, const std::string& name) {
  Queue& queue = bench.queue();
  const std::shared_ptr<Track> track = make_bins_track(queue, c.problem, name);
  start_bins(*track, queue);
  queue.wait();
  track->publish(queue);
  const auto right = [track, expected = c.expected](Queue& asked) {
    track->publish(asked);
    const auto seal = track->seal(asked);
    return seal && seal->hash == expected->seal && near(*expected, bin_outputs(*track, asked, expected->at));
  };
  return {track,
          {name, [track](Queue& to) { track->step(to); }, [track](Queue& to) { poison_bins(*track, to); }, right}};
}

std::vector<StageSamples> measure_steps(Bench& bench, const std::vector<BinningContestant>& contestants) {
  Queue& queue = bench.queue();
  std::vector<StageSamples> all(contestants.size());
  const auto wrong = [&](std::size_t i, const char* note) { all[i] = {{"bins.total", Samples{false, {}, note}}}; };
  const auto proves_right = [&](const Contestant& contestant) {
    bench.check_cancelled();
    contestant.poison(queue);
    contestant.run(queue);
    queue.wait();
    return contestant.right(queue);
  };
  Stopwatch watch(bench.backend());
  StageSamples* into = nullptr;
  watch.on_sample = [&](const TimingSample& sample) {
    Samples& samples = (*into)[sample.kernel];
    samples.verified = true;
    samples.milliseconds.push_back(sample.milliseconds);
  };
  std::vector<bool> short_steps(contestants.size());
  const auto sample = [&](std::size_t i) {
    bench.check_cancelled();
    // What ran in between may have taken the cache: one run of its own brings it back.
    if (short_steps[i]) {
      contestants[i].contestant.run(queue);
      queue.wait();
    }
    into = &all[i];
    queue.stopwatch = &watch;
    try {
      contestants[i].contestant.run(queue);
      queue.wait();
      watch.collect(true);
    } catch (...) {
      queue.stopwatch = nullptr;
      throw;
    }
    queue.stopwatch = nullptr;
  };
  std::vector<bool> good(contestants.size());
  for (std::size_t i = 0; i < contestants.size(); ++i) {
    good[i] = proves_right(contestants[i].contestant);
    if (!good[i]) {
      wrong(i, "wrong result");
      continue;
    }
    for (int run = 0; run < bench.settings().warm_ups; ++run) {
      bench.check_cancelled();
      contestants[i].contestant.run(queue);
      queue.wait();
    }
  }
  for (std::size_t round = 0; round < bench.settings().samples; ++round)
    for (std::size_t i = 0; i < contestants.size(); ++i) {
      if (!good[i]) continue;
      sample(i);
      const auto& totals = all[i]["bins.total"].milliseconds;
      if (round == 0) short_steps[i] = !totals.empty() && totals[0] < 1;
    }
  for (std::size_t i = 0; i < contestants.size(); ++i)
    if (good[i] && !proves_right(contestants[i].contestant)) wrong(i, "wrong result after the timed runs");
  return all;
}

}  // namespace warploom::bench
