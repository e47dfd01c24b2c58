#pragma once
#include <cmath>
#include <cstdint>

#include "gpu/core/buffer.h"
#include "gpu/core/launch.h"
#include "gpu/pictures/ray_camera.h"

// Voxels as bits, and the one walk of a ray through them. Launches only where a .cu file instantiates them.

namespace warploom {

/// What of a volume is visible: the voxels of the box [low, high), each as the cube of side `fill` (0 < fill <= 1) in
/// its middle.
struct VolumeView {
  RayCamera camera;
  Index3 low, high;
  float fill = 1;
  friend bool operator==(const VolumeView&, const VolumeView&) = default;
};

/// Which voxels are there. A brick is 8 x 8 x 8 voxels in 16 words that lie together, bit z * 64 + y * 8 + x of it;
/// bricks come x fastest. A word of `bricks` says of 4 x 4 x 2 bricks which have a voxel, so that one load tells an
/// empty brick and, where the word is 0, an empty block of 32 x 32 x 16 voxels.
struct Occupancy {
  static constexpr int brick_shift = 3, brick_words = 16, block_shift_xy = 5, block_shift_z = 4;

  Index3 extent;
  const std::uint32_t* words = nullptr;
  const std::uint32_t* bricks = nullptr;

  WARPLOOM_HD static constexpr Index3 brick_extent(Index3 extent) {
    return {(extent.x + 7) / 8, (extent.y + 7) / 8, (extent.z + 7) / 8};
  }
  WARPLOOM_HD static constexpr Index3 block_extent(Index3 extent) {
    return {(extent.x + 31) / 32, (extent.y + 31) / 32, (extent.z + 15) / 16};
  }
  WARPLOOM_HD static constexpr std::uint64_t word_count(Index3 extent) {
    return volume(brick_extent(extent)) * brick_words;
  }
  WARPLOOM_HD static constexpr std::uint64_t brick_word_count(Index3 extent) { return volume(block_extent(extent)); }

  /// First word of a brick; its word and bit for a voxel.
  WARPLOOM_HD std::uint64_t first_word(Index3 brick) const {
    return linear_index(brick, brick_extent(extent)) * brick_words;
  }
  WARPLOOM_HD static constexpr std::uint32_t word_in_brick(Index3 voxel) {
    return (voxel.z & 7) * 2 + (voxel.y >> 2 & 1);
  }
  WARPLOOM_HD static constexpr std::uint32_t bit_in_word(Index3 voxel) { return (voxel.y & 3) * 8 + (voxel.x & 7); }
  WARPLOOM_HD static constexpr std::uint32_t bit_of_brick(Index3 brick) {
    return (brick.z & 1) * 16 + (brick.y & 3) * 4 + (brick.x & 3);
  }
  /// Where in `bricks` a brick's bit is; 2^22 words at most.
  WARPLOOM_HD std::uint32_t word_of_brick(Index3 brick) const {
    const Index3 blocks = block_extent(extent);
    return ((brick.z >> 1) * blocks.y + (brick.y >> 2)) * blocks.x + (brick.x >> 2);
  }

  /// Both take places inside the extent only.
  WARPLOOM_HD bool has(Index3 voxel) const {
    const Index3 brick{voxel.x >> 3, voxel.y >> 3, voxel.z >> 3};
    return words[first_word(brick) + word_in_brick(voxel)] >> bit_in_word(voxel) & 1u;
  }
  WARPLOOM_HD bool brick(Index3 brick) const { return bricks[word_of_brick(brick)] >> bit_of_brick(brick) & 1u; }
};

/// Asks `present` about every voxel. A thread writes a word, so that no two meet; eight bricks a block of threads.
template <class Present>
struct FillOccupancy {
  static constexpr std::uint32_t bricks_a_block = 8;
  Index3 extent;
  Present present;  ///< bool operator()(Index3 voxel) const, asked inside the extent only
  std::uint32_t* words;

  static LaunchShape shape(Index3 extent) {
    const Index3 bricks = Occupancy::brick_extent(extent);
    return {{(bricks.x + bricks_a_block - 1) / bricks_a_block, bricks.y, bricks.z},
            {Occupancy::brick_words, bricks_a_block, 1}};
  }

  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    const Index3 block = group.block(), bricks = Occupancy::brick_extent(extent);
    group.each([&](const Thread& thread) {
      const Index3 brick{block.x * bricks_a_block + thread.at.y, block.y, block.z};
      if (brick.x >= bricks.x) return;
      const Index3 first{brick.x * 8, brick.y * 8 + (thread.at.x & 1) * 4, brick.z * 8 + thread.at.x / 2};
      std::uint32_t word = 0;
      if (first.z < extent.z)
        for (std::uint32_t bit = 0; bit < 32; ++bit) {
          const Index3 voxel{first.x + bit % 8, first.y + bit / 8, first.z};
          if (voxel.x < extent.x && voxel.y < extent.y && present(voxel)) word |= 1u << bit;
        }
      words[linear_index(brick, bricks) * Occupancy::brick_words + thread.at.x] = word;
    });
  }
};

