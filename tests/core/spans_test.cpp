#include <gtest/gtest.h>

#include <chrono>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "gpu/core/host_stage.h"
#include "gpu/core/launch.h"
#include "gpu/core/stopwatch.h"

// Spans nest: a pipeline shows its stages and their sum; host stages run beside and are timed like kernels.

namespace warploom {
namespace {

using std::chrono::milliseconds;

struct Sleep {
  int wanted;
  template <class Group>
  WARPLOOM_HD void operator()(Group&) const {
#ifndef __CUDA_ARCH__
    std::this_thread::sleep_for(milliseconds(wanted));
#endif
  }
};

class Spans : public ::testing::Test {
 protected:
  void SetUp() override {
    stopwatch.on_sample = [this](const TimingSample& sample) { samples[sample.kernel].push_back(sample); };
    queue.stopwatch = &stopwatch;
  }
  void run(const char* kernel, int wanted) { launch(kernel, queue, {{1, 1, 1}, {1, 1, 1}}, Sleep{wanted}); }
  double time(const std::string& kernel) { return samples.at(kernel).at(0).milliseconds; }

  Queue queue{Backend::cpu, false, 2};
  Stopwatch stopwatch{Backend::cpu};
  std::map<std::string, std::vector<TimingSample>> samples;
};

TEST_F(Spans, StagesAndTheirSumAreBothTimed) {
  TimedSpan all(queue, "pipe.total", 100);
  run("pipe.first", 4);
  run("pipe.second", 8);
  all.finish();
  ASSERT_EQ(samples.size(), 3u);
  EXPECT_GE(time("pipe.first"), 4);
  EXPECT_GE(time("pipe.second"), 8);
  EXPECT_GE(time("pipe.total"), time("pipe.first") + time("pipe.second"));
  EXPECT_EQ(samples["pipe.total"][0].bytes, 100u);
}

TEST_F(Spans, SpansOfSpans) {
  TimedSpan outer(queue, "outer", 0);
  {
    TimedSpan inner(queue, "inner", 0);
    run("leaf", 2);
    inner.finish();
  }
  run("leaf", 2);
  outer.finish();
  EXPECT_EQ(samples["leaf"].size(), 2u);
  EXPECT_GE(time("outer"), time("inner") + samples["leaf"][1].milliseconds);
}

TEST_F(Spans, LaunchesOfTheSpansOwnNameArePartsOfIt) {
  TimedSpan all(queue, "map.work", 0);
  for (int i = 0; i < 3; ++i) run("map.work", 1);
  all.finish();
  ASSERT_EQ(samples.size(), 1u);
  ASSERT_EQ(samples["map.work"].size(), 1u);
  EXPECT_GE(time("map.work"), 3);
}

TEST_F(Spans, WhatIsLeftUnfinishedTakesNoSampleAndSilencesNobody) {
  {
    TimedSpan broken(queue, "broken", 0);
    run("part", 0);
  }
  run("after", 0);
  EXPECT_FALSE(samples.contains("broken"));
  EXPECT_EQ(samples["part"].size(), 1u);
  EXPECT_EQ(samples["after"].size(), 1u);
}

TEST_F(Spans, ACancelledLaunchLeavesNoOpenSpan) {
  std::atomic<bool> cancel{true};
  queue.cancel = &cancel;
  EXPECT_THROW(launch("never", queue, {{100000, 1, 1}, {64, 1, 1}}, Sleep{0}), Cancelled);
  queue.cancel = nullptr;
  run("never", 0);  // not taken for a part of the one that was cancelled
  EXPECT_EQ(samples["never"].size(), 1u);
}

TEST_F(Spans, AHostStageRunsBesideTheQueue) {
  const auto begin = std::chrono::steady_clock::now();
  TimedSpan all(queue, "total", 0);
  HostStage spill(queue, "spill", 24, [](Pool& pool, const std::atomic<bool>*) {
    EXPECT_GE(pool.threads(), 1u);
    std::this_thread::sleep_for(milliseconds(60));
  });
  run("gather", 60);
  spill.wait();
  all.finish();
  const auto took = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
  EXPECT_LT(took, 115) << "one after the other";
  EXPECT_GE(time("spill"), 60);
  EXPECT_GE(time("total"), 60);
  EXPECT_EQ(samples["spill"][0].bytes, 24u);
}

TEST_F(Spans, AHostStagesFailureIsThrownWhereItIsAwaited) {
  HostStage bad(queue, "bad", 0, [](Pool&, const std::atomic<bool>*) { throw Error("the spill is full"); });
  EXPECT_THROW(bad.wait(), Error);
  EXPECT_FALSE(samples.contains("bad"));
}

TEST_F(Spans, ACancelledHostStageTakesNoSample) {
  std::atomic<bool> cancel{false};
  queue.cancel = &cancel;
  HostStage stage(queue, "stage", 0, [](Pool&, const std::atomic<bool>* stop) {
    while (!stop->load()) std::this_thread::yield();
  });
  cancel = true;
  EXPECT_THROW(stage.wait(), Cancelled);
  EXPECT_FALSE(samples.contains("stage"));
  queue.cancel = nullptr;
}

}  // namespace
}  // namespace warploom
