#pragma once
#include <cstdint>
#include <utility>

#include "gpu/core/macros.h"
#include "gpu/core/pack.h"
#include "gpu/core/type_list.h"
#include "gpu/maps/rule.h"
#include "gpu/scenes/fractal/works/row_digits.h"

// Automata on rows of bytes: eight cells in 64 bits, a byte each, 0 or 1. Source: the house's design.
namespace warploom {

inline constexpr std::uint64_t ones_of_bytes = 0x0101010101010101ull;

/// body(Number<i>) for i below `count`, as straight-line code: words stay in registers.
template <int count, class Body>
WARPLOOM_HD void each_number(Body&& body) {
  [&]<int... i>(std::integer_sequence<int, i...>) { (body(Number<i>{}), ...); }
  (std::make_integer_sequence<int, count>{});
}

/// How rows lie in memory. full: of 8 x words cells, from a multiple of 16 bytes on (of 8, where they have one word).
/// padded: of fewer cells, in as many bytes. any: wherever.
enum class RowKind { full, padded, any };

/// A row of cells in so many words of eight; what is beyond its end is 0.
template <int count>
struct CellRow {
  static constexpr std::uint32_t most_cells = 8 * count;
  std::uint64_t words[count] = {};

  /// From memory, `cells` of them. The whole words around them are read.
  template <RowKind kind>
  WARPLOOM_HD static CellRow load(const std::uint8_t* from, std::uint32_t cells) {
    CellRow row;
    if constexpr (kind == RowKind::any) {
      const auto beyond = static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(from) % 8);
      const auto* const whole = reinterpret_cast<const std::uint64_t*>(from - beyond);
      std::uint64_t read[count + 1] = {};
      each_number<count + 1>([&](auto i) {
        constexpr unsigned at = i;
        if (8 * at < beyond + cells) read[at] = whole[at];
      });
      each_number<count>([&](auto i) {
        row.words[i] = funnel(read[i], read[i + 1], 8 * beyond) & first_bytes(cells, 8 * static_cast<unsigned>(i));
      });
    } else if constexpr (count % 2 == 0) {
      each_number<count / 2>([&](auto i) {
        constexpr std::size_t at = 2 * static_cast<std::size_t>(i);
        load_pair(from + 8 * at, row.words[at], row.words[at + 1]);
      });
    } else {
      each_number<count>([&](auto i) { row.words[i] = reinterpret_cast<const std::uint64_t*>(from)[i]; });
    }
    // Cells that were written one by one left what is beside a row as it was.
    if constexpr (kind == RowKind::padded)
      each_number<count>([&](auto i) { row.words[i] &= first_bytes(cells, 8 * static_cast<unsigned>(i)); });
    return row;
  }
  /// Nothing but its cells is written, and zeros where it is padded.
  template <RowKind kind>
  WARPLOOM_HD void store(std::uint8_t* to, std::uint32_t cells) const {
    if constexpr (kind == RowKind::any) {
      const auto beyond = static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(to) % 8), end = beyond + cells;
      auto* const whole = reinterpret_cast<std::uint64_t*>(to - beyond);
      each_number<count + 1>([&](auto i) {
        constexpr unsigned at = i;
        std::uint64_t word = 0;
        if constexpr (at < count) word = words[at] << 8 * beyond;
        if constexpr (at > 0)
          if (beyond) word |= words[at - 1] >> (64 - 8 * beyond);
        // Clamped from below alone: ptxas 13.0 errs where a signed number is clamped to 0..8 and asked for 8.
        const unsigned first = at == 0 ? beyond : 0, until = end > 8 * at ? end - 8 * at : 0;
        if (first == 0 && until >= 8)
          whole[at] = word;
        else
          store_part(whole + at, word, first, until);
      });
    } else if constexpr (count % 2 == 0) {
      each_number<count / 2>([&](auto i) {
        constexpr std::size_t at = 2 * static_cast<std::size_t>(i);
        store_pair(to + 8 * at, words[at], words[at + 1]);
      });
    } else {
      each_number<count>([&](auto i) { reinterpret_cast<std::uint64_t*>(to)[i] = words[i]; });
    }
  }

  WARPLOOM_HD CellRow& operator+=(const CellRow& other) {
    each_number<count>([&](auto i) { words[i] += other.words[i]; });
    return *this;
  }
  /// Each cell with those to its left and right; `left` and `right` are the cells beside the row of `cells`.
  template <RowKind kind>
  WARPLOOM_HD CellRow beside(std::uint32_t cells, std::uint64_t left, std::uint64_t right) const {
    CellRow with = *this, sum;
    const bool full = kind == RowKind::full || cells == most_cells;
    if constexpr (kind != RowKind::full)
      each_number<count>([&](auto i) {
        if (cells / 8 == static_cast<unsigned>(i)) with.words[i] |= right << 8 * (cells % 8);
      });
    each_number<count>([&](auto i) {
      constexpr int at = i;
      std::uint64_t before = left, after = full ? right : 0;
      if constexpr (at > 0) before = words[at - 1] >> 56;
      if constexpr (at + 1 < count) after = with.words[at + 1];
      sum.words[at] = (words[at] << 8 | before) + words[at] + (with.words[at] >> 8 | after << 56);
    });
    return sum;
  }

 private:
  /// 64 bits of two words, from bit `shift` of the first on; `shift` is below 64.
  WARPLOOM_HD static std::uint64_t funnel(std::uint64_t low, std::uint64_t high, unsigned shift) {
    return shift ? low >> shift | high << (64 - shift) : low;
  }
  /// The bytes of a word of which cell `first` is the first that are among so many cells.
  WARPLOOM_HD static std::uint64_t first_bytes(std::uint32_t cells, std::uint32_t first) {
    if (cells >= first + 8) return ~std::uint64_t{0};
    return cells <= first ? 0 : (std::uint64_t{1} << 8 * (cells - first)) - 1;
  }
  /// Bytes first..until - 1 of a word, as far as it goes, by the widest stores: those beside them are another thread's.
  WARPLOOM_HD static void store_part(std::uint64_t* to, std::uint64_t word, unsigned first, unsigned until) {
    auto* const bytes = reinterpret_cast<std::uint8_t*>(to);
    for (unsigned half = 0; half < 8; half += 4) {
      if (first <= half && until >= half + 4) {
        *reinterpret_cast<std::uint32_t*>(bytes + half) = static_cast<std::uint32_t>(word >> 8 * half);
        continue;
      }
      for (unsigned pair = half; pair < half + 4; pair += 2) {
        if (first <= pair && until >= pair + 2) {
          *reinterpret_cast<std::uint16_t*>(bytes + pair) = static_cast<std::uint16_t>(word >> 8 * pair);
          continue;
        }
        for (unsigned i = pair; i < pair + 2; ++i)
          if (first <= i && i < until) bytes[i] = static_cast<std::uint8_t>(word >> 8 * i);
      }
    }
  }
};

