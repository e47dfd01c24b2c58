#pragma once
#include <string>
#include <utility>
#include <vector>

#include "gpu/core/queue.h"
#include "gpu/pictures/selection.h"
#include "gpu/tracks/faceted.h"

namespace warploom {

/// A track that tells in words and numbers what a selection of its scene's own spaces is: a row each, what and how
/// much. Any thread may ask; of the state that was painted last.
class Described : public FacetBase {
 public:
  /// Before `describe`, and for pictures that mark it: finds out by kernels what is told of it; waits where it was not
  /// asked before. The window's thread, in a queue of its own.
  virtual void ask(Queue& /*questions*/, const Selection&) {}
  /// Empty: nothing is known of it.
  virtual std::vector<std::pair<std::string, std::string>> describe(const Selection& selection) const = 0;
};

}  // namespace warploom
