#pragma once
#include <vector>

#include "gpu/core/bits.h"
#include "gpu/core/pack.h"
#include "gpu/scenes/butterfly/tuned/exchange.h"
#include "gpu/scenes/butterfly/tuned/fft_plans.h"
#include "gpu/scenes/butterfly/tuned/fft_window.h"

// Transforms of rows that are longer than a block, some digits a launch. A block has them of several columns or rows,
// its riders, so that what it reads and writes lies together. Source: the house's design, after perez2018large.
namespace warploom {

/// What a pass does with its tile; n, and which digits of a row they are, is known when it runs.
struct PassShape {
  static constexpr int most_windows = 3;
  bool is_last;  ///< its digits are the lowest and its riders rows whose outputs are neighbours; else columns
  int p, l;      ///< log2 of a thread's elements, and of a block's threads
  int riders;    ///< log2 of them
  int windows[most_windows];  ///< digits of each, from the top; 0: none

  friend constexpr bool operator==(const PassShape&, const PassShape&) = default;
  WARPLOOM_HD constexpr int count() const {
    int all = 0;
    while (all < most_windows && windows[all]) ++all;
    return all;
  }
  WARPLOOM_HD constexpr int digits() const { return p + l - riders; }
  /// The lowest digit of a window, of those of the pass.
  WARPLOOM_HD constexpr int low(int window) const {
    int left = digits();
    for (int i = 0; i <= window; ++i) left -= windows[i];
    return left;
  }
  /// Where they begin among the digits of a tile: behind columns, and before rows.
  WARPLOOM_HD constexpr int first_digit() const { return is_last ? 0 : riders; }
};

/// Registers hold a window's digits and those above it. Threads those below it, ascending, behind columns or before
/// rows; and those above, the highest first.
constexpr Plan plan_of(const PassShape& shape) {
  Plan plan;
  const int digits = shape.digits(), begin = shape.first_digit();
  plan.n = shape.p + shape.l;
  plan.p = shape.p;
  plan.l = shape.l;
  for (int i = 0; i < shape.count(); ++i) {
    const int low = shape.low(i), first = low + shape.p <= digits ? low : digits - shape.p;
    Layout at;
    at.registers.add_rising(begin + first, begin + first + shape.p);
    if (!shape.is_last) at.thread.add_rising(0, shape.riders);
    at.thread.add_rising(begin, begin + first);
    if (shape.is_last) at.thread.add_rising(digits, digits + shape.riders);
    at.thread.add_falling(begin + first + shape.p, begin + digits);
    plan.add(at, i + 1, i + 1);
  }
  choose_all_words(plan, sizeof(Complex));
  return plan;
}

/// A pass of rows of a length.
struct FftPass {
  PassShape shape;
  int n, low;  ///< log2 of a row's elements; the lowest of its digits
  WARPLOOM_HD constexpr int high() const { return low + shape.digits(); }
};
/// Entries as of turn_entries, of a window one table by what its threads hold of the digits below it, and one by what
/// its blocks do: `of_block` behind the others. The last pass has none of blocks.
struct PassTurns {
  const Complex *of_thread, *of_block;
};
WARPLOOM_HD constexpr int turn_entries(const PassShape& shape, int window) {
  return (shape.windows[window] + 1) / 2 * 2;
}
/// log2 of the numbers that threads and blocks have of it.
WARPLOOM_HD constexpr int thread_digits(const PassShape& shape, int window) {
  return shape.first_digit() + shape.low(window);
}
/// Those of threads, then those of blocks, made in double.
std::vector<Complex> turns_of_threads(const FftPass& pass);
std::vector<Complex> turns_of_blocks(const FftPass& pass);

/// A pass as kernels take it: by a type that holds its shape, since nvcc 13.0 writes structures as template arguments
/// of kernels wrongly into what the host compiles.
template <class Shaped>
struct PassOf {
  static constexpr PassShape shape = Shaped::shape;
  static constexpr Plan plan = plan_of(shape);
  static constexpr std::uint32_t word_bytes = sizeof(Complex);
};

/// A block runs a pass of its tile. `Tuned`: a PassOf.
template <class Tuned>
struct TunedPass {
  static constexpr PassShape shape = Tuned::shape;
  static constexpr int p = shape.p, items = 1 << p, tile = p + shape.l, riders = shape.riders, digits = shape.digits(),
                       last = Tuned::plan.steps - 1;
  static constexpr unsigned exact_threads = 1u << shape.l, most_threads = exact_threads,
                            least_blocks = p == 5 ? 1 : 1024u >> shape.l;
  static constexpr std::uint64_t threads_per_chunk = 1024;

