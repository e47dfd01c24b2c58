#pragma once
#include <string>
#include <utility>
#include <vector>

#include "gpu/pictures/selection.h"

namespace warploom {

/// A track that tells in words and numbers what a selection of its scene's own spaces is: a row each, what and how
/// much. Any thread may ask; of the state that was painted last.
class Described {
 public:
  /// Empty: nothing is known of it.
  virtual std::vector<std::pair<std::string, std::string>> describe(const Selection& selection) const = 0;

 protected:
  ~Described() = default;
};

}  // namespace warploom
