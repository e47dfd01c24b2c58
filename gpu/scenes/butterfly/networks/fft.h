#pragma once
#include "gpu/scenes/butterfly/kernels/network.h"

namespace warploom {

// What a stage pairs of a transform's elements: all that differ in its digits.
/// The element that is operand k; none: it has fewer.
WARPLOOM_HD constexpr std::uint32_t digits_partner(const NetworkStage& at, std::uint32_t e, int k) {
  const std::uint32_t mask = (1u << (at.high - at.low + 1)) - 1;
  if (static_cast<std::uint32_t>(k) > mask) return no_element;
  return (e & ~(mask << (at.low - 1))) | static_cast<std::uint32_t>(k) << (at.low - 1);
}
WARPLOOM_HD constexpr std::uint32_t digits_node(const NetworkStage& at, std::uint32_t e) {
  return (e & below_digit(at.low)) | e >> at.high << (at.low - 1);
}

/// Decimation in frequency, in windows of p digits from the top, of which the first may be smaller: its digits are in
/// registers, so that a thread runs the whole window alone. Elements move between windows; X[reversed(e)] comes of e.
/// Source: lobeiras2016indexdigit.
struct FftNetwork {
  static constexpr int operands = 16;
  int n, p, log_radix;  ///< log_radix: digits of a stage, at most p
  /// d of elements that 2^d devices share in natural order: the highest digits have windows of their own. Else 0.
  int first_digits = 0;

  /// Digits hi to lo.
  struct Window {
    int high, low;
  };
  WARPLOOM_HD constexpr int windows() const { return first_windows() + windows_of(n - first_digits); }
  /// Those of the first digits.
  WARPLOOM_HD constexpr int first_windows() const { return first_digits ? windows_of(first_digits) : 0; }
  WARPLOOM_HD constexpr Window window(int number) const {
    const int before = first_windows();
    if (number >= before) return window_of(n - first_digits, n - first_digits, number - before);
    return window_of(first_digits, n, number);
  }
  WARPLOOM_HD constexpr int step() const { return log_radix < p ? log_radix : p; }
  WARPLOOM_HD constexpr int stages() const {
    if (windows() == 0) return 0;
    return (first_digits ? stages_of(first_digits) : 0) + stages_of(n - first_digits);
  }
  WARPLOOM_HD constexpr NetworkStage stage(int number) const {
    for (int w = 0; w < windows(); ++w) {
      const Window digits = window(w);
      const int width = digits.high - digits.low + 1, first = width % step() ? width % step() : step(),
                count = (width + step() - 1) / step();
      if (number > count) {
        number -= count;
        continue;
      }
      const int high = number == 1 ? digits.high : digits.high - first - (number - 2) * step();
      return {high, high - (number == 1 ? first : step()) + 1, w};
    }
    return {};
  }
  WARPLOOM_HD constexpr std::uint64_t nodes() const {
    std::uint64_t all = 0;
    for (int j = 1; j <= stages(); ++j) all += (std::uint64_t{1} << n) >> (stage(j).high - stage(j).low + 1);
    return all;
  }
  WARPLOOM_HD constexpr bool makes(int /*stage*/, std::uint32_t /*e*/) const { return true; }
  WARPLOOM_HD constexpr std::uint32_t partner(int number, std::uint32_t e, int k) const {
    return digits_partner(stage(number), e, k);
  }
  WARPLOOM_HD constexpr std::uint32_t node(int number, std::uint32_t e) const { return digits_node(stage(number), e); }
  /// Which of 2^d devices has an element when a stage runs; 0: as loaded; stages() + 1: as stored. Until a window needs
  /// one of them its lowest digits name the device, then its highest: there is one exchange.
  /// Source: bailey1990external.
  /// In natural order, d being first_digits: the highest digits, but for the windows of those, when the digits below
  /// them do; as stored, the highest digits of X's number. There are three.
  WARPLOOM_HD constexpr int device(int number, std::uint32_t e, int d) const {
    if (first_digits && number > stages()) return static_cast<int>(reversed_digits(e & ((1u << d) - 1), d));
    if (first_digits) {
      const bool at_first = number > 0 && stage(number).window < first_windows();
      return static_cast<int>(e >> (n - (at_first ? 2 * d : d)) & ((1u << d) - 1));
    }
    if (number == 0) return static_cast<int>(e & ((1u << d) - 1));
    if (number > stages()) return static_cast<int>(e >> (n - d));
    return static_cast<int>(stage(number).window < exchange_window(d) ? e & ((1u << d) - 1) : e >> (n - d));
  }
  /// The window that the exchange comes before; -1: rows cannot be shared out so.
  WARPLOOM_HD constexpr int exchange_window(int d) const {
    int first = 0;
    while (first < windows() && window(first).low > d) ++first;
    return first > 0 && first < windows() && window(first).high <= n - d && n - d >= p ? first : -1;
  }
  /// The first stage of a window.
  WARPLOOM_HD constexpr int first_stage(int window_number) const {
    int number = 1;
    while (number <= stages() && stage(number).window < window_number) ++number;
    return number;
  }