  FftPass pass;
  const Complex* in;  ///< (batch, N)
  Complex* out;
  bool swaps_in, swaps_out;  ///< the inverse is the transform of what is swapped, swapped back
  float scale;               ///< of what is swapped back
  PassTurns turns;

  std::uint64_t dynamic_shared_bytes() const { return shared_words(Tuned::plan) * sizeof(Complex); }

  struct Registers {
    Complex v[items];
  };

  template <class Group>
  using Own = typename Group::template PerThread<Registers>;

  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    Own<Group> own;
    auto words = group.template dynamic_tile<Complex>(shared_words(Tuned::plan));
    const std::uint64_t tile_number = group.block_number();
    load(group, own, in + first_in(tile_number), pass.n, [](const Complex* from) { return *from; });
    run(group, own, words, tile_number, [] {});
    store(group, own, out + first_out(tile_number), [](Complex* to, const Complex& value) { *to = value; });
  }

  // The parts of it, for blocks that hand tiles on.

  /// From where the tile begins, read by fetch(address); rows that are riders lie in a row of 2^row_digits elements.
  template <class Group, class Fetch>
  WARPLOOM_HD void load(Group& group, Own<Group>& own, const Complex* from, int row_digits, Fetch&& fetch) const {
    group.each([&](const Thread& thread) {
      constexpr Digits of_thread = Tuned::plan.step[0].at.thread;
      constexpr auto parts = parts_of<items>(Tuned::plan.step[0].at.registers);
      const std::uint64_t at = place_in(spread<of_thread>(thread.index), row_digits);
      Registers values;
      WARPLOOM_UNROLL
      for (int i = 0; i < items; ++i) values.v[i] = fetch(from + (at + place_in(parts.of[i], row_digits)));
      if (swaps_in) swap_all(values, 1);
      own[thread] = values;
    });
  }
  /// All windows; has_gone() when what was read is in shared memory, all threads being past a barrier.
  template <class Group, class WordsOf, class Gone>
  WARPLOOM_HD void run(Group& group, Own<Group>& own, WordsOf& words, std::uint64_t tile_number,
                       Gone&& has_gone) const {
    steps_from<0>(group, own, words, tile_number, has_gone);
  }
  /// By put(address, value).
  template <class Group, class Put>
  WARPLOOM_HD void store(Group& group, Own<Group>& own, Complex* to, Put&& put) const {
    group.each([&](const Thread& thread) {
      constexpr Digits of_thread = stored(Tuned::plan.step[last].at.thread);
      constexpr auto parts = parts_of<items>(stored(Tuned::plan.step[last].at.registers));
      const std::uint64_t at = place_out(spread<of_thread>(thread.index));
      Registers values = own[thread];
      if (swaps_out) swap_all(values, scale);
      WARPLOOM_UNROLL
      for (int i = 0; i < items; ++i) put(to + (at + place_out(parts.of[i])), values.v[i]);
    });
  }
  // Where a tile begins: digits that it has none of, and the row.
  WARPLOOM_HD int between() const { return shape.is_last ? pass.n - riders - digits : pass.low - riders; }
  WARPLOOM_HD std::uint64_t first_in(std::uint64_t block) const {
    const std::uint64_t inner = block & ((std::uint64_t{1} << between()) - 1), outer = block >> between();
    return shape.is_last ? (inner << digits) + (outer << pass.n) : (inner << riders) + (outer << pass.high());
  }
  WARPLOOM_HD std::uint64_t first_out(std::uint64_t block) const {
    if (!shape.is_last) return first_in(block);
    const std::uint64_t inner = block & ((std::uint64_t{1} << between()) - 1), outer = block >> between();
    return (std::uint64_t{reversed_bits(static_cast<std::uint32_t>(inner), between())} << riders) + (outer << pass.n);
  }

