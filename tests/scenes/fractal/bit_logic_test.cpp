#include <gtest/gtest.h>

#include <random>

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
  for (int round = 0; round < 200; ++round) {
    Rule rule{static_cast<std::uint16_t>(draw() % 512), static_cast<std::uint16_t>(draw() % 512)};
    if (round == 0) rule = conway;
    const std::uint32_t self = static_cast<std::uint32_t>(draw());
    for (int all = 0; all <= 8; ++all) {
      std::uint32_t words[8];
      for (auto& word : words)
        word = static_cast<std::uint32_t>(draw()) | (round % 2 ? static_cast<std::uint32_t>(draw()) : 0);
      std::uint32_t got = 0;
      switch (all) {
        case 0:
          got = next_of<0>(rule, self, words);
          break;
        case 1:
          got = next_of<1>(rule, self, words);
          break;
        case 2:
          got = next_of<2>(rule, self, words);
          break;
        case 3:
          got = next_of<3>(rule, self, words);
          break;
        case 4:
          got = next_of<4>(rule, self, words);
          break;
        case 5:
          got = next_of<5>(rule, self, words);
          break;
        case 6:
          got = next_of<6>(rule, self, words);
          break;
        case 7:
          got = next_of<7>(rule, self, words);
          break;
        default:
          got = next_of<8>(rule, self, words);
      }
      for (int bit = 0; bit < 32; ++bit) {
        int around = 0;
        for (int i = 0; i < all; ++i) around += words[i] >> bit & 1;
        const bool lives = ((self >> bit & 1 ? rule.survive : rule.born) >> around & 1) != 0;
        ASSERT_EQ(got >> bit & 1, lives) << around << " around";
      }
    }
  }
}

}  // namespace
}  // namespace warploom
