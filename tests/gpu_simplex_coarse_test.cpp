#include <cstdlib>

#include "gpu/core/select_bytes.h"
#include "gpu/tracks/cell_track.h"
#include "gpu/tracks/facets/all.h"
#include "tests/gpu_simplices.h"

// Threads that serve several cells, and blocks that are launched as one: whatever the shape, the state is the one that
// a thread a cell computes, bit by bit.

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

bool full() { return std::getenv("WARPLOOM_FULL") != nullptr; }

class SimplexShapes : public SimplexTest {
 protected:
  struct Result {
    std::uint64_t hash = 0, sum = 0;
    std::optional<std::uint64_t> folded;
    double energy = 0;
  };
  std::unique_ptr<Track> stepped(const SimplexSettings& settings, const std::string& name, int steps) {
    auto track = make_simplex_track(*queue, settings, name);
    track->need<Filled>().fill(*queue, simplex_seed, simplex_density);
    track->publish(*queue);
    for (int i = 0; i < steps; ++i) {
      track->step(*queue);
      track->publish(*queue);
    }
    return track;
  }
  Result result(Track& track) {
    const Seal seal = track.seal(*queue).value();
    Result result{seal.hash, seal.sum, seal.folded, 0};
    for (const auto& [name, value] : track.need<Numbers>().numbers(*queue))
      if (name == "energy") result.energy = value;
    return result;
  }
};
WARPLOOM_SIMPLICES_ON_BOTH_BACKENDS(SimplexShapes);

/// Of a layout: blocks of 8 to 64, each with what the work lists beside a thread a cell.
std::vector<std::pair<std::uint32_t, std::uint32_t>> shapes(SimplexSettings settings, const std::string& layout) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> all;
  for (const std::uint32_t rho : {8u, 16u, 32u, 64u}) {
    settings.rho = rho;
    for (const std::uint32_t cells : simplex_coarsenings(settings, layout))
      if (cells > 1) all.emplace_back(rho, cells);
  }
  return all;
}

std::vector<std::uint32_t> sides() {
  if (sanitized) return {1, 3, 17, 41};
  if (full()) return {1, 2, 3, 63, 64, 65, 200, 203};
  return {1, 2, 3, 17, 63, 64, 65};
}

TEST_P(SimplexShapes, GiveTheStateOfAThreadACell) {
  int compared = 0;
  for (const char* kind : kinds)
    for (const auto& work : simplex_works(find_simplex_kind(kind).dimensions))
      for (const std::uint32_t n : sides()) {
        SimplexSettings settings = simplex_settings(kind, n, 8, work.key, n > 40);
        const int dimensions = settings.kind->dimensions;
        const Result wanted = result(*stepped(settings, "bounding_box", 2));
        for (const char* layout : {"linear", "blocked", "box"})
          for (const auto& [rho, cells] : shapes(settings, layout)) {
            settings.rho = rho;
            settings.coarsen = cells;
            std::uint32_t gang = 1;
            Result first;
            bool have = false;
            for (const auto& name : simplex_track_names(dimensions, true, layout)) {
              settings.gang = gang;
              try {
                (void)simplex_shares(settings, find_simplex_track(dimensions, name));
              } catch (const UsageError&) {
                settings.gang = gang = 1;
              }
              gang = gang == 8 ? 1 : 2 * gang;
              SCOPED_TRACE(describe(settings) + " " + name + " coarsen " + std::to_string(cells) + " gang " +
                           std::to_string(settings.gang));
              const Result found = result(*stepped(settings, name, 2));
              ++compared;
              EXPECT_EQ(found.folded, wanted.folded);
              if (!work.per_block) {
                ASSERT_EQ(found.hash, wanted.hash);
                ASSERT_EQ(found.sum, wanted.sum);
                continue;
              }
              // Sums over blocks have the order of their shape: near each other, and equal under every map.
              EXPECT_NEAR(found.energy, wanted.energy, 1e-4 * std::abs(wanted.energy));
              if (have) {
                ASSERT_EQ(found.hash, first.hash);
              }
              first = found;
              have = true;
            }
          }
      }
  EXPECT_GT(compared, 1000);
}

TEST_P(SimplexShapes, KeepPaddingZero) {
  for (const char* kind : kinds)
    for (const auto& work : simplex_works(find_simplex_kind(kind).dimensions)) {
      if (work.per_block || work.key == "map_only") continue;
      const std::uint32_t n = sanitized ? 13 : 35;
      SimplexSettings settings = simplex_settings(kind, n, 8, work.key);
      auto tried = shapes(settings, "blocked");
      tried.emplace_back(5, 1);
      for (const auto& [rho, cells] : tried) {
        settings.rho = rho;
        settings.coarsen = cells;
        SCOPED_TRACE(describe(settings) + " coarsen " + std::to_string(cells));
        const auto track = stepped(settings, "root_exact/blocked", 1);
        if (auto* editable = track->facet<Editable>()) {
          const Cell cell{0, 0, 0};
          editable->edit(*queue, {&cell, 1}, 1);
          track->publish(*queue);
        }
        std::vector<std::uint8_t> bytes(static_cast<std::size_t>(simplex_layout_elements(settings, "blocked")) *
                                        work.value_bytes);
        download_bytes(*queue, bytes.data(), dynamic_cast<CellTrack&>(*track).finished_bytes(), bytes.size());
        const oracle::Addresses addresses(simplex_of(settings), rho);
        std::vector<std::uint8_t> padding(bytes.size() / work.value_bytes, 1);
        for (const Cell& c : simplex_of(settings).cells()) padding[addresses.blocked(c)] = 0;
        std::uint64_t written = 0;
        for (std::size_t i = 0; i < bytes.size(); ++i) written += padding[i / work.value_bytes] && bytes[i];
        ASSERT_EQ(written, 0u);
      }
    }
}

