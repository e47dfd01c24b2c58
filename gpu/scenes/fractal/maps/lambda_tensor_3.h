#pragma once
#include "gpu/scenes/fractal/maps/lambda_tensor_1.h"

namespace warploom {

/// Every thread gets its own cell: A has the powers of s, times the block's side, in every row, B the digits' tau along
/// its rows, and C the threads' places in the block. Two products serve 256 threads.
struct TensorCells : HalfProduct {
  static constexpr MapInfo info{"lambda_tensor_3", "\u03bb(\u03c9), tensor 3",
                                "16-bit products that hold every thread's cell", "navarro2020fractals"};
  template <class Intra>
  using Map = TensorMap<TensorCells, Intra>;

  /// The weights have the block's side in them.
  static int needed_digits(const FractalDomain& domain, int) { return domain.level; }

  WARPLOOM_HD static float a(const FractalDomain& domain, int block_digits, bool of_x, unsigned column) {
    if (static_cast<int>(column) >= domain.level - block_digits) return 0;
    return static_cast<float>(
        (of_x ? domain.power_x : domain.power_y)[static_cast<int>(column) + block_digits].divisor);
  }
  WARPLOOM_HD static float b(const FractalDomain& domain, int digits, Index3 block, bool of_x, unsigned row) {
    if (static_cast<int>(row) >= digits) return 0;
    const Index2 tau = domain.box(domain.block_digit(block, static_cast<int>(row)));
    return static_cast<float>(of_x ? tau.x : tau.y);
  }
  /// Those of x, of the first 256 threads of a block that serves its places one by one.
  static Fragments fragments(const FractalDomain& domain, int block_digits, Index3 block) {
    const std::uint32_t wide = domain.power_x[block_digits].divisor;
    return Fragments::of([&](unsigned, unsigned k) { return a(domain, block_digits, true, k); },
                         [&](unsigned k, unsigned) { return b(domain, domain.level - block_digits, block, true, k); },
                         [&](unsigned i, unsigned j) { return (i * 16 + j) % wide; });
  }

  template <class Intra, class Map, class Group, class Body>
  WARPLOOM_HD static void serve(const Map& map, Group& group, Index3 block, Body&& body) {
    const FractalDomain& domain = map.domain;
    const Index3 threads = group.threads();
    const auto place = [&](unsigned thread, bool of_x) {
      Index2 at;
      if (thread >= group.size()) return 0.f;
      (void)Intra::place(domain, map.block_digits, map.intra_table, unfold(thread, threads), at);
      return static_cast<float>(of_x ? at.x : at.y);
    };
    typename Group::template PerThread<std::uint32_t> x;
    for (unsigned first = 0; first < group.size(); first += 256) {
      for (int axis = 0; axis < 2; ++axis) {
        const bool of_x = axis == 0;
        const auto d = group.template product<Operands>(
            [&](unsigned, unsigned k) { return a(domain, map.block_digits, of_x, k); },
            [&](unsigned k, unsigned) { return b(domain, map.grid_digits, block, of_x, k); },
            [&](unsigned i, unsigned j) { return place(first + i * 16 + j, of_x); });
        group.each([&](const Thread& thread) {
          if (thread.index < first || thread.index >= first + 256) return;
          const auto own = static_cast<std::uint32_t>(d.at((thread.index - first) / 16, thread.index % 16));
          if (of_x) {
            x[thread] = own;
            return;
          }
          Index2 at;
          const bool useful = Intra::place(domain, map.block_digits, map.intra_table, thread.at, at);
          body(thread, Cell{x[thread], own, 0}, useful);
        });
      }
    }
  }
};

}  // namespace warploom
