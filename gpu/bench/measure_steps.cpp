#include "gpu/bench/measure_steps.h"

#include "gpu/core/stopwatch.h"

namespace warploom::bench {

std::vector<StageSamples> measure_steps(Bench& bench, const std::vector<Contestant>& contestants,
                                        const std::string& whole) {
  Queue& queue = bench.queue();
  std::vector<StageSamples> all(contestants.size());
  const auto wrong = [&](std::size_t i, const char* note) { all[i] = {{whole, Samples{false, {}, note}}}; };
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
      contestants[i].run(queue);
      queue.wait();
    }
    into = &all[i];
    queue.stopwatch = &watch;
    try {
      contestants[i].run(queue);
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
    good[i] = proves_right(contestants[i]);
    if (!good[i]) {
      wrong(i, "wrong result");
      continue;
    }
    for (int run = 0; run < bench.settings().warm_ups; ++run) {
      bench.check_cancelled();
      contestants[i].run(queue);
      queue.wait();
    }
  }
  for (std::size_t round = 0; round < bench.settings().samples; ++round)
    for (std::size_t i = 0; i < contestants.size(); ++i) {
      if (!good[i]) continue;
      sample(i);
      const auto& totals = all[i][whole].milliseconds;
      if (round == 0) short_steps[i] = !totals.empty() && totals[0] < 1;
    }
  for (std::size_t i = 0; i < contestants.size(); ++i)
    if (good[i] && !proves_right(contestants[i])) wrong(i, "wrong result after the timed runs");
  return all;
}

}  // namespace warploom::bench
