#pragma once
#include <string>
#include <vector>

#include "gpu/tracks/track.h"

namespace warploom {

/// A track whose lesson is another than how many threads it launches. Any thread may ask.
class Compared : public FacetBase {
 public:
  /// What it does against `other`, which is called `name`: predicates without a full stop, the most telling first, as
  /// "stores 320 KiB, 52 times less than A". Empty: nothing to tell yet, or the threads say it.
  virtual std::vector<std::string> against(const Track& other, const std::string& name) const = 0;
};

}  // namespace warploom
