// Blocks of a tetrahedron by their number, layer by layer: a cube root finds the layer, a square root the row in it.
// Roots of floats can be off by one next to a whole number, so both are corrected: without that, large sides go wrong.
unsigned row(unsigned y) { return y * (y + 1) / 2; }
unsigned layer(unsigned z) { return row(z) * (z + 2) / 3; }

Place grid(Domain d) { return {d.dimensions == 3 ? layer(d.blocks) : row(d.blocks), 1, 1}; }

Place place(Block b, Domain d) {
  unsigned w = b.x, z = 0;
  if (d.dimensions == 3) {
    z = unsigned(cbrt(6.0 * w));
    while (layer(z) > w) --z;
    while (layer(z + 1) <= w) ++z;
    w -= layer(z);
  }
  unsigned y = unsigned(sqrt(2.0 * w));
  while (row(y) > w) --y;
  while (row(y + 1) <= w) ++y;
  const unsigned x = w - row(y);
  return d.corner ? Place{x, y - x, z - y} : Place{x, y, z};  // the corner tetrahedron is a sheared one
}
