#pragma once
#include <cmath>
#include <cstdint>

#include "gpu/core/bits.h"
#include "gpu/core/macros.h"
#include "gpu/core/rounded.h"
#include "gpu/core/types.h"

// Triangular and tetrahedral numbers, their exact inverses, and folded grids [navarro2016tetrahedra].

namespace warploom {

/// t(y) = y (y + 1) / 2: cells in the rows above row y.
WARPLOOM_HD constexpr std::uint64_t triangle_number(std::uint64_t y) { return y * (y + 1) / 2; }

/// T(z) = z (z + 1) (z + 2) / 6, for every z whose T is below 2^64: t(z) (z + 2) is three times T modulo 2^64, and
/// three has an inverse there, so that nothing is divided and nothing overflows.
WARPLOOM_HD constexpr std::uint64_t tetrahedron_number(std::uint64_t z) {
  return triangle_number(z) * (z + 2) * 0xAAAAAAAAAAAAAAABull;
}

/// Modulo 2^32, for numbers that fit.
WARPLOOM_HD constexpr std::uint32_t narrow_triangle_number(std::uint32_t y) { return y * (y + 1) / 2; }
WARPLOOM_HD constexpr std::uint32_t narrow_tetrahedron_number(std::uint32_t z) {
  return narrow_triangle_number(z) * (z + 2) * 0xAAAAAAABu;
}

/// Below this, blocks and their neighbouring rows and layers are counted in 32 bits: y (y + 1) fits.
inline constexpr std::uint64_t narrow_blocks = std::uint64_t{1} << 31;

/// Below this, roots without loop or call are right although their instructions round freely: a guess that is never too
/// small, then at most two steps down (one for rows). Measured over every row and layer in root_test.cpp.
inline constexpr std::uint32_t bare_root_blocks = 1430000000;

/// tetrahedron_root for w below bare_root_blocks.
WARPLOOM_HD std::uint32_t bare_tetrahedron_root(std::uint32_t w) {
  auto z = static_cast<std::uint32_t>(bare_cube_root(6.f * static_cast<float>(w)));
  if (narrow_tetrahedron_number(z) > w) --z;
  if (narrow_tetrahedron_number(z) > w) --z;
  return z;
}
/// triangle_root for w below bare_root_blocks. There w as a float, an instruction that rounds to 2^-23 and the
/// difference are off by .011 in all: a guess .02 too large is never too small, and at most one step too large.
WARPLOOM_HD std::uint32_t bare_triangle_root(std::uint32_t w) {
  auto y = static_cast<std::uint32_t>(bare_square_root(2.f * static_cast<float>(w) + .25f) - .48f);
  if (narrow_triangle_number(y) > w) --y;
  return y;
}

/// triangle_root for w below narrow_blocks.
WARPLOOM_HD std::uint32_t narrow_triangle_root(std::uint32_t w) {
  auto y = static_cast<std::uint32_t>(sqrtf(2 * static_cast<float>(w) + .25f) - .5f);
  const std::uint32_t before = narrow_triangle_number(y);
  if (before > w)
    --y;
  else if (before + y < w)
    ++y;
  return y;
}

/// tetrahedron_root for w below narrow_blocks.
WARPLOOM_HD std::uint32_t narrow_tetrahedron_root(std::uint32_t w) {
  auto z = static_cast<std::uint32_t>(cbrtf(6 * static_cast<float>(w)));
  while (narrow_tetrahedron_number(z) > w) --z;
  return z;
}

/// The row y with t(y) <= w < t(y + 1), exact for w < 2^62: a root, then at most one step.
WARPLOOM_HD std::uint32_t triangle_root(std::uint64_t w) {
  const bool narrow = w < std::uint64_t{1} << 32;
  auto y = narrow ? static_cast<std::uint32_t>(sqrtf(2 * static_cast<float>(w) + .25f) - .5f)
                  : static_cast<std::uint32_t>(sqrt(2 * static_cast<double>(w) + .25) - .5);
  const std::uint64_t before = triangle_number(y);
  if (before > w)
    --y;
  else if (before + y < w)
    ++y;
  return y;
}

/// The layer z with T(z) <= w < T(z + 1), exact for w < 2^62: a cube root never too small, then at most two steps down.
WARPLOOM_HD std::uint32_t tetrahedron_root(std::uint64_t w) {
  auto z = static_cast<std::uint32_t>(cbrtf(6 * static_cast<float>(w)));
  while (tetrahedron_number(z) > w) --z;
  return z;
}

/// Number of blocks of a simplex of this side: t(side) or T(side).
template <int Dimensions>
WARPLOOM_HD constexpr std::uint64_t simplex_number(std::uint64_t side) {
  return Dimensions == 2 ? triangle_number(side) : tetrahedron_number(side);
}

/// The same at run time, as a double: refused sizes may pass 2^64.
inline double simplex_number_real(int dimensions, double side) {
  return dimensions == 2 ? side * (side + 1) / 2 : side * (side + 1) * (side + 2) / 6;
}

/// Linear number of a block of the triangle (z = 0) or stacked tetrahedron: T(z) + t(y) + x.
template <int Dimensions>
WARPLOOM_HD constexpr std::uint64_t simplex_index(Index3 at) {
  return (Dimensions == 3 ? tetrahedron_number(at.z) : 0) + triangle_number(at.y) + at.x;
}

/// simplex_place of a number below narrow_blocks; `bare`: below bare_root_blocks.
template <int Dimensions, bool bare>
WARPLOOM_HD Index3 narrow_simplex_place(std::uint32_t w) {
  Index3 at;
  if constexpr (Dimensions == 3) {
    at.z = bare ? bare_tetrahedron_root(w) : narrow_tetrahedron_root(w);
    w -= narrow_tetrahedron_number(at.z);
  }
  at.y = bare ? bare_triangle_root(w) : narrow_triangle_root(w);
  at.x = w - narrow_triangle_number(at.y);
  return at;
}

/// The inverse of simplex_index, exact for w < 2^62. `end`, a number past w, chooses the arithmetic.
template <int Dimensions>
WARPLOOM_HD Index3 simplex_place(std::uint64_t w, std::uint64_t end) {
  if (on_device() && end <= bare_root_blocks)
    return narrow_simplex_place<Dimensions, true>(static_cast<std::uint32_t>(w));
  if (end <= narrow_blocks) return narrow_simplex_place<Dimensions, false>(static_cast<std::uint32_t>(w));
  Index3 at;
  if constexpr (Dimensions == 3) {
    at.z = tetrahedron_root(w);
    w -= tetrahedron_number(at.z);
  }
  at.y = triangle_root(w);
  at.x = static_cast<std::uint32_t>(w - triangle_number(at.y));
  return at;
}
template <int Dimensions>
WARPLOOM_HD Index3 simplex_place(std::uint64_t w) {
  return simplex_place<Dimensions>(w, w + 1);
}

/// A near-square or near-cubic grid of at least `blocks` blocks: width ceil of the root, the last side minimal.
template <int Dimensions>
Index3 folded_grid(std::uint64_t blocks) {
  std::uint64_t side = static_cast<std::uint64_t>(Dimensions == 2 ? std::sqrt(static_cast<double>(blocks))
                                                                  : std::cbrt(static_cast<double>(blocks)));
  const auto fits = [&](std::uint64_t s) { return (Dimensions == 2 ? s * s : s * s * s) >= blocks; };
  while (side > 1 && fits(side - 1)) --side;
  while (!fits(side)) ++side;
  const std::uint64_t slab = Dimensions == 2 ? side : side * side, last = (blocks + slab - 1) / slab;
  const auto narrow = [](std::uint64_t value) { return static_cast<std::uint32_t>(value); };
  return Dimensions == 2 ? Index3{narrow(side), narrow(last), 1} : Index3{narrow(side), narrow(side), narrow(last)};
}

}  // namespace warploom
