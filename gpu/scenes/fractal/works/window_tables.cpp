#include "gpu/scenes/fractal/works/window_tables.h"

#include <algorithm>

namespace warploom {

Windows::Windows(const FractalDomain& domain, const SlicedShape& shape, int high)
    : in_block(domain.copies), inner(shape.in_block / domain.copies), outer(shape.blocks_in_tile), count(0) {
  const auto rows = static_cast<std::uint32_t>(high);
  if (shape.in_block == 1) {  // level 0: one cell, of no box
    in_block = inner = count = first[1] = 1;
    row[0] = domain.box(0).y / rows * rows;
    return;
  }
  for (std::uint32_t copy = 0; copy < domain.copies; ++copy) {
    const std::uint32_t of = domain.box(copy).y / rows * rows;
    if (count == 0 || row[count - 1] != of) {
      row[count] = of;
      first[count++] = copy;
    }
    most_words = std::max(most_words, copy + 1 - first[count - 1]);
  }
  first[count] = domain.copies;
}

WindowTables::WindowTables(Queue& queue, const FractalDomain& domain, const SlicedShape& shape, int wide, int high)
    : windows_(domain, shape, high) {
  TileHalo halo(domain, shape);
  const int row = wide + 2, all = row * (high + 2), fours = (all + 3) / 4;
  const std::uint32_t pieces = windows_.pieces();
  std::vector<std::uint32_t> cells(static_cast<std::size_t>(fours) * 4 * pieces, TileHalo::none);
  std::vector<std::uint32_t> heads(pieces);
  for (std::uint32_t piece = 0; piece < pieces; ++piece) {
    const std::uint32_t window = windows_.window_of(piece);
    for (std::uint32_t i = 0; i < windows_.words(window); ++i) {
      const std::uint32_t base = windows_.base({piece, i}), at = shape.word_in_tile(base) * shape.chunks;
      const Index2 box = domain.box(base % domain.copies);
      const int x = static_cast<int>(box.x), y = static_cast<int>(box.y) - static_cast<int>(windows_.row[window]);
      if (i == 0) heads[piece] = at;
      heads[piece] |= 1u << (16 + y * wide + x);
      const auto set = [&](int u, int v, std::uint32_t word) {
        const int cell = (v + 1) * row + u + 1;
        cells[(static_cast<std::size_t>(cell / 4) * pieces + piece) * 4 + static_cast<std::size_t>(cell % 4)] = word;
      };
      set(x, y, shape.word_in_tile(base));
      for (int d = 0; d < directions; ++d) set(x + step_x(d), y + step_y(d), halo.beside(base, d));
    }
    window_.used_places |= heads[piece] >> 16;
  }
  std::vector<std::uint32_t> table(heads);
  if (table.size() % 2) table.push_back(0);
  for (std::size_t i = 0; i < cells.size(); i += 2)
    table.push_back(halo.byte(cells[i]) | static_cast<std::uint32_t>(halo.byte(cells[i + 1])) << 16);
  table_ = {queue, table};
  window_.table = table_.data();
  window_.pieces = pieces;
  window_.words = static_cast<std::uint32_t>(table.size());
  keep(queue, domain, shape, halo, 1);
}

}  // namespace warploom
