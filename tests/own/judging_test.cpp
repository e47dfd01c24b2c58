#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <vector>

#include "gpu/core/error.h"
#include "gpu/core/stopwatch.h"
#include "gpu/own/registry.h"
#include "gpu/scenes/simplex/own/arguments.h"
#include "gpu/scenes/simplex/simplex.h"
#include "gpu/tracks/facets/counted.h"
#include "gpu/tracks/facets/threads.h"
#include "gpu/tracks/facets/written.h"
#include "gpu/tracks/own_judging.h"
#include "gpu/tracks/own_judging_time.h"
#include "gpu/tracks/simulation.h"

// Own maps that are judged part after part, while they step: what is found is what judging them at once finds.

namespace warploom {
namespace {

/// One block is left out, another is served a second time.
const char* const twice_and_never =
    "Place place(Block b, Domain) {\n"
    "  if (b.x == 5 && b.y == 60) return nowhere;\n"
    "  if (b.x == 90 && b.y == 2) return {7, 100};\n"
    "  return {b.x, b.y};\n"
    "}\n";
const char* const box_text = "Place place(Block b, Domain) { return {b.x, b.y}; }\n";
const char* const box_of_cells_text = "Place cell(Thread t, Domain) { return {t.x, t.y}; }\n";

struct OwnJudgingInParts : testing::Test {
  OwnJudgingInParts() {
    settings.kind = &find_simplex_kind("triangle");
    settings.n = 1800;  // some 230 chunks
    settings.rho = 16;
  }
  void TearDown() override {
    for (const auto& one : own_names()) drop_own(one);
  }
  /// Beside a bounding box, from a start state; judged for so many seconds.
  std::unique_ptr<Simulation> make(double seconds) {
    const OwnJudgingTime time(seconds);
    std::vector<std::unique_ptr<Track>> tracks;
    tracks.push_back(make_simplex_track(queue, settings, "bounding_box"));
    tracks.push_back(make_simplex_track(queue, settings, name));
    timings = std::make_shared<Timings>();
    auto made = std::make_unique<Simulation>(std::move(tracks), timings, 0);
    fill(*made, queue, 7, .4);
    made->count(queue);
    return made;
  }
  static Written& written(const Simulation& of) { return of.track(1).need<Written>(); }
  void step(Simulation& all) {
    Stopwatch stopwatch(Backend::cpu);
    stopwatch.on_sample = [this](const TimingSample& sample) { timings->add(sample); };
    all.step(queue, &stopwatch);
    stopwatch.collect(true);
  }
  std::size_t samples(const Simulation& of) { return timings->samples(of.track(1).kernel(), 1).size(); }
  void read(const char* text) { name = add_own(read_own_text("box.h", text)); }

