#include <algorithm>
#include <array>
#include <cmath>

#include "gpu/tracks/cell_track.h"
#include "gpu/tracks/facets/all.h"
#include "tests/scenes/simplex/simplices.h"
#include "tests/tracks/tracks.h"

// Blocks of a plane on their way, against brute force: every launched block of the track's own Threads, where it is by
// a formula of its own, over every pixel.

namespace warploom {
namespace {

struct Case {
  const char *scene, *name;
};

class Flights : public TrackTest {
 protected:
  std::unique_ptr<Track> make(const Case& of) {
    std::unique_ptr<Track> one;
    if (std::string(of.scene) == "fractal")
      one = track(settings_of(gasket(), 5, 2), of.name);
    else
      one = make_simplex_track(*queue, simplex_settings(of.scene, 27, 4, "automaton"), of.name);
    one->need<Counted>().count(*queue);
    return one;
  }
  std::vector<Rgba> painted(Track& track, const PictureRequest& request) {
    return TrackTest::painted(*track.pictures()[0], request);
  }
  static PictureRequest request(const Track& track, int wide, double morph) {
    PictureRequest all;
    for (unsigned i = 0; i < Palette::steps; ++i) all.palette.data[i] = rgba(255, 2 * i, 0);
    all.palette.ground = rgba(0, 0, 0);
    all.palette.waste = rgba(0, 0, 60);
    all.palette.hatch = rgba(0, 0, 120);
    all.target.width = wide;
    all.target.height = wide * 3 / 4;
    const double scale = 1.1 * track.extent().x / wide;
    // No middle of a pixel on an edge of a block.
    all.camera = {track.extent().x / 2. + .0137, track.extent().y / 2. + .0071, scale, scale};
    all.colour_by = ColourBy::launch_order;
    all.solid.morph = morph;
    return all;
  }

