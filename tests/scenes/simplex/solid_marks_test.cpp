#include <gtest/gtest.h>

#include <cmath>

#include "gpu/core/stopwatch.h"
#include "gpu/scenes/simplex/simplex.h"
#include "gpu/tracks/facets/counted.h"
#include "gpu/tracks/facets/fill.h"
#include "gpu/tracks/facets/threads.h"
#include "viewer/panels/panes/orbit.h"

// What a solid picture shows under a pixel, and where the window draws that cell's mark: two ways from a cell to the
// screen, that must meet.

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
  std::uint32_t n;
  int rho;
};
void PrintTo(const Domain& domain, std::ostream* out) { *out << domain.kind << " n = " << domain.n; }

class SolidMarks : public ::testing::TestWithParam<std::tuple<Domain, ColourBy>> {};

TEST_P(SolidMarks, ACellsMarkIsWhereItsCubeIs) {
  const auto& [domain, colour_by] = GetParam();
  Queue queue(Backend::cpu);
  SimplexSettings settings;
  settings.kind = &find_simplex_kind(domain.kind);
  settings.n = domain.n;
  settings.rho = domain.rho;
  settings.work = "automaton";
  const auto track = make_simplex_track(queue, settings, "bounding_box");
  track->need<FillFacet>().fill(queue, 7, .4);
  track->publish(queue);
  Picture& picture = *track->pictures()[0];

  const auto extent = picture.extent();
  const Orbit orbit({{0, 0}, {width, height}}, OrbitView{}, extent, picture.info().z_up);
  std::vector<Rgba> pixels(width * height);
  PictureRequest request;
  request.target = {0, pixels.data(), width, height};
  request.colour_by = colour_by;
  request.solid.camera = orbit.for_pixels(1);
  picture.paint(queue, request);

  int picked = 0;
  for (int y = 2; y < height; y += 9)
    for (int x = 2; x < width; x += 9) {
      const Selection selection = picture.at(&queue, request, x, y);
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
      const ui::Rectangle mark = on_screen(orbit, extent, marks[0]);
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

TEST(SolidHover, AMouseThatRestsIsAskedForOnce) {
  Queue queue(Backend::cpu), questions(Backend::cpu);
  int asked = 0;
  Stopwatch watch(Backend::cpu);
  watch.on_sample = [&](const TimingSample& sample) { asked += sample.kernel == "volume.pick"; };
  questions.stopwatch = &watch;
  SimplexSettings settings;
  settings.kind = &find_simplex_kind("tetrahedron");
  settings.n = 20;
  settings.rho = 4;
  settings.work = "automaton";
  // One is asked before and after each step, the other after it alone.
  const auto track = make_simplex_track(queue, settings, "bounding_box");
  const auto fresh = make_simplex_track(queue, settings, "bounding_box");
  Picture &picture = *track->pictures()[0], &other = *fresh->pictures()[0];
  const Orbit orbit({{0, 0}, {width, height}}, OrbitView{}, picture.extent(), picture.info().z_up);
  std::vector<Rgba> pixels(width * height);
  PictureRequest request;
  request.target = {0, pixels.data(), width, height};
  request.solid.camera = orbit.for_pixels(1);
  for (Track* one : {track.get(), fresh.get()}) one->need<FillFacet>().fill(queue, 7, .4);
  const auto show = [&] {
    for (Track* one : {track.get(), fresh.get()}) {
      one->publish(queue);
      one->pictures()[0]->paint(queue, request);
    }
  };
  show();
  int changed = 0;
  for (int step = 0; step < 8; ++step) {
    const Selection before = picture.at(&questions, request, width / 2, height / 2);
    const int then = asked;
    for (int frame = 0; frame < 5; ++frame) EXPECT_EQ(picture.at(&questions, request, width / 2, height / 2), before);
    EXPECT_EQ(asked, then) << "a mouse that rests over a picture that stays is asked for once";
    for (Track* one : {track.get(), fresh.get()}) one->step(queue);
    show();
    const Selection after = picture.at(&questions, request, width / 2, height / 2);
    EXPECT_EQ(after, other.at(&questions, request, width / 2, height / 2)) << "after step " << step + 1;
    changed += after != before;
    // Another pixel, and back.
    picture.at(&questions, request, 3, 3);
    EXPECT_EQ(picture.at(&questions, request, width / 2, height / 2), after);
  }
  EXPECT_GT(changed, 0) << "else nothing was tried";
}

TEST(SolidSlices, TheLaunchGridIsCutAsTheDomainIs) {
  Queue queue(Backend::cpu);
  SimplexSettings settings;
  settings.kind = &find_simplex_kind("tetrahedron");
  settings.n = 24;
  settings.rho = 4;
  settings.work = "automaton";
  const auto track = make_simplex_track(queue, settings, "root_exact");
  track->need<FillFacet>().fill(queue, 7, .4);
  track->publish(queue);
  track->need<Counted>().count(queue);
  Picture& picture = *track->pictures()[1];
  const auto extent = picture.extent();
  const Orbit orbit({{0, 0}, {width, height}}, OrbitView{}, extent, picture.info().z_up);
  std::vector<Rgba> pixels(width * height);
  PictureRequest request;
  request.target = {0, pixels.data(), width, height};
  request.solid.camera = orbit.for_pixels(1);
  /// Launched blocks under the pixels, by where on the axis they work: below the cut, and not.
  const auto seen = [&](int axis) {
    picture.paint(queue, request);
    std::pair<int, int> found;
    for (int y = 2; y < height; y += 5)
      for (int x = 2; x < width; x += 5) {
        const Selection selection = picture.at(&queue, request, x, y);
        if (selection.empty()) continue;
        const auto box = track->need<Threads>().footprint(selection.owner);
        if (!box) continue;
        const std::uint32_t at = axis == 0 ? box->first.x : axis == 1 ? box->first.y : box->first.z;
        ++(at < 12 ? found.first : found.second);
      }
    return found;
  };
  for (int axis = 0; axis < 3; ++axis) {
    SCOPED_TRACE(axis);
    request.solid.slice_axis = -1;
    EXPECT_GT(seen(axis).first, 0);
    request.solid.slice_axis = axis;
    request.solid.slice = .5;
    const auto cut = seen(axis);
    EXPECT_EQ(cut.first, 0);
    EXPECT_GT(cut.second, 0);
  }
}

}  // namespace
}  // namespace warploom
