#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <random>
#include <set>
#include <typeinfo>
#include <vector>

#include "tests/scenes/butterfly/run.h"

// Networks do what their algorithms promise: applied element by element, against definitions that know no network.

namespace warploom {
namespace {

// ---- FFT

using Amplitude = std::complex<double>;
Amplitude turn(double of) { return std::polar(1., -2 * std::numbers::pi * of); }

/// All of a node's digits at once, radix 2 by radix 2.
Amplitude fft_node(const FftNetwork& a, const std::vector<Amplitude>& before, int j, std::uint32_t e) {
  const NetworkStage at = a.stage(j);
  const int width = at.high - at.low + 1;
  std::vector<Amplitude> v;
  std::vector<std::uint32_t> who;
  for (int k = 0; k < 1 << width; ++k) {
    who.push_back(a.partner(j, e, k));
    v.push_back(before[who.back()]);
  }
  for (int d = at.high; d >= at.low; --d) {
    const std::size_t apart = std::size_t{1} << (d - at.low);
    for (std::size_t i = 0; i < v.size(); ++i)
      if (!(i & apart)) {
        const double h = std::ldexp(1., d - 1);
        const Amplitude u = v[i], w = v[i + apart];
        v[i] = u + w;
        v[i + apart] = (u - w) * turn(std::fmod(who[i], h) / (2 * h));
      }
  }
  return v[static_cast<std::size_t>(std::find(who.begin(), who.end(), e) - who.begin())];
}

TEST(Networks, AnFftIsTheDefinition) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> any(-1, 1);
  for_each_fft(1, 8, [&](const FftNetwork& a) {
    const std::size_t size = std::size_t{1} << a.n;
    std::vector<Amplitude> x(size);
    for (auto& one : x) one = {any(random), any(random)};
    const auto y = run(a, x, [&](const auto& before, int j, std::uint32_t e) { return fft_node(a, before, j, e); });
    for (std::uint32_t k = 0; k < size; ++k) {
      Amplitude expected = 0;
      for (std::size_t i = 0; i < size; ++i) expected += x[i] * turn(double(i * k % size) / double(size));
      ASSERT_LT(std::abs(y[reversed_digits(k, a.n)] - expected), 1e-12 * double(size))
          << a.n << a.p << a.log_radix << " at " << k;
    }
  });
}

TEST(Networks, AnFftsStagesAreItsDigitsFromTheTop) {
  for_each_fft(0, 12, [](const FftNetwork& a) {
    int digits = 0, high = a.n;
    for (int j = 1; j <= a.stages(); ++j) {
      const NetworkStage at = a.stage(j);
      EXPECT_EQ(at.high, high);
      EXPECT_LE(at.high - at.low + 1, a.log_radix);
      high = at.low - 1;
      digits += at.high - at.low + 1;
      for (std::uint32_t e = 0; e < 1u << a.n; ++e)
        for (int k = 0; k < 1 << (at.high - at.low + 1); ++k) ASSERT_EQ(a.node(j, a.partner(j, e, k)), a.node(j, e));
    }
    EXPECT_EQ(digits, a.n);
    EXPECT_EQ(nodes_of(a) > 0, a.n > 0);
    for (int w = 0; w < a.windows(); ++w) {
      EXPECT_EQ(a.stage(a.first_stage(w)).window, w);
      EXPECT_TRUE(w == 0 || a.stage(a.first_stage(w) - 1).window == w - 1);
    }
  });
}

/// Of those that take e the farthest on either side, found by asking all.
template <class Algorithm>
void expect_consumers(int n) {
  const auto a = network_of<Algorithm>(n);
  for (int j = 1; j <= a.stages(); ++j)
    for (std::uint32_t e = 0; e < 1u << a.n; ++e) {
      std::uint32_t behind = no_element, before = no_element;
      for (std::uint32_t i = 0; i < 1u << a.n; ++i)
        for (int k = 0; a.makes(j, i) && i != e && k < Algorithm::operands; ++k)
          if (a.partner(j, i, k) == e) {
            if (i > e) behind = i;
            if (i < e && before == no_element) before = i;
          }
      ASSERT_EQ(a.consumer(j, e, 0), behind) << typeid(Algorithm).name() << ' ' << a.n << ' ' << j << ' ' << e;
      ASSERT_EQ(a.consumer(j, e, 1), before) << typeid(Algorithm).name() << ' ' << a.n << ' ' << j << ' ' << e;
    }
}

TEST(Networks, WhoTakesAnElement) {
  for (int n = 1; n <= 6; ++n) for_each_type(StagedNetworks{}, [&]<class Network>() { expect_consumers<Network>(n); });
}

TEST(Networks, MappingsAreThoseOfThePapers) {
  const NetworkMapping slides = network_mapping(8, {2}, 2, 9);
  EXPECT_EQ(slides.threads_x(), 6);
  EXPECT_EQ(slides.threads_y(), 1);
  EXPECT_EQ(slides.blocks(512), 256u);
  EXPECT_EQ(network_mapping(6, {1}).s, 9);
  EXPECT_EQ(network_mapping(12, {1}).s, 12);
  EXPECT_EQ(network_mapping(12, {1}).p, 2) << "1,024 threads at most";
  EXPECT_EQ(network_mapping(3, {4, 12, true}).p, 3);
  EXPECT_EQ(network_mapping(8, {3, 12, true}, 1).p, 3);
  EXPECT_EQ(network_mapping(8, {3, 12, true}, 4).p, 4);
  EXPECT_EQ(network_mapping(3, {2}, 1, 5).blocks(9), 3u);
}

// ---- scans

/// x -> a x + b, modulo 2^32: the first, then the second. Which one is first matters.
struct Affine {
  std::uint32_t a = 1, b = 0;
  friend bool operator==(const Affine&, const Affine&) = default;
};
Affine then(const Affine& first, const Affine& second) { return {second.a * first.a, second.a * first.b + second.b}; }

template <class Algorithm>
class Scans : public testing::Test {};
using ScanTypes = testing::Types<KoggeStone, LadnerFischer, BrentKung, SerialScan>;
TYPED_TEST_SUITE(Scans, ScanTypes);

TYPED_TEST(Scans, AreSumsOfAllBefore) {
  std::mt19937 random(5);
  for (int n = 1; n <= 9; ++n) {
    const auto a = network_of<TypeParam>(n);
    static_assert(Network<TypeParam>);
    std::vector<Affine> values(std::size_t{1} << n), expected;
    for (auto& one : values) one = {static_cast<std::uint32_t>(random()), static_cast<std::uint32_t>(random())};
    for (const Affine& one : values) expected.push_back(expected.empty() ? one : then(expected.back(), one));
    EXPECT_EQ(run(a, values,
                  [&](const auto& before, int j, std::uint32_t e) {
                    return then(before[a.partner(j, e, 0)], before[a.partner(j, e, 1)]);
                  }),
              expected)
        << n;
  }
}

TEST(Networks, ScansWorkAndDepth) {
  for (int n = 1; n <= 10; ++n) {
    const auto N = std::uint64_t{1} << n, m = static_cast<std::uint64_t>(n);
    EXPECT_EQ(nodes_of(KoggeStone{{n}}), m * N - N + 1);
    EXPECT_EQ(nodes_of(LadnerFischer{{n}}), m * N / 2);
    EXPECT_EQ(nodes_of(BrentKung{{n}}), 2 * N - 2 - m);
    EXPECT_EQ(BrentKung({{n}}).stages(), 2 * n - 1);
    EXPECT_EQ(nodes_of(SerialScan{{n}}), N - 1);
  }
}

// ---- sorts

template <class Algorithm>
class Sorts : public testing::Test {};
using SortTypes = testing::Types<Bitonic, OddEvenMerge>;
TYPED_TEST_SUITE(Sorts, SortTypes);

template <class Algorithm>
std::vector<int> sorted_by(const Algorithm& a, const std::vector<int>& values) {
  return run(a, values, [&](const auto& before, int j, std::uint32_t e) {
    const int x = before[a.partner(j, e, 0)], y = before[a.partner(j, e, 1)];
    return a.takes_minimum(j, e) ? std::min(x, y) : std::max(x, y);
  });
}

/// A network that sorts all sequences of zeros and ones sorts everything.
TYPED_TEST(Sorts, SortZerosAndOnes) {
  for (int n = 1; n <= 4; ++n) {
    const auto a = network_of<TypeParam>(n);
    const unsigned size = 1u << n;
    for (std::uint32_t bits = 0; bits < 1u << size; ++bits) {
      std::vector<int> values(size);
      for (unsigned i = 0; i < size; ++i) values[i] = bits >> i & 1;
      const auto sorted = sorted_by(a, values);
      ASSERT_TRUE(std::is_sorted(sorted.begin(), sorted.end())) << bits;
      ASSERT_EQ(std::count(sorted.begin(), sorted.end(), 1), std::count(values.begin(), values.end(), 1));
    }
  }
}

TYPED_TEST(Sorts, SortWhatIsShuffled) {
  std::mt19937 random(8);
  for (int n = 5; n <= 9; ++n) {
    const auto a = network_of<TypeParam>(n);
    std::vector<int> values(std::size_t{1} << n);
    for (auto& one : values) one = int(random() % 100);
    auto expected = values;
    std::sort(expected.begin(), expected.end());
    EXPECT_EQ(sorted_by(a, values), expected);
  }
}

TEST(Networks, SortsWorkAndDepth) {
  for (int n = 1; n <= 10; ++n) {
    const auto N = std::uint64_t{1} << n, m = static_cast<std::uint64_t>(n);
    EXPECT_EQ(nodes_of(Bitonic{{{n}}}), m * (m + 1) * N / 4);
    EXPECT_EQ(nodes_of(OddEvenMerge{{{n}}}), (m * m - m + 4) * N / 4 - 1);
    EXPECT_EQ(Bitonic({{{n}}}).stages(), n * (n + 1) / 2);
  }
}

}  // namespace
}  // namespace warploom
