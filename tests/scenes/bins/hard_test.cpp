// Inputs that bins are hard with.
#include <algorithm>
#include <numeric>

#include "tests/files/files.h"
#include "tests/scenes/bins/bins.h"

namespace warploom {
namespace {

class HardBins : public BinsTest {};

TEST_P(HardBins, HardInputsAreRight) {
  const auto run = [&](const std::shared_ptr<BinProblem>& problem) {
    const auto simulation = this->simulation(problem, {}, 2);
    check_all(*simulation, *queue, *problem);
  };
  const BinSettings coarse{.cutoff = 4, .spacing = sanitized ? 4. : 2};
  {
    SCOPED_TRACE("one element");
    run(problem_of<Cutcp>(coarse, input_of(4, {1, 2, 3, -1})));
    run(problem_of<Blinn>(coarse, input_of(4, {1, 2, 3, 1.5f})));
  }
  {
    SCOPED_TRACE("all in one place, deeper than a block");
    std::vector<float> same;
    for (int i = 0; i < (sanitized ? 150 : 1100); ++i) same.insert(same.end(), {.5f, .5f, .5f, i % 2 ? 1.f : .25f});
    run(problem_of<Cutcp>(coarse, input_of(4, same)));
  }
  {
    SCOPED_TRACE("a bin larger than the space, and all on borders of bins");
    std::vector<float> corners;
    for (int i = 0; i < 64; ++i)
      corners.insert(corners.end(), {float(i % 4) * 4, float(i / 4 % 4) * 4, float(i / 16) * 4, 1});
    BinSettings large = coarse;
    large.bin = 1000;
    run(problem_of<Cutcp>(large, input_of(4, corners)));
    run(problem_of<Blinn>(coarse, input_of(4, corners)));
  }
  {
    SCOPED_TRACE("samples outside the grid, and on its upper border");
    BinInput samples = cones(sanitized ? 30 : 200, 16);
    for (std::uint64_t i = 0; i < samples.count(); i += 10)
      for (int a = 0; a < 3; ++a) samples.elements[6 * i + std::uint64_t(a)] = i % 20 ? 16.5f : -.75f;
    run(problem_of<Mri>({.grid = 16}, samples));
  }
  {
    SCOPED_TRACE("samples on eighths of a cell: whole numbers decide who is in reach");
    BinInput samples = cones(sanitized ? 30 : 300, 16);
    for (float& value : samples.elements) value = std::round(value * 8) / 8;
    for (std::uint64_t i = 0; i < samples.count(); ++i) samples.elements[6 * i + 5] = 1;
    const auto problem = problem_of<Mri>({.grid = 16}, samples);
    const auto simulation = this->simulation(problem, {"compact/trimmed", "none/gather"}, 1);
    const auto hits = Dumped(simulation->track(0), *queue).of<std::uint32_t>("hits");
    for (std::uint64_t o = 0; o < hits.size(); ++o) {
      const Index3 at = unfold(o, problem->space.lattice.points);
      const std::int64_t place[] = {at.x, at.y, at.z};
      std::uint32_t exact = 0;
      for (std::uint64_t i = 0; i < samples.count(); ++i) {
        std::int64_t square = 0;
        for (std::uint64_t a = 0; a < 3; ++a) {
          const auto d = std::int64_t(std::lround(samples.elements[6 * i + a] * 8)) - 8 * place[a];
          square += d * d;
        }
        exact += square < 16 * 16;
      }
      ASSERT_EQ(hits[o], exact) << "output " << o;
    }
  }
}

TEST_P(HardBins, WhatDoesNotFitIsRefusedBeforeItIsTouched) {
  // Deep in one of 24 million bins: regular ones would have tebibytes.
  std::vector<float> values;
  for (int i = 0; i < 100000; ++i) values.insert(values.end(), {20, 20, 20, 1});
  for (const float corner : {0.f, 40.f}) values.insert(values.end(), {corner, corner, corner, 1});
  const auto problem = problem_of<Cutcp>({.bin = sanitized ? .5 : .25, .cutoff = 4, .spacing = 8}, input_of(4, values));
  for (const char* name : {"regular/count", "regular/sentinel", "regular/range"}) {
    const std::string said = message_of<UsageError>([&] { simulation(problem, {"compact/range", name}); });
    expect_parts(said, {"TiB"});
    EXPECT_EQ(said.find(name), 0u) << said;
  }
  const auto fits = simulation(problem, {"compact/range", "compact/bin"}, 1);
  EXPECT_TRUE(fits->status()[1].agrees);
}

TEST_P(HardBins, DeepBinsThatAreHalfFullAreReadToTheirEnd) {
  // Capacity 129, deeper than a run of sums; of most bins half is padding, and one is empty.
  std::vector<float> values;
  const auto add = [&](int count, float x) {
    for (int i = 0; i < count; ++i) values.insert(values.end(), {x, 1, 1, i % 3 ? 1.f : -.5f});
  };
  add(129, 1);
  add(50, 5);
  add(sanitized ? 9 : 128, 13);
  const auto problem = problem_of<Cutcp>({.bin = 4, .cutoff = 4, .spacing = 4}, input_of(4, values));
  const auto simulation = this->simulation(problem, {}, 1);
  check_all(*simulation, *queue, *problem);
  double by_sentinel = 0, by_range = 0;
  for (std::size_t i = 0; i < simulation->size(); ++i) {
    const std::string& name = simulation->track(i).info().name;
    auto found = numbers(simulation->track(i));
    const Dumped dump(simulation->track(i), *queue);
    const auto tests = dump.of<std::uint64_t>("tests");
    const double most = double(*std::max_element(tests.begin(), tests.end())),
                 sum = double(std::accumulate(tests.begin(), tests.end(), std::uint64_t{0}));
    EXPECT_DOUBLE_EQ(found["load_imbalance"], sum > 0 ? most * double(tests.size()) / sum : 0) << name;
    // A count and the ranges of compact bins read no padding.
    if (name == "regular/count" || name.starts_with("compact/range")) {
      EXPECT_EQ(found["padding_read"], 0) << name;
    }
    if (name == "regular/range") by_range = found["padding_read"];
    if (name == "regular/sentinel") {
      by_sentinel = found["padding_read"];
      EXPECT_EQ(found["capacity"], 129);
    }
  }
  EXPECT_GT(by_sentinel, 0);
  EXPECT_EQ(by_range, by_sentinel);  // both load whole bins, of the same rows
}

TEST_P(HardBins, ABodyThatLeavesTheNumbersEndsTheRun) {
  BinInput bodies = input_of(4, {1, 1, 1, 1, 2, 2, 2, 1});
  bodies.velocities = {3e38f, 0, 0, 0, 0, 0};
  bodies.origin = {0, 0, 0};
  bodies.box = {8, 8, 8};
  bodies.elements[3] = 3e38f;
  bodies.elements[7] = 3e38f;
  const auto problem = problem_of<Nbody>({.time_step = 1}, bodies);
  const auto simulation = this->simulation(problem, {"compact/range"});
  const std::string said = message_of<Error>([&] {
    try {
      for (int step = 0; step < 9; ++step) simulation->step(*queue, nullptr);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::failure);
      throw;
    }
  });
  EXPECT_EQ(said.find("step "), 0u) << said;
  expect_parts(said, {"compact/range"});
  EXPECT_LT(simulation->steps(), 9u);
  for (const float value : Dumped(simulation->track(0), *queue).of<float>("elements"))
    EXPECT_TRUE(std::isfinite(value));
}

WARPLOOM_ON_BOTH_BACKENDS(HardBins);

}  // namespace
}  // namespace warploom
