#pragma once
#include "gpu/scenes/bins/kernels/spread.h"
#include "gpu/scenes/bins/kernels/sums.h"
#include "gpu/scenes/bins/kernels/tile_groups.h"

// Elements by groups of bins, cut into subproblems of a block each. Source: shih2021cufinufft.
namespace warploom {

/// Slots of one group that a block spreads.
struct Subproblem {
  std::uint32_t group, first, count;
};
inline constexpr std::uint32_t most_of_a_subproblem = 1024;  ///< elements: as in shih2021cufinufft

/// Where the elements of each group begin, and how many subproblems they make. For each group.
struct CountSubproblems {
  TileGroups groups;
  const std::uint32_t* offsets;  ///< of the bins
  std::uint64_t count;           ///< of the groups
  std::uint32_t* firsts;         ///< first slot of each, and one past the last
  std::uint32_t* parts;
  WARPLOOM_HD void operator()(std::uint64_t i) const {
    const std::uint32_t first = offsets[groups.first_bin(i)], last = offsets[groups.first_bin(i + 1)];
    firsts[i] = first;
    if (i + 1 == count) firsts[count] = last;
    parts[i] = (last - first + most_of_a_subproblem - 1) / most_of_a_subproblem;
  }
};

/// The list of subproblems. For each group.
struct ListSubproblems {
  const std::uint32_t *firsts, *places;  ///< places: of each group's first subproblem in the list
  Subproblem* list;
  WARPLOOM_HD void operator()(std::uint64_t i) const {
    const std::uint32_t last = firsts[i + 1];
    std::uint32_t at = places[i];
    for (std::uint32_t first = firsts[i]; first < last; first += most_of_a_subproblem)
      list[at++] = {static_cast<std::uint32_t>(i), first,
                    last - first < most_of_a_subproblem ? last - first : most_of_a_subproblem};
  }
};

/// The outputs of a tile that an element may reach. What is left out is no nearer than the tile's margin.
template <class Application>
WARPLOOM_HD TileBox outputs_in_reach(const Application& application, const Lattice& lattice, const TileBox& tile,
                                     const float* element) {
  TileBox box = points_in_reach(application, lattice, element);
  for (int a = 0; a < 3; ++a) {
    if (box.first[a] < tile.first[a]) box.first[a] = tile.first[a];
    if (box.end[a] > tile.end[a]) box.end[a] = tile.end[a];
  }
  return box;
}

/// A block a subproblem: its elements' terms are summed in a tile of outputs in shared memory, and the tile is added to
/// the grid. In shih2021cufinufft a thread takes a point and adds to the tile atomically; here each output of a tile is
/// one thread's, which walks over all elements: thousands of elements in one place then wait for nothing, where
/// atomics would stand in a line, and sums within a block have one order.
///
/// The sums are doubles. 1,024 equal terms in floats are off by up to 1.5e-5, which is more than the 1e-5 that tracks
/// agree to; compensated floats would take the same 8 bytes, four operations in place of one, and the grid takes
/// doubles anyhow.
template <class Application>
struct SpreadSubproblems {
  static constexpr std::uint64_t threads_per_chunk = 512;
  static constexpr unsigned width = Application::info.width, components = Application::info.components;
  static constexpr unsigned threads = 256, most_threads = threads;
  /// Threads that share a column of the tile along x; a reach of two to five outputs each way fills most of them.
  static constexpr unsigned lanes = 8;

  Application application;
  BinSlots slots;
  TileGroups groups;
  const Subproblem* list;
  const std::uint32_t* listed;  ///< how many they are: blocks beyond return at once
  double* out;                  ///< (points, components), added to

  template <class Group>
  struct Shared {
    typename Group::template Tile<float, threads * width> values;
    typename Group::template Tile<TileBox, threads> boxes;
  };
  /// What is left for a tile of the 48 KiB that every device has for a block.
  static constexpr std::uint64_t most_tile_bytes =
      std::uint64_t{48} * 1024 - threads * (width * sizeof(float) + sizeof(TileBox));
  std::uint64_t dynamic_shared_bytes() const { return volume(groups.most_outputs) * components * sizeof(double); }

