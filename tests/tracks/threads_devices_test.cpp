#include <atomic>
#include <random>

#include "gpu/core/error.h"
#include "gpu/scenes/butterfly/butterfly.h"
#include "gpu/scenes/fractal/fractal.h"
#include "gpu/tracks/facets/fill.h"
#include "gpu/tracks/facets/over_devices.h"
#include "tests/tracks/runs.h"
#include "viewer/draw/picture_worker.h"

// The threads of the window over tracks that several pools share: steps, cancelling, resets and other numbers of
// devices in any order, while pictures are painted and figures read.

namespace warploom {
namespace {

BuildRequest over_devices(int devices, std::uint64_t batch = 5) {
  ButterflySettings settings;
  settings.algorithm = "scan";
  settings.signal = "noise";
  settings.n = 7;
  settings.batch = batch;
  settings.devices = devices;
  const auto problem = std::make_shared<const ButterflyProblem>(ButterflyProblem{settings, {}});
  static constexpr const char* names[] = {"kogge_stone", "brent_kung/global", "ladner_fischer/shuffle@2",
                                          "ladner_fischer@1"};
  BuildRequest request = request_of(
      batch, 4, 0, 0, [problem](Queue& queue, int i) { return make_butterfly_track(queue, problem, names[i]); });
  request.settings = request.settings * 32 + static_cast<std::uint64_t>(devices);
  request.start_state = [](Queue& queue, Simulation& all) {
    all.start(queue, 0, [&](Track& track) { start_butterfly(track, queue); });
  };
  return request;
}

/// The same of a fractal's sliced states.
BuildRequest fractal_over_devices(int devices, std::uint64_t seed = 5) {
  FractalSettings settings;
  settings.mask.key = settings.mask.name = "gasket";
  settings.mask.rows = {"#.", "##"};
  settings.level = 9;
  settings.devices = devices;
  static constexpr const char* names[] = {"sliced", "sliced@2", "lambda_serial@1", "sliced@1"};
  BuildRequest request = request_of(
      seed, 4, 0, 0, [settings](Queue& queue, int i) { return make_fractal_track(queue, settings, names[i]); });
  request.settings = request.settings * 32 + static_cast<std::uint64_t>(devices);
  request.start_state = [seed](Queue& queue, Simulation& all) {
    all.start(queue, 0, [&](Track& track) { track.need<FillFacet>().fill(queue, seed, .5); });
  };
  return request;
}

class DevicesLive : public RunnerTest {
 protected:
  /// Steps, pictures, questions, cancelling, resets and other numbers of devices, in any order.
  void events_in_any_order(BuildRequest (*request_for)(int, std::uint64_t), int events);
};

void DevicesLive::events_in_any_order(BuildRequest (*request_for)(int, std::uint64_t), int events) {
  PictureWorker worker(Backend::cpu, true);
  std::mt19937 random(20261130);
  ASSERT_TRUE(built(request_for(4, 5)));
  int pictures = 0;
  for (int event = 0; event < events; ++event) {
    std::this_thread::sleep_for(std::chrono::microseconds(100));
    const auto simulation = runner.simulation();
    const unsigned which = random() % 100, detail = random();
    if (which < 40) {
      detail % 8 < 4 ? runner.step(1 + detail % 4) : runner.play(1 + detail % 4);
    } else if (which < 60 && simulation) {
      const PictureId id{detail % simulation->size(), 0};
      if (worker.take(id)) ++pictures;
      PictureRequest request{};
      request.camera = {64, 64, 2, 2};
      request.target.width = request.target.height = 32;
      if (!worker.working(id)) worker.post({simulation, id, request, 32, 32});
    } else if (which < 80 && simulation) {
      const auto* over = simulation->track(detail % simulation->size()).facet<OverDevices>();
      const auto report = over ? over->devices() : nullptr;
      for (std::size_t i = 0; report && i < report->timeline.size(); ++i) {
        ASSERT_LT(report->timeline[i].device, report->count);
      }
    } else if (which < 88) {
      runner.cancel();
    } else if (which < 92) {
      runner.reset();
    } else {
      runner.build(request_for(1 << detail % 4, 1 + detail / 8 % 6));
    }
  }
  EXPECT_GT(pictures, 0);
  const auto last = built(request_for(8, 9));  // of another start
  EXPECT_EQ(runner.error(), "");
  runner.step(3);
  ASSERT_TRUE(rests());
  EXPECT_EQ(last->steps(), 3u);
  for (const TrackStatus& status : last->status()) EXPECT_TRUE(status.agrees);
}
TEST_F(DevicesLive, EventsInAnyOrder) { events_in_any_order(over_devices, 600); }
TEST_F(DevicesLive, EventsOfFractalsInAnyOrder) { events_in_any_order(fractal_over_devices, 400); }

/// Two runners have one team: the window's own, and that which judges a puzzle.
TEST_F(DevicesLive, TwoRunnersShareATeam) {
  Runner other(Backend::cpu, false);
  ASSERT_TRUE(built(over_devices(4)));
  other.build(over_devices(4));
  ASSERT_TRUE(wait_for([&] { return !other.busy(); }));
  for (int i = 0; i < 20; ++i) {
    runner.step(2);
    other.step(2);
    ASSERT_TRUE(wait_for([&] { return !other.busy() && !runner.busy(); }));
  }
  EXPECT_EQ(runner.simulation()->status()[0].seal.hash, other.simulation()->status()[0].seal.hash);
  EXPECT_EQ(runner.simulation()->steps(), 40u);
}

}  // namespace
}  // namespace warploom
