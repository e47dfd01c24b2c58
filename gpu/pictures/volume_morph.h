#pragma once
#include <cstdint>
#include <cstring>

#include "gpu/core/atomic.h"
#include "gpu/pictures/volume_picture.h"

// Blocks that lie anywhere, as while one arrangement turns into another: there is no lattice to walk, so every block
// is drawn into a buffer of depths, and each pixel then shades the block that won it.

namespace warploom {

/// What both passes share: the blocks and how they are looked at.
template <class Place>
struct BlockScene {
  static constexpr std::uint64_t nothing = ~std::uint64_t{0};
  Place place;  ///< bool operator()(std::uint64_t i, float (&centre)[3], VoxelLook&) const; false: not drawn
  RayCamera camera;
  float side = 1;
  int width = 0, height = 0;

  /// A pixel has two words: of the nearest useful block, and of the nearest wasted one, that is a veil over it.
  WARPLOOM_HD static std::uint64_t word_count(int width, int height) {
    return 2 * static_cast<std::uint64_t>(width) * static_cast<std::uint64_t>(height);
  }
  WARPLOOM_HD std::uint64_t word_of(int x, int y, bool waste) const {
    return 2 * (static_cast<std::uint64_t>(y) * static_cast<std::uint64_t>(width) + static_cast<std::uint64_t>(x)) +
           waste;
  }

  WARPLOOM_HD static bool meets(const Ray& ray, const float (&centre)[3], float side, CubeHit& hit) {
    const float low[3] = {centre[0] - .5f * side, centre[1] - .5f * side, centre[2] - .5f * side};
    return meets_cube(ray, low, side, hit);
  }

  /// Tone and edge line of a face; a pixel given to a block whose cube its ray just misses takes the middle tone.
  WARPLOOM_HD void shade(const Ray& ray, const CubeHit& hit, const float (&centre)[3], float& brightness,
                         float& line) const {
    const CubeShading shading{camera};
    float in_cube[3];
    for (int a = 0; a < 3; ++a) in_cube[a] = place_in_cube(ray, hit, a, centre[a] - .5f * side, side);
    brightness = shading.brightness_of_small(ray, hit, side);
    line = shading.line(ray, hit, in_cube, side);
  }
};

/// Lowers, in each pixel a block covers, the word depth << 32 | block. `threads_each` threads share the pixels of a
/// block: one where blocks are many and small, more where they are few and large.
template <class Place>
struct SplatBlocks {
  BlockScene<Place> scene;
  std::uint64_t count;
  std::uint32_t threads_each;
  std::uint64_t* depths;

  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    each_item(group, count * threads_each, [&](std::uint64_t number) {
      draw(number / threads_each, static_cast<std::uint32_t>(number % threads_each));
    });
  }

 private:
  /// Pixels first..last along one side of the picture that an interval can touch; false where none.
  WARPLOOM_HD static bool pixels(float low, float high, int size, int& first, int& last) {
    const auto limit = static_cast<float>(size);
    if (!(high >= 0) || !(low < limit)) return false;
    first = low > 0 ? static_cast<int>(low) : 0;
    last = high < limit ? static_cast<int>(high) : size - 1;
    return true;
  }

  WARPLOOM_HD void draw(std::uint64_t i, std::uint32_t share) const {
    float centre[3];
    VoxelLook look;
    if (!scene.place(i, centre, look)) return;
    // ---- the cube's box in the camera's frame, and the pixels it can touch ----------------------------------------
    const RayCamera& camera = scene.camera;
    float at_right = 0, at_down = 0, at_depth = 0, wide = 0, high = 0, deep = 0;
    for (int a = 0; a < 3; ++a) {
      const float from = centre[a] - camera.eye[a];
      at_right += from * camera.right[a], wide += fabsf(camera.right[a]);
      at_down += from * camera.down[a], high += fabsf(camera.down[a]);
      at_depth += from * camera.forward[a], deep += fabsf(camera.forward[a]);
    }
    const float half = .5f * scene.side;
    wide *= half, high *= half, deep *= half;
    const float near = at_depth - deep, far = at_depth + deep;
    if (!(far > 0)) return;
    int first_x = 0, last_x = scene.width - 1, first_y = 0, last_y = scene.height - 1;
    if (near > 1e-3f * scene.side) {  // nearer than that it can fill the picture
      const float per_near = 1 / (near * camera.pixel), per_far = 1 / (far * camera.pixel);
      const auto lowest = [&](float v) { return v * (v < 0 ? per_near : per_far); };
      const auto highest = [&](float v) { return v * (v < 0 ? per_far : per_near); };
      const float middle_x = .5f * static_cast<float>(scene.width), middle_y = .5f * static_cast<float>(scene.height);
      const float left = lowest(at_right - wide) + middle_x, right = highest(at_right + wide) + middle_x,
                  top = lowest(at_down - high) + middle_y, bottom = highest(at_down + high) + middle_y;
      if (!pixels(left, right, scene.width, first_x, last_x) || !pixels(top, bottom, scene.height, first_y, last_y))
        return;
    }
    // ---- ray by ray -------------------------------------------------------------------------------------------------
    const int wide_now = last_x - first_x + 1, high_now = last_y - first_y + 1;
    const auto row = static_cast<std::uint64_t>(wide_now), all = row * static_cast<std::uint64_t>(high_now);
    int x = first_x + static_cast<int>(share % row), y = first_y + static_cast<int>(share / row);
    if (row <= 2 && all <= 4) {  // so small that every ray may miss it: then it has the pixel of its middle
      if (share > 0) return;
      bool drawn = false;
      for (y = first_y; y <= last_y; ++y)
        for (x = first_x; x <= last_x; ++x) drawn |= draw_pixel(i, look, centre, x, y);
      if (!drawn) draw_speck(i, look, at_right, at_down, at_depth);
      return;
    }
    for (std::uint64_t k = share; k < all; k += threads_each) {
      draw_pixel(i, look, centre, x, y);
      for (x += static_cast<int>(threads_each); x > last_x; x -= static_cast<int>(row)) ++y;
    }
  }

