#pragma once
#include <cstdint>

#include "gpu/core/macros.h"
#include "gpu/scenes/butterfly/kernels/network.h"

// A network says what is joined; a plan says where it is. Step by step it tells which digit of an element each bit of a
// place holds: of the number of its register, and of its thread in its block. Digits are counted from 0, the lowest;
// those of a batch stand above those of a row, so that the number of an element among all rows is its address. Counts,
// pictures, dumps and kernels ask the same plan. Source: lobeiras2016indexdigit.
namespace warploom {

/// What the bits of a number stand for: bit i is digit at[i].
struct Digits {
  static constexpr int most = 32;
  int count = 0;
  short at[most] = {};

  WARPLOOM_HD constexpr void add(int digit) { at[count++] = static_cast<short>(digit); }
  /// `first` and those above it, below `end`.
  constexpr void add_rising(int first, int end) {
    for (int digit = first; digit < end; ++digit) add(digit);
  }
  /// The one below `end` and those below it, down to `first`.
  constexpr void add_falling(int first, int end) {
    for (int digit = end - 1; digit >= first; --digit) add(digit);
  }
  /// The bit that holds a digit; -1: none.
  WARPLOOM_HD constexpr int bit_of(int digit) const {
    for (int i = 0; i < count; ++i)
      if (at[i] == digit) return i;
    return -1;
  }
  friend constexpr bool operator==(const Digits& one, const Digits& other) {
    bool same = one.count == other.count;
    for (int i = 0; same && i < one.count; ++i) same = one.at[i] == other.at[i];
    return same;
  }
};

/// The number whose digit at[i] is bit i of x.
WARPLOOM_HD constexpr std::uint32_t placed(const Digits& digits, std::uint32_t x) {
  std::uint32_t number = 0;
  for (int i = 0; i < digits.count; ++i) number |= (x >> i & 1) << digits.at[i];
  return number;
}
/// And back: the number whose bit i is digit at[i] of `number`.
WARPLOOM_HD constexpr std::uint32_t gathered(const Digits& digits, std::uint32_t number) {
  std::uint32_t x = 0;
  for (int i = 0; i < digits.count; ++i) x |= (number >> digits.at[i] & 1) << i;
  return x;
}

/// Where elements are: the number of their register, and of their thread in its block. Of a thread's number five bits
/// are those of the lane, the others of the warp.
struct Layout {
  Digits registers, thread;
  friend constexpr bool operator==(const Layout&, const Layout&) = default;
};

/// Which word of shared memory an element lies in during an exchange: bit i of w is digit order.at[i], and its word is
/// w + (w >> a) b. As places share no bits, the word of a register's part and that of a thread's are summands of it.
struct Words {
  Digits order;
  int a = 31, b = 0;  ///< b = 0: no words are left out
  WARPLOOM_HD constexpr std::uint32_t padded(std::uint32_t w) const {
    return w + (w >> a) * static_cast<std::uint32_t>(b);
  }
  /// That an exchange takes.
  WARPLOOM_HD constexpr std::uint32_t count() const { return padded((1u << order.count) - 1) + 1; }
};

/// How elements come from a layout to the next.
struct Crossing {
  Layout from, to;
  Words words;           ///< of programs that are tuned; of a warp's elements alone where these stay in it
  bool none = true;      ///< they are there
  bool in_warp = false;  ///< no element leaves its warp
};

/// Stages `first` to `last` of the network run in a layout; none of them (last below first): elements are only placed.
struct PlanStep {
  Layout at;
  int first = 1, last = 0;
  Crossing into;   ///< from the layout of the step before
  int launch = 0;  ///< that runs it; between two of them elements come through memory
};

/// Where the elements of a network are while its stages run, of blocks of 2^(p + l) elements.
struct Plan {
  static constexpr int most_steps = 26;
  int n = 0, p = 0, l = 0;  ///< log2 of a row's elements, of a thread's, and of a block's threads
  int steps = 0;
  PlanStep step[most_steps] = {};
  /// Stages from `first_seam` on, so many: before each of them there is one barrier more, as others read what a warp
  /// put of its ends into words of their own.
  int seams = 0, first_seam = 0;
  /// Of programs that are tuned, of addresses: what the bits of one stand for, before the first step and behind the
  /// last.
  Digits load, store;

