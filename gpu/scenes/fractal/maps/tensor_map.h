#pragma once
#include <algorithm>
#include <string>

#include "gpu/core/product.h"
#include "gpu/scenes/fractal/maps/lambda_map.h"
#include "gpu/scenes/fractal/maps/lambda_serial.h"

// lambda as a product of matrices on tensor cores [navarro2020fractals, section 4]: D = A B + C, 16 x 16 each. Every
// map of this kind is a Variant with an intra-block way:
//
//   static constexpr MapInfo info; Operands, their name and most_digits(domain), as HalfProduct has them
//   static int needed_digits(domain, block_digits)    digits that its operands have to hold: more are refused
//   static Fragments fragments(domain, block_digits, block)    what it multiplies, for whoever looks
//   template <Intra, Group, Body> static void serve(map, group, block, body)
//                                            body(thread, cell, useful) for every thread, with the cell from D
//   static Cell origin(map, group, block)    ... or, where it places_blocks, the first cell of the block, from D
//
// The contract's block and thread say the same in plain arithmetic, for callers that ask about another block.
namespace warploom {

/// The largest integer that 16-bit floats hold, and the odd part up to which they hold integers exactly.
WARPLOOM_HD constexpr bool is_exact_half(std::uint64_t value) {
  while (value > 2048 && value % 2 == 0) value /= 2;
  return value <= 2048;
}
inline bool half_holds(std::uint64_t value) { return value <= 65504 && is_exact_half(value); }

/// How many powers of both sides 16-bit floats hold: 16 for s = 2, 7 for 3, 8 for 4.
inline int digits_in_half(const FractalDomain& domain) {
  int digits = 0;
  for (std::uint64_t x = 1, y = 1; digits < 16 && half_holds(x) && half_holds(y);
       x *= domain.side_x, y *= domain.side_y)
    ++digits;
  return digits;
}

/// What maps share whose operands are 16-bit floats.
struct HalfProduct {
  using Operands = HalfOperands;
  static constexpr const char* operands = "16-bit floats";
  static int most_digits(const FractalDomain& domain) { return digits_in_half(domain); }
};

template <class Variant, class Intra>
struct TensorMap : LambdaMap<LambdaSerial, Intra> {
  using Base = LambdaMap<LambdaSerial, Intra>;
  static constexpr MapInfo info = Variant::info;
  using intra = Intra;

  using Base::Base;

  /// Why this map cannot serve such blocks; empty: it can.
  static std::string refusal(const FractalDomain& domain, int digits) {
    const std::uint64_t threads = volume(Intra::threads(domain, digits));
    if (threads < warp_size)
      return "blocks of " + std::to_string(threads) + " threads: a tensor core needs a warp, 32 of them";
    const int needed = Variant::needed_digits(domain, digits), most = Variant::most_digits(domain);
    if (needed > most)
      return std::to_string(needed) + " digits: " + Variant::operands + " hold powers of " +
             std::to_string(std::max(domain.side_x, domain.side_y)) + " exactly up to " + std::to_string(most) +
             " digits";
    return {};
  }

  static constexpr bool serves_blocks = true;
  /// body(thread, cell, useful) in every thread of the block.
  template <class Group, class Body>
  WARPLOOM_HD void serve(Group& group, int, Index3 block, int, Body&& body) const {
    if constexpr (requires { Variant::places_blocks; }) {
      const Cell origin = Variant::origin(*this, group, block);
      group.each([&](const Thread& thread) {
        Cell cell;
        const bool useful = this->thread(origin, thread.at, cell);
        body(thread, cell, useful);
      });
    } else {
      Variant::template serve<Intra>(static_cast<const Base&>(*this), group, block, body);
    }
  }

  static Formula explain(const FractalQuestion& question) { return explain_product(question, Variant::fragments); }
};

}  // namespace warploom
