#pragma once
#include "gpu/core/pack.h"
#include "gpu/scenes/butterfly/tuned/exchange.h"
#include "gpu/scenes/butterfly/tuned/system_plans.h"
#include "gpu/scenes/butterfly/tuned/unit_equation.h"

namespace warploom {

/// What is told of systems that have no answer.
struct SystemFlags {
  std::uint64_t* of_systems =
      nullptr;                   ///< (systems): 1 where an unknown is no finite number, or a divisor cannot be used
  std::uint64_t* any = nullptr;  ///< 1 where any is

  WARPLOOM_HD void raise(std::uint64_t system) const {
    relaxed_store(of_systems + system, std::uint64_t{1});
    relaxed_store(any, std::uint64_t{1});
  }
};

/// Systems on their way in and out, and tiles of long ones.
struct UnitSystems {
  const SystemRow* in;
  float* out;
  SystemFlags flags;
  int n;                     ///< log2 of the rows of a system, or of a tile
  std::uint64_t problems;    ///< that there are; or tiles
  std::uint64_t stride = 1;  ///< of interleaved systems: from row to row
  // Of tiles:
  int of_row = 0;                ///< log2 of those of a system
  SystemRow* ends = nullptr;     ///< (tiles, 2): where the first and the last equation of each go, instead of unknowns
  const float* known = nullptr;  ///< (tiles, 2): unknowns of all ends, which the tiles take from their neighbours
  bool paired = false;           ///< rows are ends of tiles, two each: their lowest digit is done
};

/// What blocks of 2^l threads have in common that solve systems in registers, eight rows a thread, of 2^f neighbouring
/// systems where they are interleaved; else as many as fit, one after the other.
template <int f, int l, class Trace>
struct SystemBlock {
  using Tuned = SystemOf<f, l>;
  static constexpr int p = SystemForm::p, items = 1 << p, tile = p + l, words = UnitEquation::words;
  static constexpr int log_columns = f, log_threads = l;
  static constexpr unsigned exact_threads = 1u << l, most_threads = exact_threads;
  static constexpr std::uint64_t threads_per_chunk = 1024;
  /// Of an exchange's values, and of the ends of warps.
  WARPLOOM_HD static constexpr AccessNumbers numbers() { return {items * words, items * words}; }

  UnitSystems systems;
  Trace trace;

  struct Registers {
    UnitEquation v[items];
    bool none;  ///< a divisor between its equations cannot be used
  };
  template <class Group>
  using Own = typename Group::template PerThread<Registers>;

  /// Words of the exchanges of rows; those of ends lie behind them.
  WARPLOOM_HD static constexpr std::uint32_t words_of_rows() { return f == 0 ? words * shared_words(Tuned::plan) : 0; }

  // Where a thread is: which of the block's neighbouring systems it works on, and where in it.
  WARPLOOM_HD static unsigned column(const Thread& thread) { return thread.index & ((1u << f) - 1); }
  WARPLOOM_HD unsigned thread_in_row(const Thread& thread) const {
    return f == 0 ? thread.index & ((1u << (systems.n - p)) - 1) : thread.index >> f;
  }
  /// Of those that there are: which is a thread's, in a block by its number.
  WARPLOOM_HD std::uint64_t problem(std::uint64_t block, const Thread& thread) const {
    return f == 0 ? ((block << tile) + std::uint64_t{thread.index} * items) >> systems.n
                  : (block << f) + column(thread);
  }

