#pragma once
#include "gpu/core/group.h"
#include "gpu/core/pack.h"
#include "gpu/core/unroll.h"
#include "gpu/scenes/butterfly/tuned/exchange.h"
#include "gpu/scenes/butterfly/tuned/fft_window.h"
#include "gpu/scenes/butterfly/tuned/real_rows.h"
#include "gpu/scenes/butterfly/tuned/turns.h"

namespace warploom {

/// Complex rows, in and out as they lie.
struct ComplexRows {
  static constexpr bool contiguous = true;
  const Complex* in;  ///< (batch, N)
  Complex* out;       ///< (batch, N)
  bool inverse;
};

/// A block transforms its rows in registers, window by window, its digits placed when it was compiled. `Tuned`: a type
/// with a shape and its plan. Source: the house's design, after lobeiras2016indexdigit.
template <class Tuned, class Trace = NoTrace, class Rows = ComplexRows>
struct TunedFft {
  static constexpr FftShape shape = Tuned::shape;
  static constexpr int p = shape.p, items = 1 << p, tile = p + shape.l;
  static constexpr unsigned exact_threads = 1u << shape.l, most_threads = exact_threads,
                            least_blocks = static_cast<unsigned>(shape.least_blocks);
  static constexpr std::uint64_t threads_per_chunk = 1024;

  Rows rows;
  const Complex* turns;  ///< as turn_entries and first_turn have it
  std::uint64_t batch;
  Trace trace;

  std::uint64_t dynamic_shared_bytes() const { return words_of_block() * sizeof(Complex); }

  struct Registers {
    Complex v[items];
  };

  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    typename Group::template PerThread<Registers> own;
    auto tile_of_block = group.template dynamic_tile<Complex>(words_of_block());
    const std::uint64_t first = group.block_number() << tile;
    if constexpr (Rows::contiguous)
      load(group, own, rows.in, first);
    else
      load_real(group, own, tile_of_block, first);
    run<0>(group, own, tile_of_block, first);
    if constexpr (Rows::contiguous)
      store(group, own, rows.out, first);
    else
      store_real(group, own, tile_of_block, first);
  }

 private:
  static constexpr int last = Tuned::plan.steps - 1;
  static constexpr std::uint32_t all = 1u << shape.n, half = all / 2;  ///< elements of a row
  static constexpr float scale = 1.f / static_cast<float>(all);

  /// Real rows take all elements of the block.
  WARPLOOM_HD static constexpr unsigned words_of_block() {
    constexpr unsigned words = shared_words(Tuned::plan), elements = 1u << tile;
    return !Rows::contiguous && words < elements ? elements : words;
  }
  WARPLOOM_HD static constexpr Digits thread_of(int step) { return Tuned::plan.step[step].at.thread; }
  WARPLOOM_HD static constexpr Digits registers_of(int step) { return Tuned::plan.step[step].at.registers; }
  /// The inverse is the transform forward of what has its real and imaginary parts swapped, swapped back.
  WARPLOOM_HD static Complex swapped(Complex value) { return {value.im, value.re}; }

  /// Whether a thread has elements of one row alone: then all of them are there or none.
  WARPLOOM_HD static constexpr bool in_one_row(const Digits& registers) {
    for (int i = 0; i < registers.count; ++i)
      if (registers.at[i] >= shape.n) return false;
    return true;
  }
  /// visit(register) for those whose elements are among the `there` first ones of the block, `at` being what a thread
  /// adds to the numbers of all: by two neighbours at a time where `in_pairs`. Asks no more than it must.
  template <Digits registers, bool in_pairs, class Visit>
  WARPLOOM_HD static void visit_there(std::uint32_t at, std::uint32_t there, Visit&& visit) {
    constexpr auto parts = parts_of<items>(registers);
    if constexpr (in_one_row(registers))
      if (tile != shape.n && at >= there) return;
    WARPLOOM_UNROLL
    for (int i = 0; i < items; i += in_pairs ? 2 : 1)
      if (in_one_row(registers) || at + parts.of[i] < there) visit(i, at + parts.of[i]);
  }

