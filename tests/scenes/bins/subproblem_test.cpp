// Elements spread by subproblems: the tiles of their groups, saturated bins, what lies outside, and who has none.
#include <algorithm>
#include <numeric>
#include <random>

#include "gpu/scenes/bins/access/compact_subproblem.h"
#include "tests/files/files.h"
#include "tests/scenes/bins/bins.h"

namespace warploom {
namespace {

constexpr const char* track = "compact/subproblem";

template <class Application>
TileGroups groups_of(const BinProblem& problem) {
  using Program = SpreadSubproblems<Application>;
  return tile_groups(problem.space, Program::components * sizeof(double), Program::most_tile_bytes, track);
}

class BinsSubproblem : public BinsTest {
 protected:
  /// The tests of each block that has any, the most first.
  std::vector<std::uint64_t> work(Track& of) {
    auto tests = Dumped(of, *queue).of<std::uint64_t>("tests");
    std::erase(tests, 0u);
    std::sort(tests.rbegin(), tests.rend());
    return tests;
  }
};

TEST_P(BinsSubproblem, ASaturatedBinIsManyBlocks) {
  const std::uint64_t same = sanitized ? 2500 : 5000;
  BinInput samples = input_of(6, {});
  samples.points = {16, 16, 16};
  for (std::uint64_t i = 0; i < same; ++i) samples.add({8.25, 7.5, 8, 1, -.5, .25});
  for (const Binning binning : {Binning::rank, Binning::sort})
    for (const int tile : {8, 4}) {
      const auto problem = problem_of<Mri>({.grid = 16, .tile = tile, .per_thread = 4, .binning = binning}, samples);
      const auto simulation = this->simulation(problem, {"compact/range", track}, 2);
      check_all(*simulation, *queue, *problem);
      // Each element tests as many outputs: blocks of 1,024 elements, and one of the rest.
      Track& spread = simulation->track(1);
      const auto tests = work(spread);
      ASSERT_EQ(tests.size(), (same + 1023) / 1024);
      const std::uint64_t each = tests[0] / 1024;
      EXPECT_EQ(tests[0], each * 1024);
      EXPECT_EQ(tests[tests.size() - 2], each * 1024);
      EXPECT_EQ(tests.back(), each * (same % 1024));
      auto found = numbers(spread);
      EXPECT_EQ(found["pairs_tested"], double(each * same));
      EXPECT_EQ(found["index_reads"], 2. * double(groups_of<Mri>(*problem).count()));
      EXPECT_EQ(found["padding_read"], 0);
      const std::uint64_t groups = groups_of<Mri>(*problem).count();
      EXPECT_EQ(spread.launches()[0].block_count(), std::min(groups, same) + same / 1024);
      if (sanitized) return;
    }
}

TEST_P(BinsSubproblem, NoBlockHasMoreElementsThanItsShare) {
  const auto problem = make_bin_problem({.application = "mri", .input = sanitized ? "1500" : "20000", .grid = 16});
  const auto simulation = this->simulation(problem, {"compact/range", track}, 1);
  EXPECT_TRUE(simulation->status()[1].agrees) << simulation->status()[1].check->error;
  const Dumped dump(simulation->track(1), *queue);
  const auto offsets = dump.of<std::int64_t>("offsets");
  const TileGroups groups = groups_of<Mri>(*problem);
  std::uint64_t blocks = 0;
  for (std::uint64_t group = 0; group < groups.count(); ++group)
    blocks += (std::uint64_t(offsets[groups.first_bin(group + 1)] - offsets[groups.first_bin(group)]) + 1023) / 1024;
  const auto tests = work(simulation->track(1));
  EXPECT_EQ(tests.size(), blocks);
  // Six outputs per axis are near enough to be tested.
  EXPECT_LE(tests[0], 1024u * 6 * 6 * 6);
  EXPECT_EQ(Dumped(simulation->track(0), *queue).of<std::uint32_t>("hits"), dump.of<std::uint32_t>("hits"));
}

TEST_P(BinsSubproblem, WhatStandsOutsideReachesItsOutputs) {
  const auto run = [&](const std::shared_ptr<BinProblem>& problem) {
    const auto simulation = this->simulation(problem, {"none/gather", "none/scatter", "compact/range", track}, 1);
    check_all(*simulation, *queue, *problem);
  };
  // Samples around the grid on all sides, some too far to reach it, on faces of bins and next to them.
  BinInput samples = input_of(6, {});
  samples.points = {16, 16, 16};
  std::mt19937 random(3);
  const auto place = [&] {
    const double at = -3 + 22 * double(random()) / 4294967296.;
    return random() % 3 ? at : std::round(2 * at) / 2;
  };
  for (int i = 0; i < (sanitized ? 40 : 400); ++i) {
    const double x = place(), y = place(), z = place();
    samples.add({x, y, z, 1, double(i % 5) - 2, .5});
  }
  for (const double bin : {0., .3, 2.5})
    for (const double cutoff : {0., .75, 3.9}) {
      SCOPED_TRACE("bin " + std::to_string(bin) + ", cutoff " + std::to_string(cutoff));
      run(problem_of<Mri>({.bin = bin, .cutoff = cutoff, .grid = 16}, samples));
      if (sanitized) break;
    }
  // Atoms of many radii: the largest says how large tiles are.
  BinInput atoms = input_of(4, {});
  for (int i = 0; i < (sanitized ? 8 : 60); ++i)
    atoms.add({place() / 3, place() / 3, place() / 3, .2 + .03 * (i % 60)});
  for (const double bin : {0., 5.}) run(problem_of<Blinn>({.bin = bin, .spacing = sanitized ? 2. : 1}, atoms));
}

TEST_P(BinsSubproblem, AReachThatFitsNoTileIsRefused) {
  const auto problem = make_bin_problem({.application = "blinn", .input = "30", .blobbiness = .1});
  expect_parts(message_of<UsageError>([&] { make_bins_track(*queue, problem, track); }),
               {track, "outputs", "KiB", "shared memory", "reach"});
  EXPECT_NO_THROW(make_bins_track(*queue, problem, "none/scatter"));
}

WARPLOOM_ON_BOTH_BACKENDS(BinsSubproblem);

TEST(TileGroups, ATileHoldsAllThatItsGroupReaches) {
  std::mt19937 random(5);
  const auto uniform = [&](double low, double high) { return low + (high - low) * double(random()) / 4294967296.; };
  for (int run = 0; run < (sanitized ? 20 : 200); ++run) {
    // Bins that cover a part of the lattice alone, or more than it, wherever both lie.
    const double spacing = uniform(.1, 3), side = spacing * uniform(.2, 6), far = uniform(-1000, 1000);
    BinSpace space{
        make_bin_grid({far + uniform(-9, 9) * spacing, 0, 0}, {side, side, side}, {std::floor(uniform(1, 40)), 1, 1}),
        make_lattice({far, 0, 0}, spacing, {std::floor(uniform(1, 60)), 1, 1})};
    set_cutoff(space, spacing * uniform(.5, 7));
    const std::uint64_t most = std::uint64_t(uniform(24, 80)) * 8;
    std::optional<TileGroups> made;
    try {
      made = tile_groups(space, 8, most, track);
    } catch (const UsageError&) {
      continue;
    }
    const TileGroups& groups = *made;
    EXPECT_LE(volume(groups.most_outputs) * 8, most);
    EXPECT_EQ(groups.first_bin(0), 0u);
    EXPECT_EQ(groups.first_bin(groups.count()), space.grid.count());
    const double low = double(std::min(space.grid.origin[0], space.lattice.origin[0])) - 20 * spacing,
                 high = low + 40 * spacing + 40 * side + 60 * spacing;
    for (int i = 0; i < 2000; ++i) {
      float p = float(uniform(low, high));
      if (i % 4 == 0)
        p = std::nextafter(space.grid.origin[0] + float(i / 4 % 40) * space.grid.side[0], i % 8 ? -1e9f : 1e9f);
      const std::uint64_t bin = space.grid.number(space.grid.bin_of({{p, 0, 0}}));
      std::uint64_t group = 0;
      while (groups.first_bin(group + 1) <= bin) ++group;
      const TileBox tile = groups.tile(group);
      ASSERT_LE(tile.extent(0), groups.most_outputs.x);
      for (std::uint32_t o = 0; o < space.lattice.points.x; ++o) {
        const float d = p - space.lattice.at(0, o);
        if (!(d * d < space.cutoff * space.cutoff)) continue;
        ASSERT_TRUE(o >= tile.first[0] && o < tile.end[0])
            << "output " << o << " of " << p << ", tile " << tile.first[0] << " to " << tile.end[0];
      }
    }
  }
}

TEST(TileGroups, WhoHasNoneIsToldWhy) {
  const auto said = [](const char* application) {
    return message_of<UsageError>([&] { find_bin_track(application, track); });
  };
  EXPECT_NO_THROW(find_bin_track("mri", track));
  EXPECT_NO_THROW(find_bin_track("blinn", track));
  expect_parts(said("cutcp"), {"24 outputs each way"});
  expect_parts(said("nbody"), {"the elements themselves"});
  for (const char* application : {"cutcp", "nbody"})
    for (const auto& info : bin_tracks(application)) EXPECT_NE(info.name, track);
  // Spreads stand behind the accesses of their structure; the first is what the rest is compared with.
  const auto& tracks = bin_tracks("blinn");
  EXPECT_EQ(tracks[0].name, "none/gather");
  EXPECT_EQ(tracks[1].name, "none/scatter");
  EXPECT_EQ(tracks.back().name, track);
}

}  // namespace
}  // namespace warploom
