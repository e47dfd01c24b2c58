// Lambda: the digits of a block's number, base k, say in which copy of the fractal it stands, step by step.
// No block is wasted: k^levels of them are launched, as many as hold cells.
Place grid(Domain d) { return {power(d.k, (d.levels + 1) / 2), power(d.k, d.levels / 2), 1}; }

Place place(Block b, Domain d) {
  Place to;
  unsigned side_x = 1, side_y = 1;
  for (int i = 0; i < d.levels; ++i) {
    unsigned& w = i % 2 ? b.y : b.x;
    const Place copy = d.copy(w % d.k);
    w = w / d.k;
    to.x += copy.x * side_x;
    to.y += copy.y * side_y;
    side_x *= d.s;
    side_y *= d.s_y;
  }
  return to;
}
