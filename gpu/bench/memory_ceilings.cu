#include "gpu/bench/programs.h"
#include "gpu/core/format.h"

namespace warploom::bench {

namespace {

WARPLOOM_HD std::uint32_t folded(Quad quad) { return quad.x + quad.y * 3 + quad.z * 5 + quad.w * 7; }

/// Four random sectors of 32 bytes per thread; one word a thread comes out.
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

/// The number of quads a thread that is fastest here. One on the CPU, whose threads are a loop over consecutive memory.
unsigned best_width(Bench& bench, const std::function<void(Queue&, unsigned)>& run) {
  if (bench.backend() == Backend::cpu) return 1;
  std::vector<Region> regions;
  for (const unsigned width : quad_widths) regions.push_back([&run, width](Queue& queue) { run(queue, width); });
  return quad_widths[quickest(bench, regions)];
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
  fill_random(queue, from.data(), count, seed);
  const auto spoil = [&](Queue& q) { fill_quads(q, to.data(), count, poison_quad); };
  const auto right = [&](Queue& q) { return all_random(q, to.data(), count, seed); };
  const auto copy = [&](Queue& q, unsigned width) { copy_quads(q, from.data(), to.data(), count, width); };
  const unsigned width = best_width(bench, copy);
  figure.parameters = {{"bytes", bytes_text(static_cast<double>(from.bytes()))},
                       {"bytes_a_thread", std::to_string(width * sizeof(Quad))},
                       {"counted", "read and written"}};
  finish(bench, ceiling, figure,
         {{"copy", [&](Queue& q) { copy(q, width); }, spoil, right},
          {"cudaMemcpyAsync", [&](Queue& q) { copy_bytes(q, to.data(), from.data(), from.bytes()); }, spoil, right}},
         2. * static_cast<double>(from.bytes()));
}

void fill_ceiling(Bench& bench, const Ceiling& ceiling, Figure& figure) {
  Queue& queue = bench.queue();
  const std::uint64_t count = large_bytes(bench) / sizeof(Quad);
  const Quad value = random_quad(bench.fresh_seed(), 0), zero{0, 0, 0, 0};
  Buffer<Quad> to(queue.backend(), count);
  const auto spoil = [&](Queue& q) { fill_quads(q, to.data(), count, poison_quad); };
  const auto holds = [&](Quad wanted) {
    return [&to, count, wanted](Queue& q) { return all_are(q, to.data(), count, wanted); };
  };
  const auto fill = [&](Queue& q, unsigned width) { fill_quads(q, to.data(), count, value, width); };
  const unsigned width = best_width(bench, fill);
  figure.parameters = {{"bytes", bytes_text(static_cast<double>(to.bytes()))},
                       {"bytes_a_thread", std::to_string(width * sizeof(Quad))}};
  finish(bench, ceiling, figure,
         {{"fill", [&](Queue& q) { fill(q, width); }, spoil, holds(value)},
          {"cudaMemsetAsync", [&](Queue& q) { to.zero(q); }, spoil, holds(zero)}},
         static_cast<double>(to.bytes()));
}

void gather_ceiling(Bench& bench, const Ceiling& ceiling, Figure& figure) {
  Queue& queue = bench.queue();
  std::uint32_t sectors = 1;
  while (std::uint64_t{sectors} * 64 <= large_bytes(bench)) sectors *= 2;
  const std::uint64_t quads = std::uint64_t{sectors} * 2, seed = bench.fresh_seed();
  const std::uint64_t threads = scaled(bench, queue.backend() == Backend::cuda ? 1u << 24 : 1u << 19, 256);
  Buffer<Quad> table(queue.backend(), quads);
  Buffer<std::uint32_t> out(queue.backend(), threads);
  fill_random(queue, table.data(), quads, seed);
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
