#pragma once
#include <atomic>
#include <optional>
#include <vector>

#include "gpu/core/types.h"
#include "gpu/own/sources.h"
#include "gpu/tracks/faceted.h"

namespace warploom {

/// A track whose source can be read, and that says what a thread computes at its lines. Any thread may ask.
class Sourced : public FacetBase {
 public:
  /// The map's, with what it is made of, then the work's.
  virtual std::vector<SourceFile> sources() const = 0;
  /// What one thread computes; nullopt: that is not known. It may compile, and wait for a process. Throws Cancelled.
  virtual std::optional<SourceValues> values(const Owner& who, const std::atomic<bool>& cancel) = 0;
};

}  // namespace warploom
