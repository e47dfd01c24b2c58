#pragma once
#include <array>
#include <set>
#include <string>
#include <vector>

#include "gpu/pictures/picture.h"

namespace warploom {

/// The part of a plane in view: its middle as a fraction of the plane, and the magnification of the whole.
struct PlaneView {
  double x = .5, y = .5, zoom = 1;
  friend bool operator==(const PlaneView&, const PlaneView&) = default;
};

/// The camera of a solid picture: turned about its middle (radians), nearer by `zoom`, shifted in its own plane by
/// shares of the solid's size.
struct OrbitView {
  double yaw = -2.25, pitch = .42, zoom = 1, x = 0, y = 0;
  friend bool operator==(const OrbitView&, const OrbitView&) = default;
};

/// How solids are shown.
struct SolidSettings {
  int slice_axis = -1;  ///< 0 to 2: x, y, z; -1: whole
  double slice = .5;    ///< share of the axis that is cut off
  double explode = 1;   ///< distance between blocks, relative to their size
  double morph = 1;     ///< 0: blocks where they are launched; 1: where they work
  bool waste = true;
  friend bool operator==(const SolidSettings&, const SolidSettings&) = default;
};

/// A note on a place of a picture.
struct Pin {
  Selection at;
  std::string words;
  friend bool operator==(const Pin&, const Pin&) = default;
};

/// How the window looks, whatever scene it shows.
struct WindowSettings {
  bool linked = true;
  bool one_scale = true;  ///< pictures at the side share a scale, so that areas compare; else each fits its pane
  std::string colormap = "cividis", theme = "dark";
  int seen_as = 0;               ///< a ui::Deficiency whose view is tried on all of the window
  bool motion = true;            ///< false: nothing moves by itself but what is computed
  std::set<std::string> folded;  ///< cards that show their title only, by name
  bool panels = true, overlay = false;
  bool source = false;        ///< the source of the active track, in place of the editor of own maps
  bool presentation = false;  ///< pictures, captions and verdict alone, in large type
};

/// How the scene is looked at. What [view] of a scene text says. Each scene has its own, but for the window's.
struct ViewSettings : WindowSettings {
  // One for each track's main picture and for the one at its side; linked cameras move together.
  std::array<OrbitView, 4> orbit_data, orbit_grid;
  SolidSettings solid;
  std::array<PlaneView, 4> data, grid;
  /// Which those are, by key; empty: the first and the second of the track's list.
  std::array<std::string, 2> pictures;
  ColourBy colour_by = ColourBy::state;
  std::array<std::string, 3> plots{"times", "frames", "waste"};  ///< below the pictures, by key
  std::string paper;    ///< which paper's figure that plot shows; empty: what fits the work
  double launched = 1;  ///< the slow launch: which share of the largest launch has come, 0..1; 1: all of all
  std::vector<Pin> pins;
  std::size_t baseline = 0;  ///< the track that ratios are against; past the last: the first
};

}  // namespace warploom
