#pragma once
#include "gpu/scenes/butterfly/kernels/complex.h"
#include "gpu/scenes/butterfly/kernels/twiddles.h"

namespace warploom {

enum class FftKind {
  complex,
  real,   ///< by the complex transform of half as many
  cosine  ///< DCT-II, and its inverse, DCT-III / 2N
};

/// Where the values of transforms come from and go to: what is packed as they are loaded, and split as they are stored.
/// Problems have 2^n values; element e of the network, which has 2^(n - 1) of real ones.
struct FftData {
  FftKind kind = FftKind::complex;
  bool inverse = false;
  int n = 0;
  const void* in = nullptr;  ///< (batch, N): complex, or floats; real inverse: (batch, N/2 + 1) complex
  void* out = nullptr;
  Twiddles twiddles;

  WARPLOOM_HD int digits() const { return kind == FftKind::complex ? n : n - 1; }
  /// A transform of real values forward is split when all of it is there.
  WARPLOOM_HD bool splits() const { return kind != FftKind::complex && !inverse; }

  /// What is found once for all elements of a problem.
  WARPLOOM_HD static std::uint64_t of(std::uint64_t problem) { return problem; }

  WARPLOOM_HD Complex load(std::uint64_t problem, std::uint32_t e) const {
    if (kind == FftKind::complex) return static_cast<const Complex*>(in)[(problem << n) + e];
    if (!inverse) {
      const float* x = static_cast<const float*>(in) + (problem << n);
      const std::uint64_t pair = std::uint64_t{e} * 2;
      if (kind == FftKind::real) return {x[pair], x[pair + 1]};
      return {x[from_folded(2 * e)], x[from_folded(2 * e + 1)]};
    }
    const std::uint32_t half = 1u << (n - 1);
    const Complex a = spectrum(problem, e), b = conjugate(spectrum(problem, half - e));
    return .5f * ((a + b) + turned(conjugate(twiddles.at(e, n)) * (a - b)));
  }

  /// X[k] of the network, of what is not split.
  WARPLOOM_HD void store(std::uint64_t problem, std::uint32_t k, Complex value) const {
    if (inverse) value = (1 / static_cast<float>(1u << digits())) * value;
    if (kind == FftKind::complex) {
      static_cast<Complex*>(out)[(problem << n) + k] = value;
      return;
    }
    float* x = static_cast<float*>(out) + (problem << n);
    const bool folded = kind == FftKind::cosine;
    x[folded ? from_folded(2 * k) : 2 * k] = value.re;
    x[folded ? from_folded(2 * k + 1) : 2 * k + 1] = value.im;
  }

  /// ... and of what is: `own` is Z[k], `other` Z[(M - k) mod M], M = N/2.
  WARPLOOM_HD void store_split(std::uint64_t problem, std::uint32_t k, Complex own, Complex other) const {
    put_spectrum(problem, k, split(k, own, other));
    if (k == 0) put_spectrum(problem, 1u << (n - 1), split(1u << (n - 1), own, own));
  }

 private:
  /// Real values of a cosine transform: the even ones forward, then the odd ones backward.
  WARPLOOM_HD std::uint32_t from_folded(std::uint32_t j) const {
    return j < 1u << (n - 1) ? 2 * j : 2 * ((1u << n) - 1 - j) + 1;
  }
  /// X_k = (Z_k + Z*_(M-k)) / 2 - (i / 2) W_N^k (Z_k - Z*_(M-k)).
  WARPLOOM_HD Complex split(std::uint32_t k, Complex own, Complex other) const {
    const Complex a = own, b = conjugate(other);
    return .5f * ((a + b) - turned(twiddles.at(k, n) * (a - b)));
  }
  WARPLOOM_HD void put_spectrum(std::uint64_t problem, std::uint32_t k, Complex value) const {
    const std::uint32_t half = 1u << (n - 1);
    if (kind == FftKind::real) {
      static_cast<Complex*>(out)[problem * (half + 1) + k] = value;
      return;
    }
    float* y = static_cast<float*>(out) + (problem << n);
    const Complex u = twiddles.at(k, n + 2) * value;
    y[k] = 2 * u.re;
    if (k != 0 && k != half) y[(1u << n) - k] = -2 * u.im;
  }
  /// What the inverse begins with, k from 0 to N/2.
  WARPLOOM_HD Complex spectrum(std::uint64_t problem, std::uint32_t k) const {
    const std::uint32_t half = 1u << (n - 1), all = 1u << n;
    if (kind == FftKind::real) {
      const Complex x = static_cast<const Complex*>(in)[problem * (half + 1) + k];
      return {x.re, k == 0 || k == half ? 0 : x.im};  // of real values those two are real
    }
    const float* y = static_cast<const float*>(in) + (problem << n);
    return .5f * (conjugate(twiddles.at(k, n + 2)) * Complex{y[k], k ? -y[all - k] : 0});
  }
};

/// Of complex rows alone: nothing is asked that is known.
struct ComplexData {
  const Complex* in = nullptr;  ///< (batch, N)
  Complex* out = nullptr;
  int n = 0;
  float scale = 1;
  bool inverse = false;
  Twiddles twiddles;

  WARPLOOM_HD static constexpr bool splits() { return false; }
  WARPLOOM_HD static std::uint64_t of(std::uint64_t problem) { return problem; }
  WARPLOOM_HD static void store_split(std::uint64_t, std::uint32_t, Complex, Complex) {}
  WARPLOOM_HD Complex load(std::uint64_t problem, std::uint32_t e) const { return in[(problem << n) + e]; }
  WARPLOOM_HD void store(std::uint64_t problem, std::uint32_t k, Complex value) const {
    out[(problem << n) + k] = inverse ? scale * value : value;
  }
};

}  // namespace warploom
