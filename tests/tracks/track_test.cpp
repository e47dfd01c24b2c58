#include <cmath>
#include <cstring>
#include <random>

#include "gpu/core/error.h"
#include "gpu/tracks/facets/all.h"
#include "tests/tracks/tracks.h"

// What a track and a simulation promise besides the right answer.

namespace warploom {
namespace {

/// Four numbers a launched block, in launch order, as --dump writes them.
std::vector<std::int32_t> block_table(Track& track, Queue& queue) {
  for (const DumpArray& array : track.dumps(queue))
    if (array.name == "map_blocks") {
      std::vector<std::int32_t> rows(array.bytes.size() / sizeof(std::int32_t));
      std::memcpy(rows.data(), array.bytes.data(), rows.size() * sizeof(std::int32_t));
      return rows;
    }
  ADD_FAILURE() << "no map_blocks";
  return {};
}

class Tracks : public TrackTest {};
WARPLOOM_ON_BOTH_BACKENDS(Tracks);

TEST_P(Tracks, DumpsAreTheStateAndTheBlocks) {
  const auto one = track(settings_of(gasket(), 4, 2), "lambda_serial");
  start(*one, *queue, 9, .5);
  const auto arrays = one->dumps(*queue);
  ASSERT_EQ(arrays.size(), 2u);
  EXPECT_EQ(arrays[0].name, "state");
  EXPECT_EQ(arrays[0].numpy_type, "|u1");
  EXPECT_EQ(arrays[0].shape, (std::vector<std::uint64_t>{16, 16}));
  EXPECT_EQ(arrays[0].bytes, one->need<Editable>().state(*queue));
  EXPECT_EQ(arrays[1].name, "map_blocks");
  EXPECT_EQ(arrays[1].numpy_type, "<i4");
  EXPECT_EQ(arrays[1].shape, (std::vector<std::uint64_t>{9, 4}));
  EXPECT_EQ(arrays[1].bytes.size(), 9u * 4 * sizeof(std::int32_t));
}

TEST_P(Tracks, ADivergedTrackSaysWhenAndWhereAndShowsNoRatio) {
  const auto both = simulation(settings_of(gasket(), 6, 2), {"bounding_box", "lambda_serial", "lambda_table/lookup"});
  Stopwatch stopwatch(GetParam());
  stopwatch.on_sample = [&](const TimingSample& sample) { both->timings().add(sample); };
  fill(*both, *queue, 1, 1);
  both->step(*queue, &stopwatch);
  stopwatch.collect(true);
  ASSERT_TRUE(both->ratio_to_baseline(1));
  EXPECT_GT(both->ratio_to_baseline(1)->pairs, 0u);
  fill(*both, *queue, 1, 1);
  both->step(*queue, &stopwatch);

  // (0, 60) comes before (9, 63) row by row, and is a member as every cell of the first column.
  const std::vector<Cell> cells{{9, 63, 0}, {0, 60, 0}};
  const auto before = both->track(1).need<Editable>().state(*queue);
  for (const Cell& cell : cells) {
    const std::uint8_t value = before[std::size_t{cell.y} * 64 + cell.x];
    both->track(1).need<Editable>().edit(*queue, {&cell, 1}, static_cast<std::uint8_t>(1 - value));
  }
  both->seal(*queue, nullptr);
  auto status = both->status();
  EXPECT_TRUE(status[0].agrees);
  EXPECT_TRUE(status[2].agrees);
  ASSERT_FALSE(status[1].agrees);
  ASSERT_TRUE(status[1].diverged);
  EXPECT_EQ(status[1].diverged->step, 1u);
  EXPECT_EQ(status[1].diverged->cell, (Cell{0, 60, 0}));
  EXPECT_FALSE(both->ratio_to_baseline(1));
  EXPECT_TRUE(both->ratio_to_baseline(2));

  const Cell earlier{0, 0, 0};  // a later, earlier difference does not rewrite history
  both->track(1).need<Editable>().edit(*queue, {&earlier, 1}, static_cast<std::uint8_t>(1 - before[0]));
  both->seal(*queue, nullptr);
  status = both->status();
  EXPECT_FALSE(status[1].agrees);
  EXPECT_EQ(status[1].diverged->cell, (Cell{0, 60, 0}));
  EXPECT_EQ(both->track(1).first_difference(*queue, both->track(0)), (Cell{0, 0, 0}));
  EXPECT_FALSE(both->track(2).first_difference(*queue, both->track(0)));

  fill(*both, *queue, 2, .5);  // the same state again: whole
  EXPECT_TRUE(both->status()[1].agrees);
  EXPECT_FALSE(both->status()[1].diverged);
}

TEST_P(Tracks, ABrokenBaselineShowsNoRatioAnywhere) {
  const auto both = simulation(settings_of(gasket(), 5, 2), {"lambda_serial", "bounding_box"});
  fill(*both, *queue, 1, .5);
  for (int i = 0; i < 3; ++i)
    for (int track = 0; track < 2; ++track)
      both->timings().add({both->track(0).kernel().c_str(), track, 1, 2. - track, 0});
  ASSERT_TRUE(both->ratio_to_baseline(1));
  EXPECT_DOUBLE_EQ(both->ratio_to_baseline(1)->median, 2);
  EXPECT_DOUBLE_EQ(both->ratio_to_baseline(0)->median, 1);
  const Cell corner{0, 0, 0};
  both->track(0).need<Editable>().edit(*queue, {&corner, 1}, both->track(0).need<Editable>().state(*queue)[0] ? 0 : 1);
  both->seal(*queue, nullptr);
  EXPECT_FALSE(both->ratio_to_baseline(1));
}

TEST_P(Tracks, LoadStateCopyRoundTrip) {
  std::mt19937 draw(5);
  for (const Mask& mask : all_masks()) {
    const int level = small_level(mask);
    oracle::Picture state = oracle::fractal(mask.rows, level);
    for (auto& cell : state.cells) cell = cell && draw() % 2;
    std::vector<std::uint8_t> dirty = state.cells;  // only members are looked at
    for (std::size_t i = 0; i < dirty.size(); ++i)
      if (!oracle::member(mask.rows, level, i % state.width, i / state.width)) dirty[i] = 1;
    const auto all = simulation(settings_of(mask, level, 1));
    fill(*all, *queue, 1, 1);
    load(*all, *queue, dirty);
    EXPECT_EQ(all->steps(), 0u);
    const auto other = simulation(settings_of(mask, level, 0));
    load(*all, *queue, dirty, 17);
    other->adopt(*queue, *all);
    EXPECT_EQ(other->steps(), 17u);
    for (std::size_t i = 0; i < all->size(); ++i) ASSERT_EQ(all->track(i).need<Editable>().state(*queue), state.cells);
    for (std::size_t i = 0; i < other->size(); ++i) {
      ASSERT_EQ(other->track(i).need<Editable>().state(*queue), state.cells);
      ASSERT_EQ(other->status()[i].seal.hash, oracle::Seals(mask.rows, level)(state));
    }
  }
}

TEST_P(Tracks, LoadRefusesAStateOfAnotherSize) {
  const auto one = track(settings_of(gasket(), 5, 2), "bounding_box");
  EXPECT_THROW(one->need<FillFacet>().load(*queue, std::vector<std::uint8_t>(32 * 31)), Error);
}

TEST_P(Tracks, WritesMembersOnly) {
  const auto all = simulation(settings_of(gasket(), 4, 2));
  all->write_cells(*queue, std::vector<Cell>{{1, 0, 0}, {16, 0, 0}, {0, 16, 0}, {0xffffffff, 0xffffffff, 0}, {3, 7, 0}},
                   1);
  all->write_cells(*queue, {}, 1);
  oracle::Picture wanted = oracle::fractal(gasket().rows, 4);
  for (auto& cell : wanted.cells) cell = 0;
  wanted.cells[7 * 16 + 3] = 1;
  for (std::size_t i = 0; i < all->size(); ++i) EXPECT_EQ(all->track(i).need<Editable>().state(*queue), wanted.cells);
}

TEST_P(Tracks, QuestionsAgreeWithEachOther) {
  for (const Mask& mask : all_masks()) {
    const int level = small_level(mask), j = std::min(2, oracle::legal_digits(mask.rows, level).back());
    const std::uint64_t side_x = oracle::power(mask.rows[0].size(), j), side_y = oracle::power(mask.rows.size(), j);
    for (const auto& info : fractal_tracks()) {
      if (!thread_a_cell(info) || !serves(settings_of(mask, level, j), info.name)) continue;
      SCOPED_TRACE(mask.key + " " + info.name);
      const auto one = track(settings_of(mask, level, j), info.name);
      const auto table = block_table(*one, *queue);
      const LaunchShape shape = one->launches().at(0);
      ASSERT_EQ(table.size(), shape.block_count() * 4);
      const Index3 box = one->extent();
      for (std::uint32_t y = 0; y < box.y; ++y)
        for (std::uint32_t x = 0; x < box.x; ++x) {
          const Cell cell{x, y, 0};
          const bool member = oracle::member(mask.rows, level, x, y);
          Owner who;
          ASSERT_EQ(one->need<Threads>().member(cell), member);
          ASSERT_EQ(fractal_member(mask, level, x, y), member);
          ASSERT_EQ(one->need<Threads>().owner(cell, who), member);
          if (!member) continue;
          if (info.storage == "embedded") {
            ASSERT_EQ(one->need<Threads>().address(cell), std::uint64_t{y} * box.x + x);
          }
          const auto target = one->need<Threads>().target(who);
          ASSERT_TRUE(target && target->useful);
          ASSERT_EQ(target->cell, cell);
          const auto footprint = one->need<Threads>().footprint(who);
          ASSERT_TRUE(footprint);
          ASSERT_EQ(footprint->first, (Cell{static_cast<std::uint32_t>(x / side_x * side_x),
                                            static_cast<std::uint32_t>(y / side_y * side_y), 0}));
          ASSERT_EQ(footprint->second.x - footprint->first.x, side_x);
          ASSERT_EQ(footprint->second.y - footprint->first.y, side_y);
          const std::int32_t* row = table.data() + 4 * linear_index(who.block, shape.blocks);
          ASSERT_EQ(row[0], static_cast<std::int32_t>(who.block.x));
          ASSERT_EQ(row[1], static_cast<std::int32_t>(who.block.y));
          ASSERT_EQ(row[2], static_cast<std::int32_t>(footprint->first.x));
          ASSERT_EQ(row[3], static_cast<std::int32_t>(footprint->first.y));
          const Formula formula = one->need<Explained>().formula(who);
          const std::string place = "(" + std::to_string(footprint->first.x / side_x) + ", " +
                                    std::to_string(footprint->first.y / side_y) + ")";
          ASSERT_EQ(formula.result.result, info.intra.empty() ? "yes" : place);
          if (info.map.starts_with("lambda_tensor")) continue;  // has the matrices
          ASSERT_EQ(formula.steps.size(), static_cast<std::size_t>(info.intra.empty() ? level : level - j));
        }
      // Blocks that serve nothing say so.
      for (std::uint64_t b = 0; b < shape.block_count(); ++b) {
        const Index3 at = unfold(b, shape.blocks);
        const bool serves = !info.intra.empty() || oracle::member(mask.rows, level - j, at.x, at.y);
        ASSERT_EQ(table[4 * b + 2] < 0, !serves);
        ASSERT_EQ(table[4 * b + 3] < 0, !serves);
      }
    }
  }
}

TEST_P(Tracks, Window) {
  for (const auto& info : fractal_tracks()) {
    const auto one = track(settings_of(gasket(), 4, serves(settings_of(gasket(), 4, 2), info.name) ? 2 : 4), info.name);
    start(*one, *queue, 9, .5);
    const oracle::Picture domain = oracle::fractal(gasket().rows, 4), state = oracle::initial(domain, 9, .5);
    for (const auto& [first, size] : {std::pair<Index3, Index3>{{0, 0, 0}, {16, 16, 1}},
                                      {{3, 5, 0}, {4, 2, 1}},
                                      {{12, 13, 0}, {9, 8, 1}},
                                      {{16, 16, 0}, {2, 2, 1}},
                                      {{40, 3, 0}, {3, 3, 1}},
                                      {{2, 99, 0}, {3, 3, 1}}}) {
      const auto values = one->pictures()[0]->values(*queue, first, size);
      ASSERT_EQ(values.size(), size.x * size.y);
      for (std::uint32_t y = 0; y < size.y; ++y)
        for (std::uint32_t x = 0; x < size.x; ++x) {
          if (domain.at(first.x + x, first.y + y)) {
            ASSERT_EQ(values[y * size.x + x], state.at(first.x + x, first.y + y));
          } else {
            ASSERT_TRUE(std::isnan(values[y * size.x + x]));
          }
        }
    }
  }
}

}  // namespace
}  // namespace warploom