  Queue queue{Backend::cpu};
  SimplexSettings settings;
  std::string name;
  std::shared_ptr<Timings> timings;
};

void expect_same(const Judgement& one, const Judgement& other) {
  EXPECT_TRUE(one.whole && other.whole);
  EXPECT_EQ(one.visits, other.visits);
  EXPECT_EQ(one.cells, other.cells);
  EXPECT_EQ(one.served, other.served);
  EXPECT_EQ(one.missed, other.missed);
  EXPECT_EQ(one.doubled, other.doubled);
  EXPECT_EQ(one.outside, other.outside);
  EXPECT_EQ(one.first_missed, other.first_missed);
  EXPECT_EQ(one.first_doubled, other.first_doubled);
}

TEST_F(OwnJudgingInParts, FindsWhatOnePartFinds) {
  for (const char* text : {box_text, twice_and_never, box_of_cells_text}) {
    read(text);
    const auto at_once = make(1e9), later = make(0);
    const OwnState whole = written(*at_once).own();
    EXPECT_FALSE(at_once->judged());
    ASSERT_TRUE(written(*later).own().judging());
    EXPECT_GT(later->judged().value_or(0), 0);
    EXPECT_FALSE(counts_of(later->track(1)));
    int parts = 0;
    for (double before = 0; const auto share = later->judged(); ++parts) {
      EXPECT_GE(*share, before);
      before = *share;
      later->judge(queue, 0);
    }
    EXPECT_GT(parts, 2);
    const OwnState found = written(*later).own();
    expect_same(found.judgement, whole.judgement);
    EXPECT_EQ(found.judgement.keeps(), text != twice_and_never);
    EXPECT_EQ(found.trusted, whole.trusted);
    EXPECT_STREQ(later->status()[1].badge(), text == twice_and_never ? "CONTRACT BROKEN" : "");
    const auto counts = counts_of(later->track(1)), counts_at_once = counts_of(at_once->track(1));
    ASSERT_TRUE(counts && counts_at_once);
    EXPECT_EQ(counts->useful, counts_at_once->useful);
    EXPECT_EQ(counts->sectors, counts_at_once->sectors);
    Owner who, who_at_once;
    const Cell cell{123, 1400, 0};
    ASSERT_TRUE(later->track(1).need<Threads>().owner(cell, who));
    ASSERT_TRUE(at_once->track(1).need<Threads>().owner(cell, who_at_once));
    EXPECT_EQ(who.block, who_at_once.block);
    EXPECT_EQ(who.thread, who_at_once.thread);
  }
}

TEST_F(OwnJudgingInParts, StepsMeanwhileAndIsTimedAfterwards) {
  read(box_text);
  const auto all = make(0);
  for (int i = 0; i < 3; ++i) {
    step(*all);
    EXPECT_TRUE(all->status()[1].agrees);
  }
  ASSERT_TRUE(all->judged());
  EXPECT_FALSE(written(*all).own().trusted);
  EXPECT_EQ(samples(*all), 0u);  // the checked step is no figure
  EXPECT_FALSE(all->ratio_to_baseline(1));
  while (all->judged()) all->judge(queue, .01);
  EXPECT_TRUE(written(*all).own().trusted);
  for (int i = 0; i < 2; ++i) {
    step(*all);
    EXPECT_TRUE(all->status()[1].agrees);
  }
  EXPECT_EQ(samples(*all), 2u);
}

TEST_F(OwnJudgingInParts, WhatIsCancelledBeginsAnew) {
  read(twice_and_never);
  const auto at_once = make(1e9), all = make(0);
  all->judge(queue, 0);
  const double before = all->judged().value_or(0);
  std::atomic<bool> cancel{true};
  queue.cancel = &cancel;
  EXPECT_THROW(all->judge(queue, 0), Cancelled);
  queue.cancel = nullptr;
  ASSERT_TRUE(all->judged());
  EXPECT_LT(*all->judged(), before);
  step(*all);
  while (all->judged()) all->judge(queue, .01);
  expect_same(written(*all).own().judgement, written(*at_once).own().judgement);
}

TEST_F(OwnJudgingInParts, ItsEndIsCancelledToo) {
  own::Launches shape{1, 1, {1, 1, 1}, {{1, 1, 1}}};
  const std::uint64_t cells = 1u << 23;
  OwnJudging<own::SimplexRun<2>> judging(queue, {}, shape, cells, false);
  std::atomic<bool> cancel{false};
  queue.cancel = &cancel;
  Judgement judged;
  std::uint64_t passed = 0;
  const auto each_cell = [&](auto&& body) {
    for (; passed < cells; ++passed) {
      if (passed == 5) cancel = true;
      body(Cell{}, passed);
    }
  };
  EXPECT_THROW(judging.take(queue, 1, each_cell, judged), Cancelled);
  EXPECT_LT(passed, cells / 4);
  EXPECT_FALSE(judged.whole);
  queue.cancel = nullptr;
}

TEST_F(OwnJudgingInParts, AFallLaterIsAFall) {
  read("Place place(Block b, Domain) { return {b.x, 1000 / (b.y == 99 ? b.x - b.x : 1) ? b.y : b.y}; }\n");
  const auto all = make(0);
  ASSERT_TRUE(all->judged());
  while (all->judged()) all->judge(queue, 0);
  EXPECT_EQ(written(*all).own().fault.value_or(OwnFault{}).kind, "division");
  EXPECT_STREQ(all->status()[1].badge(), "FELL");
  EXPECT_FALSE(all->status()[1].agrees);
  EXPECT_TRUE(all->status()[0].agrees);
}

}  // namespace
}  // namespace warploom
