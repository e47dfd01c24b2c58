#include <gtest/gtest.h>

#include <chrono>
#include <random>
#include <thread>

#include "gpu/core/error.h"
#include "gpu/scenes/bins/bins.h"
#include "gpu/scenes/bins/pictures/colours.h"
#include "gpu/tracks/facets/all.h"
#include "tests/tracks/runs.h"
#include "viewer/draw/picture_worker.h"

// Bins under the three threads of the window: one steps, one paints all their pictures, one asks what cards show.

namespace warploom {
namespace {

BuildRequest bins_request(unsigned which) {
  BinSettings settings{.input = "150", .cap = which % 2};
  std::vector<std::string> tracks{"regular/count/spill", "compact/range"};
  if (which % 3 == 1) {
    settings.application = "mri";
    tracks = {"compact/subproblem", "compact/trimmed"};
  } else if (which % 3 == 2) {
    settings = {.application = "blinn", .input = "12", .spacing = 2, .cap = settings.cap};
    tracks = {"none/scatter", "compact/bin"};
  }
  BuildRequest request;
  request.start = which % 3;
  request.settings = which % 6;
  request.check_memory = [](std::uint64_t) {};
  request.make_tracks = [settings, tracks](Queue& queue) {
    const auto problem = make_bin_problem(settings);
    std::vector<std::unique_ptr<Track>> all;
    for (const auto& name : tracks) all.push_back(make_bins_track(queue, problem, name));
    return all;
  };
  request.start_state = [](Queue& queue, Simulation& all) {
    all.start(queue, 0, [&](Track& track) { start_bins(track, queue); });
  };
  return request;
}

bool idle(Runner& runner) {
  return wait_for([&] { return !runner.busy(); });
}

PictureRequest picture_of(const Picture& picture, unsigned detail) {
  PictureRequest request{};
  const double pixel = detail % 3 ? .5 : .02;  // near, dots and slots are asked for
  request.camera = {4, 4, pixel, pixel};
  request.target.width = request.target.height = 32;
  request.solid.slice_axis = static_cast<int>(detail % 4) - 1;
  request.solid.slice = .5;
  if (picture.info().key == "launch" && detail % 2) request.colour_by = bin_colours::time;
  return request;
}

/// What cards and marks ask of a track.
void ask_all(Track& track, unsigned detail, Queue& questions) {
  const Selection bin{"bin", {detail % 7, detail % 5, detail % 3}, 0, {}};
  for (Picture* picture : track.pictures()) {
    const PictureRequest request = picture_of(*picture, detail);
    (void)picture->version(request);
    (void)picture->caption();
    (void)picture->heading();
    (void)picture->range(request);
    (void)picture->legend(request);
    (void)picture->extent({1, request.solid.slice_axis, .5});
    (void)picture->marks({bin, std::nullopt, std::nullopt, true});
    const Selection found = picture->at(&questions, request, 12, 9);
    (void)picture->marks({found, std::nullopt, std::nullopt, true});
    (void)picture->values(questions, {}, {4, 4, 1});
  }
  if (const auto* curves = track.facet<Curves>()) (void)curves->curves();
  if (const auto* budget = track.facet<BudgetFacet>()) (void)budget->budget();
  if (auto* described = track.facet<Described>())
    for (const Selection& asked : {bin, Selection{"element", {detail % 11, 0, 0}, 0, {}}}) {
      described->ask(questions, asked);
      (void)described->describe(asked);
    }
  (void)track.bytes();
}

TEST(ThreadsOfBins, BinsAreSteppedPaintedAndAskedAtOnce) {
  PictureWorker worker(Backend::cpu, true);
  Queue questions(Backend::cpu, true, 1);
  Runner runner(Backend::cpu, false);
  std::mt19937 random(7);
  runner.build(bins_request(0));
  ASSERT_TRUE(idle(runner));
  int painted = 0, answered = 0;
  for (int event = 0; event < 3000; ++event) {
    if (event % 8 == 0) std::this_thread::sleep_for(std::chrono::microseconds(300));
    const auto simulation = runner.simulation();
    const unsigned which = random() % 100, detail = random();
    if (which < 45 && simulation) {
      const std::size_t at = detail % simulation->size();
      const PictureId id{at, detail / 8 % simulation->track(at).pictures().size()};
      if (worker.take(id)) ++painted;
      if (!worker.working(id)) {
        const Picture& picture = *simulation->track(id.track).pictures()[id.picture];
        worker.post({simulation, id, picture_of(picture, detail), 32, 32});
      }
    } else if (which < 70 && simulation) {
      ask_all(simulation->track(detail % simulation->size()), detail, questions);
    } else if (which < 90) {
      runner.step(1 + detail % 3);
    } else if (which < 93) {
      runner.cancel();
    } else if (which < 95) {
      runner.reset();
    } else if (which < 98) {
      try {
        answered += runner.ask([](Queue& queue, Simulation& all) {
          for (std::size_t i = 0; i < all.size(); ++i) (void)all.track(i).need<Numbers>().numbers(queue);
          return bin_results(all.reference_track(), queue).empty() ? 0 : 1;
        });
      } catch (const Error& error) {
        ASSERT_STREQ(error.what(), "nothing is built yet");
      }
    } else {
      runner.build(bins_request(detail % 6));
    }
  }
  EXPECT_GT(painted, 20);
  EXPECT_GT(answered, 10);
  runner.build(bins_request(0));
  ASSERT_TRUE(idle(runner));
  runner.step(2);
  ASSERT_TRUE(idle(runner));
  EXPECT_EQ(runner.error(), "");
  for (const auto& status : runner.simulation()->status()) EXPECT_TRUE(status.agrees);
}

}  // namespace
}  // namespace warploom
