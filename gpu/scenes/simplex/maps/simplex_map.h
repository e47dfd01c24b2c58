#pragma once
#include <optional>
#include <type_traits>

#include "gpu/maps/formula.h"
#include "gpu/maps/map.h"
#include "gpu/scenes/simplex/maps/cell_shares.h"
#include "gpu/scenes/simplex/maps/domain.h"

// A simplex map places *blocks* of a simplex of n_b blocks per side; the cells of a block are its threads. Maps differ
// in their placing, a small value:
//
//   static constexpr MapInfo info
//   static constexpr int dimensions                 2 or 3
//   static constexpr BlockSpace space               whose places it answers with
//   Placing(std::uint32_t blocks, const std::uint32_t* table)    or with a third, ResidentBlocks
//   int launches() const;  Index3 grid(int launch) const
//   bool place(int launch, Index3 at, int turn, Index3& block) const
//   bool find(Index3 block, Owner& who) const       the inverse: launch, block, turn
//   static MapTable table(std::uint32_t blocks)     what place looks up
//   static double table_bytes(std::uint32_t blocks)      bytes of that, without making it; 0: it looks nothing up
//   static std::uint64_t launched(std::uint32_t blocks)  visits of blocks, in closed form
//   static Formula explain(const SimplexQuestion&)       place in words, line by line, for one launched block
//
// and where they apply
//
//   static constexpr bool costly                    place is worth computing once a block and sharing
//   int turns(int launch) const;  bool more(int launch, Index3 at, int turn) const
//   bool carry(int launch, Index3 at, int turn, Index3& block) const
//                                                   persistent blocks: from the place of the turn before to this one's

namespace warploom {

/// How many blocks a large device holds at once, for placings of persistent blocks: 132 multiprocessors of 2048
/// threads, and of 32 blocks as they are launched.
struct ResidentBlocks {
  std::uint32_t count = 132;
  constexpr ResidentBlocks(std::uint64_t threads, std::uint32_t gang) {
    const std::uint64_t by_threads = 2048 / gang_threads(threads, gang), most = by_threads < 32 ? by_threads : 32;
    count = static_cast<std::uint32_t>(132 * (most ? most : 1) * gang);
  }
};

/// A launched block that a map's formula explains, and where it went.
struct SimplexQuestion {
  int dimensions = 2;
  bool corner = false;
  std::uint32_t blocks = 1;  ///< a side
  Index3 grid;               ///< of the launch
  Owner who;
  std::optional<Index3> block;  ///< what the map says, in the domain's own coordinates
  bool serves = false;
  bool mismapped = false;  ///< an inexact map sent it elsewhere, on the backend it ran on

  /// (x, y) or (x, y, z); "nowhere" for all ones.
  std::string place(Index3 at) const;
  /// Blocks of the simplex.
  std::uint64_t count() const;
  /// A formula without lines yet, with the block as its title, and in maps of several launches the launch.
  Formula of_block(bool of_launch = false) const;
};

/// Adds what became of the block where the map's lines do not say it.
Formula closed(Formula lines, const SimplexQuestion& question);

/// A placing answers with places of the domain itself, or of the stacked or the corner tetrahedron.
enum class BlockSpace { own, stacked, corner };

/// Placings of one launch and one turn without a table.
struct PlainPlacing {
  static constexpr BlockSpace space = BlockSpace::stacked;
  static constexpr int launches() { return 1; }
  WARPLOOM_HD static constexpr int turns(int) { return 1; }
  WARPLOOM_HD static constexpr bool more(int, Index3, int turn) { return turn == 0; }
  static MapTable table(std::uint32_t) { return {}; }
  static double table_bytes(std::uint32_t) { return 0; }
};

/// Placings of a triangle without waste.
struct TrianglePlacing : PlainPlacing {
  static constexpr int dimensions = 2;
  /// t(n_b)
  static std::uint64_t launched(std::uint32_t blocks) { return triangle_number(blocks); }
};

/// Placings of a folded grid, that holds the numbers of all blocks and a few more.
template <int Dimensions>
struct FoldedPlacing : PlainPlacing {
  static constexpr int dimensions = Dimensions;
  std::uint64_t count;  ///< of blocks
  Index3 folded;
  explicit FoldedPlacing(std::uint32_t blocks)
      : count(simplex_number<Dimensions>(blocks)), folded(folded_grid<Dimensions>(count)) {}

  Index3 grid(int) const { return folded; }
  WARPLOOM_HD bool find(Index3 block, Owner& who) const {
    who.block = unfold(simplex_index<Dimensions>(block), folded);
    return true;
  }
  /// ceil(sqrt t) or ceil(cbrt T)^2 per row, times as many rows as hold them all.
  static std::uint64_t launched(std::uint32_t blocks) {
    return volume(folded_grid<Dimensions>(simplex_number<Dimensions>(blocks)));
  }
};

/// A placing as a thread map over cells.
template <class BlockPlacing>
struct SimplexMap {
  using Placing = BlockPlacing;
  static constexpr MapInfo info = Placing::info;
  static constexpr int dimensions = Placing::dimensions;
  using Domain = SimplexDomain<dimensions>;
  /// Compiled with every layout and shape; other maps only with those that they are compared by (compiled.h).
  static constexpr bool compiles_all = requires { requires Placing::compiles_all; };

  Domain domain;
  CellShares shares;
  Placing placing = made(Domain{}, nullptr, {});