  /// Complex rows in the order of addresses; by two neighbours where a register's lowest bit is an address's.
  template <class Group, class Own>
  WARPLOOM_HD void load(Group& group, Own& own, const Complex* from, std::uint64_t first) const {
    constexpr Digits thread_part = composed(thread_of(0), Tuned::plan.load),
                     register_part = composed(registers_of(0), Tuned::plan.load);
    constexpr bool in_pairs = register_part.at[0] == 0;
    const std::uint32_t there = elements_there(batch << shape.n, first, tile);
    group.each([&](const Thread& thread) {
      Registers values{};
      visit_there<register_part, in_pairs>(spread<thread_part>(thread.index), there, [&](int i, std::uint32_t place) {
        if constexpr (in_pairs) {
          const auto pair = load_pack<2>(from + first + place);
          values.v[i] = pair[0];
          values.v[i + 1] = pair[1];
        } else {
          values.v[i] = from[first + place];
        }
      });
      if (rows.inverse) swap_all(values);
      own[thread] = values;
      tell<0>(thread, 0, first, values.v);
    });
  }
  template <class Group, class Own>
  WARPLOOM_HD void store(Group& group, Own& own, Complex* to, std::uint64_t first) const {
    constexpr Digits thread_part = composed(thread_of(last), Tuned::plan.store),
                     register_part = composed(registers_of(last), Tuned::plan.store);
    constexpr bool in_pairs = register_part.at[0] == 0;
    const std::uint32_t there = elements_there(batch << shape.n, first, tile);
    group.each([&](const Thread& thread) {
      Registers values = own[thread];
      if (rows.inverse) swap_back(values);
      visit_there<register_part, in_pairs>(spread<thread_part>(thread.index), there, [&](int i, std::uint32_t place) {
        if constexpr (in_pairs)
          store_pack(to + first + place, Pack<Complex, 2>{values.v[i], values.v[i + 1]});
        else
          to[first + place] = values.v[i];
      });
    });
  }
  // Of all of a thread, behind a branch: to choose each would take a device longer.
  WARPLOOM_HD static void swap_all(Registers& values) {
    WARPLOOM_UNROLL
    for (int i = 0; i < items; ++i) values.v[i] = swapped(values.v[i]);
    WARPLOOM_KEEP_BRANCH
  }
  WARPLOOM_HD static void swap_back(Registers& values) {
    WARPLOOM_UNROLL
    for (int i = 0; i < items; ++i) values.v[i] = scale * swapped(values.v[i]);
    WARPLOOM_KEEP_BRANCH
  }

  // Real rows, and those of cosine transforms: what belongs together is not what a thread has. Blocks bring it together
  // in shared memory, in the order of elements, outside of the network.

  /// visit(half) for each element of the lower halves of rows. Past the last row: of row 0 of the batch, as a branch
  /// would let each load wait for the one before.
  template <class Group, class Visit>
  WARPLOOM_HD void visit_halves(Group& group, std::uint64_t first, Visit&& visit) const {
    group.each([&](const Thread& thread) {
      const std::uint32_t number = thread.index & (exact_threads - 1);
      RowHalf one{first >> shape.n, number >> (shape.n - 1), 0, number & (half - 1), 0};
      WARPLOOM_UNROLL
      for (int i = 0; i < items / 2; ++i) {
        const std::uint32_t part = static_cast<std::uint32_t>(i) << shape.l;
        one.row_part = part >> (shape.n - 1);
        one.part = part & (half - 1);
        visit(there_or_first(one));
      }
    });
  }
  /// visit(half), of the middle of each row.
  template <class Group, class Visit>
  WARPLOOM_HD void visit_middles(Group& group, std::uint64_t first, Visit&& visit) const {
    group.each([&](const Thread& thread) {
      if (thread.index < 1u << (tile - shape.n)) visit(there_or_first({first >> shape.n, thread.index, 0, 0, half}));
    });
  }
  WARPLOOM_HD bool is_there(std::uint64_t first, const RowHalf& one) const {
    return tile == shape.n || (first >> shape.n) + one.in_block + one.row_part < batch;
  }
  WARPLOOM_HD RowHalf there_or_first(RowHalf one) const {
    if (tile != shape.n && one.row + one.in_block + one.row_part >= batch)
      one.row = std::uint64_t{0} - one.in_block - one.row_part;
    return one;
  }
  /// Where an element of a half and its partners are in shared memory.
  WARPLOOM_HD static std::uint32_t ahead(const RowHalf& one) {
    return (one.in_block << shape.n) + one.at + ((one.row_part << shape.n) + one.part);
  }
  WARPLOOM_HD static std::uint32_t behind(const RowHalf& one) {  // M - k, of 0 itself
    return (one.in_block << shape.n) + (one.is_first() ? 0 : all - one.at) + ((one.row_part << shape.n) - one.part);
  }
  WARPLOOM_HD static std::uint32_t mirrored(const RowHalf& one) {  // M - 1 - q
    return (one.in_block << shape.n) + (all - 1 - one.at) + ((one.row_part << shape.n) - one.part);
  }

