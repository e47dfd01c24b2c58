#pragma once
#include "gpu/core/macros.h"

namespace warploom {

/// As NumPy's complex64.
struct alignas(8) Complex {
  float re = 0, im = 0;
};
WARPLOOM_HD constexpr Complex operator+(Complex a, Complex b) { return {a.re + b.re, a.im + b.im}; }
WARPLOOM_HD constexpr Complex operator-(Complex a, Complex b) { return {a.re - b.re, a.im - b.im}; }
WARPLOOM_HD constexpr Complex operator*(Complex a, Complex b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
WARPLOOM_HD constexpr Complex operator*(float a, Complex b) { return {a * b.re, a * b.im}; }
WARPLOOM_HD constexpr Complex conjugate(Complex a) { return {a.re, -a.im}; }
/// Times i.
WARPLOOM_HD constexpr Complex turned(Complex a) { return {-a.im, a.re}; }

}  // namespace warploom
