// A rectangle for triangles: the far half of the triangle is folded over, so that almost no block is wasted.
// `even` makes room for the diagonal where the blocks a side are even; rectangle_broken.h shows what happens without.
Place grid(Domain d) { return {(d.blocks + 1) / 2, d.blocks | 1, 1}; }

Place place(Block b, Domain d) {
  const unsigned even = 1 - d.blocks % 2;
  if (b.y >= b.x + even) return {b.x, b.y - even};
  return {d.blocks - b.x - even, d.blocks - b.x - even + b.y};
}
