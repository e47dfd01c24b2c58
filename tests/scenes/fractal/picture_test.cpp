#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "gpu/tracks/cell_track.h"
#include "gpu/tracks/facets/all.h"
#include "tests/tracks/counts.h"
#include "tests/tracks/tracks.h"

// Pictures against brute force over the cells of every pixel.

namespace warploom {
namespace {

class Pictures : public TrackTest {
 protected:
  static Palette palette() {
    Palette colours;
    for (unsigned i = 0; i < Palette::steps; ++i) colours.data[i] = rgba(255 - 3 * i, 40 + 3 * i, 2 * i);
    return colours;
  }

  std::vector<Rgba> painted(Track& track, const PictureRequest& request, bool launch_grid = false) {
    return TrackTest::painted(*track.pictures()[launch_grid], request, untouched);
  }

  static PictureRequest request(int width, int height, Camera camera) {
    PictureRequest all;
    all.camera = camera;
    all.target.width = width;
    all.target.height = height;
    all.palette = palette();
    return all;
  }

  static constexpr Rgba untouched = 0xdeadbeef;
};
WARPLOOM_ON_BOTH_BACKENDS(Pictures);

/// The cells a pixel shows along one axis: those whose middles it holds, else the one it lies in.
std::pair<std::int64_t, std::int64_t> range(double middle, double scale, int pixel, int pixels) {
  const double low = middle + (pixel - .5 * pixels) * scale, high = low + scale;
  std::int64_t first = static_cast<std::int64_t>(std::floor(low)) - 1;
  while (static_cast<double>(first) + .5 < low) ++first;
  std::int64_t last = first;
  while (static_cast<double>(last) + .5 < high) ++last;
  if (last == first) first = static_cast<std::int64_t>(std::floor((low + high) / 2)), last = first + 1;
  return {first, last};
}

unsigned channel(Rgba colour, int i) { return colour >> 8 * i & 255; }

/// A share of a colour over the ground.
Rgba mixed(Rgba ground, Rgba colour, double share) {
  unsigned all[3];
  for (int i = 0; i < 3; ++i)
    all[i] = static_cast<unsigned>(std::lround(channel(ground, i) * (1 - share) + channel(colour, i) * share));
  return rgba(all[0], all[1], all[2]);
}

/// The root of the mean over the members under a pixel, over the ground by the fourth root of their share.
Rgba brute_force(const PictureRequest& with, const oracle::Picture& domain, const oracle::Picture& state, int px,
                 int py) {
  const auto [x0, x1] = range(with.camera.x, with.camera.cells_per_pixel_x, px, with.target.width);
  const auto [y0, y1] = range(with.camera.y, with.camera.cells_per_pixel_y, py, with.target.height);
  double sum = 0, members = 0;
  for (std::int64_t y = std::max<std::int64_t>(y0, 0); y < std::min<std::int64_t>(y1, domain.height); ++y)
    for (std::int64_t x = std::max<std::int64_t>(x0, 0); x < std::min<std::int64_t>(x1, domain.width); ++x)
      members += domain.at(x, y), sum += state.at(x, y);
  if (members == 0) return with.palette.ground;
  const Rgba full = with.palette.data[static_cast<int>(std::sqrt(sum / members) * (Palette::steps - 1) + .5)];
  const double share = std::pow(members / (static_cast<double>(x1 - x0) * static_cast<double>(y1 - y0)), .25);
  return mixed(with.palette.ground, full, share);
}

/// A level of grey more or less is rounding; a step of the palette is 3 levels.
bool near(Rgba a, Rgba b, int most) {
  for (int i = 0; i < 4; ++i)
    if (std::abs(static_cast<int>(channel(a, i)) - static_cast<int>(channel(b, i))) > most) return false;
  return true;
}

TEST_P(Pictures, EqualBruteForce) {
  for (const Mask& mask : all_masks()) {
    const int level = small_level(mask);
    const oracle::Picture domain = oracle::fractal(mask.rows, level), state = oracle::initial(domain, 2, .5);
    const double w = domain.width, h = domain.height;
    const auto one = track(settings_of(mask, level, 1), "bounding_box");
    start(*one, *queue, 2, .5);
    const std::vector<PictureRequest> requests{
        request(int(w), int(h), {w / 2, h / 2, 1, 1}),                  // a cell a pixel
        request(33, 17, {w / 2 + .013, h / 2 + .017, w / 30, h / 15}),  // not whole numbers; no ties
        request(20, 9, {w / 3 + .013, h / 3 + .017, 7, 3.5}),
        request(40, 30, {1.25, .5, .125, .25}),             // a cell over many pixels
        request(19, 21, {.013, h + .017, w / 10, h / 10}),  // partly outside
        request(16, 8, {w + 500, h / 2, 2, 2}),             // wholly outside, each side
        request(16, 8, {w / 2, -500, 2, 2}),
        request(16, 8, {-500, h + 500, .1, .1}),
        request(1, 1, {w / 2, h / 2, w, h}),  // everything in one pixel
        request(1, 1, {.5, .5, 1, 1}),
        request(5, 3, {w / 2, h / 2, 1e6, 1e6}),
        request(50, 50, {w / 2 + .013, h / 2 + .017, w / 25, .5}),  // wide and flat
    };
    for (std::size_t r = 0; r < requests.size(); ++r) {
      const PictureRequest& with = requests[r];
      const auto pixels = painted(*one, with);
      for (int y = 0; y < with.target.height; ++y)
        for (int x = 0; x < with.target.width; ++x) {
          const Rgba found = pixels[static_cast<std::size_t>(y) * with.target.width + x];
          const Rgba wanted = brute_force(with, domain, state, x, y);
          ASSERT_TRUE(near(found, wanted, 4)) << mask.key << " request " << r << " pixel " << x << ' ' << y << std::hex
                                              << " found " << found << " wanted " << wanted;
          ASSERT_FALSE(wanted == with.palette.ground && found != wanted) << mask.key << " request " << r;
        }
    }
  }
}

TEST_P(Pictures, OneCellAPixelIsTheOraclesPicture) {
  for (const auto& info : fractal_tracks()) {
    // Blocks of 16 threads, which are half a warp; where a map needs a whole one, of 64 or 81.
    const int digits = serves(settings_of(gasket(), 6, 2), info.name) ? 2 : 4;
    const auto one = track(settings_of(gasket(), 6, digits), info.name);
    start(*one, *queue, 2, .5);
    const oracle::Picture domain = oracle::fractal(gasket().rows, 6), state = oracle::initial(domain, 2, .5);
    PictureRequest with = request(64, 64, {32, 32, 1, 1});
    const LaunchShape shape = one->launches()[0];
    one->need<Counted>().count(*queue);
    const auto counts = one->need<Counted>().counts();
    for (const ColourBy by : {ColourBy::state, ColourBy::launch_order, ColourBy::warp}) {
      with.colour_by = by;
      const auto pixels = painted(*one, with);
      for (std::uint32_t y = 0; y < 64; ++y)
        for (std::uint32_t x = 0; x < 64; ++x) {
          Rgba wanted = with.palette.ground;
          Owner who;
          if (one->need<Threads>().owner({x, y, 0}, who)) {
            const auto board = dynamic_cast<const CellTrack&>(*one).board();
            const double block = double(board.number_of(who)) / double(counts->blocks);
            const double warp =
                (double(linear_index(who.thread, shape.threads) / 32) + .5) / double(warps_of_block(*one));
            const double value = by == ColourBy::state ? state.at(x, y) : by == ColourBy::warp ? warp : block;
            wanted = with.palette.data[static_cast<int>(value * 63 + .5)];
          }
          ASSERT_TRUE(near(pixels[y * 64 + x], wanted, 3)) << info.name << ' ' << x << ' ' << y;
        }
    }
  }
}

/// Whole boxes are counted where they lie under one pixel: at any zoom the picture is the one of single cells.
TEST_P(Pictures, SlicedStatesLookAsEmbeddedOnesDo) {
  const std::vector<std::pair<Mask, int>> cases{{gasket(), sanitized ? 11 : 12},
                                                {carpet(), 6},
                                                {typed_mask("vicsek", {".#.", "###", ".#."}), 7},
                                                {typed_mask("wide", {"##.#"}), 6}};
  for (const auto& [mask, level] : cases) {
    const auto plain = track(settings_of(mask, level, 1), "lambda_serial"),
               sliced = track(settings_of(mask, level, 1), "sliced");
    for (const double density : {.5, .02, 1.}) {
      start(*plain, *queue, 3, density);
      start(*sliced, *queue, 3, density);
      const Index3 extent = plain->extent();
      const double w = extent.x, h = extent.y;
      for (const double pixels : {1., 3., 7.5, 16., 31., 64., 100., 200., 1000.})
        for (const auto& [x, y] : {std::pair(.5, .5), std::pair(.37, .61), std::pair(0., 1.)}) {
          const PictureRequest with = request(61, 47, {w * x, h * y, w / pixels, h / pixels});
          const auto wanted = painted(*plain, with), found = painted(*sliced, with);
          ASSERT_EQ(found, wanted) << mask.key << " density " << density << ", " << pixels << " pixels, at " << x << ' '
                                   << y;
        }
    }
    // Boxes that are taken where their middles lie: no cell is lost, and the picture is nearly the same.
    const Index3 whole = plain->extent();
    PictureRequest rough = request(24, 24, {.5 * whole.x, .5 * whole.y, whole.x / 20., whole.y / 20.});
    const auto exact = painted(*sliced, rough);
    rough.samples_per_side = 4;
    const auto taken = painted(*sliced, rough);
    int apart = 0;
    for (std::size_t i = 0; i < exact.size(); ++i) apart += !near(exact[i], taken[i], 48);
    ASSERT_LE(apart, static_cast<int>(exact.size() / 8)) << mask.key;
    // A cell that changes is seen.
    const std::vector<Cell> cell{{0, 0, 0}};
    for (Track* each : {plain.get(), sliced.get()}) each->need<Editable>().edit(*queue, cell, 0);
    const Index3 extent = plain->extent();
    const PictureRequest far = request(5, 5, {.5 * extent.x, .5 * extent.y, .25 * extent.x, .25 * extent.y});
    ASSERT_EQ(painted(*sliced, far), painted(*plain, far));
  }
}

/// As SoFar says of itself.
Rgba dimmed(Rgba colour, Rgba ground) { return mixed(ground, colour, .16); }

TEST_P(Pictures, ASlowLaunchDimsWhatHasNotCome) {
  for (const auto& info : fractal_tracks()) {
    if (!thread_a_cell(info) || !serves(settings_of(gasket(), 5, 3), info.name)) continue;
    const auto one = track(settings_of(gasket(), 5, 3), info.name);  // blocks of 8 x 8: two warps, or 27 threads: one
    start(*one, *queue, 2, .5);
    one->need<Counted>().count(*queue);
    const LaunchShape shape = one->launches()[0];
    const std::uint64_t each = warps_of_block(*one), most = shape.block_count() * each;
    const auto come = [&](const Owner& who, std::uint64_t warps) {
      return visit_number(*one, who) * each + linear_index(who.thread, shape.threads) / 32 < warps;
    };
    const int across = int(shape.blocks.x * shape.threads.x), down = int(shape.blocks.y * shape.threads.y);
    for (const ColourBy by : {ColourBy::state, ColourBy::launch_order}) {
      PictureRequest cells = request(32, 32, {16, 16, 1, 1}),
                     grid = request(across * 8, down * 8, {across / 2., down / 2., .125, .125});
      cells.colour_by = by;
      const auto whole = painted(*one, cells), whole_grid = painted(*one, grid, true);
      for (const std::uint64_t warps : {std::uint64_t{0}, std::uint64_t{1}, most / 2 + 1, most}) {
        cells.so_far.warps = grid.so_far.warps = warps;
        const auto found = painted(*one, cells), found_grid = painted(*one, grid, true);
        for (std::uint32_t y = 0; y < 32; ++y)
          for (std::uint32_t x = 0; x < 32; ++x) {
            Owner who;
            Rgba wanted = whole[y * 32 + x];
            if (one->need<Threads>().owner({x, y, 0}, who) && !come(who, warps))
              wanted = dimmed(wanted, cells.palette.ground);
            ASSERT_TRUE(near(found[y * 32 + x], wanted, 2)) << info.name << ' ' << x << ' ' << y << " of " << warps;
          }
        for (int y = 0; y < down; ++y)
          for (int x = 0; x < across; ++x) {
            const auto tx = static_cast<std::uint32_t>(x), ty = static_cast<std::uint32_t>(y);
            const Index3 block{tx / shape.threads.x, ty / shape.threads.y, 0},
                thread{tx % shape.threads.x, ty % shape.threads.y, 0};
            const std::size_t at = (static_cast<std::size_t>(y) * 8 + 4) * across * 8 + x * 8 + 4;
            const Rgba wanted =
                come({0, block, 0, thread}, warps) ? whole_grid[at] : dimmed(whole_grid[at], grid.palette.ground);
            ASSERT_TRUE(near(found_grid[at], wanted, 2)) << info.name << " thread " << x << ' ' << y << " of " << warps;
          }
      }
    }
  }
}

TEST_P(Pictures, SampledPaintsGroundWhereNoMemberIs) {
  for (const Mask& mask : all_masks()) {
    const int level = small_level(mask);
    const oracle::Picture domain = oracle::fractal(mask.rows, level);
    const auto one = track(settings_of(mask, level, 1), "lambda_serial");
    start(*one, *queue, 1, 1);
    const double w = domain.width, h = domain.height;
    for (const int samples : {1, 2, 8})
      for (const double pixels : {1., 3., 10., 31.}) {
        PictureRequest with = request(int(pixels), int(pixels), {w / 2, h / 2, w / pixels, h / pixels});
        with.samples_per_side = samples;
        const auto found = painted(*one, with);
        for (const Rgba pixel : found) ASSERT_NE(pixel, untouched);
        ASSERT_TRUE(std::any_of(found.begin(), found.end(), [&](Rgba pixel) { return pixel != with.palette.ground; }))
            << mask.key << " samples " << samples << " pixels " << pixels;
        for (int y = 0; y < int(pixels); ++y)
          for (int x = 0; x < int(pixels); ++x) {
            // A sample stands for a box of at most a pixel: no further than that may a member be.
            const auto [x0, x1] = range(with.camera.x, w / pixels, x, int(pixels));
            const auto [y0, y1] = range(with.camera.y, h / pixels, y, int(pixels));
            bool any = false;
            const auto reach = static_cast<std::int64_t>(std::ceil(std::max(w, h) / pixels));
            for (std::int64_t cy = y0 - reach; cy < y1 + reach && !any; ++cy)
              for (std::int64_t cx = x0 - reach; cx < x1 + reach && !any; ++cx) any = domain.at(cx, cy);
            ASSERT_TRUE(any || found[static_cast<std::size_t>(y) * int(pixels) + x] == with.palette.ground);
          }
      }
  }
}

TEST_P(Pictures, LaunchGrid) {
  for (const auto& info : fractal_tracks()) {
    const auto one = track(settings_of(gasket(), 5, serves(settings_of(gasket(), 5, 2), info.name) ? 2 : 4), info.name);
    const LaunchShape shape = one->launches()[0];
    const int across = int(shape.blocks.x * shape.threads.x), down = int(shape.blocks.y * shape.threads.y);
    constexpr int zoom = 8;
    const PictureRequest close =
        request(across * zoom + 32, down * zoom + 32, {across / 2., down / 2., 1. / zoom, 1. / zoom});
    for (const Rgba pixel : painted(*one, close, true)) ASSERT_EQ(pixel, untouched);  // needs counts
    one->need<Counted>().count(*queue);
    const auto threads = painted(*one, close, true);
    EXPECT_EQ(threads.front(), close.palette.ground);
    EXPECT_EQ(threads.back(), close.palette.ground);
    for (int y = 0; y < down; ++y)
      for (int x = 0; x < across; ++x) {
        const auto tx = static_cast<std::uint32_t>(x), ty = static_cast<std::uint32_t>(y);
        const auto target = one->need<Threads>().target(
            {0, {tx / shape.threads.x, ty / shape.threads.y, 0}, 0, {tx % shape.threads.x, ty % shape.threads.y, 0}});
        const Rgba middle =
            threads[static_cast<std::size_t>(16 + y * zoom + 4) * close.target.width + 16 + x * zoom + 4];
        ASSERT_EQ(middle == close.palette.track, target && target->useful) << info.name << " thread " << x << ' ' << y;
      }
    for (const double scale : {.3, 1., 3., 40., 1e5})
      for (const Rgba pixel : painted(*one, request(37, 23, {across / 2., down / 2., scale, scale}), true))
        ASSERT_NE(pixel, untouched);
    for (const Rgba pixel : painted(*one, request(9, 9, {-1000, 4, 1, 1}), true))
      ASSERT_EQ(pixel, close.palette.ground);
  }
}

}  // namespace
}  // namespace warploom