  /// arrived() when rows have been read, before neighbours' unknowns are: by all threads alike, with barriers or
  /// without.
  template <class Group, class Words, class Arrived>
  WARPLOOM_HD void load(Group& group, std::uint64_t block, Own<Group>& own, Words& shared, Arrived&& arrived) const {
    const std::uint64_t first = block << tile;
    const std::uint32_t rows = rows_from(first);
    group.each([&](const Thread& thread) {
      SystemRow read[items];
      if constexpr (f == 0) {
        if (Group::on_device && rows >> tile) {
          constexpr auto parts = parts_of<items>(Tuned::plan.step[0].at.registers);
          const SystemRow* const from = systems.in + first + element_in_step<Tuned, 0>(thread, 0);
          WARPLOOM_UNROLL
          for (int i = 0; i < items; ++i) read[i] = whole_row(from + parts.of[i]);
        } else {
          WARPLOOM_UNROLL
          for (int i = 0; i < items; ++i) {
            const std::uint32_t at = element_in_step<Tuned, 0>(thread, i);
            read[i] = row_or_unit(first + at, at < rows);
          }
        }
      } else {
        const std::uint64_t which = problem(block, thread);
        WARPLOOM_UNROLL
        for (int i = 0; i < items; ++i) {
          const std::uint32_t e = thread_in_row(thread) * items + static_cast<std::uint32_t>(i);
          read[i] = row_or_unit(e * systems.stride + which, which < systems.problems);
        }
      }
      own[thread].none = false;
      WARPLOOM_UNROLL
      for (int i = 0; i < items; ++i) own[thread].v[i] = unit(read[i]);
    });
    if constexpr (f == 0)
      exchange<Tuned, 1, words>(
          group, shared, trace, 1, [&](const Thread& thread, int i, int w) { return own[thread].v[i].word(w); },
          [&](const Thread& thread, int i, int w, float value) { own[thread].v[i].set_word(w, value); });
    arrived();
    group.each([&](const Thread& thread) {
      const unsigned in_row = thread_in_row(thread), last = (1u << (systems.n - p)) - 1;
      if (in_row == 0) begin(problem(block, thread), own[thread].v[0]);
      if (in_row == last) end(problem(block, thread), own[thread].v[items - 1]);
    });
    tell(group, block, own, 0);
  }
  /// Unknowns are the right sides now. `stages`: that the network has.
  template <class Group, class Words>
  WARPLOOM_HD void leave(Group& group, std::uint64_t block, Own<Group>& own, Words& shared, int stages) const {
    group.each([&](const Thread& thread) {
      bool finite = !own[thread].none;
      WARPLOOM_UNROLL
      for (int i = 0; i < items; ++i) finite &= is_finite(own[thread].v[i].d);
      if (!finite) flag(block, thread);
    });
    if constexpr (f == 0) {
      before_exchange<true>(group, 1);
      exchange<Tuned, 2, 1, words>(
          group, shared, trace, stages + 1, [&](const Thread& thread, int i, int) { return own[thread].v[i].d; },
          [&](const Thread& thread, int i, int, float value) { own[thread].v[i].d = value; });
    }
    const std::uint64_t first = block << tile;
    const std::uint32_t rows = rows_from(first);
    group.each([&](const Thread& thread) {
      WARPLOOM_UNROLL
      for (int i = 0; i < items; i += f == 0 ? 4 : 1) {
        const UnitEquation* const v = own[thread].v + i;
        if constexpr (f == 0) {
          const std::uint32_t at = element_in_step<Tuned, 2>(thread, i);
          if (at < rows) store_pack(systems.out + first + at, Pack<float, 4>{v[0].d, v[1].d, v[2].d, v[3].d});
        } else {
          const std::uint64_t which = problem(block, thread);
          const std::uint32_t e = thread_in_row(thread) * items + static_cast<std::uint32_t>(i);
          if (which < systems.problems) systems.out[e * systems.stride + which] = v->d;
        }
      }
    });
  }

  WARPLOOM_HD void flag(std::uint64_t block, const Thread& thread) const {
    const std::uint64_t which = problem(block, thread);
    if (which < systems.problems) systems.flags.raise(which >> systems.of_row);
  }

  template <class Group>
  WARPLOOM_HD void tell([[maybe_unused]] Group& group, [[maybe_unused]] std::uint64_t block,
                        [[maybe_unused]] Own<Group>& own, [[maybe_unused]] int stage) const {
    if constexpr (Trace::on) {
      if (!trace.tells()) return;
      group.each([&](const Thread& thread) {
        WARPLOOM_UNROLL_NONE
        for (int i = 0; i < items; ++i) {
          const UnitEquation e = own[thread].v[i];
          trace.step(stage, problem(block, thread), thread_in_row(thread) * items + static_cast<std::uint32_t>(i),
                     SystemRow{e.a, 1, e.c, e.d});
        }
      });
    }
  }

 private:
  WARPLOOM_HD std::uint32_t rows_from(std::uint64_t first) const {
    return elements_there(systems.problems << systems.n, first, tile);
  }
  /// What is past the last system is x = 0.
  WARPLOOM_HD SystemRow row_or_unit(std::uint64_t at, bool there) const {
    if (!on_device()) return there ? systems.in[at] : SystemRow{0, 1, 0, 0};
    const auto pack = load_pack_or_zero<4>(reinterpret_cast<const std::uint32_t*>(systems.in + at), there);
    float words_of_row[4];
    memcpy(words_of_row, &pack, sizeof(words_of_row));
    return {words_of_row[0], there ? words_of_row[1] : 1, words_of_row[2], words_of_row[3]};
  }
  WARPLOOM_HD static SystemRow whole_row(const SystemRow* from) {
    const auto pack = load_pack<4>(reinterpret_cast<const float*>(from));
    return {pack[0], pack[1], pack[2], pack[3]};
  }
  // What is before the first row of a system has zeros, and what is behind its last; of a tile it may be known.
  WARPLOOM_HD void begin(std::uint64_t which, UnitEquation& first) const {
    const bool of_system = (which & ((std::uint64_t{1} << systems.of_row) - 1)) == 0;
    if (systems.known && !of_system && which < systems.problems) first.d -= first.a * systems.known[2 * which - 1];
    if (systems.known || of_system) first.a = 0;
  }
  WARPLOOM_HD void end(std::uint64_t which, UnitEquation& last) const {
    const bool of_system = ((which + 1) & ((std::uint64_t{1} << systems.of_row) - 1)) == 0;
    if (systems.known && !of_system && which < systems.problems) last.d -= last.c * systems.known[2 * which + 2];
    if (systems.known || of_system) last.c = 0;
  }
};

}  // namespace warploom
