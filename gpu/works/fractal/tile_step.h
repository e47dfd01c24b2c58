#pragma once
#include "gpu/core/group.h"
#include "gpu/core/unroll.h"
#include "gpu/works/fractal/block_rule.h"
#include "gpu/works/fractal/chunks.h"
#include "gpu/works/fractal/open_geometry.h"
#include "gpu/works/fractal/seal.h"
#include "gpu/works/fractal/sliced_states.h"
#include "gpu/works/fractal/tile_tables.h"

namespace warploom {

/// One step on any mask, tile by tile: shared memory holds a tile, the words of others beside it, and a word of zeros.
/// A thread has a register block in one chunk, or two. Blocks of threads are persistent: the next two tiles are under
/// way while one is stepped. `Geometry` is BlockGeometry of a mask that is known when this is compiled, and then serves
/// states of tiles of the usual size; or OpenGeometry. Launched with any number of blocks.
template <class Geometry, class Logic, class Sealing>
struct TileStep {
  static constexpr bool begins_early = true;
  static constexpr std::uint32_t most_stages = 3, rows = 4;
  static constexpr int words = Geometry::words, slots = Geometry::slots ? Geometry::slots : 1;
  /// Of a mask known when this is compiled a register block has all the words that its digits have, and where they lie
  /// are constants.
  static constexpr bool known = requires { Geometry::all; };
  static constexpr SlicedShape usual = [] {
    if constexpr (known)
      return SlicedShape(static_cast<std::uint32_t>(Geometry::copies), 24, SlicedShape::usual_tile_bytes);
    else
      return SlicedShape();
  }();
  /// Whether a state's tiles are of the usual size.
  static bool serves(const SlicedShape& shape) { return !known || shape.has_tiles_of(usual); }
  /// Chunks that a thread has at once: two, where that leaves enough threads.
  static constexpr int together =
      known && usual.chunks % 2 == 0 && usual.blocks_in_tile * usual.chunks >= 16 * warp_size ? 2 : 1;
  using Word = Chunks<together>;

  /// Of a known mask the threads of a block; fewer registers than all of them leave a multiprocessor some 1024 threads.
  static constexpr unsigned most_threads = [] {
    if constexpr (!known) return max_block_threads;
    return (usual.blocks_in_tile * usual.chunks / together + warp_size - 1) / warp_size * warp_size;
  }();
  static constexpr unsigned least_blocks = known ? (1024 + most_threads / 2) / most_threads : 0;

  SlicedStates states;
  TileView tables;
  Logic logic;
  Sealing sealing;
  std::uint32_t blocks = 1;  ///< of the launch
  /// Tiles that shared memory holds: the one that is stepped, and those under way. 3, or fewer where a device has less
  /// of it: with 1 none is under way meanwhile.
  std::uint32_t stages = most_stages;
  /// Of OpenGeometry: which word each place has; -1: none.
  struct Places {
    std::int8_t word[words] = {};
  } places;
  std::uint32_t in_block = 1;  ///< words of a register block

