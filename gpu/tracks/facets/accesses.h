#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gpu/core/types.h"
#include "gpu/tracks/faceted.h"

namespace warploom {

/// What the accesses of a map cost in one layout, counted warp by warp over one step.
struct LayoutCounts {
  std::string layout;
  bool own = false;           ///< the track's own
  std::uint64_t sectors = 0;  ///< of 32 bytes
  std::uint64_t lines = 0;    ///< of 128 bytes
  std::uint64_t elements = 0, padding = 0;
};

/// One warp's accesses in one layout: the byte that each lane touches, none for lanes that are waste.
struct WarpAccess {
  std::string layout;
  bool own = false;
  std::vector<std::optional<std::uint64_t>> bytes;
  std::uint64_t sectors() const { return distinct(32); }
  std::uint64_t lines() const { return distinct(128); }

 private:
  std::uint64_t distinct(std::uint64_t size) const;
};

/// A track that can tell what its warps touch in memory, under every layout it might have. Any thread may ask.
class Accesses : public FacetBase {
 public:
  /// Costs of every layout, once counted.
  virtual std::vector<LayoutCounts> totals() const = 0;
  /// The warp of `who`, under every layout.
  virtual std::vector<WarpAccess> warp(const Owner& who) const = 0;
  /// Bytes of a value.
  virtual std::uint32_t value_bytes() const = 0;
};

}  // namespace warploom