  struct Block {
    std::array<double, 2> low, high;  ///< along x and y
    unsigned useful = 0;
    bool serves = false;
    bool holds(const std::array<double, 2>& at) const {
      return at[0] >= low[0] && at[0] < high[0] && at[1] >= low[1] && at[1] < high[1];
    }
  };
  /// In launch order.
  static std::vector<Block> blocks(const Track& track, double morph) {
    const auto& cells = dynamic_cast<const CellTrack&>(track);
    const auto& threads = track.need<Threads>();
    const GridLayout board = cells.board();
    const Index3 each = track.launches()[0].threads;
    const double wide = double(board.extent.x) * each.x, high = double(board.extent.y) * each.y,
                 tall = std::max(1., wide / high / 6), n_x = track.extent().x, n_y = track.extent().y;
    // As large as cells, if that fits; in the middle.
    const double scale = std::min({1., n_x / wide, n_y / (high * tall)});
    const double left = (n_x - scale * wide) / 2, top = (n_y - scale * tall * high) / 2;
    const auto between = [&](double from, double to) { return from * (1 - morph) + to * morph; };
    std::vector<Block> all;
    for (std::uint64_t visit = 0; visit < board.visits; ++visit) {
      Block block{};
      if (!board.exists(visit)) {
        all.push_back(block);
        continue;
      }
      Owner who = board.visit(visit);
      for (std::uint64_t i = 0; i < volume(each); ++i) {
        who.thread = unfold(i, each);
        const auto target = threads.target(who);
        block.useful += target && target->useful;
      }
      const Index3 at = board.place(who);
      const double from[4] = {left + scale * at.x * each.x, top + scale * tall * at.y * each.y,
                              left + scale * (at.x + 1) * each.x, top + scale * tall * (at.y + 1) * each.y};
      double to[4] = {from[0], from[1], from[2], from[3]};
      const auto box = threads.footprint(who);
      if (box && block.useful) to[0] = box->first.x, to[1] = box->first.y, to[2] = box->second.x, to[3] = box->second.y;
      block.serves = true;
      block.low = {between(from[0], to[0]), between(from[1], to[1])};
      block.high = {between(from[2], to[2]), between(from[3], to[3])};
      all.push_back(block);
    }
    return all;
  }
};
WARPLOOM_ON_BOTH_BACKENDS(Flights);

constexpr Case cases[] = {{"fractal", "bounding_box"},  {"fractal", "lambda_shuffle"}, {"fractal", "lambda_serial"},
                          {"triangle", "bounding_box"}, {"triangle", "h_map"},         {"triangle", "recursive"},
                          {"triangle", "table"},        {"triangle", "stride_walk"}};

/// Where the middle of a pixel lies, in cells.
std::array<double, 2> middle_of(const PictureRequest& with, int x, int y) {
  return {with.camera.x + (x + .5 - .5 * with.target.width) * with.camera.cells_per_pixel_x,
          with.camera.y + (y + .5 - .5 * with.target.height) * with.camera.cells_per_pixel_y};
}

Rgba of_visit(const PictureRequest& with, std::uint64_t visit, std::uint64_t visits) {
  return with.palette.at(static_cast<float>(static_cast<double>(visit) / static_cast<double>(visits)));
}

TEST_P(Flights, APixelShowsTheUsefulBlockInFrontOfTheOthers) {
  for (const Case& of : cases) {
    SCOPED_TRACE(std::string(of.scene) + ' ' + of.name);
    const auto one = make(of);
    for (const double morph : {0., .31, .75, .97})
      for (const bool near : {false, true}) {
        const bool waste = !near;
        PictureRequest with = request(*one, 130, morph);
        with.solid.waste = waste;
        const auto all = blocks(*one, morph);
        if (near) {  // a block of more pixels than a thread takes
          const auto useful = std::find_if(all.rbegin(), all.rend(), [](const Block& block) { return block.useful; });
          const auto low = useful->low, high = useful->high;
          const double scale = std::max(high[0] - low[0], high[1] - low[1]) / 80;
          with.camera = {(low[0] + high[0]) / 2 + .013 * scale, (low[1] + high[1]) / 2 + .017 * scale, scale, scale};
        }
        const auto pixels = painted(*one, with);
        unsigned seen = 0;
        for (int y = 0; y < with.target.height; ++y)
          for (int x = 0; x < with.target.width; ++x) {
            const auto at = middle_of(with, x, y);
            const Block* front = nullptr;
            std::size_t number = 0;
            for (std::size_t i = 0; i < all.size(); ++i) {
              const Block& block = all[i];
              if (!block.serves || !block.holds(at) || (!block.useful && !waste)) continue;
              if (front && !(block.useful && !front->useful)) continue;
              front = &block;
              number = i;
            }
            const Rgba found = pixels[static_cast<std::size_t>(y) * with.target.width + x];
            if (!front) {
              ASSERT_EQ(found, with.palette.ground) << x << ' ' << y << " morph " << morph;
              continue;
            }
            // The gap, and cells that are none, show the ground; what is not filled the hatch; the rest its block.
            const bool blue = found == with.palette.waste || found == with.palette.hatch;
            const bool orange = (found & 0xff) != 0;
            if (!front->useful) {
              ASSERT_FALSE(orange) << x << ' ' << y << " morph " << morph;
            }
            if (orange && front->useful) {
              ++seen;
              // Mixed with the waste and the ground, in which there is no green: what is left tells the block.
              const Rgba own = of_visit(with, number, all.size());
              const double red = found & 0xff, green = found >> 8 & 0xff;
              ASSERT_NEAR(green, red * (own >> 8 & 0xff) / double(own & 0xff), 1.5) << x << ' ' << y;  // rounding
            } else if (!orange && !blue) {
              ASSERT_EQ(found & 0xffff, with.palette.ground & 0xffff) << x << ' ' << y;
            }
          }
        ASSERT_GT(seen, near ? 100u : 500u);
      }
  }
}

TEST_P(Flights, SmallBlocksAreSummedToTheirThreads) {
  for (const Case& of : cases) {
    SCOPED_TRACE(std::string(of.scene) + ' ' + of.name);
    const auto one = make(of);
    for (const double morph : {0., .4, .9}) {
      const PictureRequest with = request(*one, 5, morph);
      const auto pixels = painted(*one, with);
      const auto all = blocks(*one, morph);
      const unsigned threads = static_cast<unsigned>(volume(one->launches()[0].threads));
      struct Sum {
        double threads = 0, useful = 0, order = 0;
      };
      std::vector<Sum> sums(pixels.size());
      for (std::size_t i = 0; i < all.size(); ++i) {
        if (!all[i].serves) continue;
        // The pixels whose middles are in it, along each axis, or else the one that its own middle is in.
        const auto touched = [&](double low, double high, int most) {
          std::vector<int> pixels_there;
          for (int p = 0; p < most; ++p)
            if (p + .5 >= low && p + .5 < high) pixels_there.push_back(p);
          const bool none = std::ceil(low - .5) >= std::ceil(high - .5);
          const double middle = std::floor((low + high) / 2);
          if (none && middle >= 0 && middle < most) pixels_there.push_back(static_cast<int>(middle));
          return pixels_there;
        };
        const auto x_of = [&](double u) { return (u - with.camera.x) / with.camera.cells_per_pixel_x + 2.5; };
        const auto y_of = [&](double v) { return (v - with.camera.y) / with.camera.cells_per_pixel_y + 1.5; };
        for (const int y : touched(y_of(all[i].low[1]), y_of(all[i].high[1]), 3))
          for (const int x : touched(x_of(all[i].low[0]), x_of(all[i].high[0]), 5)) {
            Sum& sum = sums[static_cast<std::size_t>(y) * 5 + static_cast<std::size_t>(x)];
            sum.threads += threads;
            sum.useful += all[i].useful;
            sum.order += double(all[i].useful) * double(i) / double(all.size());
          }
      }
      for (std::size_t i = 0; i < sums.size(); ++i) {
        const Rgba found = pixels[i];
        if (sums[i].threads == 0) {
          ASSERT_EQ(found, with.palette.ground);
          continue;
        }
        ASSERT_NE(found, with.palette.ground);
        if (sums[i].useful == 0) {
          ASSERT_EQ(found & 0xffff, 0u) << "wasted alone";
          continue;
        }
        const Rgba own = with.palette.at(static_cast<float>(sums[i].order / sums[i].useful));
        ASSERT_NEAR(found >> 8 & 0xff, (found & 0xff) * (own >> 8 & 0xff) / double(own & 0xff),
                    2.5);  // steps of the palette
        // Whose share of useful threads is larger is brighter, at equal cover.
        for (std::size_t j = 0; j < sums.size(); ++j)
          if (sums[j].threads == sums[i].threads && sums[j].useful > sums[i].useful * 1.1) {
            ASSERT_GT(pixels[j] & 0xff, found & 0xff);
          }
      }
    }
  }
}

TEST_P(Flights, ThinBlocksAreLinesAndNotDots) {
  const auto one = make_simplex_track(*queue, simplex_settings("triangle", 512, 4, "automaton"), "stride_walk");
  one->need<Counted>().count(*queue);
  const auto all = blocks(*one, 0);
  const PictureRequest with = request(*one, 90, 0);
  ASSERT_LT((all[0].high[0] - all[0].low[0]) / with.camera.cells_per_pixel_x, 1) << "thinner than a pixel";
  ASSERT_GT((all[0].high[1] - all[0].low[1]) / with.camera.cells_per_pixel_y, 2) << "and several high";
  double left = 1e9, top = 1e9, right = 0, bottom = 0;
  for (const Block& block : all) {
    if (!block.serves) continue;
    left = std::min(left, block.low[0]), top = std::min(top, block.low[1]);
    right = std::max(right, block.high[0]), bottom = std::max(bottom, block.high[1]);
  }
  const auto pixels = painted(*one, with);
  unsigned inside = 0, filled = 0;
  for (int y = 0; y < with.target.height; ++y)
    for (int x = 0; x < with.target.width; ++x) {
      const auto [u, v] = middle_of(with, x, y);
      if (u < left + 8 || u > right - 8 || v < top || v >= bottom) continue;
      ++inside;
      filled += pixels[static_cast<std::size_t>(y) * with.target.width + x] != with.palette.ground;
    }
  EXPECT_GT(inside, 300u);
  EXPECT_GT(filled, inside * 95 / 100) << "the last turn may have no block in places";
}

TEST_P(Flights, BlocksSentAstrayAreRedAlsoWhereTheyAreSmall) {
  if (sanitized) GTEST_SKIP() << "ten million blocks";
  const auto one = make_simplex_track(*queue, simplex_settings("triangle", 4608, 1, "single_write"), "root_fp32");
  one->need<Counted>().count(*queue);
  ASSERT_GT(one->need<Counted>().counts()->wrong, 0u);
  const auto pixels = painted(*one, request(*one, 200, .5));
  const auto red = std::count(pixels.begin(), pixels.end(), rgba(229, 72, 77));
  EXPECT_GT(red, 0);
  EXPECT_LT(red, 20);
}

TEST_P(Flights, TheMarkFliesWithItsBlock) {
  for (const Case& of : cases) {
    SCOPED_TRACE(std::string(of.scene) + ' ' + of.name);
    const auto one = make(of);
    const GridLayout board = dynamic_cast<const CellTrack&>(*one).board();
    for (const double morph : {0., .5, .9}) {
      const auto all = blocks(*one, morph);
      for (std::size_t i = 0; i < all.size(); ++i) {
        if (!all[i].serves) continue;
        const Selected selected{{Selection::thread, {}, 0, board.visit(i)}, board.visit(i), {}, true};
        const auto marks = one->pictures()[0]->marks(selected, {morph});
        ASSERT_EQ(marks.size(), 1u);
        for (std::size_t axis = 0; axis < 2; ++axis) {
          ASSERT_NEAR(marks[0].low[axis], all[i].low[axis], 1e-9);
          ASSERT_NEAR(marks[0].high[axis], all[i].high[axis], 1e-9);
        }
      }
    }
    PictureRequest with = request(*one, 40, .5);
    EXPECT_TRUE(one->pictures()[0]->at(nullptr, with, 20, 15).empty()) << "the cells are not there yet";
  }
}

}  // namespace
}  // namespace warploom
