#pragma once
#include "gpu/scenes/butterfly/tuned/ring.h"
#include "gpu/scenes/butterfly/tuned/wang_mou_block.h"

namespace warploom {

/// Long systems in one launch: blocks take tickets in order, even ones a tile, of which they tell the two ends; who
/// tells the last of a system solves its ends. Odd ones read a tile again, some tiles behind, when it is still in the
/// device's second cache, and solve it by its neighbours' unknowns. Waits are for smaller tickets. Source: the house's
/// design, after wang1991divide.
struct TunedSystemRing {
  using Form = TunedForm<WangMou>;
  using Tiles = TunedWangMou<0, Form::threads(Form::tile), true>;
  static constexpr unsigned exact_threads = Tiles::exact_threads, most_threads = exact_threads,
                            least_blocks = Tiles::least_blocks;
  static constexpr std::uint64_t threads_per_chunk = 1024;
  /// A block solves the ends of a whole system.
  static constexpr int most_of_row = Tiles::tile - 1;

  UnitSystems systems;  ///< as of tiles: rows, unknowns and flags
  SystemRow* ends;      ///< (tiles, 2)
  float* unknowns;      ///< (tiles, 2), of the ends
  RingBoard board;      ///< of each system: tiles that told their ends, and whether these are solved
  std::uint32_t lag;    ///< tiles, not fewer than a system has

  std::uint64_t tickets() const { return 2 * (systems.problems + lag); }
  std::uint64_t dynamic_shared_bytes() const { return word_bytes() + 2 * sizeof(std::uint64_t); }

  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    auto shared = group.template dynamic_tile<float>(words());
    auto told = group.template dynamic_tile<std::uint64_t>(2, word_bytes());
    group.once([&] { told[0] = atomic_fetch_add(board.ticket, std::uint64_t{1}); });
    group.barrier();
    const std::uint64_t number = told[0] / 2;
    if (told[0] % 2 == 0) {
      if (number < systems.problems) first_time(group, shared, told, number);
    } else if (number >= lag && number - lag < systems.problems) {
      again(group, shared, number - lag);
    }
  }

 private:
  WARPLOOM_HD std::uint32_t words() const { return Tiles{{systems, {}}}.words_of_block(); }
  WARPLOOM_HD std::uint64_t word_bytes() const { return (std::uint64_t{words()} * sizeof(float) + 15) / 16 * 16; }

  template <class Group, class Words, class Told>
  WARPLOOM_HD void first_time(Group& group, Words& shared, Told& told, std::uint64_t tile) const {
    UnitSystems pass = systems;
    pass.ends = ends;
    Tiles{{pass, {}}}.solve(group, tile, shared, [] {});
    const std::uint64_t system = tile >> systems.of_row;
    group.barrier();
    group.once([&] { told[1] = ordered_fetch_add(board.made + system, 1) + 1; });
    group.barrier();
    if (told[1] >> systems.of_row == 0) return;
    // This one alone: what is past it is x = 0.
    UnitSystems of_ends{ends + (system << systems.of_row) * 2,
                        unknowns + (system << systems.of_row) * 2,
                        {systems.flags.of_systems + system, systems.flags.any},
                        systems.of_row + 1,
                        1};
    of_ends.paired = true;
    Tiles{{of_ends, {}}}.solve(group, 0, shared, [] {});
    group.barrier();
    group.once([&] { release_add(board.taken + system, 1); });
  }

  template <class Group, class Words>
  WARPLOOM_HD void again(Group& group, Words& shared, std::uint64_t tile) const {
    UnitSystems pass = systems;
    pass.known = unknowns;
    Tiles{{pass, {}}}.solve(group, tile, shared, [&] {
      group.once([&] { RingBoard::wait(group, board.taken + (tile >> systems.of_row), 1); });
      group.barrier();
    });
  }
};

}  // namespace warploom
