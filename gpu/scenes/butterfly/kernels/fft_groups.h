#pragma once
#include "gpu/scenes/butterfly/kernels/fft_data.h"
#include "gpu/scenes/butterfly/kernels/network.h"

namespace warploom {

/// The digits of a transform that is too long for a block, shared out to launches: so many that a block has four
/// neighbouring columns at least, as even as can be, the larger ones first. Source: perez2018large, and the house's
/// design.
struct FftGroups {
  static constexpr int most = 8;
  int count = 0;
  int digits[most] = {};

  constexpr FftGroups() = default;
  /// n digits by blocks of 2^s elements.
  constexpr FftGroups(int n, int s) {
    const int wide = s - 2;
    count = (n + wide - 1) / wide;
    for (int i = 0; i < count; ++i) digits[i] = n / count + (i < n % count ? 1 : 0);
  }
  WARPLOOM_HD constexpr int before(int group) const {
    int all = 0;
    for (int i = 0; i < group; ++i) all += digits[i];
    return all;
  }
};

/// What a launch of such a transform loads and stores. A problem of it is a column: (of the batch, row of what was
/// transformed before, column), of elements 2^behind apart.
struct FftGroupData {
  FftData whole;
  FftGroups groups;
  int group = 0;
  int all = 0, digits = 0, ahead = 0, behind = 0;  ///< of the network, this group's, those done, those to come
  const Complex* before = nullptr;                 ///< (batch, N); null: as loaded
  Complex* after = nullptr;                        ///< (batch, N); null: it is the last, and not split
  Twiddles twiddles;
  bool inverse = false;

  FftGroupData() = default;
  FftGroupData(const FftData& data, const FftGroups& shared_out, int number)
      : whole(data),
        groups(shared_out),
        group(number),
        all(data.digits()),
        digits(groups.digits[number]),
        ahead(groups.before(number)),
        behind(all - ahead - digits),
        twiddles(data.twiddles),
        inverse(data.inverse) {}

  WARPLOOM_HD static constexpr bool splits() { return false; }

  /// Where a column is: found once for all of its elements.
  struct Rows {
    std::uint64_t of_batch = 0, first = 0;  ///< `first`: of its first element, from its problem's
    std::uint32_t column = 0;
    std::uint32_t row = 0;  ///< of the last group: what its row adds to the number of an output
  };
  WARPLOOM_HD Rows of(std::uint64_t problem) const {
    Rows at;
    at.column = static_cast<std::uint32_t>(problem & ((std::uint64_t{1} << behind) - 1));
    const std::uint64_t rest = problem >> behind;
    at.of_batch = rest >> ahead;
    std::uint64_t row = rest & ((std::uint64_t{1} << ahead) - 1);
    at.first = (row << (digits + behind)) + at.column;
    // X[k1 + N1 (k2 + N2 (k3 + ...))]: of the rows the first group is the highest.
    for (int i = group - 1; i >= 0; --i) {
      at.row = at.row << groups.digits[i] | static_cast<std::uint32_t>(row & ((1u << groups.digits[i]) - 1));
      row >>= groups.digits[i];
    }
    return at;
  }
  WARPLOOM_HD static void store_split(const Rows&, std::uint32_t, Complex, Complex) {}

  WARPLOOM_HD Complex load(const Rows& at, std::uint32_t e) const {
    const std::uint64_t i = at.first + (std::uint64_t{e} << behind);
    return before ? before[(at.of_batch << all) + i] : whole.load(at.of_batch, static_cast<std::uint32_t>(i));
  }
  WARPLOOM_HD void store(const Rows& at, std::uint32_t k, Complex value) const {
    if (group + 1 < groups.count) {
      const int turn = digits + behind;
      const auto exponent = static_cast<std::uint32_t>((std::uint64_t{k} * at.column) & ((1u << turn) - 1));
      Complex w = twiddles.at(exponent, turn);
      if (inverse) w = conjugate(w);
      after[(at.of_batch << all) + at.first + (std::uint64_t{k} << behind)] = value * w;
      return;
    }
    const std::uint32_t index = k << ahead | at.row;
    if (after)
      after[(at.of_batch << all) + index] = value;
    else
      whole.store(at.of_batch, index, value);
  }
};

}  // namespace warploom
