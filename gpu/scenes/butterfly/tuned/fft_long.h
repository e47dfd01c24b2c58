#pragma once
#include "gpu/core/type_list.h"
#include "gpu/scenes/butterfly/tuned/fft_pass.h"

namespace warploom {

namespace passes {
// Tiles of 2^12 elements in blocks of 256 threads, of 2^13 and 2^14 in blocks of 512; whole lines of memory on both
// sides: 16 columns or rows, 8 where digits leave no more.
inline constexpr PassShape columns8{false, 4, 8, 4, {4, 4}}, columns7{false, 4, 8, 5, {4, 3}},
    columns9{false, 4, 9, 4, {4, 3, 2}}, columns10{false, 4, 9, 3, {4, 3, 3}}, columns11{false, 5, 9, 3, {5, 4, 2}},
    rows7{true, 4, 8, 5, {4, 3}}, rows8{true, 4, 8, 4, {4, 4}}, more_rows8{true, 4, 9, 5, {4, 4}},
    rows9{true, 4, 9, 4, {4, 3, 2}}, rows10{true, 4, 9, 3, {4, 3, 3}}, rows10_of_21{true, 5, 9, 4, {5, 5}};
}  // namespace passes

/// Every shape of a pass, for its kernel.
using PassShapes =
    TypeList<PassOf<passes::columns7>, PassOf<passes::columns8>, PassOf<passes::columns9>, PassOf<passes::columns10>,
             PassOf<passes::columns11>, PassOf<passes::rows7>, PassOf<passes::rows8>, PassOf<passes::more_rows8>,
             PassOf<passes::rows9>, PassOf<passes::rows10>, PassOf<passes::rows10_of_21>>;

/// The passes of rows of 2^n elements, n from `least` to `most`: the highest digits first.
struct LongFft {
  static constexpr int least = 15, most = 24, most_passes = 3;
  PassShape passes[most_passes];
  int count;
};
inline constexpr LongFft long_ffts[] = {
    {{passes::columns8, passes::rows7}, 2},                     // 15
    {{passes::columns8, passes::rows8}, 2},                     // 16
    {{passes::columns9, passes::more_rows8}, 2},                // 17
    {{passes::columns9, passes::rows9}, 2},                     // 18
    {{passes::columns10, passes::rows9}, 2},                    // 19
    {{passes::columns10, passes::rows10}, 2},                   // 20
    {{passes::columns11, passes::rows10_of_21}, 2},             // 21
    {{passes::columns8, passes::columns7, passes::rows7}, 3},   // 22
    {{passes::columns9, passes::columns7, passes::rows7}, 3},   // 23
    {{passes::columns10, passes::columns7, passes::rows7}, 3},  // 24
};
/// Where the digits of each are.
constexpr FftPass pass_of(int n, int number) {
  const LongFft& all = long_ffts[n - LongFft::least];
  int low = n;
  for (int i = 0; i <= number; ++i) low -= all.passes[i].digits();
  return {all.passes[number], n, low};
}

}  // namespace warploom
