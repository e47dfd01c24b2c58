#pragma once
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "gpu/scenes/bins/kernels/cap_search.h"

namespace warploom {

/// Caps that were found for the tracks of a problem, so that tracks beside them may change without a new search. Any
/// thread.
class FoundCaps {
 public:
  struct Found {
    std::uint32_t cap;
    std::vector<CapTime> curve;
  };
  std::optional<Found> of(const std::string& track) const {
    const std::lock_guard lock(mutex_);
    const auto found = all_.find(track);
    return found == all_.end() ? std::nullopt : std::optional(found->second);
  }
  void keep(const std::string& track, const Found& found) const {
    const std::lock_guard lock(mutex_);
    all_.insert_or_assign(track, found);
  }

 private:
  mutable std::mutex mutex_;
  mutable std::map<std::string, Found> all_;
};

}  // namespace warploom
