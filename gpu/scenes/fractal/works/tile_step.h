#pragma once
#include "gpu/core/group.h"
#include "gpu/core/unroll.h"
#include "gpu/scenes/fractal/works/block_rule.h"
#include "gpu/scenes/fractal/works/seal.h"
#include "gpu/scenes/fractal/works/tile_pipe.h"

namespace warploom {

/// One step on a mask that is known when this is compiled (BlockGeometry), tile by tile: a thread has a register block
/// in one chunk, or two; then `turns` - 1 others. For states of tiles of the usual size. Launched with any number of
/// blocks.
template <class Geometry, class Logic, class Sealing>
struct TileStep {
  static constexpr bool begins_early = true, rows_of_warps = true;
  static constexpr int words = Geometry::words, slots = Geometry::slots ? Geometry::slots : 1;
  static constexpr SlicedShape usual = Geometry::usual;
  /// Chunks that a thread has at once: two, where that leaves enough threads.
  static constexpr int together =
      usual.chunks % 2 == 0 && usual.blocks_in_tile * usual.chunks >= 16 * warp_size ? 2 : 1;
  static constexpr std::uint32_t items = usual.blocks_in_tile * usual.chunks / together;
  /// What any rule costs is shared out better by more and smaller blocks, where they have registers: H 0.56 of a copy
  /// for 0.51. B3/S23 is quick as it is.
  static constexpr std::uint32_t turns = !Logic::stays_dead && words < 8 ? 2 : 1;
  static constexpr unsigned most_threads = ((items + turns - 1) / turns + warp_size - 1) / warp_size * warp_size;
  static_assert(most_threads <= max_block_threads);
  /// Fewer registers than all of them leave a multiprocessor some 1024 threads.
  static constexpr unsigned least_blocks = (1024 + most_threads / 2) / most_threads;
  using Pipe = TilePipe<Geometry, together>;
  using Word = typename Pipe::Word;

  Pipe pipe;
  Logic logic;
  Sealing sealing;

  static bool serves(const SlicedShape& shape) { return shape.has_tiles_of(usual); }
  std::uint64_t dynamic_shared_bytes() const { return sizeof(std::uint32_t) * std::uint64_t{pipe.end()}; }

  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    typename Group::template PerThread<std::uint64_t> part, live;
    if constexpr (Sealing::seals) group.each([&](const Thread& thread) { part[thread] = live[thread] = 0; });
    // What a thread does is the same in every tile.
    typename Group::template PerThread<Items> kept;
    group.each([&](const Thread& thread) {
      WARPLOOM_UNROLL
      for (std::uint32_t turn = 0; turn < turns; ++turn)
        kept[thread].of[turn] = item_of(thread.index + turn * most_threads);
    });
    pipe.each_tile(group, pipe.end(), [&](std::uint32_t tile, std::uint32_t stage) {
      group.each([&](const Thread& thread) {
        WARPLOOM_UNROLL
        for (std::uint32_t turn = 0; turn < turns; ++turn) {
          const Item& item = kept[thread].of[turn];
          if (item.number == Item::none) continue;
          run(group, stage, tile, item, [&](std::uint32_t chunk, std::uint32_t block, const SealOfWords& seal) {
            part[thread] =
                folded_61(part[thread] + seal.part(chunk, std::uint64_t{tile} * usual.blocks_in_tile + block));
            live[thread] += seal.live;
          });
        }
      });
    });
    if constexpr (Sealing::seals) sealing.to.add(group, part, live);
  }

 private:
  using Rule = BlockRule<Geometry, Logic>;
  /// A register block in `together` chunks, as they follow each other; its first word lies where its number says. At
  /// which bytes the words beside it lie, two a number.
  struct Item {
    static constexpr std::uint32_t none = ~0u;
    std::uint32_t number = none, beside[(slots + 1) / 2] = {};
  };
  struct Items {
    Item of[turns];
  };
  struct Where {
    std::uint32_t block = 0, chunk = 0;
  };
  WARPLOOM_HD static Where where(std::uint32_t item) {
    return {item * together / usual.chunks, item * together % usual.chunks};
  }
  WARPLOOM_HD Item item_of(std::uint32_t number) const {
    Item item;
    if (number >= items) return item;
    item.number = number;
    if constexpr (Geometry::slots > 0) {
      const Where at = where(number);
      WARPLOOM_UNROLL
      for (int i = 0; i < slots; ++i) {
        const std::uint32_t first = pipe.tables.slots[static_cast<std::uint32_t>(i) * usual.blocks_in_tile + at.block];
        item.beside[i / 2] |= (first + at.chunk * 4) << 16 * (i % 2);
      }
    }
    return item;
  }

  template <class Group, class Keep>
  WARPLOOM_HD void run(Group& group, std::uint32_t stage, std::uint32_t tile, const Item& item, Keep&& keep) const {
    Word own[words] = {}, beside[slots] = {};
    WARPLOOM_UNROLL
    for (int i = 0; i < words; ++i)
      own[i] = Pipe::word_at(group, stage, (item.number + static_cast<std::uint32_t>(i) * items) * sizeof(Word));
    if constexpr (Geometry::slots > 0) {
      WARPLOOM_UNROLL
      for (int i = 0; i < slots; ++i)
        beside[i] = Pipe::word_at(group, stage, i % 2 ? item.beside[i / 2] >> 16 : item.beside[i / 2] & 0xffffu);
    }
    auto* const out = reinterpret_cast<Word*>(pipe.states.out + std::uint64_t{tile} * usual.tile_stride) + item.number;
    const Where at = where(item.number);
    SealOfWords seals[together];
    Rule::each_next(logic, own, beside, [&](auto i, Word next) {
      if constexpr (!Logic::stays_dead) {
        WARPLOOM_UNROLL
        for (int k = 0; k < together; ++k)
          next.of[k] &= pipe.states.shape.valid(at.chunk + static_cast<std::uint32_t>(k));
      }
      out[static_cast<std::size_t>(i) * items] = next;
      if constexpr (Sealing::seals) {
        WARPLOOM_UNROLL
        for (int k = 0; k < together; ++k) seals[k].add(i, next.of[k]);
      }
    });
    if constexpr (Sealing::seals) {
      WARPLOOM_UNROLL
      for (int k = 0; k < together; ++k) keep(at.chunk + static_cast<std::uint32_t>(k), at.block, seals[k]);
    }
  }
};

}  // namespace warploom
