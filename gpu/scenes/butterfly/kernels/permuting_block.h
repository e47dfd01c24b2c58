#pragma once
#include "gpu/core/group.h"
#include "gpu/core/unroll.h"
#include "gpu/scenes/butterfly/kernels/exchange.h"
#include "gpu/scenes/butterfly/kernels/fft_data.h"
#include "gpu/scenes/butterfly/kernels/fft_stage_group.h"
#include "gpu/scenes/butterfly/kernels/trace.h"
#include "gpu/scenes/butterfly/networks/fft.h"

namespace warploom {

/// A block transforms its problems in registers, window by window; between windows every element goes to its new
/// thread. Sources: lobeiras2015bplg, lobeiras2016indexdigit.
/// `Data`: what loads and stores (fft_data.h, fft_groups.h).
template <int p, bool shuffles, class Trace = NoTrace, class Data = FftData>
struct PermutingBlock {
  static constexpr std::uint64_t threads_per_chunk = 1024;
  static constexpr int items = 1 << p, most_windows = 13;
  // 2^13 elements per block at most: more of them a thread are fewer threads, which leaves each more registers.
  static constexpr unsigned most_threads = p <= 3 ? 1024 : 512;
  FftNetwork network;
  NetworkMapping mapping;
  std::uint64_t batch;
  Data data;
  /// Of each window; words lie so before it.
  struct WindowPlan {
    int high = 0, low = 0, lowest = 1;  ///< its digits, and that of bit 0 of a register's number
    bool crosses = false;               ///< through shared memory
    ExchangeWords words;
    std::uint32_t writes[p + 1] = {}, reads[p + 1] = {};  ///< what a bit of a register's number adds to a word, by ^
  };
  WindowPlan windows[most_windows];
  std::uint32_t shared_bytes = 0;
  Trace trace;

  std::uint64_t dynamic_shared_bytes() const { return shared_bytes; }

  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    struct Registers {
      Complex v[items];
    };
    typename Group::template PerThread<Registers> own, got;
    auto tile = group.template dynamic_tile<Complex>(shared_bytes / sizeof(Complex));
    const std::uint64_t first_problem = group.block_number() << mapping.threads_y();
    const auto live = [&](const Thread& thread) { return first_problem + thread.at.y < batch; };
    const int count = network.windows();
    group.each([&](const Thread& thread) {
      Registers all{};
      if (live(thread)) {
        const std::uint32_t first = element(0, thread);
        const auto rows = data.of(first_problem + thread.at.y);
        WARPLOOM_UNROLL
        for (int i = 0; i < items; ++i) all.v[i] = data.load(rows, first | of_item(0, i));
      }
      own[thread] = all;
      if (live(thread)) tell(thread, 0, 0, first_problem, all.v);
    });
    bool written = false;
    int stage = 1;
    for (int window = 0; window < count; ++window) {
      if (window > 0) {
        if constexpr (shuffles) shuffle(group, own, got, window);
        if (windows[window].crosses) {
          if (written) group.barrier();
          written = true;
          exchange(group, own, got, tile, window, stage, first_problem);
        }
        if (windows[window].crosses || shuffles) group.each([&](const Thread& thread) { own[thread] = got[thread]; });
      }
      const WindowPlan& plan = windows[window];
      if constexpr (Trace::on) {
        // Stage by stage, as they are told.
        while (stage <= network.stages()) {
          const NetworkStage at = network.stage(stage);
          if (at.window != window) break;
          group.each([&](const Thread& thread) {
            fft_digits<p>(own[thread].v, at.high, at.low, plan.lowest, element(window, thread), data.twiddles,
                          data.inverse);
            if (live(thread)) tell(thread, stage, window, first_problem, own[thread].v);
          });
          ++stage;
        }
      } else {
        group.each([&](const Thread& thread) {
          fft_digits<p>(own[thread].v, plan.high, plan.low, plan.lowest, element(window, thread), data.twiddles,
                        data.inverse);
        });
      }
    }
    const int last = count ? count - 1 : 0;
    if (!data.splits()) {
      group.each([&](const Thread& thread) {
        if (!live(thread)) return;
        const std::uint32_t first = reversed_digits(element(last, thread), network.n);
        const auto rows = data.of(first_problem + thread.at.y);
        WARPLOOM_UNROLL
        for (int i = 0; i < items; ++i)
          data.store(rows, first | reversed_digits(of_item(last, i), network.n), own[thread].v[i]);
      });
      return;
    }
    // Every X[k] is made of two: one more exchange, in the order of k.
    if (written) group.barrier();
    group.each([&](const Thread& thread) {
      if (!live(thread)) return;
      const std::uint32_t first = (thread.at.y << network.n) + reversed_digits(element(last, thread), network.n);
      WARPLOOM_UNROLL
      for (int i = 0; i < items; ++i) tile[first | reversed_digits(of_item(last, i), network.n)] = own[thread].v[i];
    });
    group.barrier();
    group.each([&](const Thread& thread) {
      if (!live(thread)) return;
      const std::uint32_t all = 1u << network.n, threads = 1u << mapping.threads_x();
      for (std::uint32_t i = 0; i < items; ++i) {
        const std::uint32_t k = i * threads + thread.at.x, of_problem = thread.at.y << network.n;
        const Complex z = tile[of_problem + k], other = tile[of_problem + ((all - k) & (all - 1))];
        data.store_split(data.of(first_problem + thread.at.y), k, z, other);
      }
    });
  }

