#pragma once
#include <cstdint>

#include "gpu/core/group.h"

namespace warploom {

struct Complex {
  float re, im;
  WARPLOOM_HD friend Complex operator+(Complex a, Complex b) { return {a.re + b.re, a.im + b.im}; }
  WARPLOOM_HD friend Complex operator-(Complex a, Complex b) { return {a.re - b.re, a.im - b.im}; }
  WARPLOOM_HD friend Complex operator*(Complex a, Complex b) {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  }
  WARPLOOM_HD friend Complex operator*(float a, Complex b) { return {a * b.re, a * b.im}; }
};
WARPLOOM_HD Complex times_i(Complex a) { return {-a.im, a.re}; }

/// The radices of a side: their product is it. None: it is no product of 4, 2, 3 and 5.
struct FourierFactors {
  static constexpr unsigned most = 12;  ///< 2^12 = 4096
  unsigned char radices[most];
  unsigned count = 0;
};

/// values[s] = sum over q of values[q] e^(2 pi i q s / radix), in place.
template <unsigned radix>
WARPLOOM_HD void small_fourier(Complex (&v)[radix]) {
  static_assert(radix >= 2 && radix <= 5);
  if constexpr (radix == 2) {
    const Complex a = v[0], b = v[1];
    v[0] = a + b;
    v[1] = a - b;
  } else if constexpr (radix == 3) {
    constexpr float sine = .866025403784438647f;  // of 120 degrees
    const Complex sum = v[1] + v[2], turned = times_i(sine * (v[1] - v[2])), middle = v[0] - .5f * sum;
    v[0] = v[0] + sum;
    v[1] = middle + turned;
    v[2] = middle - turned;
  } else if constexpr (radix == 4) {
    const Complex even = v[0] + v[2], odd = v[1] + v[3], a = v[0] - v[2], b = times_i(v[1] - v[3]);
    v[0] = even + odd;
    v[1] = a + b;
    v[2] = even - odd;
    v[3] = a - b;
  } else {
    constexpr float cosine = .309016994374947424f, sine = .951056516295153572f;               // of 72 degrees
    constexpr float cosine_twice = -.809016994374947424f, sine_twice = .587785252292473129f;  // of 144
    const Complex a = v[1] + v[4], b = v[2] + v[3], c = v[1] - v[4], d = v[2] - v[3];
    const Complex near = v[0] + cosine * a + cosine_twice * b, far = v[0] + cosine_twice * a + cosine * b;
    const Complex near_turned = times_i(sine * c + sine_twice * d), far_turned = times_i(sine_twice * c - sine * d);
    v[0] = v[0] + a + b;
    v[1] = near + near_turned;
    v[2] = far + far_turned;
    v[3] = far - far_turned;
    v[4] = near - near_turned;
  }
}

/// Rows to their inverse transforms, about the middles: see fourier.h. A block has a few neighbouring rows in shared
/// memory, twice, and takes one radix after another from one copy to the other, so that nothing is left in bit-reversed
/// order (Stockham). Source: govindaraju2008fft.
struct FourierLines {
  static constexpr std::uint64_t threads_per_chunk = 512;
  static constexpr unsigned threads = 128, most_threads = threads;
  const float* in;     ///< (lines, side, 2)
  const float* roots;  ///< (side, 2)
  float* out;          ///< (kept, lines, 2)
  std::uint64_t lines;
  std::uint32_t side, kept;
  std::uint32_t rows;  ///< of a block
  FourierFactors factors;

  std::uint64_t dynamic_shared_bytes() const { return 2ull * rows * side * sizeof(Complex); }

  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    auto values = group.template dynamic_tile<Complex>(2 * rows * side);
    const std::uint64_t first = group.block_number() * rows;
    const std::uint32_t here = lines - first < rows ? static_cast<std::uint32_t>(lines - first) : rows;

    // ---- load
    group.each([&](const Thread& thread) {
      for (std::uint32_t i = thread.index; i < here * side; i += group.size()) values[i] = pair(in, first * side + i);
    });
    group.barrier();

    // ---- a pass for each radix; `done`: the product of those before
    std::uint32_t from = 0, to = rows * side, done = 1;
    for (unsigned i = 0; i < factors.count; ++i) {
      const unsigned radix = factors.radices[i];
      if (radix == 2) pass<2>(group, values, here, from, to, done);
      if (radix == 3) pass<3>(group, values, here, from, to, done);
      if (radix == 4) pass<4>(group, values, here, from, to, done);
      if (radix == 5) pass<5>(group, values, here, from, to, done);
      group.barrier();
      const std::uint32_t written = to;
      to = from;
      from = written;
      done *= radix;
    }

    // ---- store: frequencies about the middle, a row's neighbour next to it
    group.each([&](const Thread& thread) {
      for (std::uint32_t i = thread.index; i < here * kept; i += group.size()) {
        const std::uint32_t row = i % here, s = i / here;
        // s - kept/2, modulo the side. The input's middle, m = side/2, is a factor e^(-pi i (s - kept/2)).
        const std::uint32_t place = s < kept / 2 ? s + side - kept / 2 : s - kept / 2;
        const Complex value = values[from + row * side + place];
        const float sign = (s ^ (kept / 2)) % 2 ? -1.f : 1.f;
        float* at = out + 2 * (s * lines + first + row);
        at[0] = sign * value.re;
        at[1] = sign * value.im;
      }
    });
  }

 private:
  WARPLOOM_HD static Complex pair(const float* values, std::uint64_t i) { return {values[2 * i], values[2 * i + 1]}; }

  /// Transforms of `done` values, side / done of them, become side / done / radix of done * radix values.
  template <unsigned radix, class Group, class Tile>
  WARPLOOM_HD void pass(Group& group, Tile& values, std::uint32_t here, std::uint32_t from, std::uint32_t to,
                        std::uint32_t done) const {
    const std::uint32_t apart = side / radix, turn = apart / done;
    group.each([&](const Thread& thread) {
      for (std::uint32_t i = thread.index; i < here * apart; i += group.size()) {
        const std::uint32_t row = i / apart * side, b = i % apart, inner = b % done;
        Complex v[radix];
        for (unsigned q = 0; q < radix; ++q) {
          const Complex value = values[from + row + b + q * apart];
          v[q] = q == 0 ? value : pair(roots, std::uint64_t{q} * inner * turn) * value;
        }
        small_fourier(v);
        for (unsigned q = 0; q < radix; ++q) values[to + row + (b - inner) * radix + inner + q * done] = v[q];
      }
    });
  }
};

}  // namespace warploom