  /// Appends a step, with the crossing into it.
  constexpr void add(const Layout& at, int first, int last, int launch = 0) {
    PlanStep& next = step[steps];
    next.at = at;
    next.first = first;
    next.last = last;
    next.launch = launch;
    if (steps > 0 && step[steps - 1].launch == launch) {
      next.into.from = step[steps - 1].at;
      next.into.to = at;
      next.into.none = next.into.from == at;
      constexpr int lane_bits = 5;
      bool stays = !next.into.none;
      for (int bit = lane_bits; bit < at.thread.count; ++bit)
        stays = stays && at.thread.at[bit] == next.into.from.thread.at[bit];
      next.into.in_warp = stays;
    }
    ++steps;
  }
  /// The step that runs a stage; of stage 0, the load, the first.
  constexpr int step_of(int stage) const {
    int i = 0;
    while (i + 1 < steps && stage > step[i].last) ++i;
    return i;
  }
  /// Barriers of a block that moves its elements as the plan has it. One stands between the writes and the reads of an
  /// exchange that leaves warps, and before the writes of one that does, or that follows one; where both stay, a
  /// barrier of the warp is enough.
  constexpr int block_barriers() const {
    int all = seams;
    for (int i = 0; i < steps; ++i) all += barriers_into(i);
    return all;
  }
  /// Those of them that come before a stage; behind the last one they are its own.
  constexpr int barriers_of(int stage) const {
    const int of = step_of(stage);
    int all = stage >= first_seam && stage < first_seam + seams;
    if (stage == step[of].first) all += barriers_into(of);
    if (of + 2 == steps && stage == step[of].last && step[of + 1].first > step[of + 1].last)
      all += barriers_into(of + 1);
    return all;
  }
  /// ... of the exchange into a step.
  constexpr int barriers_into(int number) const {
    const Crossing& into = step[number].into;
    if (into.none) return 0;
    int all = !into.in_warp, before = number - 1;
    while (before >= 0 && step[before].into.none) --before;
    if (before >= 0) all += !step[before].into.in_warp || !into.in_warp;
    return all;
  }
  constexpr int exchanges() const {
    int all = 0;
    for (int i = 0; i < steps; ++i) all += !step[i].into.none;
    return all;
  }
};

/// Where the elements of a plan are, for those who ask it of many: digits that follow each other move together.
class PlanPlaces {
 public:
  explicit PlanPlaces(const Plan& plan) : plan_(plan) {
    for (int i = 0; i < plan.steps; ++i) moves_[i] = {Moves(plan.step[i].at.registers), Moves(plan.step[i].at.thread)};
  }
  const Plan& plan() const { return plan_; }
  /// The thread of its block, and the register, that an element of a block is in when a stage runs; 0: as loaded.
  NetworkPlace place(int stage, std::uint32_t e) const {
    const OfStep& of = moves_[plan_.step_of(stage)];
    return {of.thread(e), of.registers(e)};
  }

 private:
  /// As `gathered` has it.
  class Moves {
   public:
    Moves() = default;
    explicit Moves(const Digits& digits) {
      for (int i = 0; i < digits.count; ++i) {
        Run* last = count_ ? &runs_[count_ - 1] : nullptr;
        const int apart = last ? digits.at[i] - digits.at[i - 1] : 0;
        if (last && (apart == 1 || apart == -1) && (last->count == 1 || (apart < 0) == last->falls)) {
          last->falls = apart < 0;
          if (last->falls) --last->digit;
          ++last->count;
        } else {
          runs_[count_++] = {digits.at[i], i, 1, false};
        }
      }
    }
    std::uint32_t operator()(std::uint32_t e) const {
      std::uint32_t x = 0;
      for (int i = 0; i < count_; ++i) {
        const Run& run = runs_[i];
        const std::uint32_t part = e >> run.digit & ((1u << run.count) - 1);
        x |= (run.falls ? reversed_digits(part, run.count) : part) << run.bit;
      }
      return x;
    }

   private:
    /// Digits from `digit`, the lowest, on, in bits from `bit` on.
    struct Run {
      int digit, bit, count;
      bool falls;
    };
    int count_ = 0;
    Run runs_[Digits::most] = {};
  };
  struct OfStep {
    Moves registers, thread;
  };
  Plan plan_;
  OfStep moves_[Plan::most_steps];
};

}  // namespace warploom
