#pragma once
#include <type_traits>

#include "gpu/core/group.h"
#include "gpu/core/unroll.h"
#include "gpu/scenes/fractal/works/chunks.h"
#include "gpu/scenes/fractal/works/tile_tables.h"

namespace warploom {

/// Tiles on their way through shared memory, which holds of each: its words, the words of other tiles beside it, and a
/// word of zeros. Blocks of threads are persistent: the next tile, or two, are under way while one is worked on.
/// `Geometry::usual` is the shape of tiles, where it is known when this is compiled; `Geometry` is void where it is
/// not. `together`: chunks that are fetched at once.
template <class Geometry, int together>
struct TilePipe {
  static constexpr bool known = !std::is_void_v<Geometry>;
  static constexpr std::uint32_t most_stages = 3;
  using Word = Chunks<together>;

  SlicedStates states;
  TileView tables;
  std::uint32_t blocks = 1;  ///< of the launch
  /// Tiles that shared memory holds, 1 to 3: the one that is worked on, and those under way.
  std::uint32_t stages = most_stages;

  /// Of shared memory, in 32-bit words: what a program keeps beyond begins there, at a multiple of 16 bytes.
  WARPLOOM_HD std::uint32_t end() const { return (permuted() + halo_chunks() + 3) / 4 * 4; }

  // ---- where a tile's words lie, in chunks; constants, where they are known ----------------------------------------
  WARPLOOM_HD std::uint32_t chunks() const {
    if constexpr (known)
      return Geometry::usual.chunks;
    else
      return states.shape.chunks;
  }
  WARPLOOM_HD std::uint32_t tile_stride() const {
    if constexpr (known)
      return Geometry::usual.tile_stride;
    else
      return states.shape.tile_stride;
  }
  WARPLOOM_HD std::uint32_t tile_chunks() const {
    if constexpr (known)
      return Geometry::usual.in_tile() * chunks();
    else
      return states.shape.in_tile() * chunks();
  }

  /// The word that begins at a byte of a stage, in shared memory.
  template <class Group>
  WARPLOOM_HD static Word word_at(Group& group, std::uint32_t stage, std::uint32_t byte) {
    auto one = group.template dynamic_tile<Word>(1, stage * 4 + byte);
    return one[0];
  }

  /// body(tile, stage) for each tile of this block, in uniform code: the tile and what is beside it lie from word
  /// `stage` of shared memory on. `all_words` is what the program has of that. No state is read before its
  /// after_previous(); tables are, so that whoever made them has waited for them on the host.
  template <class Group, class Body>
  WARPLOOM_HD void each_tile(Group& group, std::uint32_t all_words, Body&& body) const {
    const std::uint32_t tiles = tables.tiles;
    auto memory = group.template dynamic_tile<std::uint32_t>(all_words);
    // What a thread fetches is the same in every tile.
    typename Group::template PerThread<HaloItems> halo;
    group.each([&](const Thread& thread) {
      for (std::uint32_t n = 0; n < HaloItems::kept; ++n) halo[thread].of[n] = halo_of(thread.index + n * group.size());
      for (std::uint32_t stage = 0; stage < stages; ++stage)
        for (std::uint32_t i = thread.index; i < chunks(); i += group.size())
          memory[stage * stage_words() + zero() + i] = 0;
    });
    // ---- the first tiles, and who is beside them -------------------------------------------------------------------
    auto tile = static_cast<std::uint32_t>(group.block_number());
    const std::uint32_t ahead = stages - 1;
    for (std::uint32_t n = 0; n < lead; ++n) find(group, memory, tile + n * blocks, n);
    group.end_copies();
    group.after_previous();
    group.copied();
    group.barrier();
    for (std::uint32_t n = 0; n < ahead; ++n) fetch(group, memory, halo, all_words, tile + n * blocks, n, n);
    // ---- tile after tile -------------------------------------------------------------------------------------------
    std::uint32_t now = 0;
    for (std::uint32_t n = 0; tile < tiles; ++n, tile += blocks, now = now + 1 == stages ? 0 : now + 1) {
      const std::uint32_t stage = now * stage_words();
      if (ahead == 0) {
        group.copied();
        group.barrier();  // the one before it is no longer read
        fetch(group, memory, halo, all_words, tile, 0, n);
      }
      if (stages == most_stages)
        group.template copied<1>();
      else
        group.copied();
      group.barrier();  // the tile is there, and the one before it is no longer read
      if (crosses(memory, n)) permute(group, memory, stage, n);
      // Asked for two turns before it is fetched, or more: no turn waits for its own copies.
      find(group, memory, tile + lead * blocks, n + lead);
      if (ahead)
        fetch(group, memory, halo, all_words, tile + ahead * blocks, now ? now - 1 : ahead, n + ahead);
      else
        group.end_copies();
      if (tile + ahead * blocks >= tiles) group.next_may_begin();
      body(tile, stage);
    }
    group.copied();
  }

