#pragma once
#include <cstdlib>
#include <limits>

#include "gpu/core/hash.h"
#include "gpu/pictures/volume_picture.h"
#include "tests/scenes/simplex/simplices.h"

// Tests of voxels. Compiled as C++ they test only the CPU engine; compiled as CUDA (warploom_launching) both backends.

namespace warploom {

#ifdef __CUDACC__
inline constexpr bool has_kernels = true;
#else
inline constexpr bool has_kernels = false;
#endif

class Volumes : public SimplexTest {
 protected:
  void SetUp() override {
    SimplexTest::SetUp();
    if (GetParam() == Backend::cuda && !has_kernels) GTEST_SKIP() << "this file was compiled as C++";
  }

  template <class Look>
  std::vector<Rgba> painted(const Occupancy& bits, const Look& look, const VolumeView& view, int width, int height,
                            const Palette& palette, const Occupancy& useful = {}, int samples = 1) {
    Buffer<Rgba> pixels(GetParam(), static_cast<std::uint64_t>(width) * static_cast<std::uint64_t>(height));
    const PixelTarget target{0, pixels.data(), width, height};
    launch("test.picture", *queue, SolidTiles::shape(target),
           VolumePicture<Look>{bits, look, view, target, palette, useful, samples});
    return pixels.download(*queue);
  }
};

/// A share of all voxels, by hash.
struct Speckle {
  std::uint64_t seed;
  double density;
  WARPLOOM_HD bool operator()(Index3 v) const {
    return chosen(cell_hash(seed, v.x, std::uint64_t{v.z} << 12 | v.y), density);
  }
};

/// Pure red, green or blue: a shaded pixel still tells which voxel it shows.
WARPLOOM_HD Rgba pure(unsigned kind) { return rgba(0, 0, 0) | 250u << (kind % 3 * 8); }
WARPLOOM_HD unsigned kind_of(Index3 v) { return v.x + 2 * v.y + v.z; }
inline int kind_shown(Rgba colour) {
  const bool red = (colour & 255) != 0, green = (colour >> 8 & 255) != 0, blue = (colour >> 16 & 255) != 0;
  return red + green + blue != 1 ? -1 : green ? 1 : blue ? 2 : 0;
}
struct Pure {
  WARPLOOM_HD VoxelLook operator()(Index3 v) const { return {pure(kind_of(v))}; }
};
/// Waste where x + y + z is odd.
struct HalfWaste {
  WARPLOOM_HD VoxelLook operator()(Index3 v) const { return {pure(kind_of(v)), (v.x + v.y + v.z) % 2 == 1}; }
};
inline int furthest_channel(Rgba one, Rgba other) {
  int most = 0;
  for (int shift = 0; shift < 24; shift += 8)
    most = std::max(most, std::abs(static_cast<int>(one >> shift & 255) - static_cast<int>(other >> shift & 255)));
  return most;
}

inline Palette black() {
  Palette palette;
  palette.ground = rgba(0, 0, 0);
  return palette;
}

inline double fraction(std::uint64_t seed, std::uint64_t i) {
  return static_cast<double>(cell_hash(seed, i, 77) >> 11) * 0x1p-53;
}

inline RayCamera looking(const double (&eye)[3], const double (&at)[3], float pixel) {
  double forward[3], right[3] = {0, 0, 0}, down[3];
  const auto normalise = [](double(&v)[3]) {
    const double length = std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (double& each : v) each /= length;
  };
  for (int a = 0; a < 3; ++a) forward[a] = at[a] - eye[a];
  normalise(forward);
  right[0] = forward[2] + .1, right[1] = .05, right[2] = -forward[0];
  const double along = right[0] * forward[0] + right[1] * forward[1] + right[2] * forward[2];
  for (int a = 0; a < 3; ++a) right[a] -= along * forward[a];
  normalise(right);
  for (int a = 0; a < 3; ++a)
    down[a] = forward[(a + 1) % 3] * right[(a + 2) % 3] - forward[(a + 2) % 3] * right[(a + 1) % 3];
  RayCamera camera;
  for (int a = 0; a < 3; ++a) {
    camera.eye[a] = static_cast<float>(eye[a]);
    camera.forward[a] = static_cast<float>(forward[a]);
    camera.right[a] = static_cast<float>(right[a]);
    camera.down[a] = static_cast<float>(down[a]);
  }
  camera.pixel = pixel;
  return camera;
}

/// A ray in double precision. Slightly larger and smaller cubes show what rounding may decide.
struct Oracle {
  static constexpr double slack = 2e-4, never = std::numeric_limits<double>::infinity();
  double origin[3], direction[3];

  Oracle(const RayCamera& camera, int width, int height, float x, float y) {
    for (int a = 0; a < 3; ++a) {
      origin[a] = camera.eye[a];
      direction[a] = camera.forward[a] + double(camera.right[a]) * (x + .5 - .5 * width) * camera.pixel +
                     double(camera.down[a]) * (y + .5 - .5 * height) * camera.pixel;
    }
  }
  /// Depth at which the ray enters the cube; `never` where it misses.
  double enters(const double (&centre)[3], double side) const {
    double near = 0, far = never;
    for (int a = 0; a < 3; ++a) {
      double first = (centre[a] - side / 2 - origin[a]) / direction[a],
             second = (centre[a] + side / 2 - origin[a]) / direction[a];
      if (direction[a] == 0) {
        if (std::abs(centre[a] - origin[a]) >= side / 2) return never;
        continue;
      }
      if (first > second) std::swap(first, second);
      near = std::max(near, first), far = std::min(far, second);
    }
    return near < far ? near : never;
  }
};

}  // namespace warploom
