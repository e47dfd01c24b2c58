#pragma once
#include "gpu/core/hash.h"
#include "gpu/core/launch.h"
#include "gpu/core/pack.h"
#include "gpu/core/rounded.h"
#include "gpu/core/unroll.h"
#include "gpu/scenes/simplex/works/layouts.h"
#include "gpu/tracks/cell_programs.h"

namespace warploom {

/// The cells of a simplex by linear number, for gpu/tracks/cell_programs.h.
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

template <int Dimensions, class ValueOf>
struct SimplexValues {
  using Value = ValueOf;
  AnyLayout<Dimensions> layout;
  Value* data;
  WARPLOOM_HD Value load(Cell cell) const { return data[layout.address(cell)]; }
  WARPLOOM_HD void store(Cell cell, Value value) const { data[layout.address(cell)] = value; }
};

/// A value as a word of the same order.
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

/// Adds up seals in slots, so that blocks seldom meet: [slots][each]: seals and sums, zeroed before; for floats the
/// least and ~largest, all ones before.
struct SealWords {
  static constexpr std::uint64_t slots = 256, each = 4;
  std::uint64_t* words;

  /// Adds what the threads of a block find: find(number, seals, sums, thread), by its number in the launch. Returns the
  /// slot.
  template <class Group, class Find>
  WARPLOOM_HD std::uint64_t* add(Group& group, Find&& find) const {
    typename Group::template PerThread<std::uint64_t> seal, sum;
    const std::uint64_t first = group.block_number() * group.size();
    group.each([&](const Thread& thread) {
      std::uint64_t own_seals = 0, own_sums = 0;
      find(first + thread.index, own_seals, own_sums, thread);
      seal[thread] = own_seals;
      sum[thread] = own_sums;
    });
    std::uint64_t* to = words + group.block_number() % slots * each;
    const std::uint64_t seals = group.sum(seal), sums = group.sum(sum);
    group.once([&] {
      atomic_add(to, seals);
      atomic_add(to + 1, sums);
    });
    return to;
  }
};

/// Cells that hold something, and their keys, in the way that is quick on a CPU: finds them without an unpredictable
/// branch, then hashes only those. `room`: cells that are looked at between two adds.
template <class Value, std::uint32_t room>
struct HeldCells {
  std::uint64_t keys[room];
  Value values[room];
  std::uint32_t count = 0;

  /// Cells that follow each other in memory and by their keys.
  WARPLOOM_HD void look_at(const Value* from, std::uint64_t key, std::uint32_t cells) {
    for (std::uint32_t i = 0; i < cells; ++i) {
      keys[count] = key + i;
      values[count] = from[i];
      count += from[i] != Value{};
    }
  }
  WARPLOOM_HD void add(std::uint64_t& seals, std::uint64_t& sums) {
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint64_t bits = seal_bits(values[i]);
      seals += bits * key_hash(0, keys[i]);
      sums += bits;
    }
    count = 0;
  }
};

/// The seal: the sum modulo 2^64 over cells of the value (floats: its bits) times the hash of the cell at seed 0; the
/// sum of integer values; and of floats the least and the largest. A thread serves a run of cells in linear order: only
/// the first needs roots, and along a row of a block keys and addresses follow each other. Launched with
/// row_shape(items()).
template <int Dimensions, class Value>
struct SealSimplex {
  static constexpr bool rows_of_warps = true, ranged = std::is_same_v<Value, float>;
  /// Cells per thread: few on a device, so that a warp's lie near each other; on a CPU a root costs more.
  static constexpr std::uint64_t run_on_cpu = 256;
  static constexpr std::uint64_t usual_run(Backend backend) { return backend == Backend::cuda ? 16 : run_on_cpu; }

  SimplexDomain<Dimensions> domain;
  AnyLayout<Dimensions> layout;
  const Value* state;
  std::uint64_t* words;     ///< SealWords
  std::uint64_t run = 16;   ///< run_on_cpu at most
  bool whole_rows = false;  ///< the cells of a whole row follow each other in memory, not only a block's piece

