#pragma once
#include "gpu/core/hash.h"
#include "gpu/core/launch.h"
#include "gpu/works/simplex/storage.h"

// Programs over the cells of a simplex by their linear number: they lean on no map, so they can check every map.
// Launched with row_shape(cells).

namespace warploom {

/// Calls body(cell, thread) for the cell that each thread stands for.
template <int Dimensions, class Group, class Body>
WARPLOOM_HD void each_simplex_cell(Group& group, const SimplexDomain<Dimensions>& domain, Body&& body) {
  const std::uint64_t first = group.block_number() * group.size(), cells = domain.cells();
  group.each([&](const Thread& thread) {
    if (first + thread.index < cells) body(domain.at(first + thread.index), thread);
  });
}

/// The initial state: alive with the given density, or a number below one, by the hash of (seed, cell).
template <int Dimensions, class Value>
struct FillSimplex {
  SimplexDomain<Dimensions> domain;
  std::uint64_t seed;
  double density;
  AnyLayout<Dimensions> layout;
  Value* to;
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    each_simplex_cell(group, domain, [&](Cell cell, const Thread&) {
      const std::uint64_t hash = key_hash(seed, cell_key<Dimensions>(cell));
      to[layout.address(cell)] = value(hash, Value{});
    });
  }

 private:
  WARPLOOM_HD std::uint8_t value(std::uint64_t hash, std::uint8_t) const { return chosen(hash, density); }
  WARPLOOM_HD std::uint32_t value(std::uint64_t, std::uint32_t) const { return 0; }
  WARPLOOM_HD float value(std::uint64_t hash, float) const { return static_cast<float>(hash >> 40) * 0x1p-24f; }
};

/// One layout's state into another's.
template <int Dimensions, class Value>
struct CopySimplex {
  SimplexDomain<Dimensions> domain;
  AnyLayout<Dimensions> from_layout, to_layout;
  const Value* from;
  Value* to;
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    each_simplex_cell(group, domain,
                      [&](Cell cell, const Thread&) { to[to_layout.address(cell)] = from[from_layout.address(cell)]; });
  }
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
/// the sum of integer values; and the least and the largest value.
template <int Dimensions, class Value>
struct SealSimplex {
  static constexpr std::uint64_t slots = 256, words_each = 4;
  SimplexDomain<Dimensions> domain;
  AnyLayout<Dimensions> layout;
  const Value* state;
  std::uint64_t* words;  ///< [slots][4]: seals, sums zeroed before; least and ~largest all ones
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    typename Group::template PerLane<std::uint64_t> seal, sum, least, most;
    group.each([&](const Thread& thread) {
      seal[thread] = sum[thread] = 0;
      least[thread] = most[thread] = ~std::uint64_t{0};
    });
    each_simplex_cell(group, domain, [&](Cell cell, const Thread& thread) {
      const Value value = state[layout.address(cell)];
      const std::uint64_t bits = value != Value{} ? seal_bits(value) : 0;
      seal[thread] = bits ? bits * key_hash(0, cell_key<Dimensions>(cell)) : 0;
      sum[thread] = static_cast<std::uint64_t>(bits);
      least[thread] = sortable(static_cast<float>(value));
      most[thread] = ~least[thread];
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
  /// Most values are not the least so far: looking is cheaper than an atomic.
  WARPLOOM_HD static void lower(std::uint64_t* to, std::uint64_t value) {
    if (value < *static_cast<volatile std::uint64_t*>(to)) atomic_minimum(to, value);
  }
};

/// The first cell, row-major, in which two states differ, as its key; lowered from all ones.
template <int Dimensions, class Value>
struct SimplexDifference {
  SimplexDomain<Dimensions> domain;
  AnyLayout<Dimensions> a_layout, b_layout;
  const Value *a, *b;
  std::uint64_t* first;
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    each_simplex_cell(group, domain, [&](Cell cell, const Thread&) {
      // As the seal sees them: a zero of either sign is none, and not a number equals itself.
      const Value mine = a[a_layout.address(cell)], theirs = b[b_layout.address(cell)];
      if ((mine != Value{} ? seal_bits(mine) : 0) != (theirs != Value{} ? seal_bits(theirs) : 0))
        atomic_minimum(first, cell_key<Dimensions>(cell));
    });
  }
};

/// Cells of a list of keys, written.
template <int Dimensions, class Value>
struct WriteSimplexCells {
  AnyLayout<Dimensions> layout;
  Value* to;
  const std::uint64_t* keys;
  std::uint64_t count;
  Value value;
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    const std::uint64_t first = group.block_number() * group.size();
    group.each([&](const Thread& thread) {
      if (first + thread.index < count) to[layout.address(cell_of_key<Dimensions>(keys[first + thread.index]))] = value;
    });
  }
};

/// The values of a box of cells, row-major; not a number where there is none.
template <int Dimensions, class Value>
struct GatherSimplex {
  SimplexDomain<Dimensions> domain;  ///< of the values: of cells or of blocks
  AnyLayout<Dimensions> layout;
  const Value* from;
  Index3 first, size;
  float* to;
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    const std::uint64_t begin = group.block_number() * group.size();
    group.each([&](const Thread& thread) {
      const std::uint64_t i = begin + thread.index;
      if (i >= volume(size)) return;
      const Index3 in = unfold(i, size);
      const Cell cell{first.x + in.x, first.y + in.y, first.z + in.z};
      to[i] = domain.contains(cell) ? static_cast<float>(from[layout.address(cell)]) : NAN;
    });
  }
};

}  // namespace warploom