  /// Threads a block: one for each register block and chunk, or as many as there can be.
  static std::uint32_t threads(const SlicedShape& shape, const TileView& tables) {
    const std::uint32_t all = tables.blocks * shape.chunks / together,
                        whole = (all + warp_size - 1) / warp_size * warp_size;
    return whole < max_block_threads ? whole : max_block_threads;
  }
  std::uint64_t dynamic_shared_bytes() const {
    return sizeof(std::uint32_t) *
           (stages * std::uint64_t{stage_words()} + std::uint64_t{rows} * row_words + halo_chunks());
  }

  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    const SlicedShape& shape = states.shape;
    const std::uint64_t tiles = shape.tiles();
    auto memory = group.template dynamic_tile<std::uint32_t>(static_cast<unsigned>(dynamic_words()));
    group.after_previous();
    typename Group::template PerLane<std::uint64_t> part, live;
    if constexpr (Sealing::seals) group.each([&](const Thread& thread) { part[thread] = live[thread] = 0; });
    // What a thread does is the same in every tile.
    typename Group::template PerLane<Item> kept;
    typename Group::template PerLane<HaloItems> halo;
    group.each([&](const Thread& thread) {
      kept[thread] = item_of(thread.index);
      for (std::uint32_t n = 0; n < HaloItems::kept; ++n) halo[thread].of[n] = halo_of(thread.index + n * group.size());
    });
    // ---- the first two tiles, and who is beside them ---------------------------------------------------------------
    group.each([&](const Thread& thread) {
      for (std::uint32_t stage = 0; stage < stages; ++stage)
        for (std::uint32_t i = thread.index; i < chunks(); i += group.size())
          memory[stage * stage_words() + zero() + i] = 0;
    });
    std::uint64_t tile = group.block_number();
    const std::uint32_t ahead = stages - 1;
    for (std::uint32_t n = 0; n < stages; ++n) find(group, memory, tile + std::uint64_t{n} * blocks, n);
    group.barrier();
    for (std::uint32_t n = 0; n < ahead; ++n) fetch(group, memory, halo, tile + std::uint64_t{n} * blocks, n, n);
    // ---- tile after tile -------------------------------------------------------------------------------------------
    std::uint32_t now = 0;
    for (std::uint32_t n = 0; tile < tiles; ++n, tile += blocks, now = now + 1 == stages ? 0 : now + 1) {
      const std::uint32_t stage = now * stage_words();
      if (ahead == 0) {
        group.barrier();  // nobody reads the one before it any more
        fetch(group, memory, halo, tile, 0, n);
      }
      if (stages == most_stages)
        group.template copied<1>();
      else
        group.copied();
      group.barrier();  // the tile is there, and nobody reads the one before it any more
      if (crosses(memory, n)) permute(group, memory, stage, n);
      if (ahead) fetch(group, memory, halo, tile + std::uint64_t{ahead} * blocks, now ? now - 1 : ahead, n + ahead);
      if (tile + std::uint64_t{ahead} * blocks >= tiles) group.next_may_begin();
      find(group, memory, tile + std::uint64_t{stages} * blocks, n + stages);
      group.each([&](const Thread& thread) {
        const auto work = [&](const Item& item) {
          run(group, stage, tile, item, [&](std::uint32_t chunk, std::uint32_t block, const SealOfWords& seal) {
            part[thread] = folded_61(part[thread] + seal.part(chunk, tile * register_blocks() + block));
            live[thread] += seal.live;
          });
        };
        if (kept[thread].number != Item::none) work(kept[thread]);
        if constexpr (!known)
          for (std::uint32_t item = thread.index + group.size(); item < items(); item += group.size())
            work(item_of(item));
      });
    }
    group.copied();
    if constexpr (Sealing::seals) sealing.to.add(group, part, live);
  }

 private:
  using Rule = BlockRule<Geometry, Logic>;
  struct alignas(16) FourChunks {
    std::uint32_t of[4];
  };
  /// Of a tile beside another: where it begins in the state, low half first, and how it is reached; after the last,
  /// whether any has other lanes.
  static constexpr std::uint32_t row_words = 4 * directions + 4, any_crosses = 4 * directions;
  static constexpr std::uint32_t nowhere = 0, same_lanes = 1, other_lanes = 2;
  /// A register block in `together` chunks, as they follow each other; its first word lies where its number says. Where
  /// the words beside it lie, two a number: all of shared memory has fewer than 2^16 of them.
  struct Item {
    static constexpr std::uint32_t none = ~0u;
    std::uint32_t number = none, beside[(slots + 1) / 2] = {};
  };
  /// What a thread fetches of other tiles, in every turn; more of it, where there is, is looked up.
  struct HaloItems {
    static constexpr std::uint32_t kept = 2, none = ~0u;
    std::uint32_t of[kept] = {none, none};
  };

  // ---- where a tile's words lie, in chunks; of a known mask constants ---------------------------------------------
  WARPLOOM_HD std::uint32_t chunks() const { return known ? usual.chunks : states.shape.chunks; }
  WARPLOOM_HD std::uint32_t register_blocks() const { return known ? usual.blocks_in_tile : tables.blocks; }
  WARPLOOM_HD std::uint32_t tile_stride() const { return known ? usual.tile_stride : states.shape.tile_stride; }
  WARPLOOM_HD std::uint32_t tile_chunks() const {
    return (known ? usual.in_tile() : states.shape.in_tile()) * chunks();
  }
  WARPLOOM_HD std::uint32_t items() const { return register_blocks() * chunks() / together; }
  WARPLOOM_HD std::uint32_t halo_chunks() const { return tables.halo_words * chunks(); }
  WARPLOOM_HD std::uint32_t zero() const { return tile_chunks() + halo_chunks(); }
  WARPLOOM_HD std::uint32_t stage_words() const {
    const std::uint32_t all = zero() + chunks();
    const std::uint32_t least = all > tile_stride() ? all : tile_stride();
    return (least + 3) / 4 * 4;
  }
  WARPLOOM_HD std::uint32_t row(std::uint32_t n) const { return stages * stage_words() + n % rows * row_words; }
  WARPLOOM_HD std::uint32_t permuted() const { return stages * stage_words() + rows * row_words; }
  WARPLOOM_HD std::uint32_t dynamic_words() const { return permuted() + halo_chunks(); }

