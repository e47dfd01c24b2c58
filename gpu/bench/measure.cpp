#include "gpu/bench/measure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "gpu/core/scoped_member.h"
#include "gpu/core/statistics.h"
#include "gpu/core/stopwatch.h"

namespace warploom::bench {

std::string count_text(double number) { return fmt::format("{:.0f}", number); }

namespace {

constexpr double graph_below_ms = .020, many_samples_below_ms = .050, warm_below_ms = 1;

bool proves_right(Bench& bench, const Contestant& contestant) {
  bench.check_cancelled();
  if (contestant.poison) contestant.poison(bench.queue());
  contestant.run(bench.queue());
  bench.queue().wait();
  return contestant.right(bench.queue());
}

/// Fewest milliseconds of three samples.
double estimate(RegionTimer& timer) { return std::min({timer.sample(), timer.sample(), timer.sample()}); }

/// What measures a sample of a contestant, and what it does before the first of them.
struct Sampler {
  std::function<void(std::size_t contestant)> prepare;  ///< after the warm-ups
  std::function<std::size_t()> rounds;                  ///< after all are prepared
  std::function<void(std::size_t contestant, std::size_t round)> sample;
  std::function<void(std::size_t contestant, const char* note)> wrong;
  bool waits = false;  ///< after each warm-up
};

/// Verified before and after, warm-ups, then all in turn.
void measure_in_turn(Bench& bench, const std::vector<Contestant>& contestants, const Sampler& by) {
  std::vector<bool> good(contestants.size());
  for (std::size_t i = 0; i < contestants.size(); ++i) {
    const Contestant& contestant = contestants[i];
    good[i] = proves_right(bench, contestant);
    if (!good[i]) {
      by.wrong(i, "wrong result");
      continue;
    }
    if (contestant.poison) contestant.poison(bench.queue());
    for (int run = 0; run < bench.settings().warm_ups; ++run) {
      bench.check_cancelled();
      contestant.run(bench.queue());
      if (by.waits) bench.queue().wait();
    }
    by.prepare(i);
  }
  const std::size_t rounds = by.rounds();
  for (std::size_t round = 0; round < rounds; ++round)
    for (std::size_t i = 0; i < contestants.size(); ++i) {
      if (!good[i]) continue;
      bench.check_cancelled();
      by.sample(i, round);
    }
  for (std::size_t i = 0; i < contestants.size(); ++i)
    if (good[i] && !proves_right(bench, contestants[i])) by.wrong(i, "wrong result after the timed runs");
}

}  // namespace

std::vector<Samples> measure(Bench& bench, const std::vector<Contestant>& contestants, Cache cache) {
  Queue& queue = bench.queue();
  const bool cold = cache == Cache::cold && bench.cache_bytes() > 0;
  std::vector<Samples> all(contestants.size());
  std::vector<std::unique_ptr<RegionTimer>> timers(contestants.size());
  std::vector<double> guesses(contestants.size());
  double shortest = 1e300;
  const auto prepare = [&](std::size_t i) {
    all[i].verified = true;
    timers[i] = std::make_unique<RegionTimer>(queue, contestants[i].run);
    const double guess = guesses[i] = estimate(*timers[i]);
    shortest = std::min(shortest, guess);
    if (cold) {
      all[i].note = "cold: 4 x L2 overwritten before each sample";
      if (guess < graph_below_ms) all[i].note += "; single launches, their overhead included";
    } else if (guess < graph_below_ms && bench.backend() == Backend::cuda) {
      timers[i]->replay(static_cast<unsigned>(std::clamp(std::ceil(.4 / guess), 20., 100.)));
      all[i].note = (timers[i]->graph() ? "graph of " : "launched back to back, ") +
                    std::to_string(timers[i]->replays()) + " replays";
    }
  };
  const auto rounds = [&] {
    const std::size_t wanted = bench.settings().samples;
    return shortest < many_samples_below_ms ? (wanted * 10 + 2) / 3 : wanted;
  };
  const auto sample = [&](std::size_t i, std::size_t) {
    if (cold) bench.overwrite_cache();
    // What ran in between may have taken the cache: one run of its own brings it back.
    if (!cold && timers[i]->replays() == 1 && guesses[i] < warm_below_ms) contestants[i].run(queue);
    all[i].milliseconds.push_back(timers[i]->sample());
  };
  measure_in_turn(bench, contestants, {prepare, rounds, sample, [&](std::size_t i, const char* note) {
                                         all[i] = {false, {}, note};
                                       }});
  return all;
}

std::vector<StageSamples> measure_steps(Bench& bench, const std::vector<Contestant>& contestants,
                                        const std::string& whole) {
  Queue& queue = bench.queue();
  std::vector<StageSamples> all(contestants.size());
  Stopwatch watch(bench.backend());
  StageSamples* into = nullptr;
  watch.on_sample = [&](const TimingSample& sample) {
    Samples& samples = (*into)[sample.kernel];
    samples.verified = true;
    samples.milliseconds.push_back(sample.milliseconds);
  };
  std::vector<bool> short_steps(contestants.size());
  const auto sample = [&](std::size_t i, std::size_t round) {
    // What ran in between may have taken the cache: one run of its own brings it back.
    if (short_steps[i]) {
      contestants[i].run(queue);
      queue.wait();
    }
    into = &all[i];
    const ScopedStopwatch timed(queue, &watch);
    contestants[i].run(queue);
    queue.wait();
    watch.collect(true);
    const auto& totals = all[i][whole].milliseconds;
    if (round == 0) short_steps[i] = !totals.empty() && totals[0] < warm_below_ms;
  };
  measure_in_turn(bench, contestants,
                  {[](std::size_t) {}, [&] { return bench.settings().samples; }, sample,
                   [&](std::size_t i, const char* note) {
                     all[i] = {{whole, Samples{false, {}, note}}};
                   },
                   true});
  return all;
}

double quick_time(Bench& bench, const Region& run) {
  run(bench.queue());
  bench.queue().wait();
  RegionTimer timer(bench.queue(), run);
  const double guess = timer.sample();
  constexpr double long_ms = 20, short_ms = .2;
  if (guess > long_ms) return guess;
  // Back to back, launch overhead overlaps: what remains is the kernel's own time, or the overhead that all share.
  if (guess < short_ms) timer.replay(10);
  std::vector<double> samples(5);
  for (double& sample : samples) sample = timer.sample();
  bench.check_cancelled();
  return summarize(samples).median;
}

std::size_t quickest(Bench& bench, const std::vector<Region>& regions) {
  std::size_t best = 0;
  double least = 1e300;
  for (std::size_t i = 0; i < regions.size() && regions.size() > 1; ++i)
    if (const double time = quick_time(bench, regions[i]); time < least) least = time, best = i;
  return best;
}

bool fits_cache(const Bench& bench, double bytes) { return bytes < 4. * static_cast<double>(bench.cache_bytes()); }

std::vector<Cache> caches_of(const Bench& bench, double bytes) {
  return fits_cache(bench, bytes) ? std::vector{Cache::warm, Cache::cold} : std::vector{Cache::warm};
}

const char* cache_text(const Bench& bench, Cache cache, double bytes) {
  if (bench.backend() == Backend::cpu) return "as found";
  if (cache == Cache::cold) return "cold";
  return fits_cache(bench, bytes) ? "warm" : "streamed";
}

void set_values(Figure& figure, const Samples& samples, const std::vector<double>& values) {
  figure.verified = samples.verified;
  figure.add_note(samples.note);
  if (!samples.verified || values.empty()) return;
  const Summary summary = summarize(values);
  figure.median = summary.median;
  figure.low = summary.p5;
  figure.high = summary.p95;
  figure.samples = summary.samples;
}

void set_times(Figure& figure, const Samples& samples) {
  figure.unit = "ms";
  set_values(figure, samples, samples.milliseconds);
}

void set_rates(Figure& figure, const Samples& samples, double amount, double scale) {
  std::vector<double> rates;
  for (const double ms : samples.milliseconds) rates.push_back(amount / (ms * 1e-3) / scale);
  set_values(figure, samples, rates);
}

void set_peer(Figure& figure, const std::string& peer, const Samples& ours, const Samples& peers) {
  figure.peer = peer;
  if (!ours.verified || !peers.verified) return;
  const Ratio ratio = paired_ratio(peers.milliseconds, ours.milliseconds, 1000);
  figure.ratio_to_peer = ratio.median;
  figure.ratio_low = ratio.low;
  figure.ratio_high = ratio.high;
}

void set_copy(Figure& figure, const Samples& ours, const Samples& copies) {
  if (!ours.verified || !copies.verified) return;
  const Ratio ratio = paired_ratio(copies.milliseconds, ours.milliseconds, 1000);
  figure.share_of_copy = ratio.median;
  figure.copy_low = ratio.low;
  figure.copy_high = ratio.high;
}

void set_share(Bench& bench, Figure& figure, const std::string& ceiling, double amount) {
  if (amount <= 0 || !figure.verified || figure.samples == 0) return;
  figure.ceiling = ceiling;
  figure.share_of_ceiling = amount / (figure.median * 1e-3) / bench.ceiling(ceiling);
}

void set_rate_share(Bench& bench, Figure& figure, const std::string& ceiling, double each) {
  if (!figure.verified || figure.samples == 0) return;
  figure.ceiling = ceiling;
  figure.share_of_ceiling = figure.median * each / bench.ceiling(ceiling);
}

}  // namespace warploom::bench