 private:
  /// Of so many digits, the first of which is `high`.
  WARPLOOM_HD constexpr int windows_of(int digits) const { return p ? (digits + p - 1) / p : 0; }
  WARPLOOM_HD constexpr Window window_of(int digits, int high, int number) const {
    const int least = digits % p ? digits % p : p, begin = number == 0 ? high : high - least - (number - 1) * p;
    return {begin, begin - (number == 0 ? least : p) + 1};
  }
  WARPLOOM_HD constexpr int stages_of(int digits) const {
    const int least = digits % p ? digits % p : p;
    return (least + step() - 1) / step() + (windows_of(digits) - 1) * ((p + step() - 1) / step());
  }
};

/// Places in a window, as kernels find them: the lowest digits of a thread are those below the registers', ascending,
/// then come those above them, the highest first (permuting_plan). Every digit goes to a bit of a place, and back.
struct WindowPlaces {
  int n, p;
  /// The digit, from 1, that is bit 0 of the register's number.
  WARPLOOM_HD static constexpr int lowest(const FftNetwork& a, int window_number) {
    if (a.windows() == 0) return 1;
    const int low = a.window(window_number).low, most = a.n - a.p + 1;
    return low < most ? low : most;
  }
  WARPLOOM_HD constexpr NetworkPlace place(int low, std::uint32_t e) const {
    return {(e & below_digit(low)) | reversed_digits(e >> (low + p - 1), n - (low + p - 1)) << (low - 1),
            e >> (low - 1) & ((1u << p) - 1)};
  }
  WARPLOOM_HD constexpr std::uint32_t element(int low, const NetworkPlace& at) const {
    return (at.thread & below_digit(low)) | at.item << (low - 1) |
           reversed_digits(at.thread >> (low - 1), n - (low + p - 1)) << (low + p - 1);
  }
};

/// Transforms by the digits of a stage. A new one is a line.
struct FftVariant {
  NetworkInfo info;
  int log_radix;  ///< 0: the published choice for each length
  bool shuffles;
};
inline constexpr FftVariant fft_variants[] = {
    {{"radix2", "Radix 2", "a digit a stage, two values per thread", "lobeiras2015bplg"}, 1, true},
    {{"radix4", "Radix 4", "two digits a stage, four values per thread", "lobeiras2015bplg"}, 2, false},
    {{"radix8", "Radix 8", "three digits a stage, eight values per thread", "lobeiras2015bplg"}, 3, false},
    {{"radix16", "Radix 16", "four digits a stage, sixteen values per thread", "lobeiras2015bplg"}, 4, false},
    {{"index_digit", "Index digit", "the published choice of digits for each length; it takes no p and s",
      "lobeiras2016indexdigit"},
     0,
     false}};

}  // namespace warploom
