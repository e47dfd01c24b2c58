#pragma once
#include <string>

#include "gpu/pictures/picture_request.h"

namespace warploom {

/// A picture that leaves things out where a pixel has no room for all of them.
class ScaledPicture {
 public:
  virtual ~ScaledPicture() = default;
  /// How much of it is drawn as `request` has it, "1:2"; empty: all of it. The window's thread.
  virtual std::string scale(const PictureRequest& request) const = 0;
};

}  // namespace warploom
