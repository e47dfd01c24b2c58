#pragma once
#include <imgui.h>

#include <array>

namespace warploom::ui {

/// A rectangle in pixels; empty where a part of the window is hidden.
struct Rectangle {
  ImVec2 min, max;
  float width() const { return max.x - min.x; }
  float height() const { return max.y - min.y; }
  bool empty() const { return width() <= 0 || height() <= 0; }
};

/// What the user drags, in design pixels (screen pixels divided by the scale). Kept with the session.
struct Layout {
  float left_width = 272;
  float right_width = 312;
  float editor_width = 440;
  float grid_height = 0;  ///< 0: as the window has room
  float plots_height = 148;
  bool operator==(const Layout&) const = default;
};

/// Which parts of the window are wanted.
struct Shown {
  bool frame = true;  ///< top and status bar
  bool left = true, right = true, grid = true, plots = true;
  bool editor = false;       ///< the column of code beside the left panel
  bool large_grids = false;  ///< launch grids that were not resized are as large as the data
  float foot = 0;            ///< pixels kept free below all that, for words over the whole width
  float head = 0;            ///< ... above the pictures, as wide as these
};

/// The window cut into its parts. Neighbours share an edge; the line between them is drawn over it.
struct Arrangement {
  Rectangle top, status, left, right, head, centre, plots, foot;
  Rectangle editor;  ///< beside the left panel; where that leaves too little, in place of the pictures
  int tracks = 1;
  std::array<Rectangle, 4> data;  ///< of each track
  std::array<Rectangle, 4> grid;  ///< below its data; empty where hidden or too small to be of use
};

/// Sizes in `layout` are wishes: where the window is small, pictures keep two fifths of it or more and the panels give
/// way; below that the right and then the left panel, the plots and then the launch grids are left out. More than two
/// tracks that would be too narrow as columns stand two by two.
Arrangement arrange(const Layout& layout, ImVec2 window, int tracks, const Shown& shown, float scale);

}  // namespace warploom::ui
