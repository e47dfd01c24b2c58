#include <gtest/gtest.h>

#include <cmath>

#include "gpu/scenes/simplex/simplex.h"
#include "gpu/tracks/facets/counted.h"
#include "gpu/tracks/facets/fill.h"
#include "gpu/tracks/facets/threads.h"
#include "viewer/panels/panes/orbit.h"

// The cell that a solid picture shows under a pixel, and where the window draws that cell's mark, must agree.

namespace warploom {
namespace {

constexpr int width = 420, height = 360;

/// A mark's extent on screen.
ui::Rectangle on_screen(const Orbit& orbit, const std::array<double, 3>& extent, const Outline& mark) {
  ui::Rectangle all{{1e9f, 1e9f}, {-1e9f, -1e9f}};
  for (int corner = 0; corner < 8; ++corner) {
    const auto axis = [&](std::size_t a) { return (corner >> a & 1 ? mark.high : mark.low)[a] - extent[a] / 2; };
    const auto at = orbit.screen(axis(0), axis(1), axis(2));
    if (!at) continue;
    all.min = {std::min(all.min.x, at->x), std::min(all.min.y, at->y)};
    all.max = {std::max(all.max.x, at->x), std::max(all.max.y, at->y)};
  }
  return all;
}

struct Domain {
  const char* kind;
  std::uint32_t n, rho;
};
void PrintTo(const Domain& domain, std::ostream* out) { *out << domain.kind << " n = " << domain.n; }

/// A filled track of automata, and a request for one of its pictures that fills the screen.
struct Seen {
  Queue queue{Backend::cpu};
  std::unique_ptr<Track> track;
  Picture& picture;
  Orbit orbit;
  std::vector<Rgba> pixels = std::vector<Rgba>(width * height);
  PictureRequest request;

  Seen(const Domain& domain, const char* name, std::size_t number)
      : track(made(queue, domain, name)),
        picture(*track->pictures()[number]),
        orbit({{0, 0}, {width, height}}, OrbitView{}, picture.extent(), picture.info().z_up) {
    request.target = {0, pixels.data(), width, height};
    request.solid.camera = orbit.for_pixels(1);
    track->publish(queue);
  }
  static std::unique_ptr<Track> made(Queue& queue, const Domain& domain, const char* name) {
    SimplexSettings settings;
    settings.kind = &find_simplex_kind(domain.kind);
    settings.n = domain.n;
    settings.rho = domain.rho;
    auto track = make_simplex_track(queue, settings, name);
    track->need<FillFacet>().fill(queue, 7, .4);
    return track;
  }
};

class SolidMarks : public ::testing::TestWithParam<std::tuple<Domain, ColourBy>> {};

TEST_P(SolidMarks, ACellsMarkIsWhereItsCubeIs) {
  const auto& [domain, colour_by] = GetParam();
  Seen seen(domain, "bounding_box", 0);
  Picture& picture = seen.picture;
  seen.request.colour_by = colour_by;
  picture.paint(seen.queue, seen.request);

  int picked = 0;
  for (int y = 2; y < height; y += 9)
    for (int x = 2; x < width; x += 9) {
      const Selection selection = picture.at(&seen.queue, seen.request, x, y);
      if (selection.empty()) continue;
      ++picked;
      const Selected selected{selection, std::nullopt, Target{selection.at, true}, true};
      auto marks = picture.marks(selected);
      ASSERT_EQ(marks.size(), 1u);
      // Blocks at a face are drawn whole: where the pixel is on none of its cells, its first is taken.
      if (colour_by != ColourBy::state)
        for (std::size_t a = 0; a < 3; ++a) {
          marks[0].low[a] = std::floor(marks[0].low[a]);
          marks[0].high[a] = marks[0].low[a] + 1;
        }
      const ui::Rectangle mark = on_screen(seen.orbit, picture.extent(), marks[0]);
      EXPECT_TRUE(x >= mark.min.x - 2 && x <= mark.max.x + 2 && y >= mark.min.y - 2 && y <= mark.max.y + 2)
          << "pixel " << x << ", " << y << ": the mark is at " << mark.min.x << " to " << mark.max.x << ", "
          << mark.min.y << " to " << mark.max.y;
    }
  EXPECT_GT(picked, 20);
}

// Live cells are drawn one by one; n is a multiple of the block, and is not, and is less than one.
INSTANTIATE_TEST_SUITE_P(Of, SolidMarks,
                         testing::Combine(testing::Values(Domain{"tetrahedron", 16, 8}, Domain{"tetrahedron", 20, 8},
                                                          Domain{"tetrahedron", 5, 8},
                                                          Domain{"tetrahedron_corner", 21, 4}),
                                          testing::Values(ColourBy::state, ColourBy::layer)));

TEST(SolidLaunches, ABlockWithUsefulThreadsIsAnsweredByOne) {
  Seen seen({"tetrahedron", 24, 8}, "bounding_box", 1);
  seen.track->need<Counted>().count(seen.queue);
  seen.picture.paint(seen.queue, seen.request);
  const auto& threads = seen.track->need<Threads>();
  const Index3 block = seen.track->launches()[0].threads;
  int whole = 0, partly = 0, idle = 0;
  for (int y = 2; y < height; y += 5)
    for (int x = 2; x < width; x += 5) {
      const Selection selection = seen.picture.at(&seen.queue, seen.request, x, y);
      if (selection.empty()) continue;
      std::uint64_t useful = 0;
      for (std::uint64_t i = 0; i < volume(block); ++i) {
        Owner one = selection.owner;
        one.thread = unfold(i, block);
        useful += threads.served(one).cells;
      }
      EXPECT_EQ(threads.served(selection.owner).cells > 0, useful > 0) << x << ", " << y;
      ++(useful == 0 ? idle : useful < volume(block) ? partly : whole);
    }
  EXPECT_GT(partly, 20) << "else nothing was tried";
  EXPECT_GT(idle, 20);
}

TEST(SolidSlices, TheLaunchGridIsCutAsTheDomainIs) {
  Seen seen({"tetrahedron", 24, 4}, "root_exact", 1);
  seen.track->need<Counted>().count(seen.queue);
  /// Launched blocks under the pixels, by where on the axis they work: below the cut, and not.
  const auto sides_of_cut = [&](int axis) {
    seen.picture.paint(seen.queue, seen.request);
    std::pair<int, int> found;
    for (int y = 2; y < height; y += 5)
      for (int x = 2; x < width; x += 5) {
        const Selection selection = seen.picture.at(&seen.queue, seen.request, x, y);
        if (selection.empty()) continue;
        const auto box = seen.track->need<Threads>().footprint(selection.owner);
        if (!box) continue;
        const std::uint32_t at = axis == 0 ? box->first.x : axis == 1 ? box->first.y : box->first.z;
        ++(at < 12 ? found.first : found.second);
      }
    return found;
  };
  for (int axis = 0; axis < 3; ++axis) {
    SCOPED_TRACE(axis);
    seen.request.solid.slice_axis = -1;
    EXPECT_GT(sides_of_cut(axis).first, 0);
    seen.request.solid.slice_axis = axis;
    seen.request.solid.slice = .5;
    const auto cut = sides_of_cut(axis);
    EXPECT_EQ(cut.first, 0);
    EXPECT_GT(cut.second, 0);
  }
}

}  // namespace
}  // namespace warploom
