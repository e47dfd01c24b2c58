#include <bit>
#include <set>

#include "tests/scenes/simplex/volumes.h"

// Occupancies, marching rays and picks against every ray met with every cube, in double precision.

namespace warploom {
namespace {

WARPLOOM_ON_BOTH_BACKENDS(Volumes);

struct AllWaste {
  WARPLOOM_HD VoxelLook operator()(Index3) const { return {0, true}; }
};
struct EvenOf {
  Speckle speckle;
  WARPLOOM_HD bool operator()(Index3 v) const { return (v.x + v.y + v.z) % 2 == 0 && speckle(v); }
};

struct Centre {
  double at[3];
};
Centre centre_of(Index3 v, Index3 extent) {
  return {{v.x + .5 - extent.x / 2., v.y + .5 - extent.y / 2., v.z + .5 - extent.z / 2.}};
}

struct Case {
  Index3 extent;
  double density;
  VolumeView view;
};

/// Random cameras outside and inside, whole and sliced, full and exploded.
std::vector<Case> cases() {
  std::vector<Case> all;
  const Index3 extents[] = {{1, 1, 1}, {9, 7, 13}, {8, 16, 8}, {17, 3, 2}, {90, 70, 41}};
  for (const Index3& extent : extents)
    for (std::uint64_t k = 0; k < 10; ++k) {
      const std::uint64_t seed = 1000 * extent.x + k;
      const double size[3] = {double(extent.x), double(extent.y), double(extent.z)};
      double eye[3], at[3];
      for (unsigned a = 0; a < 3; ++a) {
        const double far = k % 3 == 2 ? .9 : 4;  // every third eye is inside
        eye[a] = (fraction(seed, a) - .5) * size[a] * far + (k % 3 == 2 ? 0 : .01);
        at[a] = (fraction(seed, 10 + a) - .5) * size[a] * .6;
      }
      if (k % 3 != 2) eye[k % 2] += (eye[k % 2] < 0 ? -1 : 1) * size[k % 2];
      VolumeView view{looking(eye, at, k % 3 == 2 ? .05f : .025f), {0, 0, 0}, extent, k % 2 ? .7f : 1.f};
      if (k >= 6) {
        view.low = {extent.x / 3, 0, extent.z / 4};
        view.high = {extent.x, extent.y - extent.y / 3, extent.z + (k == 7 ? 100u : 0u)};
      }
      all.push_back({extent, extent.x == 90 ? .002 : k % 4 == 0 ? .03 : .3, view});
    }
  return all;
}

std::vector<Index3> visible(const Case& c, const Speckle& speckle) {
  std::vector<Index3> voxels;
  for (Index3 v{0, 0, c.view.low.z}; v.z < std::min(c.view.high.z, c.extent.z); ++v.z)
    for (v.y = c.view.low.y; v.y < std::min(c.view.high.y, c.extent.y); ++v.y)
      for (v.x = c.view.low.x; v.x < std::min(c.view.high.x, c.extent.x); ++v.x)
        if (speckle(v)) voxels.push_back(v);
  return voxels;
}

TEST_P(Volumes, OccupancyHoldsWhatTheFunctorSays) {
  for (const Index3 extent : {Index3{1, 1, 1}, {8, 8, 8}, {9, 7, 13}, {33, 31, 17}, {130, 5, 66}, {3, 100, 1}}) {
    const Speckle speckle{extent.x, .02};
    OccupancyBits bits;
    bits.build(*queue, "test.fill", extent, speckle);
    ASSERT_EQ(bits.bytes(), 4 * (Occupancy::word_count(extent) + Occupancy::brick_word_count(extent)));
    std::vector<std::uint32_t> words(Occupancy::word_count(extent)), bricks(Occupancy::brick_word_count(extent));
    download_bytes(*queue, words.data(), bits.view().words, words.size() * 4);
    download_bytes(*queue, bricks.data(), bits.view().bricks, bricks.size() * 4);
    const Occupancy host{extent, words.data(), bricks.data()};
    std::uint64_t expected = 0, found = 0, found_bricks = 0;
    std::set<std::uint64_t> brick_numbers;
    for (Index3 v; v.z < extent.z; ++v.z)
      for (v.y = 0; v.y < extent.y; ++v.y)
        for (v.x = 0; v.x < extent.x; ++v.x) {
          ASSERT_EQ(host.has(v), speckle(v)) << v.x << ' ' << v.y << ' ' << v.z;
          const Index3 brick{v.x / 8, v.y / 8, v.z / 8};
          if (!speckle(v)) continue;
          ++expected;
          brick_numbers.insert(linear_index(brick, Occupancy::brick_extent(extent)));
          ASSERT_TRUE(host.brick(brick));
        }
    // Nothing outside the extent, and no brick without a voxel.
    for (const std::uint32_t word : words) found += static_cast<unsigned>(std::popcount(word));
    for (const std::uint32_t word : bricks) found_bricks += static_cast<unsigned>(std::popcount(word));
    EXPECT_EQ(found, expected);
    EXPECT_EQ(found_bricks, brick_numbers.size());
  }
}

TEST_P(Volumes, PicksAndPicturesAreThoseOfTheOracle) {
  constexpr int width = 25, height = 18;
  int hits = 0, misses = 0;
  for (const Case& c : cases()) {
    const Speckle speckle{c.extent.y, c.density};
    OccupancyBits bits;
    bits.build(*queue, "test.fill", c.extent, speckle);
    const auto voxels = visible(c, speckle);
    const auto picture = painted(bits.view(), Pure{}, c.view, width, height, black());
    VoxelPicker picker(GetParam());
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) {
        const auto at_x = static_cast<float>(x), at_y = static_cast<float>(y);
        const Oracle ray(c.view.camera, width, height, at_x, at_y);
        double surely = Oracle::never, perhaps = Oracle::never;
        for (const Index3& v : voxels) {
          const Centre centre = centre_of(v, c.extent);
          surely = std::min(surely, ray.enters(centre.at, c.view.fill - Oracle::slack));
          perhaps = std::min(perhaps, ray.enters(centre.at, c.view.fill + Oracle::slack));
        }
        picker.ask(*queue, bits.view(), c.view, width, height, at_x, at_y, Pure{});
        const auto found = picker.answer();
        const Rgba pixel = picture[static_cast<std::size_t>(y * width + x)];
        ASSERT_EQ(found.has_value(), pixel != black().ground);
        if (!found) {
          ++misses;
          ASSERT_EQ(surely, Oracle::never) << x << ' ' << y << " extent " << c.extent.x;
          continue;
        }
        ++hits;
        ASSERT_NE(perhaps, Oracle::never);
        ASSERT_EQ(kind_shown(pixel), static_cast<int>(kind_of(found->voxel) % 3));
        ASSERT_TRUE(speckle(found->voxel));
        ASSERT_GE(found->voxel.x, c.view.low.x);
        ASSERT_LT(found->voxel.y, c.view.high.y);
        // Not behind what is surely there; and the entry lies on the ray, in the cube, on the face it names.
        double square = 0;
        for (const double d : ray.direction) square += d * d;
        const double depth = found->distance / std::sqrt(square);
        ASSERT_LE(depth, surely + 1e-3);
        const Centre centre = centre_of(found->voxel, c.extent);
        for (int a = 0; a < 3; ++a) {
          ASSERT_NEAR(centre.at[a] + (found->place[a] - .5) * c.view.fill, ray.origin[a] + depth * ray.direction[a],
                      2e-3);
          ASSERT_TRUE(a != found->axis || found->place[a] == (ray.direction[a] > 0 ? 0 : 1));
        }
        ASSERT_EQ(found->axis == CubeHit::no_face, found->distance == 0);
      }
  }
  EXPECT_GT(hits, 2000);
  EXPECT_GT(misses, 2000);
}

TEST_P(Volumes, RaysGoOnThroughWaste) {
  const Index3 extent{11, 12, 13};
  const Speckle speckle{5, .4};
  OccupancyBits all, useful;
  all.build(*queue, "test.fill", extent, speckle);
  useful.build(*queue, "test.fill", extent, EvenOf{speckle});
  for (const float fill : {1.f, .6f}) {
    const VolumeView view{looking({14, -13, -21}, {0, 0, 0}, .005f), {}, extent, fill};
    constexpr int width = 60, height = 45;  // no voxel is so small that its neighbours smooth it
    const auto with = painted(all.view(), HalfWaste{}, view, width, height, black(), useful.view()),
               without = painted(all.view(), HalfWaste{}, view, width, height, black());
    int veiled = 0;
    for (int i = 0; i < width * height; ++i) {
      const auto x = static_cast<float>(i % width), y = static_cast<float>(i / width);
      const auto seen = pick_voxel(*queue, all.view(), view, width, height, x, y, HalfWaste{}),
                 only = pick_voxel(*queue, useful.view(), view, width, height, x, y, Pure{}),
                 any = pick_voxel(*queue, all.view(), view, width, height, x, y, HalfWaste{}, true),
                 first = pick_voxel(*queue, all.view(), view, width, height, x, y, Pure{});
      ASSERT_EQ(seen.has_value(), only.has_value());
      ASSERT_TRUE(!seen || seen->voxel == only->voxel);
      ASSERT_EQ(any.has_value(), first.has_value());
      ASSERT_TRUE(!any || any->voxel == first->voxel);
      const Rgba colour = with[static_cast<std::size_t>(i)];
      ASSERT_LE(furthest_channel(colour, without[static_cast<std::size_t>(i)]), 2);  // other steps, other rounding
      const bool bare = any && seen && seen->voxel == any->voxel;
      veiled += any && !bare;
      ASSERT_TRUE(any || colour == black().ground);
      ASSERT_TRUE(!bare || kind_shown(colour) == static_cast<int>(kind_of(seen->voxel) % 3));
    }
    EXPECT_GT(veiled, 100);
  }
}

TEST_P(Volumes, AWastedVoxelIsAHatchAndItsEdges) {
  OccupancyBits bits;
  bits.build(*queue, "test.fill", {1, 1, 1}, Speckle{0, 2});
  const VolumeView view{looking({0, 0, -3}, {0, 0, 0}, .01f), {}, {1, 1, 1}, 1};
  const auto picture = painted(bits.view(), AllWaste{}, view, 60, 60, black());
  for (int y = 25; y < 35; ++y)
    for (int x = 25; x < 35; ++x)  // the middle of a face, far from its edges
      ASSERT_EQ(picture[static_cast<std::size_t>(y * 60 + x)] != black().ground, (x + y) % 6 < 2);
}

TEST_P(Volumes, SamplesAreAveraged) {
  OccupancyBits bits;
  bits.build(*queue, "test.fill", {4, 4, 4}, Speckle{0, 2});
  const VolumeView view{looking({2, 1, -9}, {0, 0, 0}, .05f), {}, {4, 4, 4}, 1};
  const auto picture = painted(bits.view(), Pure{}, view, 32, 32, black(), {}, 3);
  EXPECT_EQ(picture[0], black().ground);
  EXPECT_GE(std::set<Rgba>(picture.begin(), picture.end()).size(), 10u);
}

TEST_P(Volumes, NothingIsThereOrVisible) {
  OccupancyBits empty, full, none;
  empty.build(*queue, "test.fill", {20, 20, 20}, Speckle{1, 0});
  full.build(*queue, "test.fill", {20, 20, 20}, Speckle{1, 2});
  none.build(*queue, "test.fill", {0, 5, 5}, Speckle{1, 2});
  const RayCamera camera = looking({3, 4, -50}, {0, 0, 0}, .02f);
  const auto all_ground = [&](const OccupancyBits& bits, const VolumeView& view) {
    for (const Rgba pixel : painted(bits.view(), Pure{}, view, 30, 20, black()))
      if (pixel != black().ground) return false;
    return !pick_voxel(*queue, bits.view(), view, 30, 20, 15, 10, Pure{}, true);
  };
  EXPECT_TRUE(all_ground(empty, {camera, {0, 0, 0}, {20, 20, 20}, 1}));
  EXPECT_TRUE(all_ground(full, {camera, {3, 3, 3}, {3, 20, 20}, 1}));
  EXPECT_TRUE(all_ground(full, {camera, {9, 3, 3}, {4, 20, 20}, 1}));
  EXPECT_TRUE(all_ground(full, {camera, {20, 0, 0}, {40, 20, 20}, 1}));
  EXPECT_TRUE(all_ground(none, {camera, {0, 0, 0}, {20, 20, 20}, 1}));
  EXPECT_FALSE(all_ground(full, {camera, {0, 0, 0}, {20, 20, 20}, 1}));
}

TEST_P(Volumes, StrangeRaysEnd) {
  const Index3 extent{40, 24, 72};
  OccupancyBits bits;
  bits.build(*queue, "test.fill", extent, Speckle{3, .0005});
  constexpr float nan = std::numeric_limits<float>::quiet_NaN(), most = std::numeric_limits<float>::max();
  // Along the axes, in lattice planes, on corners, without an angle, without a number.
  for (const float from : {0.f, -20.f, -12.f, -36.f, 20.f, .5f, -1e6f, nan, most, -INFINITY})
    for (const float pixel : {0.f, 1.f, .01f, nan, most})
      for (const float fill : {1.f, .5f, 1e-6f})
        for (int axis = 0; axis < 3; ++axis) {
          RayCamera camera{{from, from, from}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, pixel};
          camera.forward[axis] = 1, camera.right[(axis + 1) % 3] = 1, camera.down[(axis + 2) % 3] = 1;
          painted(bits.view(), HalfWaste{}, {camera, {}, extent, fill}, 9, 9, black());
          camera.forward[axis] = -1;
          painted(bits.view(), HalfWaste{}, {camera, {}, extent, fill}, 9, 9, black());
        }
  SUCCEED();
}

TEST_P(Volumes, AxisParallelRaysHitWhatIsThere) {
  OccupancyBits bits;
  bits.build(*queue, "test.fill", {40, 40, 40}, Speckle{0, 2});
  for (int axis = 0; axis < 3; ++axis)
    for (const float sign : {-1.f, 1.f}) {
      RayCamera camera{{.25f, .25f, .25f}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, 0};
      camera.forward[axis] = sign, camera.eye[axis] = -sign * 100;
      const auto found = pick_voxel(*queue, bits.view(), {camera, {1, 2, 3}, {38, 37, 36}, 1}, 5, 5, 2, 2, Pure{});
      ASSERT_TRUE(found);
      const std::uint32_t at[3] = {found->voxel.x, found->voxel.y, found->voxel.z}, low[3] = {1, 2, 3},
                          high[3] = {38, 37, 36};
      for (int a = 0; a < 3; ++a) EXPECT_EQ(at[a], a != axis ? 20 : sign > 0 ? low[a] : high[a] - 1);
      EXPECT_EQ(found->axis, axis);
      EXPECT_FLOAT_EQ(found->distance,
                      sign > 0 ? 80 + static_cast<float>(low[axis]) : 120 - static_cast<float>(high[axis]));
    }
}

TEST_P(Volumes, TheLargestLatticeIsAddressed) {
  if (GetParam() != Backend::cpu) GTEST_SKIP() << "8 GiB of memory, that only the host gives without filling it";
  const Index3 extent{4096, 4096, 4096}, voxel{4095, 4093, 4094};
  Buffer<std::uint32_t> words(Backend::cpu, Occupancy::word_count(extent)),
      bricks(Backend::cpu, Occupancy::brick_word_count(extent));
  const Occupancy bits{extent, words.data(), bricks.data()};
  const Index3 brick{voxel.x / 8, voxel.y / 8, voxel.z / 8};
  words.data()[bits.first_word(brick) + Occupancy::word_in_brick(voxel)] = 1u << Occupancy::bit_in_word(voxel);
  bricks.data()[bricks.size() - 1] = 1u << Occupancy::bit_of_brick(brick);
  EXPECT_TRUE(bits.has(voxel) && bits.brick(brick));
  for (const double far : {-9000., -2500., 2040.}) {
    const VolumeView view{looking({far, far + 11, far - 7}, {2047.5, 2045.4, 2046.6}, .0001f), {}, extent, 1};
    const auto found = pick_voxel(*queue, bits, view, 11, 11, 5, 5, Pure{});
    ASSERT_TRUE(found) << far;
    EXPECT_EQ(found->voxel, voxel);
    EXPECT_FALSE(pick_voxel(*queue, bits, view, 11, 11, 5000, 5, Pure{}));
  }
}

}  // namespace
}  // namespace warploom