  WARPLOOM_HD std::uint32_t halo_of(std::uint32_t i) const {
    return i < halo_chunks() / together ? tables.halo[i] : HaloItems::none;
  }
  struct Where {
    std::uint32_t block = 0, chunk = 0;
  };
  WARPLOOM_HD Where where(std::uint32_t item) const {
    if constexpr (known) return {item * together / usual.chunks, item * together % usual.chunks};
    std::uint32_t chunk = item;
    const std::uint32_t block = states.shape.by_chunks.split(chunk);
    return {block, chunk};
  }
  WARPLOOM_HD Item item_of(std::uint32_t number) const {
    Item item;
    if (number >= items()) return item;
    item.number = number;
    if constexpr (Geometry::slots > 0) {
      const Where at = where(number);
      WARPLOOM_UNROLL
      for (int i = 0; i < slots; ++i) {
        const std::uint32_t word = tables.slots[static_cast<std::uint32_t>(i) * register_blocks() + at.block];
        item.beside[i / 2] |= (word * chunks() + at.chunk) / together << 16 * (i % 2);
      }
    }
    return item;
  }

  /// Who is beside a tile: a thread a direction, of the last warp, which has the fewest register blocks.
  template <class Group, class Memory>
  WARPLOOM_HD void find(Group& group, Memory& memory, std::uint64_t tile, std::uint32_t n) const {
    const int digits = states.shape.base_digits - states.shape.tile_digits;
    typename Group::template PerLane<bool> crosses;
    typename Group::template PerLane<std::uint32_t> votes{};
    const unsigned first = group.size() - warp_size;
    group.each([&](const Thread& thread) {
      crosses[thread] = false;
      if (thread.index < first) return;
      if (const unsigned d = thread.index - first; d < directions) {
        SlicedSteps::Found found;
        if (tile < states.shape.tiles()) found = states.steps.neighbour(tile, digits, static_cast<int>(d));
        // The lanes' step says itself where it goes: with the tile all digits above are stepped, too.
        const std::uint32_t how = !found.there ? nowhere : found.crossing < 0 ? same_lanes : other_lanes;
        const std::uint64_t from = found.number * tile_stride();
        memory[row(n) + 4 * d] = static_cast<std::uint32_t>(from);
        memory[row(n) + 4 * d + 1] = static_cast<std::uint32_t>(from >> 32);
        memory[row(n) + 4 * d + 2] = how | static_cast<std::uint32_t>(found.crossing < 0 ? 0 : found.crossing) << 8;
        crosses[thread] = how == other_lanes;
      }
    });
    // Blocks have whole warps.
    group.warp_ballot(crosses, votes);
    group.each([&](const Thread& thread) {
      if (thread.index == first) memory[row(n) + any_crosses] = votes[thread];
    });
  }
  template <class Memory>
  WARPLOOM_HD bool crosses(Memory& memory, std::uint32_t n) const {
    return memory[row(n) + any_crosses] != 0;
  }

  /// A tile and what is beside it, as it lies: bits of other lanes are not in their places yet.
  template <class Group, class Memory, class Halo>
  WARPLOOM_HD void fetch(Group& group, Memory& memory, Halo& halo, std::uint64_t tile, std::uint32_t stage,
                         std::uint32_t n) const {
    if (tile < states.shape.tiles()) {
      auto fours = group.template dynamic_tile<FourChunks>(dynamic_words() / 4);
      auto all = group.template dynamic_tile<Word>(dynamic_words() / together);
      const std::uint32_t* const first = states.in + tile * tile_stride();
      const auto* from = reinterpret_cast<const FourChunks*>(first);
      const std::uint32_t to = stage * stage_words(), of_row = row(n);
      group.each([&](const Thread& thread) {
        for (std::uint32_t i = thread.index; i < tile_chunks() / 4; i += group.size())
          group.copy_async(fours, to / 4 + i, from + i);
        for (std::uint32_t i = tile_chunks() / 4 * 4 + thread.index; i < tile_chunks(); i += group.size())
          group.copy_async(memory, to + i, first + i);
        const auto take = [&](std::uint32_t i, std::uint32_t entry) {
          const std::uint32_t at = of_row + 4 * (entry >> 16), place = (to + tile_chunks()) / together + i;
          if ((memory[at + 2] & 255u) == nowhere) {
            all[place] = Word{};
            return;
          }
          const std::uint64_t low = memory[at], high = memory[at + 1];
          group.copy_async(all, place,
                           reinterpret_cast<const Word*>(states.in + (high << 32 | low) + (entry & 0xffffu)));
        };
        std::uint32_t i = thread.index;
        WARPLOOM_UNROLL
        for (std::uint32_t k = 0; k < HaloItems::kept; ++k, i += group.size())
          if (halo[thread].of[k] != HaloItems::none) take(i, halo[thread].of[k]);
        for (; i < halo_chunks() / together; i += group.size()) take(i, tables.halo[i]);
      });
    }
    group.end_copies();
  }

