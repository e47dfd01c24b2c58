#include <gtest/gtest.h>

#include "gpu/scenes/fractal/maps/list.h"
#include "gpu/scenes/fractal/maps/skeleton.h"
#include "tests/scenes/fractal/fractals.h"
#include "tests/scenes/map_tally.h"

// Every cell of the domain is served exactly once, and no cell outside it: every registered map, every mask, levels 0
// to 6, every legal block, every track of every block.

namespace warploom {
namespace {

struct MapName {
  template <class Map>
  static std::string GetName(int) {
    std::string name = Map::info.key;
    if constexpr (requires { typename Map::intra; }) name += std::string("_") + Map::intra::info.key;
    return name;
  }
};

/// The key of the intra-block way, or nothing.
std::string intra_key(const MapInfo* info) { return info ? info->key : ""; }

template <class Map>
class MapContract : public ::testing::Test {};
// The skeleton too: what people copy must be right.
using TestedMaps = decltype(as_test_types(FractalMaps{} + TypeList<SkeletonMap>{}));
TYPED_TEST_SUITE(MapContract, TestedMaps, MapName);

/// Boxes of the whole grid that hold a member: those of the coarser fractal.
std::uint64_t blocks_with_members(const oracle::Rows& rows, int level, int digits) {
  return oracle::power(oracle::marks(rows), level - digits);
}

TYPED_TEST(MapContract, ServesEveryCellExactlyOnce) {
  using Map = TypeParam;
  const bool whole = std::string(Map::info.key) == "bounding_box";
  for (const Mask& mask : all_masks())
    for (const int level : levels_up_to(mask, sanitized ? 7e4 : 3e6)) {
      const oracle::Picture domain = oracle::fractal(mask.rows, level);
      const std::uint64_t k = oracle::marks(mask.rows), cells = oracle::power(k, level);
      ASSERT_EQ(domain.count(), cells);
      for (const int j : oracle::legal_digits(mask.rows, level)) {
        SCOPED_TRACE(mask.key + " level " + std::to_string(level) + " block digits " + std::to_string(j));
        const FractalDomain fractal(mask, level);
        const MapTable table = Map::table(fractal, j);
        const Map map(fractal, j, table.data());
        const MapTally tally = tally_of(map, {domain.width, domain.height, 1},
                                        [&](const Cell& at) { return at.z == 0 && domain.at(at.x, at.y) == 1; });
        EXPECT_EQ(tally.outside, 0u);
        EXPECT_EQ(tally.twice, 0u);
        EXPECT_EQ(tally.wrong_inverse, 0u);
        EXPECT_EQ(tally.useful, cells);
        ASSERT_EQ(tally.served, domain.cells);

        // ---- the counts, against the library's closed form and ours ---------------------------------------------
        const std::uint64_t places = oracle::power(mask.rows[0].size() * mask.rows.size(), j);
        const bool no_waste = !whole && intra_key(intra_info<Map>()) != "sub_boxes";
        const std::uint64_t grid = whole ? domain.cells.size() / places : blocks_with_members(mask.rows, level, j);
        // Ours are known of the published maps; a new one states its own.
        const MapInfo* intra = intra_info<Map>();
        if (whole || intra != nullptr) {
          EXPECT_EQ(tally.blocks, grid);
          EXPECT_EQ(tally.idle_blocks, grid - blocks_with_members(mask.rows, level, j));
          EXPECT_EQ(tally.launched, grid * (no_waste ? oracle::power(k, j) : places));
          EXPECT_TRUE(!no_waste || tally.launched == cells);
        }
        EXPECT_EQ(tally.launched, Map::launched(fractal, j));
        std::uint64_t shaped = 0;
        for (int i = 0; i < map.launches(); ++i) shaped += map.shape(i).thread_count();
        EXPECT_EQ(tally.launched, shaped);
        if (this->HasFailure()) return;
      }
    }
}

TYPED_TEST(MapContract, GridIsThePapers) {
  using Map = TypeParam;
  if (std::string(Map::info.key) == "bounding_box") {
    EXPECT_EQ(TypeParam(FractalDomain(carpet(), 4), 2, nullptr).shape(0), (LaunchShape{{9, 9, 1}, {9, 9, 1}}));
    return;
  }
  if (const MapInfo* intra = intra_info<Map>(); intra == nullptr) return;  // the papers say nothing of it
  // r_b = 5 of the gasket: 3^3 x 3^2 blocks; rho = 4: 4 x 4 threads, or 3 x 3 of the 9 members.
  const FractalDomain fractal(gasket(), 7);
  const MapTable table = Map::table(fractal, 2);
  const LaunchShape shape = Map(fractal, 2, table.data()).shape(0);
  EXPECT_EQ(shape.blocks, (Index3{27, 9, 1}));
  const bool boxes = intra_key(intra_info<Map>()) == "sub_boxes";
  EXPECT_EQ(shape.threads, boxes ? (Index3{4, 4, 1}) : (Index3{3, 3, 1}));
}

TYPED_TEST(MapContract, OneTurnAndOneLaunch) {
  const FractalDomain fractal(gasket(), 3);
  const MapTable table = TypeParam::table(fractal, 1);
  const TypeParam map(fractal, 1, table.data());
  EXPECT_EQ(map.launches(), 1);
  EXPECT_TRUE(map.more(0, {0, 0, 0}, 0));
  EXPECT_FALSE(map.more(0, {0, 0, 0}, 1));
}

TYPED_TEST(MapContract, NobodyOwnsWhatIsNoMember) {
  for (const Mask& mask : all_masks())
    for (const int level : levels_up_to(mask, 3e4))
      for (const int j : oracle::legal_digits(mask.rows, level)) {
        const FractalDomain fractal(mask, level);
        const MapTable table = TypeParam::table(fractal, j);
        const TypeParam map(fractal, j, table.data());
        const oracle::Picture domain = oracle::fractal(mask.rows, level);
        for (std::uint32_t y = 0; y < domain.height + 2; ++y)
          for (std::uint32_t x = 0; x < domain.width + 2; ++x) {
            Owner who;
            ASSERT_EQ(map.owner({x, y, 0}, who), domain.at(x, y) == 1)
                << mask.key << ' ' << level << ' ' << x << ' ' << y;
          }
        for (const std::uint32_t far : {0x7fffffffu, 0x80000000u, 0xffffffffu}) {
          Owner who;
          ASSERT_FALSE(map.owner({far, 0, 0}, who));
          ASSERT_FALSE(map.owner({0, far, 0}, who));
          ASSERT_FALSE(map.owner({far, far, 0}, who));
        }
      }
}

TYPED_TEST(MapContract, SaysWhatItIs) {
  EXPECT_STRNE(TypeParam::info.key, "");
  EXPECT_STRNE(TypeParam::info.title, "");
  EXPECT_STRNE(TypeParam::info.description, "");
  EXPECT_STRNE(TypeParam::info.citation, "");
  EXPECT_TRUE(ThreadMap<TypeParam>);
}

}  // namespace
}  // namespace warploom
