#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <random>
#include <set>

#include "gpu/core/checked_group.h"
#include "gpu/core/error.h"
#include "gpu/scenes/fractal/maps/list.h"
#include "tests/scenes/fractal/fractals.h"

// Large domains, sampled where numbers roll over; and the warp-wide placing with every number of live lanes.

namespace warploom {
namespace {

/// Member numbers at both ends, around every power of k, and a few at random.
std::set<std::uint64_t> numbers(std::uint64_t k, int level, int random) {
  const std::uint64_t all = oracle::power(k, level);
  std::set<std::uint64_t> picked{0, all - 1, all / 2};
  for (int i = 0; i <= level; ++i)
    for (const std::int64_t step : {-1, 0, 1}) {
      const std::uint64_t at = oracle::power(k, i) + static_cast<std::uint64_t>(step);
      if (at < all) picked.insert({at, all - 1 - at});
    }
  for (const std::uint64_t border : {0xfffffffeull, 0xffffffffull, 0x100000000ull, 0x100000001ull})
    if (border < all) picked.insert(border);
  std::mt19937_64 draw(level);
  while (random-- > 0) picked.insert(draw() % all);
  return picked;
}

/// The largest level with a side of at most n.
int level_of_side(const Mask& mask, double n) {
  int level = 0;
  for (double side = mask.side_x(); side <= n; side *= mask.side_x()) ++level;
  return level;
}

template <class Map>
void check_inverse(const Mask& mask, int level, int j) {
  SCOPED_TRACE(std::string(Map::info.key) + " " + mask.key + " level " + std::to_string(level) + " digits " +
               std::to_string(j));
  const FractalDomain fractal(mask, level);
  const MapTable table = Map::table(fractal, j);
  const Map map(fractal, j, table.data());
  const LaunchShape shape = map.shape(0);
  for (const std::uint64_t number : numbers(oracle::marks(mask.rows), level, 200)) {
    const oracle::Place at = oracle::cell_of(mask.rows, oracle::digits(number, oracle::marks(mask.rows), level));
    const Cell cell{static_cast<std::uint32_t>(at.x), static_cast<std::uint32_t>(at.y), 0};
    Owner who;
    ASSERT_TRUE(map.owner(cell, who)) << number;
    ASSERT_TRUE(who.block.x < shape.blocks.x && who.block.y < shape.blocks.y && who.block.z < shape.blocks.z);
    ASSERT_TRUE(who.thread.x < shape.threads.x && who.thread.y < shape.threads.y && who.thread.z < shape.threads.z);
    CpuGroup group(who.block, 0, shape.threads);
    Cell origin, found;
    ASSERT_TRUE(map.block(group, who.launch, who.block, who.turn, origin));
    ASSERT_TRUE(map.thread(origin, who.thread, found));
    ASSERT_EQ(found, cell) << number;
    SoloGroup solo;  // a hover asks alone
    ASSERT_TRUE(map.block(solo, who.launch, who.block, who.turn, found));
    ASSERT_EQ(found, origin);
    for (int i = 0; i < 9; ++i) {  // and the neighbours, members or not
      const Cell near{cell.x + static_cast<std::uint32_t>(i % 3) - 1, cell.y + static_cast<std::uint32_t>(i / 3) - 1,
                      0};
      ASSERT_EQ(map.owner(near, who), oracle::member(mask.rows, level, near.x, near.y)) << near.x << ' ' << near.y;
    }
  }
}

TEST(MapInverse, SidesUpTo65536) {
  for (const Mask& mask : all_masks()) {
    const int level = level_of_side(mask, 65536);
    for (const int j : oracle::legal_digits(mask.rows, level))
      for_each_type(FractalMaps{}, [&]<class Map>() { check_inverse<Map>(mask, level, j); });
    if (::testing::Test::HasFailure()) return;
  }
}

TEST(MapInverse, OddAndEvenLevelsAbove) {
  for (const Mask& mask : shipped_masks())
    for (const double side : {2e5, 1e6, 2e9}) {
      const int level = level_of_side(mask, side);
      const int most = oracle::legal_digits(mask.rows, level).back();
      for (const int j : {most, most - 1})
        for_each_type(FractalMaps{}, [&]<class Map>() { check_inverse<Map>(mask, level, j); });
      if (::testing::Test::HasFailure()) return;
    }
}

TEST(FractalDomain, LambdaIsTheStringOfDigits) {
  for (const Mask& mask : all_masks())
    for (const int level : levels_up_to(mask, 1e5)) {
      const FractalDomain fractal(mask, level);
      const std::uint64_t k = oracle::marks(mask.rows);
      for (std::uint32_t w_y = 0; w_y < oracle::power(k, level / 2); ++w_y)
        for (std::uint32_t w_x = 0; w_x < oracle::power(k, (level + 1) / 2); ++w_x) {
          const Index2 at = fractal.lambda(w_x, w_y, level);
          ASSERT_EQ((oracle::Place{at.x, at.y}), oracle::lambda(mask.rows, w_x, w_y, level))
              << mask.key << ' ' << level;
          std::uint32_t back_x = 0, back_y = 0;
          ASSERT_TRUE(fractal.inverse(at.x, at.y, level, back_x, back_y));
          ASSERT_EQ(back_x, w_x);
          ASSERT_EQ(back_y, w_y);
        }
    }
}

TEST(FractalDomain, NumbersEveryMemberPast32Bits) {
  std::vector<Mask> masks = all_masks();
  for (std::size_t side = 2; side <= 7; ++side) masks.push_back(full_mask(side));
  for (const Mask& mask : masks)
    for (int level = 0; level <= level_of_side(mask, 0x7fffffff); ++level) {
      const std::uint64_t k = oracle::marks(mask.rows);
      std::unique_ptr<FractalDomain> fractal;
      try {
        fractal = std::make_unique<FractalDomain>(mask, level);
      } catch (const UsageError&) {
        // Sizes that no memory holds may be refused, but not those below 2^32 cells.
        ASSERT_GT(static_cast<double>(level) * std::log2(static_cast<double>(k)), 32) << mask.key << ' ' << level;
        continue;
      }
      ASSERT_EQ(fractal->cells(), oracle::power(k, level));
      for (const std::uint64_t number : numbers(k, level, 20)) {
        const Cell cell = fractal->member_number(number);
        const oracle::Place at = oracle::cell_of(mask.rows, oracle::digits(number, k, level));
        ASSERT_EQ((oracle::Place{cell.x, cell.y}), at) << mask.key << " level " << level << " number " << number;
        ASSERT_TRUE(fractal->contains(cell));
      }
    }
}

TEST(FractalDomain, RefusesSidesPast31Bits) {
  for (const Mask& mask : all_masks()) {
    const int most = level_of_side(mask, 0x7fffffff);
    EXPECT_THROW(FractalDomain(mask, most + 1), UsageError) << mask.key;
    EXPECT_THROW(FractalDomain(mask, 1000), UsageError) << mask.key;
    EXPECT_THROW(FractalDomain(mask, -1), UsageError) << mask.key;
  }
}

TEST(LambdaShuffle, AnyNumberOfLiveTracks) {
  std::mt19937 draw(1);
  for (const Mask& mask : all_masks()) {
    const int level = level_of_side(mask, 65536);
    const FractalDomain fractal(mask, level);
    for (int r_b = 0; r_b <= level; ++r_b)
      for (unsigned live = 1; live <= warp_size; ++live) {
        const std::uint64_t k = oracle::marks(mask.rows);
        const Index3 at{static_cast<std::uint32_t>(draw() % oracle::power(k, (r_b + 1) / 2)),
                        static_cast<std::uint32_t>(draw() % oracle::power(k, r_b / 2)), 0};
        CpuGroup group(at, 0, {live, 1, 1});
        const Index2 place = LambdaShuffle::place(group, fractal, r_b, nullptr, at);
        ASSERT_EQ((oracle::Place{place.x, place.y}), oracle::lambda(mask.rows, at.x, at.y, r_b))
            << mask.key << " digits " << r_b << " tracks " << live;
      }
  }
}

TEST(LambdaShuffle, EveryWarpOfABlock) {
  const Mask mask = typed_mask("vicsek", {".#.", "###", ".#."});
  const FractalDomain fractal(mask, 10);
  for (const unsigned threads : {1u, 33u, 48u, 63u, 64u, 65u, 100u, 625u, 729u, 1024u}) {
    // Each warp computes it with the lanes it has, the last one of a block with few: the checked group runs them all,
    // and throws where they disagree.
    CheckedGroup block({7, 5, 0}, 0, {threads, 1, 1});
    const Index2 place = LambdaShuffle::place(block, fractal, 10, nullptr, {7, 5, 0});
    EXPECT_EQ((oracle::Place{place.x, place.y}), oracle::lambda(mask.rows, 7, 5, 10)) << threads;
  }
}

}  // namespace
}  // namespace warploom
