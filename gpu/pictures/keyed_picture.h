#pragma once
#include <string>
#include <vector>

#include "gpu/pictures/picture_request.h"

namespace warploom {

/// A picture with colours that each stand for one thing, beside its scale or in place of one.
class KeyedPicture {
 public:
  struct Kind {
    std::string words;
    Rgba colour = 0;
    Rgba hatch = 0;        ///< of the lines over it; 0: none
    bool crossed = false;  ///< lines both ways
  };
  virtual ~KeyedPicture() = default;
  /// The most important first: where they have no room, as many are shown as have. The window's thread.
  virtual std::vector<Kind> kinds(const PictureRequest& request) const = 0;
  /// The high end of its scale in fewer words, where a pane has no room for the legend's own; empty: there are none.
  virtual std::string brief(const PictureRequest&) const { return {}; }
  /// Where it stands at the side it leaves room for them below it.
  virtual bool leaves_room() const { return false; }
};

}  // namespace warploom