  /// Bits of other lanes into their places: a warp a word, a lane a bit of each chunk.
  template <class Group, class Memory>
  WARPLOOM_HD void permute(Group& group, Memory& memory, std::uint32_t stage, std::uint32_t n) const {
    const std::uint32_t halo = stage + tile_chunks();
    const std::uint32_t warps = (group.size() + warp_size - 1) / warp_size;
    typename Group::template PerLane<bool> flag;
    typename Group::template PerLane<std::uint32_t> votes;
    for (std::uint32_t first = 0; first < tables.halo_words; first += warps)
      for (std::uint32_t chunk = 0; chunk < chunks(); ++chunk) {
        group.each([&](const Thread& thread) {
          const std::uint32_t of = first + thread.index / warp_size;
          flag[thread] = false;
          if (of >= tables.halo_words) return;
          const std::uint32_t how = memory[row(n) + 4 * (tables.halo[of * (chunks() / together)] >> 16) + 2];
          std::uint32_t lane = chunk * 32 + thread.index % warp_size;
          if ((how & 255u) == other_lanes) lane = states.steps.lane(static_cast<int>(how >> 8), chunks(), lane);
          if (lane == SlicedSteps::no_lane) return;
          const std::uint32_t word = memory[halo + of * chunks() + lane / 32];
          flag[thread] = (word >> lane % 32 & 1u) != 0;
        });
        group.warp_ballot(flag, votes);
        group.each([&](const Thread& thread) {
          const std::uint32_t of = first + thread.index / warp_size;
          if (thread.index % warp_size == 0 && of < tables.halo_words)
            memory[permuted() + of * chunks() + chunk] = votes[thread];
        });
      }
    group.barrier();
    group.each([&](const Thread& thread) {
      for (std::uint32_t i = thread.index; i < halo_chunks(); i += group.size()) {
        const std::uint32_t word = memory[permuted() + i];
        memory[halo + i] = word;
      }
    });
    group.barrier();
  }

  /// Whether place i has a word.
  WARPLOOM_HD bool has(int i) const { return known || places.word[i] >= 0; }
  /// Where it lies in its tile, of an item, in steps of `together` chunks.
  WARPLOOM_HD std::uint32_t place(const Item& item, const Where& at, int i) const {
    if constexpr (known) return item.number + static_cast<std::uint32_t>(i) * items();
    return states.shape.word_in_tile(at.block * in_block + static_cast<std::uint32_t>(places.word[i])) * chunks() +
           at.chunk;
  }
  template <class Group, class Keep>
  WARPLOOM_HD void run(Group& group, std::uint32_t stage, std::uint64_t tile, const Item& item, Keep&& keep) const {
    auto memory = group.template dynamic_tile<Word>(dynamic_words() / together);
    const std::uint32_t first = stage / together;
    Word own[words] = {}, beside[slots] = {};
    const Where at = where(item.number);
    WARPLOOM_UNROLL
    for (int i = 0; i < words; ++i)
      if (has(i)) own[i] = memory[first + place(item, at, i)];
    if constexpr (Geometry::slots > 0) {
      WARPLOOM_UNROLL
      for (int i = 0; i < slots; ++i) {
        // Both at once, and anew in every tile: there are no registers to keep them apart.
        const std::uint32_t both = item.beside[i / 2] + first * 0x10001u;
        beside[i] = memory[i % 2 ? both >> 16 : both & 0xffffu];
      }
    }
    auto* const out = reinterpret_cast<Word*>(states.out + tile * tile_stride());
    SealOfWords seals[together];
    Rule::each_next(logic, own, beside, [&](auto i, Word next) {
      if (!has(decltype(i)::value)) return;
      if constexpr (!Logic::stays_dead) {
        WARPLOOM_UNROLL
        for (int k = 0; k < together; ++k) next.of[k] &= states.shape.valid(at.chunk + static_cast<std::uint32_t>(k));
      }
      out[place(item, at, decltype(i)::value)] = next;
      if constexpr (Sealing::seals) {
        constexpr SealKey key(SealKeys::of_word(decltype(i)::value));
        WARPLOOM_UNROLL
        for (int k = 0; k < together; ++k) seals[k].add(next.of[k], key);
      }
    });
    if constexpr (Sealing::seals) {
      WARPLOOM_UNROLL
      for (int k = 0; k < together; ++k) keep(at.chunk + static_cast<std::uint32_t>(k), at.block, seals[k]);
    }
  }
};

}  // namespace warploom