/// Which bricks have a voxel: a block of threads a word, a thread a brick.
struct FillBricks {
  Index3 extent;
  const std::uint32_t* words;
  std::uint32_t* bricks;

  static LaunchShape shape(Index3 extent) { return {Occupancy::block_extent(extent), {4, 4, 2}}; }

  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    const Index3 block = group.block(), all = Occupancy::brick_extent(extent);
    typename Group::template PerThread<std::uint32_t> bit;
    group.each([&](const Thread& thread) {
      const Index3 brick{block.x * 4 + thread.at.x, block.y * 4 + thread.at.y, block.z * 2 + thread.at.z};
      std::uint32_t any = 0;
      if (brick.x < all.x && brick.y < all.y && brick.z < all.z)
        for (std::uint32_t i = 0; i < Occupancy::brick_words; ++i)
          any |= words[linear_index(brick, all) * Occupancy::brick_words + i];
      bit[thread] = any ? 1u << Occupancy::bit_of_brick(brick) : 0;
    });
    const std::uint32_t word = group.sum(bit);  // the bits differ: their sum is their union
    group.once([&] { bricks[linear_index(block, Occupancy::block_extent(extent))] = word; });
  }
};

/// Owns the bits of an occupancy.
class OccupancyBits {
 public:
  /// In order with the queue's launches; keeps its memory where that is of the right size.
  template <class Present>
  void build(Queue& queue, const char* kernel_name, Index3 extent, const Present& present) {
    extent_ = extent;
    if (volume(extent) == 0) return;
    fit(words_, queue.backend(), Occupancy::word_count(extent));
    fit(bricks_, queue.backend(), Occupancy::brick_word_count(extent));
    launch(kernel_name, queue, FillOccupancy<Present>::shape(extent),
           FillOccupancy<Present>{extent, present, words_.data()}, words_.bytes());
    launch("volume.bricks", queue, FillBricks::shape(extent), FillBricks{extent, words_.data(), bricks_.data()},
           words_.bytes() + bricks_.bytes());
  }

  Occupancy view() const { return {extent_, words_.data(), bricks_.data()}; }
  std::uint64_t bytes() const { return words_.bytes() + bricks_.bytes(); }

 private:
  static void fit(Buffer<std::uint32_t>& buffer, Backend backend, std::uint64_t count) {
    if (buffer.size() == count && buffer.backend() == backend) return;
    buffer = {};  // first give back, then ask: both may not fit
    buffer = Buffer<std::uint32_t>(backend, count);
  }

  Index3 extent_;
  Buffer<std::uint32_t> words_, bricks_;
};

/// A pixel's line of sight. Its parameter is the depth along the camera's forward.
struct Ray {
  float origin[3], direction[3], inverse[3];

  WARPLOOM_HD Ray(const RayCamera& camera, int width, int height, float x, float y) {
    const float across = (x + .5f - .5f * static_cast<float>(width)) * camera.pixel,
                along = (y + .5f - .5f * static_cast<float>(height)) * camera.pixel;
    for (int a = 0; a < 3; ++a) {
      constexpr float least =
          1e-12f;  // an axis-parallel ray never reaches a plane; 1 / 0 would make NaN of one it is in
      const float toward = camera.forward[a] + camera.right[a] * across + camera.down[a] * along;
      direction[a] = toward >= 0 ? (toward < least ? least : toward) : (toward > -least ? -least : toward);
      inverse[a] = 1 / direction[a];
      origin[a] = camera.eye[a];
    }
  }
  WARPLOOM_HD float length() const {
    return sqrtf(direction[0] * direction[0] + direction[1] * direction[1] + direction[2] * direction[2]);
  }
};

/// A component by a number that is not known when compiling: selects, where an index would put the array into memory.
WARPLOOM_HD float component(const float (&of)[3], int axis) {
  const float x = of[0], y = of[1], z = of[2];
  return axis == 0 ? x : axis == 1 ? y : z;
}

/// Where a ray meets a cube: the depth, and the axis of the face; no_face where the eye is inside.
struct CubeHit {
  static constexpr int no_face = 3;
  float depth = 0;
  int axis = no_face;
};

