#include "tests/scenes/bins/bins.h"

// What the recipes give, against the tables of the thesis that they stand in for.

namespace warploom {
namespace {

struct Depths {
  std::uint64_t elements = 0;
  Index3 bins;
  double deepest = 0, mean = 0, deviation = 0;
};

Depths depths_of(const BinProblem& problem) {
  std::vector<std::uint32_t> counts(problem.space.grid.count());
  const auto& input = problem.input;
  for (std::uint64_t i = 0; i < input.count(); ++i) {
    const float* at = &input.elements[i * input.width];
    ++counts[problem.space.grid.number(problem.space.grid.bin_of({{at[0], at[1], at[2]}}))];
  }
  Depths depths{input.count(), problem.space.grid.bins};
  double squares = 0;
  for (const double count : counts) {
    depths.deepest = std::max(depths.deepest, count);
    squares += count * count;
  }
  depths.mean = double(input.count()) / double(counts.size());
  depths.deviation = std::sqrt(squares / double(counts.size()) - depths.mean * depths.mean);
  return depths;
}

struct Row {
  const char *application, *input;
  std::uint64_t elements;
  Index3 bins;
  double deepest, deviation;
};

// The largest, mri large and cutcp large, are looked at by hand: minutes under a sanitizer.
constexpr Row rows[] = {
    {"cutcp", "small", 5943, {17, 17, 17}, 12, 2.529},  {"blinn", "small", 1739, {64, 64, 64}, 360, .7080},
    {"blinn", "large", 26318, {96, 96, 128}, 3, .1589}, {"blinn", "random", 500000, {288, 288, 288}, 3, .1441},
    {"nbody", "small", 131072, {32, 32, 32}, 99, 6.52},
};

TEST(BinRecipes, AreAsDeepAsTheThesisSays) {
  for (const Row& row : rows)
    for (const std::uint64_t seed : {7, 1, 99}) {
      SCOPED_TRACE(std::string(row.application) + " " + row.input + ", seed " + std::to_string(seed));
      const Depths found = depths_of(*make_bin_problem({row.application, row.input, seed}));
      EXPECT_EQ(found.elements, row.elements);
      EXPECT_EQ(found.bins, row.bins);
      EXPECT_NEAR(found.deepest, row.deepest, std::max(2., .05 * row.deepest));
      EXPECT_NEAR(found.deviation, row.deviation, .15 * row.deviation);
    }
}

TEST(BinRecipes, TheWebIsDeepAtOnce) {
  const Depths web = depths_of(*make_bin_problem({}));
  EXPECT_EQ(web.elements, 16384u);
  EXPECT_EQ(web.bins, (Index3{64, 64, 4}));
  EXPECT_EQ(web.deepest, 65);
}

TEST(BinRecipes, ConesFillTheBallTheyCover) {
  const auto problem = make_bin_problem({.application = "mri", .input = "41499"});
  EXPECT_EQ(problem->input.count(), 41499u);
  EXPECT_EQ(problem->space.lattice.points, (Index3{64, 64, 64}));
  EXPECT_EQ(problem->space.grid.bins, (Index3{64, 64, 64}));
  // Without its window a weight is the volume of a sample's cell: all of them are the ball of radius n / 5.
  double volume = 0;
  const double furthest = 64 / 5.;
  for (std::uint64_t i = 0; i < problem->input.count(); ++i) {
    const float* sample = &problem->input.elements[6 * i];
    double square = 0;
    for (int a = 0; a < 3; ++a) square += (double(sample[a]) - 32) * (double(sample[a]) - 32) / 4;
    const double window = (1 + std::cos(std::numbers::pi * std::sqrt(square) / furthest)) / 2;
    if (window > 1e-7) volume += double(sample[5]) / window;
  }
  EXPECT_NEAR(volume / (4. / 3 * std::numbers::pi * furthest * furthest * furthest), 1, .02);
}

TEST(BinRecipes, TheHelixIsNeutral) {
  const auto problem = make_bin_problem({.application = "cutcp"});
  ASSERT_EQ(problem->input.count(), 576u);
  double charge = 0;
  for (std::uint64_t i = 0; i < 576; ++i) charge += double(problem->input.elements[4 * i + 3]);
  EXPECT_NEAR(charge, 0, 1e-4);
}

TEST(BinRecipes, WaterHasItsAnglesAndWholeMolecules) {
  const BinInput box = water(1000, 7);
  EXPECT_EQ(box.count(), 999u);
  for (std::uint64_t i = 0; i < box.count(); i += 3) {
    double bond[2] = {0, 0}, product = 0;
    for (std::uint64_t a = 0; a < 3; ++a) {
      const double one = double(box.elements[4 * (i + 1) + a]) - double(box.elements[4 * i + a]),
                   two = double(box.elements[4 * (i + 2) + a]) - double(box.elements[4 * i + a]);
      bond[0] += one * one;
      bond[1] += two * two;
      product += one * two;
    }
    ASSERT_NEAR(std::sqrt(bond[0]), .9572, 1e-4);
    ASSERT_NEAR(std::sqrt(bond[1]), .9572, 1e-4);
    ASSERT_NEAR(std::acos(product / std::sqrt(bond[0] * bond[1])) * 180 / std::numbers::pi, 104.52, .01);
  }
}

TEST(BinRecipes, GridsAreThoseThatTheTransformTakes) {
  for (const std::uint32_t legal : {16u, 20u, 24u, 32u, 36u, 60u, 64u, 100u, 128u, 256u, 576u})
    EXPECT_TRUE(legal_grid(legal));
  for (const std::uint32_t other : {0u, 4u, 12u, 18u, 28u, 63u, 66u, 250u}) EXPECT_FALSE(legal_grid(other));
  EXPECT_EQ(nearest_grid(128.2), 128u);
  EXPECT_EQ(nearest_grid(3), 16u);
}

}  // namespace
}  // namespace warploom
