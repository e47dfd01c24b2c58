#pragma once
#include "gpu/scenes/fractal/maps/lambda_tensor_1.h"

namespace warploom {

/// A block is as many sub-blocks as the mask has copies, a level below it: B holds a pair of coordinates for each, up
/// to eight a product. A thread takes the pair of the sub-block that it lies in.
struct TensorSubBlocks : HalfProduct {
  static constexpr MapInfo info{"lambda_tensor_2", "\u03bb(\u03c9), tensor 2",
                                "a 16-bit product for all sub-blocks of a block", "navarro2020fractals"};
  template <class Intra>
  using Map = TensorMap<TensorSubBlocks, Intra>;

  /// Sub-blocks have a digit more than blocks; blocks of one cell have none.
  static int needed_digits(const FractalDomain& domain, int block_digits) {
    return domain.level - block_digits + (block_digits > 0);
  }
  static constexpr unsigned at_once = 8;  ///< pairs a product has room for

  WARPLOOM_HD static float b(const FractalDomain& domain, int digits, Index3 block, unsigned first, bool splits,
                             unsigned row, unsigned column) {
    const unsigned copy = first + column / 2;
    if (static_cast<int>(row) >= digits || copy >= domain.copies) return 0;
    // The lowest digit is the sub-block's own.
    const std::uint32_t digit = !splits    ? domain.block_digit(block, static_cast<int>(row))
                                : row == 0 ? copy
                                           : domain.block_digit(block, static_cast<int>(row) - 1);
    const Index2 tau = domain.box(digit);
    return static_cast<float>(column % 2 == 0 ? tau.x : tau.y);
  }
  static Fragments fragments(const FractalDomain& domain, int block_digits, Index3 block) {
    const int digits = needed_digits(domain, block_digits);
    return Fragments::of([&](unsigned i, unsigned k) { return TensorBlock::a(domain, digits, i, k); },
                         [&](unsigned k, unsigned j) { return b(domain, digits, block, 0, block_digits > 0, k, j); });
  }

  template <class Intra, class Map, class Group, class Body>
  WARPLOOM_HD static void serve(const Map& map, Group& group, Index3 block, Body&& body) {
    const FractalDomain& domain = map.domain;
    const bool splits = map.block_digits > 0;
    const int digits = map.grid_digits + splits, inner = map.block_digits - splits;
    typename Group::template PerThread<Cell> cells;
    typename Group::template PerThread<bool> useful;
    group.each([&](const Thread& thread) {
      Index2 in_block;
      useful[thread] = Intra::place(domain, map.block_digits, map.intra_table, thread.at, in_block);
      cells[thread] = {in_block.x, in_block.y, 0};
    });
    for (unsigned first = 0; first < domain.copies; first += at_once) {
      const auto d = group.template product<Operands>(
          [&](unsigned i, unsigned k) { return TensorBlock::a(domain, digits, i, k); },
          [&](unsigned k, unsigned j) { return b(domain, digits, block, first, splits, k, j); },
          [](unsigned, unsigned) { return 0.f; });
      group.each([&](const Thread& thread) {
        // Whose sub-block does not exist is waste, as its cell says.
        Cell in_block = cells[thread];
        const std::uint32_t x = domain.power_x[inner].split(in_block.x), y = domain.power_y[inner].split(in_block.y);
        const std::uint32_t copy = splits ? domain.copy_at[y * domain.side_x + x] : 0;
        if (copy == FractalDomain::outside ? first > 0 : copy < first || copy >= first + at_once) return;
        const unsigned pair = copy == FractalDomain::outside ? 0 : copy - first;
        const Index2 at = TensorBlock::place(d, 2 * pair);
        const Cell cell{at.x * domain.power_x[inner].divisor + in_block.x,
                        at.y * domain.power_y[inner].divisor + in_block.y, 0};
        body(thread, cell, useful[thread] && copy != FractalDomain::outside);
      });
    }
  }
};

}  // namespace warploom
