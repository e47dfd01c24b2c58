// A kernel: a whole step of the game of life, reading and writing included. Each cell must be written once.
// `from` is 0 outside the domain; a write there would be refused and counted, so threads without a cell return.
template <class Group>
void kernel(Group& g, From from, To to, Domain d) {
  g.each([&](Thread t) {
    const Place c{t.x, t.y};
    if (!d.holds(c)) return;
    int alive = 0;
    for (int y = -1; y <= 1; ++y)
      for (int x = -1; x <= 1; ++x)
        if (x || y) alive += from(c, x, y);
    to(c, alive == 3 || (alive == 2 && from(c)));
  });
}
