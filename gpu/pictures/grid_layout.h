#pragma once
#include <span>
#include <vector>

#include "gpu/core/types.h"

namespace warploom {

/// One launch on the board of all launches of a map. A visit is a block on one of its turns.
struct GridRow {
  std::uint64_t first_visit = 0;
  Index3 blocks;             ///< the launch's grid
  std::uint32_t turns = 1;   ///< most that a persistent block has
  std::uint64_t visits = 0;  ///< in all: the last turn can be short
  Index3 at, size;           ///< where on the board, in blocks
  std::uint32_t fold = 0;    ///< in space, a row of blocks folded into rows of so many, turns upwards; 0: as it is
};

/// All launches of a map as one picture. Flat: one below the other, slices of a grid side by side, turns downwards. In
/// space: one beside the other, turns upwards.
struct GridLayout {
  const GridRow* rows = nullptr;
  int count = 0;
  bool flat = true;
  Index3 extent;
  std::uint64_t visits = 0;

  /// The visit at a place of the board; its number, and the thread. False: none.
  WARPLOOM_HD bool at(Index3 place, std::uint64_t& visit, Owner& who) const {
    for (int i = 0; i < count; ++i) {
      const GridRow& row = rows[i];
      if (place.x < row.at.x || place.y < row.at.y || place.z < row.at.z) continue;
      const Index3 in{place.x - row.at.x, place.y - row.at.y, place.z - row.at.z};
      if (in.x >= row.size.x || in.y >= row.size.y || in.z >= row.size.z) continue;
      who.launch = i;
      if (row.fold || row.turns > 1) {
        const std::uint32_t number = row.fold ? in.y * row.fold + in.x : in.x;
        if (number >= row.blocks.x) return false;
        who.block = {number, 0, 0};
        who.turn = static_cast<int>(row.fold ? in.z : in.y);
      } else {
        who.block = flat ? Index3{in.x % row.blocks.x, in.y, in.x / row.blocks.x} : in;
        who.turn = 0;
      }
      visit = number_of(who);
      return visit - row.first_visit < row.visits;
    }
    return false;
  }

  WARPLOOM_HD Index3 place(const Owner& who) const {
    const GridRow& row = rows[who.launch];
    Index3 in = who.block;
    if (row.fold || row.turns > 1) {
      const auto turn = static_cast<std::uint32_t>(who.turn);
      in = row.fold ? Index3{who.block.x % row.fold, who.block.x / row.fold, turn} : Index3{who.block.x, turn, 0};
    } else if (flat) {
      in = {who.block.z * row.blocks.x + who.block.x, who.block.y, 0};
    }
    return {row.at.x + in.x, row.at.y + in.y, row.at.z + in.z};
  }

  WARPLOOM_HD std::uint64_t number_of(const Owner& who) const {
    const GridRow& row = rows[who.launch];
    return row.first_visit + static_cast<std::uint64_t>(who.turn) * volume(row.blocks) +
           linear_index(who.block, row.blocks);
  }
  /// Numbers past the end of a short last turn belong to no block.
  WARPLOOM_HD bool exists(std::uint64_t number) const {
    const GridRow& row = rows[row_of(number)];
    return number - row.first_visit < row.visits;
  }
  WARPLOOM_HD Owner visit(std::uint64_t number) const {
    const int i = row_of(number);
    const GridRow& row = rows[i];
    const std::uint64_t in = number - row.first_visit, blocks = volume(row.blocks);
    return {i, unfold(in % blocks, row.blocks), static_cast<int>(in / blocks), {}};
  }

 private:
  WARPLOOM_HD int row_of(std::uint64_t number) const {
    int i = count - 1;
    while (i > 0 && rows[i].first_visit > number) --i;
    return i;
  }
};

/// The rows of a board whose `rows` point into what is returned. For each launch, how many turns a block has at most,
/// and how many visits there are.
std::vector<GridRow> make_board(std::span<const LaunchShape> launches, std::span<const int> turns,
                                std::span<const std::uint64_t> visits, bool flat, GridLayout& board);

}  // namespace warploom
