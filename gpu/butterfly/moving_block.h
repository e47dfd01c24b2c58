#pragma once
#include "gpu/butterfly/exchange.h"
#include "gpu/butterfly/fft_data.h"
#include "gpu/butterfly/networks/fft.h"
#include "gpu/butterfly/trace.h"
#include "gpu/core/group.h"
#include "gpu/core/unroll.h"

namespace warploom {

/// What the digits `high` to `low` of a window do to the registers of a thread: (u, v) becomes (u + v, (u - v) W).
/// `lowest` is the digit of bit 0 of a register's number, `low_digits` the element of register 0.
template <int p>
WARPLOOM_HD void fft_stage(Complex (&v)[1 << p], int high, int low, int lowest, std::uint32_t first,
                           const Twiddles& twiddles, bool inverse) {
  WARPLOOM_UNROLL
  for (int bit = p - 1; bit >= 0; --bit) {
    const int d = lowest + bit;
    if (d > high || d < low) continue;
    WARPLOOM_UNROLL
    for (int i = 0; i < 1 << p; ++i) {
      if (i >> bit & 1) continue;
      const int j = i | 1 << bit;
      const std::uint32_t e = first | static_cast<std::uint32_t>(i) << (lowest - 1);
      Complex w = twiddles.at(e & below_digit(d), d);
      if (inverse) w = conjugate(w);
      const Complex u = v[i], apart = u - v[j];
      v[i] = u + v[j];
      v[j] = apart * w;
    }
  }
}

/// A block transforms its problems in registers, window by window; between windows every element goes to its new
/// thread. Sources: lobeiras2015bplg, lobeiras2016indexdigit.
/// `Data`: what loads and stores (fft_data.h, fft_groups.h).
template <int p, bool shuffles, class Trace = NoTrace, class Data = FftData>
struct MovingBlock {
  static constexpr std::uint64_t threads_per_chunk = 1024;
  static constexpr int items = 1 << p, most_windows = 13;
  FftNetwork network;
  NetworkMapping mapping;
  std::uint64_t batch;
  Data data;
  /// Before each window; and of the split.
  ExchangeWords words[most_windows];
  bool crosses[most_windows] = {};  ///< through shared memory
  std::uint32_t shared_bytes = 0;
  Trace trace;

  std::uint64_t dynamic_shared_bytes() const { return shared_bytes; }

  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    struct Registers {
      Complex v[items];
    };
    typename Group::template PerLane<Registers> own, got;
    typename Group::template PerLane<Complex> sent, received;
    typename Group::template PerLane<unsigned> lanes;
    auto tile = group.template dynamic_tile<Complex>(shared_bytes / sizeof(Complex));
    const std::uint64_t first_problem = group.block_number() << mapping.threads_y();
    const auto live = [&](const Thread& thread) { return first_problem + thread.at.y < batch; };
    group.each([&](const Thread& thread) {
      Registers all{};
      if (live(thread))
        for (std::uint32_t i = 0; i < items; ++i)
          all.v[i] = data.load(first_problem + thread.at.y, network.element(0, {thread.at.x, i}));
      own[thread] = all;
      if (live(thread)) tell(thread, 0, 0, first_problem, all.v);
    });
    bool written = false;
    int stage = 1;
    for (int window = 0; window < network.windows(); ++window) {
      if (window > 0) {
        if constexpr (shuffles) {
          // What stays in its warp, register by register: a reader takes it from whichever it was in.
          group.each([&](const Thread& thread) { got[thread] = own[thread]; });
          for (std::uint32_t from = 0; from < items; ++from)
            for (std::uint32_t i = 0; i < items; ++i) {
              group.each([&](const Thread& thread) {
                const NetworkPlace old = was(window, thread, i);
                const std::uint32_t source = base(thread) + old.thread;
                lanes[thread] =
                    source / warp_size == thread.index / warp_size ? source % warp_size : thread.index % warp_size;
                sent[thread] = own[thread].v[from];
              });
              group.shuffle(sent, lanes, received);
              group.each([&](const Thread& thread) {
                if (was(window, thread, i).item == from) got[thread].v[i] = received[thread];
              });
            }
        }
        if (crosses[window]) {
          if (written) group.barrier();
          written = true;
          exchange(group, own, got, tile, window, stage, first_problem);
        }
        if (crosses[window] || shuffles) group.each([&](const Thread& thread) { own[thread] = got[thread]; });
      }
      const int lowest = network.lowest(window);
      while (stage <= network.stages()) {
        const NetworkStage at = network.stage(stage);
        if (at.window != window) break;
        group.each([&](const Thread& thread) {
          fft_stage<p>(own[thread].v, at.high, at.low, lowest, network.element(window, {thread.at.x, 0}), data.twiddles,
                       data.inverse);
          if (live(thread)) tell(thread, stage, window, first_problem, own[thread].v);
        });
        ++stage;
      }
    }
    const int last = network.windows() ? network.windows() - 1 : 0;
    if (!data.splits()) {
      group.each([&](const Thread& thread) {
        if (!live(thread)) return;
        for (std::uint32_t i = 0; i < items; ++i)
          data.store(first_problem + thread.at.y, reversed_digits(network.element(last, {thread.at.x, i}), network.n),
                     own[thread].v[i]);
      });
      return;
    }
    // Every X[k] is made of two: one more exchange, in the order of k.
    if (written) group.barrier();
    group.each([&](const Thread& thread) {
      if (!live(thread)) return;
      for (std::uint32_t i = 0; i < items; ++i)
        tile[(thread.at.y << network.n) + reversed_digits(network.element(last, {thread.at.x, i}), network.n)] =
            own[thread].v[i];
    });
    group.barrier();
    group.each([&](const Thread& thread) {
      if (!live(thread)) return;
      const std::uint32_t all = 1u << network.n, threads = 1u << mapping.threads_x();
      for (std::uint32_t i = 0; i < items; ++i) {
        const std::uint32_t k = i * threads + thread.at.x, of_problem = thread.at.y << network.n;
        const Complex z = tile[of_problem + k], other = tile[of_problem + ((all - k) & (all - 1))];
        data.store_split(first_problem + thread.at.y, k, z, other);
      }
    });
  }

