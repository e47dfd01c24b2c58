#include "gpu/pictures/volume_morph.h"

#include <set>

#include "tests/scenes/simplex/volumes.h"

// Splatted blocks against every ray met with every cube, in double precision.

namespace warploom {
namespace {

class Morphs : public Volumes {};
WARPLOOM_ON_BOTH_BACKENDS(Morphs);

/// Blocks at random places; every fifth is not drawn.
struct Cloud {
  float size;
  bool waste = false;
  WARPLOOM_HD bool operator()(std::uint64_t i, float (&centre)[3], VoxelLook& look) const {
    for (unsigned a = 0; a < 3; ++a) centre[a] = (static_cast<float>(cell_hash(9, i, a) >> 40) * 0x1p-24f - .5f) * size;
    look = {pure(static_cast<unsigned>(i)), waste && i % 2 == 1};
    return i % 5 != 4;
  }
};

TEST_P(Morphs, SplatsAreThoseOfTheOracle) {
  MorphPainter painter;
  int hits = 0, misses = 0;
  struct Scene {
    std::uint64_t count;
    float size, fill, pixel;
    double eye[3];
    int width, height;
  };
  for (const Scene& s : {Scene{60, 8, 1, .02f, {9, 7, -12}, 50, 40}, Scene{60, 8, .7f, .02f, {9, 7, -12}, 50, 40},
                         Scene{1, 0, 1, .05f, {.2, .1, -3}, 31, 17}, Scene{200, 6, .5f, .04f, {.3, -.4, 0}, 40, 30},
                         Scene{0, 1, 1, .1f, {0, 0, 5}, 8, 8}}) {
    const RayCamera camera = looking(s.eye, {.1, -.2, .3}, s.pixel);
    Buffer<Rgba> pixels(GetParam(), static_cast<std::uint64_t>(s.width * s.height));
    const Cloud cloud{s.size};
    std::vector<Rgba> picture;
    for (int again = 0; again < 2; ++again) {  // the second finds the depths as the first left them
      painter.paint(*queue, "test.splat", s.count, cloud, camera, s.fill, {0, pixels.data(), s.width, s.height},
                    black());
      const auto now = pixels.download(*queue);
      ASSERT_TRUE(!again || now == picture);
      picture = now;
    }
    for (int i = 0; i < s.width * s.height; ++i) {
      const Oracle ray(camera, s.width, s.height, static_cast<float>(i % s.width), static_cast<float>(i / s.width));
      double surely = Oracle::never;
      std::set<int> kinds;
      for (int pass = 0; pass < 2; ++pass)
        for (std::uint64_t block = 0; block < s.count; ++block) {
          float centre[3];
          VoxelLook look;
          if (!cloud(block, centre, look)) continue;
          const double exact[3] = {centre[0], centre[1], centre[2]};
          if (pass == 0) surely = std::min(surely, ray.enters(exact, s.fill - Oracle::slack));
          const double perhaps = ray.enters(exact, s.fill + Oracle::slack);
          if (pass == 1 && perhaps < Oracle::never && perhaps <= surely) kinds.insert(static_cast<int>(block % 3));
        }
      const Rgba pixel = picture[static_cast<std::size_t>(i)];
      if (pixel == black().ground) {
        ++misses;
        ASSERT_EQ(surely, Oracle::never) << i % s.width << ' ' << i / s.width;
      } else {
        ++hits;
        ASSERT_TRUE(kinds.contains(kind_shown(pixel))) << i % s.width << ' ' << i / s.width;
      }
    }
  }
  EXPECT_GT(hits, 1000);
  EXPECT_GT(misses, 1000);
}

TEST_P(Morphs, BlocksTooSmallForARayAreStillSeen) {
  MorphPainter painter;
  Buffer<Rgba> pixels(GetParam(), 100 * 100);
  painter.paint(*queue, "test.splat", 20, Cloud{50}, looking({1, 2, -100}, {0, 0, 0}, .01f), .01f,
                {0, pixels.data(), 100, 100}, black());
  int lit = 0;
  for (const Rgba pixel : pixels.download(*queue)) lit += pixel != black().ground;
  EXPECT_EQ(lit, 16);
}

/// A lattice of blocks where they belong: the splat of it is the march of it.
struct AtHome {
  Index3 extent;
  Speckle speckle;
  WARPLOOM_HD bool operator()(std::uint64_t i, float (&centre)[3], VoxelLook& look) const {
    const Index3 v = unfold(i, extent);
    centre[0] = static_cast<float>(v.x) + .5f - .5f * static_cast<float>(extent.x);
    centre[1] = static_cast<float>(v.y) + .5f - .5f * static_cast<float>(extent.y);
    centre[2] = static_cast<float>(v.z) + .5f - .5f * static_cast<float>(extent.z);
    look = HalfWaste{}(v);
    return speckle(v);
  }
};

TEST_P(Morphs, AMorphEndsAsThePicture) {
  const Index3 extent{9, 8, 7};
  const Speckle speckle{11, .5};
  OccupancyBits bits;
  bits.build(*queue, "test.fill", extent, speckle);
  constexpr int width = 120, height = 90;
  const VolumeView view{looking({12, -9, -14}, {0, 0, 0}, .008f), {}, extent, 1};
  const auto marched = painted(bits.view(), HalfWaste{}, view, width, height, black());
  MorphPainter painter;
  Buffer<Rgba> pixels(GetParam(), width * height);
  painter.paint(*queue, "test.splat", volume(extent), AtHome{extent, speckle}, view.camera, 1,
                {0, pixels.data(), width, height}, black());
  const auto splatted = pixels.download(*queue);
  int different = 0;
  for (std::size_t i = 0; i < splatted.size(); ++i) different += furthest_channel(splatted[i], marched[i]) > 8;
  EXPECT_LT(different, width * height / 100);  // rounding decides at silhouettes
}

}  // namespace
}  // namespace warploom