TEST_P(SimplexShapes, ThreadsServeTheBoxesThatTheySay) {
  for (const char* kind : kinds)
    for (const auto& work : simplex_works(find_simplex_kind(kind).dimensions))
      for (const char* layout : {"linear", "blocked"}) {
        SimplexSettings settings = simplex_settings(kind, 21, 8, work.key);
        for (const auto& [rho, cells] : shapes(settings, layout)) {
          settings.rho = rho;
          settings.coarsen = cells;
          settings.gang = 0;
          SCOPED_TRACE(describe(settings) + " " + layout + " coarsen " + std::to_string(cells));
          const auto track = make_simplex_track(*queue, settings, std::string("root_exact/") + layout);
          const auto& threads = track->need<Threads>();
          track->need<Counted>().count(*queue);
          const Counts counts = track->need<Counted>().counts().value();
          EXPECT_EQ(counts.launched, counts.launched_stated);
          EXPECT_EQ(counts.useful, track->cells());
          EXPECT_EQ(counts.items, cells);
          EXPECT_EQ(counts.threads() * cells, counts.launched);
          EXPECT_EQ(counts.lanes_lost(), 0u);
          EXPECT_GE(track->need<MapAlone>().time_map(*queue, 1), 0);
          std::set<std::array<std::uint64_t, 4>> served;
          for (const Cell& cell : simplex_of(settings).cells()) {
            Owner who;
            ASSERT_TRUE(threads.owner(cell, who));
            ASSERT_TRUE(threads.launched(who));
            const auto target = threads.target(who);
            ASSERT_TRUE(target && target->useful && target->cell == cell);
            const auto box = threads.thread_box(who);
            ASSERT_TRUE(box);
            const auto within = [](std::uint32_t at, std::uint32_t low, std::uint32_t high) {
              return low <= at && at < high;
            };
            ASSERT_TRUE(within(cell.x, box->first.x, box->second.x) && within(cell.y, box->first.y, box->second.y) &&
                        within(cell.z, box->first.z, box->second.z));
            ASSERT_TRUE(served
                            .insert({linear_index(who.block, track->launches()[0].blocks),
                                     linear_index(who.thread, track->launches()[0].threads), who.item, 0})
                            .second);
          }
        }
      }
}

TEST_P(SimplexShapes, GangsOfAThreadACellAgree) {
  for (const char* kind : kinds)
    for (const auto& work : simplex_works(find_simplex_kind(kind).dimensions))
      for (const std::uint32_t rho : {1u, 3u, 4u, 5u, 8u}) {
        SimplexSettings settings = simplex_settings(kind, 21, rho, work.key, true);
        const Result wanted = result(*stepped(settings, "bounding_box", 2));
        for (const auto& info : simplex_tracks(settings.kind->dimensions)) {
          if (!info.exact || info.layout == "box") continue;
          for (const std::uint32_t gang : {2u, 4u, 8u}) {
            settings.gang = gang;
            if (gang_threads(static_cast<std::uint64_t>(std::pow(rho, settings.kind->dimensions)), gang) >
                max_block_threads)
              continue;
            SCOPED_TRACE(describe(settings) + " " + info.name + " gang " + std::to_string(gang));
            const Result found = result(*stepped(settings, info.name, 2));
            ASSERT_EQ(found.hash, wanted.hash);
            ASSERT_EQ(found.folded, wanted.folded);
          }
        }
      }
}

TEST(SimplexShapeSettings, SayWhatIsListed) {
  SimplexSettings settings = simplex_settings("tetrahedron", 20, 8, "automaton");
  const TrackInfo& track = find_simplex_track(3, "root_exact/blocked");
  settings.coarsen = 3;
  try {
    (void)simplex_shares(settings, track);
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("1, 4, 8, 16 or auto"), std::string::npos) << error.what();
  }
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
  // The best gang is the one that the design found by measuring.
  const auto best = [](const char* work, std::uint32_t rho, const char* name) {
    SimplexSettings of = simplex_settings("tetrahedron", 20, rho, work);
    of.coarsen = of.gang = 0;
    return simplex_shares(of, find_simplex_track(3, name)).gang;
  };
  EXPECT_EQ(best("single_write", 8, "root_exact/blocked"), 2u);
  EXPECT_EQ(best("automaton", 8, "root_exact/blocked"), 2u);
  EXPECT_EQ(best("stencil", 16, "root_exact/blocked"), 1u);
}

}  // namespace
}  // namespace warploom
