#pragma once
#include <string>
#include <vector>

namespace warploom {

/// A library of others that a scene can use, and needs not.
struct OptionalLibrary {
  std::string name, file, serves;
  bool there = false;
};

/// A scene that can use some.
class Libraries {
 public:
  virtual std::vector<OptionalLibrary> libraries() const = 0;

 protected:
  ~Libraries() = default;
};

}  // namespace warploom