  std::uint64_t items() const { return (domain.cells() + run - 1) / run; }
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    typename Group::template PerThread<std::uint64_t> least, most;
    const std::uint64_t cells = domain.cells();
    const auto find = [&](std::uint64_t number, std::uint64_t& seals, std::uint64_t& sums, const Thread& thread) {
      std::uint64_t low = ~std::uint64_t{0}, high = low;
      const std::uint64_t begin = number * run;
      const std::uint64_t count = begin < cells ? (cells - begin < run ? cells - begin : run) : 0;
      if constexpr (!on_device() && !ranged)
        held_of_rows(begin, count, seals, sums);
      else
        each_row(begin, count, [&](std::uint64_t key, std::uint64_t address, std::uint32_t together) {
          const Value* const from = state + address;
          for (std::uint32_t i = 0; i < together; ++i) {
            const Value value = from[i];
            if (value != Value{}) {
              const std::uint64_t bits = seal_bits(value);
              seals += bits * key_hash(0, key + i);
              sums += bits;
            }
            if constexpr (ranged) {
              const std::uint64_t at = sortable(value);
              low = at < low ? at : low;
              high = ~at < high ? ~at : high;
            }
          }
        });
      least[thread] = low;
      most[thread] = high;
    };
    std::uint64_t* to = SealWords{words}.add(group, find);
    if constexpr (ranged)
      group.each([&](const Thread& thread) {
        lower(to + 2, least[thread]);
        lower(to + 3, most[thread]);
      });
  }

 private:
  WARPLOOM_HD void held_of_rows(std::uint64_t begin, std::uint64_t count, std::uint64_t& seals,
                                std::uint64_t& sums) const {
    HeldCells<Value, run_on_cpu> held;
    each_row(begin, count, [&](std::uint64_t key, std::uint64_t address, std::uint32_t cells) {
      held.look_at(state + address, key, cells);
    });
    held.add(seals, sums);
  }
  /// body(key of the first cell, its address, how many) for pieces of rows: `count` cells from number `begin` on. Cells
  /// of the corner tetrahedron, whose order is not that of its rows, come one by one.
  template <class Body>
  WARPLOOM_HD void each_row(std::uint64_t begin, std::uint64_t count, Body&& body) const {
    if (count == 0) return;
    Index3 at = simplex_place<Dimensions>(begin);
    while (count > 0) {
      const Cell cell = domain.unstacked(at);
      std::uint32_t in_block = cell.x;
      domain.rho.split(in_block);
      std::uint32_t now = domain.corner ? 1 : whole_rows ? at.y - at.x + 1 : domain.rho.divisor - in_block;
      if (now > at.y - at.x + 1) now = at.y - at.x + 1;
      if (now > count) now = static_cast<std::uint32_t>(count);
      body(cell_key<Dimensions>(cell), layout.address(cell), now);
      count -= now;
      at.x += now;
      if (at.x <= at.y) continue;
      at.x = 0;
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

/// The same for integers in blocked layout, on CPUs: a thread per block, whose rows follow each other in memory;
/// padding is zero, and adds nothing. Launched with shape().
template <int Dimensions, class Value>
struct SealOfBlocks {
  static constexpr std::uint32_t room = 256;
  static constexpr bool rows_of_warps = true;

  static bool serves(const std::string& layout) { return !std::is_same_v<Value, float> && layout == "blocked"; }

  SimplexDomain<Dimensions> domain;
  const Value* state;
  std::uint64_t* words;  ///< SealWords

  LaunchShape shape() const {
    return {{static_cast<std::uint32_t>((domain.block_count() + warp_size - 1) / warp_size), 1, 1}, {warp_size, 1, 1}};
  }
  std::uint64_t work_of_a_thread() const { return volume(domain.block_extent()) / 16 + 1; }

  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    if constexpr (!on_device())
      SealWords{words}.add(group, [&](std::uint64_t number, std::uint64_t& seals, std::uint64_t& sums, const Thread&) {
        if (number < domain.block_count()) of_block(number, seals, sums);
      });
  }

 private:
  WARPLOOM_HD void of_block(std::uint64_t number, std::uint64_t& seals, std::uint64_t& sums) const {
    const Index3 extent = domain.block_extent();
    const Cell origin = domain.first_cell(domain.at(number));
    const Value* from = state + number * volume(extent);
    HeldCells<Value, room> held;
    for (std::uint32_t z = 0; z < extent.z; ++z)
      for (std::uint32_t y = 0; y < extent.y; ++y, from += extent.x) {
        held.look_at(from, cell_key<Dimensions>({origin.x, origin.y + y, origin.z + z}), extent.x);
        if (held.count + extent.x > room) held.add(seals, sums);
      }
    held.add(seals, sums);
  }
};

/// The same for integers in linear or blocked layout, on devices: a thread per run of 16 elements, read in packs, whose
/// cells follow each other along rows, so that all threads have the same work; padding is zero, and adds nothing.
/// Launched with row_shape(items()).
template <int Dimensions, class Value>
struct SealOfMemory {
  static constexpr std::uint32_t run = 16, each = 16 / sizeof(Value);
  static constexpr bool rows_of_warps = true;

  SimplexDomain<Dimensions> domain;
  const Value* state;
  std::uint64_t* words;    ///< SealWords
  std::uint64_t elements;  ///< of the state
  bool by_blocks = false;

  /// Whether rows of blocks are whole runs, or halves of them.
  static bool serves(const std::string& layout, std::uint32_t rho) {
    return !std::is_same_v<Value, float> &&
           (layout == "linear" || (layout == "blocked" && (rho == 8 || rho % 16 == 0)));
  }
  std::uint64_t items() const { return (elements + run - 1) / run; }

  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    SealWords{words}.add(group, [&](std::uint64_t number, std::uint64_t& seals, std::uint64_t& sums, const Thread&) {
      const std::uint64_t begin = number * run;
      if (begin >= elements) return;
      Value values[run];
      load(begin, values);
      if (by_blocks)
        of_block(begin, values, seals, sums);
      else
        of_rows(begin, values, seals, sums);
    });
  }

 private:
  WARPLOOM_HD void load(std::uint64_t begin, Value (&values)[run]) const {
    if (begin + run <= elements) {
      WARPLOOM_UNROLL
      for (std::uint32_t i = 0; i < run; i += each) {
        const auto pack = load_pack<each>(state + begin + i);
        WARPLOOM_UNROLL
        for (std::uint32_t j = 0; j < each; ++j) values[i + j] = pack[j];
      }
    } else {
      WARPLOOM_UNROLL
      for (std::uint32_t i = 0; i < run; ++i) values[i] = begin + i < elements ? state[begin + i] : Value{};
    }
  }
  WARPLOOM_HD static void add(Value value, std::uint64_t key, std::uint64_t& seals, std::uint64_t& sums) {
    seals += value * key_hash(0, key);
    sums += value;
  }
  WARPLOOM_HD void of_block(std::uint64_t begin, const Value (&values)[run], std::uint64_t& seals,
                            std::uint64_t& sums) const {
    const std::uint32_t rho = domain.rho.divisor, cells = Dimensions == 3 ? rho * rho * rho : rho * rho;
    const std::uint64_t number = begin / cells;
    const auto in_block = static_cast<std::uint32_t>(begin - number * cells);
    const Cell origin = domain.first_cell(domain.at(number));
    const std::uint32_t row = in_block / rho;
    const Cell cell{origin.x + in_block % rho, origin.y + row % rho, origin.z + row / rho};
    const std::uint64_t key = cell_key<Dimensions>(cell),
                        below = cell_key<Dimensions>({cell.x, cell.y + 1, cell.z}) - (rho == 8 ? 8 : 0);
    WARPLOOM_UNROLL
    for (std::uint32_t i = 0; i < run; ++i) add(values[i], (i >= 8 && rho == 8 ? below : key) + i, seals, sums);
  }
  WARPLOOM_HD void of_rows(std::uint64_t begin, const Value (&values)[run], std::uint64_t& seals,
                           std::uint64_t& sums) const {
    Index3 at = simplex_place<Dimensions>(begin);
    WARPLOOM_UNROLL
    for (std::uint32_t i = 0; i < run; ++i) {
      add(values[i], cell_key<Dimensions>(domain.unstacked(at)), seals, sums);
      const bool row_ends = at.x == at.y, plane_ends = Dimensions == 3 && row_ends && at.y == at.z;
      at.x = row_ends ? 0 : at.x + 1;
      at.y = plane_ends ? 0 : at.y + row_ends;
      at.z += plane_ends;
    }
  }
};

}  // namespace warploom
