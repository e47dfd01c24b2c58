#include <gtest/gtest.h>

#include <set>

#include "gpu/scenes/butterfly/kernels/edges.h"
#include "gpu/scenes/butterfly/kernels/general_plans.h"
#include "tests/scenes/butterfly/run.h"

// Plans say where the elements of networks are; kernels find them there.

namespace warploom {
namespace {

constexpr Digits digits_of(std::initializer_list<int> all) {
  Digits digits;
  for (const int one : all) digits.add(one);
  return digits;
}

TEST(Plans, DigitsComeAndGo) {
  constexpr Digits order = digits_of({3, 0, 5, 4, 1, 2});
  static_assert(placed(order, 0b000001) == 0b001000);
  static_assert(placed(order, 0b100100) == 0b100100);
  static_assert(gathered(order, 0b001000) == 1);
  static_assert(order.bit_of(5) == 2 && order.bit_of(6) == -1);
  for (std::uint32_t x = 0; x < 64; ++x) EXPECT_EQ(gathered(order, placed(order, x)), x);
  Digits runs;
  runs.add_rising(2, 5);
  runs.add_falling(0, 2);
  EXPECT_EQ(runs, digits_of({2, 3, 4, 1, 0}));
  EXPECT_FALSE(runs == digits_of({2, 3, 4, 1}));
}

/// What is moved by runs of digits is what is moved digit by digit, whatever their order.
TEST(Plans, RunsOfDigitsMoveAsDigitsDo) {
  std::vector<int> order{0, 1, 2, 3, 4, 5, 6};
  do {
    Plan plan;
    plan.p = 3;
    plan.l = 4;
    Layout at;
    for (int i = 0; i < 7; ++i) (i < 3 ? at.registers : at.thread).add(order[static_cast<std::size_t>(i)]);
    plan.add(at, 1, 1);
    const PlanPlaces places(plan);
    for (const std::uint32_t e : {0u, 1u, 37u, 90u, 101u, 127u})
      ASSERT_EQ(places.place(1, e), (NetworkPlace{gathered(at.thread, e), gathered(at.registers, e)}));
  } while (std::next_permutation(order.begin(), order.end()));
}

TEST(Plans, AnFftsPlacesAreOnesOwnAndWindowsStayInRegisters) {
  for_each_fft(1, 12, [](const FftNetwork& a) {
    const int n = a.n, p = a.p;
    const PlanPlaces places(permuting_plan(a, n));
    for (int j = 1; j <= a.stages(); ++j) {
      const NetworkStage at = a.stage(j);
      std::set<std::uint32_t> seen;
      for (std::uint32_t e = 0; e < 1u << n; ++e) {
        const NetworkPlace place = places.place(j, e);
        ASSERT_LT(place.thread, 1u << (n - p));
        ASSERT_LT(place.item, 1u << p);
        seen.insert(place.thread << p | place.item);
        for (int k = 0; k < 1 << (at.high - at.low + 1); ++k)
          ASSERT_EQ(places.place(j, a.partner(j, e, k)).thread, place.thread) << "a node is one thread's";
      }
      ASSERT_EQ(seen.size(), std::size_t{1} << n);
    }
    // Threads next to each other load and store elements next to each other.
    for (std::uint32_t e = 0; e + 1 < 1u << (n - p); ++e) {
      ASSERT_EQ(places.place(0, e + 1).thread, places.place(0, e).thread + 1);
      ASSERT_EQ(places.place(a.stages(), reversed_digits(e + 1, n)).thread,
                places.place(a.stages(), reversed_digits(e, n)).thread + 1);
    }
  });
}

/// The sums of a kernel find the places of the plan, of all rows of a block.
TEST(Plans, KernelsFindTheElementsOfWindows) {
  for_each_fft(0, 9, [](const FftNetwork& a) {
    const int s = std::max(a.n, 10);
    const Plan plan = permuting_plan(a, s);
    const PlanPlaces places(plan);
    ASSERT_EQ(plan.steps, std::max(1, a.windows()));
    const WindowPlaces found{a.n, a.p};
    for (int w = 0; w < a.windows(); ++w) {
      const int lowest = WindowPlaces::lowest(a, w);
      for (std::uint32_t slot = 0; slot < 1u << s; ++slot) {
        const std::uint32_t e = slot & ((1u << a.n) - 1), row = slot >> a.n;
        const NetworkPlace at = found.place(lowest, e);
        ASSERT_EQ(found.element(lowest, at), e);
        ASSERT_EQ(places.place(a.first_stage(w), slot), (NetworkPlace{(row << (a.n - a.p)) + at.thread, at.item}));
      }
    }
  });
}

TEST(Plans, StepsTellWhatCrossesAndWhatStaysInItsWarp) {
  // Nine digits, sixteen values a thread: a row is a warp, whatever its windows are.
  const Plan in_warp = permuting_plan({9, 4, 4}, 11);
  ASSERT_EQ(in_warp.steps, 3);
  EXPECT_TRUE(in_warp.step[0].into.none);
  for (int i = 1; i < in_warp.steps; ++i) {
    EXPECT_FALSE(in_warp.step[i].into.none);
    EXPECT_TRUE(in_warp.step[i].into.in_warp);
  }
  const Plan in_block = permuting_plan({12, 4, 4}, 12);
  EXPECT_FALSE(in_block.step[1].into.in_warp);
  EXPECT_EQ(in_block.step_of(0), 0);
  EXPECT_EQ(in_block.step_of(1), 0);
  EXPECT_EQ(in_block.step_of(3), 2);
  // Two steps of one layout: nothing moves.
  Plan same = in_block;
  same.add(in_block.step[2].at, 4, 4);
  EXPECT_TRUE(same.step[3].into.none);
  EXPECT_FALSE(same.step[3].into.in_warp);
}

TEST(Plans, WhereDataCross) {
  // The first second of the scene: five trips through shared memory, and one.
  const auto crossings = [](const FftNetwork& a, bool shuffles) {
    const PlanPlaces places(permuting_plan(a, a.n));
    int shared = 0;
    for (int j = 1; j <= a.stages(); ++j) {
      bool any = false;
      for (std::uint32_t e = 0; e < 1u << a.n; ++e)
        for (int k = 0; k < 1 << (a.stage(j).high - a.stage(j).low + 1); ++k)
          any = any || edge_kind(places, j, a.partner(j, e, k), e, shuffles) == EdgeKind::shared;
      shared += any;
    }
    return shared;
  };
  EXPECT_EQ(crossings({6, 1, 1}, false), 5);
  EXPECT_EQ(crossings({6, 3, 3}, false), 1);
  EXPECT_EQ(crossings({6, 1, 1}, true), 0) << "32 threads are a warp";
  EXPECT_EQ(crossings({12, 4, 4}, false), 2);
  const PlanPlaces scan(in_place_plan({8, 2, 8}, 8));
  EXPECT_EQ(scan.place(0, 5), (NetworkPlace{1, 1}));
  EXPECT_EQ(edge_kind(scan, 1, 4, 5, false), EdgeKind::in_register);
  EXPECT_EQ(edge_kind(scan, 1, 3, 4, false), EdgeKind::shared);
  EXPECT_EQ(edge_kind(scan, 1, 3, 4, true), EdgeKind::shuffle);
  EXPECT_EQ(edge_kind(scan, 1, 127, 128, true), EdgeKind::shared);
  EXPECT_EQ(edge_kind(scan, 1, 3, 4, false, true), EdgeKind::global);
}

template <class Network>
void expect_crossings(int n, int p) {
  const auto a = network_of<Network>(n);
  const PlanPlaces places(in_place_plan({n, p, 12}, a.stages()));
  for (int j = 1; j <= a.stages(); ++j) {
    bool any = false;
    for (std::uint32_t e = 0; e < 1u << n && !any; ++e)
      for (int k = 0; k < Network::operands && a.makes(j, e); ++k) {
        const std::uint32_t other = a.partner(j, e, k);
        any = any || (other != no_element && places.place(j - 1, other).thread != places.place(j, e).thread);
      }
    ASSERT_EQ(crosses_threads(a, places, j), any) << Network::info.key << ", n " << n << ", p " << p << ", stage " << j;
  }
}

TEST(Plans, WhatCrossesInLongRowsIsFoundWithoutAskingAll) {
  for (const int p : {1, 2, 4})
    for_each_type(StagedNetworks{}, [&]<class Network>() { expect_crossings<Network>(18, p); });
}

}  // namespace
}  // namespace warploom
