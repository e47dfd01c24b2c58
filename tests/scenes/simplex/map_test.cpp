#include <gtest/gtest.h>

#include "gpu/scenes/simplex/maps/list.h"
#include "tests/scenes/map_tally.h"

// Every registered map serves every cell of the simplex exactly once and no cell outside, for any n: ones, odd sides,
// powers of two and their neighbours, block sides that divide n and that do not. And the inverse.

namespace warploom {
namespace {

struct MapName {
  template <class Map>
  static std::string GetName(int) {
    return std::string(Map::info.key) + "_" + std::to_string(Map::dimensions) + "d";
  }
};

/// Straight from the definition.
bool in_simplex(int dimensions, bool corner, std::uint64_t n, const Cell& c) {
  const std::uint64_t x = c.x, y = c.y, z = c.z;
  if (dimensions == 2) return x <= y && y < n && z == 0;
  return corner ? x + y + z < n : x <= y && y <= z && z < n;
}

template <class Map>
void check(std::uint32_t n, std::uint32_t rho, bool corner, const CellShares& shares = {}) {
  const SimplexDomain<Map::dimensions> domain(n, rho, corner);
  const MapTable table = Map::table(domain);
  const Map map(domain, table.data(), shares);
  const MapTally tally =
      tally_of(map, domain.extent(), [&](const Cell& at) { return in_simplex(Map::dimensions, corner, n, at); });
  SCOPED_TRACE(::testing::Message() << "n = " << n << ", rho = " << rho << (corner ? ", corner" : "")
                                    << ", cells per thread " << shares.box.x << " " << shares.box.y << " "
                                    << shares.box.z << ", sector " << shares.sector);
  EXPECT_EQ(tally.outside, 0u);
  EXPECT_EQ(tally.twice, 0u);
  EXPECT_EQ(tally.launched, Map::launched(domain));
  EXPECT_EQ(tally.wrong_carry, 0u);
  if (!Map::info.exact) return;
  EXPECT_EQ(tally.useful, domain.cells());
  EXPECT_EQ(tally.wrong_inverse, 0u);
}

template <class Map>
class SimplexMapContract : public ::testing::Test {};
using TestedMaps = decltype(as_test_types(TriangleMaps{} + TetrahedronMaps{}));
TYPED_TEST_SUITE(SimplexMapContract, TestedMaps, MapName);

TYPED_TEST(SimplexMapContract, ServesEveryCellOnce) {
  constexpr int dimensions = TypeParam::dimensions;
  for (const bool corner : {false, true}) {
    if (corner && dimensions == 2) continue;
    for (const std::uint32_t n : {1u, 2u, 3u, 4u, 5u, 7u, 8u, 9u, 15u, 16u, 17u, 24u, 33u})
      for (const std::uint32_t rho : {1u, 2u, 3u, 4u, 5u, 8u, 10u}) check<TypeParam>(n, rho, corner);
  }
}

TYPED_TEST(SimplexMapContract, AnyNumberOfBlocks) {
  constexpr int dimensions = TypeParam::dimensions;
  for (std::uint32_t blocks = 1; blocks <= (dimensions == 2 ? 130u : 40u); ++blocks)
    check<TypeParam>(blocks, 1, dimensions == 3 && blocks % 2);
  if (dimensions == 3)
    for (const std::uint32_t blocks : {63u, 64u, 65u, 66u, 127u, 128u, 129u})
      for (const bool corner : {false, true}) check<TypeParam>(blocks, 1, corner);
}

// Threads that serve boxes of cells, and shares of rows that begin at sectors: every item once, and its inverse.
TYPED_TEST(SimplexMapContract, ServesEveryItemOnce) {
  constexpr bool solid = TypeParam::dimensions == 3;
  for (const std::uint32_t n : {1u, 2u, 3u, 8u, 15u, 16u, 17u, 24u, 33u, 41u})
    for (const bool corner : {false, true}) {
      if (corner && !solid) continue;
      for (const ThreadBox box : {ThreadBox{4, 1, 1}, {8, 2, 1}, {1, 1, 8}, {4, 2, 4}, {2, 8, 2}})
        for (const std::uint32_t gang : {1u, 4u})
          check<TypeParam>(n, 8, corner, {{box.x, box.y, solid ? box.z : 1}, gang, 0});
      check<TypeParam>(n, 6, corner, {{3, 2, solid ? 3u : 1u}, 1, 0});
      if (!corner)
        for (const ThreadBox box : {ThreadBox{4, 1, 1}, {4, 2, 4}, {8, 8, 8}, {1, 1, 1}})
          check<TypeParam>(n, 8, corner, {{box.x, box.y, solid ? box.z : 1}, 1, 8});
    }
}

TYPED_TEST(SimplexMapContract, RefusesCellsOutside) {
  const SimplexDomain<TypeParam::dimensions> domain(12, 4, false);
  const MapTable table = TypeParam::table(domain);
  const TypeParam map(domain, table.data());
  Owner who;
  EXPECT_FALSE(map.owner({3, 2, 5}, who));
  EXPECT_FALSE(map.owner({0, 12, 12}, who));
  EXPECT_FALSE(map.owner({~0u, ~0u, ~0u}, who));
}

}  // namespace
}  // namespace warploom
