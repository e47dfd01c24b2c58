#pragma once
#include "gpu/scenes/fractal/maps/tensor_map.h"

namespace warploom {

/// Row 0 of A has the powers of s, columns 0 and 1 of B the digits' tau: D[0][0] and D[0][1] are lambda.
struct TensorBlock : HalfProduct {
  static constexpr MapInfo info{"lambda_tensor_1", "\u03bb(\u03c9), tensor 1", "one 16-bit product a block",
                                "navarro2020fractals"};
  static constexpr bool places_blocks = true;
  template <class Intra>
  using Map = TensorMap<TensorBlock, Intra>;

  static int needed_digits(const FractalDomain& domain, int block_digits) { return domain.level - block_digits; }

  /// Elements of A and B. Powers of x in row 0, of y in row 1: where the sides differ, so do they.
  WARPLOOM_HD static float a(const FractalDomain& domain, int digits, unsigned row, unsigned column) {
    if (row > 1 || static_cast<int>(column) >= digits) return 0;
    return static_cast<float>((row == 0 ? domain.power_x : domain.power_y)[column].divisor);
  }
  WARPLOOM_HD static float b(const FractalDomain& domain, int digits, Index3 block, unsigned row, unsigned column) {
    if (column > 1 || static_cast<int>(row) >= digits) return 0;
    const Index2 tau = domain.box(domain.block_digit(block, static_cast<int>(row)));
    return static_cast<float>(column == 0 ? tau.x : tau.y);
  }
  /// lambda by the two columns of D from this one on.
  template <class Product>
  WARPLOOM_HD static Index2 place(const Product& d, unsigned column) {
    return {static_cast<std::uint32_t>(d.at(0, column)), static_cast<std::uint32_t>(d.at(1, column + 1))};
  }
  static Fragments fragments(const FractalDomain& domain, int block_digits, Index3 block) {
    const int digits = domain.level - block_digits;
    return Fragments::of([&](unsigned i, unsigned k) { return a(domain, digits, i, k); },
                         [&](unsigned k, unsigned j) { return b(domain, digits, block, k, j); });
  }

  template <class Map, class Group>
  WARPLOOM_HD static Cell origin(const Map& map, Group& group, Index3 block) {
    const FractalDomain& domain = map.domain;
    const int digits = map.grid_digits;
    const auto d = group.template product<Operands>(
        [&](unsigned i, unsigned k) { return a(domain, digits, i, k); },
        [&](unsigned k, unsigned j) { return b(domain, digits, block, k, j); }, [](unsigned, unsigned) { return 0.f; });
    const Index2 at = place(d, 0);
    return {at.x * domain.power_x[map.block_digits].divisor, at.y * domain.power_y[map.block_digits].divisor, 0};
  }
};

}  // namespace warploom