 private:
  /// Of all of a thread, behind a branch: to choose each would take a device longer.
  WARPLOOM_HD static void swap_all(Registers& values, float factor) {
    WARPLOOM_UNROLL
    for (int i = 0; i < items; ++i) values.v[i] = {factor * values.v[i].im, factor * values.v[i].re};
    WARPLOOM_KEEP_BRANCH
  }
  /// The last pass stores its tile in reversed order: rows first, then what they have become.
  WARPLOOM_HD static constexpr Digits stored(const Digits& digits_of) {
    Digits to;
    for (int i = 0; i < digits_of.count; ++i) to.add(shape.is_last ? tile - 1 - digits_of.at[i] : digits_of.at[i]);
    return to;
  }
  /// Of numbers of a tile without common bits the places are summands: the digits below one and those above, apart.
  WARPLOOM_HD static std::uint64_t split(std::uint32_t number, int below, int above) {
    return (number & ((1u << below) - 1)) + (std::uint64_t{number >> below} << above);
  }
  WARPLOOM_HD std::uint64_t place_in(std::uint32_t number, int row_digits) const {
    return shape.is_last ? split(number, digits, row_digits - riders) : split(number, riders, pass.low);
  }
  WARPLOOM_HD std::uint64_t place_out(std::uint32_t number) const {
    return shape.is_last ? split(number, riders, pass.n - digits) : split(number, riders, pass.low);
  }

  template <int step, class Group, class WordsOf, class Gone>
  WARPLOOM_HD void steps_from(Group& group, Own<Group>& own, WordsOf& words, std::uint64_t tile_number,
                              Gone&& has_gone) const {
    if constexpr (step <= last) {
      // What elements turn by is on its way while they are exchanged.
      typename Group::template PerThread<Turn<shape.windows[step]>> turn;
      if constexpr (turns_behind<step>())
        group.each([&](const Thread& thread) { turn[thread] = turn_of<step>(tile_number, thread); });
      if constexpr (step > 0 && !Tuned::plan.step[step].into.none) {
        static_assert(!Tuned::plan.step[step].into.in_warp, "what was read has gone when the block is past a barrier");
        before_exchange<false>(group, exchanged_before(Tuned::plan, step));
        exchange<Tuned, step>(
            group, words, NoTrace{}, step + 1, [&](const Thread& thread, int i, int) { return own[thread].v[i]; },
            [&](const Thread& thread, int i, int, const Complex& value) { own[thread].v[i] = value; });
        if constexpr (step == 1) has_gone();
      }
      group.each([&](const Thread& thread) {
        constexpr int width = shape.windows[step],
                      bit = Tuned::plan.step[step].at.registers.bit_of(shape.first_digit() + shape.low(step));
        pair_digits<width, bit>(own[thread].v);
        if constexpr (turns_behind<step>()) turn_registers<width, bit>(own[thread].v, turn[thread]);
      });
      steps_from<step + 1>(group, own, words, tile_number, has_gone);
    }
  }

  /// What entries of a window's table lie before.
  template <int number>
  WARPLOOM_HD static constexpr std::uint32_t thread_entries_before() {
    std::uint32_t all = 0;
    for (int i = 0; i < number; ++i)
      all += static_cast<std::uint32_t>(turn_entries(shape, i)) << thread_digits(shape, i);
    return all;
  }
  template <int number>
  WARPLOOM_HD static constexpr std::uint32_t block_entries_before() {
    std::uint32_t all = 0;
    for (int i = 0; i < number; ++i) all += static_cast<std::uint32_t>(turn_entries(shape, i));
    return all;
  }
  template <int number>
  WARPLOOM_HD static constexpr bool turns_behind() {
    return shape.low(number) > 0 || !shape.is_last;
  }
  /// What a thread's elements turn by behind a window: what the digits below it say, its own and the tile's.
  template <int number>
  WARPLOOM_HD auto turn_of(std::uint64_t tile_number, const Thread& thread) const {
    constexpr int width = shape.windows[number], entries = turn_entries(shape, number),
                  of_lanes = thread_digits(shape, number);
    constexpr std::uint32_t before = thread_entries_before<number>(), before_block = block_entries_before<number>();
    static_assert(entries == Turn<width>::entries);
    const std::uint32_t first = before + (thread.index & ((1u << of_lanes) - 1)) * entries;
    auto turn = load_turn<width>(turns.of_thread + first);
    if constexpr (!shape.is_last) {
      const std::uint64_t inner = tile_number & ((std::uint64_t{1} << between()) - 1);
      const auto of_tile = load_turn<width>(turns.of_block + (std::uint64_t{before_block} << between()) +
                                            inner * static_cast<unsigned>(entries));
      WARPLOOM_UNROLL
      for (int k = 0; k < width; ++k) turn.of[k] = turn.of[k] * of_tile.of[k];
    }
    return turn;
  }
};

}  // namespace warploom
