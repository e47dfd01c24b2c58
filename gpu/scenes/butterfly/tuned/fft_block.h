#pragma once
#include "gpu/core/group.h"
#include "gpu/core/pack.h"
#include "gpu/core/unroll.h"
#include "gpu/scenes/butterfly/kernels/fft_data.h"
#include "gpu/scenes/butterfly/tuned/exchange.h"
#include "gpu/scenes/butterfly/tuned/fft_window.h"
#include "gpu/scenes/butterfly/tuned/turns.h"

namespace warploom {

/// Complex rows, in and out as they lie.
struct ComplexRows {
  static constexpr bool contiguous = true;
  const Complex* in;  ///< (batch, N)
  Complex* out;       ///< (batch, N)
  bool inverse;
};
/// Real rows and those of cosine transforms, by FftData.
struct RealRows : FftData {
  static constexpr bool contiguous = false;
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
      load(group, own, first);
    else
      load_by_element(group, own, first);
    run<0>(group, own, tile_of_block, first);
    if constexpr (Rows::contiguous)
      store(group, own, first);
    else
      store_by_element(group, own, tile_of_block, first);
  }

 private:
  /// What is split takes all elements of the block once more.
  WARPLOOM_HD unsigned words_of_block() const {
    constexpr unsigned words = shared_words(Tuned::plan), all = 1u << tile;
    if constexpr (!Rows::contiguous)
      if (rows.splits() && words < all) return all;
    return words;
  }
  WARPLOOM_HD static constexpr Digits thread_of(int step) { return Tuned::plan.step[step].at.thread; }
  WARPLOOM_HD static constexpr Digits registers_of(int step) { return Tuned::plan.step[step].at.registers; }
  /// The inverse is the transform forward of what has its real and imaginary parts swapped, swapped back.
  WARPLOOM_HD static Complex swapped(Complex value) { return {value.im, value.re}; }

  /// In the order of addresses; by two neighbours at a time where a register's lowest bit is an address's.
  template <class Group, class Own>
  WARPLOOM_HD void load(Group& group, Own& own, std::uint64_t first) const {
    constexpr Digits thread_part = composed(thread_of(0), Tuned::plan.load),
                     register_part = composed(registers_of(0), Tuned::plan.load);
    constexpr auto parts = parts_of<items>(register_part);
    constexpr bool in_pairs = register_part.at[0] == 0;
    const Complex* const from = rows.in + first;
    const std::uint32_t there = elements_there(batch << shape.n, first, tile);
    group.each([&](const Thread& thread) {
      const std::uint32_t at = spread<thread_part>(thread.index);
      Registers values;
      WARPLOOM_UNROLL
      for (int i = 0; i < items; i += in_pairs ? 2 : 1) {
        Complex one{}, other{};
        if (at + parts.of[i] < there) {
          if constexpr (in_pairs) {
            const auto pair = load_pack<2>(from + (at + parts.of[i]));
            one = pair[0];
            other = pair[1];
          } else {
            one = from[at + parts.of[i]];
          }
        }
        values.v[i] = rows.inverse ? swapped(one) : one;
        if constexpr (in_pairs) values.v[i + 1] = rows.inverse ? swapped(other) : other;
      }
      own[thread] = values;
      tell<0>(thread, 0, first, values.v);
    });
  }

  template <class Group, class Own>
  WARPLOOM_HD void store(Group& group, Own& own, std::uint64_t first) const {
    constexpr int last = Tuned::plan.steps - 1;
    constexpr Digits thread_part = composed(thread_of(last), Tuned::plan.store),
                     register_part = composed(registers_of(last), Tuned::plan.store);
    constexpr auto parts = parts_of<items>(register_part);
    constexpr bool in_pairs = register_part.at[0] == 0;
    constexpr float scale = 1.f / static_cast<float>(1u << shape.n);
    Complex* const to = rows.out + first;
    const std::uint32_t there = elements_there(batch << shape.n, first, tile);
    const auto made = [&](Complex value) { return rows.inverse ? scale * swapped(value) : value; };
    group.each([&](const Thread& thread) {
      const std::uint32_t at = spread<thread_part>(thread.index);
      const Registers& values = own[thread];
      WARPLOOM_UNROLL
      for (int i = 0; i < items; i += in_pairs ? 2 : 1) {
        if (at + parts.of[i] >= there) continue;
        if constexpr (in_pairs)
          store_pack(to + (at + parts.of[i]), Pack<Complex, 2>{made(values.v[i]), made(values.v[i + 1])});
        else
          to[at + parts.of[i]] = made(values.v[i]);
      }
    });
  }

  /// ... as the rows have them, one by one.
  template <class Group, class Own>
  WARPLOOM_HD void load_by_element(Group& group, Own& own, std::uint64_t first) const {
    const std::uint32_t there = elements_there(batch << shape.n, first, tile);
    group.each([&](const Thread& thread) {
      Registers values;
      WARPLOOM_UNROLL
      for (int i = 0; i < items; ++i) {
        const std::uint32_t slot = element_in_step<Tuned, 0>(thread, i), place = slot < there ? slot : 0;
        const Complex one = rows.load((first + place) >> shape.n, place & ((1u << shape.n) - 1));
        values.v[i] = rows.inverse ? swapped(one) : one;
      }
      own[thread] = values;
      tell<0>(thread, 0, first, values.v);
    });
  }
  template <class Group, class Own, class Tile>
  WARPLOOM_HD void store_by_element(Group& group, Own& own, Tile& tile_of_block, std::uint64_t first) const {
    constexpr int last = Tuned::plan.steps - 1;
    constexpr Digits thread_part = composed(thread_of(last), Tuned::plan.store);
    constexpr auto parts = parts_of<items>(composed(registers_of(last), Tuned::plan.store));
    constexpr std::uint32_t in_row = (1u << shape.n) - 1;
    const std::uint32_t there = elements_there(batch << shape.n, first, tile);
    if (!rows.splits()) {
      group.each([&](const Thread& thread) {
        const std::uint32_t at = spread<thread_part>(thread.index);
        WARPLOOM_UNROLL
        for (int i = 0; i < items; ++i) {
          const std::uint32_t k = at + parts.of[i];
          if (k >= there) continue;
          const Complex value = own[thread].v[i];
          rows.store((first + k) >> shape.n, k & in_row, rows.inverse ? swapped(value) : value);
        }
      });
      return;
    }
    // Every X[k] is made of two: one more exchange, in the order of k.
    group.barrier();
    group.each([&](const Thread& thread) {
      const std::uint32_t at = spread<thread_part>(thread.index);
      WARPLOOM_UNROLL
      for (int i = 0; i < items; ++i) tile_of_block[at + parts.of[i]] = own[thread].v[i];
    });
    group.barrier();
    group.each([&](const Thread& thread) {
      for (std::uint32_t i = 0; i < items; ++i) {
        const std::uint32_t slot = i << shape.l | thread.index, k = slot & in_row, row = slot - k;
        if (slot >= there) continue;
        const Complex z = tile_of_block[slot], other = tile_of_block[row + ((in_row + 1 - k) & in_row)];
        rows.store_split((first + slot) >> shape.n, k, z, other);
      }
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
