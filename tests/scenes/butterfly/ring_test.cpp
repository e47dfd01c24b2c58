#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>
#include <random>

#include "gpu/core/buffer.h"
#include "gpu/core/launch.h"
#include "gpu/scenes/butterfly/networks/ladner_fischer.h"
#include "gpu/scenes/butterfly/rules/scan.h"
#include "gpu/scenes/butterfly/tuned/fft_ring.h"
#include "gpu/scenes/butterfly/tuned/look_back_block.h"
#include "gpu/scenes/butterfly/tuned/system_ring.h"

// Two passes in one launch. Only devices take them; here they run on the CPU, whose blocks take tickets as well.

namespace warploom {
namespace {

LaunchShape tickets_of(const auto& ring) {
  return {row_of_blocks(ring.tickets()), {std::decay_t<decltype(ring)>::exact_threads, 1, 1}};
}

TEST(Rings, BlocksWaitForSmallerTicketsAlone) {
  int rings = 0;
  for (int chunk = 13; chunk <= 20; ++chunk)
    for (const int tile : {12, 13})
      for (const std::uint64_t mebibytes : {1, 3, 8, 16})
        for (const std::uint32_t resident : {1u, 7u, 66u, 264u, 528u, 1056u}) {
          const RingShape ring = ring_shape(chunk, tile, 8, mebibytes << 20, resident, .7);
          if (ring.slots == 0) {
            EXPECT_GT(std::uint64_t{24} << chunk, mebibytes << 20) << "three chunks fit";
            continue;
          }
          ++rings;
          EXPECT_LE(ring.elements() * 8, mebibytes << 20);
          const std::uint64_t tiles = ring.tiles_of_chunk();
          const auto first = [](std::uint64_t number) { return 2 * number; };
          const auto second = [&](std::uint64_t number) { return 2 * (number + ring.lag) + 1; };
          for (std::uint64_t c = 0; c < 3 * std::uint64_t{ring.slots}; ++c) {
            // Its last tile must be made before the second pass takes the first of them.
            ASSERT_LT(first((c + 1) * tiles - 1), second(c * tiles));
            // And the first pass writes a slot when the second has read all of what was there.
            if (c >= ring.slots) {
              ASSERT_LT(second((c - ring.slots + 1) * tiles - 1), first(c * tiles));
            }
          }
        }
  EXPECT_GT(rings, 50);
}

TEST(Rings, TransformsHandTilesOn) {
  using Ring = TunedRing<PassOf<passes::Columns8>, PassOf<passes::Rows7>>;
  constexpr int n = 15, rows = 5;
  constexpr std::uint64_t all = std::uint64_t{rows} << n, tiles = all >> Ring::tile_digits;
  Queue queue(Backend::cpu);
  std::mt19937 random(7);
  std::uniform_real_distribution<float> numbers(-1, 1);
  std::vector<Complex> in(all), out(all);
  for (Complex& value : in) value = {numbers(random), numbers(random)};
  const FftPass first = pass_of(n, 0), second = pass_of(n, 1);
  const auto of_threads = turns_of_threads(first), of_blocks = turns_of_blocks(first),
             last_turns = turns_of_threads(second);
  // Three slots for five rows: the first pass waits for two of them.
  const RingShape shape = ring_shape(n, Ring::tile_digits, sizeof(Complex), 3 * sizeof(Complex) << n, 4, .6);
  ASSERT_EQ(shape.slots, 3u);
  std::vector<Complex> ring(shape.elements());
  std::vector<std::uint64_t> words(RingBoard::words(rows), 0);
  for (const bool inverse : {false, true}) {
    std::fill(words.begin(), words.end(), 0);
    const Ring program{{first, in.data(), nullptr, inverse, false, 0, {of_threads.data(), of_blocks.data()}},
                       {second, nullptr, out.data(), false, inverse, 1.f / (1 << n), {last_turns.data(), nullptr}},
                       shape,
                       RingBoard::in(words.data(), rows),
                       ring.data(),
                       tiles};
    launch("test.ring", queue, tickets_of(program), program);
    for (std::uint64_t row = 0; row < rows; ++row)
      for (const std::uint64_t k : {0u, 1u, 2u, 127u, 128u, 5000u, 16384u, 32767u}) {
        std::complex<double> sum = 0;
        for (std::uint64_t j = 0; j < 1u << n; ++j) {
          const Complex x = in[(row << n) + j];
          const double turn = std::ldexp(static_cast<double>(j * k % (1u << n)), -n) * (inverse ? 1 : -1);
          sum += std::complex<double>(x.re, x.im) * std::polar(1., 2 * std::numbers::pi * turn);
        }
        if (inverse) sum /= 1 << n;
        const Complex got = out[(row << n) + k];
        EXPECT_LT(std::abs(sum - std::complex<double>(got.re, got.im)), inverse ? 1e-6 : 1e-3) << row << ", " << k;
      }
  }
}

TEST(Rings, SystemsAreSolvedWithinTheLaunch) {
  constexpr int n = 13, of_row = 3, rows = 3;
  static_assert(of_row == n - TunedSystemRing::Form::tile);
  constexpr std::uint64_t all = std::uint64_t{rows} << n, tiles = std::uint64_t{rows} << of_row;
  Queue queue(Backend::cpu);
  std::mt19937 random(11);
  std::uniform_real_distribution<float> numbers(-1, 1);
  std::vector<SystemRow> in(all), ends(2 * tiles);
  for (SystemRow& row : in) row = {numbers(random), 3 + numbers(random), numbers(random), numbers(random)};
  std::vector<float> x(all), unknowns(2 * tiles);
  std::vector<std::uint64_t> flags(rows + 1, 0), words(RingBoard::words(rows), 0);
  UnitSystems systems{in.data(), x.data(), {flags.data() + 1, flags.data()}, TunedSystemRing::Form::tile, tiles};
  systems.of_row = of_row;
  const TunedSystemRing ring{systems, ends.data(), unknowns.data(), RingBoard::in(words.data(), rows), 1u << of_row};
  launch("test.ring", queue, tickets_of(ring), ring);
  EXPECT_EQ(flags[0], 0u);
  for (std::uint64_t i = 0; i < all; ++i) {
    const std::uint64_t e = i & ((1u << n) - 1);
    const double left = e == 0 ? 0 : x[i - 1], right = e + 1 == 1u << n ? 0 : x[i + 1];
    ASSERT_NEAR(in[i].a * left + double{in[i].b} * x[i] + in[i].c * right, in[i].d, 1e-5) << i;
  }
}

template <class Operator>
void scan_by_ring(std::uint32_t lag) {
  using Rows = TiledRows<LadnerFischer, Operator>;
  using Value = typename Operator::Value;
  constexpr int n = Rows::log_elements + 2, rows = 3;
  constexpr std::uint64_t all = std::uint64_t{rows} << n, tiles = all >> Rows::log_elements;
  Queue queue(Backend::cpu);
  std::mt19937 random(13);
  std::vector<Value> in(all), out(all);
  for (Value& value : in) {
    std::uint32_t words[sizeof(Value) / 4];
    for (std::uint32_t& word : words) word = random() | 1;
    memcpy(&value, words, sizeof(value));
  }
  std::vector<std::uint64_t> told(tiles * TileBoard<Value>::words, 0), ticket(1, 0);
  const Operator op{};
  const Rows tiled{
      {{op, in.data(), out.data(), Rows::log_elements, tiles, false}, {}}, n, {told.data(), ticket.data()}};
  if (lag > 0) {
    const TunedScanRing<LadnerFischer, Operator> ring{tiled, tiles, lag};
    launch("test.ring", queue, tickets_of(ring), ring);
  } else {
    launch("test.ring", queue, {row_of_blocks(tiles), {TunedLookBack<LadnerFischer, Operator>::exact_threads, 1, 1}},
           TunedLookBack<LadnerFischer, Operator>{tiled});
  }
  Value sum = op.identity();
  for (std::uint64_t i = 0; i < all; ++i) {
    sum = (i & ((std::uint64_t{1} << n) - 1)) == 0 ? in[i] : op.combine(sum, in[i]);
    ASSERT_EQ(memcmp(&sum, &out[i], sizeof(sum)), 0) << "element " << i << ", lag " << lag;
  }
}

TEST(Rings, ScansAreTheSameByLookingBackAndInTwoPasses) {
  for (const std::uint32_t lag : {0u, 1u, 5u, 100u}) {
    scan_by_ring<KnownWordOperator<WordOperator::Kind::multiply>>(lag);
    scan_by_ring<AffineOperator>(lag);  // its order counts
  }
}

}  // namespace
}  // namespace warploom