 private:
  struct alignas(16) FourChunks {
    std::uint32_t of[4];
  };
  /// Who is beside tiles lies in rows, by turns: asked for so many turns before the tile's own.
  static constexpr std::uint32_t lead = 4, rows = 8;
  /// What a thread fetches of other tiles, in every turn; more of it, where there is, is looked up.
  struct HaloItems {
    static constexpr std::uint32_t kept = 2, none = ~0u;
    std::uint32_t of[kept] = {none, none};
  };

  WARPLOOM_HD std::uint32_t halo_chunks() const { return tables.halo_chunks; }
  WARPLOOM_HD std::uint32_t zero() const { return tile_chunks() + halo_chunks(); }
  WARPLOOM_HD std::uint32_t stage_words() const {
    const std::uint32_t all = zero() + chunks();
    const std::uint32_t least = all > tile_stride() ? all : tile_stride();
    return (least + 3) / 4 * 4;
  }
  WARPLOOM_HD std::uint32_t row(std::uint32_t n) const { return stages * stage_words() + n % rows * directions; }
  WARPLOOM_HD std::uint32_t permuted() const { return stages * stage_words() + rows * directions; }
  WARPLOOM_HD std::uint32_t halo_of(std::uint32_t i) const {
    return i < halo_chunks() / together ? tables.halo[i] : HaloItems::none;
  }

  /// Who is beside a tile: by threads of the last warp, which has the fewest items of a tile.
  template <class Group, class Memory>
  WARPLOOM_HD void find(Group& group, Memory& memory, std::uint32_t tile, std::uint32_t n) const {
    if (tile >= tables.tiles) return;
    const auto* const from = reinterpret_cast<const std::uint32_t*>(tables.around) + std::size_t{tile} * directions;
    const std::uint32_t to = row(n);
    const unsigned first = group.size() - directions;
    group.each([&](const Thread& thread) {
      if (thread.index >= first) group.copy_async(memory, to + thread.index - first, from + (thread.index - first));
    });
  }
  template <class Memory>
  WARPLOOM_HD static TileBeside beside(Memory& memory, std::uint32_t at) {
    TileBeside found;
    found.packed = memory[at];
    return found;
  }
  template <class Memory>
  WARPLOOM_HD bool crosses(Memory& memory, std::uint32_t n) const {
    return beside(memory, row(n)).any_crosses();
  }

