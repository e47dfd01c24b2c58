#include <atomic>
#include <cmath>
#include <random>
#include <set>

#include "gpu/core/error.h"
#include "gpu/scenes/simplex/simplex.h"
#include "gpu/tracks/facets/counted.h"
#include "gpu/tracks/facets/editable.h"
#include "tests/tracks/runs.h"
#include "viewer/draw/picture_worker.h"

// The three threads of the window over live tracks: it orders and asks, the runner steps, the worker paints. Under the
// thread sanitizer every race of theirs fails these tests.

namespace warploom {
namespace {

SimplexSettings simplex(const char* kind) {
  SimplexSettings settings;
  settings.kind = &find_simplex_kind(kind);
  settings.n = 24;
  settings.rho = 4;
  settings.work = "automaton";
  settings.rule = parse_rule(settings.kind->dimensions == 3 ? "B4/S4" : "B3/S23");
  return settings;
}

/// Of a fractal, a triangle, or a tetrahedron.
BuildRequest request(int scene, int tracks, std::uint64_t seed) {
  if (scene == 0) return fractal_request(tracks, seed);
  return request_of(seed * 8 + static_cast<std::uint64_t>(scene), tracks, seed, .4, [scene](Queue& queue, int i) {
    return make_simplex_track(queue, simplex(scene == 1 ? "triangle" : "tetrahedron"),
                              i % 2 ? "h_map/blocked" : "bounding_box");
  });
}

PictureRequest picture_of(bool solid) {
  PictureRequest request{};
  request.camera = {32, 32, 2, 2};
  request.palette.ground = 0xff000000u;
  request.samples_per_side = 2;
  if (solid) request.solid.camera.eye[2] = -16, request.solid.camera.pixel = .02f;
  request.target.width = request.target.height = 32;
  return request;
}

bool is_solid(const Picture& picture) { return picture.info().shape == PictureInfo::Shape::solid; }

/// The window: pictures are posted as a painter posts them, and taken when they are there.
class Desk {
 public:
  Desk() : worker(Backend::cpu, true), questions(Backend::cpu, true, 1) {}

  void paint(const std::shared_ptr<Simulation>& simulation, std::size_t slot) {
    if (!simulation) return;
    const PictureId id{slot / 2 % simulation->size(), slot % 2};
    if (worker.take(id)) ++pictures;
    if (worker.working(id)) return;
    const Picture& picture = *simulation->track(id.track).pictures()[id.picture];
    worker.post({simulation, id, picture_of(is_solid(picture)), 32, 32});
  }
  void hover(const std::shared_ptr<Simulation>& simulation, std::size_t slot) {
    if (!simulation) return;
    Picture& picture = *simulation->track(slot % simulation->size()).pictures()[slot % 2];
    (void)picture.version(picture_of(is_solid(picture)));
    (void)picture.at(&questions, picture_of(is_solid(picture)), 16, 16);
    if (slot % 2 == 0 && !is_solid(picture)) (void)picture.values(questions, {4, 4, 0}, {8, 8, 1});
    ++asked;
  }

