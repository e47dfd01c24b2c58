#include "gpu/bench/programs.h"
#include "gpu/core/format.h"

namespace warploom::bench {

namespace {

constexpr std::uint32_t block_threads = 256;

struct FillRandomQuads {
  Quad* to;
  std::uint64_t count, seed;
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    group.each([&](const Thread& thread) {
      const std::uint64_t i = thread_number(group, thread);
      if (i < count) to[i] = random_quad(seed, i);
    });
  }
};

/// All loads of a thread before its first store, so that they are under way together. The count is a multiple of what
/// a block copies.
template <unsigned PerThread>
struct CopyQuads {
  const Quad* from;
  Quad* to;
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    const std::uint64_t threads = group.size(), first = group.block_number() * threads * PerThread;
    group.each([&](const Thread& thread) {
      Quad held[PerThread];
      for (unsigned i = 0; i < PerThread; ++i) held[i] = from[first + i * threads + thread.index];
      for (unsigned i = 0; i < PerThread; ++i) to[first + i * threads + thread.index] = held[i];
    });
  }
};

template <unsigned PerThread>
struct FillQuads {
  Quad value;
  Quad* to;
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    const std::uint64_t threads = group.size(), first = group.block_number() * threads * PerThread;
    group.each([&](const Thread& thread) {
      for (unsigned i = 0; i < PerThread; ++i) to[first + i * threads + thread.index] = value;
    });
  }
};

/// Counts quads that are not the random data of their index.
struct DiffersFromRandom {
  const Quad* data;
  std::uint64_t seed;
  WARPLOOM_HD std::uint64_t operator()(std::uint64_t i) const {
    const Quad is = data[i], should = random_quad(seed, i);
    return is.x != should.x || is.y != should.y || is.z != should.z || is.w != should.w;
  }
};

struct DiffersFromValue {
  const Quad* data;
  Quad value;
  WARPLOOM_HD std::uint64_t operator()(std::uint64_t i) const {
    const Quad is = data[i];
    return is.x != value.x || is.y != value.y || is.z != value.z || is.w != value.w;
  }
};

WARPLOOM_HD std::uint32_t folded(Quad quad) { return quad.x + quad.y * 3 + quad.z * 5 + quad.w * 7; }

/// Four random sectors of 32 bytes a thread; one word a thread comes out.
struct GatherSectors {
  static constexpr unsigned per_thread = 4;
  const Quad* table;
  std::uint32_t sectors, seed;  ///< a power of two
  std::uint32_t* out;
  WARPLOOM_HD std::uint32_t sector(std::uint64_t i, unsigned j) const {
    return mix(static_cast<std::uint32_t>(i) * per_thread + j + seed) & (sectors - 1);
  }
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    group.each([&](const Thread& thread) {
      const std::uint64_t i = thread_number(group, thread);
      std::uint32_t sum = 0;
      for (unsigned j = 0; j < per_thread; ++j) {
        const Quad* at = table + std::uint64_t{sector(i, j)} * 2;
        sum += folded(at[0]) ^ folded(at[1]);
      }
      out[i] = sum;
    });
  }
};

/// The same without the table: its data is known by index.
struct DiffersFromGather {
  GatherSectors gather;
  std::uint64_t table_seed;
  WARPLOOM_HD std::uint64_t operator()(std::uint64_t i) const {
    std::uint32_t sum = 0;
    for (unsigned j = 0; j < GatherSectors::per_thread; ++j) {
      const std::uint64_t at = std::uint64_t{gather.sector(i, j)} * 2;
      sum += folded(random_quad(table_seed, at)) ^ folded(random_quad(table_seed, at + 1));
    }
    return gather.out[i] != sum;
  }
};

/// `count` quads, `per_thread` of them a thread.
LaunchShape quad_shape(std::uint64_t count, unsigned per_thread) {
  const unsigned of_a_block = block_threads * per_thread;
  return {{static_cast<std::uint32_t>(count / of_a_block), 1, 1}, {block_threads, 1, 1}};
}

/// `per_thread` quads a thread: 1, 2, 4 or 8.
template <template <unsigned> class Program, class... Arguments>
void launch_quads(const char* kernel, Queue& queue, std::uint64_t count, unsigned per_thread,
                  const Arguments&... arguments) {
  const LaunchShape shape = quad_shape(count, per_thread);
  switch (per_thread) {
    case 8:
      return launch(kernel, queue, shape, Program<8>{arguments...});
    case 4:
      return launch(kernel, queue, shape, Program<4>{arguments...});
    case 2:
      return launch(kernel, queue, shape, Program<2>{arguments...});
    default:
      return launch(kernel, queue, shape, Program<1>{arguments...});
  }
}

/// The number of quads a thread that is fastest here. One on the CPU, whose threads are a loop over consecutive memory.
unsigned best_per_thread(Bench& bench, const std::function<void(Queue&, unsigned)>& run) {
  if (bench.backend() == Backend::cpu) return 1;
  unsigned best = 1;
  double least = 1e300;
  for (const unsigned per_thread : {1u, 2u, 4u, 8u}) {
    const double time = quick_time(bench, [&](Queue& queue) { run(queue, per_thread); });
    if (time < least) least = time, best = per_thread;
  }
  return best;
}

