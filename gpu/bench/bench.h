#pragma once
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "gpu/core/buffer.h"
#include "gpu/core/queue.h"

namespace warploom::bench {

struct Figure;

/// How a run of the benchmark measures.
struct Settings {
  std::size_t samples = 30;           ///< a figure, at least; more below 50 us
  int warm_ups = 10;                  ///< before each figure
  double scale = 1;                   ///< share of the usual data and work of the ceilings
  std::optional<std::uint64_t> seed;  ///< of all random data; a fresh one without
  /// Folders of the program's data and of the user's, a file of the same key in a later one counts.
  std::vector<std::filesystem::path> data;
  std::map<std::string, std::string> set;  ///< what suites were given, by the keys that they understand
  /// What a key was given; null: nothing.
  const std::string* given(const std::string& key) const;
  /// Whether the list that a key was given has a word; of what was not given: the list `usual`, any word where empty.
  bool wants(const std::string& key, const std::string& word, const std::string& usual = {}) const;
};

/// What suites run in: a queue, the settings, and the ceilings found so far in the same run.
class Bench {
 public:
  /// Throws UsageError for settings that measure nothing, CudaUnavailable.
  Bench(Backend backend, Settings settings);

  Backend backend() const { return queue_.backend(); }
  Queue& queue() { return queue_; }
  const Settings& settings() const { return settings_; }
  /// The seed that all others of this run come from.
  std::uint64_t seed() const { return seed_; }
  std::uint64_t fresh_seed();

  /// Hears what is being measured, and how far the suite is (0..1, below 0: a part of it).
  std::function<void(const std::string& what, double fraction)> progress;
  /// Runs a part of a suite, which adds to `figures`, unless it is in `done`. Parts have names of their own over all
  /// suites.
  void part(const std::string& name, std::vector<Figure>& figures, const std::function<void()>& run);
  std::set<std::string> done;  ///< parts that an earlier run has measured
  /// Hears of each part that is finished, with what it added.
  std::function<void(const std::string& part, std::span<const Figure> added)> finished;
  /// When it becomes true, the next check throws Cancelled. Belongs to the caller.
  void cancel_with(const std::atomic<bool>* flag) { queue_.cancel = flag; }
  /// Says what comes next; throws Cancelled.
  void report(const std::string& what, double fraction = -1);
  void check_cancelled() const;

  /// A ceiling in bytes or operations a second; measured now unless this run knows it. NaN when its result was wrong.
  double ceiling(const std::string& name);
  void set_ceiling(const std::string& name, double per_second) { ceilings_[name] = per_second; }

  /// Bytes that the device's last cache holds; 0 on the CPU, whose caches are as found.
  std::uint64_t cache_bytes() const;
  /// Overwrites four times the cache, in the queue. Nothing on the CPU.
  void overwrite_cache();

 private:
  Settings settings_;
  Queue queue_;
  std::uint64_t seed_, seeds_ = 0;
  std::map<std::string, double> ceilings_;
  Buffer<std::uint8_t> overwritten_;
};

}  // namespace warploom::bench
