#pragma once
#include <cmath>
#include <cstring>

#include "gpu/core/atomic.h"
#include "gpu/core/group.h"
#include "gpu/core/hash.h"

// What a track of butterflies does beside its transform.
namespace warploom {

/// The seal of whole outputs: of cell (element, problem) its value, of pairs a + 2^32 b. Launched with row_shape.
struct SealRows {
  const std::uint32_t* values;  ///< (cells, width)
  std::uint32_t width;          ///< 1 or 2
  int n;
  std::uint64_t cells;
  std::uint64_t* sums;  ///< hash, and sum of values; 0 before

  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    typename Group::template PerLane<std::uint64_t> hash, sum;
    const std::uint64_t first = group.block_number() * group.size();
    group.each([&](const Thread& thread) {
      const std::uint64_t i = first + thread.index;
      std::uint64_t value = 0;
      if (i < cells) value = values[i * width] + (width == 2 ? std::uint64_t{values[i * 2 + 1]} << 32 : 0);
      hash[thread] = value ? value * cell_hash(0, i & ((std::uint64_t{1} << n) - 1), i >> n) : 0;
      sum[thread] = value;
    });
    group.each_warp_sum(hash, [&](unsigned, std::uint64_t all) { atomic_add(sums, all); });
    group.each_warp_sum(sum, [&](unsigned, std::uint64_t all) { atomic_add(sums + 1, all); });
  }
};

/// Element by element of all problems, and back: words of `bytes` / 4.
struct TransposeRows {
  const std::uint32_t* from;
  std::uint32_t* to;
  std::uint64_t rows, columns;  ///< of `from`
  std::uint32_t words;
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    each_item(group, rows * columns, [&](std::uint64_t i) {
      const std::uint64_t row = i / columns, column = i % columns;
      for (std::uint32_t w = 0; w < words; ++w) to[(column * rows + row) * words + w] = from[i * words + w];
    });
  }
};

/// How far apart two outputs of floats are, of the worst row: a block each. Sums of squares in double.
struct CompareRows {
  const float *own, *other;
  std::uint64_t row;     ///< floats
  std::uint64_t* worst;  ///< the bits, all turned, of the greatest square of a relative distance; all ones before
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    typename Group::template PerLane<double> apart, whole;
    const std::uint64_t first = group.block_number() * row;
    group.each([&](const Thread& thread) {
      apart[thread] = whole[thread] = 0;
      for (std::uint64_t i = thread.index; i < row; i += group.size()) {
        const double a = own[first + i], b = other[first + i], d = a - b;
        // What is no number on both sides is alike.
        if (a != a && b != b) continue;
        apart[thread] += d == d ? d * d : 1e300;
        whole[thread] += b == b ? b * b : 0;
      }
    });
    const double difference = group.sum(apart), size = group.sum(whole);
    group.once([&] {
      const double ratio = difference == 0 ? 0 : size > 0 ? difference / size : 1e300;
      std::uint64_t bits;
      memcpy(&bits, &ratio, sizeof bits);
      atomic_minimum(worst, ~bits);
    });
  }
};

/// Problems that divide by 0 have no answer.
struct ForgetSingular {
  const std::uint64_t* singular;  ///< (batch)
  float* out;                     ///< (batch, N), or interleaved
  int n;
  std::uint64_t batch;
  bool interleaved;
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    each_item(group, batch << n, [&](std::uint64_t i) {
      const std::uint64_t problem = interleaved ? i % batch : i >> n;
      if (singular[problem] != ~std::uint64_t{0}) out[i] = nanf("");
    });
  }
};

/// The first problem that divides by 0 for no fault of its input; and whether any has no answer. Launched with
/// row_shape(batch).
struct FindSingular {
  const std::uint64_t* singular;
  std::uint64_t batch;
  std::uint64_t* found;  ///< number of the first, all ones before; how many have no answer, 0 before
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    each_item(group, batch, [&](std::uint64_t i) {
      if (singular[i] == ~std::uint64_t{0}) return;
      atomic_add(found + 1, std::uint64_t{1});
      if (singular[i] != 0) atomic_minimum(found, i);
    });
  }
};

}  // namespace warploom
