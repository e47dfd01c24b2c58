#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gpu/core/parameter_schema.h"
#include "gpu/tracks/facets/failure.h"

namespace warploom {

/// How to see a map that is meant to be wrong go wrong: a parameter to slide, and the values that reach its first
/// failure.
struct BreakIt {
  std::string key;
  std::int64_t maximum = 1;
  std::vector<std::pair<std::string, Value>> reach;
};

/// A scene with maps that are meant to be wrong.
class Breakable {
 public:
  /// Nullopt: nothing wrong was found on this device.
  virtual std::optional<BreakIt> break_it(const FirstWrong& wrong) const = 0;

 protected:
  ~Breakable() = default;
};

}  // namespace warploom