 private:
  WARPLOOM_HD void tell([[maybe_unused]] const Thread& thread, [[maybe_unused]] int stage, [[maybe_unused]] int window,
                        [[maybe_unused]] std::uint64_t first_problem,
                        [[maybe_unused]] const Complex (&values)[items]) const {
    if constexpr (Trace::on) {
      for (std::uint32_t i = 0; i < items; ++i)
        trace.step(stage, first_problem + thread.at.y, places().element(windows[window].lowest, {thread.at.x, i}),
                   values[i]);
    }
  }
  WARPLOOM_HD WindowPlaces places() const { return {network.n, network.p}; }
  /// The element of register 0, and what the number of a register adds to it.
  WARPLOOM_HD std::uint32_t element(int window, const Thread& thread) const {
    return places().element(windows[window].lowest, {thread.at.x, 0});
  }
  WARPLOOM_HD std::uint32_t of_item(int window, int item) const {
    return static_cast<std::uint32_t>(item) << (windows[window].lowest - 1);
  }
  /// What the number of a register adds to a word, by what its bits do.
  WARPLOOM_HD static std::uint32_t joined(const std::uint32_t (&of_bits)[p + 1], int item) {
    std::uint32_t word = 0;
    WARPLOOM_UNROLL
    for (int bit = 0; bit < p; ++bit)
      if (item >> bit & 1) word ^= of_bits[bit];
    return word;
  }
  /// The first thread of its problem.
  WARPLOOM_HD static std::uint32_t base(const Thread& thread) { return thread.index - thread.at.x; }
  /// Where an element was before a window.
  WARPLOOM_HD NetworkPlace was(int window, std::uint32_t e) const {
    return places().place(windows[window - 1].lowest, e);
  }

  /// What stays in its warp, register by register: a reader takes it from whichever it was in.
  template <class Group, class Registers>
  WARPLOOM_HD void shuffle(Group& group, Registers& own, Registers& got, int window) const {
    typename Group::template PerThread<Complex> sent, received;
    typename Group::template PerThread<unsigned> lanes;
    group.each([&](const Thread& thread) { got[thread] = own[thread]; });
    WARPLOOM_UNROLL
    for (int from = 0; from < items; ++from) {
      WARPLOOM_UNROLL
      for (int i = 0; i < items; ++i) {
        group.each([&](const Thread& thread) {
          const NetworkPlace old = was(window, element(window, thread) | of_item(window, i));
          const std::uint32_t source = base(thread) + old.thread;
          lanes[thread] =
              source / warp_size == thread.index / warp_size ? source % warp_size : thread.index % warp_size;
          sent[thread] = own[thread].v[from];
        });
        group.shuffle(sent, lanes, received);
        group.each([&](const Thread& thread) {
          const std::uint32_t e = element(window, thread) | of_item(window, i);
          if (was(window, e).item == static_cast<std::uint32_t>(from)) got[thread].v[i] = received[thread];
        });
      }
    }
  }

