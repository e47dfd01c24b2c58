#pragma once
#include <cstdint>

#include "gpu/core/logic.h"
#include "gpu/core/macros.h"
#include "gpu/works/rule.h"

// Automata on 32 cells at once: a bit of a word is a cell, and bit i of a count is a word.
namespace warploom {

/// How many of some words have each bit, up to 8. Words are handed by reference: on a CPU they may be wide.
template <class Word>
struct BitCount {
  Word ones{}, twos{}, fours{}, eights{};

  WARPLOOM_HD_FLAT void add(const Word& x) {
    Word carry = ones & x;
    ones = ones ^ x;
    const Word more = twos & carry;
    twos = twos ^ carry;
    carry = fours & more;
    fours = fours ^ more;
    eights = eights | carry;
  }
  /// Three at once: a full adder is two operations of three inputs.
  WARPLOOM_HD_FLAT void add(const Word& x, const Word& y, const Word& z) {
    const Word sum = x ^ y ^ z, both = (x & y) | (z & (x ^ y));
    Word carry = ones & sum;
    ones = ones ^ sum;
    const Word two = twos ^ both ^ carry, four = (twos & both) | (carry & (twos ^ both));
    twos = two;
    carry = fours & four;
    fours = fours ^ four;
    eights = eights | carry;
  }
  /// `all` of them.
  template <int all>
  WARPLOOM_HD_FLAT void add_all(const Word (&words)[all ? all : 1]) {
    if constexpr (all > 2) add(words[0], words[1], words[2]);
    if constexpr (all > 5) add(words[3], words[4], words[5]);
    constexpr int whole = all / 3 < 2 ? all / 3 * 3 : 6;
    if constexpr (all > whole) add(words[whole]);
    if constexpr (all > whole + 1) add(words[whole + 1]);
  }
};

/// B3/S23, which most automata are.
struct ConwayLogic {
  /// Where nothing lives around, nothing is born: bits that no lane has stay 0 by themselves.
  static constexpr bool stays_dead = true;
  /// The next state of a word with `all` neighbours.
  template <int all, class Word>
  WARPLOOM_HD_FLAT void next(const Word& self, const Word (&around)[all ? all : 1], Word& to) const {
    if constexpr (has_logic_3<Word>()) {
      to = few_operations<all>(self, around);
    } else {
      BitCount<Word> count;
      count.template add_all<all>(around);
      to = count.twos & ~count.fours & ~count.eights & (count.ones | self);
    }
  }

  /// The same by operations of three inputs: 3, 4, 6, 8, 8 and 12 of them for 3 to 8 neighbours. The count must have
  /// one two and no four; its one may be there or not, if the cell is alive.
  template <int all, class Word>
  WARPLOOM_HD_FLAT static Word few_operations(const Word& self, const Word (&n)[all ? all : 1]) {
    constexpr unsigned any = 0xfe, exactly_one = 0x16, first_and_either = 0xe0;
    if constexpr (all < 2) {
      return Word{};
    } else if constexpr (all == 2) {
      return n[0] & n[1] & self;
    } else {
      const Word s0 = sum(n[0], n[1], n[2]), k0 = carry(n[0], n[1], n[2]);
      if constexpr (all == 3) {
        return logic_3<first_and_either>(k0, s0, self);
      } else if constexpr (all == 4) {
        // self ? s0 & n : s0 ^ n; that where k0 and self differ, its opposite where both are.
        const Word half = logic_3<0x94>(s0, n[3], self);
        return logic_3<0x68>(k0, self, half);
      } else if constexpr (all == 5) {
        const Word s1 = sum(s0, n[3], n[4]), k1 = carry(s0, n[3], n[4]);
        return (k0 ^ k1) & (s1 | self);
      } else {
        const Word s1 = sum(n[3], n[4], n[5]), k1 = carry(n[3], n[4], n[5]);
        if constexpr (all == 6) {
          return logic_3<exactly_one>(k0, k1, s0 & s1) & logic_3<0xde>(s0, self, s1);  // (s0 ^ s1) | self
        } else if constexpr (all == 7) {
          const Word s2 = sum(s0, s1, n[6]), k2 = carry(s0, s1, n[6]);
          return logic_3<exactly_one>(k0, k1, k2) & (s2 | self);
        } else {
          const Word s2 = n[6] ^ n[7], k2 = n[6] & n[7];
          const Word s3 = sum(s0, s1, s2), k3 = carry(s0, s1, s2);
          const Word one_two = logic_3<0x3a>(k3, logic_3<any>(k0, k1, k2), logic_3<exactly_one>(k0, k1, k2));
          return one_two & (s3 | self);
        }
      }
    }
  }

 private:
  template <class Word>
  WARPLOOM_HD_FLAT static Word sum(const Word& x, const Word& y, const Word& z) {
    return logic_3<0x96>(x, y, z);
  }
  template <class Word>
  WARPLOOM_HD_FLAT static Word carry(const Word& x, const Word& y, const Word& z) {
    return logic_3<0xe8>(x, y, z);
  }
};

/// Any rule: word i of each is all ones where the rule has i, else 0.
struct RuleLogic {
  static constexpr bool stays_dead = false;
  std::uint32_t born[9] = {}, survive[9] = {};

  RuleLogic() = default;
  explicit RuleLogic(const Rule& rule) {
    for (int i = 0; i < 9; ++i) {
      born[i] = rule.born >> i & 1 ? ~0u : 0;
      survive[i] = rule.survive >> i & 1 ? ~0u : 0;
    }
  }
  template <int all, class Word>
  WARPLOOM_HD_FLAT void next(const Word& self, const Word (&around)[all ? all : 1], Word& to) const {
    BitCount<Word> count;
    count.template add_all<all>(around);
    Word of[9];
    for (int i = 0; i <= all; ++i) of[i] = (self & survive[i]) | (~self & born[i]);
    // What no count of so few can be is not asked for: of[] of three levels, each half as many.
    Word two[5], four[3];
    two[0] = two[1] = two[2] = two[3] = two[4] = of[0];
    for (int i = 0; i <= all; i += 2) chosen(count.ones, of[i], of[i < all ? i + 1 : i], two[i / 2]);
    four[0] = four[1] = four[2] = two[0];
    for (int i = 0; i <= all; i += 4)
      chosen(count.twos, two[i / 2], two[i + 2 <= all ? i / 2 + 1 : i / 2], four[i / 4]);
    if constexpr (all < 4) {
      to = four[0];
    } else {
      chosen(count.fours, four[0], four[1], to);
      if constexpr (all == 8) chosen(count.eights, Word(to), of[8], to);
    }
  }

 private:
  template <class Word>
  WARPLOOM_HD_FLAT static void chosen(const Word& by, const Word& zero, const Word& one, Word& to) {
    to = (by & one) | (~by & zero);
  }
};

}  // namespace warploom
