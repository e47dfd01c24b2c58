#pragma once
#include "gpu/core/pack.h"
#include "gpu/core/unroll.h"
#include "gpu/scenes/butterfly/kernels/complex.h"

// What a window of digits does to the registers of a thread that has them: (u, v) becomes (u + v, (u - v) W) digit by
// digit, where W is known but for what the digits below the window turn by; that is one product an element behind it.
namespace warploom {

/// a W_32^k, k from 0 to 15. Where k is known when the program is compiled, next to nothing of it is left.
WARPLOOM_HD constexpr Complex times_thirty_second(Complex a, int k) {
  constexpr float eighth = .70710678118654752f;
  constexpr float cosines[] = {1.f,
                               .98078528040323044f,
                               .92387953251128676f,
                               .83146961230254524f,
                               .70710678118654752f,
                               .55557023301960222f,
                               .38268343236508977f,
                               .19509032201612827f};
  if (k == 0) return a;
  if (k == 8) return {a.im, -a.re};
  if (k == 4) return {eighth * (a.re + a.im), eighth * (a.im - a.re)};
  if (k == 12) return {eighth * (a.im - a.re), -eighth * (a.re + a.im)};
  const float re = k < 8 ? cosines[k] : -cosines[16 - k], im = k < 8 ? -cosines[8 - k] : -cosines[k - 8];
  return {a.re * re - a.im * im, a.re * im + a.im * re};
}

/// `number` with as many zeros put in from bit `bit` on.
WARPLOOM_HD constexpr int with_gap(int number, int bit, int zeros) {
  return number >> bit << (bit + zeros) | (number & ((1 << bit) - 1));
}

/// Pairs of the window's digits, of which the lowest is bit `bit` of a register's number; the others follow.
template <int width, int bit, int items>
WARPLOOM_HD void pair_digits(Complex (&v)[items]) {
  WARPLOOM_UNROLL
  for (int d = width - 1; d >= 0; --d) {
    WARPLOOM_UNROLL
    for (int pair = 0; pair < items / 2; ++pair) {
      const int i = with_gap(pair, bit + d, 1), j = i | 1 << (bit + d), turn = (i >> bit & ((1 << d) - 1)) << (4 - d);
      const Complex u = v[i], apart = u - v[j];
      v[i] = u + v[j];
      v[j] = times_thirty_second(apart, turn);
    }
  }
}

/// The 2^k-th powers of a turn, k below `width`: what a table has of it, an even number of entries.
template <int width>
struct Turn {
  static constexpr int entries = (width + 1) / 2 * 2;
  Complex of[entries];
};
template <int width>
WARPLOOM_HD Turn<width> load_turn(const Complex* from) {
  Turn<width> turn;
  WARPLOOM_UNROLL
  for (int k = 0; k < Turn<width>::entries; k += 2) {
    const auto pair = load_pack<2>(&from[k]);
    turn.of[k] = pair[0];
    turn.of[k + 1] = pair[1];
  }
  return turn;
}

/// A register's digits, of the exponent of its power: the highest digit turns once, each lower one twice as often.
/// Constants, as nvcc does not unroll a loop that would make them within one that it unrolls.
template <int width>
struct DigitsOfTurns {
  int of[1 << width] = {};
  WARPLOOM_HD constexpr DigitsOfTurns() {
    for (int k = 0; k < 1 << width; ++k)
      for (int d = 0; d < width; ++d) of[k] |= (k >> d & 1) << (width - 1 - d);
  }
};
/// The product behind a window, by the turn of the digits below it.
template <int width, int bit, int items>
WARPLOOM_HD void turn_registers(Complex (&v)[items], const Turn<width>& turn) {
  constexpr DigitsOfTurns<width> digits;
  Complex power[1 << width];
  WARPLOOM_UNROLL
  for (int k = 0; k < width; ++k) power[1 << k] = turn.of[k];
  // Each power as soon as it is made: the upper half of them need not be kept.
  WARPLOOM_UNROLL
  for (int k = 1; k < 1 << width; ++k) {
    const int highest = k >= 16 ? 16 : k >= 8 ? 8 : k >= 4 ? 4 : k >= 2 ? 2 : 1;
    if (k != highest) power[k] = power[k - highest] * power[highest];
    WARPLOOM_UNROLL
    for (int other = 0; other < items >> width; ++other) {
      const int i = with_gap(other, bit, width) | digits.of[k] << bit;
      v[i] = v[i] * power[k];
    }
  }
}

}  // namespace warploom
