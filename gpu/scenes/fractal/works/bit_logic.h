#pragma once
#include <cstdint>

#include "gpu/core/logic.h"
#include "gpu/core/macros.h"
#include "gpu/maps/rule.h"

// Automata on 32 cells at once: a bit of a word is a cell, and bit i of a count is a word.
namespace warploom {

/// How many of some words have each bit, up to 8. Words are handed by reference: on a CPU they may be wide.
template <class Word>
struct BitCount {
  Word ones{}, twos{}, fours{}, eights{};

  /// Of `all` words: by full and half adders, of two operations each where they have three inputs.
  template <int all>
  WARPLOOM_HD_FLAT static BitCount of(const Word (&n)[all ? all : 1]) {
    BitCount to;
    if constexpr (all == 1) {
      to.ones = n[0];
    } else if constexpr (all == 2) {
      half(n[0], n[1], to.ones, to.twos);
    } else if constexpr (all > 2) {
      Word sum, carry;
      full(n[0], n[1], n[2], sum, carry);
      if constexpr (all == 3) {
        to.ones = sum;
        to.twos = carry;
      } else {
        Word more;
        if constexpr (all == 4) {
          half(sum, n[3], to.ones, more);
          half(carry, more, to.twos, to.fours);
        } else if constexpr (all == 5) {
          full(sum, n[3], n[4], to.ones, more);
          half(carry, more, to.twos, to.fours);
        } else {
          Word other;
          full(n[3], n[4], n[5], other, more);
          if constexpr (all == 8) {
            Word three, last, two, four, other_four;
            full(sum, other, n[6], three, last);
            Word one;
            half(three, n[7], to.ones, one);
            full(carry, more, last, two, four);
            half(two, one, to.twos, other_four);
            half(four, other_four, to.fours, to.eights);
          } else {
            Word last;
            if constexpr (all == 7)
              full(sum, other, n[6], to.ones, last);
            else
              half(sum, other, to.ones, last);
            full(carry, more, last, to.twos, to.fours);
          }
        }
      }
    }
    return to;
  }

 private:
  WARPLOOM_HD_FLAT static void half(const Word& x, const Word& y, Word& sum, Word& carry) {
    sum = x ^ y;
    carry = x & y;
  }
  WARPLOOM_HD_FLAT static void full(const Word& x, const Word& y, const Word& z, Word& sum, Word& carry) {
    sum = x ^ y ^ z;
    carry = (x & y) | (z & (x ^ y));
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
      const auto count = BitCount<Word>::template of<all>(around);
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

/// Any rule.
struct RuleLogic : RuleWords<std::uint32_t> {
  static constexpr bool stays_dead = false;
  using RuleWords::RuleWords;
  template <int all, class Word>
  WARPLOOM_HD_FLAT void next(const Word& self, const Word (&around)[all ? all : 1], Word& to) const {
    const auto count = BitCount<Word>::template of<all>(around);
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

/// body(logic) of what steps by a rule.
template <class Body>
void with_logic(const Rule& rule, Body&& body) {
  if (rule == Rule{})
    body(ConwayLogic{});
  else
    body(RuleLogic(rule));
}

}  // namespace warploom
