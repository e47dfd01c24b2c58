#pragma once
#include "gpu/butterfly/fft_data.h"
#include "gpu/butterfly/network.h"

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
/// transformed before, column), of elements 2^after apart.
struct FftGroupData {
  FftData whole;
  FftGroups groups;
  int group = 0;
  const Complex* before = nullptr;  ///< (batch, N); null: as loaded
  Complex* after = nullptr;         ///< (batch, N); null: it is the last, and not split
  Twiddles twiddles;
  bool inverse = false;

  WARPLOOM_HD static bool splits() { return false; }
  WARPLOOM_HD static void store_split(std::uint64_t, std::uint32_t, Complex, Complex) {}

  WARPLOOM_HD Complex load(std::uint64_t problem, std::uint32_t e) const {
    const Place at = place(problem);
    const std::uint64_t i = (at.row << (digits() + behind())) + (std::uint64_t{e} << behind()) + at.column;
    return before ? before[(at.of_batch << all()) + i] : whole.load(at.of_batch, static_cast<std::uint32_t>(i));
  }
  WARPLOOM_HD void store(std::uint64_t problem, std::uint32_t k, Complex value) const {
    const Place at = place(problem);
    if (group + 1 < groups.count) {
      const int turn = digits() + behind();
      const auto exponent = static_cast<std::uint32_t>((std::uint64_t{k} * at.column) & ((1u << turn) - 1));
      Complex w = twiddles.at(exponent, turn);
      if (inverse) w = conjugate(w);
      after[(at.of_batch << all()) + (at.row << turn) + (std::uint64_t{k} << behind()) + at.column] = value * w;
      return;
    }
    // X[k1 + N1 (k2 + N2 (k3 + ...))]: of the rows the first group is the highest.
    std::uint32_t index = k;
    std::uint64_t row = at.row;
    for (int i = group - 1; i >= 0; --i) {
      index = index << groups.digits[i] | static_cast<std::uint32_t>(row & ((1u << groups.digits[i]) - 1));
      row >>= groups.digits[i];
    }
    if (after)
      after[(at.of_batch << all()) + index] = value;
    else
      whole.store(at.of_batch, index, value);
  }

 private:
  struct Place {
    std::uint64_t of_batch, row;
    std::uint32_t column;
  };
  WARPLOOM_HD int all() const { return whole.digits(); }
  WARPLOOM_HD int digits() const { return groups.digits[group]; }
  /// Digits that are still to come.
  WARPLOOM_HD int behind() const { return all() - groups.before(group) - digits(); }
  WARPLOOM_HD Place place(std::uint64_t problem) const {
    const auto column = static_cast<std::uint32_t>(problem & ((std::uint64_t{1} << behind()) - 1));
    const std::uint64_t rest = problem >> behind();
    const int rows = groups.before(group);
    return {rest >> rows, rest & ((std::uint64_t{1} << rows) - 1), column};
  }
};

}  // namespace warploom
