#pragma once
#include <algorithm>
#include <cstdint>

#include "gpu/core/group.h"
#include "gpu/core/launch.h"
#include "gpu/core/unroll.h"
#include "gpu/scenes/irregular/spmv/layout.h"
#include "gpu/scenes/irregular/spmv/product.h"

// What formats have in common: how they are made from rows, and the loops of products.
namespace warploom {

/// The program of rows, a thread each: row(number) writes what it finds.
template <class Row>
struct SpmvRows {
  Row row;
  std::uint64_t count;
  std::uint64_t work;  ///< turns of a thread, or so
  std::uint64_t work_of_a_thread() const { return std::clamp<std::uint64_t>(work, 1, 1u << 14); }
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    each_item(group, count, row);
  }
};
template <class Row>
void multiply_rows(Queue& queue, const SpmvLayout& layout, const Row& row, std::uint64_t count) {
  const std::uint64_t work = layout.turns() * warp_size / std::max<std::uint64_t>(1, count);
  launch("spmv.multiply", queue, layout.shape(0), SpmvRows<Row>{row, count, work}, layout.moved_bytes());
}

/// The program of nonzeros, a thread each: body(j, row, k) of nonzero j, the k-th of its row.
template <class Body>
struct EachNonzero {
  Body body;
  const std::uint32_t* row_starts;
  std::uint32_t rows;
  std::uint64_t nonzeros;
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    const std::uint64_t first = group.block_number() * group.size();
    if (first >= nonzeros) return;
    const std::uint32_t before = row_from(0, first);
    std::uint32_t near = before;
    group.each([&](const Thread& thread) {
      const std::uint64_t j = first + thread.index;
      if (j >= nonzeros) return;
      const std::uint32_t row = row_from(row_starts[near] <= j ? near : before, j);
      if constexpr (!Group::on_device) near = row;  // where the next thread comes next, its row is not far
      body(j, row, static_cast<std::uint32_t>(j - row_starts[row]));
    });
  }
  /// The row of nonzero j, which is `row` or a later one: in steps that double, then halve.
  WARPLOOM_HD std::uint32_t row_from(std::uint32_t row, std::uint64_t j) const {
    std::uint32_t step = 1;
    while (step < rows - row && row_starts[row + step] <= j) row += step, step *= 2;
    for (; step > 0; step /= 2)
      if (step < rows - row && row_starts[row + step] <= j) row += step;
    return row;
  }
};
/// Timed as `spmv.convert`, where anything times it.
template <class Body>
void each_nonzero(Queue& queue, const SpmvSource& source, const Body& body) {
  const std::uint64_t nonzeros = source.host.nonzeros();
  launch("spmv.convert", queue, row_shape(nonzeros),
         EachNonzero<Body>{body, source.row_starts.data(), source.host.rows, nonzeros});
}

/// A row of nonzeros in columns of `padded` elements, column by column: columns[k padded + row].
struct PadRow {
  const std::int32_t* from_columns;
  const float* from_values;
  std::int32_t* columns;
  float* values;
  std::uint64_t padded;
  std::uint32_t width;  ///< what lies behind it is left out
  WARPLOOM_HD void operator()(std::uint64_t j, std::uint32_t row, std::uint32_t k) const {
    if (k >= width) return;
    columns[k * padded + row] = from_columns[j];
    values[k * padded + row] = from_values[j];
  }
};

/// What a row has in a turn of a slab: both are 0 where it has nothing.
struct SlabPart {
  float value, x;
};

/// The program of slabs, a row a thread: turn(k, row) is the SlabPart of turn k. All threads of a block come to a turn
/// before the next: of a slab they read one column, which lies together.
template <class Turn>
struct SlabProgram {
  Turn turn;
  float* y;
  std::uint64_t rows;
  std::uint32_t turns;
  std::uint64_t work_of_a_thread() const { return std::clamp<std::uint64_t>(turns, 1, 1u << 14); }
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    // On a GPU several turns wait for memory at once. They are all read before the first is added, and nothing hangs
    // on a condition but what is loaded: behind a branch each turn would wait for the one before it.
    constexpr std::uint32_t at_once = Group::on_device ? 4 : 1;
    typename Group::template PerThread<float> sums;
    const std::uint64_t first = group.block_number() * group.size();
    group.each([&](const Thread& thread) { sums[thread] = 0; });
    std::uint32_t k = 0;
    for (; k + at_once <= turns; k += at_once)
      group.each([&](const Thread& thread) {
        if (first + thread.index < rows) add<at_once>(k, first + thread.index, sums[thread]);
      });
    for (; k < turns; ++k)
      group.each([&](const Thread& thread) {
        if (first + thread.index < rows) add<1>(k, first + thread.index, sums[thread]);
      });
    group.each([&](const Thread& thread) {
      if (first + thread.index < rows) y[first + thread.index] = sums[thread];
    });
  }

 private:
  template <std::uint32_t at_once>
  WARPLOOM_HD void add(std::uint32_t k, std::uint64_t row, float& sum) const {
    SlabPart parts[at_once];
    WARPLOOM_UNROLL
    for (std::uint32_t i = 0; i < at_once; ++i) parts[i] = turn(k + i, row);
    WARPLOOM_UNROLL
    for (std::uint32_t i = 0; i < at_once; ++i) sum += parts[i].value * parts[i].x;
  }
};
template <class Turn>
void multiply_slab(Queue& queue, const SpmvLayout& layout, const Turn& turn, float* y, std::uint64_t turns) {
  launch("spmv.multiply", queue, layout.shape(0),
         SlabProgram<Turn>{turn, y, layout.matrix().rows, static_cast<std::uint32_t>(turns)}, layout.moved_bytes());
}

/// A turn over padded columns: x is not read for padding, but padding takes its turn.
struct PaddedTurn {
  const std::int32_t* columns;
  const float* values;
  const float* x;
  std::uint64_t padded;
  WARPLOOM_HD SlabPart operator()(std::uint64_t k, std::uint64_t row) const {
    const std::int32_t column = columns[k * padded + row];
    return {values[k * padded + row], column >= 0 ? x[column] : 0};
  }
};

}  // namespace warploom
