#include <random>

#include "gpu/tracks/facets/all.h"
#include "tests/scenes/simplex/simplices.h"

// Every work under every map in every layout against the serial oracle, and the two backends against each other.

namespace warploom {
namespace {

std::vector<std::string> exact_tracks(const char* kind) {
  return simplex_track_names(find_simplex_kind(kind).dimensions, true);
}

/// What a work should have written after three steps, within which rounding, and what it should have folded.
struct Wanted {
  oracle::Values values, slack;
  std::optional<std::uint64_t> folded;
  oracle::Energy energy = {};
};

Wanted wanted_of(const SimplexSettings& settings) {
  const oracle::Simplex simplex = simplex_of(settings);
  const std::string& work = settings.work;
  Wanted wanted{oracle::Values(simplex.places()), oracle::Values(simplex.places()), {}, {}};
  if (work == "automaton") {
    const bool flat = simplex.dimensions == 2;
    wanted.values = oracle::initial_life(simplex, simplex_seed, simplex_density);
    for (int step = 0; step < 3; ++step)
      wanted.values = oracle::life(simplex, wanted.values, flat ? "3" : "1", flat ? "23" : "12");
  } else if (work == "stencil") {
    wanted.values = oracle::initial_numbers(simplex, simplex_seed);
    for (int step = 0; step < 3; ++step) wanted.values = oracle::mean(simplex, wanted.values);
    for (std::size_t i = 0; i < wanted.values.size(); ++i) wanted.slack[i] = 1e-5 * wanted.values[i];
  } else if (work == "single_write") {
    wanted.values.assign(simplex.places(), 1);
  } else if (work == "map_only") {
    wanted.folded = 0;
    for (const Cell& c : simplex.cells()) *wanted.folded += simplex.key(c);
  } else if (work == "distance_matrix") {
    wanted.folded = 0;
    for (const Cell& c : simplex.cells()) {
      const double distance = std::sqrt(oracle::squared(*settings.points, c.x, c.y));
      wanted.values[simplex.place(c)] = distance;
      wanted.slack[simplex.place(c)] = 1e-5 * distance;
      *wanted.folded += c.x < c.y && distance == 0;
    }
  } else if (work == "triplet_energy") {
    const auto energies = oracle::energies(simplex, settings.rho, *settings.points);
    for (const auto& [_, energy] : energies) wanted.energy += energy;
    wanted.folded = wanted.energy.coincident;
    for (const Cell& c : simplex.cells()) {
      const oracle::Energy& of = energies.at({c.x / settings.rho, c.y / settings.rho, c.z / settings.rho});
      wanted.values[simplex.place(c)] = of.sum;
      wanted.slack[simplex.place(c)] = 1e-4 * of.magnitude;
    }
  } else {
    ADD_FAILURE() << "no oracle for the work " << work;
  }
  return wanted;
}

class SimplexTracks : public SimplexTest {
 protected:
  std::vector<float> whole(Track& track) { return track.pictures()[0]->values(*queue, {}, track.extent()); }

  void check_values(const SimplexSettings& settings, Simulation& all, const oracle::Values& wanted,
                    const oracle::Values& slack = {}) {
    const oracle::Simplex simplex = simplex_of(settings);
    for (std::size_t i = 0; i < all.size(); ++i) {
      SCOPED_TRACE(all.track(i).info().name);
      const auto values = whole(all.track(i));
      ASSERT_EQ(values.size(), simplex.places());
      for (std::size_t at = 0; at < values.size(); ++at) {
        const Cell c = unfold(at, all.track(i).extent());
        if (settings.work == "map_only" || !simplex.contains(c)) {
          ASSERT_TRUE(std::isnan(values[at])) << c.x << ", " << c.y << ", " << c.z;
        } else {
          ASSERT_LE(std::abs(values[at] - wanted[at]), slack.empty() ? 0 : slack[at])
              << c.x << ", " << c.y << ", " << c.z << ": " << values[at] << " for " << wanted[at];
        }
      }
    }
  }

  void check_seals(const SimplexSettings& settings, Simulation& all) {
    const SimplexWork& work = find_simplex_work(*settings.kind, settings.work);
    oracle::Simplex simplex = simplex_of(settings);
    const oracle::Simplex cells = simplex;
    const std::uint32_t side = work.per_block ? settings.rho : 1;
    simplex.n = (simplex.n + side - 1) / side;
    const auto status = all.status();
    for (std::size_t i = 0; i < all.size(); ++i) {
      SCOPED_TRACE(all.track(i).info().name);
      if (settings.work == "map_only") {
        EXPECT_EQ(status[i].seal.hash, 0u);
        continue;
      }
      const auto values = whole(all.track(i));
      const auto value = [&](const Cell& c) { return values[cells.place({c.x * side, c.y * side, c.z * side})]; };
      EXPECT_EQ(status[i].seal.hash, oracle::seal_of(simplex, value, work.kind_real));
      if (work.kind_real) continue;
      std::uint64_t sum = 0;
      for (const Cell& c : cells.cells()) sum += static_cast<std::uint64_t>(value(c));
      EXPECT_EQ(status[i].seal.sum, sum);
    }
  }

