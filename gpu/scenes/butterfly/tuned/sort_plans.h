#pragma once
#include "gpu/scenes/butterfly/networks/bitonic.h"
#include "gpu/scenes/butterfly/tuned/form.h"
#include "gpu/scenes/butterfly/tuned/words.h"

// Plans of bitonic sorts whose digits are placed when the program is compiled, of rows of any length up to that of a
// block. Source: the house's design.
namespace warploom {

/// Keys come by neighbours, and by an exchange of each warp to where registers hold the five lowest digits. A merge
/// brings the digits that it compares into registers, five at a time from the top, until at most one lane's is left.
struct SortForm {
  static constexpr bool there = true;
  static constexpr int p = 5, least = 5, most_in_block = 14, most = 24;
  /// Merges of so many digits and fewer run where registers hold the lowest.
  static constexpr int most_at_rest = p + 1;
  /// log2 of a block's threads.
  static constexpr int threads(int n) { return n <= 12 ? 7 : n == 13 ? 8 : 9; }
  static constexpr NetworkMapping mapping(int n) { return {n, p, p + threads(n)}; }

  /// The first stage of a merge of 2^k that compares digit j, from 1.
  static constexpr int stage(int k, int j) { return k * (k - 1) / 2 + k - j + 1; }
  /// Registers hold the digits below `end`.
  static constexpr Layout window(int end, int tile) {
    Layout at;
    at.registers.add_rising(end - p, end);
    at.thread.add_rising(0, end - p);
    at.thread.add_rising(end, tile);
    return at;
  }
  static constexpr Plan plan_of(int n, int l) {
    Plan plan = layouts_of(n, l);
    choose_all_words(plan, 4);
    return plan;
  }
  /// ... without words, which take a compiler longer to choose.
  static constexpr Plan layouts_of(int n, int l) {
    const int tile = p + l;
    Plan plan;
    plan.n = n;
    plan.p = p;
    plan.l = l;
    plan.load.add_rising(0, tile);
    plan.store = plan.load;
    Layout in_order;
    in_order.registers.add_rising(0, 2);
    in_order.registers.add_rising(7, 10);
    in_order.thread.add_rising(2, 7);
    in_order.thread.add_rising(10, tile);
    plan.add(in_order, 1, 0);
    const int rest = n < most_at_rest ? n : most_at_rest;
    plan.add(window(p, tile), 1, stage(rest, 1));
    for (int k = most_at_rest + 1; k <= n; ++k) {
      int end = k;
      for (; end > most_at_rest; end -= p) plan.add(window(end, tile), stage(k, end), stage(k, end - p + 1));
      plan.add(window(p, tile), stage(k, end), stage(k, 1));
    }
    plan.add(in_order, stage(n, 1) + 1, stage(n, 1));
    return plan;
  }
};
template <>
struct TunedForm<Bitonic> : SortForm {};

/// The plan of blocks of 2^l threads, as kernels take it: it has that of shorter rows as its beginning.
template <int l>
struct SortOf {
  static constexpr std::uint32_t word_bytes = 4;
  static constexpr int most = SortForm::p + l;
  static constexpr Plan plan = SortForm::plan_of(most, l);
};
/// Of rows of 2^n in them: whether the exchange before the one by which they leave left its warps.
template <int n, int l>
struct SortedRows {
  static constexpr Plan plan = SortForm::layouts_of(n, l);
  static constexpr bool last_left_warps = exchanged_before(plan, plan.steps - 1) == 2;
};

}  // namespace warploom
