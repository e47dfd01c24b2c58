#pragma once
#include "gpu/scenes/fractal/maps/tensor_map.h"

namespace warploom {

/// Beyond the paper: 8-bit integers, exact for every mask. A has the low bytes of the powers of s_x and s_y in rows 0
/// and 1, their high bytes in rows 2 and 3; B the digits of the four blocks whose numbers differ in their last two
/// bits, a column for each coordinate: lambda is D of the low bytes plus 256 times that of the high ones.
struct TensorBytes {
  static constexpr MapInfo info{"lambda_tensor_8bit", "\u03bb(\u03c9), tensor 8 bit",
                                "an exact 8-bit product for four blocks", "navarro2020fractals"};
  using Operands = ByteOperands;
  static constexpr const char* operands = "two bytes";
  static constexpr bool places_blocks = true;
  template <class Intra>
  using Map = TensorMap<TensorBytes, Intra>;
  static constexpr std::uint32_t at_once = 4;

  /// Sides of the grid up to 65536, and the depth of a product.
  static int most_digits(const FractalDomain& domain) {
    int digits = 0;
    for (std::uint64_t x = domain.side_x, y = domain.side_y; digits < 16 && x <= 65536 && y <= 65536;
         x *= domain.side_x, y *= domain.side_y)
      ++digits;
    return digits;
  }
  static int needed_digits(const FractalDomain& domain, int block_digits) { return domain.level - block_digits; }

  WARPLOOM_HD static std::uint32_t a(const FractalDomain& domain, int digits, unsigned row, unsigned column) {
    if (row > 3 || static_cast<int>(column) >= digits) return 0;
    const std::uint32_t power = (row % 2 == 0 ? domain.power_x : domain.power_y)[column].divisor;
    return row < 2 ? power & 255u : power >> 8;
  }
  WARPLOOM_HD static std::uint32_t b(const FractalDomain& domain, int digits, Index3 block, unsigned row, bool of_x) {
    if (static_cast<int>(row) >= digits) return 0;
    const Index2 tau = domain.box(domain.block_digit(block, static_cast<int>(row)));
    return of_x ? tau.x : tau.y;
  }
  /// lambda by the two columns of D from this one on.
  template <class Product>
  WARPLOOM_HD static Index2 place(const Product& d, unsigned column) {
    return {static_cast<std::uint32_t>(d.at(0, column) + 256 * d.at(2, column)),
            static_cast<std::uint32_t>(d.at(1, column + 1) + 256 * d.at(3, column + 1))};
  }
  static Fragments fragments(const FractalDomain& domain, int block_digits, Index3 block) {
    const int digits = domain.level - block_digits;
    return Fragments::of([&](unsigned i, unsigned k) { return a(domain, digits, i, k); },
                         [&](unsigned k, unsigned j) { return j < 2 ? b(domain, digits, block, k, j == 0) : 0; });
  }

  template <class Map, class Group>
  WARPLOOM_HD static Cell origin(const Map& map, Group& group, Index3 block) {
    const FractalDomain& domain = map.domain;
    const int digits = map.grid_digits;
    const Index3 grid{domain.power_k[(digits + 1) / 2].divisor, domain.power_k[digits / 2].divisor, 1};
    const std::uint64_t own = linear_index(block, grid), first = own / at_once * at_once;
    const auto d = group.template product<Operands>(
        [&](unsigned i, unsigned k) { return a(domain, digits, i, k); },
        [&](unsigned k, unsigned j) {
          const std::uint64_t number = first + j / 2;
          return j / 2 < at_once && number < volume(grid) ? b(domain, digits, unfold(number, grid), k, j % 2 == 0) : 0u;
        },
        [](unsigned, unsigned) { return 0; });
    const Index2 at = place(d, static_cast<unsigned>(own - first) * 2);
    return {at.x * domain.power_x[map.block_digits].divisor, at.y * domain.power_y[map.block_digits].divisor, 0};
  }
};

}  // namespace warploom
