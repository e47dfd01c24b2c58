#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <random>
#include <set>
#include <tuple>

#include "gpu/core/checked_group.h"
#include "gpu/core/launch.h"
#include "gpu/scenes/fractal/maps/domain.h"
#include "gpu/scenes/fractal/works/compile_time_masks.h"
#include "gpu/scenes/fractal/works/gasket_seven.h"
#include "gpu/scenes/fractal/works/gasket_step.h"
#include "gpu/scenes/fractal/works/sliced_tables.h"
#include "gpu/tracks/cell_track.h"
#include "gpu/tracks/facets/all.h"
#include "tests/tracks/tracks.h"

// States sliced by their top digits: against the bounding box, at levels where words have tiles and registers.

namespace warploom {
namespace {

class SlicedTracks : public TrackTest {
 protected:
  /// Fills them, and takes steps in which all agree; no state differs at the end.
  void expect_in_step(Simulation& all, int steps, double density = .5) {
    fill(all, *queue, 7, density);
    ASSERT_TRUE(all_agree(all));
    for (int step = 0; step < steps; ++step) {
      all.step(*queue, nullptr);
      ASSERT_TRUE(all_agree(all));
    }
    for (std::size_t i = 1; i < all.size(); ++i)
      ASSERT_FALSE(all.track(i).first_difference(*queue, all.track(0))) << all.track(i).info().name;
  }
  void expect_equal_states(Simulation& all) {
    for (std::size_t i = 1; i < all.size(); ++i)
      ASSERT_EQ(all.track(i).need<Editable>().state(*queue), all.track(0).need<Editable>().state(*queue));
  }
};
WARPLOOM_ON_BOTH_BACKENDS(SlicedTracks);

/// The shipped ones, and those that no kernel is compiled for.
std::vector<Mask> masks() {
  std::vector<Mask> all = all_masks();
  all.push_back(typed_mask("comb", {"#.#.#.##"}));
  all.push_back(typed_mask("pieces", {"##..", "##..", "...#"}));
  all.push_back(typed_mask("seven", {"#######", "#.....#", "#.###.#", "#.#.#.#", "#.###.#", "#.....#", "#######"}));
  all.push_back(full_mask(2));
  return all;
}

/// The highest level whose box has no more places.
int level_of(const Mask& mask, double most) {
  int level = 0;
  for (double places = mask.side_x() * mask.side_y(); places <= most; places *= mask.side_x() * mask.side_y()) ++level;
  return level;
}

TEST_P(SlicedTracks, StepAsTheBoundingBoxDoes) {
  const double large = sanitized ? 1 << 15 : 1 << 20, small = sanitized ? 1 << 12 : 1 << 16;
  for (const Mask& mask : masks())
    for (const char* rule : {"B3/S23", "B0123/S45", "B2/S23", "B36/S125", "B1357/S02468"})
      for (const double density : {.1, .5, 1.}) {
        const bool usual = density == .5 && (rule == std::string("B3/S23") || rule == std::string("B0123/S45"));
        const int level = level_of(mask, usual ? large : small);
        SCOPED_TRACE(mask.key + " level " + std::to_string(level) + " " + rule + " density " + std::to_string(density));
        const auto both = simulation(settings_of(mask, level, 0, "life", rule), {"lambda_table", "sliced"});
        expect_in_step(*both, 8, density);
        expect_equal_states(*both);
        if (HasFatalFailure()) return;
      }
}

/// Kernels of a known mask serve levels that have whole tiles: one of them, whose neighbours are all in other lanes,
/// and as many as the mask has copies.
TEST_P(SlicedTracks, CompileTimeMasksStepByWholeTiles) {
  const bool cuda = queue->backend() == Backend::cuda;
  const double most = cuda ? 1 << 29 : sanitized ? 1 << 23 : 1 << 26;
  int served = 0;
  for (const Mask& mask : all_masks()) {
    const SlicedShape usual(static_cast<std::uint32_t>(mask.copies()), 24, SlicedShape::usual_tile_bytes);
    const int whole = 24 - usual.base_digits + usual.tile_digits;
    for (const int level : {whole, whole + 1}) {
      if (std::pow(mask.side_x() * mask.side_y(), level) > most) continue;
      for (const char* rule : {"B3/S23", "B0123/S45"}) {
        SCOPED_TRACE(mask.key + " level " + std::to_string(level) + " " + rule);
        const auto both = simulation(settings_of(mask, level, 0, "life", rule), {"lambda_table/lookup", "sliced"});
        expect_in_step(*both, 4);
        if (HasFatalFailure()) return;
        ++served;
      }
    }
  }
  EXPECT_GE(served, sanitized ? 8 : 16);
}

/// Masks with few copies have so many pieces that shared memory has no room for what they look up.
TEST_P(SlicedTracks, TablesWithoutRoomInSharedMemoryServeAsWell) {
  const auto both = simulation(settings_of(typed_mask("pair", {"##."}), 18, 0, "life", "B1/S1"), {"compact", "sliced"});
  expect_in_step(*both, 3);
}

/// Several digits at once lead where one after the other does.
TEST(SlicedDigits, SeveralAtOnceAreThatMany) {
  Queue queue(Backend::cpu, false, 1);
  std::mt19937_64 draw(5);
  for (const Mask& mask : masks()) {
    const FractalDomain domain(mask, 1);
    const auto one = digit_steps(domain);
    const DigitTables tables(queue, domain);
    const SlicedSteps slow(one.data(), domain.copies), quick = tables.view();
    for (const int digits : {1, 2, 3, 5, 6, 7, 12}) {
      if (std::pow(double(domain.copies), digits) > 0x1p60) continue;
      const auto all = static_cast<std::uint64_t>(std::pow(double(domain.copies), digits));
      for (int i = 0; i < 2000; ++i) {
        const std::uint64_t number = i < 2 ? i * (all - 1) : draw() % all;
        const int direction = i % directions;
        const auto expected = slow.neighbour(number, digits, direction),
                   found = quick.neighbour(number, digits, direction);
        ASSERT_EQ(found.there, expected.there) << mask.key << ' ' << digits << ' ' << number << ' ' << direction;
        if (!found.there) continue;
        ASSERT_EQ(found.crossing, expected.crossing) << mask.key << ' ' << digits << ' ' << number;
        ASSERT_EQ(found.number, expected.number) << mask.key << ' ' << digits << ' ' << number;
      }
    }
  }
}

/// Every track that has no work of single cells, and compact storage under maps, beside a map on bytes.
TEST_P(SlicedTracks, RowsAndCompactStatesStepAsTheBoundingBoxDoes) {
  const std::vector<std::string> tracks[] = {
      {"lambda_table", "bounding_box_walk", "compact", "lambda_serial/rows"},
      {"bounding_box", "lambda_table/rows", "lambda_shuffle/rows", "sliced"},
      {"bounding_box/compact", "lambda_table/lookup/compact", "lambda_shuffle/unroll/compact", "compact"},
      {"compact", "compact_tensor"}};
  const double large = sanitized ? 1 << 12 : 1 << 16;
  for (const Mask& mask : masks())
    for (const int level : {0, 1, 2, level_of(mask, large)})
      for (const int digits : {0, 1, default_block_digits(mask, level), legal_block_digits(mask, level).back()}) {
        if (digits > legal_block_digits(mask, level).back()) continue;
        for (const char* rule : {"B0123/S45", "B3/S23"})
          for (const auto& names : tracks) {
            if (sanitized && rule != std::string("B0123/S45")) continue;
            SCOPED_TRACE(mask.key + " level " + std::to_string(level) + " digits " + std::to_string(digits) + " " +
                         rule);
            const auto all = simulation(settings_of(mask, level, digits, "life", rule), names);
            expect_in_step(*all, 4);
            expect_equal_states(*all);
            if (HasFatalFailure()) return;
          }
      }
}

TEST_P(SlicedTracks, RowsAndCompactStatesDoOtherWorks) {
  const std::vector<std::string> names[] = {
      {"bounding_box", "bounding_box_walk", "compact", "lambda_serial/rows"},
      {"lambda_table", "lambda_table/rows", "sliced", "lambda_table/lookup/compact"}};
  for (const Mask& mask : masks())
    for (const char* work : {"single_write", "reduction", "map_only"})
      for (const auto& tracks : names) {
        const int level = level_of(mask, 1 << 12);
        const auto all = simulation(settings_of(mask, level, default_block_digits(mask, level), work), tracks);
        fill(*all, *queue, 3, .5);
        for (int step = 0; step < 2; ++step) all->step(*queue, nullptr);
        ASSERT_TRUE(all_agree(*all)) << mask.key << ' ' << work;
      }
}

/// As a device runs them: programs that a CPU has other ways for.
template <class Group>
void check_device_programs(int level, const char* rule_text) {
  SCOPED_TRACE(std::to_string(level) + " " + rule_text);
  Queue queue(Backend::cpu, false, 2);
  const Rule rule = parse_rule(rule_text);
  const FractalDomain domain(gasket(), level);
  const SlicedShape shape(domain);
  const SlicedTables tables(queue, domain, shape);
  const auto track = make_fractal_track(queue, settings_of(gasket(), level, 0, "life", rule_text), "lambda_table");
  const auto sliced = make_fractal_track(queue, settings_of(gasket(), level, 0, "life", rule_text), "sliced");
  track->need<FillFacet>().fill(queue, 5, .5);
  track->publish(queue);
  sliced->adopt(queue, *track);
  sliced->publish(queue);
  const auto chunks = static_cast<std::size_t>(shape.state_chunks());
  const auto words_of = [&](const Track& of) {
    const auto* first = reinterpret_cast<const std::uint32_t*>(dynamic_cast<const CellTrack&>(of).finished_bytes());
    return std::vector<std::uint32_t>(first, first + chunks);
  };
  std::vector<std::uint32_t> in = words_of(*sliced), out(chunks, 0xdeadbeef);
  const auto steps = [&](int count) {
    for (int i = 0; i < count; ++i) {
      track->step(queue);
      track->publish(queue);
    }
    sliced->adopt(queue, *track);
    sliced->publish(queue);
    return words_of(*sliced);
  };
  const auto by = [&]<class Logic>(const Logic& logic) {
    const SlicedStates states{in.data(), out.data(), shape, tables.view()};
    Buffer<std::uint64_t> slots(Backend::cpu, 2 * SealSlots::words_in_all);
    GasketStep<Logic, WithSeal, true> one{states, logic, {}};
    const LaunchShape launch = one.shape(shape.tiles());
    one.sealing.to = {slots.data(), slots.data() + SealSlots::words_in_all, launch.block_count()};
    detail::launch_on_cpu<Group>("one", queue, launch, one);
    EXPECT_EQ(out, steps(1));
    auto words = slots.download(queue);
    words.resize(SealSlots::words_in_all);
    EXPECT_EQ(SealSlots::total(words).seal, track->seal(queue)->hash);
    EXPECT_EQ(SealSlots::total(words).live, track->seal(queue)->sum);
    if (!GasketSeven<Logic>::served(domain, shape)) return;
    std::swap(in, out);
    std::fill(out.begin(), out.end(), 0xdeadbeef);
    const SlicedStates next{in.data(), out.data(), shape, tables.view()};
    const auto after = steps(7);
    using Seven = GasketSeven<Logic, 2, true>;
    detail::launch_on_cpu<Group>("seven", queue, Seven::shape(shape.tiles()), Seven{next, logic});
    EXPECT_EQ(out, after);
    std::fill(out.begin(), out.end(), 0xdeadbeef);
    for (std::uint32_t tile = 0; tile < shape.tiles() / Seven::own; ++tile) step_gasket_seven(next, logic, tile);
    EXPECT_EQ(out, after);
  };
  if (rule == Rule{})
    by(ConwayLogic{});
  else
    by(RuleLogic(rule));
}

TEST(SlicedPrograms, OfDevicesAreRight) {
  for (const int level : {8, 9, 11, 12, 13})
    for (const char* rule : {"B3/S23", "B0123/S45"}) check_device_programs<CpuGroup>(level, rule);
}

TEST(SlicedPrograms, OfDevicesKeepTheContract) {
  for (const int level : {8, 11, 12}) check_device_programs<CheckedGroup>(level, "B3/S23");
}

TEST_P(SlicedTracks, SealsSeeEveryFlip) {
  std::mt19937 draw(11);
  for (const Mask& mask : {gasket(), carpet()}) {
    const int level = level_of(mask, 1 << 14);
    const FractalDomain domain(mask, level);
    const auto both = simulation(settings_of(mask, level, 0), {"lambda_serial", "sliced"});
    fill(*both, *queue, 3, .5);
    std::set<std::uint64_t> seen{both->status()[0].seal.hash};
    for (int flip = 0; flip < 200; ++flip) {
      const Cell cell = domain.member_number(draw() % domain.cells());
      const auto value = static_cast<std::uint8_t>(draw() % 2);
      both->write_cells(*queue, {&cell, 1}, value);
      both->seal(*queue, nullptr);
      ASSERT_TRUE(both->status()[1].agrees) << "flip " << flip;
      seen.insert(both->status()[0].seal.hash);
    }
    EXPECT_GT(seen.size(), 60u) << "half of the writes change a cell";
  }
}

/// Of one cell or two, every second time at the border of a lane. WARPLOOM_FULL=1 flips a million times.
TEST_P(SlicedTracks, SealsChangeWithEveryFlip) {
  const int flips = std::getenv("WARPLOOM_FULL") ? 1'000'000 : sanitized ? 2'000 : 20'000;
  const auto settings = settings_of(gasket(), 7, 0);
  const FractalDomain domain(gasket(), 7);
  const std::uint32_t side = 1u << SlicedShape(domain).base_digits;
  const auto one = simulation(settings, {"sliced"});
  fill(*one, *queue, 3, .5);
  std::vector<std::uint8_t> alive = one->track(0).need<Editable>().state(*queue);
  std::mt19937 draw(17);
  const auto member = [&](bool at_border) {
    for (;;) {
      const Cell cell = domain.member_number(draw() % domain.cells());
      if (!at_border || (cell.x + 1) % side < 2 || (cell.y + 1) % side < 2) return cell;
    }
  };
  std::uint64_t last = one->status()[0].seal.hash;
  for (int i = 0; i < flips; ++i) {
    const Cell first = member(i % 2), second = member(i % 2);
    const std::vector<Cell> cells = i % 4 < 2 || first == second ? std::vector{first} : std::vector{first, second};
    for (const Cell& cell : cells) {
      std::uint8_t& value = alive[std::size_t{cell.y} * domain.extent.x + cell.x];
      value ^= 1;
      one->write_cells(*queue, {&cell, 1}, value);
    }
    one->seal(*queue, nullptr);
    ASSERT_NE(one->status()[0].seal.hash, last) << "flip " << i;
    last = one->status()[0].seal.hash;
  }
  EXPECT_EQ(one->track(0).need<Editable>().state(*queue), alive);
}

TEST_P(SlicedTracks, EveryCellHasOneThreadAndItem) {
  for (const Mask& mask : masks())
    for (const char* name :
         {"sliced", "compact", "compact_tensor", "bounding_box_walk", "lambda_table/rows", "lambda_serial/rows"}) {
      SCOPED_TRACE(name);
      const int level = level_of(mask, 1 << 14);
      const FractalDomain domain(mask, level);
      const auto one = track(settings_of(mask, level, default_block_digits(mask, level)), name);
      const auto& threads = one->need<Threads>();
      std::set<std::tuple<int, std::uint64_t, std::uint32_t>> taken;
      const LaunchShape& shape = one->launches()[0];
      for (std::uint64_t number = 0; number < domain.cells(); ++number) {
        const Cell cell = domain.member_number(number);
        Owner who;
        ASSERT_TRUE(threads.owner(cell, who));
        ASSERT_TRUE(threads.launched(who));
        const auto back = threads.target(who);
        ASSERT_TRUE(back && back->useful && back->cell == cell) << mask.key << " cell " << number;
        taken.insert({who.turn, linear_index(who.block, shape.blocks) * shape.threads.x + who.thread.x, who.item});
      }
      ASSERT_EQ(taken.size(), domain.cells()) << mask.key;
      one->need<Counted>().count(*queue);
      const auto counts = one->need<Counted>().counts();
      EXPECT_EQ(counts->useful, domain.cells());
      EXPECT_EQ(counts->launched, counts->items * counts->blocks * shape.threads.x);
      EXPECT_GE(counts->blocks, counts->blocks_useful);
      EXPECT_LE(counts->warp_efficiency(), 1.);
      EXPECT_EQ(counts->lanes_lost(), 0u);
    }
}

TEST(SlicedShapes, AreThoseOfTheDesign) {
  struct Known {
    std::uint32_t copies, lanes, chunks;
    int block_digits;
  };
  for (const Known& known : {Known{3, 243, 8, 3},
                             {8, 64, 2, 1},
                             {5, 125, 4, 2},
                             {7, 343, 11, 1},
                             {12, 144, 5, 1},
                             {4, 64, 2, 2},
                             {2, 32, 1, 5},
                             {64, 64, 2, 1}}) {
    const SlicedShape shape(known.copies, 12);
    EXPECT_EQ(shape.lanes, known.lanes);
    EXPECT_EQ(shape.chunks, known.chunks);
    EXPECT_EQ(shape.block_digits, known.block_digits);
  }
  for (std::uint32_t copies = 2; copies <= 64; ++copies) {
    const SlicedShape shape(copies, 12);
    EXPECT_GE(shape.lanes, .87 * 32 * shape.chunks);
    EXPECT_LE(shape.chunks, 95u);
  }
}

TEST(SlicedShapes, CompileTimeMasksAreThoseThatAreShipped) {
  for (const Mask& mask : shipped_masks()) {
    int found = 0;
    for_each_type(CompileTimeMasks{}, [&]<class Bits>() {
      oracle::Rows rows(Bits::side_y);
      for (int y = 0; y < Bits::side_y; ++y)
        for (int x = 0; x < Bits::side_x; ++x) rows[static_cast<std::size_t>(y)] += Bits::has(x, y) ? '#' : '.';
      found += rows == mask.rows;
    });
    EXPECT_EQ(found, 1) << mask.key;
  }
}

}  // namespace
}  // namespace warploom
