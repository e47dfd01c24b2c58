#include <gtest/gtest.h>

#include <functional>

#include "gpu/scenes/butterfly/kernels/operator_string.h"
#include "tests/files/files.h"

namespace warploom {
namespace {

std::vector<int> digits_after(const std::string& text, int n) {
  return apply_operators(parse_operators(text, n), n).digits;
}
TEST(OperatorStrings, MoveDigitsAsPrinted) {
  EXPECT_EQ(digits_after("G^2(7,2)", 8), (std::vector{8, 3, 2, 7, 6, 5, 4, 1}));
  EXPECT_EQ(digits_after("G(8,6,2,1)", 8), (std::vector{1, 8, 7, 5, 4, 3, 6, 2}));
  EXPECT_EQ(digits_after("R(n,1)", 4), (std::vector{1, 2, 3, 4}));
  EXPECT_EQ(digits_after(" R( n , 1 )R(4,1) ", 4), (std::vector{4, 3, 2, 1}));
  EXPECT_EQ(digits_after("B^4(1)", 4), (std::vector{4, 3, 2, 1}));
  EXPECT_EQ(digits_after("", 3), (std::vector{3, 2, 1}));
}

/// Every composition of n into windows of four digits at most: 3,095 for n up to 12.
TEST(OperatorStrings, EveryFftByWindowsIsOne) {
  int found = 0;
  for (int n = 1; n <= 12; ++n) {
    std::vector<int> windows;
    const std::function<void(int)> rest = [&](int left) {
      if (left == 0) {
        ++found;
        const auto operators = fft_operators(windows);
        const std::string text = operators_text(operators);
        const auto result = apply_operators(parse_operators(text, n), n);
        ASSERT_TRUE(result.is_fft) << text;
        for (int i = 0; i < n; ++i) ASSERT_EQ(result.digits[std::size_t(i)], i + 1) << text;
        return;
      }
      for (int r = 1; r <= std::min(4, left); ++r) {
        windows.push_back(r);
        rest(left - r);
        windows.pop_back();
      }
    };
    rest(n);
  }
  EXPECT_EQ(found, 3095);
}

/// The rows as the paper prints them, read from left to right. n: digits of the problem, which are the lowest of s.
TEST(OperatorStrings, WhatIsNoFftIsNone) {
  EXPECT_FALSE(apply_operators(parse_operators("B^4(1)", 4), 4).is_fft) << "never reversed";
  EXPECT_FALSE(apply_operators(parse_operators("R(4,1)", 4), 4).is_fft) << "no node";
  EXPECT_TRUE(apply_operators(parse_operators("R(4,1) B^4(1)", 4), 4).is_fft);
  EXPECT_FALSE(apply_operators(parse_operators("B^2(1) B^2(3) R(4,1)", 4), 4).is_fft) << "the low digits first";
  EXPECT_TRUE(apply_operators(parse_operators("B^2(3) B^2(1) R(4,1)", 4), 4).is_fft);
  EXPECT_FALSE(apply_operators(parse_operators("B^2(3) B^2(3) R(4,1)", 4), 4).is_fft) << "twice";
}

TEST(OperatorStrings, MistakesAreToldByTheirCharacter) {
  const auto expect_mistake = [](int character, const char* text, int n) {
    expect_parts(message_of<UsageError>([&] { (void)parse_operators(text, n); }),
                 {"character " + std::to_string(character)});
  };
  expect_mistake(8, "G(7,2) Q(1)", 8);
  expect_mistake(3, "G(9,2)", 8);
  expect_mistake(3, "G(2,7)", 8);
  expect_mistake(4, "G(7", 8);
  expect_mistake(2, "R^2(7,2)", 8);
  expect_mistake(3, "B^5(1)", 4);
  expect_mistake(5, "B^3(3)", 4);
  expect_mistake(3, "G(7,5,5,1)", 8);
  expect_mistake(3, "G(99999999999,1)", 8);
  expect_mistake(3, "G()", 8);
  EXPECT_NO_THROW((void)parse_operators("G(7,2)R(n,1)", 8));
}

}  // namespace
}  // namespace warploom
