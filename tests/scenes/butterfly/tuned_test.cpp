#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>
#include <random>
#include <set>

#include "gpu/core/checked_group.h"
#include "gpu/scenes/butterfly/rules/scan.h"
#include "gpu/scenes/butterfly/tuned/fft_block.h"
#include "gpu/scenes/butterfly/tuned/fft_long.h"
#include "gpu/scenes/butterfly/tuned/fft_network.h"
#include "gpu/scenes/butterfly/tuned/list.h"
#include "gpu/scenes/butterfly/tuned/pcr_block.h"
#include "gpu/scenes/butterfly/tuned/scan_block.h"
#include "gpu/scenes/butterfly/tuned/sort_block.h"
#include "gpu/scenes/butterfly/tuned/wang_mou_block.h"
#include "tests/files/files.h"

// Plans whose digits are placed when the program is compiled, and what runs them.

namespace warploom {
namespace {

template <class Plans, int n, class Body>
void for_each_length(Body&& body) {
  body.template operator()<TunedOf<Plans, n>>();
  if constexpr (n < Plans::shapes.most()) for_each_length<Plans, n + 1>(body);
}
/// body<Tuned>(): of every track and length that has a plan.
template <class Body>
void for_each_tuned(Body&& body) {
  for_each_type(TunedFfts{}, [&]<class Plans>() { for_each_length<Plans, Plans::shapes.least()>(body); });
}
template <int n>
using IndexDigit = TunedOf<IndexDigitPlans, n>;

TEST(Tuned, EveryElementOfABlockHasAPlaceOfItsOwn) {
  for_each_tuned([]<class Tuned>() {
    const Plan& plan = Tuned::plan;
    const int n = Tuned::shape.n;
    ASSERT_EQ(plan.n, n);
    int digits_of_windows = 0;
    for (const int digits : Tuned::shape.windows) digits_of_windows += digits;
    ASSERT_EQ(digits_of_windows, n);
    const PlanPlaces places(plan);
    const std::uint32_t all = 1u << (plan.p + plan.l);
    for (int i = 0; i < plan.steps; ++i) {
      const Layout& at = plan.step[i].at;
      ASSERT_EQ(at.registers.count, plan.p) << n << ", step " << i;
      ASSERT_EQ(at.thread.count, plan.l) << n << ", step " << i;
      std::set<int> digits;
      for (int k = 0; k < plan.p; ++k) digits.insert(at.registers.at[k]);
      for (int k = 0; k < plan.l; ++k) digits.insert(at.thread.at[k]);
      ASSERT_EQ(digits.size(), static_cast<std::size_t>(plan.p + plan.l));
      ASSERT_EQ(*digits.rbegin(), plan.p + plan.l - 1);
    }
    // A window's nodes are one thread's.
    const WindowedFft network{n, Tuned::shape};
    for (int j = 1; j <= network.stages(); ++j)
      for (std::uint32_t e = 0; e < all; e += 3) {
        const std::uint32_t row = e >> n << n;
        for (int k = 0; k < WindowedFft::operands; ++k)
          if (const std::uint32_t from = network.partner(j, e - row, k); from != no_element) {
            ASSERT_EQ(places.place(j, row + from).thread, places.place(j, e).thread) << n << ", stage " << j;
          }
      }
  });
}

TEST(Tuned, NoExchangeHasABankConflict) {
  for_each_tuned([]<class Tuned>() {
    const Plan& plan = Tuned::plan;
    const int n = Tuned::shape.n;
    for (int i = 1; i < plan.steps; ++i) {
      const Crossing& into = plan.step[i].into;
      if (into.none) continue;
      EXPECT_EQ(wavefronts_lost(exchanging_thread(into.from, into.in_warp), into.words, 8), 0) << n << ", step " << i;
      EXPECT_EQ(wavefronts_lost(exchanging_thread(into.to, into.in_warp), into.words, 8), 0) << n << ", step " << i;
      // Words are one's own.
      std::set<std::uint32_t> words;
      for (std::uint32_t w = 0; w >> into.words.order.count == 0; ++w) words.insert(into.words.padded(w));
      EXPECT_EQ(words.size(), std::size_t{1} << into.words.order.count);
      EXPECT_EQ(*words.rbegin() + 1, into.words.count());
    }
  });
}

TEST(Tuned, WordsAreChosenByCountingConflicts) {
  // A transposition of 32 x 32: in any order one side meets a bank 16 times, until a word is left out.
  Crossing crossing;
  crossing.none = false;
  crossing.from.thread.add_rising(0, 5);
  crossing.from.registers.add_rising(5, 10);
  crossing.to.thread.add_rising(5, 10);
  crossing.to.registers.add_rising(0, 5);
  Words plain;
  plain.order.add_rising(0, 10);
  EXPECT_EQ(wavefronts_lost(crossing.from.thread, plain, 8), 0);
  EXPECT_EQ(wavefronts_lost(crossing.to.thread, plain, 8), 2 * 15);
  const Words chosen = choose_words(crossing, 8);
  EXPECT_GT(chosen.b, 0);
  EXPECT_EQ(wavefronts_lost(crossing.from.thread, chosen, 8), 0);
  EXPECT_EQ(wavefronts_lost(crossing.to.thread, chosen, 8), 0);
  // What needs no words left out takes none.
  Crossing staying = crossing;
  staying.to = crossing.from;
  EXPECT_EQ(choose_words(staying, 8).b, 0);
}

TEST(Tuned, WhatStaysInAWarpNeedsNoBarrierOfTheBlock) {
  EXPECT_EQ(IndexDigit<9>::plan.block_barriers(), 0) << "a row is a warp";
  EXPECT_EQ(IndexDigit<6>::plan.block_barriers(), 0) << "staging stays in warps";
  EXPECT_EQ(IndexDigit<12>::plan.block_barriers(), 3);
  EXPECT_EQ(shared_words(IndexDigit<12>::plan) * sizeof(Complex), 32888u);
  EXPECT_EQ(shared_words(IndexDigit<9>::plan), 4 * warp_words(IndexDigit<9>::plan));
}

TEST(Tuned, DigitsAreSpreadAsTheyArePlaced) {
  constexpr Digits mixed = [] {
    Digits digits;
    digits.add(3);
    digits.add_falling(7, 11);
    digits.add_rising(0, 3);
    digits.add(12);
    return digits;
  }();
  for (std::uint32_t x = 0; x < 1u << mixed.count; ++x) ASSERT_EQ(spread<mixed>(x), placed(mixed, x));
}

/// A group that leaves out the barriers of warps.
struct WithoutWarpBarriers : CheckedGroup {
  using CheckedGroup::CheckedGroup;
  void warp_barrier() {}
};

/// The largest error of a block's rows, by a transform in double of one value of the spectrum each.
template <class Tuned, class Group>
double error_of_a_block(bool inverse) {
  using Program = TunedFft<Tuned>;
  constexpr int n = Tuned::shape.n;
  constexpr std::size_t elements = std::size_t{1} << n, rows = std::size_t{1} << (Program::tile - n);
  std::vector<Complex> in(rows * elements), out(in.size());
  std::mt19937 random(n);
  std::uniform_real_distribution<float> any(-1, 1);
  for (Complex& one : in) one = {any(random), any(random)};
  const std::vector<Complex> turns = turns_of(Program::shape);
  const Program program{{in.data(), out.data(), inverse}, turns.data(), rows, {}};
  typename Group::Dynamic dynamic(program.dynamic_shared_bytes());
  Group group("test.tuned", {0, 0, 0}, 0, {Program::exact_threads, 1, 1}, dynamic);
  program(group);
  double worst = 0;
  for (std::size_t row = 0; row < rows; ++row) {
    const std::size_t k = (row * 37 + 11) % elements;
    std::complex<double> right = 0;
    double energy = 0;
    for (std::size_t i = 0; i < elements; ++i) {
      const Complex x = in[row * elements + i];
      const double turn = static_cast<double>(i * k % elements) / static_cast<double>(elements);
      right += std::complex<double>(x.re, x.im) * std::polar(1., (inverse ? 2 : -2) * std::numbers::pi * turn);
      energy += static_cast<double>(x.re) * x.re + static_cast<double>(x.im) * x.im;
    }
    const double scale = inverse ? 1. / static_cast<double>(elements) : 1;
    const Complex got = out[row * elements + k];
    worst = std::max(worst, std::abs(right * scale - std::complex<double>(got.re, got.im)) / scale / std::sqrt(energy));
  }
  return worst;
}

TEST(Tuned, TransformsAreTheDefinition) {
  for_each_tuned([]<class Tuned>() {
    for (const bool inverse : {false, true})
      EXPECT_LT((error_of_a_block<Tuned, CheckedGroup>(inverse)), 1e-6)
          << Tuned::shape.p << ' ' << Tuned::shape.n << (inverse ? ", inverse" : "");
  });
}

TEST(Tuned, ABarrierOfAWarpThatIsMissingIsFound) {
  const auto said = message_of<GroupError>([] { error_of_a_block<IndexDigit<9>, WithoutWarpBarriers>(false); });
  EXPECT_NE(said.find("since the last barrier"), std::string::npos) << said;
  EXPECT_EQ(said.find("of the block"), std::string::npos) << "both are of one warp: " << said;
}

/// Plans of scans, sorts, systems and passes: each element of a block has a place of its own, and no exchange loses a
/// wavefront.
void check_plan(const Plan& plan, int word_bytes) {
  for (int i = 0; i < plan.steps; ++i) {
    const PlanStep& step = plan.step[i];
    std::set<int> digits;
    for (int k = 0; k < step.at.registers.count; ++k) digits.insert(step.at.registers.at[k]);
    for (int k = 0; k < step.at.thread.count; ++k) digits.insert(step.at.thread.at[k]);
    ASSERT_EQ(step.at.registers.count, plan.p);
    ASSERT_EQ(step.at.thread.count, plan.l);
    ASSERT_EQ(digits.size(), static_cast<std::size_t>(plan.p + plan.l)) << plan.n << ", step " << i;
    const Crossing& into = step.into;
    if (into.none) continue;
    EXPECT_EQ(wavefronts_lost(exchanging_thread(into.from, into.in_warp), into.words, word_bytes), 0) << plan.n << i;
    EXPECT_EQ(wavefronts_lost(exchanging_thread(into.to, into.in_warp), into.words, word_bytes), 0) << plan.n << i;
  }
}

TEST(Tuned, PlansOfOtherNetworksHoldWhatThoseOfTransformsDo) {
  for (int n = StayingScan::least; n <= StayingScan::most_in_block; ++n)
    check_plan(StayingScan::plan_of(n, n, StayingScan::threads(n)), 4);
  for (int n = NeighbourScan::least; n <= NeighbourScan::most; ++n)
    for (const int bytes : {4, 8}) check_plan(NeighbourScan::plan_of(n, n, bytes), bytes);
  for (int n = SortForm::least; n <= SortForm::most_in_block; ++n) {
    const Plan plan = SortForm::plan_of(n, SortForm::threads(n));
    check_plan(plan, 4);
    EXPECT_EQ(plan.step[plan.steps - 1].first, n * (n + 1) / 2 + 1);
    // What compares is in registers, but for the lowest digit of a lane.
    for (int i = 1; i + 1 < plan.steps; ++i)
      for (int stage = plan.step[i].first; stage <= plan.step[i].last; ++stage) {
        const int digit = SortStages::step(stage).j - 1;
        EXPECT_TRUE(plan.step[i].at.registers.bit_of(digit) >= 0 || plan.step[i].at.thread.bit_of(digit) == 0)
            << n << ", stage " << stage;
      }
  }
  for (int n = TunedForm<WangMou>::least; n <= TunedForm<WangMou>::most_in_block; ++n)
    check_plan(SystemForm::plan_of(n, 0, TunedForm<WangMou>::threads(n), n), 4);
  for (int n = InterleavedForm<WangMou>::least; n <= InterleavedForm<WangMou>::most; ++n) {
    const int f = InterleavedForm<WangMou>::systems(n);
    check_plan(SystemForm::plan_of(n, f, n + f - SystemForm::p, n), 4);
  }
  for_each_type(PassShapes{}, []<class Tuned>() { check_plan(Tuned::plan, 8); });
}

/// Passes of a row's length pair each of its digits once, from the highest to the lowest.
TEST(Tuned, PassesOfLongRowsHaveAllDigits) {
  for (int n = LongFft::least; n <= LongFft::most; ++n) {
    const LongFft& all = long_ffts[n - LongFft::least];
    int high = n;
    for (int i = 0; i < all.count; ++i) {
      const FftPass pass = pass_of(n, i);
      EXPECT_EQ(pass.high(), high) << n;
      EXPECT_EQ(pass.shape.is_last, i + 1 == all.count) << n;
      if (!pass.shape.is_last) {
        EXPECT_GE(pass.low, pass.shape.riders) << n << ": columns are digits below";
      }
      high = pass.low;
    }
    EXPECT_EQ(high, 0) << n;
  }
}

/// A group that counts the barriers of its block.
struct CountingGroup : CheckedGroup {
  using CheckedGroup::CheckedGroup;
  void barrier() {
    ++barriers;
    CheckedGroup::barrier();
  }
  int barriers = 0;
};
template <class Program>
int barriers_of(const Program& program) {
  CountingGroup::Dynamic dynamic(program.dynamic_shared_bytes());
  CountingGroup group("test.tuned", {0, 0, 0}, 0, {Program::exact_threads, 1, 1}, dynamic);
  program(group);
  return group.barriers;
}

TEST(Tuned, BarriersAreThoseThatAreTold) {
  const auto in_all = [](const Plan& plan, int stages) {
    int all = 0;
    for (int j = 1; j <= stages; ++j) all += plan.barriers_of(j);
    return all;
  };
  std::vector<std::uint32_t> keys(1u << 12), sorted(keys.size());
  for (int n = 5; n <= 12; ++n) {
    const Plan plan = SortForm::plan_of(n, 7);
    EXPECT_EQ(barriers_of(TunedSort<7>{keys.data(), sorted.data(), n, keys.size(), -1, false, {}}),
              plan.block_barriers())
        << n;
    EXPECT_EQ(in_all(plan, n * (n + 1) / 2), plan.block_barriers()) << n;
    const Plan scan = StayingScan::plan_of(n, n, 7);
    using Scan = TunedScan<LadnerFischer, WordOperator, 7>;
    const ScanRows<WordOperator> rows{{}, keys.data(), sorted.data(), n, keys.size() >> n, false};
    EXPECT_EQ(barriers_of(Scan{rows, {}}), scan.block_barriers()) << n;
    EXPECT_EQ(in_all(scan, n), scan.block_barriers()) << n;
  }
  std::vector<SystemRow> equations(1u << 12, SystemRow{-1, 4, -1, 1});
  std::vector<float> unknowns(equations.size());
  std::vector<std::uint64_t> flags(equations.size() / 32 + 1);
  const auto solve = [&]<class Program>(int n, int seams) {
    const UnitSystems systems{equations.data(), unknowns.data(), {flags.data() + 1, flags.data()}, n, 1};
    EXPECT_EQ(barriers_of(Program{{systems, {}}}), seams) << n;
    // x of -1, 4, -1 and 1 is a half where no end is near.
    EXPECT_NEAR(unknowns[std::size_t{1} << (n - 1)], .5, 1e-6) << n;
    EXPECT_EQ(flags[0], 0u);
  };
  solve.operator()<TunedWangMou<0, 7, false>>(8, 0);
  solve.operator()<TunedWangMou<0, 7, false>>(10, 2);
  solve.operator()<TunedWangMou<0, 8, false>>(11, 3);
  solve.operator()<TunedWangMou<0, 9, true>>(12, 5);
  solve.operator()<TunedPcr<>>(8, 0);
}

}  // namespace
}  // namespace warploom
