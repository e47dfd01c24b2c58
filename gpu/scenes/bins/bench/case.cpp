#include "gpu/scenes/bins/bench/case.h"

#include <algorithm>
#include <cmath>

#include "gpu/bench/suites.h"
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

}  // namespace warploom::bench