  template <class Group, class Registers, class Tile>
  WARPLOOM_HD void exchange(Group& group, Registers& own, Registers& got, Tile& tile, int window, int stage,
                            std::uint64_t first_problem) const {
    const WindowPlan& plan = windows[window];
    const AccessNumbers numbers{items, items};
    const auto far = [&](std::uint32_t source, std::uint32_t reader) {
      return !shuffles || source / warp_size != reader / warp_size;
    };
    group.each([&](const Thread& thread) {
      if (first_problem + thread.at.y >= batch) return;
      const std::uint32_t first = element(window - 1, thread), word = plan.words.word(thread.index, 0);
      WARPLOOM_UNROLL
      for (int i = 0; i < items; ++i) {
        const std::uint32_t e = first | of_item(window - 1, i);
        if (shuffles && !far(thread.index, base(thread) + places().place(plan.lowest, e).thread)) continue;
        const std::uint32_t slot = plan.words.slot(word ^ joined(plan.writes, i));
        tile[slot] = own[thread].v[i];
        trace.access(group.block_number(), numbers.write(stage, static_cast<std::uint32_t>(i)), thread.index,
                     slot * static_cast<std::uint32_t>(sizeof(Complex)), (thread.at.y << network.n) + e);
      }
    });
    group.barrier();
    group.each([&](const Thread& thread) {
      if (first_problem + thread.at.y >= batch) return;
      const std::uint32_t first = element(window, thread);
      const NetworkPlace old = was(window, first);
      const std::uint32_t word = plan.words.word(base(thread) + old.thread, old.item);
      WARPLOOM_UNROLL
      for (int i = 0; i < items; ++i) {
        const std::uint32_t e = first | of_item(window, i);
        if (shuffles && !far(base(thread) + was(window, e).thread, thread.index)) continue;
        const std::uint32_t slot = plan.words.slot(word ^ joined(plan.reads, i));
        got[thread].v[i] = tile[slot];
        trace.access(group.block_number(), numbers.read(stage, static_cast<std::uint32_t>(i)), thread.index,
                     slot * static_cast<std::uint32_t>(sizeof(Complex)), (thread.at.y << network.n) + e);
      }
    });
  }
};

/// The same with nothing shared: a window of every problem a launch, from one array to the other.
template <int p>
struct PermutingLaunch {
  FftNetwork network;
  std::uint64_t batch;
  FftData data;
  int window;
  const Complex* before;  ///< (batch, N), by element; null: as loaded
  Complex* after;         ///< null: it is the last, and not split

  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    each_item(group, batch << (network.n - p), [&](std::uint64_t i) {
      const std::uint64_t problem = i >> (network.n - p);
      const auto x = static_cast<std::uint32_t>(i & ((std::uint64_t{1} << (network.n - p)) - 1));
      const int lowest = WindowPlaces::lowest(network, window);
      const FftNetwork::Window digits = network.windows() ? network.window(window) : FftNetwork::Window{0, 1};
      const std::uint32_t first = WindowPlaces{network.n, network.p}.element(lowest, {x, 0});
      Complex v[1 << p];
      WARPLOOM_UNROLL
      for (int item = 0; item < 1 << p; ++item) {
        const std::uint32_t e = first | static_cast<std::uint32_t>(item) << (lowest - 1);
        v[item] = before ? before[(problem << network.n) + e] : data.load(problem, e);
      }
      fft_digits<p>(v, digits.high, digits.low, lowest, first, data.twiddles, data.inverse);
      WARPLOOM_UNROLL
      for (int item = 0; item < 1 << p; ++item) {
        const std::uint32_t e = first | static_cast<std::uint32_t>(item) << (lowest - 1);
        if (after)
          after[(problem << network.n) + e] = v[item];
        else
          data.store(problem, reversed_digits(e, network.n), v[item]);
      }
    });
  }
};

/// The last launch of a transform of real values: every X[k] of two elements.
struct SplitLaunch {
  FftData data;
  std::uint64_t batch;
  const Complex* before;  ///< (batch, N/2), by element, or in the order of k
  bool reversed;          ///< by element

  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    const int digits = data.digits();
    each_item(group, batch << digits, [&](std::uint64_t i) {
      const std::uint64_t problem = i >> digits;
      const auto k = static_cast<std::uint32_t>(i & ((std::uint64_t{1} << digits) - 1));
      const std::uint32_t other = ((1u << digits) - k) & ((1u << digits) - 1);
      const Complex* z = before + (problem << digits);
      data.store_split(problem, k, z[reversed ? reversed_digits(k, digits) : k],
                       z[reversed ? reversed_digits(other, digits) : other]);
    });
  }
};

}  // namespace warploom
