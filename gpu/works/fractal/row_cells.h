#pragma once
#include <cstdint>
#include <utility>

#include "gpu/core/macros.h"
#include "gpu/core/number.h"
#include "gpu/core/word_pair.h"
#include "gpu/works/rule.h"

// Automata on rows of bytes: eight cells in 64 bits, a byte each, 0 or 1. Source: the house's design.
namespace warploom {

/// The widest row that a thread has, in words of eight cells, and its cells.
inline constexpr int most_row_words = 4;
inline constexpr std::uint32_t most_row_cells = 8 * most_row_words;
inline constexpr std::uint64_t ones_of_bytes = 0x0101010101010101ull;

/// body(Number<i>) for i below `count`, as straight-line code: words stay in registers.
template <int count, class Body>
WARPLOOM_HD void each_number(Body&& body) {
  [&]<int... i>(std::integer_sequence<int, i...>) { (body(Number<i>{}), ...); }
  (std::make_integer_sequence<int, count>{});
}

/// A row of cells in so many words of eight; what is beyond its end is 0.
template <int count>
struct CellRow {
  static constexpr std::uint32_t most_cells = 8 * count;
  std::uint64_t words[count] = {};

  /// From memory, `cells` of them; by whole words where they lie on such.
  WARPLOOM_HD static CellRow load(const std::uint8_t* from, std::uint32_t cells) {
    CellRow row;
    if (whole(from, cells)) {
      if constexpr (count % 2 == 0) {
        if (cells == most_cells && on_pair(from)) {
          each_number<count / 2>([&](auto i) {
            constexpr std::size_t at = 2 * static_cast<std::size_t>(decltype(i)::value);
            load_pair(from + 8 * at, row.words[at], row.words[at + 1]);
          });
          return row;
        }
      }
      each_number<count>([&](auto i) {
        constexpr unsigned at = 8 * decltype(i)::value;
        if (at < cells) row.words[decltype(i)::value] = *reinterpret_cast<const std::uint64_t*>(from + at);
      });
      return row;
    }
    each_number<count>([&](auto i) {
      constexpr unsigned at = 8 * decltype(i)::value;
      std::uint64_t word = 0;
      for (std::uint32_t cell = at; cell < at + 8 && cell < cells; ++cell)
        word |= std::uint64_t{from[cell]} << 8 * (cell - at);
      row.words[decltype(i)::value] = word;
    });
    return row;
  }
  WARPLOOM_HD void store(std::uint8_t* to, std::uint32_t cells) const {
    if (whole(to, cells)) {
      if constexpr (count % 2 == 0) {
        if (cells == most_cells && on_pair(to)) {
          each_number<count / 2>([&](auto i) {
            constexpr std::size_t at = 2 * static_cast<std::size_t>(decltype(i)::value);
            store_pair(to + 8 * at, words[at], words[at + 1]);
          });
          return;
        }
      }
      each_number<count>([&](auto i) {
        constexpr unsigned at = 8 * decltype(i)::value;
        if (at < cells) *reinterpret_cast<std::uint64_t*>(to + at) = words[decltype(i)::value];
      });
      return;
    }
    each_number<count>([&](auto i) {
      constexpr unsigned at = 8 * decltype(i)::value;
      std::uint64_t word = words[decltype(i)::value];
      for (std::uint32_t cell = at; cell < at + 8 && cell < cells; ++cell, word >>= 8)
        to[cell] = static_cast<std::uint8_t>(word);
    });
  }

  /// Each cell with those to its left and right; `left` and `right` are the cells beside the row of `cells`.
  WARPLOOM_HD CellRow beside(std::uint32_t cells, std::uint64_t left, std::uint64_t right) const {
    CellRow with = *this, sum;
    each_number<count>([&](auto i) {
      if (cells / 8 == static_cast<unsigned>(decltype(i)::value))
        with.words[decltype(i)::value] |= right << 8 * (cells % 8);
    });
    each_number<count>([&](auto i) {
      constexpr int at = decltype(i)::value;
      std::uint64_t before = left, after = cells == most_cells ? right : 0;
      if constexpr (at > 0) before = words[at - 1] >> 56;
      if constexpr (at + 1 < count) after = with.words[at + 1];
      sum.words[at] = (words[at] << 8 | before) + words[at] + (with.words[at] >> 8 | after << 56);
    });
    return sum;
  }

 private:
  WARPLOOM_HD static bool whole(const std::uint8_t* at, std::uint32_t cells) {
    return reinterpret_cast<std::uintptr_t>(at) % 8 == 0 && cells % 8 == 0;
  }
};

/// The next state of rows of cells, from how many live around each: in 64 bits at once.
struct RowRule {
  bool conway = false;
  std::uint64_t born[9] = {}, survive[9] = {};  ///< all bits where the rule has that number

  RowRule() = default;
  explicit RowRule(const Rule& rule) : conway(rule == Rule{}) {
    for (int i = 0; i < 9; ++i) {
      born[i] = rule.born >> i & 1 ? ~std::uint64_t{0} : 0;
      survive[i] = rule.survive >> i & 1 ? ~std::uint64_t{0} : 0;
    }
  }
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
