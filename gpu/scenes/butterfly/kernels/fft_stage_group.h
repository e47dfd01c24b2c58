#pragma once
#include "gpu/core/unroll.h"
#include "gpu/scenes/butterfly/kernels/complex.h"
#include "gpu/scenes/butterfly/kernels/network.h"
#include "gpu/scenes/butterfly/kernels/twiddles.h"

// What a thread does to its registers in an FFT.
namespace warploom {

/// a W_16^k, k from 0 to 7, and for the inverse its conjugate: `sign` is -1 then, else 1. Where k is known when the
/// program is compiled, next to nothing of it is left.
WARPLOOM_HD constexpr Complex times_sixteenth(Complex a, int k, float sign) {
  constexpr float cos_1 = .92387953251128676f, sin_1 = .38268343236508977f, cos_2 = .70710678118654752f;
  if (k == 0) return a;
  if (k == 4) return {sign * a.im, -sign * a.re};
  const float re = k == 1   ? cos_1
                   : k == 2 ? cos_2
                   : k == 3 ? sin_1
                   : k == 5 ? -sin_1
                   : k == 6 ? -cos_2
                            : -cos_1,
              im = sign * (k == 1 || k == 7   ? -sin_1
                           : k == 2 || k == 6 ? -cos_2
                                              : -cos_1);
  return {a.re * re - a.im * im, a.re * im + a.im * re};
}

/// What the digits `high` to `low` do to 2^p registers: (u, v) becomes (u + v, (u - v) W). `lowest` is the digit of bit
/// 0 of a register's number, `first` the element of register 0: W is a part that this decides, and a sixteenth of a
/// turn for every register.
template <int p>
WARPLOOM_HD void fft_digits(Complex (&v)[1 << p], int high, int low, int lowest, std::uint32_t first,
                            const Twiddles& twiddles, bool inverse) {
  static_assert(p <= 4);
  const float sign = inverse ? -1.f : 1.f;
  WARPLOOM_UNROLL
  for (int bit = p - 1; bit >= 0; --bit) {
    const int d = lowest + bit;
    if (d > high || d < low) continue;
    // Of the lowest digits nothing is left to turn by.
    Complex w{1, 0};
    if (lowest > 1) w = twiddles.at(first & below_digit(d), d);
    if (inverse) w = conjugate(w);
    WARPLOOM_UNROLL
    for (int i = 0; i < 1 << p; ++i) {
      if (i >> bit & 1) continue;
      const int j = i | 1 << bit;
      const Complex u = v[i], apart = u - v[j];
      v[i] = u + v[j];
      const Complex turned_by_register = times_sixteenth(apart, (i & ((1 << bit) - 1)) << (3 - bit), sign);
      v[j] = lowest > 1 ? turned_by_register * w : turned_by_register;
    }
  }
}

}  // namespace warploom
