#pragma once
#include <cstdint>

#include "gpu/core/types.h"
#include "gpu/tracks/faceted.h"

namespace warploom {

/// Where a map that is meant to be wrong first is, on this backend.
struct FirstWrong {
  std::uint64_t index = 0;      ///< linear block w; nothing wrong below
  bool found = false;           ///< false: none was found below `index`
  std::uint64_t published = 0;  ///< by correctly rounded arithmetic of a CPU
  std::uint32_t blocks = 0;     ///< blocks per side from which on it matters
  Index3 answer, right;         ///< what the map says there, all ones: nothing; and what is right: stacked
  Index3 block;                 ///< the right block in the domain's own coordinates
};

/// A track whose map is meant to be wrong somewhere. Any thread may ask.
class FailureFacet : public FacetBase {
 public:
  virtual FirstWrong first_wrong() const = 0;
};

}  // namespace warploom
