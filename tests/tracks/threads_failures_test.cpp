#include "gpu/core/error.h"
#include "tests/tracks/runs.h"
#include "viewer/draw/picture_worker.h"

// What the window's threads do when something fails: steps, builds, pictures, or the window itself goes.

namespace warploom {
namespace {

class ThreadsFailing : public RunnerTest {};

/// The window goes before the runner: nothing wakes it then.
TEST_F(ThreadsFailing, AWindowThatIsGoneIsNotWoken) {
  std::atomic<int> woken{0};
  std::atomic<bool> gone{false}, woken_when_gone{false};
  runner.set_on_change([&] {
    ++woken;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    if (gone) woken_when_gone = true;
  });
  runner.build(fractal_request(2, 1), 100'000);
  ASSERT_TRUE(wait_for([&] { return woken > 0; }));
  runner.set_on_change(nullptr);
  gone = true;
  const int before = woken;
  runner.cancel();
  ASSERT_TRUE(rests());
  EXPECT_EQ(woken, before);
  EXPECT_FALSE(woken_when_gone);
}

/// Tracks that fit alone, but not beside those that are shown: as of bins, whose memory is known when they are made.
TEST_F(ThreadsFailing, TracksThatDoNotFitBesideTheOldOnesReplaceThem) {
  ASSERT_TRUE(built(fractal_request(2, 1)));
  BuildRequest large = fractal_request(1, 2);
  large.make_tracks = [this, make = large.make_tracks](Queue& queue) {
    if (runner.simulation()) throw MemoryError("8 GiB needed, 6 GiB free");
    return make(queue);
  };
  const std::uint64_t number = runner.build(large);
  ASSERT_TRUE(rests());
  EXPECT_EQ(runner.error(), "");
  EXPECT_EQ(runner.builds().shown, number);
  ASSERT_TRUE(runner.simulation());
  EXPECT_EQ(runner.simulation()->size(), 1u);
}

TEST_F(ThreadsFailing, APictureThatFailsSaysWhy) {
  Queue queue(Backend::cpu);
  BuildRequest made = fractal_request(1, 1);
  auto timings = std::make_shared<Timings>();
  auto simulation = std::make_shared<Simulation>(made.make_tracks(queue), timings, 0, nullptr);
  made.start_state(queue, *simulation);
  PictureWorker worker(Backend::cpu, true);
  PictureRequest plain;
  const std::size_t none = simulation->track(0).pictures().size();  // no such picture: at() throws
  worker.post({simulation, {0, none}, plain, 8, 8});
  std::optional<PictureWorker::Painted> painted;
  ASSERT_TRUE(wait_for([&] { return (painted = worker.take({0, none})).has_value(); }));
  EXPECT_FALSE(painted->failure.empty());
  worker.post({simulation, {0, 0}, plain, 8, 8});
  ASSERT_TRUE(wait_for([&] { return (painted = worker.take({0, 0})).has_value(); }));
  EXPECT_EQ(painted->failure, "");
}

/// A step of a state that is too large for memory is refused as the same setting at the start is: exit code 2.
TEST_F(ThreadsFailing, ARefusalInAStepStaysARefusal) {
  struct Refuses final : Track {
    Refuses() {
      info_.name = "refuses";
      kernel_ = "test.refuses";
      stages_ = {{kernel_, {{{1, 1, 1}, {1, 1, 1}}}, 0, false}};
    }
    void adopt(Queue&, const Track&) override {}
    void publish(Queue&) override {}
    void step(Queue&) override { throw UsageError("9 GiB needed, 2 GiB free"); }
    std::optional<Seal> seal(Queue&) override { return Seal{}; }
    std::optional<Cell> first_difference(Queue&, const Track&) override { return std::nullopt; }
    std::vector<DumpArray> dumps(Queue&) override { return {}; }
  };
  Queue queue(Backend::cpu);
  std::vector<std::unique_ptr<Track>> tracks;
  tracks.push_back(std::make_unique<Refuses>());
  Simulation simulation(std::move(tracks), std::make_shared<Timings>(), 0, nullptr);
  simulation.start(queue, 0, [](Track&) {});
  try {
    simulation.step(queue, nullptr);
    FAIL() << "not refused";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::usage);
    EXPECT_STREQ(error.what(), "step 1: 9 GiB needed, 2 GiB free");
  }
}

}  // namespace
}  // namespace warploom
