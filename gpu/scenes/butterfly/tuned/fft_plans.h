#pragma once
#include <type_traits>

#include "gpu/core/type_list.h"
#include "gpu/scenes/butterfly/kernels/complex.h"
#include "gpu/scenes/butterfly/tuned/words.h"

// Plans of transforms whose digits are placed when the program is compiled. Source: the house's design, after
// lobeiras2016indexdigit.
namespace warploom {

/// Digits of a transform in windows from the top, each of them a stage.
struct FftShape {
  static constexpr int most_windows = 8;
  int n, p;                   ///< log2 of a row's elements, and of a thread's
  int windows[most_windows];  ///< digits of each; 0: none
  int l, least_blocks;        ///< log2 of a block's threads; blocks a multiprocessor should hold
  bool staged;                ///< rows come and go in the order of addresses, by an exchange of each warp

  WARPLOOM_HD constexpr int count() const {
    int all = 0;
    while (all < most_windows && windows[all]) ++all;
    return all;
  }
  /// The lowest digit of a window, from 0.
  WARPLOOM_HD constexpr int low(int window) const {
    int left = n;
    for (int i = 0; i <= window; ++i) left -= windows[i];
    return left;
  }
  friend constexpr bool operator==(const FftShape&, const FftShape&) = default;
};

/// Where a shape has its digits. Registers hold a window's digits and those above it, as many as they are; threads
/// those below it, ascending, those above them, the highest first, and behind these the rows of a block.
constexpr Plan plan_of(const FftShape& shape) {
  Plan plan;
  plan.n = shape.n;
  plan.p = shape.p;
  plan.l = shape.l;
  const int all = shape.p + shape.l;
  const auto window = [&](int number) {
    const int low = shape.low(number), first = low + shape.p <= shape.n ? low : shape.n - shape.p;
    Layout at;
    at.registers.add_rising(first, first + shape.p);
    at.thread.add_rising(0, first);
    at.thread.add_falling(first + shape.p, shape.n);
    at.thread.add_rising(shape.n, all);
    return at;
  };
  plan.load.add_rising(0, all);
  plan.store.add_falling(0, shape.n);
  plan.store.add_rising(shape.n, all);
  // In the order of addresses: registers hold the lowest digit and the highest that are no warp's.
  const auto staging = [&](const Digits& address, const Layout& beside) {
    Layout at;
    at.registers.add(address.at[0]);
    Digits rest;
    for (int i = 1; i < all; ++i) {
      const int bit = beside.thread.bit_of(address.at[i]);
      if (bit < 5) rest.add(address.at[i]);
    }
    for (int i = 0; i < 5; ++i) at.thread.add(rest.at[i]);
    for (int i = 5; i < rest.count; ++i) at.registers.add(rest.at[i]);
    for (int bit = 5; bit < beside.thread.count; ++bit) at.thread.add(beside.thread.at[bit]);
    return at;
  };
  const int windows = shape.count();
  if (shape.staged) plan.add(staging(plan.load, window(0)), 1, 0);
  for (int i = 0; i < windows; ++i) plan.add(window(i), i + 1, i + 1);
  if (shape.staged) plan.add(staging(plan.store, window(windows - 1)), windows + 1, windows);
  choose_all_words(plan, sizeof(Complex));
  return plan;
}

/// The shapes of a track: of each length one, from `least` on.
template <int count>
struct FftShapes {
  FftShape of[count];
  WARPLOOM_HD constexpr int least() const { return of[0].n; }
  WARPLOOM_HD constexpr int most() const { return of[count - 1].n; }
  WARPLOOM_HD constexpr const FftShape& at(int n) const { return of[n - least()]; }
};
constexpr NetworkMapping mapping_of(const FftShape& shape) { return {shape.n, shape.p, shape.p + shape.l}; }

/// Windows of p digits from the top, the last of them with what is left. Blocks of 128 threads where a row fits one;
/// short rows are staged.
template <int least, int most>
constexpr FftShapes<most - least + 1> radix_shapes(int p) {
  FftShapes<most - least + 1> shapes{};
  for (int n = least; n <= most; ++n) {
    FftShape& shape = shapes.of[n - least];
    shape.n = n;
    shape.p = p;
    for (int window = 0, left = n; left > 0; left -= p) shape.windows[window++] = left < p ? left : p;
    shape.l = n - p > 7 ? n - p : 7;
    // As many as their registers leave, which are so many that none is spilled: of a multiprocessor's 65,536.
    const int registers = p == 2 ? 32 : p == 3 ? 48 : 64, blocks = (65536 / registers) >> shape.l;
    shape.least_blocks = blocks > 12 ? 12 : blocks;  // of 128 threads: no multiprocessor has room for less
    shape.staged = n <= 7;
  }
  return shapes;
}

// A track is a structure here, and a line in list.h. `key`: the variant whose exchange `tuned` it is; `real`: it has
// real and cosine transforms, too, by complex ones of half the length, of shapes of their own; `long_rows`: rows beyond
// those of a block, by passes (fft_long.h).

/// The fastest windows of each length. A new plan is a line.
struct IndexDigitPlans {
  static constexpr const char* key = "index_digit";
  static constexpr bool real = true, long_rows = true;
  static constexpr FftShapes<10> shapes{{
      {5, 3, {3, 2}, 7, 10, true},
      {6, 3, {3, 3}, 7, 10, true},
      {7, 4, {4, 3}, 7, 8, true},
      {8, 3, {3, 3, 2}, 7, 10, false},
      {9, 4, {4, 3, 2}, 7, 8, false},
      {10, 4, {4, 3, 3}, 7, 8, false},
      {11, 4, {4, 4, 3}, 7, 8, false},
      {12, 4, {4, 4, 4}, 8, 4, false},
      {13, 5, {5, 4, 4}, 8, 2, false},
      {14, 5, {5, 5, 4}, 9, 1, false},
  }};
  /// Of real rows, which come and go through shared memory anyhow: sixteen elements a thread and what belongs to it
  /// are more than 64 registers hold.
  static constexpr FftShape real_shape(int n) {
    return n == 7 ? FftShape{7, 3, {3, 3, 1}, 7, 10, false} : shapes.at(n);
  }
};
struct Radix4Plans {
  static constexpr const char* key = "radix4";
  static constexpr bool real = false, long_rows = false;
  static constexpr auto shapes = radix_shapes<5, 12>(2);
};
struct Radix8Plans {
  static constexpr const char* key = "radix8";
  static constexpr bool real = false, long_rows = false;
  static constexpr auto shapes = radix_shapes<5, 13>(3);
};
struct Radix16Plans {
  static constexpr const char* key = "radix16";
  static constexpr bool real = false, long_rows = false;
  static constexpr auto shapes = radix_shapes<5, 13>(4);
};

/// Whether a length of a track has the very shape that it has in IndexDigitPlans, whose program then runs it.
template <class Plans>
constexpr bool is_shared(int n) {
  if (std::is_same_v<Plans, IndexDigitPlans>) return false;
  return n <= IndexDigitPlans::shapes.most() && Plans::shapes.at(n) == IndexDigitPlans::shapes.at(n);
}

template <class Plans, bool real>
constexpr FftShape shape_of(int n) {
  if constexpr (real)
    return Plans::real_shape(n);
  else
    return Plans::shapes.at(n);
}

/// A plan as kernels take it: a type that holds it, of complex rows or of real ones.
template <class Plans, int n, bool real = false>
struct TunedOf {
  static constexpr FftShape shape = shape_of<Plans, real>(n);
  static_assert(shape.n == n);
  static constexpr Plan plan = plan_of(shape);
  static constexpr std::uint32_t word_bytes = sizeof(Complex);
};

}  // namespace warploom
