#include <functional>

#include "gpu/core/error.h"
#include "gpu/core/scoped_member.h"
#include "gpu/core/watched_work.h"
#include "gpu/tracks/facets/all.h"
#include "tests/tracks/tracks.h"

// Cancelling, timings, threads, and agreement of the backends.

namespace warploom {
namespace {

std::vector<std::vector<std::uint8_t>> states(Queue& queue, Simulation& simulation) {
  std::vector<std::vector<std::uint8_t>> all;
  for (std::size_t i = 0; i < simulation.size(); ++i) all.push_back(simulation.track(i).need<Editable>().state(queue));
  return all;
}

struct Cancel : ::testing::Test {
  Queue queue{Backend::cpu, false, 2};
  std::unique_ptr<Simulation> both;
  std::vector<std::vector<std::uint8_t>> before;  ///< what is cancelled

  void start(const char* work, int steps, double density = .5) {
    both = make_simulation(queue, settings_of(gasket(), 6, 2, work), {"bounding_box", "lambda_serial"});
    fill(*both, queue, 1, density);
    for (int step = 0; step < steps; ++step) both->step(queue, nullptr);
    before = states(queue, *both);
  }
  template <class Body>
  void expect_cancelled(const std::atomic<bool>& cancel, Body&& body) {
    const ScopedMember<&Queue::cancel> cancelled(queue, &cancel);
    EXPECT_THROW(body(), Cancelled);
  }
  /// Every track is as it was after so many steps, and agrees.
  void expect_as_before(std::uint64_t steps) {
    EXPECT_EQ(both->steps(), steps);
    EXPECT_EQ(states(queue, *both), before);
    both->seal(queue, nullptr);  // as painting a cell does
    expect_agreement();
  }
  void expect_agreement() {
    for (const auto& status : both->status()) EXPECT_TRUE(status.agrees);
  }
};

TEST_F(Cancel, BeforeAStepLeavesEveryTrackAsItWas) {
  for (const auto* work : {"life", "single_write", "reduction"}) {
    SCOPED_TRACE(work);
    start(work, 1);
    const std::atomic<bool> cancel{true};
    expect_cancelled(cancel, [&] { both->step(queue, nullptr); });
    expect_as_before(1);
    both->step(queue, nullptr);  // and it goes on as if nothing had happened
    EXPECT_EQ(both->steps(), 2u);
    expect_agreement();
  }
}

/// Cancels when the kernel of this track is done.
struct CancelAfter {
  std::atomic<bool> cancel{false};
  Stopwatch stopwatch{Backend::cpu};
  CancelAfter(const std::string& kernel, int track) {
    stopwatch.on_sample = [this, kernel, track](const TimingSample& sample) {
      if (sample.kernel == kernel && sample.track == track) cancel = true;
    };
  }
};

TEST_F(Cancel, BetweenTwoTracks) {
  for (const auto* work : {"life", "reduction"})
    for (const int earlier_steps : {0, 1}) {
      SCOPED_TRACE(std::string(work) + " after " + std::to_string(earlier_steps));
      start(work, earlier_steps);
      CancelAfter after(both->track(0).kernel(), 0);
      expect_cancelled(after.cancel, [&] { both->step(queue, &after.stopwatch); });
      EXPECT_EQ(queue.stopwatch, nullptr);  // it belongs to the caller, who may be gone
      expect_as_before(static_cast<std::uint64_t>(earlier_steps));
    }
}

TEST_F(Cancel, BetweenStepAndSeal) {
  start("life", 0);
  CancelAfter after(both->track(1).kernel(), 1);
  queue.cancel = &after.cancel;
  bool cancelled = false;
  try {
    both->step(queue, &after.stopwatch);
  } catch (const Cancelled&) {
    cancelled = true;
  }
  queue.cancel = nullptr;
  // Either the whole step counts, or none of it.
  EXPECT_EQ(both->steps(), cancelled ? 0u : 1u);
  EXPECT_EQ(states(queue, *both) == before, cancelled);
}

/// A state that is brought back by hand is written whole, and sealed, although nobody wants what runs.
TEST_F(Cancel, WhatMustBeWholeIsSealedUnwanted) {
  start("life", 2);
  const std::vector<std::uint8_t> empty(before[0].size());
  const std::atomic<bool> unwanted{true};
  const WatchedWork watched({}, &unwanted);
  const ScopedNoCancel whole(queue);
  EXPECT_NO_THROW(load(*both, queue, empty));
  for (const auto& status : both->status()) EXPECT_TRUE(status.sealed && status.seal.sum == 0);
}

/// A start state is of all tracks or of none: cancelled after the first track's, every track stays as it was.
TEST_F(Cancel, AStartStateBetweenTwoTracks) {
  start("life", 3);
  const auto other = make_simulation(queue, settings_of(gasket(), 6, 2), {"bounding_box"});
  fill(*other, queue, 2, .4);
  const std::vector<std::uint8_t> box(before[0].size(), 1);
  const std::vector<std::pair<const char*, std::function<void()>>> starts{
      {"fill", [&] { fill(*both, queue, 7, .3); }},
      {"load", [&] { load(*both, queue, box); }},
      {"adopt", [&] { both->adopt(queue, *other); }}};
  for (const auto& [name, start_anew] : starts) {
    SCOPED_TRACE(name);
    CancelAfter after("fractal.initial", 0);
    {
      const ScopedStopwatch timed(queue, &after.stopwatch);
      expect_cancelled(after.cancel, start_anew);
    }
    expect_as_before(3);
    both->step(queue, nullptr);
    expect_agreement();
    both->write_cells(queue, {}, 1);
    load(*both, queue, before[0], 3);
  }
}

TEST_F(Cancel, PaintIsWhole) {
  start("life", 0, 0);
  const std::atomic<bool> cancel{true};
  queue.cancel = &cancel;
  const Cell corner{0, 63, 0};
  EXPECT_NO_THROW(both->write_cells(queue, {&corner, 1}, 1));
  queue.cancel = nullptr;
  both->seal(queue, nullptr);
  for (const auto& status : both->status()) EXPECT_EQ(status.seal.sum, 1u);
}

/// On a device nothing else stops what is cancelled: a kernel that runs cannot be called back.
TEST_F(Cancel, NothingCancelledIsLaunched) {
  for (const Backend backend : {Backend::cpu, Backend::cuda}) {
    if (backend == Backend::cuda && !cuda_status().usable) continue;
    const std::atomic<bool> cancel{true};
    Stopwatch stopwatch(backend);
    Queue own(backend, false, 1);
    const auto one = make_simulation(own, settings_of(gasket(), 4, 2), {"bounding_box"});
    int samples = 0;
    stopwatch.on_sample = [&](const TimingSample&) { ++samples; };
    own.cancel = &cancel;
    own.stopwatch = &stopwatch;
    EXPECT_THROW(one->track(0).step(own), Cancelled);
    stopwatch.collect(true);
    EXPECT_EQ(samples, 0);
  }
}

TEST(Timings, NewSettingsDropOldSamples) {
  Timings timings;
  for (int i = 1; i <= 5; ++i) timings.add({"work", 0, 11, double(i), 1000});
  timings.add_dropped({"work", 0, 11, 0, 0});
  EXPECT_EQ(timings.samples("work", 0), (std::vector<double>{1, 2, 3, 4, 5}));
  ASSERT_EQ(timings.table().size(), 1u);
  EXPECT_EQ(timings.table()[0].dropped, 1u);
  EXPECT_EQ(timings.table()[0].milliseconds.median, 3);
  EXPECT_DOUBLE_EQ(timings.table()[0].gb_per_s(), 1000 / 3e6);
  EXPECT_EQ(timings.table()[0].recent, (std::vector<float>{1, 2, 3, 4, 5}));
  timings.add({"work", 0, 12, 50, 1000});
  EXPECT_EQ(timings.samples("work", 0), std::vector<double>{50});
  EXPECT_EQ(timings.table()[0].dropped, 0u);
  timings.add({"a", 1, 12, 1, 0});
  timings.add({"a", 0, 12, 1, 0});
  const auto table = timings.table();
  ASSERT_EQ(table.size(), 3u);  // by kernel, then track
  EXPECT_EQ(table[0].kernel + std::to_string(table[0].track) + table[1].kernel + std::to_string(table[1].track),
            "a0a1");
  EXPECT_TRUE(timings.samples("none", 0).empty());
  timings.clear();
  EXPECT_TRUE(timings.table().empty());
}

TEST(Timings, TracksThatStayKeepTheirSamples) {
  Timings timings;
  for (int track = 0; track < 3; ++track) timings.add({"work", track, 1, double(track), 0});
  timings.keep({2, -1, 1});
  EXPECT_EQ(timings.samples("work", 0), std::vector<double>{2});
  EXPECT_TRUE(timings.samples("work", 1).empty());
  EXPECT_EQ(timings.samples("work", 2), std::vector<double>{1});
  timings.keep({-1});
  EXPECT_TRUE(timings.table().empty());
}

TEST(Timings, RatioIsBaselineOverTrack) {
  Timings timings;
  EXPECT_EQ(timings.ratio("work", 0, "work", 1).pairs, 0u);
  for (std::uint64_t i = 0; i < 20; ++i) timings.add({"work", 0, 1, 6, 0, i}), timings.add({"work", 1, 1, 2, 0, i});
  const Ratio ratio = timings.ratio("work", 0, "work", 1);
  EXPECT_EQ(ratio.pairs, 20u);
  EXPECT_DOUBLE_EQ(ratio.median, 3);
  for (std::uint64_t i = 20; i < 10'000; ++i) timings.add({"work", 0, 1, 1, 0, i});
  EXPECT_EQ(timings.samples("work", 0).size(), 4096u);
}

/// Samples of one step are compared, whatever was dropped or cancelled in between.
TEST(Timings, PairsAreOfOneStep) {
  Timings timings;
  for (std::uint64_t step = 1; step <= 40; ++step) {
    const auto time = static_cast<double>(step);
    timings.add({"work", 0, 1, 3 * time, 0, step});
    if (step == 20 || step == 40) continue;  // cancelled between the tracks
    if (step == 30)
      timings.add_dropped({"work", 1, 1, 0, 0, step});
    else
      timings.add({"work", 1, 1, time, 0, step});
  }
  const Ratio ratio = timings.ratio("work", 0, "work", 1);
  EXPECT_EQ(ratio.pairs, 37u);
  EXPECT_DOUBLE_EQ(ratio.low, 3);
  EXPECT_DOUBLE_EQ(ratio.high, 3);
}

TEST(Timings, LaunchesOfAStepAreOneTime) {
  Timings timings;
  for (std::uint64_t step = 1; step <= 10; ++step) {
    timings.add({"work", 0, 1, 6, 0, step});
    for (int launch = 0; launch < 3; ++launch) timings.add({"work", 1, 1, 1, 0, step});
  }
  timings.add_dropped({"work", 1, 1, 0, 0, 10});
  const Ratio ratio = timings.ratio("work", 0, "work", 1);
  EXPECT_EQ(ratio.pairs, 9u);
  EXPECT_DOUBLE_EQ(ratio.median, 2);
}

TEST(Timings, ASampleOutlivesWhoNamedIt) {
  Stopwatch stopwatch(Backend::cpu);
  TimingSample kept;
  stopwatch.on_sample = [&](const TimingSample& sample) { kept = sample; };
  Queue queue(Backend::cpu, false, 1);
  auto name = std::make_unique<std::string>("simplex.of_a_track_that_is_gone_by_now");
  queue.stopwatch = &stopwatch;
  TimedSpan span(queue, name->c_str(), 0);
  name.reset();
  span.finish();
  EXPECT_EQ(kept.kernel, "simplex.of_a_track_that_is_gone_by_now");
}

TEST(Timings, NoRatioAcrossSettings) {
  Timings timings;
  for (std::uint64_t i = 0; i < 5; ++i) timings.add({"work", 0, 1, 6, 0, i}), timings.add({"work", 1, 1, 2, 0, i});
  timings.add({"work", 0, 2, 60, 0, 5});  // track 1 has not yet run under the new settings
  EXPECT_EQ(timings.ratio("work", 0, "work", 1).pairs, 0u);
}

TEST(Backends, CpuAndCudaAgreeBitForBit) {
  if (!cuda_status().usable) GTEST_SKIP() << "no CUDA: " << cuda_status().problem;
  Queue cpu(Backend::cpu), cuda(Backend::cuda);
  for (const Mask& mask : all_masks()) {
    const int level = levels_up_to(mask, 3e5).back();
    for (const int j : oracle::legal_digits(mask.rows, level))
      for (const auto& info : fractal_tracks())
        for (const auto& work : fractal_works()) {
          if (!serves(settings_of(mask, level, j, work.key), info.name)) continue;
          SCOPED_TRACE(mask.key + " " + info.name + " " + work.key);
          const auto here = make_simulation(cpu, settings_of(mask, level, j, work.key), {info.name});
          const auto there = make_simulation(cuda, settings_of(mask, level, j, work.key), {info.name});
          fill(*here, cpu, 4, .4);
          fill(*there, cuda, 4, .4);
          for (int step = 0; step < 3; ++step) here->step(cpu, nullptr), there->step(cuda, nullptr);
          ASSERT_EQ(states(cpu, *here), states(cuda, *there));
          ASSERT_EQ(here->status()[0].seal.hash, there->status()[0].seal.hash);
          ASSERT_EQ(here->status()[0].folded, there->status()[0].folded);
          here->count(cpu), there->count(cuda);
          const auto counts_here = counts_of(here->track(0)), counts_there = counts_of(there->track(0));
          ASSERT_EQ(counts_here->sectors, counts_there->sectors);
          ASSERT_EQ(counts_here->warps_partial, counts_there->warps_partial);
          const auto dumped_here = here->track(0).dumps(cpu), dumped_there = there->track(0).dumps(cuda);
          ASSERT_EQ(dumped_here.size(), dumped_there.size());
          for (std::size_t array = 0; array < dumped_here.size(); ++array) {
            ASSERT_EQ(dumped_here[array].name, dumped_there[array].name);
            ASSERT_EQ(dumped_here[array].bytes, dumped_there[array].bytes);
          }
        }
  }
}

}  // namespace
}  // namespace warploom