  /// A tile and what is beside it, as it lies: bits of other lanes are not in their places yet.
  template <class Group, class Memory, class Halo>
  WARPLOOM_HD void fetch(Group& group, Memory& memory, Halo& halo, std::uint32_t all_words, std::uint32_t tile,
                         std::uint32_t stage, std::uint32_t n) const {
    if (tile < tables.tiles) {
      auto fours = group.template dynamic_tile<FourChunks>(all_words / 4);
      auto all = group.template dynamic_tile<Word>(all_words / together);
      const std::uint32_t* const first = states.in + std::uint64_t{tile} * tile_stride();
      const auto* from = reinterpret_cast<const FourChunks*>(first);
      const std::uint32_t to = stage * stage_words(), of_row = row(n);
      group.each([&](const Thread& thread) {
        for (std::uint32_t i = thread.index; i < tile_chunks() / 4; i += group.size())
          group.copy_async(fours, to / 4 + i, from + i);
        for (std::uint32_t i = tile_chunks() / 4 * 4 + thread.index; i < tile_chunks(); i += group.size())
          group.copy_async(memory, to + i, first + i);
        const auto take = [&](std::uint32_t i, std::uint32_t entry) {
          const TileBeside other = beside(memory, of_row + (entry >> 16));
          const std::uint32_t place = (to + tile_chunks()) / together + i;
          if (!other.there()) {
            all[place] = Word{};
            return;
          }
          const std::uint32_t* const there = states.in + std::uint64_t{other.number()} * tile_stride();
          group.copy_async(all, place, reinterpret_cast<const Word*>(there + (entry & 0xffffu)));
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

  /// Bits of other lanes into their places: a warp a word, a lane a bit of each chunk. Which lanes they come from is
  /// asked for of several chunks at once, and of words that need it alone: all others of the block wait.
  template <class Group, class Memory>
  WARPLOOM_HD void permute(Group& group, Memory& memory, std::uint32_t stage, std::uint32_t n) const {
    constexpr std::uint32_t at_once = 4;
    struct Lanes {
      std::uint32_t of[at_once] = {};
    };
    const std::uint32_t halo = stage + tile_chunks();
    const std::uint32_t warps = (group.size() + warp_size - 1) / warp_size;
    typename Group::template PerThread<Lanes> lanes;
    typename Group::template PerThread<bool> flag;
    typename Group::template PerThread<std::uint32_t> votes;
    for (std::uint32_t first = 0; first < tables.halo_words; first += warps)
      for (std::uint32_t chunk = 0; chunk < chunks(); chunk += at_once) {
        group.each([&](const Thread& thread) {
          const int crossing = crossing_of(memory, n, first + thread.index / warp_size);
          WARPLOOM_UNROLL
          for (std::uint32_t i = 0; i < at_once; ++i)
            lanes[thread].of[i] =
                crossing < 0 || chunk + i >= chunks()
                    ? SlicedSteps::no_lane
                    : states.steps.lane(crossing, chunks(), (chunk + i) * 32 + thread.index % warp_size);
        });
        WARPLOOM_UNROLL
        for (std::uint32_t i = 0; i < at_once; ++i) {
          if (chunk + i >= chunks()) break;
          group.each([&](const Thread& thread) {
            const std::uint32_t lane = lanes[thread].of[i];
            flag[thread] = false;
            if (lane == SlicedSteps::no_lane) return;
            const std::uint32_t of = first + thread.index / warp_size, word = memory[halo + of * chunks() + lane / 32];
            flag[thread] = (word >> lane % 32 & 1u) != 0;
          });
          group.warp_ballot(flag, votes);
          group.each([&](const Thread& thread) {
            const std::uint32_t of = first + thread.index / warp_size;
            if (thread.index % warp_size == 0 && of < tables.halo_words)
              memory[permuted() + of * chunks() + chunk + i] = votes[thread];
          });
        }
      }
    group.barrier();
    group.each([&](const Thread& thread) {
      for (std::uint32_t i = thread.index; i < halo_chunks(); i += group.size()) {
        if (crossing_of(memory, n, i / chunks()) < 0) continue;
        const std::uint32_t word = memory[permuted() + i];
        memory[halo + i] = word;
      }
    });
    group.barrier();
  }
  /// How a word of the halo comes from other lanes; -1: from the same, or it is not there.
  template <class Memory>
  WARPLOOM_HD int crossing_of(Memory& memory, std::uint32_t n, std::uint32_t word) const {
    if (word >= tables.halo_words) return -1;
    const TileBeside other = beside(memory, row(n) + (tables.halo[word * (chunks() / together)] >> 16));
    return other.there() ? other.crossing() : -1;
  }
};

}  // namespace warploom
