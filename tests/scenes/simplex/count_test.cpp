#include "gpu/tracks/cell_track.h"
#include "gpu/tracks/facets/all.h"
#include "tests/scenes/simplex/simplices.h"
#include "tests/tracks/counts.h"

// What tracks count, answer and time, against counts from owners, and from addresses by the definition of the layouts.

namespace warploom {
namespace {

constexpr const char* layouts[] = {"linear", "blocked", "box"};

std::uint64_t launched_blocks(const Track& track) {
  std::uint64_t all = 0;
  for (const auto& shape : track.launches()) all += volume(shape.blocks);
  return all;
}

class SimplexCounts : public SimplexTest {};
WARPLOOM_ON_BOTH_BACKENDS(SimplexCounts);

/// A block on a turn: launch, turn, block.
using Visit = std::array<std::uint32_t, 5>;
Visit visit_of(const Owner& who) {
  return {static_cast<std::uint32_t>(who.launch), static_cast<std::uint32_t>(who.turn), who.block.x, who.block.y,
          who.block.z};
}

/// The cells that each visit serves, by the number of the thread.
std::map<Visit, std::map<std::uint64_t, Cell>> served_by(const Track& track, const oracle::Simplex& simplex) {
  std::map<Visit, std::map<std::uint64_t, Cell>> all;
  const Index3 threads = track.launches()[0].threads;
  for (const Cell& c : simplex.cells()) {
    Owner who;
    if (!track.need<Threads>().owner(c, who)) ADD_FAILURE() << "no thread owns a cell";
    all[visit_of(who)][linear_index(who.thread, threads)] = c;
  }
  return all;
}

/// Visits of a track: one per data block where blocks are persistent, else one per launched block.
std::uint64_t visits_of(const Track& track, const oracle::Simplex& blocks) {
  return track.info().map == "stride_walk" ? blocks.cells().size() : launched_blocks(track);
}

void check_counts(Queue& queue, const SimplexSettings& settings, const std::vector<std::string>& names) {
  const oracle::Addresses addresses(simplex_of(settings), settings.rho);
  const std::uint64_t cells = addresses.cells().cells().size(), blocks = addresses.blocks().cells().size();
  const int dimensions = settings.kind->dimensions;
  const std::uint64_t threads = std::uint64_t{settings.rho} * settings.rho * (dimensions == 3 ? settings.rho : 1);
  const std::uint64_t warps_each = (threads + 31) / 32;
  for (const auto& name : names) {
    SCOPED_TRACE(describe(settings) + " " + name);
    const auto track = make_simplex_track(queue, settings, name);
    EXPECT_FALSE(track->need<Counted>().counts());
    EXPECT_TRUE(track->need<Accesses>().totals().empty());
    track->need<Counted>().count(queue);
    ASSERT_TRUE(track->need<Counted>().counts());
    const Counts counts = *track->need<Counted>().counts();
    const auto served = served_by(*track, addresses.cells());
    const std::uint64_t visits = visits_of(*track, addresses.blocks());

    Counts wanted;
    std::map<std::string, std::array<std::uint64_t, 2>> touched;  // sectors and lines of each layout
    std::set<Visit> useful_blocks;
    for (const auto& [visit, tracks] : served) {
      useful_blocks.insert({visit[0], 0, visit[2], visit[3], visit[4]});
      for (std::uint64_t warp = 0; warp < warps_each; ++warp) {
        std::vector<std::pair<std::uint64_t, Cell>> own(tracks.lower_bound(warp * 32),
                                                        tracks.lower_bound(warp * 32 + 32));
        if (own.empty()) continue;
        (own.size() == 32 ? wanted.warps_full : wanted.warps_partial) += 1;
        Owner who;
        ASSERT_TRUE(track->need<Threads>().owner(own[0].second, who));
        const auto accesses = track->need<Accesses>().warp(who);
        ASSERT_EQ(accesses.size(), std::size(layouts));
        for (std::size_t l = 0; l < accesses.size(); ++l) {
          std::vector<std::optional<std::uint64_t>> bytes(32);
          std::set<std::uint64_t> sectors, lines;
          for (const auto& [number, cell] : own) {
            const std::uint64_t byte = addresses.of(layouts[l], cell) * track->need<Accesses>().value_bytes();
            bytes[number % 32] = byte;
            sectors.insert(byte / 32);
            lines.insert(byte / 128);
          }
          ASSERT_EQ(accesses[l].layout, layouts[l]);
          ASSERT_EQ(accesses[l].bytes, bytes);
          ASSERT_EQ(accesses[l].sectors(), sectors.size());
          ASSERT_EQ(accesses[l].lines(), lines.size());
          touched[layouts[l]][0] += sectors.size();
          touched[layouts[l]][1] += lines.size();
        }
      }
    }
    wanted.launched = visits * threads;
    wanted.useful = cells;
    wanted.blocks = launched_blocks(*track);
    wanted.blocks_useful = useful_blocks.size();
    wanted.warps_idle = visits * warps_each - wanted.warps_full - wanted.warps_partial;
    expect_counts(counts, wanted);
    EXPECT_EQ(static_cast<double>(counts.launched),
              simplex_launched(dimensions, track->info().map, settings.n, settings.rho));
    EXPECT_EQ(track->cells(), cells);
    EXPECT_EQ(served.size(), blocks);
    EXPECT_EQ(counts.lanes_lost(), visits * (warps_each * 32 - threads));
    EXPECT_EQ(counts.wrong, 0u);

    const auto costs = track->need<Accesses>().totals();
    ASSERT_EQ(costs.size(), std::size(layouts));
    for (std::size_t l = 0; l < costs.size(); ++l) {
      const std::uint64_t n = settings.n, box = n * n * (dimensions == 3 ? n : 1);
      const std::uint64_t elements = l == 0 ? cells : l == 1 ? blocks * threads : box;
      EXPECT_EQ(costs[l].layout, layouts[l]);
      EXPECT_EQ(costs[l].own, track->info().layout == layouts[l]);
      EXPECT_EQ(costs[l].sectors, touched[layouts[l]][0]) << layouts[l];
      EXPECT_EQ(costs[l].lines, touched[layouts[l]][1]) << layouts[l];
      EXPECT_EQ(costs[l].elements, elements);
      EXPECT_EQ(costs[l].padding, elements - cells);
      EXPECT_TRUE(!costs[l].own || counts.sectors == costs[l].sectors);
    }
    EXPECT_EQ(blocked_padding(settings), blocks * threads - cells);
  }
}

TEST_P(SimplexCounts, AreThoseOfTheOwnersAndTheLayouts) {
  for (const auto& [kind, n, rho] : simplex_sizes())
    for (const auto* work : {"automaton", "single_write"}) {
      check_counts(*queue, simplex_settings(kind, n, rho, work),
                   simplex_track_names(find_simplex_kind(kind).dimensions, true));
      if (HasFailure()) return;
    }
}

TEST_P(SimplexCounts, PersistentBlocksOfSeveralTurns) {
  if (sanitized) GTEST_SKIP() << "hundreds of thousands of cells";
  for (const auto& [kind, n, rho] : several_turns) {
    const auto settings = simplex_settings(kind, n, rho, "single_write");
    const auto walk = make_simplex_track(*queue, settings, "stride_walk");
    walk->need<Counted>().count(*queue);
    ASSERT_LT(walk->need<Counted>().counts()->blocks * volume(walk->launches()[0].threads),
              walk->need<Counted>().counts()->launched)
        << describe(settings);
    check_counts(*queue, settings, {"stride_walk", "stride_walk/blocked"});
  }
}

TEST(SimplexLayouts, PaddingIsTheClosedForm) {
  for (const std::uint64_t rho : {1u, 2u, 4u, 8u, 16u, 32u})
    for (const std::uint64_t n : {32u, 96u, 256u, 1024u, 65536u}) {
      SimplexSettings settings;
      settings.n = static_cast<std::uint32_t>(n);
      settings.rho = static_cast<std::uint32_t>(rho);
      settings.kind = &find_simplex_kind("triangle");
      EXPECT_EQ(blocked_padding(settings), n * (rho - 1) / 2);
      for (const char* kind : {"tetrahedron", "tetrahedron_corner"}) {
        settings.kind = &find_simplex_kind(kind);
        EXPECT_EQ(blocked_padding(settings) * 6, 3 * n * n * (rho - 1) + 2 * n * (rho * rho - 1));
      }
    }
}

GridLayout board_of(const Track& track) { return dynamic_cast<const CellTrack&>(track).board(); }
std::optional<Owner> at_place(const GridLayout& board, Index3 at) {
  Owner who;
  std::uint64_t visit = 0;
  return board.at(at, visit, who) ? std::optional(who) : std::nullopt;
}

/// Every place of the board, and the visit that stands there.
void check_board(const Track& track, const oracle::Simplex& blocks) {
  std::set<Visit> found;
  const GridLayout places = board_of(track);
  const Index3 board = places.extent;
  const auto shapes = track.launches();
  for (std::uint64_t i = 0; i < volume(board); ++i) {
    const Index3 at = unfold(i, board);
    const auto who = at_place(places, at);
    if (!who) continue;
    ASSERT_TRUE(found.insert(visit_of(*who)).second) << "twice: " << at.x << ", " << at.y << ", " << at.z;
    ASSERT_EQ(places.place(*who), at);
    ASSERT_LT(static_cast<std::size_t>(who->launch), shapes.size());
    const Index3 grid = shapes[static_cast<std::size_t>(who->launch)].blocks;
    ASSERT_TRUE(who->block.x < grid.x && who->block.y < grid.y && who->block.z < grid.z);
    // A visit serves a block of the domain, or says that it serves none.
    const auto footprint = track.need<Threads>().footprint(*who);
    ASSERT_TRUE(!footprint || track.need<Threads>().member(footprint->first))
        << "launch " << who->launch << ", block " << who->block.x << ", turn " << who->turn;
    const Formula formula = track.need<Explained>().formula(*who);
    ASSERT_FALSE(formula.title.empty());
    ASSERT_FALSE(formula.steps.empty());
    ASSERT_FALSE(formula.result.what.empty());
    ASSERT_EQ(formula.result.what == "serves block", footprint.has_value());
    const auto target = track.need<Threads>().target(*who);
    ASSERT_TRUE(!target || target->useful == (footprint && target->cell == footprint->first));
  }
  EXPECT_EQ(found.size(), visits_of(track, blocks));
  EXPECT_FALSE(at_place(places, {board.x, 0, 0}));
  EXPECT_FALSE(at_place(places, {0, board.y, 0}));
  EXPECT_FALSE(at_place(places, {0, 0, board.z}));
}

void check_questions(const Track& track, const SimplexSettings& settings) {
  const oracle::Addresses addresses(simplex_of(settings), settings.rho);
  const oracle::Simplex& simplex = addresses.cells();
  const bool flat = simplex.dimensions == 2;
  const Index3 box = track.extent();
  ASSERT_EQ(box, (Index3{settings.n, settings.n, flat ? 1 : settings.n}));
  std::set<std::pair<Visit, std::uint64_t>> owners;
  for (std::uint64_t i = 0; i < volume(box); ++i) {
    const Cell c = unfold(i, box);
    Owner who;
    ASSERT_EQ(track.need<Threads>().member(c), simplex.contains(c));
    ASSERT_EQ(track.need<Threads>().owner(c, who), simplex.contains(c));
    if (!simplex.contains(c)) continue;
    ASSERT_TRUE(owners.emplace(visit_of(who), linear_index(who.thread, track.launches()[0].threads)).second);
    ASSERT_EQ(track.need<Threads>().address(c),
              addresses.of(track.info().layout, c) * track.need<Accesses>().value_bytes());
    const auto target = track.need<Threads>().target(who);
    ASSERT_TRUE(target && target->useful);
    ASSERT_EQ(target->cell, c);
    const auto footprint = track.need<Threads>().footprint(who);
    ASSERT_TRUE(footprint);
    const std::uint32_t rho = settings.rho;
    const Cell low{c.x / rho * rho, c.y / rho * rho, flat ? 0 : c.z / rho * rho};
    ASSERT_EQ(footprint->first, low);
    ASSERT_EQ(footprint->second, (Cell{low.x + rho, low.y + rho, flat ? 1 : low.z + rho}));
    const auto stands = at_place(board_of(track), board_of(track).place(who));
    ASSERT_TRUE(stands);
    Owner block = who;
    block.thread = {};
    ASSERT_EQ(*stands, block);
    const Formula formula = track.need<Explained>().formula(who);
    ASSERT_FALSE(formula.steps.empty());
    const std::string place = "(" + std::to_string(c.x / rho) + ", " + std::to_string(c.y / rho) +
                              (flat ? "" : ", " + std::to_string(c.z / rho)) + ")";
    ASSERT_EQ(formula.result.what, "serves block");
    ASSERT_EQ(formula.result.result, place);
  }
  Owner who;
  EXPECT_FALSE(track.need<Threads>().owner({~0u, ~0u, ~0u}, who));
  EXPECT_FALSE(track.need<Threads>().member({settings.n, settings.n, 0}));
}

TEST_P(SimplexCounts, QuestionsAgreeWithEachOther) {
  for (const char* kind : kinds)
    for (const std::uint32_t n : simplex_sides())
      for (const std::uint32_t rho : {1u, 3u, 8u}) {
        const auto settings = simplex_settings(kind, n, rho, "stencil");
        for (const auto& name : simplex_track_names(settings.kind->dimensions, true)) {
          SCOPED_TRACE(describe(settings) + " " + name);
          const auto track = make_simplex_track(*queue, settings, name);
          check_questions(*track, settings);
          check_board(*track, oracle::Addresses(simplex_of(settings), rho).blocks());
          if (HasFailure()) return;
        }
      }
}

TEST_P(SimplexCounts, TheBoardHoldsEveryTurnAndNothingElse) {
  if (sanitized) GTEST_SKIP() << "hundreds of thousands of cells";
  for (const auto& [kind, n, rho] : several_turns) {
    const auto settings = simplex_settings(kind, n, rho, "map_only");
    SCOPED_TRACE(describe(settings));
    const auto track = make_simplex_track(*queue, settings, "stride_walk");
    check_questions(*track, settings);
    check_board(*track, oracle::Addresses(simplex_of(settings), rho).blocks());
  }
}

/// More blocks than a table has entries for: rows are searched. Every cell is served once, by its owner.
TEST_P(SimplexCounts, MillionsOfBlocks) {
  if (sanitized) GTEST_SKIP() << "millions of blocks";
  for (const auto& [kind, n] : {std::pair{"triangle", 2900u}, {"tetrahedron", 295u}, {"tetrahedron_corner", 295u}}) {
    const auto settings = simplex_settings(kind, n, 1, "map_only");
    const oracle::Simplex simplex = simplex_of(settings);
    const std::vector<Cell> cells = simplex.cells();
    ASSERT_GT(cells.size(), 1u << 22);
    std::uint64_t sum = 0;
    for (const Cell& c : cells) sum += simplex.key(c);
    const auto names = simplex_track_names(simplex.dimensions, true, "linear");
    const auto all = simulation(settings, names);
    all->step(*queue, nullptr);
    for (std::size_t i = 0; i < names.size(); ++i) {
      SCOPED_TRACE(describe(settings) + " " + names[i]);
      EXPECT_EQ(all->status()[i].folded, sum);
      for (std::size_t c = 0; c < cells.size(); c += 997) {
        Owner who;
        ASSERT_TRUE(all->track(i).need<Threads>().owner(cells[c], who));
        const auto target = all->track(i).need<Threads>().target(who);
        ASSERT_TRUE(target && target->useful);
        ASSERT_EQ(target->cell, cells[c]);
      }
    }
  }
}

TEST_P(SimplexCounts, DumpsSayWhoOwnsWhat) {
  for (const char* kind : kinds) {
    const auto settings = simplex_settings(kind, 13, 3, "single_write");
    const oracle::Simplex simplex = simplex_of(settings);
    for (const auto& name : simplex_track_names(simplex.dimensions, true)) {
      SCOPED_TRACE(describe(settings) + " " + name);
      const auto track = stepped(settings, name, 1);
      const auto arrays = track->dumps(*queue);
      ASSERT_EQ(arrays.size(), 2u);
      EXPECT_EQ(arrays[0].name, "owner");
      EXPECT_EQ(arrays[1].name, "values");
      const std::vector<std::uint64_t> shape(static_cast<std::size_t>(simplex.dimensions), 13);
      EXPECT_EQ(arrays[0].shape, shape);
      EXPECT_EQ(arrays[1].shape, shape);
      std::vector<std::int32_t> owners(simplex.places());
      std::vector<float> values(simplex.places());
      ASSERT_EQ(arrays[0].bytes.size(), owners.size() * 4);
      ASSERT_EQ(arrays[1].bytes.size(), values.size() * 4);
      std::memcpy(owners.data(), arrays[0].bytes.data(), arrays[0].bytes.size());
      std::memcpy(values.data(), arrays[1].bytes.data(), arrays[1].bytes.size());
      for (std::size_t i = 0; i < owners.size(); ++i) {
        const Cell c = unfold(i, track->extent());
        Owner who;
        if (!track->need<Threads>().owner(c, who)) {
          ASSERT_EQ(owners[i], -1);
          ASSERT_TRUE(std::isnan(values[i]));
          continue;
        }
        who.turn = 0;
        ASSERT_EQ(static_cast<std::uint64_t>(owners[i]), visit_number(*track, who));
        ASSERT_EQ(values[i], 1);
      }
    }
  }
}

TEST_P(SimplexCounts, MapsOfSeveralLaunchesAreOneSampleAStep) {
  for (const auto& [kind, work] : kinds_and_works()) {
    const auto settings = simplex_settings(kind, 29, 1, work.key);
    SCOPED_TRACE(describe(settings));
    const auto names = simplex_track_names(settings.kind->dimensions, true);
    const auto all = simulation(settings, names);
    std::size_t several = 0;
    SampleCounts samples(GetParam());
    fill(*all, *queue, simplex_seed, simplex_density);
    for (int step = 0; step < 4; ++step) {
      all->step(*queue, &samples.watch);
      samples.watch.collect(true);
    }
    for (std::size_t i = 0; i < names.size(); ++i) {
      several += all->track(i).launches().size() > 1;
      EXPECT_EQ(all->track(i).kernel(), "simplex." + work.key);
      EXPECT_EQ(samples.of("simplex." + work.key, static_cast<int>(i)), 4) << names[i];
    }
    EXPECT_GT(several, 0u);
    for (const auto& [row, count] : samples.counts)
      EXPECT_TRUE(row.first == "simplex." + work.key || row.first == "simplex.seal") << row.first;
  }
}

}  // namespace
}  // namespace warploom
