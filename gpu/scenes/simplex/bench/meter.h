#pragma once
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "gpu/bench/ceilings.h"
#include "gpu/core/statistics.h"
#include "gpu/scenes/simplex/bench/case.h"
#include "gpu/scenes/simplex/bench/roots.h"

namespace warploom::bench {

/// The canonical name of a track.
std::string simplex_track_name(int dimensions, const std::string& map, const std::string& layout);

/// Measures tracks of simplex cases and keeps the figures.
class SimplexMeter {
 public:
  explicit SimplexMeter(Bench& bench) : bench_(bench), cuda_(bench.backend() == Backend::cuda) {}

  Bench& bench() { return bench_; }
  bool cuda() const { return cuda_; }
  std::vector<Figure> figures;
  double start = 0;  ///< how far the suite is, for the progress

  using Add =
      std::function<void(const std::string& track, const Samples&, const Samples* base, const Samples* line, Cache)>;

  /// Every exact map of a layout in turn with its bounding box, and with a line of memory where there is one; as many
  /// at once as memory holds. Where that is one, only the map that is fastest at a glance.
  void compare(SimplexCase& c, const std::string& layout, const MemoryLine* line, const Add& add);
  /// Times of every exact map, each beside the bounding box of its layout and shape, and beside a line of memory.
  /// `medians`: becomes each track's.
  void written(SimplexCase& c, const std::string& layout, const MemoryLine* line,
               std::map<std::string, double>* medians = nullptr);
  /// The track that takes least in a few runs, one at a time.
  std::string fastest(const SimplexCase& c, const std::vector<std::string>& tracks, std::string& note);
  /// Throws UsageError where memory does not hold these tracks.
  void require(const SimplexCase& c, const std::vector<std::string>& tracks) const;

  std::vector<Cache> caches(const SimplexCase& c) const;
  Figure named(const SimplexCase& c, const std::string& track, Cache cache) const;
  /// A figure that says why it is none; `what` of the case it would be, empty: its times.
  void skip(const SimplexCase& c, const std::string& why, const std::string& what = {});
  /// The share of a ceiling that a rate is; `each` of the ceiling's units for one of the figure's.
  void rate_share(Figure& figure, const std::string& ceiling, double each);

  /// A value a sample, neither a time nor a rate.
  template <class ValueOf>
  static void set_values(Figure& figure, const Samples& samples, const ValueOf& value) {
    figure.verified = samples.verified;
    if (!samples.note.empty()) figure.note += (figure.note.empty() ? "" : "; ") + samples.note;
    if (!samples.verified) return;
    std::vector<double> values;
    for (std::size_t i = 0; i < samples.milliseconds.size(); ++i) values.push_back(value(i));
    const Summary summary = summarize(values);
    figure.median = summary.median;
    figure.low = summary.p5;
    figure.high = summary.p95;
    figure.samples = summary.samples;
  }

 private:
  /// Some of the states could still be in the cache from the run before.
  bool fits_cache(const SimplexCase& c) const;
  /// What is not limited by memory does not care.
  static bool arithmetic(const SimplexCase& c) {
    return c.settings.work == "triplet_energy" || c.settings.work == "map_only";
  }

  Bench& bench_;
  const bool cuda_;
};

}  // namespace warploom::bench
