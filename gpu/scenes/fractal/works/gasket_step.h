#pragma once
#include "gpu/core/group.h"
#include "gpu/core/rounded.h"
#include "gpu/core/unroll.h"
#include "gpu/scenes/fractal/works/block_rule.h"
#include "gpu/scenes/fractal/works/gasket.h"
#include "gpu/scenes/fractal/works/seal.h"
#include "gpu/scenes/fractal/works/sliced_on_cpu.h"

namespace warploom {

/// One step on the gasket: a thread the 27 words of a tile in one chunk, in registers; it reads five words more at
/// most. Block 0 has the three tiles whose corners meet other lanes, and permutes bits for them; it comes first because
/// it takes longest. Launched with shape(). `plain`: a CPU runs it as a device does, without vectors; for tests.
template <class Logic, class Sealing, bool plain = false>
struct GasketStep {
  static constexpr unsigned most_threads = 256, least_blocks = 4;
  static constexpr bool begins_early = true, rows_of_warps = true;
  static constexpr std::uint64_t threads_per_chunk = std::uint64_t{8} * most_threads;  ///< a thread has 27 words to do
  static constexpr std::uint32_t large = 1u << 16;                                     ///< tiles
  static constexpr std::uint32_t tiles_a_block = most_threads / gasket_tiles::chunks;

  template <class Group>
  struct Shared {
    typename Group::template Tile<std::uint32_t, gasket_tiles::slots * gasket_tiles::chunks>
        beside;  ///< of other lanes
  };

  SlicedStates states;
  Logic logic;
  Sealing sealing;

  static LaunchShape shape(std::uint64_t tiles) {
    return {{static_cast<std::uint32_t>(1 + (tiles + tiles_a_block - 1) / tiles_a_block), 1, 1}, {most_threads, 1, 1}};
  }

  template <class Group>
  WARPLOOM_HD void operator()(Group& group, Shared<Group>& shared) const {
    const auto all = static_cast<std::uint32_t>(states.shape.tiles());
    group.after_previous();
    typename Group::template PerThread<std::uint64_t> part, live;
    if constexpr (Sealing::seals) group.each([&](const Thread& thread) { part[thread] = live[thread] = 0; });
    const auto keep = [&](const Thread& thread, const SealOfWords& seal, std::uint32_t tile, std::uint32_t chunk) {
      part[thread] = seal.part(chunk, tile);
      live[thread] = seal.live;
    };
    if (group.block_number() == 0) {
      // The own words of the corner tiles are under way while bits are permuted for them.
      typename Group::template PerThread<Own> own;
      const auto tile_of = [&](const Thread& thread) { return thread.index / gasket_tiles::chunks * ((all - 1) / 2); };
      const auto is_corner = [&](const Thread& thread) {
        return thread.index / gasket_tiles::chunks < (all == 1 ? 1 : 3);
      };
      group.each([&](const Thread& thread) {
        if (is_corner(thread)) own[thread] = load(tile_of(thread), thread.index % gasket_tiles::chunks);
      });
      permute(group, shared, all);
      group.barrier();
      group.each([&](const Thread& thread) {
        if (!is_corner(thread)) return;
        const std::uint32_t corner = thread.index / gasket_tiles::chunks, chunk = thread.index % gasket_tiles::chunks,
                            tile = tile_of(thread);
        const Meetings met(tile, states.shape.base_digits - gasket_tiles::block_digits);
        run(
            group, tile, chunk, own[thread],
            [&](auto slot) -> std::uint32_t {
              constexpr auto of = gasket_tiles::slot(slot);
              if (all > 1 && of.corner != corner) return beside(of, met, chunk);
              return shared.beside[static_cast<unsigned>(slot) * gasket_tiles::chunks + chunk];
            },
            [&](const SealOfWords& seal) { keep(thread, seal, tile, chunk); });
      });
    } else {
      const auto first = static_cast<std::uint32_t>(group.block_number() - 1) * tiles_a_block;
      if constexpr (!on_device() && !plain && !Sealing::seals) {
        const std::uint32_t last = first + tiles_a_block < all ? first + tiles_a_block : all;
        if (all % gasket_tiles::words == 0) return group.once([&] { step_gasket_tiles(states, logic, first, last); });
      }
      group.each([&](const Thread& thread) {
        const std::uint32_t tile = first + thread.index / gasket_tiles::chunks,
                            chunk = thread.index % gasket_tiles::chunks;
        if (tile >= all || tile == 0 || tile == (all - 1) / 2 || tile == all - 1) return;
        // Its own words are under way while it is found out whom its corners meet. Of states that outgrow the cache it
        // is the other way: warps that do not come to memory all at once find it quicker.
        const int digits = states.shape.base_digits - gasket_tiles::block_digits;
        Own own;
        Meetings met;
        if (all > large) {
          met = Meetings(tile, digits);
          own = load(tile, chunk);
        } else {
          own = load(tile, chunk);
          met = Meetings(tile, digits);
        }
        run(
            group, tile, chunk, own,
            [&](auto slot) {
              constexpr auto of = gasket_tiles::slot(slot);
              return beside(of, met, chunk);
            },
            [&](const SealOfWords& seal) { keep(thread, seal, tile, chunk); });
      });
    }
    if constexpr (Sealing::seals) sealing.to.add(group, part, live);
  }

