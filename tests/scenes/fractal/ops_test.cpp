#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "gpu/core/error.h"
#include "gpu/scenes/fractal/maps/list.h"
#include "gpu/scenes/fractal/works/storage.h"
#include "gpu/tracks/facets/all.h"
#include "tests/tracks/counts.h"
#include "tests/tracks/tracks.h"

// Every fractal under every work, track, legal block and backend, against the oracle.

namespace warploom {
namespace {

class Works : public TrackTest {};
WARPLOOM_ON_BOTH_BACKENDS(Works);

void expect_state(Queue& queue, Track& track, const oracle::Picture& wanted, const oracle::Seals& seal_of) {
  ASSERT_EQ(track.need<Editable>().state(queue), wanted.cells) << track.info().name;
  const Seal seal = track.seal(queue).value();
  ASSERT_EQ(seal.hash, seal_of(wanted)) << track.info().name;
  ASSERT_EQ(seal.sum, wanted.count()) << track.info().name;
}

TEST_P(Works, LifeFollowsTheOracle) {
  const std::vector<std::array<std::string, 2>> rules{
      {"3", "23"}, {"2", "23"}, {"0", "8"}, {"", ""}, {"012345678", "012345678"}};
  for (const Mask& mask : all_masks()) {
    const int level = small_level(mask);
    const oracle::Picture domain = oracle::fractal(mask.rows, level);
    const oracle::Seals seals(mask.rows, level);
    for (const int j : oracle::legal_digits(mask.rows, level))
      for (const auto& [born, survive] : rules) {
        // Every rule on the largest block, the default rule on all.
        if (born != "3" && j != oracle::legal_digits(mask.rows, level).back()) continue;
        SCOPED_TRACE(mask.key + " digits " + std::to_string(j) + " B" + born + "/S" + survive);
        const auto all = simulation(settings_of(mask, level, j, "life", "B" + born + "/S" + survive));
        fill(*all, *queue, 7, .5);
        oracle::Picture state = oracle::initial(domain, 7, .5);
        for (int step = 0; step <= 8; ++step) {
          for (std::size_t i = 0; i < all->size(); ++i) {
            ASSERT_TRUE(all->status()[i].agrees) << all->track(i).info().name << " at step " << step;
            expect_state(*queue, all->track(i), state, seals);
          }
          if (HasFatalFailure()) return;
          all->step(*queue, nullptr);
          state = oracle::life(domain, state, born, survive);
        }
        ASSERT_EQ(all->steps(), 9u);
      }
  }
}

TEST_P(Works, SingleWriteReachesEveryMember) {
  for (const Mask& mask : all_masks())
    for (const int level : {0, 1, small_level(mask)})
      for (const int j : oracle::legal_digits(mask.rows, level)) {
        const auto all = simulation(settings_of(mask, level, j, "single_write"));
        const oracle::Picture domain = oracle::fractal(mask.rows, level);
        const oracle::Seals seals(mask.rows, level);
        for (std::size_t i = 0; i < all->size(); ++i)
          expect_state(*queue, all->track(i), oracle::initial(domain, 0, 0), seals);
        all->step(*queue, nullptr);
        for (std::size_t i = 0; i < all->size(); ++i) expect_state(*queue, all->track(i), domain, seals);
        ASSERT_FALSE(HasFatalFailure()) << mask.key << " level " << level << " digits " << j;
      }
}

TEST_P(Works, ReductionAndMapOnlyFoldTheOraclesSums) {
  for (const Mask& mask : all_masks())
    for (const int level : {0, small_level(mask)})
      for (const int j : oracle::legal_digits(mask.rows, level)) {
        SCOPED_TRACE(mask.key + " level " + std::to_string(level) + " digits " + std::to_string(j));
        const oracle::Picture domain = oracle::fractal(mask.rows, level), state = oracle::initial(domain, 3, .3);
        const oracle::Seals seals(mask.rows, level);
        std::uint64_t places = 0;
        for (std::uint64_t y = 0; y < domain.height; ++y)
          for (std::uint64_t x = 0; x < domain.width; ++x) places += domain.at(x, y) * (x + y * 4294967296u);
        for (const auto& [work, wanted] : {std::pair{"reduction", state.count()}, std::pair{"map_only", places}}) {
          const auto all = simulation(settings_of(mask, level, j, work));
          fill(*all, *queue, 3, .3);
          for (int step = 0; step < 2; ++step) {
            all->step(*queue, nullptr);
            for (std::size_t i = 0; i < all->size(); ++i) {
              ASSERT_EQ(all->status()[i].folded, wanted) << work << ' ' << all->track(i).info().name;
              ASSERT_TRUE(all->status()[i].agrees);
              expect_state(*queue, all->track(i), state, seals);
            }
          }
        }
      }
}

TEST_P(Works, InitialStateHasItsDensity) {
  const Mask mask = gasket();
  const oracle::Picture domain = oracle::fractal(mask.rows, 7);
  const oracle::Seals seals(mask.rows, 7);
  for (const double density : {0., 1e-3, .25, .5, 1.})
    for (const std::uint64_t seed : {std::uint64_t{0}, std::uint64_t{1}, ~std::uint64_t{0}}) {
      const auto one = track(settings_of(mask, 7, 3), "bounding_box");
      start(*one, *queue, seed, 1);  // what was there before must not shine through
      start(*one, *queue, seed, density);
      expect_state(*queue, *one, oracle::initial(domain, seed, density), seals);
    }
}

/// Counts by brute force: who serves what is asked of the track thread by thread. `lost`: lanes without a thread.
Counts brute_force(const Track& track, std::uint64_t& lost) {
  Counts counts;
  lost = 0;
  const LaunchShape shape = track.launches().at(0);
  for (std::uint64_t b = 0; b < shape.block_count(); ++b) {
    const Index3 at = unfold(b, shape.blocks);
    std::uint64_t in_block = 0;
    for (std::uint64_t first = 0; first < volume(shape.threads); first += 32) {
      std::uint64_t threads = 0, useful = 0;
      std::set<std::uint64_t> sectors;
      for (std::uint64_t t = first; t < std::min(first + 32, volume(shape.threads)); ++t, ++threads) {
        const auto target = track.need<Threads>().target({0, at, 0, unfold(t, shape.threads)});
        if (!target || !target->useful) continue;
        ++useful;
        sectors.insert(track.need<Threads>().address(target->cell) / 32);
      }
      counts.launched += threads;
      lost += 32 - threads;
      in_block += useful;
      ++(useful == 0 ? counts.warps_idle : useful == 32 ? counts.warps_full : counts.warps_partial);
      counts.sectors += sectors.size();
    }
    counts.useful += in_block;
    counts.blocks += 1;
    counts.blocks_useful += in_block != 0;
  }
  return counts;
}

/// The members of a mask, row by row.
std::vector<Cell> member_cells(const Mask& mask, int level) {
  const oracle::Picture domain = oracle::fractal(mask.rows, level);
  std::vector<Cell> cells;
  for (std::uint32_t y = 0; y < domain.height; ++y)
    for (std::uint32_t x = 0; x < domain.width; ++x)
      if (domain.at(x, y)) cells.push_back({x, y, 0});
  return cells;
}

TEST_P(Works, CountsAreThoseOfBruteForce) {
  for (const Mask& mask : all_masks()) {
    const int level = small_level(mask);
    const std::vector<Cell> cells = member_cells(mask, level);
    for (const int j : oracle::legal_digits(mask.rows, level))
      for (const auto& info : fractal_tracks()) {
        if (!thread_a_cell(info) || !serves(settings_of(mask, level, j), info.name)) continue;
        SCOPED_TRACE(mask.key + " digits " + std::to_string(j) + " " + info.name);
        const auto one = track(settings_of(mask, level, j), info.name);
        ASSERT_FALSE(one->need<Counted>().counts());
        one->need<Counted>().count(*queue);
        std::uint64_t lost = 0;
        const Counts found = one->need<Counted>().counts().value(), wanted = brute_force(*one, lost);
        expect_counts(found, wanted);
        ASSERT_EQ(found.useful, oracle::power(oracle::marks(mask.rows), level));
        ASSERT_EQ(found.sectors, wanted.sectors);
        ASSERT_EQ(found.warps_full + found.warps_partial + found.warps_idle, found.blocks * warps_of_block(*one));
        ASSERT_EQ(found.lanes_lost(), lost);
        ASSERT_DOUBLE_EQ(found.warp_efficiency(), double(wanted.useful) / double(wanted.launched + lost));
        check_so_far(*queue, *one, cells);
        if (HasFailure()) return;
      }
  }
}

TEST(FractalSettings, LegalBlocks) {
  for (const Mask& mask : all_masks())
    for (int level = 0; level <= 6; ++level) {
      const auto legal = oracle::legal_digits(mask.rows, level);
      EXPECT_EQ(legal_block_digits(mask, level), legal) << mask.key << ' ' << level;
      int preset = 0;
      for (const int j : legal) {
        const std::uint64_t side = oracle::power(mask.rows[0].size(), j);
        EXPECT_EQ(block_side(mask, j), side);
        EXPECT_EQ(block_digits_of(mask, level, static_cast<long long>(side)), j);
        if (oracle::power(mask.rows[0].size() * mask.rows.size(), j) <= 256) preset = j;
      }
      EXPECT_EQ(default_block_digits(mask, level), preset);
      for (const long long side : {-1ll, 0ll, 7ll, 1ll << 40})
        EXPECT_THROW(block_digits_of(mask, level, side), UsageError);
    }
}

TEST(FractalSettings, TrackNames) {
  // Every map with every storage, and the tracks that have no work of single cells.
  const std::set<std::string> whole{"bounding_box_walk",
                                    "lambda_serial/rows",
                                    "lambda_table/rows",
                                    "lambda_shuffle/rows",
                                    "compact",
                                    "compact_tensor",
                                    "sliced"};
  std::size_t found = 0;
  for (const auto& track : fractal_tracks()) found += whole.contains(track.name);
  EXPECT_EQ(found, whole.size());
  EXPECT_EQ(fractal_tracks().size() - found, FractalMaps::size * FractalStorages::size);
  EXPECT_EQ(find_fractal_track("bounding_box/compact").storage, "compact");
  EXPECT_EQ(find_fractal_track("lambda_table/lookup/compact").name, "lambda_table/lookup/compact");
  for (const auto& info : fractal_tracks()) EXPECT_EQ(find_fractal_track(info.name).name, info.name);
  EXPECT_EQ(find_fractal_track("lambda_serial/sub_boxes/embedded").name, "lambda_serial");
  EXPECT_EQ(find_fractal_track("lambda_table/lookup/embedded").name, "lambda_table/lookup");
  EXPECT_EQ(find_fractal_track("bounding_box//embedded").name, "bounding_box");
  EXPECT_EQ(find_fractal_track("bounding_box/embedded").name, "bounding_box");
  EXPECT_THROW(find_fractal_track("lambda_serial/embedded"), UsageError);
  for (const auto* bad :
       {"", "lambda", "bounding_box/unroll", "lambda_serial/unroll/embedded/x", "lambda_serial/x", "/unroll"})
    EXPECT_THROW((void)find_fractal_track(bad), UsageError) << bad;
}

TEST(FractalSettings, RefusesWhatMemoryDoesNotHold) {
  EXPECT_NO_THROW(check_fractal_memory(Backend::cpu, settings_of(carpet(), 3, 2), {"bounding_box"}));
  EXPECT_THROW(check_fractal_memory(Backend::cpu, settings_of(carpet(), 19, 2), {"bounding_box"}), UsageError);
  EXPECT_THROW(check_fractal_memory(Backend::cpu, settings_of(gasket(), 28, 4), {"bounding_box", "lambda_serial"}),
               UsageError);
  Queue queue(Backend::cpu, false, 1);
  for (const auto& info : fractal_tracks()) {
    if (!serves(settings_of(carpet(), 5, 2), info.name)) continue;
    auto track = make_fractal_track(queue, settings_of(carpet(), 5, 2), info.name);
    track->need<Counted>().count(queue);
    EXPECT_GE(fractal_track_bytes(carpet(), 5, 2, info.name) + 65536, static_cast<double>(track->bytes())) << info.name;
  }
}

}  // namespace
}  // namespace warploom
