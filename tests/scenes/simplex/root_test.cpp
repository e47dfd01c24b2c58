#include <random>

#include "gpu/core/atomic.h"
#include "gpu/core/buffer.h"
#include "gpu/core/launch.h"
#include "gpu/scenes/simplex/maps/list.h"
#include "gpu/tracks/facets/all.h"
#include "tests/scenes/simplex/simplices.h"

// Triangular and tetrahedral numbers and their inverses, on every backend, and the maps whose roots are wrong from some
// block on. Compiled as C++ the programs run only on the CPU engine; compiled as CUDA on both.

namespace warploom {
namespace {

#ifdef __CUDACC__
constexpr bool has_kernels = true;
#else
constexpr bool has_kernels = false;
#endif

__extension__ typedef unsigned __int128 Wide;
constexpr std::uint64_t limit = std::uint64_t{1} << 62;

Wide triangle(Wide v) { return v * (v + 1) / 2; }
Wide tetrahedron(Wide v) { return v * (v + 1) * (v + 2) / 6; }

/// Is y the row of w? From t(y) <= w < t(y + 1) alone, y up to 2^32.
WARPLOOM_HD bool is_row(std::uint64_t w, std::uint64_t y) { return y * (y + 1) / 2 <= w && w < (y + 1) * (y + 2) / 2; }

/// Wrong rows at t(v) - 1, t(v) and t(v) + 1; v is the item, or is taken from a list.
struct RowsAround {
  const std::uint64_t* list = nullptr;
  WARPLOOM_HD std::uint64_t operator()(std::uint64_t i) const {
    const std::uint64_t v = list ? list[i] : i, at = v * (v + 1) / 2;
    std::uint64_t failed = triangle_root(at) != v;
    if (v > 0) failed += triangle_root(at - 1) != v - 1;
    return failed + (triangle_root(at + 1) != (v == 0 ? 1 : v));  // t(1) = 1 is a row's first; other t(v) + 1 are not
  }
};

/// Wrong layers at T(v) - 1, T(v) and T(v) + 1.
struct LayersAround {
  WARPLOOM_HD std::uint64_t operator()(std::uint64_t v) const {
    // One of three numbers in a row is a multiple of three, and the smaller product fits 64 bits.
    const std::uint64_t pairs = v * (v + 1) / 2;
    const std::uint64_t at = pairs % 3 == 0 ? pairs / 3 * (v + 2) : (v + 2) / 3 * pairs;
    std::uint64_t failed = tetrahedron_number(v) != at;
    failed += tetrahedron_root(at) != v;
    if (v > 0) failed += tetrahedron_root(at - 1) != v - 1;
    return failed + (tetrahedron_root(at + 1) != (v == 0 ? 1 : v));
  }
};

/// Wrong places of the blocks before, at and after the first of each row or layer v = i + 1: by whatever roots the
/// backend takes, bare ones where they are right.
template <int Dimensions>
struct PlacesAround {
  WARPLOOM_HD std::uint64_t operator()(std::uint64_t i) const {
    const std::uint64_t first = simplex_number<Dimensions>(i + 1);
    std::uint64_t failed = 0;
    for (std::uint64_t w = first - 1; w <= first + 1; ++w) {
      const Index3 at = simplex_place<Dimensions>(w);
      const bool inside = at.x <= at.y && (Dimensions == 2 ? at.z == 0 : at.y <= at.z);
      failed += !inside || simplex_index<Dimensions>(at) != w;
    }
    return failed;
  }
};

/// Whether a map of roots sends block `from` + i anywhere but to its own place.
template <class Placing>
struct WrongBlocks {
  std::uint64_t from = 0;
  WARPLOOM_HD std::uint64_t operator()(std::uint64_t i) const {
    std::uint64_t w = from + i;
    Index3 block;
    bool right = Placing::answer(w, block);
    if constexpr (Placing::dimensions == 3) {
      const std::uint64_t z = block.z, before = z * (z + 1) * (z + 2) / 6;
      right = right && before <= w && w - before < (z + 1) * (z + 2) / 2;
      w -= before;
    }
    return !(right && is_row(w, block.y) && block.x == w - std::uint64_t{block.y} * (block.y + 1ull) / 2);
  }
};

/// Adds up what `failed` says of each item.
template <class Failed>
struct CountFailed {
  Failed failed;
  std::uint64_t count;
  std::uint64_t* sum;
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    each_item(group, count, [&](std::uint64_t i) {
      if (const std::uint64_t more = failed(i)) atomic_add(sum, more);
    });
  }
};

class SimplexRoots : public SimplexTest {
 protected:
  void SetUp() override {
    SimplexTest::SetUp();
    if (GetParam() == Backend::cuda && !has_kernels) GTEST_SKIP() << "this file was compiled as C++";
  }
  template <class Failed>
  std::uint64_t counted(std::uint64_t items, const Failed& failed) {
    Buffer<std::uint64_t> sum(GetParam(), 1);
    sum.zero(*queue);
    launch("test.roots", *queue, row_shape(items), CountFailed<Failed>{failed, items, sum.data()});
    return sum.download(*queue)[0];
  }
};
WARPLOOM_ON_BOTH_BACKENDS(SimplexRoots);

TEST_P(SimplexRoots, EveryRowBelowTwoToThe32) {
  std::uint64_t rows = 0;
  while (triangle(rows) <= Wide{1} << 32) ++rows;
  EXPECT_EQ(rows, 92682u);
  EXPECT_EQ(counted(rows, RowsAround{}), 0u);
}

TEST_P(SimplexRoots, AMillionRowsBelowTwoToThe62) {
  std::mt19937_64 draw(11);
  std::uint64_t most = 0;  // the last v with t(v) + 1 below the limit
  for (std::uint64_t bit = std::uint64_t{1} << 32; bit; bit >>= 1)
    if (triangle(most + bit) + 1 < limit) most += bit;
  std::vector<std::uint64_t> rows{most, most - 1};
  for (int bit = 16; bit < 32; ++bit)
    for (int off = -2; off <= 2; ++off)
      if (const std::uint64_t v = (std::uint64_t{1} << bit) + static_cast<std::uint64_t>(off); v <= most)
        rows.push_back(v);
  while (rows.size() < 1'000'000) rows.push_back(draw() % (most + 1) >> draw() % 12);
  Buffer<std::uint64_t> list(GetParam(), rows.size());
  list.upload(*queue, rows);
  EXPECT_EQ(counted(rows.size(), RowsAround{list.data()}), 0u);
}

TEST_P(SimplexRoots, EveryLayerBelowTwoToThe62) {
  std::uint64_t layers = 3'000'000;
  while (tetrahedron(layers) + 1 < limit) ++layers;
  EXPECT_GT(layers, 3'020'000u);
  EXPECT_EQ(counted(layers, LayersAround{}), 0u);
}

// Past the last block that bare roots serve (bare_root_blocks: row 53478, layer 2046), and past the last of 32 bits.
TEST_P(SimplexRoots, PlacesAroundEveryRowAndLayer) {
  EXPECT_EQ(counted(70'000, PlacesAround<2>{}), 0u);
  EXPECT_EQ(counted(4'000, PlacesAround<3>{}), 0u);
}

TEST_P(SimplexRoots, EveryBlockOfTheFirstMillions) {
  const std::uint64_t blocks = sanitized ? 1u << 18 : 1u << 23;
  EXPECT_EQ(counted(blocks, WrongBlocks<RootPlacing<ExactRoot, 2>>{}), 0u);
  EXPECT_EQ(counted(blocks, WrongBlocks<RootPlacing<ExactRoot, 3>>{}), 0u);
}

TEST_P(SimplexRoots, InexactMapsAreFirstWrongWhereTheirTrackSays) {
  int maps = 0;
  const auto check = [&]<class Map>() {
    if constexpr (!Map::info.exact) {
      using Placing = typename Map::Placing;
      constexpr int dimensions = Map::dimensions;
      SCOPED_TRACE(std::string(Map::info.key) + " in " + std::to_string(dimensions));
      ++maps;
      const auto track = make_simplex_track(
          *queue, simplex_settings(dimensions == 2 ? "triangle" : "tetrahedron", 4, 1, "map_only"), Map::info.key);
      const auto* failing = track->template facet<FailureFacet>();
      ASSERT_NE(failing, nullptr);
      const FirstWrong first = failing->first_wrong();
      EXPECT_EQ(counted(first.index, WrongBlocks<Placing>{}), 0u);
      if (GetParam() == Backend::cpu) {
        ASSERT_TRUE(first.found);
        EXPECT_EQ(first.index, first.published);
      }
      if (!first.found) return;
      EXPECT_EQ(counted(1, WrongBlocks<Placing>{first.index}), 1u);
      const Index3 at = first.right;
      std::uint64_t w = first.index;
      if (dimensions == 3) {
        EXPECT_LE(tetrahedron(at.z), w);
        EXPECT_GT(tetrahedron(at.z + Wide{1}), w);
        w -= static_cast<std::uint64_t>(tetrahedron(at.z));
      }
      EXPECT_TRUE(is_row(w, at.y));
      EXPECT_EQ(at.x, w - static_cast<std::uint64_t>(triangle(at.y)));
      EXPECT_NE(first.answer, first.right);
      EXPECT_EQ(first.blocks, 1 + (dimensions == 3 ? at.z : at.y));
    }
  };
  for_each_type(TriangleMaps{}, check);
  for_each_type(TetrahedronMaps{}, check);
  EXPECT_EQ(maps, 4);
}

class SimplexInexact : public SimplexTest {};
WARPLOOM_ON_BOTH_BACKENDS(SimplexInexact);

TEST_P(SimplexInexact, MapsAreRightBelowTheirFirstFailureAndFoundOutBeyond) {
  for (const char* kind : kinds) {
    const SimplexKind& domain = find_simplex_kind(kind);
    if (sanitized && domain.dimensions == 2) continue;  // millions of cells
    for (const auto& name : simplex_track_names(domain.dimensions, false, "linear")) {
      const auto track = make_simplex_track(*queue, simplex_settings(kind, 2, 1, "map_only"), name);
      const auto* failing = track->facet<FailureFacet>();
      ASSERT_NE(failing, nullptr);
      const FirstWrong first = failing->first_wrong();
      if (!first.found) continue;
      ASSERT_GT(first.blocks, 1u);
      for (const bool beyond : {false, true})
        for (const bool hidden : {false, true}) {
          if (!beyond && !hidden && domain.dimensions == 2) continue;  // millions of cells, and nothing new
          const auto settings = simplex_settings(kind, first.blocks - !beyond, 1, "single_write");
          SCOPED_TRACE(describe(settings) + " " + name);
          const auto names =
              hidden ? std::vector<std::string>{name} : std::vector<std::string>{"bounding_box", name, "root_exact"};
          const auto all = simulation(settings, names, hidden ? "bounding_box" : "");
          const std::size_t wrong = hidden ? 0 : 1;
          for (std::size_t i = 0; i < names.size(); ++i)
            all->timings().add({all->track(i).kernel().c_str(), static_cast<int>(i), 1, 1, 0});
          fill(*all, *queue, simplex_seed, simplex_density);
          all->step(*queue, nullptr);
          all->track(wrong).template need<Counted>().count(*queue);
          const auto status = all->status();
          const auto counts = all->track(wrong).template need<Counted>().counts();
          ASSERT_TRUE(counts);
          // An inexact map has no speed-up, not even where it is right.
          EXPECT_FALSE(all->ratio_to_baseline(wrong));
          EXPECT_TRUE(hidden || all->ratio_to_baseline(2));
          EXPECT_TRUE(hidden || (status[0].agrees && status[2].agrees));
          EXPECT_EQ(all->reference_track().info().name, "bounding_box");
          EXPECT_EQ(status[wrong].agrees, !beyond);
          EXPECT_EQ(counts->wrong > 0, beyond);
          ASSERT_EQ(status[wrong].diverged.has_value(), beyond);
          // A block that no thread serves keeps its zero, and counts as mis-mapped.
          const std::uint64_t cells = all->track(wrong).cells();
          EXPECT_EQ(status[wrong].seal.sum, cells - counts->wrong);
          EXPECT_EQ(counts->useful, cells - counts->wrong);
          if (!beyond) continue;
          const Cell where = status[wrong].diverged->cell.value();
          EXPECT_TRUE(simplex_of(settings).contains(where));
          EXPECT_EQ(status[wrong].diverged->step, 1u);
          EXPECT_EQ(all->track(wrong).pictures()[0]->values(*queue, where, {1, 1, 1})[0], 0);
          EXPECT_EQ(all->reference_track().pictures()[0]->values(*queue, where, {1, 1, 1})[0], 1);
          EXPECT_TRUE(domain.corner || where == first.block);  // row-major order is linear order there
        }
    }
  }
}

TEST_P(SimplexInexact, MapsAreFoundOutInEveryWorkAndLayoutTheyAreCompiledFor) {
  for (const char* kind : {"tetrahedron", "tetrahedron_corner"})
    for (const auto* work : {"map_only", "single_write", "automaton"}) {
      const auto settings = simplex_settings(kind, 40, 2, work);
      const auto all = simulation(settings, {"bounding_box", "root_fp32", "root_fp32/blocked"});
      ASSERT_LT(all->track(1).need<FailureFacet>().first_wrong().blocks, 20u);
      fill(*all, *queue, simplex_seed, simplex_density);
      for (int step = 0; step < 2; ++step) all->step(*queue, nullptr);
      const auto status = all->status();
      EXPECT_TRUE(status[0].agrees);
      for (std::size_t i = 1; i < all->size(); ++i) {
        EXPECT_FALSE(status[i].agrees) << describe(settings);
        ASSERT_TRUE(status[i].diverged);
        EXPECT_EQ(status[i].diverged->step, 1u);
        // Where cells only are summed, no cell differs.
        ASSERT_EQ(status[i].diverged->cell.has_value(), std::string(work) != "map_only");
        const auto cell = status[i].diverged->cell;
        EXPECT_TRUE(!cell || simplex_of(settings).contains(*cell));
        EXPECT_EQ(status[i].seal.hash, status[1].seal.hash);  // wrong alike in every layout
      }
    }
}

TEST_P(SimplexInexact, AHiddenTrackIsNotTimed) {
  const auto settings = simplex_settings("tetrahedron", 20, 2, "automaton");
  const auto all = simulation(settings, {"root_fp32"}, "bounding_box");
  SampleCounts samples(GetParam());
  fill(*all, *queue, 1, .5);
  for (int step = 0; step < 3; ++step) all->step(*queue, &samples.watch), samples.watch.collect(true);
  EXPECT_EQ(samples.of("simplex.automaton"), 3);
}

TEST(SimplexNumbers, AgainstArithmeticOf128Bits) {
  std::mt19937_64 draw(5);
  std::uint64_t most = 0;  // the last z with T(z) below 2^64
  for (std::uint64_t bit = std::uint64_t{1} << 32; bit; bit >>= 1)
    if (tetrahedron(most + bit) >> 64 == 0) most += bit;
  for (std::uint64_t back = 0; back < 1000; ++back)
    ASSERT_EQ(tetrahedron_number(most - back), tetrahedron(most - back));
  for (std::uint64_t z = 0; z < 5000; ++z) {
    ASSERT_EQ(tetrahedron_number(z), tetrahedron(z)) << z;
    ASSERT_EQ(triangle_number(z), triangle(z)) << z;
  }
  for (int i = 0; i < 200'000; ++i) {
    const std::uint64_t z = draw() % (most + 1);
    ASSERT_EQ(tetrahedron_number(z), tetrahedron(z)) << z;
    const std::uint64_t y = draw() >> 32;
    ASSERT_EQ(triangle_number(y), triangle(y)) << y;
  }
}

TEST(SimplexNumbers, PlacesAgainstArithmeticOf128Bits) {
  std::mt19937_64 draw(6);
  for (int i = 0; i < 500'000; ++i) {
    const std::uint64_t w = (draw() >> 2) >> draw() % 62;
    const Index3 flat = simplex_place<2>(w), solid = simplex_place<3>(w);
    ASSERT_EQ(triangle(flat.y) + flat.x, w);
    ASSERT_LE(flat.x, flat.y) << w;
    ASSERT_EQ(flat.z, 0u) << w;
    ASSERT_EQ(tetrahedron(solid.z) + triangle(solid.y) + solid.x, w);
    ASSERT_LE(solid.x, solid.y) << w;
    ASSERT_LE(solid.y, solid.z) << w;
    ASSERT_EQ(simplex_index<2>(flat), w);
    ASSERT_EQ(simplex_index<3>(solid), w);
  }
}

TEST(SimplexNumbers, FoldedGridsHoldEveryBlockAndAreNearlySquare) {
  for (const std::uint64_t blocks : {1ull, 2ull, 3ull, 4ull, 5ull, 8ull, 9ull, 26ull, 27ull, 28ull, 1000ull, 1001ull,
                                     123456789ull, 4611686014132420609ull, 4611686014132420610ull}) {
    const Index3 flat = folded_grid<2>(blocks), solid = folded_grid<3>(blocks);
    const Wide in_flat = Wide{flat.x} * flat.y, in_solid = Wide{solid.x} * solid.y * solid.z;
    EXPECT_TRUE(in_flat >= blocks && in_flat - blocks < flat.x) << blocks;
    EXPECT_TRUE(in_solid >= blocks && in_solid - blocks < Wide{solid.x} * solid.y) << blocks;
    EXPECT_EQ(solid.x, solid.y);
    EXPECT_TRUE(Wide{flat.x} * flat.x >= blocks && Wide{flat.x - 1} * (flat.x - 1) < blocks) << blocks;
    EXPECT_TRUE(Wide{solid.x} * solid.x * solid.x >= blocks) << blocks;
    EXPECT_TRUE(Wide{solid.x - 1} * (solid.x - 1) * (solid.x - 1) < blocks) << blocks;
  }
}

}  // namespace
}  // namespace warploom
