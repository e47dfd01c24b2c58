#include "viewer/model/scene_parts.h"

namespace warploom {

std::vector<Term> own_terms() {
  return {
      {"Place grid(Domain d)",
       "In own maps, defined by you: the blocks launched. With a second argument, int launch: those of each launch. "
       "Left "
       "out: the box around the domain, in blocks."},
      {"Place place(Block b, Domain d)",
       "In own maps, defined by you: which block of cells a launched block serves. Its threads serve the cells inside. "
       "A "
       "map has this one, or cell, or kernel."},
      {"Place cell(Thread t, Domain d)",
       "In own maps, defined by you: which cell a thread serves. Place threads(Domain d) says how many a block has; "
       "left "
       "out: {d.rho, d.rho, 1}."},
      {"void kernel(Group& g, From from, To to, Domain d)",
       "In own maps, defined by you after template <class Group>: a whole step. from(cell) and from(cell, dx, dy) "
       "read, "
       "0 outside; to(cell, value) writes; g.each([&](Thread t) {...}) is what every thread does; g.barrier() waits."},
      {"bool rule(Around a)",
       "In own maps, defined by you: a cell's next state, which every track runs, built-in maps too. a() is the cell, "
       "a(dx, dy) or a(dx, dy, dz) another one; a.at its place; a.domain the domain."},
      {"int launches(Domain d), int turns(Domain d)",
       "In own maps, defined by you: how many launches a step has, and how often a block is asked, with b.turn = 0, "
       "1, ... Left out: 1."},
      {"Place {x, y, z}, nowhere",
       "In own maps: a cell, a block of cells, a size; x is the fastest. A thread or a block whose answer is "
       "\"nowhere\", or "
       "no cell of the domain, is waste."},
      {"Block {x, y, z, launch, turn}", "In own maps: a launched block."},
      {"Thread {x, y, z, block, at, index}",
       "In own maps: a launched thread: its place in the whole grid, its block, its place and its number there."},
      {"Domain d",
       "In own maps: d.n and d.n_y cells a side, d.blocks and d.blocks_y blocks a side, d.rho and d.rho_y cells a side "
       "of "
       "a block, d.dimensions; d.holds(cell), d.holds_block(block)."},
      {"Domain d of fractals",
       "In own maps: d.level; d.levels, the level of the grid of blocks; d.s and d.s_y cells a side of the mask, d.k "
       "copies in it; d.copy(b): where copy b stands in the mask."},
      {"Domain d of simplices",
       "In own maps: triangles are x <= y < n. d.corner: the tetrahedron is x + y + z < n; else x <= y <= z < n."},
      {"power(base, exponent)", "In own maps: of whole numbers, on both processors."},
      {"min, max, abs, sqrt, cbrt, floor", "In own maps: as in C++, on both processors."},
      {"popcount, leading_zeros, trailing_zeros", "In own maps: bits of a number, on both processors."}};
}

}  // namespace warploom
