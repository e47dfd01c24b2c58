#pragma once
#include <type_traits>

#include "gpu/core/group.h"
#include "gpu/core/rounded.h"
#include "gpu/core/unroll.h"
#include "gpu/scenes/fractal/works/block_rule.h"
#include "gpu/scenes/fractal/works/gasket.h"
#include "gpu/scenes/fractal/works/sliced_on_cpu.h"

namespace warploom {

/// Seven steps on the gasket in one launch, the state read and written once. A block has 27 tiles, which are a tile of
/// tiles, and at each corner of that the tile it meets, or two where it meets other lanes. Words stay in registers;
/// each step shares the five of a tile that others are next to. A tile of side 8 whose own surroundings are left out is
/// right for seven steps where it is met. Launched with shape(); of levels that have a tile of tiles. `plain`: a CPU
/// runs it as a device does, without vectors; for tests.
/// `resident`: blocks a multiprocessor has at once; more have fewer registers each.
template <class Logic, unsigned resident = 2, bool plain = false>
struct GasketSeven {
  static constexpr int steps = 7, inner_digits = 3;
  static constexpr std::uint32_t own = 27, members = own + 6, outside = members;
  static constexpr unsigned most_threads = members * gasket_tiles::chunks;
  static constexpr unsigned least_blocks = resident;
  static constexpr bool begins_early = true;
  /// Of short logic: seven steps of any rule would be too long for the cache of instructions.
  static constexpr bool unrolled = std::is_same_v<Logic, ConwayLogic>;
  static constexpr std::uint64_t threads_per_chunk =
      std::uint64_t{2} * most_threads;  ///< seven steps of 27 tiles are enough to do

  struct Words {
    std::uint32_t of[gasket_tiles::words];
  };
  template <class Group>
  struct Shared {
    /// Two turns of what is shared: (member, word of a corner, chunk); of `outside` always 0.
    typename Group::template Tile<std::uint32_t, 2 * (members + 1) * gasket_tiles::corner_words * gasket_tiles::chunks>
        corners;
    typename Group::template Tile<std::uint32_t, gasket_tiles::words * gasket_tiles::chunks> permuted;
  };

  SlicedStates states;
  Logic logic;

  /// Of as many tiles.
  static LaunchShape shape(std::uint64_t tiles) {
    return {{static_cast<std::uint32_t>(tiles / own), 1, 1}, {most_threads, 1, 1}};
  }
  static bool served(const FractalDomain& domain, const SlicedShape& shape) {
    return gasket_tiles::served(domain, shape) && shape.base_digits >= gasket_tiles::block_digits + inner_digits;
  }

