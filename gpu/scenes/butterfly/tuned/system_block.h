#pragma once
#include "gpu/core/pack.h"
#include "gpu/scenes/butterfly/tuned/exchange.h"
#include "gpu/scenes/butterfly/tuned/system_plans.h"
#include "gpu/scenes/butterfly/tuned/unit_equation.h"

namespace warploom {

/// What is told of systems that have no answer.
struct SystemFlags {
  std::uint64_t* of_systems = nullptr;  ///< (systems): 1 where an unknown is no finite number
  std::uint64_t* any = nullptr;         ///< 1 where any is

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
  template <class Group>
  WARPLOOM_HD std::uint64_t problem(Group& group, const Thread& thread) const {
    return f == 0 ? ((group.block_number() << tile) + thread.index * items) >> systems.n
                  : (group.block_number() << f) + column(thread);
  }

  template <class Group, class Words>
  WARPLOOM_HD void load(Group& group, Own<Group>& own, Words& shared) const {
    const std::uint64_t first = group.block_number() << tile, rows = systems.problems << systems.n;
    group.each([&](const Thread& thread) {
      Registers values{};
      WARPLOOM_UNROLL
      for (int i = 0; i < items; ++i) {
        if constexpr (f == 0) {
          const std::uint64_t at = first + element_in_step<Tuned, 0>(thread, i);
          if (at < rows) values.v[i] = row(at >> systems.n, at & ((std::uint64_t{1} << systems.n) - 1), at);
        } else {
          const std::uint64_t which = problem(group, thread);
          const std::uint32_t e = thread_in_row(thread) * items + static_cast<std::uint32_t>(i);
          if (which < systems.problems) values.v[i] = row(which, e, e * systems.stride + which);
        }
      }
      own[thread] = values;
    });
    if constexpr (f == 0)
      exchange<Tuned, 1, words>(
          group, shared, trace, 1, [&](const Thread& thread, int i, int w) { return own[thread].v[i].word(w); },
          [&](const Thread& thread, int i, int w, float value) { own[thread].v[i].set_word(w, value); });
    tell(group, own, 0);
  }
  /// Unknowns are the right sides now. `stages`: that the network has.
  template <class Group, class Words>
  WARPLOOM_HD void leave(Group& group, Own<Group>& own, Words& shared, int stages) const {
    group.each([&](const Thread& thread) {
      bool finite = true;
      WARPLOOM_UNROLL
      for (int i = 0; i < items; ++i) finite = finite && is_finite(own[thread].v[i].d);
      if (!finite) systems.flags.raise(problem(group, thread) >> systems.of_row);
    });
    if constexpr (f == 0) {
      before_exchange<true>(group, 1);
      exchange<Tuned, 2, 1, words>(
          group, shared, trace, stages + 1, [&](const Thread& thread, int i, int) { return own[thread].v[i].d; },
          [&](const Thread& thread, int i, int, float value) { own[thread].v[i].d = value; });
    }
    const std::uint64_t first = group.block_number() << tile, rows = systems.problems << systems.n;
    group.each([&](const Thread& thread) {
      WARPLOOM_UNROLL
      for (int i = 0; i < items; i += f == 0 ? 4 : 1) {
        const UnitEquation* const v = own[thread].v + i;
        if constexpr (f == 0) {
          const std::uint64_t at = first + element_in_step<Tuned, 2>(thread, i);
          if (at < rows) store_pack(systems.out + at, Pack<float, 4>{v[0].d, v[1].d, v[2].d, v[3].d});
        } else {
          const std::uint64_t which = problem(group, thread);
          const std::uint32_t e = thread_in_row(thread) * items + static_cast<std::uint32_t>(i);
          if (which < systems.problems) systems.out[e * systems.stride + which] = v->d;
        }
      }
    });
  }

  template <class Group>
  WARPLOOM_HD void tell([[maybe_unused]] Group& group, [[maybe_unused]] Own<Group>& own,
                        [[maybe_unused]] int stage) const {
    if constexpr (Trace::on)
      group.each([&](const Thread& thread) {
        WARPLOOM_UNROLL_NONE
        for (int i = 0; i < items; ++i) {
          const UnitEquation e = own[thread].v[i];
          trace.step(stage, problem(group, thread), thread_in_row(thread) * items + static_cast<std::uint32_t>(i),
                     SystemRow{e.a, 1, e.c, e.d});
        }
      });
  }

 private:
  /// What is not there has zeros: before the first row of a system, and behind its last.
  WARPLOOM_HD UnitEquation row(std::uint64_t which, std::uint64_t e, std::uint64_t at) const {
    UnitEquation made = unit(systems.in[at]);
    const std::uint64_t last = (std::uint64_t{1} << systems.n) - 1,
                        in_row = which & ((std::uint64_t{1} << systems.of_row) - 1);
    const bool begins = in_row == 0, ends = in_row + 1 == std::uint64_t{1} << systems.of_row;
    if (e == 0) {
      if (systems.known && !begins) made.d -= made.a * systems.known[2 * which - 1];
      if (systems.known || begins) made.a = 0;
    }
    if (e == last) {
      if (systems.known && !ends) made.d -= made.c * systems.known[2 * which + 2];
      if (systems.known || ends) made.c = 0;
    }
    return made;
  }
};

}  // namespace warploom
