#include <gtest/gtest.h>

#include <set>

#include "gpu/scenes/butterfly/kernels/general_plans.h"
#include "gpu/scenes/butterfly/kernels/report.h"

namespace warploom {
namespace {

/// Of one full block, where all elements move.
ExchangeCost permuting_cost(const FftNetwork& a, const NetworkMapping& mapping, int stage, const ExchangeWords& words) {
  const std::vector<ExchangeWords> alike(static_cast<std::size_t>(a.windows()), words);
  auto accesses = permuting_accesses(PlanPlaces(permuting_plan(a, mapping.s)), alike, false);
  std::erase_if(accesses, [&](const SharedAccess& one) { return one.stage != stage; });
  std::vector<StageReport> stages(static_cast<std::size_t>(a.stages()));
  add_costs(stages, accesses, words.word_bytes);
  return stages[static_cast<std::size_t>(stage - 1)].cost;
}

/// An FFT, the mapping it is launched by, and the stages before which threads exchange.
struct Fft {
  NetworkMapping mapping;
  FftNetwork network;
  std::vector<int> stages = {};

  Fft(int n, int log_radix) : mapping(network_mapping(n, {log_radix, 12, true})), network{n, mapping.p, log_radix} {
    for (int j = 2; j <= network.stages(); ++j)
      if (network.stage(j).window != network.stage(j - 1).window) stages.push_back(j);
  }
  ExchangeWords words(int stage, WordLayout layout) const {
    const Plan plan = permuting_plan(network, mapping.s);
    return exchange_words(plan.step[plan.step_of(stage)].into, plan.l, 8, layout);
  }
  ExchangeCost cost(int stage, WordLayout layout) const {
    return permuting_cost(network, mapping, stage, words(stage, layout));
  }
};

TEST(Exchanges, BanksAreCounted) {
  std::vector<std::uint32_t> lanes(32);
  const auto count = [&](int word, auto&& byte) {
    for (std::uint32_t i = 0; i < 32; ++i) lanes[i] = byte(i);
    return wavefronts_of(lanes, word);
  };
  EXPECT_EQ(count(4, [](std::uint32_t i) { return 4 * i; }).taken, 1u);
  EXPECT_EQ(count(4, [](std::uint32_t i) { return 8 * i; }).taken, 2u);
  EXPECT_EQ(count(4, [](std::uint32_t i) { return 128 * i; }).taken, 32u);
  EXPECT_EQ(count(4, [](std::uint32_t) { return 64u; }).taken, 1u) << "a broadcast";
  EXPECT_EQ(count(8, [](std::uint32_t i) { return 8 * i; }).taken, 2u);
  EXPECT_EQ(count(8, [](std::uint32_t i) { return 8 * i; }).ideal, 2u);
  EXPECT_EQ(count(16, [](std::uint32_t i) { return 16 * i; }).taken, 4u);
  EXPECT_EQ(count(4, [](std::uint32_t i) { return i ? dead_lane : 0; }).taken, 1u);
  EXPECT_EQ(count(8, [](std::uint32_t) { return dead_lane; }).ideal, 0u);
}

TEST(Exchanges, RadixSixteenAsItIs) {
  const Fft a(12, 4);
  ASSERT_EQ(a.stages.size(), 2u);
  const auto cost = [&](WordLayout layout) { return a.cost(a.stages.back(), layout); };
  EXPECT_EQ(cost(WordLayout::plain).read.taken, 4096u);
  EXPECT_EQ(cost(WordLayout::plain).read.ideal, 256u);
  EXPECT_EQ(cost(WordLayout::swizzled).read.taken, 256u);
  EXPECT_EQ(cost(WordLayout::plain).write.taken, 256u);
}

TEST(Exchanges, SwizzledWordsNeverConflict) {
  bool padded_does = false;
  for (int n = 1; n <= 12; ++n)
    for (int r = 1; r <= 4; ++r) {
      const Fft a(n, r);
      for (const int stage : a.stages)
        for (const WordLayout layout : {WordLayout::plain, WordLayout::padded, WordLayout::swizzled}) {
          const ExchangeWords words = a.words(stage, layout);
          // Everybody's word is one's own, inside what the block takes.
          std::set<std::uint32_t> bytes;
          for (std::uint32_t thread = 0; thread < 1u << words.threads; ++thread)
            for (std::uint32_t item = 0; item < 1u << a.mapping.p; ++item) bytes.insert(words.byte(thread, item));
          ASSERT_EQ(bytes.size(), std::size_t{1} << a.mapping.s);
          ASSERT_LT(*bytes.rbegin(), words.bytes(a.mapping.s));
          const ExchangeCost cost = a.cost(stage, layout);
          padded_does |= layout == WordLayout::padded && cost.read.taken > cost.read.ideal;
          if (layout == WordLayout::padded) continue;
          EXPECT_EQ(cost.write.taken, cost.write.ideal) << n << ", " << r << ", stage " << stage;
          if (layout == WordLayout::swizzled) {
            EXPECT_EQ(cost.read.taken, cost.read.ideal) << n << ", " << r << ", stage " << stage;
          }
        }
    }
  EXPECT_TRUE(padded_does);
  // As the design says: four words for one.
  const Fft a(6, 2);
  const ExchangeCost cost = a.cost(a.stages.back(), WordLayout::padded);
  EXPECT_GT(cost.read.taken, cost.read.ideal);
}

}  // namespace
}  // namespace warploom