  template <class Group>
  WARPLOOM_HD void operator()(Group& group, Shared<Group>& shared) const {
    const auto all = static_cast<std::uint32_t>(states.shape.tiles());
    const std::uint32_t outer = all / own, tile = number(static_cast<std::uint32_t>(group.block_number()), outer);
    const int outer_digits = states.shape.base_digits - gasket_tiles::block_digits - inner_digits;
    group.after_previous();
    if constexpr (!on_device() && !plain) return group.once([&] { step_gasket_seven(states, logic, tile); });

    // ---- which tile each thread has, and whom its corners meet ---------------------------------------------------
    typename Group::template PerThread<Words> words;
    typename Group::template PerThread<Sources> sources;
    typename Group::template PerThread<std::uint32_t> shown;  ///< the lanes that others may see
    group.each([&](const Thread& thread) {
      const std::uint32_t member = thread.index / gasket_tiles::chunks, chunk = thread.index % gasket_tiles::chunks;
      Sources from;
      std::uint32_t first = ~0u;
      if (member < own) {
        first = tile * own + member;
        for (std::uint32_t corner = 0; corner < 3; ++corner) {
          const auto met = gasket_tiles::meeting(member, corner, inner_digits);
          if (met.there) {
            from.set(corner, met.digit, met.other);
          } else {
            const auto out = gasket_tiles::meeting(tile, corner, outer_digits);
            if (out.there) {
              from.set(corner, out.digit, own + 2 * corner);
            } else {
              from.set(corner, lower(corner), own + 2 * corner);
              from.set(corner, higher(corner), own + 2 * corner + 1);
            }
          }
        }
      } else {
        const std::uint32_t corner = (member - own) / 2;
        const auto out = gasket_tiles::meeting(tile, corner, outer_digits);
        const std::uint32_t digit = out.there ? out.digit : (member - own) % 2 ? higher(corner) : lower(corner);
        if (out.there && (member - own) % 2 == 0) first = out.other * own + digit * (own / 2);
        if (out.there ? (member - own) % 2 == 0 : true) from.set(digit, corner, corner * (own / 2));
      }
      sources[thread] = from;
      shown[thread] = ~0u;
      const std::uint32_t* const in = states.in + gasket_tiles::at(first != ~0u ? first : 0, 0, chunk);
      WARPLOOM_UNROLL
      for (std::uint32_t i = 0; i < gasket_tiles::words; ++i)
        words[thread].of[i] = first != ~0u ? in[static_cast<std::size_t>(i * gasket_tiles::chunks)] : 0;
    });
    // ---- at the ends of all tiles: those of other lanes, their bits permuted ------------------------------------
    for (std::uint32_t corner = 0; corner < 3; ++corner) {
      if (gasket_tiles::meeting(tile, corner, outer_digits).there) continue;
      permute(group, shared, all, corner, words, shown);
    }
    group.next_may_begin();
    group.each([&](const Thread& thread) {
      const std::uint32_t chunk = thread.index % gasket_tiles::chunks;
      if (thread.index >= gasket_tiles::chunks * gasket_tiles::corner_words) return;
      for (std::uint32_t turn = 0; turn < 2; ++turn)
        shared.corners[corner_at(turn, outside, thread.index / gasket_tiles::chunks, chunk)] = 0;
    });

    // ---- seven steps
    // -------------------------------------------------------------------------------------------------
    const auto take = [&](std::uint32_t turn) {
      group.each([&](const Thread& thread) {
        const std::uint32_t member = thread.index / gasket_tiles::chunks, chunk = thread.index % gasket_tiles::chunks;
        const std::uint32_t seen = shown[thread];
        const Words& has = words[thread];
        WARPLOOM_UNROLL
        for (std::uint32_t i = 0; i < gasket_tiles::corner_words; ++i)
          shared.corners[corner_at(turn, member, i, chunk)] = has.of[gasket_tiles::corner_word(i)] & seen;
      });
      // One is enough: the turn after the next is written when all have passed the next one.
      group.barrier();
      group.each([&](const Thread& thread) {
        const std::uint32_t chunk = thread.index % gasket_tiles::chunks;
        std::uint32_t around[gasket_tiles::slots];
        const Sources& from = sources[thread];
        gasket_tiles::each_beside(around, [&](auto i) -> std::uint32_t {
          constexpr auto slot = gasket_tiles::slot(i);
          return shared
              .corners[corner_at(turn, from.of(slot.corner, slot.digit), gasket_tiles::place_of(slot.word), chunk)];
        });
        const std::uint32_t valid = states.shape.valid(chunk);
        const Words before = words[thread];
        Words& after = words[thread];
        BlockRule<GasketGeometry, Logic>::each_next(logic, before.of, around, [&](auto i, std::uint32_t next) {
          after.of[i] = Logic::stays_dead ? next : next & valid;
        });
      });
    };
    if constexpr (unrolled) {
      WARPLOOM_UNROLL  // words go from register to register, and turns are constants
          for (std::uint32_t step = 0; step < steps; ++step) take(step & 1);
    } else {
      for (std::uint32_t step = 0; step < steps; ++step) take(step & 1);
    }
    group.each([&](const Thread& thread) {
      const std::uint32_t member = thread.index / gasket_tiles::chunks, chunk = thread.index % gasket_tiles::chunks;
      if (member >= own) return;
      std::uint32_t* const out = states.out + gasket_tiles::at(tile * own + member, 0, chunk);
      WARPLOOM_UNROLL
      for (std::size_t i = 0; i < gasket_tiles::words; ++i) out[i * gasket_tiles::chunks] = words[thread].of[i];
    });
  }

 private:
  /// Of each corner and each digit it can meet: the member that shares its words.
  struct Sources {
    std::uint32_t member[6] = {outside, outside, outside, outside, outside, outside};
    WARPLOOM_HD static constexpr std::uint32_t place(std::uint32_t corner, std::uint32_t digit) {
      return corner * 2 + (digit > lower(corner));
    }
    WARPLOOM_HD void set(std::uint32_t corner, std::uint32_t digit, std::uint32_t to) {
      WARPLOOM_UNROLL  // registers have no numbers
          for (std::uint32_t i = 0; i < 6; ++i) member[i] = i == place(corner, digit) ? to : member[i];
    }
    WARPLOOM_HD std::uint32_t of(std::uint32_t corner, std::uint32_t digit) const {
      return member[place(corner, digit)];
    }
  };
  /// The digits that a corner can meet.
  WARPLOOM_HD static constexpr std::uint32_t lower(std::uint32_t corner) { return corner == 0 ? 1 : 0; }
  WARPLOOM_HD static constexpr std::uint32_t higher(std::uint32_t corner) { return corner == 2 ? 1 : 2; }
  WARPLOOM_HD static constexpr std::uint32_t corner_at(std::uint32_t turn, std::uint32_t member, std::uint32_t word,
                                                       std::uint32_t chunk) {
    return ((turn * (members + 1) + member) * gasket_tiles::corner_words + word) * gasket_tiles::chunks + chunk;
  }
  /// The three that permute come first, as they take longest.
  WARPLOOM_HD static std::uint32_t number(std::uint32_t block, std::uint32_t outer) {
    const std::uint32_t middle = (outer - 1) / 2;
    if (block < 3) return block * middle;
    return block - 2 < middle ? block - 2 : block - 1;
  }

