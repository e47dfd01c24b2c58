#include "gpu/bench/measure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "gpu/core/statistics.h"

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

void set_summary(Figure& figure, const Samples& samples, const std::vector<double>& values) {
  figure.verified = samples.verified;
  if (!samples.note.empty()) figure.note += (figure.note.empty() ? "" : "; ") + samples.note;
  if (!samples.verified || values.empty()) return;
  const Summary summary = summarize(values);
  figure.median = summary.median;
  figure.low = summary.p5;
  figure.high = summary.p95;
  figure.samples = summary.samples;
}

/// Fewest milliseconds of three samples.
double estimate(RegionTimer& timer) {
  double best = timer.sample();
  for (int i = 0; i < 2; ++i) best = std::min(best, timer.sample());
  return best;
}

}  // namespace

std::vector<Samples> measure(Bench& bench, const std::vector<Contestant>& contestants, Cache cache) {
  Queue& queue = bench.queue();
  const bool cold = cache == Cache::cold && bench.cache_bytes() > 0;
  std::vector<Samples> all(contestants.size());
  std::vector<std::unique_ptr<RegionTimer>> timers(contestants.size());
  std::vector<double> guesses(contestants.size());
  double shortest = 1e300;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Contestant& contestant = contestants[i];
    all[i].verified = proves_right(bench, contestant);
    if (!all[i].verified) {
      all[i].note = "wrong result";
      continue;
    }
    if (contestant.poison) contestant.poison(queue);
    for (int run = 0; run < bench.settings().warm_ups; ++run) {
      bench.check_cancelled();
      contestant.run(queue);
    }
    timers[i] = std::make_unique<RegionTimer>(queue, contestant.run);
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
  }
  const std::size_t wanted = bench.settings().samples;
  const std::size_t count = shortest < many_samples_below_ms ? (wanted * 10 + 2) / 3 : wanted;
  for (std::size_t sample = 0; sample < count; ++sample)
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (!timers[i]) continue;
      bench.check_cancelled();
      if (cold) bench.overwrite_cache();
      // What ran in between may have taken the cache: one run of its own brings it back.
      if (!cold && timers[i]->replays() == 1 && guesses[i] < warm_below_ms) contestants[i].run(queue);
      all[i].milliseconds.push_back(timers[i]->sample());
    }
  for (std::size_t i = 0; i < all.size(); ++i)
    if (all[i].verified && !proves_right(bench, contestants[i]))
      all[i] = {false, {}, "wrong result after the timed runs"};
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

void set_times(Figure& figure, const Samples& samples) {
  figure.unit = "ms";
  set_summary(figure, samples, samples.milliseconds);
}

void set_rates(Figure& figure, const Samples& samples, double amount, double scale) {
  std::vector<double> rates;
  for (const double ms : samples.milliseconds) rates.push_back(amount / (ms * 1e-3) / scale);
  set_summary(figure, samples, rates);
}

void set_peer(Figure& figure, const std::string& peer, const Samples& ours, const Samples& peers) {
  figure.peer = peer;
  if (!ours.verified || !peers.verified) return;
  const Ratio ratio = paired_ratio(peers.milliseconds, ours.milliseconds, 1000);
  figure.ratio_to_peer = ratio.median;
  figure.ratio_low = ratio.low;
  figure.ratio_high = ratio.high;
}

void set_share(Bench& bench, Figure& figure, const std::string& ceiling, double amount) {
  if (amount <= 0 || !figure.verified || figure.samples == 0) return;
  figure.ceiling = ceiling;
  figure.share_of_ceiling = amount / (figure.median * 1e-3) / bench.ceiling(ceiling);
}

}  // namespace warploom::bench
