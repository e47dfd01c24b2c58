#include <cmath>

#include "gpu/bench/fractal_case.h"
#include "gpu/core/hash.h"

namespace warploom::bench {

namespace {

/// Every digit pair of (x, y) is a mark of the mask.
bool member(const Mask& mask, int level, std::uint64_t x, std::uint64_t y) {
  for (int digit = 0; digit < level; ++digit, x /= mask.side_x(), y /= mask.side_y())
    if (mask.rows[y % mask.side_y()][x % mask.side_x()] != '#') return false;
  return true;
}

/// One step on the whole box, place by place.
FractalExpected serial(const FractalCase& c) {
  const auto width = static_cast<std::int64_t>(c.side_x()), height = static_cast<std::int64_t>(c.side_y());
  const auto at = [&](std::int64_t x, std::int64_t y) { return static_cast<std::size_t>(y * width + x); };
  std::vector<std::uint8_t> inside(at(0, height)), alive(inside.size());
  for (std::int64_t y = 0; y < height; ++y)
    for (std::int64_t x = 0; x < width; ++x) {
      const auto ux = static_cast<std::uint64_t>(x), uy = static_cast<std::uint64_t>(y);
      inside[at(x, y)] = member(c.settings.mask, c.settings.level, ux, uy);
      alive[at(x, y)] = inside[at(x, y)] && chosen(cell_hash(c.seed, ux, uy), c.density);
    }
  FractalExpected expected{0, 0, {}, "a serial step"};
  std::uint64_t fold = 0;
  for (std::int64_t y = 0; y < height; ++y)
    for (std::int64_t x = 0; x < width; ++x) {
      if (!inside[at(x, y)]) continue;
      const auto ux = static_cast<std::uint64_t>(x), uy = static_cast<std::uint64_t>(y);
      std::uint64_t value = alive[at(x, y)];
      if (c.settings.work == "reduction") fold += value;
      if (c.settings.work == "map_only") fold += ux + (uy << 32);
      if (c.settings.work == "single_write") value = 1;
      if (c.settings.work == "life") {
        unsigned around = 0;
        for (std::int64_t v = std::max<std::int64_t>(0, y - 1); v <= y + 1 && v < height; ++v)
          for (std::int64_t u = std::max<std::int64_t>(0, x - 1); u <= x + 1 && u < width; ++u)
            around += (u != x || v != y) && alive[at(u, v)];
        value = (value ? c.settings.rule.survive : c.settings.rule.born) >> around & 1u;
      }
      *expected.hash += value * cell_hash(0, ux, uy);
      *expected.sum += value;
    }
  if (c.folds) expected.fold = fold;
  return expected;
}

/// The sum over all members of x + 2^32 y: each copy stands at each digit k^(r-1) times.
std::uint64_t sum_of_members(const Mask& mask, int level) {
  std::uint64_t box_x = 0, box_y = 0, power_x = 1, power_y = 1, digits_x = 0, digits_y = 0, often = 1;
  for (std::uint32_t y = 0; y < mask.side_y(); ++y)
    for (std::uint32_t x = 0; x < mask.side_x(); ++x)
      if (mask.rows[y][x] == '#') box_x += x, box_y += y;
  for (int i = 0; i < level; ++i, power_x *= mask.side_x(), power_y *= mask.side_y())
    digits_x += power_x, digits_y += power_y;
  for (int i = 1; i < level; ++i) often *= mask.copies();
  return level == 0 ? 0 : often * (box_x * digits_x + (box_y * digits_y << 32));
}

}  // namespace

FractalExpected expect(Bench& bench, const FractalCase& c, const std::string& reference) {
  if (c.side_x() * c.side_y() <= largest_oracle) return serial(c);
  if (c.settings.work == "map_only")
    return {{}, {}, sum_of_members(c.settings.mask, c.settings.level), "a closed form"};
  Queue& queue = bench.queue();
  FractalSettings settings = c.settings;
  settings.block_digits = default_block_digits(settings.mask, settings.level);
  const auto track = make_fractal_track(queue, settings, reference);
  track->fill(queue, c.seed, c.density);
  if (c.settings.work == "reduction") return {{}, {}, track->seal(queue).sum, "the seal's sum"};
  track->step(queue);
  queue.wait();
  track->publish(queue);
  const Seal seal = track->seal(queue);
  FractalExpected expected{seal.hash, seal.sum, seal.folded, "track " + reference};
  if (c.settings.work == "single_write") expected.sum = static_cast<std::uint64_t>(c.cells());
  return expected;
}

}  // namespace warploom::bench