void poison(Queue& queue, Buffer<Quad>& buffer) {
  const Quad wrong{0xdeadbeefu, 1, 2, 3};
  launch_quads<FillQuads>("bench.poison", queue, buffer.size(), 1, wrong, buffer.data());
}

/// The runtime's own copy or fill beside ours. On the CPU it would run on one thread: no peer.
void finish(Bench& bench, const Ceiling& ceiling, Figure& figure, std::vector<Contestant> contestants, double bytes) {
  if (bench.backend() == Backend::cpu) contestants.resize(1);
  const auto samples = measure(bench, contestants);
  set_rates(figure, samples[0], bytes, ceiling.scale);
  if (samples.size() > 1) set_peer(figure, contestants[1].name, samples[0], samples[1]);
}

}  // namespace

void copy_ceiling(Bench& bench, const Ceiling& ceiling, Figure& figure) {
  Queue& queue = bench.queue();
  const std::uint64_t count = large_bytes(bench) / sizeof(Quad), seed = bench.fresh_seed();
  Buffer<Quad> from(queue.backend(), count), to(queue.backend(), count);
  launch("bench.random", queue, row_shape(count), FillRandomQuads{from.data(), count, seed});
  const auto spoil = [&](Queue& q) { poison(q, to); };
  const auto right = [&](Queue& q) { return sum_over(q, count, DiffersFromRandom{to.data(), seed}) == 0; };
  const auto copy = [&](Queue& q, unsigned quads) {
    launch_quads<CopyQuads>("bench.copy", q, count, quads, from.data(), to.data());
  };
  const unsigned per_thread = best_per_thread(bench, copy);
  figure.parameters = {{"bytes", bytes_text(static_cast<double>(from.bytes()))},
                       {"bytes_a_thread", std::to_string(per_thread * sizeof(Quad))},
                       {"counted", "read and written"}};
  finish(bench, ceiling, figure,
         {{"copy", [&](Queue& q) { copy(q, per_thread); }, spoil, right},
          {"cudaMemcpyAsync", [&](Queue& q) { copy_bytes(q, to.data(), from.data(), from.bytes()); }, spoil, right}},
         2. * static_cast<double>(from.bytes()));
}

void fill_ceiling(Bench& bench, const Ceiling& ceiling, Figure& figure) {
  Queue& queue = bench.queue();
  const std::uint64_t count = large_bytes(bench) / sizeof(Quad);
  const Quad value = random_quad(bench.fresh_seed(), 0), zero{0, 0, 0, 0};
  Buffer<Quad> to(queue.backend(), count);
  const auto spoil = [&](Queue& q) { poison(q, to); };
  const auto holds = [&](Quad wanted) {
    return [&to, count, wanted](Queue& q) { return sum_over(q, count, DiffersFromValue{to.data(), wanted}) == 0; };
  };
  const auto fill = [&](Queue& q, unsigned quads) {
    launch_quads<FillQuads>("bench.fill", q, count, quads, value, to.data());
  };
  const unsigned per_thread = best_per_thread(bench, fill);
  figure.parameters = {{"bytes", bytes_text(static_cast<double>(to.bytes()))},
                       {"bytes_a_thread", std::to_string(per_thread * sizeof(Quad))}};
  finish(bench, ceiling, figure,
         {{"fill", [&](Queue& q) { fill(q, per_thread); }, spoil, holds(value)},
          {"cudaMemsetAsync", [&](Queue& q) { to.zero(q); }, spoil, holds(zero)}},
         static_cast<double>(to.bytes()));
}

void gather_ceiling(Bench& bench, const Ceiling& ceiling, Figure& figure) {
  Queue& queue = bench.queue();
  std::uint32_t sectors = 1;
  while (std::uint64_t{sectors} * 64 <= large_bytes(bench)) sectors *= 2;
  const std::uint64_t quads = std::uint64_t{sectors} * 2, seed = bench.fresh_seed();
  const std::uint64_t threads = scaled(bench, queue.backend() == Backend::cuda ? 1u << 24 : 1u << 19, block_threads);
  Buffer<Quad> table(queue.backend(), quads);
  Buffer<std::uint32_t> out(queue.backend(), threads);
  launch("bench.random", queue, row_shape(quads), FillRandomQuads{table.data(), quads, seed});
  const GatherSectors program{table.data(), sectors, static_cast<std::uint32_t>(bench.fresh_seed()), out.data()};
  const auto samples =
      measure(bench, {{"gather", [&](Queue& q) { launch("bench.gather", q, row_shape(threads), program); },
                       [&](Queue& q) { out.zero(q); },
                       [&](Queue& q) {
                         return sum_over(q, threads, DiffersFromGather{program, seed}) == 0;
                       }}});
  figure.parameters = {{"table", bytes_text(static_cast<double>(table.bytes()))}, {"counted", "32 bytes a sector"}};
  set_rates(figure, samples[0], 32. * GatherSectors::per_thread * static_cast<double>(threads), ceiling.scale);
}

}  // namespace warploom::bench