/// The next state of rows of cells, from how many live around each: in 64 bits at once.
struct RowRule : RuleWords<std::uint64_t> {
  bool conway = false;

  RowRule() = default;
  explicit RowRule(const Rule& rule) : RuleWords(rule), conway(rule == Rule{}) {}
  WARPLOOM_HD std::uint64_t next(std::uint64_t self, std::uint64_t count) const {
    if (conway) {
      // 3, or 2 and alive: what is left of 3 is 0.
      const std::uint64_t left = (count | self) ^ 3 * ones_of_bytes;
      return ((left + 0xf * ones_of_bytes) >> 4 & ones_of_bytes) ^ ones_of_bytes;
    }
    const std::uint64_t alive = self * 255;  // the byte of each live cell
    const auto bit = [&](int i) { return (count >> i & ones_of_bytes) * 255; };
    const auto of = [&](int i) { return (alive & survive[i]) | (~alive & born[i]); };
    const auto chosen = [](std::uint64_t by, std::uint64_t zero, std::uint64_t one) {
      return (by & one) | (~by & zero);
    };
    const std::uint64_t one = bit(0), two = bit(1), four = bit(2), eight = bit(3);
    const std::uint64_t low = chosen(two, chosen(one, of(0), of(1)), chosen(one, of(2), of(3))),
                        high = chosen(two, chosen(one, of(4), of(5)), chosen(one, of(6), of(7)));
    return chosen(eight, chosen(four, low, high), of(8)) & ones_of_bytes;
  }
};

}  // namespace warploom
