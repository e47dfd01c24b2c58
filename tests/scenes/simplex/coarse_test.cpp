#include <cstdlib>

#include "gpu/core/bits.h"
#include "gpu/core/format.h"
#include "gpu/core/launch.h"
#include "gpu/core/pack.h"
#include "gpu/scenes/simplex/maps/list.h"
#include "gpu/scenes/simplex/tracks/count.h"
#include "gpu/tracks/cell_track.h"
#include "gpu/tracks/facets/all.h"
#include "tests/scenes/simplex/simplices.h"

// Threads that serve several cells, and blocks that are launched as one: every shape computes the state of a thread per
// cell, bit by bit.

namespace warploom {
namespace {

TEST(SelectBytes, OfEightByNumberAndBySign) {
  const std::uint32_t low = 0x83020100, high = 0x07860504;
  EXPECT_EQ(select_bytes(low, high, 0x3210), low);
  EXPECT_EQ(select_bytes(low, high, 0x7654), high);
  EXPECT_EQ(select_bytes(low, high, 0x0461), 0x00048601u);
  EXPECT_EQ(select_bytes(low, high, 0xfeb8), 0x00ffff00u);  // the signs of bytes 7, 6, 3, 0
  EXPECT_EQ(select_bytes(low, high, 0x12343210), low);      // four digits alone
}

TEST(FourBytes, BeginAnywhereAndAreAsManyAsAreAskedFor) {
  alignas(4) const std::uint8_t bytes[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  for (int from = 0; from < 8; ++from)
    for (int count = -1; count < 6; ++count) {
      const std::uint32_t four = four_bytes_at(bytes + from, count);
      for (int i = 0; i < 4 && i < count; ++i)
        EXPECT_EQ(four >> (8 * i) & 0xff, bytes[from + i]) << from << " " << count;
      EXPECT_TRUE(count > 0 || four == 0u);
    }
}

class SimplexShapes : public SimplexTest {
 protected:
  struct Result {
    std::uint64_t hash = 0, sum = 0;
    std::optional<std::uint64_t> folded;
    double energy = 0;
  };
  Result result(Track& track) {
    const Seal seal = track.seal(*queue).value();
    Result result{seal.hash, seal.sum, seal.folded, 0};
    for (const auto& [name, value] : track.need<Numbers>().numbers(*queue))
      if (name == "energy") result.energy = value;
    return result;
  }
  /// Sums over blocks have the order of their shape: their energies are near each other.
  static void expect_same(const Result& found, const Result& wanted, bool per_block) {
    EXPECT_EQ(found.folded, wanted.folded);
    EXPECT_NEAR(found.energy, wanted.energy, 1e-4 * std::abs(wanted.energy));
    if (per_block) return;
    ASSERT_EQ(found.hash, wanted.hash);
    ASSERT_EQ(found.sum, wanted.sum);
  }
};
WARPLOOM_ON_BOTH_BACKENDS(SimplexShapes);

bool fits(const SimplexSettings& settings, const TrackInfo& track) { return refusal_of(settings, track).empty(); }

/// The settings with blocks of 8 to 64, and with each shape that the work lists beside a thread per cell.
std::vector<SimplexSettings> shapes(SimplexSettings settings, const std::string& layout) {
  std::vector<SimplexSettings> all;
  for (const std::uint32_t rho : {8u, 16u, 32u, 64u}) {
    settings.rho = rho;
    for (const std::uint32_t cells : simplex_coarsenings(settings, layout))
      if (cells > 1) all.emplace_back(settings).coarsen = cells;
  }
  return all;
}

std::vector<std::uint32_t> sides() {
  if (sanitized) return {1, 3, 17, 41};
  if (std::getenv("WARPLOOM_FULL")) return {1, 2, 3, 63, 64, 65, 200, 203};
  return {1, 2, 3, 17, 63, 64, 65};
}

TEST_P(SimplexShapes, GiveTheStateOfAThreadACell) {
  int compared = 0;
  for (const auto& [kind, work] : kinds_and_works())
    for (const std::uint32_t n : sides()) {
      const SimplexSettings plain = simplex_settings(kind, n, 8, work.key, n > 40);
      const int dimensions = plain.kind->dimensions;
      const Result wanted = result(*stepped(plain, "bounding_box", 2));
      for (const char* layout : {"linear", "blocked", "box"})
        for (SimplexSettings& settings : shapes(plain, layout)) {
          std::uint32_t gang = 1;
          std::optional<std::uint64_t> first;
          for (const auto& name : simplex_track_names(dimensions, true, layout)) {
            settings.gang = gang;
            if (!fits(settings, find_simplex_track(dimensions, name))) settings.gang = gang = 1;
            gang = gang == 8 ? 1 : 2 * gang;
            SCOPED_TRACE(describe(settings) + " " + name);
            const Result found = result(*stepped(settings, name, 2));
            ++compared;
            expect_same(found, wanted, work.per_block);
            if (HasFatalFailure()) return;
            ASSERT_EQ(found.hash, first.value_or(found.hash)) << "equal under every map";
            first = found.hash;
          }
        }
    }
  EXPECT_GT(compared, 1000);
}

// Blocks whose neighbours are all whole take paths of their own; large blocks have such neighbours only at large sides.
TEST_P(SimplexShapes, GiveTheStateOfAThreadACellDeepInside) {
  if (sanitized) GTEST_SKIP() << "millions of cells";
  for (const auto& [kind, work] : kinds_and_works())
    for (const std::uint32_t n : {97u, 194u}) {
      if (work.key == "map_only" || HasFailure()) continue;
      SimplexSettings plain = simplex_settings(kind, n, 8, work.key);
      if (plain.kind->dimensions == 2) plain.rho = 16;
      const Result wanted = result(*stepped(plain, "bounding_box/blocked", 2));
      for (const char* layout : {"linear", "blocked"})
        for (SimplexSettings& settings : shapes(plain, layout)) {
          if ((settings.rho > 16) != (n > 97)) continue;
          settings.gang = 0;
          SCOPED_TRACE(describe(settings) + " " + layout);
          expect_same(result(*stepped(settings, std::string("root_exact/") + layout, 2)), wanted, work.per_block);
        }
    }
}

// Where nearly all cells live, counts occur that a common rule does not tell apart.
TEST_P(SimplexShapes, TellManyNeighboursApart) {
  int compared = 0;
  for (const char* kind : kinds) {
    SimplexSettings plain = simplex_settings(kind, sanitized ? 37 : 70, 8, "automaton");
    const bool flat = plain.kind->dimensions == 2;
    for (const char* rule : {flat ? "B18/S0578" : "B05/S346", flat ? "B67/S358" : "B26/S045"}) {
      plain.rule = parse_rule(rule);
      const auto wanted = result(*stepped(plain, "root_exact", 2, .9)).hash;
      for (const char* layout : {"linear", "blocked"})
        for (const SimplexSettings& settings : shapes(plain, layout)) {
          EXPECT_EQ(result(*stepped(settings, std::string("root_exact/") + layout, 2, .9)).hash, wanted)
              << describe(settings) << " " << rule << " " << layout;
          ++compared;
        }
    }
  }
  EXPECT_GT(compared, 50);
}

TEST_P(SimplexShapes, KeepPaddingZero) {
  for (const auto& [kind, work] : kinds_and_works()) {
    if (work.per_block || work.key == "map_only") continue;
    const SimplexSettings plain = simplex_settings(kind, sanitized ? 13 : 35, 8, work.key);
    auto tried = shapes(plain, "blocked");
    tried.emplace_back(plain).rho = 5;
    for (const SimplexSettings& settings : tried) {
      SCOPED_TRACE(describe(settings));
      const auto track = stepped(settings, "root_exact/blocked", 1);
      if (auto* editable = track->facet<Editable>()) {
        const Cell cell{0, 0, 0};
        editable->edit(*queue, {&cell, 1}, 1);
        track->publish(*queue);
      }
      std::vector<std::uint8_t> bytes(static_cast<std::size_t>(simplex_layout_elements(settings, "blocked")) *
                                      work.value_bytes);
      download_bytes(*queue, bytes.data(), dynamic_cast<CellTrack&>(*track).finished_bytes(), bytes.size());
      const oracle::Addresses addresses(simplex_of(settings), settings.rho);
      std::vector<std::uint8_t> padding(bytes.size() / work.value_bytes, 1);
      for (const Cell& c : simplex_of(settings).cells()) padding[addresses.blocked(c)] = 0;
      std::uint64_t written = 0;
      for (std::size_t i = 0; i < bytes.size(); ++i) written += padding[i / work.value_bytes] && bytes[i];
      ASSERT_EQ(written, 0u);
    }
  }
}

TEST_P(SimplexShapes, ThreadsServeTheBoxesThatTheySay) {
  for (const auto& [kind, work] : kinds_and_works())
    for (const char* layout : {"linear", "blocked"})
      for (SimplexSettings& settings : shapes(simplex_settings(kind, 21, 8, work.key), layout)) {
        settings.gang = 0;
        SCOPED_TRACE(describe(settings) + " " + layout);
        const auto track = make_simplex_track(*queue, settings, std::string("root_exact/") + layout);
        const auto& threads = track->need<Threads>();
        track->need<Counted>().count(*queue);
        const Counts counts = track->need<Counted>().counts().value();
        EXPECT_EQ(counts.launched, counts.launched_stated);
        EXPECT_EQ(counts.useful, track->cells());
        EXPECT_EQ(counts.items, settings.coarsen);
        EXPECT_EQ(counts.threads() * settings.coarsen, counts.launched);
        EXPECT_EQ(counts.lanes_lost(), 0u);
        EXPECT_GE(track->need<MapAlone>().time_map(*queue, 1), 0);
        const oracle::Addresses addresses(simplex_of(settings), settings.rho);
        const LaunchShape& shape = track->launches()[0];
        const std::uint32_t cells_wide = simplex_shares(settings, track->info()).box.x;
        std::map<std::array<std::uint64_t, 3>, std::vector<Cell>> accesses;  // of a block, a warp, a row of a box
        std::map<std::array<std::uint64_t, 2>, std::uint32_t> cells_of;      // of a block, a thread
        std::set<std::array<std::uint64_t, 3>> served;
        for (const Cell& cell : simplex_of(settings).cells()) {
          Owner who;
          ASSERT_TRUE(threads.owner(cell, who));
          ASSERT_TRUE(threads.launched(who));
          const auto target = threads.target(who);
          ASSERT_TRUE(target && target->useful && target->cell == cell);
          const auto boxes = threads.thread_boxes(who);
          const auto within = [](std::uint32_t at, std::uint32_t low, std::uint32_t high) {
            return low <= at && at < high;
          };
          ASSERT_TRUE(std::any_of(boxes.begin(), boxes.end(), [&](const auto& box) {
            return within(cell.x, box.first.x, box.second.x) && within(cell.y, box.first.y, box.second.y) &&
                   within(cell.z, box.first.z, box.second.z);
          }));
          Owner first = who;
          first.item = 0;
          const Owner at_work = threads.at_work(first);
          const auto first_target = threads.target(at_work);
          ASSERT_TRUE(first_target && first_target->useful && at_work.item <= who.item);
          const std::uint64_t block = linear_index(who.block, shape.blocks),
                              thread = linear_index(who.thread, shape.threads);
          ++cells_of[{block, thread}];
          ASSERT_GE(threads.served(who).cells, 1u);
          ASSERT_TRUE(served.insert({block, thread, who.item}).second);
          accesses[{block, thread / warp_size, who.item / cells_wide}].push_back(cell);
        }
        for (const auto& [where, count] : cells_of) {
          Owner who;
          who.block = unfold(where[0], shape.blocks);
          who.thread = unfold(where[1], shape.threads);
          ASSERT_EQ(threads.served(who).cells, count);
        }
        for (const auto& total : track->need<Accesses>().totals()) {
          std::uint64_t sectors = 0, lines = 0;
          for (const auto& [where, touched] : accesses) {
            std::set<std::uint64_t> sector, line;
            for (const Cell& cell : touched) {
              const std::uint64_t byte = addresses.of(total.layout, cell) * work.value_bytes;
              sector.insert(byte / 32);
              line.insert(byte / 128);
            }
            sectors += sector.size();
            lines += line.size();
          }
          EXPECT_EQ(total.sectors, sectors) << total.layout;
          EXPECT_EQ(total.lines, lines) << total.layout;
        }
      }
}

TEST_P(SimplexShapes, GangsOfAThreadACellAgree) {
  for (const auto& [kind, work] : kinds_and_works())
    for (const std::uint32_t rho : {1u, 3u, 4u, 5u, 8u}) {
      SimplexSettings settings = simplex_settings(kind, 21, rho, work.key, true);
      const Result wanted = result(*stepped(settings, "bounding_box", 2));
      for (const auto& info : simplex_tracks(settings.kind->dimensions))
        for (const std::uint32_t gang : {2u, 4u, 8u}) {
          settings.gang = gang;
          // Else too many threads, or too much shared memory.
          if (!info.exact || info.layout == "box" || !fits(settings, info)) continue;
          SCOPED_TRACE(describe(settings) + " " + info.name);
          expect_same(result(*stepped(settings, info.name, 2)), wanted, false);
          if (HasFatalFailure()) return;
        }
    }
}

// Shares of rows may leave a block without a cell: its visit is still where it should be.
TEST(SimplexShapeTables, NoBlockOfAnExactMapIsAstray) {
  Queue queue(Backend::cpu, false, 1);
  using Map = SimplexMap<RootPlacing<ExactRoot, 3>>;
  using Program = SimplexCount<Map>;
  for (const std::uint32_t n : {9u, 10u, 21u, 25u, 41u}) {
    const SimplexDomain<3> domain(n, 8, false);
    const Map map(domain, nullptr, {{4, 1, 4}, 1, 8});
    const LaunchShape shape = map.shape(0);
    std::vector<std::uint64_t> counters(Program::slots * Program::words);
    std::vector<std::uint16_t> useful(shape.block_count());
    std::vector<std::uint32_t> blocks(shape.block_count()), visits(domain.block_count());
    const AnyLayout<3> layout(domain, 0);
    launch("test.count", queue, shape,
           Program{map,
                   layout,
                   4,
                   0,
                   0,
                   shape.block_count(),
                   counters.data(),
                   {useful.data(), blocks.data(), visits.data(), {}},
                   layout.ascending(true)});
    ASSERT_EQ(std::count(visits.begin(), visits.end(), 0u), 0) << n;
    const auto empty = std::count_if(visits.begin(), visits.end(), [&](auto visit) { return useful[visit - 1] == 0; });
    EXPECT_EQ(empty > 0, n % 16 == 9 || n % 16 == 10) << n;
  }
}

// How a track's blocks are shared out: what is listed, what is refused, and the messages.

/// Whether the settings are refused for the blocked track of exact roots, in a message that has these words.
::testing::AssertionResult refuses(const SimplexSettings& settings, const std::string& words) {
  const std::string said = refusal_of(settings, find_simplex_track(3, "root_exact/blocked"));
  return (said.find(words) == std::string::npos ? ::testing::AssertionFailure() : ::testing::AssertionSuccess())
         << said;
}

// Kernels of several cells per thread count blocks in 32 bits, below what bare roots are right for.
TEST(SimplexShapeSettings, AreForFewBlocks) {
  SimplexSettings settings = simplex_settings("tetrahedron", 8 * 2046, 8, "single_write");
  const TrackInfo& track = find_simplex_track(3, "root_exact/blocked");
  settings.coarsen = 4;
  EXPECT_EQ(simplex_shares(settings, track).box.cells(), 4u);
  ++settings.n;  // T(2047) blocks
  EXPECT_TRUE(refuses(settings, grouped(1431655424)));
  settings.coarsen = 0;
  EXPECT_EQ(simplex_shares(settings, track).box.cells(), 1u);
  // Sums of blocks are of any number of them.
  settings.work = "triplet_energy";
  EXPECT_GT(simplex_shares(settings, track).box.cells(), 1u);
}

// Where neighbours are told by 32 bits, and where none is read.
TEST(SimplexShapeSettings, AreRefusedWhereNeighboursLieTooFar) {
  const auto far = [](const char* kind, const char* work, std::uint32_t n, std::uint32_t rho, std::uint32_t cells,
                      const char* track = "root_exact/blocked") {
    SimplexSettings settings = simplex_settings(kind, n, rho, work);
    settings.coarsen = cells;
    return refusal([&] { check_simplex(Backend::cpu, settings, {track}); }).find("too far apart") != std::string::npos;
  };
  EXPECT_FALSE(far("tetrahedron", "triplet_energy", 8192, 64, 1024, "root_exact"));
  EXPECT_FALSE(far("tetrahedron", "single_write", 16384, 32, 128));
  EXPECT_TRUE(far("tetrahedron", "stencil", 16384, 32, 128));
  EXPECT_FALSE(far("tetrahedron", "stencil", 16384, 8, 1));
  EXPECT_FALSE(far("tetrahedron", "stencil", 6657, 32, 128));
  EXPECT_TRUE(far("tetrahedron_corner", "stencil", 6657, 32, 128));
}

TEST(SimplexShapeSettings, SayWhatIsListed) {
  SimplexSettings settings = simplex_settings("tetrahedron", 20, 8, "automaton");
  const TrackInfo& track = find_simplex_track(3, "root_exact/blocked");
  settings.coarsen = 3;
  EXPECT_TRUE(refuses(settings, "1, 4, 8, 16 or auto cells per thread; the nearest is 4"));
  settings.coarsen = 0;
  EXPECT_EQ(simplex_shares(settings, track).box, (ThreadBox{8, 2, 1}));
  settings.rho = 16;
  settings.coarsen = 1;
  EXPECT_THROW((void)simplex_shares(settings, track), UsageError);
  settings.coarsen = 16;
  settings.gang = 8;
  EXPECT_THROW((void)simplex_shares(settings, track), UsageError);  // 2048 threads
  settings.gang = 2;
  EXPECT_EQ(simplex_shares(settings, track).gang, 2u);
  // What has no shapes offers none, not auto.
  SimplexSettings none = simplex_settings("tetrahedron", 20, 48, "map_only");
  none.coarsen = 64;
  EXPECT_TRUE(refuses(none, "blocks of at most 10"));
  EXPECT_FALSE(refuses(none, "auto"));
  // A gang has no more shared memory than every device can give: 4 blocks of stencils with a thread per cell.
  SimplexSettings small = simplex_settings("tetrahedron", 20, 2, "stencil");
  small.gang = 0;
  EXPECT_EQ(simplex_shares(small, track).gang, 4u);
  small.gang = 8;
  EXPECT_TRUE(refuses(small, "a gang of 4"));
  // The best gang is the one that the design found by measuring.
  const auto best = [&](const char* work, std::uint32_t rho) {
    SimplexSettings of = simplex_settings("tetrahedron", 20, rho, work);
    of.coarsen = of.gang = 0;
    return simplex_shares(of, track).gang;
  };
  EXPECT_EQ(best("single_write", 8), 2u);
  EXPECT_EQ(best("automaton", 8), 2u);
  EXPECT_EQ(best("stencil", 16), 1u);
}

}  // namespace
}  // namespace warploom