/// The ray against the cube [low, low + side).
WARPLOOM_HD bool meets_cube(const Ray& ray, const float (&low)[3], float side, CubeHit& hit) {
  hit = {};
  float leave = INFINITY;
  for (int a = 0; a < 3; ++a) {
    const float near_plane = ray.direction[a] > 0 ? low[a] : low[a] + side,
                far_plane = ray.direction[a] > 0 ? low[a] + side : low[a];
    const float near = (near_plane - ray.origin[a]) * ray.inverse[a],
                far = (far_plane - ray.origin[a]) * ray.inverse[a];
    if (near > hit.depth) hit = {near, a};
    leave = far < leave ? far : leave;
  }
  return hit.depth < leave;
}

/// What a visitor of a march wants next; `hiding_only`: of the second occupancy (of the same extent), where there is
/// one.
enum class MarchOn { stop, further, hiding_only };

namespace detail {
/// The voxel that holds a coordinate, kept between two voxels; the rounding of `at` can put it one aside.
WARPLOOM_HD int voxel_at(float at, int low, int high) {
  const auto first = static_cast<float>(low), last = static_cast<float>(high);
  return !(at > first) ? low : at >= last ? high : static_cast<int>(at);
}
WARPLOOM_HD int least(int a, int b) { return a < b ? a : b; }
WARPLOOM_HD int most(int a, int b) { return a > b ? a : b; }
}  // namespace detail

