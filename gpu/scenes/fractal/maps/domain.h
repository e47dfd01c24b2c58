#pragma once
#include <cstdint>

#include "gpu/core/divider.h"
#include "gpu/core/types.h"
#include "gpu/scenes/fractal/maps/mask.h"

namespace warploom {

/// Two coordinates, summed together.
struct Index2 {
  std::uint32_t x = 0, y = 0;
  friend WARPLOOM_HD constexpr Index2 operator+(Index2 a, Index2 b) { return {a.x + b.x, a.y + b.y}; }
};

/// A fractal at a level, as kernels see it: powers as dividers, replica table H and its inverse. A plain value.
struct FractalDomain {
  static constexpr int most_levels = 31;
  static constexpr std::uint8_t outside = 255;
  static constexpr std::uint32_t most_packed = 10;

  std::uint32_t side_x = 2, side_y = 2;  ///< s, the mask's extent
  std::uint32_t copies = 3;              ///< k
  int level = 0;                         ///< r
  Index3 extent{1, 1, 1};                ///< n = s^r
  Divider power_x[most_levels + 1];      ///< s_x^i
  Divider power_y[most_levels + 1];      ///< s_y^i
  Divider power_k[most_levels + 1];      ///< k^i, as far as it fits 32 bits
  int powers_of_k = 0;                   ///< entries of power_k that hold k^i
  std::uint8_t replica[64];              ///< H: box of copy b, x in the low half byte, y in the high one
  std::uint64_t packed_replicas = 0;     ///< the same, 6 bits a copy, for up to 10 copies: a shift in place of a load
  std::uint8_t copy_at[64];              ///< inverse of H at [y * s_x + x], or `outside`
  std::uint8_t hole_x = 2, hole_y = 2;   ///< the one hole of a 2 x 2 mask with 3 copies; 2: no such mask
  std::uint32_t devices = 1;             ///< that share a sliced state out

  FractalDomain() = default;
  /// Throws UsageError when a side s^r does not fit 31 bits.
  FractalDomain(const Mask& mask, int level, int devices = 1);

  /// k^r.
  std::uint64_t cells() const { return boxes(0); }
  /// Boxes of s^digits that hold cells: k^(r - digits).
  std::uint64_t boxes(int digits) const;

  WARPLOOM_HD Index2 box(std::uint32_t copy) const {
    if (copies <= most_packed) {
      const auto packed = static_cast<std::uint32_t>(packed_replicas >> (6 * copy));
      return {packed & 7u, packed >> 3 & 7u};
    }
    const std::uint32_t packed = replica[copy];
    return {packed & 15u, packed >> 4};
  }

  /// Takes the lowest digit pair off (x, y): the copy that it is, or `outside`.
  WARPLOOM_HD std::uint32_t take_copy(std::uint32_t& x, std::uint32_t& y) const {
    const std::uint32_t rest_x = power_x[1].quotient(x), rest_y = power_y[1].quotient(y);
    const std::uint32_t copy = copy_at[(y - rest_y * side_y) * side_x + (x - rest_x * side_x)];
    x = rest_x;
    y = rest_y;
    return copy;
  }

  /// Every base-s digit pair of the low `digits` digits of (x, y) is in the mask; high digits first, because a warp's
  /// lanes share them and leave together.
  WARPLOOM_HD bool member(std::uint32_t x, std::uint32_t y, int digits) const {
    if (hole_x < 2) {
      // One forbidden pair of bits: no digit may be (hole_x, hole_y). For the gasket: (x & (n - 1 - y)) == 0.
      const std::uint32_t at_x = hole_x ? x : ~x, at_y = hole_y ? y : ~y;
      return (at_x & at_y & ((1u << digits) - 1)) == 0;
    }
    for (int i = digits - 1; i >= 0; --i) {
      const std::uint32_t digit_x = power_x[i].split(x), digit_y = power_y[i].split(y);
      if (copy_at[digit_y * side_x + digit_x] == outside) return false;
    }
    return true;
  }

  WARPLOOM_HD bool contains(Cell cell) const {
    return cell.x < extent.x && cell.y < extent.y && member(cell.x, cell.y, level);
  }

  /// lambda [navarro2020fractals, eq. 5]: for mu = 1..digits, e = ceil(mu/2) - 1,
  ///   beta = floor((mu odd ? w_x : w_y) / k^e) mod k;  (x, y) += H[beta] s^(mu-1).
  WARPLOOM_HD Index2 lambda(std::uint32_t w_x, std::uint32_t w_y, int digits) const {
    Index2 at;
    for (int mu = 1; mu <= digits; ++mu) {
      std::uint32_t& w = mu & 1 ? w_x : w_y;
      const std::uint32_t rest = power_k[1].quotient(w);
      const Index2 tau = box(w - rest * copies);
      w = rest;
      at.x += tau.x * power_x[mu - 1].divisor;
      at.y += tau.y * power_y[mu - 1].divisor;
    }
    return at;
  }

  /// nu, the inverse of lambda: digit pairs to replica numbers, odd mu into w_x, even into w_y. False: no member.
  WARPLOOM_HD bool inverse(std::uint32_t x, std::uint32_t y, int digits, std::uint32_t& w_x, std::uint32_t& w_y) const {
    w_x = w_y = 0;
    for (int mu = 1; mu <= digits; ++mu) {
      const std::uint32_t copy = take_copy(x, y);
      if (copy == outside) return false;
      (mu & 1 ? w_x : w_y) += copy * power_k[(mu - 1) / 2].divisor;
    }
    return true;
  }

  /// nu of a place that is a member, its digits in one number: the inverse of member_digits.
  WARPLOOM_HD std::uint64_t number(std::uint32_t x, std::uint32_t y, int digits) const {
    std::uint64_t number = 0, power = 1;
    for (int i = 0; i < digits; ++i, power *= copies) number += power * take_copy(x, y);
    return number;
  }

  /// Digit mu - 1 of a block's index, the lowest first: of w_x where mu is odd, else of w_y.
  WARPLOOM_HD std::uint32_t block_digit(Index3 block, int i) const {
    const std::uint32_t w = power_k[i / 2].quotient(i & 1 ? block.y : block.x);
    return w - power_k[1].quotient(w) * copies;
  }

  /// The place that `digits` base-k digits of `number` add, the lowest of them being digit `first` of the cell. Members
  /// are numbered by all their digits, 0..k^r - 1: the enumeration that seals, fills and counts use, so that they lean
  /// on no map.
  WARPLOOM_HD Index2 member_digits(std::uint64_t number, int first, int digits) const {
    Index2 at;
    // At most as many digits at once as fit 32 bits.
    while (digits > 0) {
      const int now = digits < powers_of_k ? digits : powers_of_k - 1;
      std::uint32_t rest = static_cast<std::uint32_t>(digits == now ? number : number % power_k[now].divisor);
      for (int digit = first; digit < first + now; ++digit) {
        const std::uint32_t next = power_k[1].quotient(rest);
        const Index2 tau = box(rest - next * copies);
        rest = next;
        at.x += tau.x * power_x[digit].divisor;
        at.y += tau.y * power_y[digit].divisor;
      }
      if (digits > now) number /= power_k[now].divisor;
      first += now;
      digits -= now;
    }
    return at;
  }

  WARPLOOM_HD Cell member_number(std::uint64_t number) const {
    const Index2 at = member_digits(number, 0, level);
    return {at.x, at.y, 0};
  }
};

}  // namespace warploom
