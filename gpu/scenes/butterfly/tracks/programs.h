#pragma once
#include <cmath>
#include <cstring>

#include "gpu/core/atomic.h"
#include "gpu/core/group.h"
#include "gpu/core/hash.h"
#include "gpu/scenes/butterfly/rules/systems.h"
#include "gpu/scenes/butterfly/tracks/oracle.h"

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
    typename Group::template PerThread<std::uint64_t> hash, sum;
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

/// Keeps the greatest of what is 0 or more: its bits, all turned, are the smallest; all ones before. What is no number
/// is beyond all.
WARPLOOM_HD void keep_greatest(std::uint64_t* greatest, double value) {
  if (value != value) value = 1e300;
  std::uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  rare_atomic_minimum(greatest, ~bits);
}

/// How far apart two outputs of floats are, of the worst row, relative to their size: a block each. Sums of squares in
/// double.
struct CompareRows {
  const float *own, *other;
  std::uint64_t row;     ///< floats
  std::uint64_t* worst;  ///< as keep_greatest has it
  std::uint64_t work_of_a_thread() const { return row / 256 + 1; }
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    typename Group::template PerThread<double> apart, whole;
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
    const double least = static_cast<double>(row) * least_scale * least_scale;
    group.once([&] { keep_greatest(worst, difference == 0 ? 0 : sqrt(difference / (size > least ? size : least))); });
  }
};

/// ... of two scans, relative to the sum of magnitudes so far. Launched with row_shape(batch).
struct CompareScans {
  const float *own, *other, *in;
  int n;
  std::uint64_t batch;
  bool exclusive;
  std::uint64_t* worst;  ///< as keep_greatest has it
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    each_item(group, batch, [&](std::uint64_t row) {
      double magnitudes = 0, greatest = 0;
      group.pause();  // where rows are long it is cancelled between two
      for (std::uint64_t i = row << n; i < (row + 1) << n; ++i) {
        if (!exclusive) magnitudes += fabs(static_cast<double>(in[i]));
        const double apart = fabs(static_cast<double>(own[i]) - static_cast<double>(other[i]));
        const bool both_none = own[i] != own[i] && other[i] != other[i];
        if (apart > 0 && !both_none && magnitudes - magnitudes == 0)
          greatest = fmax(greatest, apart / fmax(magnitudes, least_scale));
        if (exclusive) magnitudes += fabs(static_cast<double>(in[i]));
      }
      keep_greatest(worst, greatest);
    });
  }
};

/// The largest magnitude of the unknowns of each system.
struct LargestUnknowns {
  const float* x;
  SystemOrder order;
  std::uint64_t* most;  ///< (batch), as keep_greatest has it
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    each_item(group, order.rows(),
              [&](std::uint64_t i) { keep_greatest(most + order.problem(i), fabs(static_cast<double>(x[i]))); });
  }
};

/// How much of a row is left by its unknowns, relative to what it could be: of the worst row of all systems that have
/// an answer.
struct LeftOfSystems {
  const SystemRow* rows;
  const float* x;
  SystemOrder order;
  const std::uint64_t *most, *singular;  ///< (batch)
  std::uint64_t* worst;                  ///< as keep_greatest has it
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    each_item(group, order.rows(), [&](std::uint64_t i) {
      const std::uint64_t problem = order.problem(i), row = order.row(i), last = (std::uint64_t{1} << order.n) - 1;
      if (singular[problem] != no_zero_pivot) return;
      const auto* from = reinterpret_cast<const float*>(rows + i);
      const double a = row == 0 ? 0 : from[0], b = from[1], c = row == last ? 0 : from[2], d = from[3];
      const double before = row == 0 ? 0 : x[i - order.step()], behind = row == last ? 0 : x[i + order.step()];
      const double left = fabs(a * before + b * x[i] + c * behind - d);
      const std::uint64_t bits = ~most[problem];
      double largest;
      memcpy(&largest, &bits, sizeof largest);
      const double scale = fmax(fabs(a) + fabs(b) + fabs(c), least_scale) * fmax(largest, least_scale) + fabs(d);
      keep_greatest(worst, left == 0 ? 0 : left / scale);
    });
  }
};

/// Problems that divide by 0 have no answer.
struct ForgetSingular {
  const std::uint64_t* singular;  ///< (batch)
  float* out;
  SystemOrder order;
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    each_item(group, order.rows(), [&](std::uint64_t i) {
      if (singular[order.problem(i)] != no_zero_pivot) out[i] = nanf("");
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
      if (singular[i] == no_zero_pivot) return;
      atomic_add(found + 1, std::uint64_t{1});
      if (singular[i] != input_is_no_number) atomic_minimum(found, i);
    });
  }
};

}  // namespace warploom
