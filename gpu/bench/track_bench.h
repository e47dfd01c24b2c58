#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gpu/bench/measure.h"
#include "gpu/tracks/track.h"

namespace warploom::bench {

/// What one step of a track should come out as, found by a way that shares nothing with it.
struct Expected {
  std::optional<std::uint64_t> hash, sum;  ///< the state's seal
  std::optional<std::uint64_t> fold;       ///< of works that fold
  std::string source;                      ///< where it comes from
  bool agreed = true;                      ///< false: those who should know contradict each other

  /// Whether the published state has all that is known, and something is.
  bool holds(Track& track, Queue& queue) const;
};

/// The seal of a track's published state as what others should come out as.
Expected sealed(Track& track, Queue& queue, const std::string& source);

/// The start state in both states of a track: the answer of an earlier run is left in neither.
void fresh_start(Track& track, Queue& queue, std::uint64_t seed, double density);
/// Waits for what was launched, and makes it the finished state.
void finish_step(Track& track, Queue& queue);

/// A track as something to be timed: poisoned, one step a run, and right where its published state is. The track is not
/// published between runs, so that every step is the same.
Contestant track_contestant(const std::string& name, const std::shared_ptr<Track>& track,
                            std::function<void(Track&, Queue&)> poison, std::function<bool(Track&, Queue&)> right);

/// What suites of tracks share: parts that are measured one after another, and the figures that they add. A suite
/// derives from it and adds its parts when it is made.
class TrackBench {
 public:
  TrackBench(Bench& bench, std::string suite) : bench_(bench), suite_(std::move(suite)) {}

  /// Measures every part that an earlier run has not.
  std::vector<Figure> run();

  Bench& bench() const { return bench_; }
  bool cuda() const { return bench_.backend() == Backend::cuda; }
  bool wants(const std::string& setting, const std::string& word) const {
    return bench_.settings().wants(setting, word);
  }

  /// Adds a part, by its name within the suite. A UsageError, for lack of memory say, makes `instead` a skipped figure.
  void add_part(const std::string& name, std::function<void()> run, std::function<Figure()> instead = {});
  /// Says what comes next of the part that runs, and how much of the part is done.
  void report(const std::string& what, double share = 0) const;

  /// A figure of the suite.
  Figure make_figure(const std::string& name, const std::string& unit,
                     std::vector<std::pair<std::string, std::string>> parameters = {}) const {
    return {suite_, name, unit, std::move(parameters)};
  }
  void add(Figure figure) { figures.push_back(std::move(figure)); }
  void add(std::vector<Figure> more) { figures.insert(figures.end(), more.begin(), more.end()); }
  /// Adds a figure without samples; its note says why.
  void skip(Figure figure, const std::string& why);
  /// Calls `run`. A UsageError that it throws makes `instead` a skipped figure.
  void unless_refused(const std::function<void()>& run, const std::function<Figure()>& instead);

  std::vector<Figure> figures;  ///< so far

 private:
  struct Part {
    std::string name;
    std::function<void()> run;
  };

  Bench& bench_;
  const std::string suite_;
  std::vector<Part> parts_;
  std::size_t at_ = 0;  ///< the part that runs
};

}  // namespace warploom::bench