  template <class Group>
  WARPLOOM_HD void operator()(Group& group, Shared<Group>& shared) const {
    if (group.block_number() >= *listed) return;
    const Subproblem mine = list[group.block_number()];
    const TileBox tile = groups.tile(mine.group);
    const unsigned length = tile.extent(0);
    // ---- no barriers for the sums: each is touched by its own thread alone ----
    auto sums = group.template dynamic_tile<double>(tile.points() * components);
    group.each([&](const Thread& thread) {
      each_column(thread, tile, [&](const Column& column) {
        for (unsigned c = 0; c < components; ++c)
          for (unsigned x = lane(thread); x < length; x += lanes) sums[place(tile, column, c) + x] = 0;
      });
    });
    // ---- the elements, as many at a time as there are threads ----
    for (std::uint32_t begin = 0; begin < mine.count; begin += threads) {
      const unsigned count = mine.count - begin < threads ? mine.count - begin : threads;
      group.barrier();  // all have read what was there
      group.each([&](const Thread& thread) {
        const std::uint64_t first = std::uint64_t{mine.first} + begin;
        // Threads of a warp load consecutive floats.
        for (unsigned i = thread.index; i < count * width; i += threads)
          shared.values[i] = slots.values[first * width + i];
        if (thread.index >= count) return;
        float element[width];
        slots.template read<BinLayout::records>(first + thread.index, element);
        shared.boxes[thread.index] = outputs_in_reach(application, groups.lattice, tile, element);
      });
      group.barrier();
      group.each([&](const Thread& thread) {
        each_column(thread, tile, [&](const Column& column) {
          for (unsigned i = 0; i < count; ++i) add(shared, i, tile, column, lane(thread), sums);
        });
      });
    }
    // ---- the tile onto the grid: most outputs of a sparse group have no sum ----
    group.each([&](const Thread& thread) {
      each_column(thread, tile, [&](const Column& column) {
        for (unsigned x = lane(thread); x < length; x += lanes) {
          const std::uint64_t point = linear_index({tile.first[0] + x, column.y, column.z}, groups.lattice.points);
          for (unsigned c = 0; c < components; ++c) {
            const double sum = sums[place(tile, column, c) + x];
            if (sum != 0) atomic_add(out + point * components + c, sum);
          }
        }
      });
    });
  }

 private:
  WARPLOOM_HD static unsigned lane(const Thread& thread) { return thread.index % lanes; }
  /// Outputs of a tile along x.
  struct Column {
    std::uint32_t number, y, z;
  };
  /// Where the sums of a column's outputs begin: the components lie apart, so that neighbours are in neighbouring
  /// banks.
  WARPLOOM_HD static unsigned place(const TileBox& tile, const Column& column, unsigned component) {
    return (component * tile.columns() + column.number) * tile.extent(0);
  }
  /// Calls body(Column) for the columns that a thread shares with those of its lanes.
  template <class Body>
  WARPLOOM_HD static void each_column(const Thread& thread, const TileBox& tile, Body&& body) {
    for (std::uint32_t i = thread.index / lanes; i < tile.columns(); i += threads / lanes)
      body(Column{i, tile.first[1] + i % tile.extent(1), tile.first[2] + i / tile.extent(1)});
  }

  /// The term of an element, to those of a column's outputs that are the thread's.
  template <class Tiles, class Sums>
  WARPLOOM_HD void add(Tiles& shared, unsigned i, const TileBox& tile, const Column& column, unsigned lane,
                       Sums& sums) const {
    const TileBox box = shared.boxes[i];
    if (column.y < box.first[1] || column.y >= box.end[1] || column.z < box.first[2] || column.z >= box.end[2]) return;
    float element[width];
    for (unsigned f = 0; f < width; ++f) element[f] = shared.values[i * width + f];
    const float reach = application.square_reach(element), dy = element[1] - groups.lattice.at(1, column.y),
                dz = element[2] - groups.lattice.at(2, column.z);
    // The thread's first output that is in the box.
    const std::uint32_t before = box.first[0] - tile.first[0];
    const std::uint32_t begin = before + (lane + lanes - before % lanes) % lanes;
    for (std::uint32_t x = begin; tile.first[0] + x < box.end[0]; x += lanes) {
      const float dx = element[0] - groups.lattice.at(0, tile.first[0] + x), square = square_sum(dx, dy, dz);
      if (!(square < reach)) continue;
      float terms[components] = {}, sizes[components] = {};
      application.add(element, {dx, dy, dz, square}, terms, sizes);
      for (unsigned c = 0; c < components; ++c) sums[place(tile, column, c) + x] += static_cast<double>(terms[c]);
    }
  }
};

/// Of SpreadSubproblems, launched alike.
template <class Application>
struct AuditSubproblems {
  static constexpr std::uint64_t threads_per_chunk = 512;
  Application application;
  BinSlots slots;
  TileGroups groups;
  const Subproblem* list;
  const std::uint32_t* listed;
  std::uint64_t index_reads;  ///< of CountSubproblems
  AuditOut out;

  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    const std::uint64_t number = group.block_number();
    group.once([&] {
      if (number == 0) atomic_add(&out.totals->index_reads, index_reads);
    });
    if (number >= *listed) return;
    const Subproblem mine = list[number];
    const TileBox tile = groups.tile(mine.group);
    typename Group::template PerThread<std::uint64_t> tested;
    group.each([&](const Thread& thread) {
      tested[thread] = 0;
      for (std::uint32_t i = thread.index; i < mine.count; i += group.size()) {
        float element[Application::info.width];
        slots.template read<BinLayout::records>(std::uint64_t{mine.first} + i, element);
        const TileBox box = outputs_in_reach(application, groups.lattice, tile, element);
        tested[thread] += box.points();
        each_in_reach(application, element, groups.lattice, box, AddHit<Application>{application, element, out});
      }
    });
    out.add_tests(group, tested);
  }
};

}  // namespace warploom
