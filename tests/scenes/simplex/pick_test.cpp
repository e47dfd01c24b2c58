#include <chrono>
#include <thread>

#include "gpu/core/buffer.h"
#include "gpu/tracks/facets/all.h"
#include "tests/scenes/simplex/simplices.h"

// A mouse rests over a solid whose cells change: it is answered without a wait, and in the end correctly.

namespace warploom {
namespace {

class SimplexPicks : public SimplexTest {};
WARPLOOM_ON_BOTH_BACKENDS(SimplexPicks);

constexpr int width = 64, height = 48;

TEST_P(SimplexPicks, ARestingMouseIsAnsweredAgainWhenCellsChange) {
  using namespace std::chrono_literals;
  Queue questions(GetParam(), true);
  SampleCounts asked(GetParam());
  questions.stopwatch = &asked.watch;
  const auto settings = simplex_settings("tetrahedron", 40, 4, "automaton");
  // The first is asked before and after each change, the fresh one once after each, by a mouse from elsewhere.
  const auto rested = make_simplex_track(*queue, settings, "bounding_box");
  const auto fresh = make_simplex_track(*queue, settings, "bounding_box");
  Buffer<Rgba> pixels(GetParam(), std::uint64_t{width} * height);
  PictureRequest request;
  request.target = {0, pixels.data(), width, height};
  request.solid.camera.eye[2] = -30;
  request.solid.camera.pixel = .012f;
  const auto at = [&](Track& track, int x, int y) { return track.pictures()[0]->at(&questions, request, x, y); };
  const auto show = [&] {
    for (Track* one : {rested.get(), fresh.get()}) {
      queue->wait();
      one->publish(*queue);
      one->pictures()[0]->paint(*queue, request);
    }
    // Does not wait for the pictures.
  };
  const auto fill = [&](std::uint64_t seed) {
    for (Track* one : {rested.get(), fresh.get()}) one->need<FillFacet>().fill(*queue, seed, .4);
    show();
  };
  fill(7);
  int changed = 0;
  for (int step = 0; step < 10; ++step) {
    const Selection before = at(*rested, width / 2, height / 2);
    fill(8 + static_cast<unsigned>(step));
    at(*fresh, 3, 3);
    const Selection wanted = at(*fresh, width / 2, height / 2);
    // The old answer stays until the new one is there: no other comes between.
    Selection seen = at(*rested, width / 2, height / 2);
    for (const auto end = std::chrono::steady_clock::now() + 5s;
         seen != wanted && std::chrono::steady_clock::now() < end; std::this_thread::sleep_for(100us)) {
      ASSERT_EQ(seen, before) << "step " << step;
      seen = at(*rested, width / 2, height / 2);
    }
    EXPECT_EQ(seen, wanted) << "step " << step;
    changed += wanted != before;
    // Elsewhere it is answered at once.
    at(*fresh, 1, 1);
    EXPECT_EQ(at(*rested, width / 2 + 3, height / 2 - 2), at(*fresh, width / 2 + 3, height / 2 - 2));
    EXPECT_EQ(at(*rested, width / 2, height / 2), wanted);
    // A mouse that rests over a picture that stays is asked for once.
    const int then = asked.of("volume.pick");
    EXPECT_GT(then, 0);
    for (int frame = 0; frame < 5; ++frame) EXPECT_EQ(at(*rested, width / 2, height / 2), wanted);
    EXPECT_EQ(asked.of("volume.pick"), then);
  }
  EXPECT_GT(changed, 2) << "else nothing was tried";
}

}  // namespace
}  // namespace warploom
