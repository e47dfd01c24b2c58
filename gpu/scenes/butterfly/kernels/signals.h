#pragma once
#include <cstdint>
#include <vector>

#include "gpu/core/group.h"
#include "gpu/core/hash.h"
#include "gpu/scenes/butterfly/kernels/complex.h"
#include "gpu/scenes/butterfly/kernels/equation.h"
#include "gpu/scenes/butterfly/rules/scan.h"

namespace warploom {

enum class SignalKind {
  tones,
  chirp,
  impulse,
  square,
  noise,  // waves
  ones,
  walk,  // to be scanned; noise, too
  heat,
  toeplitz,
  dominant,
  decoupled,
  singular,  // systems
  shuffled,
  reversed,
  few,
  sorted,  // keys
  drawn    // of any algorithm, by hand
};

/// How a signal's values lie.
enum class SignalType { complex, real, whole, affine, system, key };

inline constexpr std::uint32_t sine_steps = 4096;
/// One turn of a sine, made in double.
std::vector<float> sine_table();

/// Of a drawn signal as many values as there is use for, from those it was drawn by: they stand evenly over a row,
/// straight lines between them.
std::vector<float> drawn_curve(const std::vector<double>& values, int n);

/// Input `step` of all problems: from whole phases, in 2^-32 of a turn, and one table, so that both backends make the
/// same bits. Launched with row_shape of all elements.
struct MakeSignal {
  SignalKind kind;
  SignalType type;
  int n = 0;                   ///< log2 of the elements of a problem
  std::uint64_t elements = 0;  ///< of a row of input: 2^n, or 2^(n - 1) + 1
  bool spectrum = false;       ///< the latter: of a real row
  std::uint64_t batch = 0, step = 0, seed = 0;
  const float* sines = nullptr;
  const float* curve = nullptr;    ///< drawn: what it is over a row, -1..1
  std::uint32_t curve_values = 1;  ///< ... of so many, evenly
  const float* fed = nullptr;      ///< heat: the right side (batch, N); null: the first one
  bool interleaved = false;        ///< element by element of all problems
  void* to = nullptr;

  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    each_item(group, batch * elements, [&](std::uint64_t i) {
      const std::uint64_t problem = i / elements;
      const auto e = static_cast<std::uint32_t>(i % elements);
      put(interleaved ? e * batch + problem : i, problem, e);
    });
  }

 private:
  WARPLOOM_HD float sine(std::uint32_t phase) const { return sines[phase / (0x80000000u / (sine_steps / 2))]; }
  WARPLOOM_HD float cosine(std::uint32_t phase) const { return sine(phase + 0x40000000u); }
  WARPLOOM_HD std::uint64_t hash(std::uint64_t problem, std::uint32_t e, std::uint32_t what = 0) const {
    return key_hash(seed + step * 0x9E3779B97F4A7C15ull + what, (problem << 24) + e);
  }
  /// -1 to 1, exact in float.
  WARPLOOM_HD static float even(std::uint64_t hash) {
    return static_cast<float>(static_cast<std::int32_t>(hash >> 40) - (1 << 23)) * 0x1p-23f;
  }

  WARPLOOM_HD void put(std::uint64_t at, std::uint64_t problem, std::uint32_t e) const {
    switch (type) {
      case SignalType::complex: {
        Complex value = wave(problem, e);
        // The spectrum of a real row is real at both ends.
        if (spectrum && (e == 0 || e + 1 == elements)) value.im = 0;
        static_cast<Complex*>(to)[at] = value;
        return;
      }
      case SignalType::real:
        static_cast<float*>(to)[at] = kind == SignalKind::ones   ? 1
                                      : kind == SignalKind::walk ? (hash(problem, e) & 1 ? 1.f : -1.f)
                                                                 : wave(problem, e).re;
        return;
      case SignalType::whole:
        static_cast<std::uint32_t*>(to)[at] = whole(problem, e);
        return;
      case SignalType::affine:
        static_cast<AffineMap*>(to)[at] = kind == SignalKind::noise
                                              ? AffineMap{static_cast<std::uint32_t>(hash(problem, e)) | 1,
                                                          static_cast<std::uint32_t>(hash(problem, e, 1))}
                                              : AffineMap{1, whole(problem, e)};
        return;
      case SignalType::system:
        static_cast<Equation<float>*>(to)[at] = equation(problem, e);
        return;
      case SignalType::key:
        static_cast<std::uint32_t*>(to)[at] = key(problem, e);
        return;
    }
  }