  template <class Group, class Own, class Tile>
  WARPLOOM_HD void load_real(Group& group, Own& own, Tile& shared, std::uint64_t first) const {
    if (!rows.inverse && !rows.cosine) return load(group, own, static_cast<const Complex*>(rows.in), first);
    if (!rows.inverse) {
      visit_halves(group, first, [&](const RowHalf& one) {
        const auto both = rows.template folded<all>(one);
        shared[ahead(one)] = both.of[0];
        shared[mirrored(one)] = both.of[1];
      });
    } else {
      const auto put = [&](const RowHalf& one, const typename Rows::Both& both) {
        shared[ahead(one)] = swapped(both.of[0]);
        shared[behind(one)] = swapped(both.of[1]);
      };
      if (rows.cosine)
        visit_halves(group, first, [&](const RowHalf& one) { put(one, rows.template joined_cosine<all>(one)); });
      else
        visit_halves(group, first, [&](const RowHalf& one) { put(one, rows.template joined<all>(one)); });
      visit_middles(group, first,
                    [&](const RowHalf& one) { shared[ahead(one)] = swapped(rows.template joined_middle<all>(one)); });
    }
    group.barrier();
    group.each([&](const Thread& thread) {
      Registers values;
      WARPLOOM_UNROLL
      for (int i = 0; i < items; ++i) values.v[i] = shared[element_in_step<Tuned, 0>(thread, i)];
      own[thread] = values;
      tell<0>(thread, 0, first, values.v);
    });
    group.barrier();
  }
  template <class Group, class Own, class Tile>
  WARPLOOM_HD void store_real(Group& group, Own& own, Tile& shared, std::uint64_t first) const {
    if (rows.inverse && !rows.cosine) return store(group, own, static_cast<Complex*>(rows.out), first);
    constexpr Digits thread_part = composed(thread_of(last), Tuned::plan.store);
    constexpr auto parts = parts_of<items>(composed(registers_of(last), Tuned::plan.store));
    group.barrier();
    group.each([&](const Thread& thread) {
      const std::uint32_t at = spread<thread_part>(thread.index);
      Registers values = own[thread];
      if (rows.inverse) swap_back(values);
      WARPLOOM_UNROLL
      for (int i = 0; i < items; ++i) shared[at + parts.of[i]] = values.v[i];
    });
    group.barrier();
    if (rows.inverse) {
      visit_halves(group, first, [&](const RowHalf& one) {
        if (is_there(first, one)) rows.template unfold<all>(one, shared[ahead(one)], shared[mirrored(one)]);
      });
      return;
    }
    if (rows.cosine)
      visit_halves(group, first, [&](const RowHalf& one) {
        if (is_there(first, one)) rows.template split_cosine<all>(one, shared[ahead(one)], shared[behind(one)]);
      });
    else
      visit_halves(group, first, [&](const RowHalf& one) {
        if (is_there(first, one)) rows.template split<all>(one, shared[ahead(one)], shared[behind(one)]);
      });
    visit_middles(group, first, [&](const RowHalf& one) {
      if (is_there(first, one)) rows.template split_middle<all>(one, shared[ahead(one)]);
    });
  }

