#pragma once
#include "gpu/core/group.h"
#include "gpu/core/launch.h"
#include "gpu/core/unroll.h"
#include "gpu/scenes/fractal/works/block_rule.h"
#include "gpu/scenes/fractal/works/seal.h"
#include "gpu/scenes/fractal/works/tile_tables.h"

namespace warploom {

/// One step on a mask that is known when this is compiled, and whose register blocks touch few words beside them: a
/// thread a register block in one chunk. Its own words go straight to registers, as do those beside it: no memory is
/// shared, and nothing waits. For states of tiles of the usual size. Launched with shape().
template <class Geometry, class Logic, class Sealing>
struct ThinStep {
  static constexpr bool begins_early = true, rows_of_warps = true;
  static constexpr int words = Geometry::words, slots = Geometry::slots, most_slots = 4;
  static constexpr bool serves_geometry = slots > 0 && slots <= most_slots;
  static constexpr SlicedShape usual = Geometry::usual;
  /// Whole tiles, where there can be, which begin and end with lines of the cache: 0.88 of a copy on an H200, where
  /// blocks of 128 have 0.74. Any rule needs more registers than so large a block has: half as many threads.
  static constexpr unsigned most_threads = [] {
    unsigned all = usual.blocks_in_tile * usual.chunks;
    while (all % warp_size) all *= 2;
    return Logic::stays_dead && all <= max_block_threads ? all : 512;
  }();
  static constexpr unsigned least_blocks = max_block_threads / most_threads;

  SlicedStates states;
  TileView tables;
  Logic logic;
  Sealing sealing;

  static bool serves(const SlicedShape& shape) { return shape.has_tiles_of(usual) && items(shape) >> 32 == 0; }
  static std::uint64_t items(const SlicedShape& shape) { return shape.blocks() * shape.chunks; }
  static LaunchShape shape(const SlicedShape& shape) {
    return {{static_cast<std::uint32_t>((items(shape) + most_threads - 1) / most_threads), 1, 1}, {most_threads, 1, 1}};
  }

  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    typename Group::template PerThread<std::uint64_t> part, live;
    if constexpr (Sealing::seals) group.each([&](const Thread& thread) { part[thread] = live[thread] = 0; });
    const auto first = static_cast<std::uint32_t>(group.block_number()) * group.size();
    const std::uint32_t all = tables.tiles * of_tile;
    group.after_previous();
    group.each([&](const Thread& thread) {
      const std::uint32_t item = first + thread.index;
      if (item >= all) return;
      const std::uint32_t tile = item / of_tile, in_tile = item - tile * of_tile;
      const std::uint32_t block = in_tile / usual.chunks, chunk = in_tile - block * usual.chunks;
      const std::uint64_t base = std::uint64_t{tile} * usual.tile_stride;
      // Its own words are under way while it is found out who is beside it.
      std::uint32_t own[words], beside[slots];
      WARPLOOM_UNROLL
      for (int i = 0; i < words; ++i) own[i] = states.in[base + in_tile + apart(i)];
      WARPLOOM_UNROLL
      for (int i = 0; i < slots; ++i) beside[i] = word_beside(tile, base, block, chunk, i);
      group.next_may_begin();
      SealOfWords seal;
      std::uint32_t* const out = states.out + base + in_tile;
      BlockRule<Geometry, Logic>::each_next(logic, own, beside, [&](auto i, std::uint32_t next) {
        if constexpr (!Logic::stays_dead) next &= states.shape.valid(chunk);
        out[apart(i)] = next;
        if constexpr (Sealing::seals) seal.add(i, next);
      });
      if constexpr (Sealing::seals) {
        part[thread] = seal.part(chunk, std::uint64_t{tile} * usual.blocks_in_tile + block);
        live[thread] = seal.live;
      }
    });
    if constexpr (Sealing::seals) sealing.to.add(group, part, live);
  }

 private:
  /// Chunks of a word of each register block of a tile: as far is a word of a register block from the next.
  static constexpr std::uint32_t of_tile = usual.blocks_in_tile * usual.chunks;

  /// From its first word to word i, in chunks.
  WARPLOOM_HD static constexpr std::size_t apart(int i) { return std::size_t{of_tile} * static_cast<std::size_t>(i); }

  WARPLOOM_HD std::uint32_t word_beside(std::uint32_t tile, std::uint64_t base, std::uint32_t block,
                                        std::uint32_t chunk, int slot) const {
    const std::uint32_t first = tables.slots[static_cast<std::uint32_t>(slot) * usual.blocks_in_tile + block] / 4u;
    if (first < usual.in_tile() * usual.chunks) return states.in[base + std::uint64_t{first + chunk}];
    const std::uint32_t halo = first - usual.in_tile() * usual.chunks;
    if (halo >= tables.halo_chunks) return 0;
    const std::uint32_t entry = tables.halo[halo + chunk];
    const TileBeside found = tables.around[std::size_t{tile} * directions + (entry >> 16)];
    if (!found.there()) return 0;
    const std::uint32_t* const there =
        states.in + std::uint64_t{found.number()} * usual.tile_stride + (entry & 0xffffu);
    return found.crossing() < 0 ? *there : permuted(there - chunk, chunk, found.crossing());
  }
  /// A chunk of a word whose bits come from other lanes. Few tiles have such, so it need not be quick.
  WARPLOOM_HD std::uint32_t permuted(const std::uint32_t* word, std::uint32_t chunk, int crossing) const {
    std::uint32_t bits = 0;
    for (std::uint32_t bit = 0; bit < 32; ++bit) {
      const std::uint32_t lane = states.steps.lane(crossing, usual.chunks, chunk * 32 + bit);
      if (lane != SlicedSteps::no_lane) bits |= (word[lane / 32] >> lane % 32 & 1u) << bit;
    }
    return bits;
  }
};

}  // namespace warploom
