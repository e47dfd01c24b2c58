#include "gpu/pictures/grid_layout.h"

#include <algorithm>
#include <cmath>

namespace warploom {

std::vector<GridRow> make_board(std::span<const LaunchShape> launches, std::span<const int> turns,
                                std::span<const std::uint64_t> visits, bool flat, GridLayout& board) {
  std::vector<GridRow> rows;
  board = {};
  board.flat = flat;
  Index3 next;  // where the next launch begins
  for (std::size_t i = 0; i < launches.size(); ++i) {
    GridRow row;
    row.first_visit = board.visits;
    row.blocks = launches[i].blocks;
    row.turns = static_cast<std::uint32_t>(turns[i]);
    row.visits = visits[i];
    row.at = next;
    // A long row would be a line: persistent blocks are launched as one.
    const bool line = row.blocks.x > 8 && row.blocks.y == 1 && row.blocks.z == 1;
    if (!flat && (line || row.turns > 1)) {
      row.fold = static_cast<std::uint32_t>(std::ceil(std::sqrt(double(row.blocks.x))));
      row.size = {row.fold, (row.blocks.x + row.fold - 1) / row.fold, row.turns};
    } else if (row.turns > 1) {
      row.size = {row.blocks.x, row.turns, 1};
    } else if (flat) {
      row.size = {row.blocks.x * row.blocks.z, row.blocks.y, 1};
    } else {
      row.size = row.blocks;
    }
    board.visits += volume(row.blocks) * row.turns;
    const std::uint32_t gap = flat ? 1 : std::max(1u, row.size.x / 8);
    board.extent = {std::max(board.extent.x, row.at.x + row.size.x), std::max(board.extent.y, row.at.y + row.size.y),
                    std::max(board.extent.z, row.at.z + row.size.z)};
    (flat ? next.y : next.x) += (flat ? row.size.y : row.size.x) + gap;
    rows.push_back(row);
  }
  board.rows = rows.data();
  board.count = static_cast<int>(rows.size());
  return rows;
}

}  // namespace warploom
