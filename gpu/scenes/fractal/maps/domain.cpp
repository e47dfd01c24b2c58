#include "gpu/scenes/fractal/maps/domain.h"

#include <algorithm>
#include <cmath>

#include "gpu/core/error.h"

namespace warploom {

FractalDomain::FractalDomain(const Mask& mask, int r, int devices_)
    : level(r), devices(static_cast<std::uint32_t>(devices_)) {
  check(mask);
  side_x = mask.side_x();
  side_y = mask.side_y();
  copies = 0;
  std::fill(std::begin(replica), std::end(replica), std::uint8_t{0});
  std::fill(std::begin(copy_at), std::end(copy_at), outside);
  for (std::uint32_t y = 0; y < side_y; ++y)
    for (std::uint32_t x = 0; x < side_x; ++x)
      if (mask.rows[y][x] == '#') {
        replica[copies] = static_cast<std::uint8_t>(x | y << 4);
        if (copies < most_packed) packed_replicas |= std::uint64_t{x | y << 3} << (6 * copies);
        copy_at[y * side_x + x] = static_cast<std::uint8_t>(copies++);
      } else {
        hole_x = static_cast<std::uint8_t>(x);
        hole_y = static_cast<std::uint8_t>(y);
      }
  if (side_x != 2 || side_y != 2 || copies != 3) hole_x = hole_y = 2;

  constexpr double most = 0x7fffffff;
  const double n_x = std::pow(side_x, r), n_y = std::pow(side_y, r);
  if (r < 0 || r > most_levels || n_x > most || n_y > most)
    throw UsageError("level " + std::to_string(r) + " of '" + mask.key + "' makes a side of " + std::to_string(side_x) +
                     "^" + std::to_string(r) + " cells; sides go up to 2^31 - 1");
  std::uint64_t x = 1, y = 1, k = 1;
  for (int i = 0; i <= most_levels; ++i) {
    if (i <= r) {
      power_x[i] = Divider(static_cast<std::uint32_t>(x));
      power_y[i] = Divider(static_cast<std::uint32_t>(y));
      x *= side_x;
      y *= side_y;
    }
    if (k <= 0xffffffffu) {
      power_k[i] = Divider(static_cast<std::uint32_t>(k));
      powers_of_k = i + 1;
      k *= copies;
    }
  }
  // A grid's axis has k^ceil(r/2) blocks at most.
  if ((r + 1) / 2 >= powers_of_k)
    throw UsageError("level " + std::to_string(r) + " of '" + mask.key + "' has more than 2^63 cells");
  // A domain of level 0 still divides by s.
  if (r == 0) {
    power_x[1] = Divider(side_x);
    power_y[1] = Divider(side_y);
  }
  extent = {static_cast<std::uint32_t>(std::llround(n_x)), static_cast<std::uint32_t>(std::llround(n_y)), 1};
}

std::uint64_t FractalDomain::boxes(int digits) const {
  std::uint64_t k = 1;
  for (int i = digits; i < level; ++i) k *= copies;
  return k;
}

}  // namespace warploom