  PictureWorker worker;
  Queue questions;
  int pictures = 0, asked = 0;
};

bool exact_tracks_agree(const Simulation& simulation) {
  const auto all = simulation.status();
  return std::all_of(all.begin(), all.end(), [](const TrackStatus& status) { return status.agrees; });
}

class Threads : public RunnerTest {};

TEST_F(Threads, ThousandsOfEventsInAnyOrder) {
  Desk desk;
  std::mt19937 random(20260611);
  ASSERT_TRUE(built(request(0, 2, 1)));
  int answers = 0;
  for (int event = 0; event < 10'000; ++event) {
    // No user is so fast that nothing is ever begun.
    if (event % 8 == 0) std::this_thread::sleep_for(std::chrono::microseconds(200));
    const auto simulation = runner.simulation();
    const unsigned which = random() % 200, detail = random();
    if (which < 70) {
      desk.hover(simulation, detail % 8);
    } else if (which < 130) {
      desk.paint(simulation, detail % 8);
    } else if (which < 160) {
      detail % 8 < 4 ? runner.step(1 + detail % 4) : runner.play(1 + detail % 4);
    } else if (which < 170) {
      runner.reset();
    } else if (which < 182) {
      const std::vector<Cell> cells{{detail % 24, 20, 0}, {0, detail % 24, 0}};
      runner.change([cells](Queue& queue, Simulation& all) { all.write_cells(queue, cells, 1); }, "painted");
    } else if (which < 188) {
      runner.cancel();
    } else if (which < 195) {
      if (simulation) {
        (void)simulation->bytes();
        (void)simulation->timings().table();
        (void)simulation->status();
        (void)simulation->reference_status();
      }
    } else if (which < 198) {
      try {
        const bool same = runner.ask([](Queue& queue, Simulation& all) {
          // Of one step: every track holds the same.
          for (std::size_t i = 1; i < all.size(); ++i)
            if (all.track(i).need<Editable>().state(queue) != all.track(0).need<Editable>().state(queue)) return false;
          return true;
        });
        ASSERT_TRUE(same) << "after event " << event;
        ++answers;
      } catch (const Error& error) {
        ASSERT_STREQ(error.what(), "nothing is built yet");
      }
    } else {
      runner.build(request(static_cast<int>(detail % 3), 1 + static_cast<int>(detail / 4 % 4), 1 + detail / 64 % 2));
    }
  }
  EXPECT_GT(answers, 20);
  EXPECT_GT(desk.pictures, 50);
  EXPECT_GT(desk.asked, 1000);
  const auto last = built(request(0, 4, 5));
  EXPECT_EQ(runner.error(), "");
  ASSERT_EQ(last->size(), 4u);
  runner.step(3);
  ASSERT_TRUE(rests());
  EXPECT_EQ(last->steps(), 3u);
  EXPECT_TRUE(exact_tracks_agree(*last));
}

TEST_F(Threads, WhatTheWindowAsksIsNobodysKernel) {
  Desk desk;
  const auto simulation = built(request(2, 2, 1));
  for (int i = 0; i < 2000; ++i) {
    desk.paint(simulation, static_cast<std::size_t>(i % 4));
    desk.hover(simulation, static_cast<std::size_t>(i % 4));
  }
  ASSERT_TRUE(wait_for([&] {
    desk.paint(simulation, 0);
    return desk.pictures > 4;
  }));
  std::set<std::string> kernels;
  for (const auto& row : simulation->timings().table()) kernels.insert(row.kernel);
  EXPECT_TRUE(kernels.contains("simplex.colour"));
  EXPECT_FALSE(kernels.contains("volume.pick"));
  EXPECT_FALSE(kernels.contains("simplex.window"));
}

TEST_F(Threads, AFrameWaitsForNoPictureOfLaunches) {
  Desk desk;
  const auto simulation = built(request(0, 1, 1));
  ASSERT_TRUE(simulation->track(0).need<Counted>().counts());
  PictureRequest large = picture_of(false);
  large.target.width = large.target.height = 6000;
  const PictureId launches{0, 1};
  desk.worker.post({simulation, launches, large, 6000, 6000});
  const auto begin = Clock::now();
  Clock::duration longest{}, whole{};
  while (desk.worker.working(launches) && !desk.worker.take(launches)) {
    const auto asked = Clock::now();
    (void)simulation->track(0).need<Counted>().counts();
    longest = std::max(longest, Clock::now() - asked);
    whole = Clock::now() - begin;
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
  EXPECT_GT(whole, std::chrono::milliseconds(20)) << "too short a picture to tell";
  EXPECT_LT(longest, whole / 4);
}

TEST_F(Threads, PicturesOfARestartAreOfOneState) {
  Desk desk;
  BuildRequest alternating = request(0, 2, 1);
  alternating.start_state = [round = std::make_shared<int>(0)](Queue& queue, Simulation& all) {
    fill(all, queue, 1, ++*round % 2 ? 0. : 1.);
  };
  const auto simulation = built(alternating);
  int torn = 0;
  for (int round = 0; round < 300; ++round) {
    runner.reset();
    desk.paint(simulation, 0);
    const auto seen = simulation->track(0).pictures()[0]->values(desk.questions, {}, {64, 64, 1});
    float first = NAN;
    for (const float value : seen)
      if (!std::isnan(value)) first = std::isnan(first) ? value : first, torn += value != first;
  }
  EXPECT_EQ(torn, 0);
}

TEST_F(Threads, AQuestionIsAnsweredBetweenTwoStepsOfABatch) {
  ASSERT_TRUE(built(request(0, 2, 1)));
  runner.step(1'000'000);
  std::uint64_t last = 0;
  for (int i = 0; i < 10; ++i) {
    const auto at = runner.ask([](Queue&, Simulation& all) { return all.steps(); });
    EXPECT_GE(at, last);
    last = at;
  }
  EXPECT_LT(last, 1'000'000u);
  EXPECT_TRUE(runner.busy());
  EXPECT_THROW(runner.ask([](Queue&, Simulation&) -> int { throw UsageError("no"); }), UsageError);
  ends_soon([&] { runner.cancel(); }, 200);
  EXPECT_LT(runner.simulation()->steps(), 1'000'000u);
}

/// On CUDA a step only gives the device its work: what is given up must not have run far ahead.
struct Replay : RunnerTest, ::testing::WithParamInterface<Backend> {
  Replay() : RunnerTest(cuda_status().usable ? GetParam() : Backend::cpu) {}
};

TEST_P(Replay, OfAMillionStepsIsGivenUpAtOnce) {
  if (GetParam() == Backend::cuda && !cuda_status().usable) GTEST_SKIP() << "no CUDA: " << cuda_status().problem;
  runner.build(request(0, 2, 1), 1'000'000);
  ASSERT_TRUE(wait_for([&] { return runner.simulation() && runner.simulation()->steps() > 3; }));
  ends_soon([&] { runner.cancel(); }, 200);
  EXPECT_TRUE(exact_tracks_agree(*runner.simulation()));
}
WARPLOOM_ON_BOTH_BACKENDS(Replay);

TEST_F(Threads, PauseStopsABatchAndNothingElse) {
  runner.build(request(0, 2, 1));
  runner.pause();  // a build goes on
  ASSERT_TRUE(wait_for([&] { return runner.simulation() && !runner.busy(); }));
  runner.step(1'000'000);
  ASSERT_TRUE(wait_for([&] { return !runner.progress().what.empty(); }));
  EXPECT_TRUE(runner.progress().what.starts_with("step ")) << runner.progress().what;
  ends_soon([&] { runner.pause(); }, 100);
  EXPECT_GT(runner.simulation()->steps(), 0u);
  EXPECT_LT(runner.simulation()->steps(), 1'000'000u);
  EXPECT_TRUE(exact_tracks_agree(*runner.simulation()));
}

TEST_F(Threads, APlayingSceneIsOneFrameAhead) {
  std::atomic<bool> may_go_on = false;
  BuildRequest build = request(0, 2, 1);
  build.make_tracks = [&, make = build.make_tracks](Queue& queue) {
    while (!may_go_on) std::this_thread::yield();
    return make(queue);
  };
  runner.build(build);
  EXPECT_FALSE(runner.play(1)) << "while tracks are built";
  may_go_on = true;
  ASSERT_TRUE(rests());
  ASSERT_TRUE(runner.play(1'000'000));
  ASSERT_TRUE(wait_for([&] { return runner.simulation()->steps() > 0; }));
  EXPECT_TRUE(runner.play(1'000'000));
  EXPECT_FALSE(runner.play(1'000'000)) << "two frames ahead";
  EXPECT_FALSE(runner.step(1));
  runner.pause();  // gives both up
  ASSERT_TRUE(rests());
  EXPECT_LT(runner.simulation()->steps(), 1'000'000u);
  ASSERT_TRUE(runner.play(40'000'000));
  ASSERT_TRUE(wait_for([&] { return !runner.progress().what.empty(); }));
  ASSERT_TRUE(runner.play(3));
  runner.reset();  // what was asked of the state before it, too
  ASSERT_TRUE(rests());
  EXPECT_EQ(runner.simulation()->steps(), 0u);
  EXPECT_TRUE(exact_tracks_agree(*runner.simulation()));
  // One after the other, and none is lost.
  std::uint64_t asked = 0;
  for (int frame = 0; frame < 50; ++frame) {
    if (runner.play(2)) asked += 2;
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
  ASSERT_TRUE(rests());
  EXPECT_EQ(runner.simulation()->steps(), asked);
}

TEST_F(Threads, AQuestionToNothingIsAnError) {
  Runner synchronous(Backend::cpu, true);
  for (Runner* one : {&runner, &synchronous}) EXPECT_THROW(one->ask([](Queue&, Simulation&) {}), Error);
}

TEST_F(Threads, ARunnerEndsInTheMiddleOfABatch) {
  for (int round = 0; round < 20; ++round) {
    Runner ending(Backend::cpu, false);
    ending.build(request(0, 2, 1), round % 2 ? 1'000'000 : 0);
    if (round % 3) std::this_thread::sleep_for(std::chrono::milliseconds(round));
  }
}

TEST_F(Threads, AChangeIsWholeAndSealed) {
  const auto simulation = built(fractal_request(2, 1, 0));
  const Cell corner{0, 63, 0};
  runner.change([&](Queue& queue, Simulation& all) { all.write_cells(queue, {&corner, 1}, 1); }, "painted");
  runner.cancel();
  ASSERT_TRUE(rests());
  EXPECT_EQ(runner.history(), "painted at step 0");
  EXPECT_TRUE(runner.painted());
  for (const auto& status : simulation->status()) EXPECT_EQ(status.seal.sum, 1u);
  runner.reset();
  ASSERT_TRUE(rests());
  EXPECT_EQ(runner.history(), "");
}

}  // namespace
}  // namespace warploom