/// Walks a ray (of the camera's space) through the visible voxels, nearest first:
/// MarchOn visit(Index3 voxel, const CubeHit&). Voxels are found by integer steps from plane to plane; only where the
/// ray enters the box or a brick after empty ones is a coordinate rounded, and then clamped. Every turn goes at least
/// one voxel on and never back, so that no ray, NaN included, walks for ever.
template <class Visit>
WARPLOOM_HD void march(const Occupancy& bits, const Occupancy& hiding, const VolumeView& view, const Ray& from,
                       Visit&& visit) {
  using detail::voxel_at, detail::least, detail::most;
  const Index3& extent = bits.extent;
  const std::uint32_t *all_words = bits.words, *all_bricks = bits.bricks;
  const int low_x = static_cast<int>(view.low.x), low_y = static_cast<int>(view.low.y),
            low_z = static_cast<int>(view.low.z);
  const int high_x = static_cast<int>(view.high.x < extent.x ? view.high.x : extent.x),
            high_y = static_cast<int>(view.high.y < extent.y ? view.high.y : extent.y),
            high_z = static_cast<int>(view.high.z < extent.z ? view.high.z : extent.z);
  if (low_x >= high_x || low_y >= high_y || low_z >= high_z) return;

  Ray ray = from;
  ray.origin[0] += .5f * static_cast<float>(extent.x);
  ray.origin[1] += .5f * static_cast<float>(extent.y);
  ray.origin[2] += .5f * static_cast<float>(extent.z);
  // 1 where the ray goes up an axis: the next plane of voxel i is i + up.
  const int up_x = ray.direction[0] > 0, up_y = ray.direction[1] > 0, up_z = ray.direction[2] > 0;
  const auto depth_x = [&](int plane) { return (static_cast<float>(plane) - ray.origin[0]) * ray.inverse[0]; };
  const auto depth_y = [&](int plane) { return (static_cast<float>(plane) - ray.origin[1]) * ray.inverse[1]; };
  const auto depth_z = [&](int plane) { return (static_cast<float>(plane) - ray.origin[2]) * ray.inverse[2]; };
  const auto at = [&](int axis, float depth) { return ray.origin[axis] + depth * ray.direction[axis]; };

  // ---- into the box ---------------------------------------------------------------------------------------------
  CubeHit here;
  const float in_x = depth_x(up_x ? low_x : high_x), in_y = depth_y(up_y ? low_y : high_y),
              in_z = depth_z(up_z ? low_z : high_z);
  if (in_x > here.depth) here = {in_x, 0};
  if (in_y > here.depth) here = {in_y, 1};
  if (in_z > here.depth) here = {in_z, 2};
  if (!(here.depth < depth_x(up_x ? high_x : low_x)) || !(here.depth < depth_y(up_y ? high_y : low_y)) ||
      !(here.depth < depth_z(up_z ? high_z : low_z)))
    return;
  int x = here.axis == 0 ? (up_x ? low_x : high_x - 1) : voxel_at(at(0, here.depth), low_x, high_x - 1);
  int y = here.axis == 1 ? (up_y ? low_y : high_y - 1) : voxel_at(at(1, here.depth), low_y, high_y - 1);
  int z = here.axis == 2 ? (up_z ? low_z : high_z - 1) : voxel_at(at(2, here.depth), low_z, high_z - 1);

  while (static_cast<unsigned>(x - low_x) < static_cast<unsigned>(high_x - low_x) &&
         static_cast<unsigned>(y - low_y) < static_cast<unsigned>(high_y - low_y) &&
         static_cast<unsigned>(z - low_z) < static_cast<unsigned>(high_z - low_z)) {
    const Index3 brick{static_cast<std::uint32_t>(x) >> 3, static_cast<std::uint32_t>(y) >> 3,
                       static_cast<std::uint32_t>(z) >> 3};
    const std::uint32_t block = all_bricks[bits.word_of_brick(brick)];

    // ---- over an empty brick, or a whole empty block of them ------------------------------------------------------
    if ((block >> Occupancy::bit_of_brick(brick) & 1u) == 0) {
      const int shift_xy = block ? Occupancy::brick_shift : Occupancy::block_shift_xy,
                shift_z = block ? Occupancy::brick_shift : Occupancy::block_shift_z;
      const int plane_x = ((x >> shift_xy) + up_x) << shift_xy, plane_y = ((y >> shift_xy) + up_y) << shift_xy,
                plane_z = ((z >> shift_z) + up_z) << shift_z;
      const float next_x = depth_x(plane_x), next_y = depth_y(plane_y), next_z = depth_z(plane_z);
      here = next_x <= next_y && next_x <= next_z ? CubeHit{next_x, 0}
             : next_y <= next_z                   ? CubeHit{next_y, 1}
                                                  : CubeHit{next_z, 2};
      // Across the plane on one axis, within the brick and not back on the others.
      const int beyond_x = plane_x - 1 + up_x, beyond_y = plane_y - 1 + up_y, beyond_z = plane_z - 1 + up_z;
      x = here.axis == 0 ? beyond_x : voxel_at(at(0, here.depth), up_x ? x : plane_x, up_x ? plane_x - 1 : x);
      y = here.axis == 1 ? beyond_y : voxel_at(at(1, here.depth), up_y ? y : plane_y, up_y ? plane_y - 1 : y);
      z = here.axis == 2 ? beyond_z : voxel_at(at(2, here.depth), up_z ? z : plane_z, up_z ? plane_z - 1 : z);
      continue;
    }

    // ---- voxel by voxel through a brick, or to the end of the box in it -------------------------------------------
    const int brick_x = x & ~7, brick_y = y & ~7, brick_z = z & ~7;
    const int end_x = up_x ? least(brick_x + 8, high_x) : most(brick_x, low_x) - 1,
              end_y = up_y ? least(brick_y + 8, high_y) : most(brick_y, low_y) - 1,
              end_z = up_z ? least(brick_z + 8, high_z) : most(brick_z, low_z) - 1;
    float next_x = depth_x(x + up_x), next_y = depth_y(y + up_y), next_z = depth_z(z + up_z);
    const std::uint64_t first_word = bits.first_word(brick);
    const std::uint32_t* words = all_words + first_word;
    for (bool inside = true; inside;) {
      const Index3 voxel{static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y), static_cast<std::uint32_t>(z)};
      if (words[Occupancy::word_in_brick(voxel)] >> Occupancy::bit_in_word(voxel) & 1u) {
        CubeHit hit = here;
        bool met = true;
        if (view.fill < 1) {
          const float gap = .5f - .5f * view.fill;
          const float low[3] = {static_cast<float>(x) + gap, static_cast<float>(y) + gap, static_cast<float>(z) + gap};
          met = meets_cube(ray, low, view.fill, hit);
        }
        if (met) {
          const MarchOn then = visit(voxel, hit);
          if (then == MarchOn::stop) return;
          if (then == MarchOn::hiding_only && hiding.words) {
            all_words = hiding.words, all_bricks = hiding.bricks;
            words = all_words + first_word;
          }
        }
      }
      if (next_x <= next_y && next_x <= next_z) {
        here = {next_x, 0};
        next_x += fabsf(ray.inverse[0]);
        x += 2 * up_x - 1;
        inside = x != end_x;
      } else if (next_y <= next_z) {
        here = {next_y, 1};
        next_y += fabsf(ray.inverse[1]);
        y += 2 * up_y - 1;
        inside = y != end_y;
      } else {
        here = {next_z, 2};
        next_z += fabsf(ray.inverse[2]);
        z += 2 * up_z - 1;
        inside = z != end_z;
      }
    }
  }
}

}  // namespace warploom
