#pragma once
#include "gpu/core/hash.h"
#include "gpu/core/launch.h"
#include "gpu/tracks/cell_programs.h"
#include "gpu/works/simplex/storage.h"

namespace warploom {

/// The cells of a simplex by their linear number, as cells with values (gpu/tracks/cell_programs.h).
template <int Dimensions>
struct SimplexCells {
  SimplexDomain<Dimensions> domain;

  LaunchShape shape() const { return row_shape(domain.cells()); }
  template <class Group, class Body>
  WARPLOOM_HD void each(Group& group, Body&& body) const {
    const std::uint64_t first = group.block_number() * group.size(), cells = domain.cells();
    group.each([&](const Thread& thread) {
      if (first + thread.index < cells) body(domain.at(first + thread.index), thread);
    });
  }
  WARPLOOM_HD bool contains(Cell cell) const { return domain.contains(cell); }
  WARPLOOM_HD static std::uint64_t hash(std::uint64_t seed, Cell cell) { return key_hash(seed, key(cell)); }
  WARPLOOM_HD static std::uint64_t key(Cell cell) { return cell_key<Dimensions>(cell); }
  WARPLOOM_HD static Cell cell(std::uint64_t key) { return cell_of_key<Dimensions>(key); }
};

/// A state of any layout.
template <int Dimensions, class ValueOf>
struct SimplexValues {
  using Value = ValueOf;
  AnyLayout<Dimensions> layout;
  Value* data;
  WARPLOOM_HD Value load(Cell cell) const { return data[layout.address(cell)]; }
  WARPLOOM_HD void store(Cell cell, Value value) const { data[layout.address(cell)] = value; }
};

/// A value as a word that sorts as it does.
WARPLOOM_HD std::uint64_t sortable(float value) {
  const auto bits = static_cast<std::uint32_t>(seal_bits(value));
  return bits >> 31 ? ~bits & 0xffffffffu : bits | 0x80000000u;
}
inline float unsorted(std::uint64_t word) {
  const auto bits = static_cast<std::uint32_t>(word >> 31 & 1 ? word & 0x7fffffffu : ~word);
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

/// The seal: the sum modulo 2^64 over cells of value v of v (floats: their bits) times the hash of the cell at seed 0;
/// the sum of integer values; and the least and the largest value. A thread a run of cells in linear order: only where
/// the first of them lies is a matter of roots. Launched with row_shape(items()).
template <int Dimensions, class Value>
struct SealSimplex {
  static constexpr std::uint64_t slots = 256, words_each = 4, run = 16;
  static constexpr bool rows_of_warps = true;
  SimplexDomain<Dimensions> domain;
  AnyLayout<Dimensions> layout;
  const Value* state;
  std::uint64_t* words;  ///< [slots][4]: seals, sums zeroed before; least and ~largest all ones

  std::uint64_t items() const { return (domain.cells() + run - 1) / run; }
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    typename Group::template PerLane<std::uint64_t> seal, sum, least, most;
    const std::uint64_t first = group.block_number() * group.size(), cells = domain.cells();
    group.each([&](const Thread& thread) {
      std::uint64_t seals = 0, sums = 0, low = ~std::uint64_t{0}, high = low;
      const std::uint64_t begin = (first + thread.index) * run;
      if (begin < cells)
        each_of_run(begin, cells - begin < run ? cells - begin : run, [&](Cell cell, std::uint64_t address) {
          const Value value = state[address];
          const std::uint64_t bits = value != Value{} ? seal_bits(value) : 0;
          seals += bits * key_hash(0, cell_key<Dimensions>(cell));
          sums += bits;
          const std::uint64_t at = sortable(static_cast<float>(value));
          low = at < low ? at : low;
          high = ~at < high ? ~at : high;
        });
      seal[thread] = seals;
      sum[thread] = sums;
      least[thread] = low;
      most[thread] = high;
    });
    std::uint64_t* to = words + group.block_number() % slots * words_each;
    const std::uint64_t seals = group.sum(seal), sums = group.sum(sum);
    group.once([&] {
      atomic_add(to, seals);
      atomic_add(to + 1, sums);
    });
    group.each([&](const Thread& thread) {
      lower(to + 2, least[thread]);
      lower(to + 3, most[thread]);
    });
  }

 private:
  /// body(cell, its address) of `count` cells from number `begin` on. In a row of a block addresses follow each other;
  /// cells of the corner tetrahedron, whose order is not that of its rows, are found one by one.
  template <class Body>
  WARPLOOM_HD void each_of_run(std::uint64_t begin, std::uint64_t count, Body&& body) const {
    Index3 at = simplex_place<Dimensions>(begin);
    std::uint64_t address = 0;
    for (std::uint32_t left = 0; count > 0; --count, --left, ++address) {
      const Cell cell = domain.unstacked(at);
      if (left == 0 || domain.corner) {
        std::uint32_t in_block = cell.x;
        domain.rho.split(in_block);
        left = domain.rho.divisor - in_block;
        address = layout.address(cell);
      }
      body(cell, address);
      if (at.x < at.y) {
        ++at.x;
        continue;
      }
      // The next row.
      at.x = 0;
      left = 1;
      if (Dimensions == 3 && at.y == at.z) {
        at.y = 0;
        ++at.z;
      } else {
        ++at.y;
      }
    }
  }
  /// Most values are not the least so far: looking is cheaper than an atomic.
  WARPLOOM_HD static void lower(std::uint64_t* to, std::uint64_t value) {
    if (value < *static_cast<volatile std::uint64_t*>(to)) atomic_minimum(to, value);
  }
};

}  // namespace warploom
