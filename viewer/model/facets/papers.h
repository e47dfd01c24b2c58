#pragma once
#include <string>

namespace warploom {

/// A scene that figures of papers are of (SceneParts::papers): what its tracks are made of, to
/// find the figure that they belong to.
class Papers {
 public:
  struct Made {
    std::string fractal, work;
    double block = 0;  ///< the block's side along x
  };
  virtual Made made() const = 0;

 protected:
  ~Papers() = default;
};

}  // namespace warploom
