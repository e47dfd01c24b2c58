#pragma once
#include "gpu/maps/map.h"
#include "gpu/scenes/fractal/maps/domain.h"

namespace warploom {

/// lambda by looking up several digits at once: T[v] = sum_i (H[digit_i(v)] - H[0]) s^(2i) for the g digits of v, so
/// that
///   lambda(w) = lambda(0) + sum_c T[chunk_c(w_x)] s^(2gc) + s sum_c T[chunk_c(w_y)] s^(2gc).
/// Without H[0] a digit that is not there adds nothing, although H[0] need not be (0, 0). Negative differences wrap,
/// and the sums come out right modulo 2^32. 3^8 entries serve the gasket up to r_b = 16 with two look-ups.
struct LambdaTable {
  static constexpr MapInfo info{"lambda_table", "\u03bb(\u03c9), table", "several digits at a look-up",
                                "navarro2020fractals"};

  /// More entries would leave the first-level cache; 8192 of 8 bytes are half of the smallest one in use.
  static constexpr std::uint32_t most_entries = 8192;

  /// g: digits a look-up serves. At least one, at most what an axis of the grid has.
  WARPLOOM_HD static int digits_at_once(const FractalDomain& domain, int digits) {
    int g = 1;
    while (2 * g < digits && g + 1 < domain.powers_of_k && domain.power_k[g + 1].divisor <= most_entries) ++g;
    return g;
  }

  /// g, 0, lambda(0), then x and y of each entry.
  static MapTable table(const FractalDomain& domain, int digits) {
    const int g = digits_at_once(domain, digits);
    const Index2 first = domain.box(0), start = domain.lambda(0, 0, digits);
    MapTable entries{static_cast<std::uint32_t>(g), 0, start.x, start.y};
    for (std::uint32_t v = 0; v < domain.power_k[g].divisor; ++v) {
      std::uint32_t rest = v, x = 0, y = 0;
      for (int i = 0; i < g && 2 * i < digits; ++i) {
        const Index2 tau = domain.box(rest % domain.copies);
        rest /= domain.copies;
        const int digit = 2 * i;
        x += (tau.x - first.x) * domain.power_x[digit].divisor;
        y += (tau.y - first.y) * domain.power_y[digit].divisor;
      }
      entries.push_back(x);
      entries.push_back(y);
    }
    return entries;
  }

  template <class Group>
  WARPLOOM_HD static Index2 place(Group&, const FractalDomain& domain, int digits, const std::uint32_t* table,
                                  Index3 block) {
    const int g = static_cast<int>(table[0]);
    const std::uint32_t* entries = table + 4;
    Index2 at{table[2], table[3]};
    for (int first = 0; first < digits; first += 2 * g) {
      const std::uint32_t rest_x = domain.power_k[g].quotient(block.x), rest_y = domain.power_k[g].quotient(block.y);
      const std::uint32_t odd = 2 * (block.x - rest_x * domain.power_k[g].divisor);
      at.x += entries[odd] * domain.power_x[first].divisor;
      at.y += entries[odd + 1] * domain.power_y[first].divisor;
      if (first + 1 < digits) {
        const std::uint32_t even = 2 * (block.y - rest_y * domain.power_k[g].divisor);
        at.x += entries[even] * domain.power_x[first + 1].divisor;
        at.y += entries[even + 1] * domain.power_y[first + 1].divisor;
      }
      block.x = rest_x;
      block.y = rest_y;
    }
    return at;
  }
};

}  // namespace warploom