  WARPLOOM_HD float drawn_at(std::uint32_t e) const {
    const std::uint64_t at = std::uint64_t{e} * curve_values / elements;
    return curve[at < curve_values ? at : curve_values - 1];
  }

  WARPLOOM_HD std::uint32_t whole(std::uint64_t problem, std::uint32_t e) const {
    if (kind == SignalKind::drawn) return static_cast<std::uint32_t>(static_cast<std::int32_t>(drawn_at(e) * 1000));
    if (kind == SignalKind::ones) return 1;
    if (kind == SignalKind::walk) return hash(problem, e) & 1 ? 1u : ~0u;
    return static_cast<std::uint32_t>(hash(problem, e));
  }

  WARPLOOM_HD std::uint32_t key(std::uint64_t problem, std::uint32_t e) const {
    if (kind == SignalKind::drawn) return static_cast<std::uint32_t>((drawn_at(e) + 1) * 1000);
    if (kind == SignalKind::reversed) return (1u << n) - 1 - e;
    if (kind == SignalKind::sorted) return e;
    if (kind == SignalKind::few) return static_cast<std::uint32_t>(hash(problem, e) & 7);
    return static_cast<std::uint32_t>(hash(problem, e));
  }

  WARPLOOM_HD Complex wave(std::uint64_t problem, std::uint32_t e) const {
    const auto t = static_cast<std::uint32_t>(step), b = static_cast<std::uint32_t>(problem);
    const std::uint32_t slow = t * 0x00333333u + b * 0x06000000u;  // a turn in some 1280 steps; problems are apart
    switch (kind) {
      case SignalKind::tones: {
        // One goes up and down between an eighth and three eighths of the band, one rises through all of it: what is
        // past its end comes in again at the other.
        const std::uint32_t swing = slow < 0x80000000u ? slow : ~slow;
        const std::uint32_t first = 0x20000000u + (swing >> 1), second = slow * 2 + 0x30000000u;
        const std::uint32_t one = first * e, two = second * e;
        return {.6f * cosine(one) + .3f * cosine(two), .6f * sine(one) + .3f * sine(two)};
      }
      case SignalKind::chirp: {
        // The advance rises from sample to sample by so much that it goes through half the band.
        const std::uint32_t rise = 0x80000000u >> n,
                            before = static_cast<std::uint32_t>((std::uint64_t{e} * e - e) / 2),
                            phase = (slow >> 1) * e + rise * before;
        return {cosine(phase), sine(phase)};
      }
      case SignalKind::impulse:
        return {e == ((t / 4 + b) & ((1u << n) - 1)) ? 1.f : 0.f, 0};
      case SignalKind::drawn:
        return {drawn_at(e), 0};
      case SignalKind::square:
        return {cosine((0x08000000u + (slow >> 3)) * e) < 0 ? -1.f : 1.f, 0};
      default:
        return {even(hash(problem, e)), even(hash(problem, e, 1))};
    }
  }

  WARPLOOM_HD Equation<float> equation(std::uint64_t problem, std::uint32_t e) const {
    const auto right = [&] { return even(hash(problem, e)); };
    if (kind == SignalKind::heat) {
      // An implicit step: what is hot spreads. Two humps to begin with.
      const std::uint32_t at = static_cast<std::uint32_t>((static_cast<std::uint64_t>(e) << 32) >> n);
      const float begin = .5f - .5f * cosine(at * 2 + static_cast<std::uint32_t>(problem) * 0x05000000u);
      const std::uint64_t own = interleaved ? e * batch + problem : (problem << n) + e;
      return {-100, 201, -100, fed ? fed[own] : begin * begin};
    }
    if (kind == SignalKind::drawn) return {-1, 2, -1, drawn_at(e)};
    if (kind == SignalKind::toeplitz) return {-1, 2, -1, right()};
    Equation<float> row{even(hash(problem, e, 1)), 0, even(hash(problem, e, 2)), right()};
    if (kind == SignalKind::decoupled) {
      if (hash(problem, e, 3) % 4 == 0) row.a = 0;
      if (hash(problem, e, 4) % 4 == 0) row.c = 0;
    }
    const float side = fabsf(row.a) + fabsf(row.c) + .5f;
    row.b = hash(problem, e, 5) & 1 ? side : -side;
    // A row of zeros in the last problem.
    if (kind == SignalKind::singular && problem + 1 == batch && e == (1u << n) / 3) row = {0, 0, 0, 0};
    return row;
  }
};

}  // namespace warploom
