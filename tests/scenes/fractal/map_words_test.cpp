#include <gtest/gtest.h>

#include "gpu/scenes/fractal/maps/list.h"
#include "gpu/scenes/fractal/maps/skeleton.h"
#include "gpu/scenes/simplex/maps/list.h"
#include "tests/scenes/fractal/fractals.h"

// What maps say of themselves beside placing threads: the bytes of their tables, and their arithmetic in words.

namespace warploom {
namespace {

template <int Dimensions>
void check_tables() {
  for_each_type(SimplexMaps<Dimensions>{}, [&]<class Map>() {
    // 300 blocks per side of a tetrahedron, and 3000 of a triangle, are past an entry a block.
    for (const std::uint32_t n : {1u, 2u, 5u, 64u, 100u, Dimensions == 2 ? 3000u : 300u}) {
      const SimplexDomain<Dimensions> domain(n, 1, false);
      EXPECT_EQ(Map::table_bytes(domain), 4. * static_cast<double>(Map::table(domain).size())) << Map::info.key << n;
    }
  });
}

TEST(MapWords, TablesAreAsLargeAsStated) {
  check_tables<2>();
  check_tables<3>();
}

template <int Dimensions>
void check_formulas() {
  for_each_type(SimplexMaps<Dimensions>{}, [&]<class Map>() {
    const SimplexDomain<Dimensions> domain(70, 4, false);
    const MapTable table = Map::table(domain);
    const Map map(domain, table.data());
    for (int launch = 0; launch < map.launches(); ++launch)
      for (std::uint64_t i = 0; i < map.shape(launch).block_count(); i += 7) {
        const Index3 grid = map.shape(launch).blocks, at = unfold(i, grid);
        Owner who;
        who.launch = launch;
        who.block = at;
        Index3 block;
        const bool serves = map.locate(launch, at, 0, block);
        const Formula formula = Map::explain({Dimensions, false, domain.blocks, grid, who,
                                              block.x != ~0u ? std::optional(block) : std::nullopt, serves, false});
        ASSERT_FALSE(formula.title.empty()) << Map::info.key;
        ASSERT_FALSE(formula.steps.empty()) << Map::info.key;
        if (serves) {
          const std::string place = "(" + std::to_string(block.x) + ", " + std::to_string(block.y) +
                                    (Dimensions == 2 ? "" : ", " + std::to_string(block.z)) + ")";
          ASSERT_EQ(formula.result.what, "serves block") << Map::info.key;
          ASSERT_EQ(formula.result.result, place) << Map::info.key;
        } else {
          ASSERT_TRUE(formula.result.what == "waste" || !Map::info.exact) << Map::info.key << formula.result.what;
        }
      }
  });
}

TEST(MapWords, EverySimplexMapExplainsItself) {
  check_formulas<2>();
  check_formulas<3>();
}

TEST(MapWords, EveryFractalMapExplainsItself) {
  const FractalDomain domain(gasket(), 5);
  for_each_type(FractalMaps{} + TypeList<SkeletonMap>{}, [&]<class Map>() {
    const Formula formula = Map::explain({domain, 2, {}, Cell{0, 0, 0}});
    EXPECT_FALSE(formula.title.empty()) << Map::info.key;
    // Lines: a digit of the block's index, or of the cell.
    if constexpr (requires { &Map::refusal; })  // the matrices: A, B and D have each two rows or columns at most
      EXPECT_GE(formula.steps.size(), 1u) << Map::info.key;
    else
      EXPECT_EQ(formula.steps.size(), intra_info<Map>() ? 3u : 5u) << Map::info.key;
    EXPECT_EQ(formula.result.result, intra_info<Map>() ? "(0, 0)" : "yes") << Map::info.key;
  });
  EXPECT_TRUE(BoundingBox::explain({domain, 2, {}, std::nullopt}).title.empty()) << "no cell, nothing to test";
}

TEST(MapWords, LinesOfTheListAreMaps) {
  EXPECT_EQ(FractalMapsOf<BoundingBox>::size, 1u);
  EXPECT_EQ(FractalMapsOf<LambdaTable>::size, FractalIntraWays::size);
  EXPECT_TRUE(contains<BoundingBox>(FractalMaps{}));
  EXPECT_FALSE(contains<SkeletonMap>(FractalMaps{}));
}

}  // namespace
}  // namespace warploom
