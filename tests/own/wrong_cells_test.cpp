#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <set>

#include "gpu/core/watched_work.h"
#include "gpu/own/registry.h"
#include "gpu/pictures/picture.h"
#include "gpu/pictures/wrong_cells.h"
#include "gpu/scenes/fractal/files/masks.h"
#include "gpu/scenes/fractal/fractal.h"
#include "gpu/scenes/simplex/simplex.h"
#include "gpu/tracks/facets/counted.h"
#include "gpu/tracks/facets/fill.h"
#include "gpu/tracks/facets/threads.h"
#include "gpu/tracks/facets/written.h"
#include "tests/scenes/simplex/volumes.h"

// What is shown and told of cells that an own map misses or serves twice: on a triangle, a tetrahedron and a fractal.

namespace warploom {
namespace {

/// The block (0, 1) has no visit, (1, 1) a second one by (3, 2).
const char* const wrong_text =
    "Place place(Block b, Domain) {\n"
    "  if (b.x == 0 && b.y == 1) return nowhere;\n"
    "  if (b.x == 3 && b.y == 2) return {1, 1, b.z};\n"
    "  return {b.x, b.y, b.z};\n"
    "}\n";
/// The same, cell by cell; of blocks of 16 cells a side.
const char* const wrong_cells_text =
    "Place cell(Thread t, Domain) {\n"
    "  if (t.block.x == 0 && t.block.y == 1) return nowhere;\n"
    "  if (t.block.x == 3 && t.block.y == 2) return {16 + t.at.x, 16 + t.at.y};\n"
    "  return {t.x, t.y};\n"
    "}\n";

struct WrongCellsShown : testing::Test {
  void TearDown() override {
    track.reset();
    for (const auto& name : own_names()) drop_own(name);
  }
  /// Counted, every cell dead.
  void take(std::unique_ptr<Track> made) {
    track = std::move(made);
    track->need<FillFacet>().fill(queue, 1, 0);
    track->publish(queue);
    track->need<Counted>().count(queue);
  }
  void take_triangle(const char* text) {
    SimplexSettings settings;
    settings.kind = &find_simplex_kind("triangle");
    settings.n = 64;
    settings.rho = 16;
    take(make_simplex_track(queue, settings, add_own(read_own_text("wrong.h", text))));
  }
  void take_fractal(const char* text, int level) {
    const FractalSettings settings{
        read_mask(WARPLOOM_SOURCE_DIR "/assets/fractals/sierpinski_gasket.toml"), level, 4, "life", {}};
    take(make_fractal_track(queue, settings, add_own(read_own_text("wrong.h", text))));
  }
  std::vector<Rgba> painted(PictureRequest request, int size) {
    std::vector<Rgba> pixels(static_cast<std::size_t>(size) * static_cast<std::size_t>(size));
    request.target = {0, pixels.data(), size, size};
    for (Rgba& colour : request.palette.data) colour = rgba(0, 0, 200);
    track->pictures()[0]->paint(queue, request);
    return pixels;
  }
  /// A plane of 64 cells a side, each of so many pixels: every one has the colour that its cell has to have.
  void expect_plane(int side, ColourBy by) {
    PictureRequest request;
    request.camera = {32, 32, 1. / side, 1. / side};
    request.colour_by = by;
    const auto pixels = painted(request, 64 * side);
    const auto& threads = track->need<Threads>();
    const auto& written = track->need<Written>();
    const Rgba ground = request.palette.ground;
    std::uint64_t missed = 0, doubled = 0;
    for (unsigned y = 0; y < 64; ++y)
      for (unsigned x = 0; x < 64; ++x) {
        Owner who;
        const Cell cell{x, y, 0};
        const bool served = threads.owner(cell, who), twice = written.doubled(cell);
        const bool of_missed_block = x < 16 && y >= 16 && y < 32,
                   of_doubled_block = x >= 16 && x < 32 && y >= 16 && y < 32;
        EXPECT_FALSE(twice && !of_doubled_block) << x << ' ' << y;
        std::set<Rgba> colours;
        for (int j = 0; j < side; ++j)
          for (int i = 0; i < side; ++i) {
            const int px = static_cast<int>(x) * side + i, py = static_cast<int>(y) * side + j;
            const Rgba found = pixels[static_cast<std::size_t>(py * 64 * side + px)];
            colours.insert(found);
            if (!twice && (found == ground || !of_missed_block)) {
              EXPECT_TRUE(found == ground || found == rgba(0, 0, 200)) << px << ' ' << py;
              continue;
            }
            const Rgba flat = twice ? rgba(230, 159, 0) : rgba(229, 72, 77);
            const bool crossed = (px + py) % 6 == 0 || (px - py + 600) % 6 == 0;
            const bool stroke = side >= 2 && (twice ? crossed : (px + py) % 6 < 2);
            EXPECT_EQ(found, stroke ? mix(flat, ground, .55f) : flat) << px << ' ' << py;
          }
        missed += of_missed_block && !served && !colours.contains(ground);
        doubled += twice;
      }
    const Judgement judged = written.own().judgement;
    EXPECT_GT(judged.missed, 0u);
    EXPECT_EQ(missed, judged.missed);
    EXPECT_EQ(doubled, judged.doubled);
  }
  /// A doubled cell's threads: of the two blocks, at the same place.
  void expect_two(Cell cell, std::uint32_t z) {
    auto& written = track->need<Written>();
    ASSERT_TRUE(written.doubled(cell));
    const auto servers = written.servers(cell, 4, std::atomic<bool>{false});
    EXPECT_EQ(servers.count, 2u);
    ASSERT_EQ(servers.first.size(), 2u);
    EXPECT_EQ(servers.first[0].block, (Index3{1, 1, z}));
    EXPECT_EQ(servers.first[1].block, (Index3{3, 2, z}));
    EXPECT_EQ(servers.first[0].thread, servers.first[1].thread);
    EXPECT_FALSE(written.doubled({0, 0, 0}));
    EXPECT_EQ(written.servers({0, 0, 0}, 4, std::atomic<bool>{false}).count, 1u);
    EXPECT_EQ(written.servers({9999, 0, 0}, 4, std::atomic<bool>{false}).count, 0u);
    EXPECT_THROW((void)written.servers(cell, 4, std::atomic<bool>{true}), Cancelled);
  }

