#pragma once
#include "gpu/core/type_list.h"
#include "gpu/scenes/butterfly/tuned/fft_pass.h"

namespace warploom {

namespace passes {
// Tiles of 2^12 elements in blocks of 256 threads, of 2^13 and 2^14 in blocks of 512; whole lines of memory on both
// sides: 16 columns or rows, 8 where digits leave no more.
struct Columns7 {
  static constexpr PassShape shape{false, 4, 8, 5, {4, 3}};
};
struct Columns8 {
  static constexpr PassShape shape{false, 4, 8, 4, {4, 4}};
};
struct Columns9 {
  static constexpr PassShape shape{false, 4, 9, 4, {4, 3, 2}};
};
struct Columns10 {
  static constexpr PassShape shape{false, 4, 9, 3, {4, 3, 3}};
};
struct Columns11 {
  static constexpr PassShape shape{false, 5, 9, 3, {5, 4, 2}};
};
struct Rows7 {
  static constexpr PassShape shape{true, 4, 8, 5, {4, 3}};
};
struct Rows8 {
  static constexpr PassShape shape{true, 4, 8, 4, {4, 4}};
};
struct MoreRows8 {
  static constexpr PassShape shape{true, 4, 9, 5, {4, 4}};
};
struct Rows9 {
  static constexpr PassShape shape{true, 4, 9, 4, {4, 3, 2}};
};
struct Rows10 {
  static constexpr PassShape shape{true, 4, 9, 3, {4, 3, 3}};
};
struct Rows10Of21 {
  static constexpr PassShape shape{true, 5, 9, 4, {5, 5}};
};
}  // namespace passes

/// Every shape of a pass, for its kernel.
using PassShapes =
    TypeList<PassOf<passes::Columns7>, PassOf<passes::Columns8>, PassOf<passes::Columns9>, PassOf<passes::Columns10>,
             PassOf<passes::Columns11>, PassOf<passes::Rows7>, PassOf<passes::Rows8>, PassOf<passes::MoreRows8>,
             PassOf<passes::Rows9>, PassOf<passes::Rows10>, PassOf<passes::Rows10Of21>>;

/// The passes of rows of 2^n elements, n from `least` to `most`: the highest digits first.
struct LongFft {
  static constexpr int least = 15, most = 24, most_passes = 3;
  PassShape passes[most_passes];
  int count;
};
inline constexpr LongFft long_ffts[] = {
    {{passes::Columns8::shape, passes::Rows7::shape}, 2},                            // 15
    {{passes::Columns8::shape, passes::Rows8::shape}, 2},                            // 16
    {{passes::Columns9::shape, passes::MoreRows8::shape}, 2},                        // 17
    {{passes::Columns9::shape, passes::Rows9::shape}, 2},                            // 18
    {{passes::Columns10::shape, passes::Rows9::shape}, 2},                           // 19
    {{passes::Columns10::shape, passes::Rows10::shape}, 2},                          // 20
    {{passes::Columns11::shape, passes::Rows10Of21::shape}, 2},                      // 21
    {{passes::Columns8::shape, passes::Columns7::shape, passes::Rows7::shape}, 3},   // 22
    {{passes::Columns9::shape, passes::Columns7::shape, passes::Rows7::shape}, 3},   // 23
    {{passes::Columns10::shape, passes::Columns7::shape, passes::Rows7::shape}, 3},  // 24
};
/// Where the digits of each are.
constexpr FftPass pass_of(int n, int number) {
  const LongFft& all = long_ffts[n - LongFft::least];
  int low = n;
  for (int i = 0; i <= number; ++i) low -= all.passes[i].digits();
  return {all.passes[number], n, low};
}

}  // namespace warploom
