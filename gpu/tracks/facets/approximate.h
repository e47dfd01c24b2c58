#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "gpu/core/queue.h"
#include "gpu/core/types.h"
#include "gpu/tracks/faceted.h"

namespace warploom {

class Track;

/// How near the values of a track are to what they are held against.
struct Verdict {
  std::string against;     ///< "reference", the reference track; "oracle", an answer of its own
  std::string kind;        ///< "bitwise", "relative_l2", "relative_sum" or "backward_error"
  std::uint64_t rows = 0;  ///< so many were judged
  double error = 0, bound = 0;
  std::optional<Index3> singular;  ///< the first row that has no answer

  bool holds() const { return !singular && error <= bound; }  // an error that is no number does not hold
};

/// A track whose values are near the right ones and need not be equal: judged within a stated bound. What of it is
/// exact is sealed as of any other. The thread that steps.
class Approximate : public FacetBase {
 public:
  /// Of the finished state. `reference`: the track whose state is right, hidden or shown; it may be this one.
  virtual Verdict verdict(Queue& queue, const Track& reference) = 0;
};

}  // namespace warploom