  Queue queue{Backend::cpu, false, 2};
  std::unique_ptr<Track> track;
};

TEST_F(WrongCellsShown, OnATriangle) {
  for (const char* text : {wrong_text, wrong_cells_text}) {
    take_triangle(text);
    for (const ColourBy by : {ColourBy::state, ColourBy::layer})
      for (const int side : {1, 3, 8}) expect_plane(side, by);
    expect_two({17, 20, 0}, 0);
  }
}

TEST_F(WrongCellsShown, OnAFractal) {
  for (const char* text : {wrong_text, wrong_cells_text}) {
    for (const int level : {6, 13}) {  // the box of 13 is so large that cells are marked by their numbers
      take_fractal(text, level);
      for (const ColourBy by : {ColourBy::state, ColourBy::launch_order})
        for (const int side : {1, 3, 8}) expect_plane(side, by);
      expect_two({16, 16, 0}, 0);
    }
  }
}

TEST_F(WrongCellsShown, OwnersOfSoManyCellsAreLookedFor) {
  SimplexSettings settings;
  settings.kind = &find_simplex_kind("triangle");
  settings.n = 5800;  // 16.8 million cells, more than 2^24
  settings.rho = 16;
  settings.work = "single_write";
  const std::string name = add_own(read_own_text("box.h", "Place place(Block b, Domain) { return {b.x, b.y}; }\n"));
  std::vector<double> shares;  // of judging, as it goes on
  {
    const WatchedWork watched([&shares](double share) { shares.push_back(share); }, nullptr);
    track = make_simplex_track(queue, settings, name);
  }
  EXPECT_GT(std::ranges::count_if(shares, [](double share) { return share > 0 && share < 1; }), 2);
  EXPECT_TRUE(std::ranges::is_sorted(shares));
  auto& written = track->need<Written>();
  auto& threads = track->need<Threads>();
  ASSERT_TRUE(written.own().judgement.keeps());
  Owner who;
  const Cell cell{100, 4321, 0}, outside{4321, 100, 0};
  EXPECT_FALSE(threads.owner(cell, who));
  EXPECT_TRUE(written.owner_is_unknown(cell));
  EXPECT_FALSE(written.owner_is_unknown(outside));
  EXPECT_THROW((void)written.servers(cell, 4, std::atomic<bool>{true}), Cancelled);
  EXPECT_TRUE(written.owner_is_unknown(cell));
  EXPECT_EQ(written.servers(cell, 4, std::atomic<bool>{false}).count, 1u);
  EXPECT_FALSE(written.owner_is_unknown(cell));
  ASSERT_TRUE(threads.owner(cell, who));
  EXPECT_EQ(who.block, (Index3{100 / 16, 4321 / 16, 0}));
  EXPECT_EQ(who.thread, (Index3{100 % 16, 4321 % 16, 0}));
}

TEST_F(WrongCellsShown, OnATetrahedron) {
  SimplexSettings settings;
  settings.kind = &find_simplex_kind("tetrahedron");
  settings.n = 32;
  settings.rho = 8;
  take(make_simplex_track(queue, settings, add_own(read_own_text("wrong.h", wrong_text))));
  expect_two({8, 9, 17}, 2);
  // All cells are dead: only wrong ones are drawn. What a stroke lies on changes with the ground.
  const auto seen = [&](Rgba ground, float pixel) {
    PictureRequest request;
    request.palette.ground = ground;
    request.solid.camera = looking({-7, -6, 7}, {-.5, -.5, .5}, pixel);
    return painted(request, 500);
  };
  const Rgba dark = rgba(10, 20, 30), light = rgba(250, 250, 250);
  const auto counted = [&](float pixel) {
    const auto on_dark = seen(dark, pixel), on_light = seen(light, pixel);
    struct {
      int red = 0, amber = 0, rising = 0, falling = 0, amiss = 0;
    } found;
    for (int y = 0; y < 500; ++y)
      for (int x = 0; x < 500; ++x) {
        const auto i = static_cast<std::size_t>(y * 500 + x);
        if (on_dark[i] == dark && on_light[i] == light) continue;
        if (on_dark[i] == on_light[i]) {
          const unsigned green = on_dark[i] >> 8 & 255, red = on_dark[i] & 255;
          ++(2 * green > red ? found.amber : found.red);
          continue;
        }
        const bool rising = (x + y) % 6 < 2, falling = (x - y + 600) % 6 == 0;
        ++(rising ? found.rising : falling ? found.falling : found.amiss);
      }
    return found;
  };
  const auto near = counted(.0012f);
  EXPECT_GT(near.red, 1000);
  EXPECT_GT(near.amber, 1000);
  EXPECT_GT(near.rising, 1000) << "of both";
  EXPECT_GT(near.falling, 200) << "of doubled ones alone";
  EXPECT_EQ(near.amiss, 0);
  // A cell of a pixel or two has no room for strokes.
  const auto far = counted(.008f);
  EXPECT_GT(far.red, 50);
  EXPECT_GT(far.amber, 50);
  EXPECT_EQ(far.rising + far.falling + far.amiss, 0);
}

TEST_F(WrongCellsShown, OfManyVisitsTheFirstAreTold) {
  take_triangle("Place place(Block, Domain) { return {0, 0}; }\n");
  auto& written = track->need<Written>();
  const auto servers = written.servers({3, 5, 0}, 4, std::atomic<bool>{false});
  EXPECT_EQ(servers.count, 16u);
  ASSERT_EQ(servers.first.size(), 4u);
  for (std::uint32_t i = 0; i < 4; ++i) {
    EXPECT_EQ(servers.first[i].block, (Index3{i, 0, 0}));
    EXPECT_EQ(servers.first[i].thread, (Index3{3, 5, 0}));
  }
}

}  // namespace
}  // namespace warploom