  /// The state after three steps, what was folded, and the seals are what the definitions say.
  void check(const SimplexSettings& settings, const std::vector<std::string>& names) {
    SCOPED_TRACE(describe(settings));
    const Wanted wanted = wanted_of(settings);
    const auto all = simulation(settings, names);
    fill(*all, *queue, simplex_seed, simplex_density);
    for (int step = 0; step < 3; ++step) all->step(*queue, nullptr);
    const auto status = all->status();
    for (std::size_t i = 0; i < all->size(); ++i) {
      SCOPED_TRACE(all->track(i).info().name);
      EXPECT_TRUE(status[i].agrees);
      EXPECT_FALSE(status[i].diverged);
      EXPECT_EQ(status[i].folded, wanted.folded);
      // How blocks are shared out, and the energy where there is one.
      const auto numbers = all->track(i).need<Numbers>().numbers(*queue);
      const bool energies = settings.work == "triplet_energy";
      ASSERT_EQ(numbers.size(), energies ? 5u : 4u);
      for (std::size_t number = 0; number < 4; ++number) EXPECT_TRUE(tells_shares(numbers[number].first));
      if (!energies) continue;
      EXPECT_EQ(numbers[4].first, "energy");
      EXPECT_NEAR(numbers[4].second, wanted.energy.sum, 1e-4 * wanted.energy.magnitude);
    }
    check_values(settings, *all, wanted.values, wanted.slack);
    check_seals(settings, *all);
  }
};
WARPLOOM_ON_BOTH_BACKENDS(SimplexTracks);

TEST_P(SimplexTracks, EveryWorkMapAndLayoutIsTheOracle) {
  for (const auto& [kind, n, rho] : simplex_sizes())
    for (const auto& work : simplex_works(find_simplex_kind(kind).dimensions)) {
      check(simplex_settings(kind, n, rho, work.key, true), exact_tracks(kind));
      if (HasFailure()) return;
    }
}

TEST_P(SimplexTracks, PersistentBlocksCarryTheirPlaceOverTurns) {
  if (sanitized) GTEST_SKIP() << "hundreds of thousands of cells";
  for (const auto& [kind, n, rho] : several_turns)
    for (const auto& work : simplex_works(find_simplex_kind(kind).dimensions)) {
      const auto settings = simplex_settings(kind, n, rho, work.key, true);
      const std::uint64_t blocks = oracle::Simplex{settings.kind->dimensions, false, settings.blocks()}.cells().size();
      ASSERT_LT(make_simplex_track(*queue, settings, "stride_walk")->launches()[0].block_count(), blocks);
      check(settings, {"stride_walk", "stride_walk/blocked"});
    }
}

TEST_P(SimplexTracks, ApartPointsAreNotCounted) {
  for (const auto& [kind, work] : {std::pair{"triangle", "distance_matrix"}, {"tetrahedron", "triplet_energy"}}) {
    check(simplex_settings(kind, 16, 4, work), exact_tracks(kind));
    EXPECT_EQ(wanted_of(simplex_settings(kind, 16, 4, work)).folded, 0u);
    EXPECT_GT(wanted_of(simplex_settings(kind, 16, 4, work, true)).folded, 0u);
  }
}

TEST_P(SimplexTracks, TheStartStateIsTheHashOfSeedAndCell) {
  for (const char* kind : kinds)
    for (const auto* work : {"automaton", "stencil"}) {
      const auto settings = simplex_settings(kind, 17, 3, work);
      SCOPED_TRACE(describe(settings));
      const auto all = simulation(settings, simplex_track_names(settings.kind->dimensions, true));
      fill(*all, *queue, 99, .3);
      const oracle::Simplex simplex = simplex_of(settings);
      check_values(settings, *all,
                   work == std::string("automaton") ? oracle::initial_life(simplex, 99, .3)
                                                    : oracle::initial_numbers(simplex, 99));
      check_seals(settings, *all);
    }
}

TEST_P(SimplexTracks, LoadPaintAndAdopt) {
  std::mt19937 draw(3);
  for (const char* kind : kinds) {
    const auto settings = simplex_settings(kind, 17, 3, "automaton");
    const oracle::Simplex simplex = simplex_of(settings);
    const auto names = simplex_track_names(settings.kind->dimensions, true);
    std::vector<std::uint8_t> dirty(simplex.places());  // only cells are looked at
    for (auto& value : dirty) value = draw() % 2;
    oracle::Values wanted(simplex.places());
    for (const Cell& c : simplex.cells()) wanted[simplex.place(c)] = dirty[simplex.place(c)];
    const auto all = simulation(settings, names);
    load(*all, *queue, dirty);
    check_values(settings, *all, wanted);
    EXPECT_THROW(load(*all, *queue, std::vector<std::uint8_t>(simplex.places() - 1)), UsageError);

    const std::vector<Cell> cells = simplex.cells();
    const std::vector<Cell> painted{cells.front(), cells[cells.size() / 2], cells.back(), {16, 3, 2}, {~0u, ~0u, ~0u}};
    for (const std::uint8_t value : {1, 0, 1}) {
      all->write_cells(*queue, painted, value);
      all->seal(*queue, nullptr);
      for (const Cell& c : painted)
        if (simplex.contains(c)) wanted[simplex.place(c)] = value;
      check_values(settings, *all, wanted);
    }
    for (const auto& status : all->status()) EXPECT_TRUE(status.agrees);
    check_seals(settings, *all);

    auto other_settings = settings;
    other_settings.rho = 4;
    const auto other = simulation(other_settings, names);
    other->adopt(*queue, *all);
    check_values(other_settings, *other, wanted);
    std::vector<std::uint8_t> box(simplex.places());
    for (std::size_t i = 0; i < box.size(); ++i) box[i] = wanted[i] > 0;
    EXPECT_EQ(other->track(0).need<Editable>().state(*queue), box);

    // One cell changes in one track: that track diverges there.
    const Cell where = cells[cells.size() / 3];
    all->track(1).need<Editable>().edit(*queue, {&where, 1}, wanted[simplex.place(where)] > 0 ? 0 : 1);
    all->seal(*queue, nullptr);
    EXPECT_FALSE(all->status()[1].agrees);
    ASSERT_TRUE(all->status()[1].diverged);
    EXPECT_EQ(all->status()[1].diverged->cell, where);
    EXPECT_TRUE(all->status()[2].agrees);
  }
}

TEST_P(SimplexTracks, WindowsAreCutFromTheWhole) {
  for (const auto& [kind, work] : {std::pair{"triangle", "stencil"},
                                   {"tetrahedron", "triplet_energy"},
                                   {"tetrahedron_corner", "triplet_energy"},
                                   {"tetrahedron_corner", "stencil"}}) {
    const auto settings = simplex_settings(kind, 11, 3, work);
    SCOPED_TRACE(describe(settings));
    const auto track = stepped(settings, "root_exact/blocked", 1);
    const auto all = whole(*track);
    const bool flat = settings.kind->dimensions == 2;
    const std::pair<Index3, Index3> windows[] = {{{0, 0, 0}, {1, 1, 1}},
                                                 {{2, 4, 5}, {4, 3, 3}},
                                                 {{1, 5, 2}, {3, 1, 2}},
                                                 {{9, 9, 9}, {4, 4, 4}},
                                                 {{20, 3, 3}, {2, 2, 2}}};
    for (auto [first, size] : windows) {
      if (flat) first.z = 0, size.z = 1;
      const auto part = track->pictures()[0]->values(*queue, first, size);
      ASSERT_EQ(part.size(), volume(size));
      for (std::size_t i = 0; i < part.size(); ++i) {
        const Index3 in = unfold(i, size);
        const Cell c{first.x + in.x, first.y + in.y, first.z + in.z};
        if (simplex_of(settings).contains(c))
          ASSERT_EQ(part[i], all[linear_index(c, track->extent())]) << c.x << ", " << c.y << ", " << c.z;
        else
          ASSERT_TRUE(std::isnan(part[i])) << c.x << ", " << c.y << ", " << c.z;
      }
    }
  }
}

TEST_P(SimplexTracks, FewerPointsThanCellsNeedAreRefused) {
  for (const auto& [kind, work] : {std::pair{"triangle", "distance_matrix"},
                                   {"tetrahedron", "triplet_energy"},
                                   {"tetrahedron_corner", "triplet_energy"}}) {
    auto settings = simplex_settings(kind, 9, 2, work);
    const std::uint64_t enough = settings.points->count();
    EXPECT_EQ(enough, settings.kind->dimensions == 2 ? 9u : 11u);
    EXPECT_NO_THROW((void)make_simplex_track(*queue, settings, "bounding_box"));
    settings.points = simplex_points(enough - 1, settings.kind->dimensions, false);
    EXPECT_THROW((void)make_simplex_track(*queue, settings, "bounding_box"), UsageError);
    settings.points = nullptr;
    EXPECT_THROW((void)make_simplex_track(*queue, settings, "bounding_box"), UsageError);
  }
}

TEST_P(SimplexTracks, MapsAloneAreTimedAndTouchNothing) {
  const auto settings = simplex_settings("tetrahedron", 20, 2, "triplet_energy");
  const auto all = simulation(settings, simplex_track_names(3, true, "linear"));
  fill(*all, *queue, 1, .5);
  all->step(*queue, nullptr);
  const auto before = all->status();
  all->time_maps(*queue, 3);
  const auto times = all->map_times();
  ASSERT_EQ(times.size(), all->size());
  for (const double time : times) EXPECT_GT(time, 0);
  all->seal(*queue, nullptr);
  for (std::size_t i = 0; i < all->size(); ++i) {
    EXPECT_EQ(all->status()[i].seal.hash, before[i].seal.hash);
    EXPECT_EQ(all->status()[i].folded, before[i].folded);
  }
}

/// Cancels when the first track is done: nothing of the step may stay.
TEST(SimplexCancel, BetweenTwoTracksLeavesEveryTrackAsItWas) {
  Queue queue(Backend::cpu, false, 2);
  for (const auto& [kind, work] : kinds_and_works())
    for (const int earlier_steps : {0, 1}) {
      const auto settings = simplex_settings(kind, 20, 2, work.key);
      SCOPED_TRACE(describe(settings) + " after " + std::to_string(earlier_steps));
      const auto both = simplex_simulation(queue, settings, {"bounding_box", "h_map/blocked"});
      fill(*both, queue, simplex_seed, simplex_density);
      if (earlier_steps) both->step(queue, nullptr);
      const auto before = both->status();
      std::atomic<bool> cancel{false};
      Stopwatch stopwatch(Backend::cpu);
      stopwatch.on_sample = [&](const TimingSample& sample) {
        if (sample.kernel == both->track(0).kernel()) cancel = true;
      };
      queue.cancel = &cancel;
      EXPECT_THROW(both->step(queue, &stopwatch), Cancelled);
      queue.cancel = nullptr;
      EXPECT_EQ(both->steps(), static_cast<std::uint64_t>(earlier_steps));
      both->seal(queue, nullptr);  // as painting a cell does
      for (std::size_t i = 0; i < both->size(); ++i) {
        EXPECT_TRUE(both->status()[i].agrees) << i;
        EXPECT_EQ(both->status()[i].seal.hash, before[i].seal.hash) << i;
        EXPECT_EQ(both->status()[i].folded, before[i].folded) << i;
      }
      both->step(queue, nullptr);
      for (const auto& status : both->status()) EXPECT_TRUE(status.agrees);
    }
}

TEST(SimplexBackends, CpuAndCudaAgree) {
  if (!cuda_status().usable) GTEST_SKIP() << "no CUDA: " << cuda_status().problem;
  Queue cpu(Backend::cpu), cuda(Backend::cuda);
  for (const auto& [kind, work] : kinds_and_works())
    for (const std::uint32_t rho : {1u, 3u, 8u, 10u}) {
      const auto settings = simplex_settings(kind, 45, rho, work.key, true);
      SCOPED_TRACE(describe(settings));
      const auto names = simplex_track_names(settings.kind->dimensions, true);
      const auto here = simplex_simulation(cpu, settings, names), there = simplex_simulation(cuda, settings, names);
      fill(*here, cpu, 4, .4);
      fill(*there, cuda, 4, .4);
      for (int step = 0; step < 3; ++step) here->step(cpu, nullptr), there->step(cuda, nullptr);
      const oracle::Simplex simplex = simplex_of(settings);
      std::map<std::array<std::uint32_t, 3>, oracle::Energy> energies;
      if (work.per_block) energies = oracle::energies(simplex, rho, *settings.points);
      for (std::size_t i = 0; i < names.size(); ++i) {
        SCOPED_TRACE(names[i]);
        ASSERT_EQ(here->status()[i].folded, there->status()[i].folded);
        if (!work.kind_real) {
          ASSERT_EQ(here->status()[i].seal.hash, there->status()[i].seal.hash);
          ASSERT_EQ(here->status()[i].seal.sum, there->status()[i].seal.sum);
          continue;
        }
        const auto a = here->track(i).pictures()[0]->values(cpu, {}, here->track(i).extent());
        const auto b = there->track(i).pictures()[0]->values(cuda, {}, there->track(i).extent());
        for (const Cell& c : simplex.cells()) {
          const std::size_t at = simplex.place(c);
          // Nearly cancelling differences of squares keep the rounding of their parts.
          const double size = work.per_block ? energies.at({c.x / rho, c.y / rho, c.z / rho}).sensitivity
                                             : std::abs(static_cast<double>(a[at]));
          ASSERT_LE(std::abs(static_cast<double>(a[at]) - static_cast<double>(b[at])), 1e-6 * size)
              << c.x << ", " << c.y << ", " << c.z << ": " << a[at] << " and " << b[at];
        }
      }
    }
}

}  // namespace
}  // namespace warploom
