#pragma once
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#include "gpu/scenes/irregular/hash/functions.h"

namespace warploom {

/// How often level 2 of two_level fits a bucket within 25 rounds, by its keys: measured on a thread of its own by
/// building buckets of random keys, from when it is first asked. It stops when this goes.
class LevelTwoSuccess {
 public:
  static constexpr unsigned first = 384, last = 528, by = 16, buckets = 256;

  LevelTwoSuccess(std::uint64_t seed, bool published) : seed_(seed), published_(published) {}

  /// As far as it is measured: keys of a bucket, and the share of buckets that were built. Any thread.
  struct Points {
    std::vector<double> keys, share;
    bool whole() const { return keys.size() == (last - first) / by + 1; }
  };
  Points points();
  /// Waits until all is measured.
  void wait();

 private:
  void measure(const std::stop_token& stop);
  std::uint64_t seed_;
  bool published_;
  std::mutex mutex_;
  std::condition_variable whole_;
  Points points_;
  std::jthread thread_;  // last: joined before the rest goes
};

}  // namespace warploom
