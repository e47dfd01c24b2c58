#pragma once
#include <array>
#include <cstdint>
#include <optional>

#include "gpu/core/pixels.h"
#include "gpu/core/types.h"
#include "gpu/pictures/ray_camera.h"

namespace warploom {

/// What part of a plane a picture shows: the cell (fractions of a cell count) at its middle, and how many cells per
/// pixel is wide and high.
struct Camera {
  double x = 0, y = 0;
  double cells_per_pixel_x = 1, cells_per_pixel_y = 1;
  friend bool operator==(const Camera&, const Camera&) = default;
};

/// The number of a colour's name, by FNV-1a: kernels compare numbers.
constexpr std::uint32_t colour_number(const char* name) {
  std::uint32_t number = 2166136261u;
  for (; *name; ++name) number = (number ^ static_cast<unsigned char>(*name)) * 16777619u;
  return number;
}

/// What a picture is coloured by. An open set: scenes name colours of their own, as ColourBy{colour_number("depth")}.
enum class ColourBy : std::uint32_t {
  state = colour_number("state"),
  launch_order = colour_number("launch_order"),
  warp = colour_number("warp"),
  layer = colour_number("layer"),
  waste = colour_number("waste"),
  address = colour_number("address"),
  visits = colour_number("visits")  ///< of own maps; no picture knows it: it is asked for others in one colour
};

/// How a three-dimensional picture is looked at: blocks or cells as cubes. `morph` and `waste` are of planes, too.
struct SolidView {
  RayCamera camera;
  float fill = 1;         ///< side of a cube in its place; below 1 they are apart
  int slice_axis = -1;    ///< of the plane that cuts the domain; -1: none
  double slice = 0;       ///< what lies below this share of that axis is not shown
  double morph = 1;       ///< 0: blocks where they are launched; 1: blocks where they work
  bool waste = true;      ///< wasted blocks are shown; of planes while others are on their way
  int rays_per_side = 1;  ///< rays a pixel, squared
  friend bool operator==(const SolidView&, const SolidView&) = default;
};

/// What of a view decides where a picture's things lie: how far blocks are on their way, and which plane is looked at.
/// As in SolidView.
struct Looking {
  double morph = 1;
  int slice_axis = -1;
  double slice = 0;
};

/// The colours of a picture. `data` runs from 0 to 1.
struct Palette {
  static constexpr int steps = 64;
  Rgba data[steps] = {};
  Rgba ground = rgba(14, 17, 22), waste = rgba(28, 34, 43), hatch = rgba(58, 66, 78), track = rgba(230, 159, 0);
  friend bool operator==(const Palette&, const Palette&) = default;

  /// What lies outside has the colour of the nearer end; no number has that of 0.
  WARPLOOM_HD Rgba at(float value) const {
    const float inside = value > 0 ? value < 1 ? value : 1 : 0;
    const float place = inside * (steps - 1) + .5f;  // cut below: the nearest
    return data[static_cast<int>(place)];
  }
};

/// The values that the ends of a palette stand for. Empty: there are none, or a picture's own are meant.
struct ValueRange {
  float low = 1, high = 0;
  friend bool operator==(const ValueRange&, const ValueRange&) = default;
  bool empty() const { return !(low <= high); }
  /// Both.
  ValueRange with(const ValueRange& other) const {
    if (empty() || other.empty()) return empty() ? other : *this;
    return {low < other.low ? low : other.low, high > other.high ? high : other.high};
  }
};

/// How much of a step's launches has come, in warps: block after block in launch order, and in a block warp after warp.
/// Pictures show dimmed what has not.
struct SoFar {
  static constexpr std::uint64_t everything = ~std::uint64_t{0};
  std::uint64_t warps = everything;
  friend bool operator==(const SoFar&, const SoFar&) = default;

  WARPLOOM_HD bool all() const { return warps == everything; }
  WARPLOOM_HD static std::uint64_t warps_of(std::uint64_t threads) { return (threads + warp_size - 1) / warp_size; }
  /// Of a thread by its number in its block; `visit`: the block's number in launch order; `threads` has a block.
  WARPLOOM_HD bool reached(std::uint64_t visit, std::uint64_t thread, std::uint64_t threads) const {
    return all() || visit * warps_of(threads) + thread / warp_size < warps;
  }
  WARPLOOM_HD bool begun(std::uint64_t visit, std::uint64_t threads) const { return reached(visit, 0, threads); }
  WARPLOOM_HD static Rgba dimmed(Rgba colour, Rgba ground) { return mix(ground, colour, .16f); }
};

/// What a picture that `focuses` (PictureInfo) sets off against all else.
struct Focus {
  bool on = false;
  Index3 at;
  bool also = false;  ///< it is of the picture's other space (PictureInfo::also)
  friend bool operator==(const Focus&, const Focus&) = default;
};

/// What to paint, and where to.
struct PictureRequest {
  Camera camera;
  PixelTarget target;
  Palette palette;
  ColourBy colour_by = ColourBy::state;
  ValueRange values;  ///< one for all tracks: equal values are of equal colour
  SoFar so_far;
  /// Cells sampled along a pixel's side at most; 0: all of them.
  int samples_per_side = 0;
  SolidView solid;
  Focus focus;
  friend bool operator==(const PictureRequest&, const PictureRequest&) = default;
};

/// The place of a plane of this extent that lies under a pixel of a request, x and y from its corner.
inline std::optional<Index3> place_under(const PictureRequest& request, const std::array<double, 3>& extent, double x,
                                         double y) {
  const Camera& camera = request.camera;
  const double u = camera.x + (x - .5 * request.target.width) * camera.cells_per_pixel_x,
               v = camera.y + (y - .5 * request.target.height) * camera.cells_per_pixel_y;
  if (!(u >= 0 && v >= 0 && u < extent[0] && v < extent[1])) return std::nullopt;
  return Index3{static_cast<std::uint32_t>(u), static_cast<std::uint32_t>(v), 0};
}

}  // namespace warploom
