#include "gpu/scenes/irregular/hash/success.h"

#include <algorithm>

#include "gpu/scenes/irregular/hash/level_two.h"

namespace warploom {

LevelTwoSuccess::Points LevelTwoSuccess::points() {
  const std::scoped_lock lock(mutex_);
  if (!thread_.joinable()) thread_ = std::jthread([this](const std::stop_token& stop) { measure(stop); });
  return points_;
}

void LevelTwoSuccess::wait() {
  points();
  std::unique_lock lock(mutex_);
  whole_.wait(lock, [&] { return points_.whole(); });
}

void LevelTwoSuccess::measure(const std::stop_token& stop) {
  // Streams that nothing else draws from.
  const std::uint64_t drawn = key_hash(seed_, 8), seeds = key_hash(seed_, 9);
  for (unsigned size = first; size <= last; size += by) {
    unsigned built = 0;
    for (unsigned bucket = 0; bucket < buckets; ++bucket) {
      if (stop.stop_requested()) return;
      const std::uint64_t number = std::uint64_t{size} * buckets + bucket;
      const HashFamily family(key_hash(seeds, number), published_);
      const std::array functions{family.at(1, 0), family.at(2, 0), family.at(3, 0)};
      std::vector<std::uint32_t> keys(size);
      for (unsigned i = 0; i < size; ++i) keys[i] = fmix32(i + static_cast<std::uint32_t>(key_hash(drawn, number)));
      built += trace_level_two(keys, functions, false).rounds > 0;
    }
    const std::scoped_lock lock(mutex_);
    points_.keys.push_back(size);
    points_.share.push_back(static_cast<double>(built) / buckets);
    whole_.notify_all();
  }
}

}  // namespace warploom