  /// The steps from one on.
  template <int step, class Group, class Own, class Tile>
  WARPLOOM_HD void run(Group& group, Own& own, Tile& words, std::uint64_t first) const {
    if constexpr (step < Tuned::plan.steps) {
      constexpr int window = Tuned::plan.step[step].first - 1;
      constexpr bool transforms = window < Tuned::plan.step[step].last;
      constexpr int width = transforms ? shape.windows[transforms ? window : 0] : 1;
      constexpr bool turns_behind = transforms && shape.low(transforms ? window : 0) > 0;
      // What elements turn by is on its way while they are exchanged, where a thread has registers for it.
      constexpr bool early = p > 3;
      typename Group::template PerThread<Turn<width>> turn;
      if constexpr (turns_behind && early)
        group.each([&](const Thread& thread) { turn[thread] = turn_of<step, window>(thread); });
      if constexpr (!Tuned::plan.step[step].into.none) exchange<step>(group, own, words);
      if constexpr (turns_behind && !early)
        group.each([&](const Thread& thread) { turn[thread] = turn_of<step, window>(thread); });
      if constexpr (transforms)
        group.each([&](const Thread& thread) {
          transform<step, window>(own[thread].v, turn[thread]);
          tell<step>(thread, window + 1, first, own[thread].v);
        });
      run<step + 1>(group, own, words, first);
    }
  }

  template <int step, class Group, class Own, class Tile>
  WARPLOOM_HD void exchange(Group& group, Own& own, Tile& tile_of_block) const {
    before_exchange<Tuned::plan.step[step].into.in_warp>(group, exchanged_before(Tuned::plan, step));
    warploom::exchange<Tuned, step>(
        group, tile_of_block, trace, Tuned::plan.step[step].first,
        [&](const Thread& thread, int i, int) { return own[thread].v[i]; },
        [&](const Thread& thread, int i, int, const Complex& value) { own[thread].v[i] = value; });
  }

  /// What a thread's elements turn by behind a window: what the digits below it say.
  template <int step, int window>
  WARPLOOM_HD auto turn_of(const Thread& thread) const {
    constexpr int low = shape.low(window), entries = turn_entries(shape, window);
    static_assert(holds_lowest_digits(thread_of(step), low));
    static_assert(entries == Turn<shape.windows[window]>::entries);
    return load_turn<shape.windows[window]>(turns + first_turn_of<window>() +
                                            (thread.index & ((1u << low) - 1)) * static_cast<unsigned>(entries));
  }
  /// What a window's digits do to the registers of a thread.
  template <int step, int window, int width>
  WARPLOOM_HD static void transform(Complex (&v)[items], const Turn<width>& turn) {
    constexpr int low = shape.low(window), bit = registers_of(step).bit_of(low);  // of the lowest digit; others follow
    pair_digits<width, bit>(v);
    if constexpr (low > 0) turn_registers<width, bit>(v, turn);
  }
  template <int window>
  WARPLOOM_HD static constexpr std::uint32_t first_turn_of() {
    constexpr std::uint32_t first = first_turn(shape, window);
    return first;
  }
  /// Whether bit i of a thread's number is digit i, of the lowest ones.
  WARPLOOM_HD static constexpr bool holds_lowest_digits(const Digits& thread, int count) {
    for (int i = 0; i < count; ++i)
      if (thread.at[i] != i) return false;
    return true;
  }

  template <int step>
  WARPLOOM_HD void tell([[maybe_unused]] const Thread& thread, [[maybe_unused]] int stage,
                        [[maybe_unused]] std::uint64_t first, [[maybe_unused]] const Complex (&values)[items]) const {
    if constexpr (Trace::on) {
      if (!trace.tells()) return;
      WARPLOOM_UNROLL_NONE
      for (int i = 0; i < items; ++i) {
        const std::uint64_t e = first + element_in_step<Tuned, step>(thread, i);
        const Complex value = values[i];
        trace.step(stage, e >> shape.n, static_cast<std::uint32_t>(e & ((1u << shape.n) - 1)),
                   rows.inverse ? swapped(value) : value);
      }
    }
  }
};

}  // namespace warploom
