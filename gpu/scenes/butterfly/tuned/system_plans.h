#pragma once
#include "gpu/scenes/butterfly/networks/cyclic_reduction.h"
#include "gpu/scenes/butterfly/networks/wang_mou.h"
#include "gpu/scenes/butterfly/tuned/form.h"
#include "gpu/scenes/butterfly/tuned/words.h"

// Plans of systems whose digits are placed when the program is compiled. Source: the house's design.
namespace warploom {

/// Wang and Mou's network with the eight rows of a thread as tiles: above them its first and last row go on alone, and
/// then the rows between take their unknowns from those of the neighbours. Source: wang1991divide.
struct WangMouByEnds : WangMou {
  static constexpr int in_thread = 3;  ///< digits
  WARPLOOM_HD constexpr int stages() const { return n + 1; }
  WARPLOOM_HD constexpr NetworkStage stage(int j) const { return j <= n ? NetworkStage{j, j} : NetworkStage{}; }
  WARPLOOM_HD constexpr std::uint64_t nodes() const {
    const std::uint64_t rows = std::uint64_t{1} << n;
    return in_thread * rows + static_cast<std::uint64_t>(n - in_thread) * (rows / 4) + rows / 4 * 3;
  }
  WARPLOOM_HD constexpr bool makes(int j, std::uint32_t e) const { return j <= in_thread || is_end(e) == (j <= n); }
  WARPLOOM_HD constexpr std::uint32_t partner(int j, std::uint32_t e, int k) const {
    if (j <= n) return WangMou::partner(j, e, k);
    if (k == 0) return e >> in_thread ? (e & ~in_tile) - 1 : no_element;
    if (k == 1) return e;
    return (e | in_tile) + 1 < 1u << n ? (e | in_tile) + 1 : no_element;
  }

 private:
  static constexpr std::uint32_t in_tile = (1u << in_thread) - 1;
  WARPLOOM_HD static constexpr bool is_end(std::uint32_t e) { return (e & in_tile) == 0 || (e & in_tile) == in_tile; }
};

/// A thread has eight neighbouring rows. They come as they lie and leave by four neighbours, by an exchange of each
/// warp; of interleaved systems the lowest bits of a thread's number are 2^f neighbouring systems, and nothing is
/// exchanged.
struct SystemForm {
  static constexpr int p = 3, digits_of_warp = p + 5;
  static constexpr Plan plan_of(int n, int f, int l, int stages) {
    Plan plan;
    plan.n = n;
    plan.p = p;
    plan.l = l;
    Layout rows;
    rows.registers.add_rising(0, p);
    if (f > 0) {
      rows.thread.add_rising(n, n + f);
      rows.thread.add_rising(p, n);
      plan.add(rows, 1, stages);
    } else {
      const int tile = p + l;
      Layout in_order, by_fours;
      in_order.registers.add_rising(5, digits_of_warp);
      in_order.thread.add_rising(0, 5);
      by_fours.registers.add_rising(0, 2);
      by_fours.registers.add(7);
      by_fours.thread.add_rising(2, 7);
      rows.thread.add_rising(p, tile);
      in_order.thread.add_rising(digits_of_warp, tile);
      by_fours.thread.add_rising(digits_of_warp, tile);
      plan.load.add_rising(0, tile);
      plan.store = plan.load;
      plan.add(in_order, 1, 0);
      plan.add(rows, 1, stages);
      plan.add(by_fours, stages + 1, stages);
      choose_all_words(plan, 4);
    }
    return plan;
  }
};

/// What kernels take of it: where elements are and which words they go by does not depend on the rows of a system.
template <int f, int l>
struct SystemOf {
  static constexpr std::uint32_t word_bytes = 4;
  static constexpr Plan plan = SystemForm::plan_of(SystemForm::p + l - f, f, l, 1);
};

template <>
struct TunedForm<WangMou> {
  static constexpr bool there = true;
  static constexpr int least = 5, most_by_rows = 11, most_in_block = 13, most = 20;
  /// Longer ones go by tiles of so many digits.
  static constexpr int tile = 10;
  /// log2 of a block's threads.
  static constexpr int threads(int n) { return n <= 10 || n > most_in_block ? 7 : n - SystemForm::p; }
  static constexpr bool by_ends(int n) { return n > most_by_rows; }
  static constexpr NetworkMapping mapping(int n) { return {n, SystemForm::p, SystemForm::p + threads(n)}; }
};
template <>
struct TunedForm<ParallelCyclicReduction> {
  static constexpr bool there = true;
  static constexpr int least = 5, most = 8, l = 7;
  static constexpr NetworkMapping mapping(int n) { return {n, SystemForm::p, SystemForm::p + l}; }
};
/// Of systems that lie row by row of all.
template <class Network>
struct InterleavedForm {
  static constexpr bool there = false;
};
template <>
struct InterleavedForm<WangMou> {
  static constexpr bool there = true;
  static constexpr int least = 5, most = 9;
  /// log2 of the neighbouring systems of a block.
  static constexpr int systems(int n) { return n == 5 ? 5 : n == 9 ? 3 : 4; }
  static constexpr NetworkMapping mapping(int n) { return {n, SystemForm::p, n + systems(n)}; }
};

}  // namespace warploom
