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
    SimplexCells<Dimensions>{domain}.each(group, [&](Cell cell, const Thread& thread) {
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

}  // namespace warploom
