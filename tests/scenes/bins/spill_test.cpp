#include <algorithm>
#include <random>
#include <thread>

#include "gpu/scenes/bins/kernels/cap_search.h"
#include "tests/scenes/bins/bins.h"

namespace warploom {
namespace {

class BinsSpill : public BinsTest {
 protected:
  static BinSettings settings_of(const std::string& application) {
    BinSettings settings{.application = application, .input = sanitized ? "60" : application == "mri" ? "400" : "150"};
    if (application == "cutcp") settings.spacing = 2, settings.cutoff = 5;
    if (application == "blinn") settings.spacing = 1.5, settings.bin = 3;
    return settings;
  }
};

TEST_P(BinsSpill, WhatABinHasNoSlotsForIsNotLost) {
  for (const char* application : {"cutcp", "mri", "blinn", "nbody"})
    for (const std::int64_t cap : {0, 1, 3, 10000}) {
      if (sanitized && cap == 3) continue;
      BinSettings settings = settings_of(application);
      settings.cap = cap;
      const auto problem = make_bin_problem(settings);
      const auto simulation = this->simulation(
          problem,
          {"none/gather", "regular/count/spill", "regular/sentinel/spill", "compact/bin/spill", "compact/range/spill"},
          2);
      check_all(*simulation, *queue, *problem);
      for (std::size_t i = 1; i < simulation->size(); ++i) {
        Track& track = simulation->track(i);
        SCOPED_TRACE(std::string(application) + ", " + track.info().name + ", cap " + std::to_string(cap));
        EXPECT_EQ(simulation->status()[i].seal.sum, problem->input.count());
        EXPECT_EQ(track.info().storage, "spill");
        const Dumped dump(track, *queue);
        ASSERT_TRUE(dump.has("order"));
        const auto counts = dump.of<std::uint32_t>("counts"), bins = dump.of<std::uint32_t>("bins");
        const auto offsets = dump.of<std::int64_t>("offsets");
        const auto order = dump.of<std::int32_t>("order"), overflow = dump.of<std::int32_t>("overflow");
        for (std::uint64_t bin = 0; bin < counts.size(); ++bin) {
          const auto held = std::count_if(order.begin() + offsets[bin], order.begin() + offsets[bin + 1],
                                          [](std::int32_t element) { return element >= 0; });
          ASSERT_EQ(held, std::min<std::int64_t>(counts[bin], cap)) << "bin " << bin;
        }
        const auto numbers = this->numbers(track);
        EXPECT_EQ(numbers.at("cap"), double(cap));
        EXPECT_EQ(numbers.at("spilled"), double(overflow.size()));
        EXPECT_EQ(numbers.at("binned"), double(bins.size() - overflow.size()));
        EXPECT_EQ(numbers.at("slots"), double(order.size()));
        EXPECT_EQ(numbers.at("padding"), double(order.size()) - double(bins.size() - overflow.size()));
      }
    }
}

TEST_P(BinsSpill, TheCapIsSearchedFor) {
  for (const char* application : {"mri", "nbody"}) {
    SCOPED_TRACE(application);
    const auto problem = make_bin_problem(settings_of(application));
    const auto simulation = this->simulation(problem, {"none/gather", "regular/count/spill", "compact/range/spill"}, 1);
    for (std::size_t i = 1; i < 3; ++i) {
      EXPECT_TRUE(simulation->status()[i].agrees);
      const Dumped dump(simulation->track(i), *queue);
      const auto curve = dump.of<double>("cap_curve");
      const auto& shape = dump.raw("cap_curve").shape;
      ASSERT_EQ(shape.size(), 2u);
      ASSERT_EQ(shape[1], 4u);
      ASSERT_GE(shape[0], 2u);
      ASSERT_LE(shape[0], 12u);
      const auto counts = dump.of<std::uint32_t>("counts");
      // Bodies have moved since.
      if (std::string(application) == "mri") {
        EXPECT_EQ(curve[0], *std::max_element(counts.begin(), counts.end())) << "the deepest first";
      }
      EXPECT_EQ(curve[4], 0) << "then nothing";
      std::pair<double, double> best{INFINITY, 0}, with_bins = best;
      for (std::size_t row = 0; row < shape[0]; ++row) {
        EXPECT_EQ(curve[4 * row + 3], std::max(curve[4 * row + 1], curve[4 * row + 2]));
        const std::pair<double, double> one{curve[4 * row + 3], -curve[4 * row]};
        best = std::min(best, one);
        if (one.second < 0) with_bins = std::min(with_bins, one);
      }
      // No bins are the answer only where they are clearly slower.
      if (best.second == 0 && with_bins.first <= 1.05 * best.first) best = with_bins;
      EXPECT_EQ(numbers(simulation->track(i)).at("cap"), -best.second) << "the least, the larger of two as good";
    }
  }
}

TEST_P(BinsSpill, ASearchIsCancelledSoon) {
  // Seconds of work here; a device has more of it to do.
  const bool device = GetParam() == Backend::cuda;
  const auto problem = make_bin_problem({.application = "cutcp",
                                         .input = device      ? "300000"
                                                  : sanitized ? "600"
                                                              : "3000"});
  const auto track = make_bins_track(*queue, problem, "compact/range/spill");
  std::atomic<bool> cancel{false};
  std::chrono::steady_clock::time_point asked;
  queue->cancel = &cancel;
  std::thread user([&, device] {
    std::this_thread::sleep_for(std::chrono::milliseconds(device ? 60 : 300));
    asked = std::chrono::steady_clock::now();
    cancel = true;
  });
  EXPECT_THROW(start_bins(*track, *queue), Cancelled);
  const auto took = std::chrono::steady_clock::now();
  user.join();
  queue->cancel = nullptr;
  const double milliseconds = std::chrono::duration<double, std::milli>(took - asked).count();
  // A chunk of blocks is done before a launch stops: under a sanitizer, with every access looked at, that takes
  // seconds.
  EXPECT_LT(milliseconds, sanitized ? 20000 : 200);
}

WARPLOOM_ON_BOTH_BACKENDS(BinsSpill);

// ---- the search alone, over models ----------------------------------------------------------------------------------

struct Model {
  double gather, gather_slope, spill, decay;
  CapTime operator()(std::uint32_t cap) const {
    return {cap, gather + gather_slope * cap, spill * std::exp(-decay * cap)};
  }
};

TEST(CapSearch, FindsWhereTheTimesMeet) {
  std::mt19937 random(1);
  std::vector<double> worse;
  for (int run = 0; run < 400; ++run) {
    const auto uniform = [&](double low, double high) { return low + (high - low) * double(random()) / 4294967296.; };
    const std::uint32_t deepest = 2 + random() % 2000;
    const Model model{uniform(.1, 5), uniform(.001, .1), uniform(1, 500), uniform(.001, 1)};
    const auto noisy = [&] { return 1 + uniform(-.05, .05); };
    std::vector<CapTime> measured;
    const std::uint32_t cap = search_cap(
        deepest,
        [&](std::uint32_t at, double) {
          CapTime time = model(at);
          time.gather *= noisy();
          time.spill *= noisy();
          return time;
        },
        measured);
    ASSERT_GE(measured.size(), 2u);
    ASSERT_LE(measured.size(), 12u);
    EXPECT_EQ(measured[0].cap, deepest);
    EXPECT_EQ(measured[1].cap, 0u);
    double best = INFINITY;
    for (std::uint32_t at = 0; at <= deepest; ++at) best = std::min(best, model(at).total());
    worse.push_back(model(cap).total() / best - 1);
    EXPECT_LE(model(cap).total(), 1.11 * std::min(model(0).total(), model(deepest).total())) << "worse than an end";
  }
  std::sort(worse.begin(), worse.end());
  EXPECT_LE(worse[worse.size() / 2], .05) << "median";
  EXPECT_LE(worse[worse.size() * 95 / 100], .15) << "95th percentile";
}

TEST(CapSearch, StopsWhereNothingIsToBeGained) {
  std::vector<CapTime> measured;
  // To bin nothing is best, and the spill costs nothing.
  const auto growing = [](std::uint32_t cap, double) { return CapTime{cap, 5. + cap, 1}; };
  EXPECT_EQ(search_cap(50, growing, measured), 0u);
  EXPECT_EQ(measured.size(), 3u) << "the least cap with bins is tried, too";
  // What is given up is never the answer, and asks for patience of four times the best so far.
  double patience = 0;
  const std::uint32_t cap = search_cap(
      8,
      [&](std::uint32_t at, double give_up_after) {
        if (at == 0) patience = give_up_after;
        return at < 5 ? CapTime{at, 1, give_up_after, true} : CapTime{at, 2, 1};
      },
      measured);
  EXPECT_EQ(patience, 8);
  EXPECT_GE(cap, 5u);
  // Of two as good the larger.
  const auto equal = [](std::uint32_t at, double) { return CapTime{at, 1, 1}; };
  EXPECT_EQ(search_cap(1, equal, measured), 1u);
}

/// What is no faster than noise does not speak for leaving all to the CPU.
TEST(CapSearch, PrefersBinsWithinNoise) {
  std::vector<CapTime> measured;
  const auto slower_by = [](double share) {
    return [share](std::uint32_t cap, double) { return CapTime{cap, cap == 0 ? 1 : cap == 1 ? 1 + share : 5, .5}; };
  };
  EXPECT_EQ(search_cap(9, slower_by(.04), measured), 1u);
  ASSERT_EQ(measured.size(), 3u);
  EXPECT_EQ(measured[2].cap, 1u);
  EXPECT_EQ(search_cap(9, slower_by(.06), measured), 0u);
  EXPECT_EQ(search_cap(1, slower_by(.04), measured), 1u) << "the deepest may be the least cap with bins";
  EXPECT_EQ(measured.size(), 2u);
}

}  // namespace
}  // namespace warploom