  SimplexMap() = default;
  /// `table` holds what table() returned, in the memory of the backend that asks.
  SimplexMap(const Domain& simplex, const std::uint32_t* table, const CellShares& how = {})
      : domain(simplex), shares(how), placing(made(simplex, table, how)) {}

  /// The same with what the compiler may assume: whether the domain is the corner tetrahedron, and whether it has fewer
  /// than bare_root_blocks blocks.
  WARPLOOM_HD SimplexMap known(bool corner, bool few_blocks) const {
    SimplexMap map = *this;
    map.domain.corner = corner;
    if constexpr (requires { map.placing.count; }) WARPLOOM_ASSUME(!few_blocks || map.placing.count < bare_root_blocks);
    return map;
  }

  int launches() const { return placing.launches(); }
  LaunchShape shape(int launch) const { return {placing.grid(launch), shares.threads(domain), shares.gang}; }

  /// Most turns of a block of the launch.
  WARPLOOM_HD int turns(int launch) const { return placing.turns(launch); }
  WARPLOOM_HD bool more(int launch, Index3 at, int turn) const { return placing.more(launch, at, turn); }

  template <class Group>
  WARPLOOM_HD bool block(Group& group, int launch, Index3 at, int turn, Cell& origin) const {
    const auto alone = [&] {
      Answer own;
      own.serves = locate(launch, at, turn, own.block);
      return own;
    };
    Answer answer;
    if constexpr (requires { Placing::costly; })
      answer = group.same(alone, turn > 0);
    else
      answer = alone();
    origin = domain.first_cell(answer.block);
    return answer.serves;
  }

  /// The data block instead of its first cell. `carried`, of persistent blocks: the placing's own place of the turn
  /// before, which becomes this turn's.
  WARPLOOM_HD bool block_of_turn(int launch, Index3 at, int turn, [[maybe_unused]] Index3& carried,
                                 Index3& block) const {
    if constexpr (requires(const Placing placing) { placing.carry(launch, at, turn, carried); }) {
      const bool serves = placing.carry(launch, at, turn, carried);
      block = from_placing(carried);
      return serves;
    } else {
      return locate(launch, at, turn, block);
    }
  }

  WARPLOOM_HD bool thread(Cell origin, Index3 at, Cell& cell) const {
    cell = {origin.x + at.x, origin.y + at.y, origin.z + at.z};
    return domain.contains(cell);
  }

  WARPLOOM_HD std::uint32_t items() const { return shares.items(); }
  WARPLOOM_HD bool thread(Cell origin, Index3 at, std::uint32_t item, Cell& cell) const {
    return shares.cell_of(domain, origin, at, item, cell);
  }

  WARPLOOM_HD bool owner(Cell cell, Owner& who) const {
    if (!domain.contains(cell)) return false;
    bool before = false;
    const Cell as = shares.in_block(domain, cell, before);
    const Index3 block = domain.block_of(as);
    who = {};
    if (!placing.find(to_placing(block), who)) return false;
    const Cell origin = domain.first_cell(block);
    const Index3 in{as.x - origin.x, as.y - origin.y, as.z - origin.z};
    who.thread = shares.thread_of(in);
    who.item = shares.item_of(in) + (before ? shares.box.cells() : 0);
    return true;
  }

  static MapTable table(const Domain& simplex) { return Placing::table(simplex.blocks); }
  static double table_bytes(const Domain& simplex) { return Placing::table_bytes(simplex.blocks); }
  /// Launched places by closed form: a thread counts once per cell of its box, a persistent one once per turn.
  static std::uint64_t launched(const Domain& simplex) {
    return Placing::launched(simplex.blocks) * volume(simplex.block_extent());
  }

  static Formula explain(const SimplexQuestion& question) { return closed(Placing::explain(question), question); }

  /// The data block that a thread block serves, in the domain's own coordinates. False: none; `block` is then the empty
  /// place it maps to, or all ones.
  WARPLOOM_HD bool locate(int launch, Index3 at, int turn, Index3& block) const {
    if (!more(launch, at, turn)) {
      block = {~0u, ~0u, ~0u};
      return false;
    }
    if constexpr (Placing::space == BlockSpace::own) {
      block = at;
      return domain.contains_block(at);
    } else {
      if (!placing.place(launch, at, turn, block)) {
        block = {~0u, ~0u, ~0u};
        return false;
      }
      block = from_placing(block);
      return info.exact || domain.contains_block(block);
    }
  }

 private:
  static Placing made(const Domain& simplex, const std::uint32_t* table, const CellShares& how) {
    if constexpr (std::is_constructible_v<Placing, std::uint32_t, const std::uint32_t*, ResidentBlocks>)
      return Placing(simplex.blocks, table, ResidentBlocks(volume(how.threads(simplex)), how.gang));
    else
      return Placing(simplex.blocks, table);
  }
  struct Answer {
    Index3 block;
    bool serves = false;
  };

  // Shears from corner to stacked and back.
  WARPLOOM_HD Index3 from_placing(Index3 block) const {
    if constexpr (Placing::space == BlockSpace::stacked) return domain.unstacked(block);
    return domain.corner ? block : Index3{block.x, block.x + block.y, block.x + block.y + block.z};
  }
  WARPLOOM_HD Index3 to_placing(Index3 block) const {
    if constexpr (Placing::space == BlockSpace::own) return block;
    if constexpr (Placing::space == BlockSpace::stacked) return domain.stacked(block);
    return domain.corner ? block : Index3{block.x, block.y - block.x, block.z - block.y};
  }
};

}  // namespace warploom
