#pragma once
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "gpu/core/statistics.h"
#include "gpu/core/stopwatch.h"

namespace warploom {

/// One row of the timings table.
struct KernelTiming {
  std::string kernel;
  int track = 0;
  Summary milliseconds;
  std::uint64_t dropped = 0, bytes = 0;
  /// Of how many steps the newest sample is the mean, and how many launches those were.
  std::uint64_t steps = 1, launches = 1;
  std::vector<float> recent;  ///< the newest samples, oldest first, for a sparkline

  /// Bytes over the median, 10^9 a second; 0 without either.
  double gb_per_s() const {
    return milliseconds.median > 0 ? static_cast<double>(bytes) / (milliseconds.median * 1e6) : 0;
  }
};

/// The samples of a scene's kernels: newest of each kernel and track, under the newest settings only. Safe from any
/// thread.
class Timings {
 public:
  void add(const TimingSample& sample);
  void add_dropped(const TimingSample& sample);
  void clear();
  /// While one lives there are no samples but those that come meanwhile; then those of before are back.
  class Aside;
  /// Keeps the samples of the tracks that stay: `from` says for each of the new tracks which it was; -1: none.
  void keep(const std::vector<int>& from);

  /// Sorted by kernel, then track.
  std::vector<KernelTiming> table() const;
  /// baseline's time over track's time, step by step: above 1 the track is faster. A step that one of the two lacks is
  /// no pair. 1 with no pairs when either is missing.
  Ratio ratio(const std::string& kernel, int baseline, const std::string& baseline_kernel, int track) const;
  /// All samples of one row, oldest first.
  std::vector<double> samples(const std::string& kernel, int track) const;

 private:
  static constexpr std::size_t most_samples = 4096, most_recent = 160;
  struct Row {
    struct Sample {
      std::uint64_t step;
      double milliseconds;
    };
    std::deque<Sample> samples;
    std::set<std::uint64_t> incomplete;  ///< steps of which a sample was dropped
    std::vector<double> milliseconds() const;
    /// Of each whole step, the sum of its launches.
    std::map<std::uint64_t, double> by_step() const;
    std::uint64_t settings = 0, dropped = 0, bytes = 0;
    std::uint64_t steps = 1, launches = 1;  ///< of the newest sample
  };
  const Row* find(const std::string& kernel, int track) const;
  mutable std::mutex mutex_;
  std::map<std::pair<std::string, int>, Row> rows_;
};

class Timings::Aside {
 public:
  explicit Aside(Timings& timings) : timings_(timings) { swap(); }
  ~Aside() { swap(); }
  Aside& operator=(Aside&&) = delete;  // neither copied nor moved

 private:
  void swap() {
    const std::lock_guard lock(timings_.mutex_);
    timings_.rows_.swap(rows_);
  }
  Timings& timings_;
  std::map<std::pair<std::string, int>, Row> rows_;
};

}  // namespace warploom
