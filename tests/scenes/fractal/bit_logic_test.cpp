#include <gtest/gtest.h>

#include <array>
#include <random>
#include <utility>

#include "gpu/scenes/fractal/works/bit_logic.h"
#include "tests/tracks/tracks.h"

// Rules worked out for 32 cells at once, against single cells.

namespace warploom {
namespace {

/// By every way there is to work it out; all must agree.
template <int all>
std::uint32_t next_of(const Rule& rule, std::uint32_t self, const std::uint32_t (&words)[8]) {
  std::uint32_t around[all ? all : 1] = {}, next = 0;
  for (int i = 0; i < all; ++i) around[i] = words[i];
  RuleLogic(rule).next<all>(self, around, next);
  if (rule == Rule{}) {
    std::uint32_t conway = 0;
    ConwayLogic().next<all>(self, around, conway);
    EXPECT_EQ(conway, next);
    EXPECT_EQ((ConwayLogic::few_operations<all>(self, around)), next) << all;
  }
  return next;
}

TEST(BitLogic, AnyFunctionOfThreeBits) {
  const std::uint32_t a = 0xf0, b = 0xcc, c = 0xaa;
  EXPECT_EQ(logic_3<0x96>(a, b, c) & 255u, 0x96u);
  EXPECT_EQ(logic_3<0x3a>(a, b, c) & 255u, 0x3au);
  EXPECT_EQ(logic_3<0x00>(a, b, c) & 255u, 0x00u);
  EXPECT_EQ(logic_3<0xff>(a, b, c) & 255u, 0xffu);
  EXPECT_EQ(logic_3<0x68>(a, b, c) & 255u, 0x68u);
}

TEST(BitLogic, CountsAndRulesAreThoseOfSingleCells) {
  std::mt19937 draw(5);
  const Rule conway;
  const auto next = []<int... all>(std::integer_sequence<int, all...>) { return std::array{next_of<all>...}; }
  (std::make_integer_sequence<int, 9>{});
  for (int round = 0; round < 200; ++round) {
    Rule rule{static_cast<std::uint16_t>(draw() % 512), static_cast<std::uint16_t>(draw() % 512)};
    if (round == 0) rule = conway;
    const std::uint32_t self = static_cast<std::uint32_t>(draw());
    for (std::size_t all = 0; all < next.size(); ++all) {
      std::uint32_t words[8];
      for (auto& word : words)
        word = static_cast<std::uint32_t>(draw()) | (round % 2 ? static_cast<std::uint32_t>(draw()) : 0);
      const std::uint32_t got = next[all](rule, self, words);
      for (int bit = 0; bit < 32; ++bit) {
        int around = 0;
        for (std::size_t i = 0; i < all; ++i) around += words[i] >> bit & 1;
        const bool lives = ((self >> bit & 1 ? rule.survive : rule.born) >> around & 1) != 0;
        ASSERT_EQ(got >> bit & 1, lives) << around << " around";
      }
    }
  }
}

}  // namespace
}  // namespace warploom
