#pragma once
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "gpu/scenes/simplex/bench/case.h"
#include "gpu/scenes/simplex/bench/roots.h"

namespace warploom::bench {

/// Canonical.
std::string simplex_track_name(int dimensions, const std::string& map, const std::string& layout);

/// Measures tracks of simplex cases.
class SimplexMeter : public TrackBench {
 public:
  explicit SimplexMeter(Bench& bench) : TrackBench(bench, "simplex") {}

  /// What was measured of a track, and next to it.
  struct Measured {
    std::string track;
    const Samples& samples;
    const Samples *base, *line;  ///< of the bounding box (null in its own) and of a line of memory; null: none
    Cache cache;
  };
  using Add = std::function<void(const Measured&)>;

  /// Every exact map of a layout in turn with its bounding box, and with a line of memory if any; as many at once as
  /// memory holds. Where that is one, only the map that is fastest at a glance.
  void compare(SimplexCase& c, const std::string& layout, const MemoryLine* line, const Add& add_measured);
  /// Times of every exact map beside the bounding box of its layout and shape, and beside a line of memory. `medians`
  /// receives each track's.
  void written(SimplexCase& c, const std::string& layout, const MemoryLine* line,
               std::map<std::string, double>* medians = nullptr);
  /// Rates of triples of every exact map; the share counts `each` operations per triple, which are `what`. `finish`
  /// completes figures that have samples.
  void triples(SimplexCase& c, const std::string& layout, const std::string& ceiling, double each,
               const std::string& what, const std::function<void(const std::string& track, Figure&)>& finish);
  /// The track that takes least in a few runs, one at a time.
  std::string fastest(const SimplexCase& c, const std::vector<std::string>& tracks, std::string& note);
  /// Throws UsageError where memory does not hold these tracks.
  void require(const SimplexCase& c, const std::vector<std::string>& tracks) const {
    check_simplex(bench().backend(), c.settings, tracks);
  }

  std::vector<Cache> caches(const SimplexCase& c) const;
  Figure figure_of(const SimplexCase& c, const std::string& track, Cache cache, const std::string& unit = "ms") const;
  /// The figure of a refused case. `what`: its part; empty: its times.
  Figure refused(const SimplexCase& c, const std::string& what = {}) const;
  /// Sides for this backend, times the settings' scale of data; multiples of `unit` and `least` at least, each once.
  std::vector<std::uint32_t> sides(int dimensions, std::uint32_t unit, std::uint32_t least,
                                   const std::vector<std::uint32_t>& on_cuda,
                                   const std::vector<std::uint32_t>& on_cpu) const;
};

/// Adds parts for threads that serve several cells, and blocks that are launched as one: every exact map in each shape
/// beside the bounding box of the same shape and a fill or copy of as many bytes; then the best of both side by side.
void add_simplex_shapes(SimplexMeter& meter);

}  // namespace warploom::bench
