#pragma once
#include "gpu/scenes/butterfly/networks/brent_kung.h"
#include "gpu/scenes/butterfly/networks/kogge_stone.h"
#include "gpu/scenes/butterfly/networks/ladner_fischer.h"
#include "gpu/scenes/butterfly/tuned/form.h"
#include "gpu/scenes/butterfly/tuned/words.h"

// Plans of scans whose digits are placed when the program is compiled, of rows of any length up to that of a block:
// digits above a row's are those of a batch. Source: the house's design.
namespace warploom {

/// Rows stay where they were loaded: a thread has four neighbours, 128 elements apart from its next four.
struct StayingScan {
  static constexpr bool there = true;
  static constexpr int p = 5, digits_of_warp = p + 5;
  static constexpr int least = 5, most_in_block = 14, most = 24;
  /// log2 of a block's threads.
  static constexpr int most_threads = 9;
  WARPLOOM_HD static constexpr int threads(int n) { return n <= 12 ? 7 : n == 13 ? 8 : most_threads; }
  static constexpr NetworkMapping mapping(int n) { return {n, p, p + threads(n)}; }
  static constexpr Plan plan_of(int n, int stages, int l) {
    Plan plan;
    plan.n = n;
    plan.p = p;
    plan.l = l;
    Layout at;
    at.registers.add_rising(0, 2);
    at.registers.add_rising(7, digits_of_warp);
    at.thread.add_rising(2, 7);
    at.thread.add_rising(digits_of_warp, p + l);
    plan.load.add_rising(0, p + l);
    plan.store = plan.load;
    plan.add(at, 1, stages);
    plan.seams = n > digits_of_warp;
    plan.first_seam = digits_of_warp + 1;
    return plan;
  }
};

/// A row is a warp's, sixteen neighbours a thread: they come there, and leave, by an exchange of each warp.
struct NeighbourScan {
  static constexpr bool there = true;
  static constexpr int p = 4, l = 7, least = 5, most = 9;
  static constexpr NetworkMapping mapping(int n) { return {n, p, p + l}; }
  static constexpr Plan plan_of(int n, int stages, int word_bytes) {
    Plan plan;
    plan.n = n;
    plan.p = p;
    plan.l = l;
    plan.load.add_rising(0, p + l);
    plan.store = plan.load;
    Layout in_order, neighbours;
    in_order.registers.add_rising(0, 2);
    in_order.registers.add_rising(7, 9);
    in_order.thread.add_rising(2, 7);
    in_order.thread.add_rising(9, p + l);
    neighbours.registers.add_rising(0, p);
    neighbours.thread.add_rising(p, p + l);
    plan.add(in_order, 1, 0);
    plan.add(neighbours, 1, stages);
    plan.add(in_order, stages + 1, stages);
    choose_all_words(plan, word_bytes);
    return plan;
  }
};

/// In place of log2 of the threads of a block: they are known when the program runs. A device has code for each number
/// of them; a CPU is as quick by one for all, which takes a third of the time to compile.
constexpr int any_block = -1;

/// As kernels of 2^l threads take it: where elements are does not depend on the length of a row.
template <int l>
struct StayingScanOf {
  static constexpr Plan plan = StayingScan::plan_of(0, 0, l);
};

template <>
struct TunedForm<LadnerFischer> : StayingScan {};
template <>
struct TunedForm<BrentKung> : StayingScan {};
template <>
struct TunedForm<KoggeStone> : NeighbourScan {};

}  // namespace warploom