  WARPLOOM_HD bool draw_pixel(std::uint64_t i, const VoxelLook& look, const float (&centre)[3], int x, int y) const {
    const Ray ray(scene.camera, scene.width, scene.height, static_cast<float>(x), static_cast<float>(y));
    CubeHit hit;
    if (!BlockScene<Place>::meets(ray, centre, scene.side, hit)) return false;
    lower(i, look.waste, hit.depth, x, y);
    return true;
  }

  WARPLOOM_HD void draw_speck(std::uint64_t i, const VoxelLook& look, float right, float down, float depth) const {
    const float per = 1 / (depth * scene.camera.pixel);
    const float at_x = right * per + .5f * static_cast<float>(scene.width),
                at_y = down * per + .5f * static_cast<float>(scene.height);
    if (!(at_x >= 0) || !(at_y >= 0) || !(at_x < static_cast<float>(scene.width)) ||
        !(at_y < static_cast<float>(scene.height)))
      return;
    lower(i, look.waste, depth, static_cast<int>(at_x), static_cast<int>(at_y));
  }

  WARPLOOM_HD void lower(std::uint64_t i, bool waste, float depth, int x, int y) const {
    std::uint32_t bits;  // of a positive float: they sort as it does
    memcpy(&bits, &depth, sizeof(bits));
    std::uint64_t* to = depths + scene.word_of(x, y, waste);
    const std::uint64_t word = std::uint64_t{bits} << 32 | i;
    rare_atomic_minimum(to, word);  // most are hidden
  }
};

/// Shades each pixel by the block that won it, and empties the depth for the next picture.
template <class Place>
struct ResolveSplats {
  BlockScene<Place> scene;
  std::uint64_t* depths;
  PixelTarget target;
  Palette palette;

  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    SolidTiles::each_pixel(group, target, [&](int x, int y) { return pixel(x, y); });
  }

 private:
  WARPLOOM_HD std::uint64_t take(int x, int y, bool waste) const {
    std::uint64_t& depth = depths[scene.word_of(x, y, waste)];
    const std::uint64_t word = depth;
    if (word != BlockScene<Place>::nothing) depth = BlockScene<Place>::nothing;
    return word;
  }

  WARPLOOM_HD Rgba pixel(int x, int y) const {
    const std::uint64_t solid = take(x, y, false), hollow = take(x, y, true);
    float brightness, line;
    VoxelLook look;
    Rgba colour = palette.ground;
    if (solid != BlockScene<Place>::nothing && shade(solid, x, y, look, brightness, line))
      colour = CubeShading::face(look, brightness, line);
    if (hollow < solid && shade(hollow, x, y, look, brightness, line))
      colour = CubeShading::veiled(colour, palette.hatch, look, x, y, brightness, line);
    return colour;
  }

  WARPLOOM_HD bool shade(std::uint64_t word, int x, int y, VoxelLook& look, float& brightness, float& line) const {
    float centre[3];
    if (!scene.place(word & 0xffffffffu, centre, look)) return false;
    const Ray ray(scene.camera, target.width, target.height, static_cast<float>(x), static_cast<float>(y));
    CubeHit hit;
    if (!BlockScene<Place>::meets(ray, centre, scene.side, hit)) hit = {};
    scene.shade(ray, hit, centre, brightness, line);
    return true;
  }
};

/// Paints blocks that lie anywhere; owns the depths.
class MorphPainter {
 public:
  /// `name` is the splatting kernel's. count < 2^32. In order with the queue's launches.
  template <class Place>
  void paint(Queue& queue, const char* name, std::uint64_t count, const Place& place, const RayCamera& camera,
             float fill, const PixelTarget& target, const Palette& palette) {
    const std::uint64_t words = BlockScene<Place>::word_count(target.width, target.height);
    if (depths_.size() != words || depths_.backend() != queue.backend()) {
      depths_ = {};
      depths_ = Buffer<std::uint64_t>(queue.backend(), words);
      clean_ = false;
    }
    if (!clean_)
      launch("volume.clear", queue, row_shape(words), ClearWords{depths_.data(), words, BlockScene<Place>::nothing},
             depths_.bytes());
    clean_ = false;  // until resolved: a picture may be cancelled
    const BlockScene<Place> scene{place, camera, fill, target.width, target.height};
    std::uint32_t threads_each = 1;
    while (threads_each < 1024 && count * threads_each * 2 <= most_shared_threads) threads_each *= 2;
    if (count > 0)
      launch(name, queue, row_shape(count * threads_each),
             SplatBlocks<Place>{scene, count, threads_each, depths_.data()}, depths_.bytes());
    launch("volume.resolve", queue, SolidTiles::shape(target),
           ResolveSplats<Place>{scene, depths_.data(), target, palette}, depths_.bytes() + words / 2 * sizeof(Rgba));
    clean_ = true;
  }

  std::uint64_t bytes() const { return depths_.bytes(); }

 private:
  /// As many threads as a large GPU holds at once.
  static constexpr std::uint64_t most_shared_threads = 1u << 18;
  Buffer<std::uint64_t> depths_;
  bool clean_ = false;
};

}  // namespace warploom
