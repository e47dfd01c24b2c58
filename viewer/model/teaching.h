#pragma once
#include <string>
#include <vector>

#include "gpu/pictures/selection.h"

namespace warploom {

/// A ring and words at a widget, or at a place of the pictures.
struct Marked {
  std::string path;  ///< of the widget; empty: it is a place
  Selection place;
  std::string words;
};

/// What a script or a tour shows over the window.
struct Teaching {
  std::vector<Marked> marks;
  std::string said;        ///< a caption; empty: none
  bool cancelled = false;  ///< long work was given up: a script that runs ends
  Selection hover;         ///< is lit until the mouse moves
};

}  // namespace warploom
