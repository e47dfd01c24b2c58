#include <atomic>
#include <random>

#include "gpu/core/error.h"
#include "gpu/scenes/butterfly/butterfly.h"
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

class DevicesLive : public RunnerTest {};

TEST_F(DevicesLive, EventsInAnyOrder) {
  PictureWorker worker(Backend::cpu, true);
  std::mt19937 random(20261130);
  ASSERT_TRUE(built(over_devices(4)));
  int pictures = 0;
  for (int event = 0; event < 600; ++event) {
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
      runner.build(over_devices(1 << detail % 4, 1 + detail / 8 % 6));
    }
  }
  EXPECT_GT(pictures, 0);
  const auto last = built(over_devices(8, 9));  // of another start
  EXPECT_EQ(runner.error(), "");
  runner.step(3);
  ASSERT_TRUE(rests());
  EXPECT_EQ(last->steps(), 3u);
  for (const TrackStatus& status : last->status()) EXPECT_TRUE(status.agrees);
}

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
