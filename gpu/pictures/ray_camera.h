#pragma once

namespace warploom {

/// An eye in lattice units; the origin is the lattice's *middle*, voxel i fills [i, i + 1) - extent / 2. right, down
/// and forward are orthonormal. Pixel (x, y) of a width by height picture looks along forward + right * ((x + .5 -
/// width / 2) * pixel) + down * ((y + .5 - height / 2) * pixel).
struct RayCamera {
  float eye[3] = {0, 0, 0}, right[3] = {1, 0, 0}, down[3] = {0, 1, 0}, forward[3] = {0, 0, 1};
  float pixel = .001f;
  friend bool operator==(const RayCamera&, const RayCamera&) = default;
};

}  // namespace warploom
