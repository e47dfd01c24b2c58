#pragma once
#include <string>
#include <vector>

namespace warploom {

/// A scene whose tracks have other pictures than the data space and the launch grid.
class OwnPictures {
 public:
  /// The keys of all of them.
  virtual std::vector<std::string> picture_keys() const = 0;

 protected:
  ~OwnPictures() = default;
};

}  // namespace warploom
