#pragma once
#include "gpu/scenes/fractal/maps/tensor_map.h"

namespace warploom {

/// Row 0 of A has the powers of s, columns 0 and 1 of B the digits' tau: D[0][0] and D[0][1] are lambda.
struct TensorBlock {
  static constexpr MapInfo info{"lambda_tensor_1", "\u03bb(\u03c9), tensor 1", "one 16-bit product a block",
                                "navarro2020fractals"};
  using Operands = HalfOperands;
  static constexpr const char* operands = "16-bit floats";
  template <class Intra>
  using Map = TensorMap<TensorBlock, Intra>;

  static int most_digits(const FractalDomain& domain) { return digits_in_half(domain); }
  static int needed_digits(const FractalDomain& domain, int block_digits) { return domain.level - block_digits; }

  /// Elements of A and B. Powers of x in row 0, of y in row 1: where the sides differ, so do they.
  WARPLOOM_HD static float a(const FractalDomain& domain, int digits, unsigned row, unsigned column) {
    if (row > 1 || static_cast<int>(column) >= digits) return 0;
    return static_cast<float>((row == 0 ? domain.power_x : domain.power_y)[column].divisor);
  }
  WARPLOOM_HD static float b(const FractalDomain& domain, int digits, Index3 block, unsigned row, unsigned column) {
    if (column > 1 || static_cast<int>(row) >= digits) return 0;
    const Index2 tau = domain.box(block_digit(domain, block, static_cast<int>(row)));
    return static_cast<float>(column == 0 ? tau.x : tau.y);
  }
  static Fragments fragments(const FractalDomain& domain, int block_digits, Index3 block) {
    Fragments all;
    for (unsigned i = 0; i < 256; ++i) {
      all.a[i] = a(domain, domain.level - block_digits, i / 16, i % 16);
      all.b[i] = b(domain, domain.level - block_digits, block, i / 16, i % 16);
    }
    return all;
  }

  template <class Intra, class Map, class Group, class Body>
  WARPLOOM_HD static void serve(const Map& map, Group& group, Index3 block, Body&& body) {
    const FractalDomain& domain = map.domain;
    const int digits = map.grid_digits;
    const auto d = group.template product<Operands>(
        [&](unsigned i, unsigned k) { return a(domain, digits, i, k); },
        [&](unsigned k, unsigned j) { return b(domain, digits, block, k, j); }, [](unsigned, unsigned) { return 0.f; });
    const Cell origin{static_cast<std::uint32_t>(d.at(0, 0)) * domain.power_x[map.block_digits].divisor,
                      static_cast<std::uint32_t>(d.at(1, 1)) * domain.power_y[map.block_digits].divisor, 0};
    group.each([&](const Thread& thread) {
      Cell cell;
      const bool useful = map.thread(origin, thread.at, cell);
      body(thread, cell, useful);
    });
  }
};

}  // namespace warploom