 private:
  WARPLOOM_HD void tell([[maybe_unused]] const Thread& thread, [[maybe_unused]] int stage, [[maybe_unused]] int window,
                        [[maybe_unused]] std::uint64_t first_problem,
                        [[maybe_unused]] const Complex (&values)[items]) const {
    if constexpr (Trace::on) {
      for (std::uint32_t i = 0; i < items; ++i)
        trace.step(stage, first_problem + thread.at.y, network.element(window, {thread.at.x, i}), values[i]);
    }
  }
  /// The first thread of its problem.
  WARPLOOM_HD static std::uint32_t base(const Thread& thread) { return thread.index - thread.at.x; }
  /// Where what a thread has in this register in a window was before.
  WARPLOOM_HD NetworkPlace was(int window, const Thread& thread, std::uint32_t item) const {
    return network.place_in(window - 1, network.element(window, {thread.at.x, item}));
  }

  template <class Group, class Registers, class Tile>
  WARPLOOM_HD void exchange(Group& group, Registers& own, Registers& got, Tile& tile, int window, int stage,
                            std::uint64_t first_problem) const {
    const ExchangeWords& where = words[window];
    const AccessNumbers numbers{items, items};
    const auto far = [&](std::uint32_t source, std::uint32_t reader) {
      return !shuffles || source / warp_size != reader / warp_size;
    };
    group.each([&](const Thread& thread) {
      if (first_problem + thread.at.y >= batch) return;
      for (std::uint32_t i = 0; i < items; ++i) {
        const std::uint32_t e = network.element(window - 1, {thread.at.x, i});
        if (shuffles && !far(thread.index, base(thread) + network.place_in(window, e).thread)) continue;
        const std::uint32_t byte = where.byte(thread.index, i);
        tile[byte / sizeof(Complex)] = own[thread].v[i];
        if constexpr (Trace::on) {
          trace.access(group.block_number(), numbers.write(stage, i), thread.index, byte,
                       (thread.at.y << network.n) + e);
        }
      }
    });
    group.barrier();
    group.each([&](const Thread& thread) {
      if (first_problem + thread.at.y >= batch) return;
      for (std::uint32_t i = 0; i < items; ++i) {
        const std::uint32_t e = network.element(window, {thread.at.x, i});
        const NetworkPlace old = network.place_in(window - 1, e);
        if (!far(base(thread) + old.thread, thread.index)) continue;
        const std::uint32_t byte = where.byte(base(thread) + old.thread, old.item);
        got[thread].v[i] = tile[byte / sizeof(Complex)];
        if constexpr (Trace::on) {
          trace.access(group.block_number(), numbers.read(stage, i), thread.index, byte,
                       (thread.at.y << network.n) + e);
        }
      }
    });
  }
};

/// The same with nothing shared: a window of every problem a launch, from one array to the other.
template <int p>
struct MovingLaunch {
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
      Complex v[1 << p];
      for (std::uint32_t item = 0; item < 1u << p; ++item) {
        const std::uint32_t e = network.element(window, {x, item});
        v[item] = before ? before[(problem << network.n) + e] : data.load(problem, e);
      }
      const int lowest = network.lowest(window);
      for (int stage = network.first_stage(window); stage <= network.stages(); ++stage) {
        const NetworkStage at = network.stage(stage);
        if (at.window != window) break;
        fft_stage<p>(v, at.high, at.low, lowest, network.element(window, {x, 0}), data.twiddles, data.inverse);
      }
      for (std::uint32_t item = 0; item < 1u << p; ++item) {
        const std::uint32_t e = network.element(window, {x, item});
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
