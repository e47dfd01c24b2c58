#pragma once
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "gpu/core/parameter_schema.h"

namespace warploom {

/// A scene whose input can be drawn by hand: what was drawn becomes values of its parameters, so that it is undone,
/// saved and captured as they are.
class DrawnInput {
 public:
  /// `stroke`: by the place along the input, 0..1, the value there, -1..1; what lies between its ends is replaced, of
  /// what is there now: evenly along it, as it is shown; empty: nothing is.
  virtual std::vector<std::pair<std::string, Value>> drawn(const std::map<double, double>& stroke,
                                                           const std::vector<double>& now) const = 0;

 protected:
  ~DrawnInput() = default;
};

}  // namespace warploom