  /// The two members beyond a corner become the tiles of all its digits, with the bits that a step over the corner
  /// brings.
  template <class Group, class Tiles, class Lanes>
  WARPLOOM_HD void permute(Group& group, Shared<Group>& shared, std::uint32_t all, std::uint32_t corner, Tiles& words,
                           Lanes& shown) const {
    struct Sides {
      std::uint32_t of[2], there[2];
    };
    typename Group::template PerThread<Sides> bits;
    // Of both at once: what waits for memory waits together.
    group.each([&](const Thread& thread) {
      // Threads without a lane read what the first one does, for nothing: numbers beyond the last would meet no lane.
      const bool has_lane = thread.index < gasket_tiles::lanes;
      const auto met = gasket_tiles::meeting(has_lane ? thread.index : 0, corner, gasket_tiles::lane_digits);
      WARPLOOM_UNROLL
      for (std::uint32_t side = 0; side < 2; ++side) {
        const std::uint32_t digit = side ? higher(corner) : lower(corner);
        const bool there = has_lane && met.there && met.digit == digit;
        const std::uint32_t* const in =
            states.in + gasket_tiles::at(digit * ((all - 1) / 2), 0, met.there ? met.other / 32 : 0);
        std::uint32_t found = 0;
        WARPLOOM_UNROLL
        for (std::uint32_t i = 0; i < gasket_tiles::words; ++i)
          found |= (in[static_cast<std::size_t>(i * gasket_tiles::chunks)] >> met.other % 32 & 1u) << i;
        bits[thread].of[side] = there ? found : 0;
        bits[thread].there[side] = there;
      }
    });
    for (std::uint32_t side = 0; side < 2; ++side)
      permute_side(group, shared, side, own + 2 * corner + side, bits, words, shown);
  }
  template <class Group, class Bits, class Tiles, class Lanes>
  WARPLOOM_HD void permute_side(Group& group, Shared<Group>& shared, std::uint32_t side, std::uint32_t member,
                                Bits& bits, Tiles& words, Lanes& shown) const {
    typename Group::template PerThread<std::uint32_t> votes;
    typename Group::template PerThread<bool> flag;
    group.barrier();  // what was permuted before is read by now
    group.each([&](const Thread& thread) { flag[thread] = bits[thread].there[side] != 0; });
    group.warp_ballot(flag, votes);
    typename Group::template PerThread<std::uint32_t> lanes;
    group.each([&](const Thread& thread) { lanes[thread] = votes[thread]; });
    for (std::uint32_t i = 0; i < gasket_tiles::words; ++i) {
      group.each([&](const Thread& thread) { flag[thread] = (bits[thread].of[side] >> i & 1u) != 0; });
      group.warp_ballot(flag, votes);
      group.each([&](const Thread& thread) {
        if (thread.index % warp_size == 0 && thread.index < gasket_tiles::chunks * warp_size)
          shared.permuted[i * gasket_tiles::chunks + thread.index / warp_size] = votes[thread];
      });
    }
    // The lanes that may be seen, by the first unused corner of a turn.
    group.each([&](const Thread& thread) {
      if (thread.index % warp_size == 0 && thread.index < gasket_tiles::chunks * warp_size)
        shared.corners[thread.index / warp_size] = lanes[thread];
    });
    group.barrier();
    group.each([&](const Thread& thread) {
      if (thread.index / gasket_tiles::chunks != member) return;
      const std::uint32_t chunk = thread.index % gasket_tiles::chunks;
      WARPLOOM_UNROLL
      for (std::uint32_t i = 0; i < gasket_tiles::words; ++i)
        words[thread].of[i] = shared.permuted[i * gasket_tiles::chunks + chunk];
      shown[thread] = shared.corners[chunk];
    });
    group.barrier();
  }
};

}  // namespace warploom