 private:
  using Rule = BlockRule<GasketGeometry, Logic>;

  /// Whom the corners of a tile meet, found once for all their words.
  struct Meetings {
    gasket_tiles::Meeting apex, left, right;
    Meetings() = default;
    WARPLOOM_HD Meetings(std::uint32_t tile, int digits)
        : apex(gasket_tiles::meeting(tile, 0, digits)),
          left(gasket_tiles::meeting(tile, 1, digits)),
          right(gasket_tiles::meeting(tile, 2, digits)) {}
    WARPLOOM_HD const gasket_tiles::Meeting& of(std::uint32_t corner) const {
      return corner == 0 ? apex : corner == 1 ? left : right;
    }
  };
  /// The word at a place beside a tile, of the same lanes; 0 where that corner meets another tile, or none.
  WARPLOOM_HD std::uint32_t beside(const gasket_tiles::Slot& slot, const Meetings& all, std::uint32_t chunk) const {
    const auto& met = all.of(slot.corner);
    if (!met.there || met.digit != slot.digit) return 0;
    const std::uint32_t* const tile = states.in + gasket_tiles::at(met.other, 0, chunk);
    return tile[static_cast<std::size_t>(slot.word * gasket_tiles::chunks)];
  }

  /// Each warp a chunk of the words beside the corner tiles, each lane the bit of a lane.
  template <class Group>
  WARPLOOM_HD void permute(Group& group, Shared<Group>& shared, std::uint32_t all) const {
    typename Group::template PerThread<std::uint32_t> bits, votes;
    typename Group::template PerThread<bool> flag;
    group.each([&](const Thread& thread) {
      const std::uint32_t lane = thread.index;
      const Meetings met(lane < gasket_tiles::lanes ? lane : 0, gasket_tiles::lane_digits);
      // Each thread reads eight words, and some for nothing: so all are under way at once.
      std::uint32_t words[gasket_tiles::slots];
      WARPLOOM_UNROLL
      for (int i = 0; i < gasket_tiles::slots; ++i) {
        const auto slot = gasket_tiles::slot(i);
        const auto& of = met.of(slot.corner);
        words[i] = states.in[gasket_tiles::at(slot.digit * ((all - 1) / 2), slot.word, of.there ? of.other / 32 : 0)];
      }
      std::uint32_t found = 0;
      WARPLOOM_UNROLL
      for (int i = 0; i < gasket_tiles::slots; ++i) {
        const auto slot = gasket_tiles::slot(i);
        const auto& of = met.of(slot.corner);
        if (lane < gasket_tiles::lanes && of.there && of.digit == slot.digit)
          found |= (words[i] >> of.other % 32 & 1u) << i;
      }
      bits[thread] = found;
    });
    for (unsigned i = 0; i < gasket_tiles::slots; ++i) {
      group.each([&](const Thread& thread) { flag[thread] = (bits[thread] >> i & 1u) != 0; });
      group.warp_ballot(flag, votes);
      group.each([&](const Thread& thread) {
        if (thread.index % warp_size == 0)
          shared.beside[i * gasket_tiles::chunks + thread.index / warp_size] = votes[thread];
      });
    }
  }

  struct Own {
    std::uint32_t words[gasket_tiles::words];
  };
  WARPLOOM_HD Own load(std::uint32_t tile, std::uint32_t chunk) const {
    // One address: the words lie at constants from it.
    const std::uint32_t* const in = states.in + gasket_tiles::at(tile, 0, chunk);
    Own own;
    WARPLOOM_UNROLL
    for (std::size_t i = 0; i < gasket_tiles::words; ++i) own.words[i] = in[i * gasket_tiles::chunks];
    return own;
  }
  template <class Group, class Beside, class Keep>
  WARPLOOM_HD void run(Group& group, std::uint32_t tile, std::uint32_t chunk, const Own& own, Beside&& word_beside,
                       Keep&& keep) const {
    std::uint32_t around[gasket_tiles::slots];
    std::uint32_t* const out = states.out + gasket_tiles::at(tile, 0, chunk);
    gasket_tiles::each_beside(around, word_beside);
    group.next_may_begin();
    const std::uint32_t valid = states.shape.valid(chunk);
    SealOfWords seal;
    Rule::each_next(logic, own.words, around, [&](auto i, std::uint32_t next) {
      next &= valid;
      out[static_cast<std::size_t>(i) * gasket_tiles::chunks] = next;
      if constexpr (Sealing::seals) seal.add(i, next);
    });
    if constexpr (Sealing::seals) keep(seal);
  }
};

}  // namespace warploom
