// A rule: Seeds, B2/S. A dead cell comes alive beside exactly two that live; no cell survives.
// It is a work, not a map: every track of the scene runs it, the built-in ones, too. Outside the domain `a` is 0.
bool rule(Around a) {
  int alive = 0;
  for (int y = -1; y <= 1; ++y)
    for (int x = -1; x <= 1; ++x)
      if (x || y) alive += a(x, y);
  return !a() && alive == 2;
}
