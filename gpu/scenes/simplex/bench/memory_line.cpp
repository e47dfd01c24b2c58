#include <algorithm>
#include <memory>

#include "gpu/bench/quads.h"
#include "gpu/core/buffer.h"
#include "gpu/scenes/simplex/bench/roots.h"

namespace warploom::bench {

namespace {

/// A way to pass over the first quads, and what it writes if it is a fill.
struct Way {
  std::string name;
  std::function<void(Queue&, std::uint64_t count)> run;
  Quad writes{};
};

/// 16, 32 and 64 bytes per thread. On the CPU threads are a loop over consecutive memory.
std::vector<Way> ways_of(const Bench& bench, const std::function<void(Queue&, std::uint64_t, unsigned)>& run,
                         Quad writes = {}) {
  std::vector<Way> ways;
  for (const unsigned width : bench.backend() == Backend::cuda ? std::vector{1u, 2u, 4u} : std::vector{1u})
    ways.push_back({std::to_string(16 * width) + " bytes per thread",
                    [run, width](Queue& queue, std::uint64_t count) { run(queue, count, width); }, writes});
  return ways;
}

/// The quickest way as a line; right(queue, way) checks it.
MemoryLine line_of(Bench& bench, const char* what, const char* name, std::uint64_t bytes, const std::vector<Way>& ways,
                   const Region& poison, const std::function<bool(Queue&, const Way&)>& right) {
  const std::uint64_t quads = (bytes + sizeof(Quad) - 1) / sizeof(Quad),
                      held = MemoryLine::held_bytes(bytes) / sizeof(Quad);
  std::vector<Region> regions;
  regions.reserve(ways.size());
  for (const Way& way : ways)
    regions.push_back([=](Queue& queue) {
      for (std::uint64_t done = 0; done < quads; done += held) way.run(queue, std::min(held, quads - done));
    });
  const std::size_t best = quickest(bench, regions);
  return {{name, regions[best], poison, [way = ways[best], right](Queue& queue) { return right(queue, way); }},
          ways[best].name + (quads > held ? ", over 8 GiB again and again" : ""),
          what};
}

std::shared_ptr<Buffer<Quad>> held_quads(const Bench& bench, std::uint64_t bytes) {
  return std::make_shared<Buffer<Quad>>(bench.backend(), MemoryLine::held_bytes(bytes) / sizeof(Quad));
}

}  // namespace

std::uint64_t MemoryLine::held_bytes(std::uint64_t bytes) {
  constexpr std::uint64_t most = std::uint64_t{8} << 30;
  return std::min((bytes + sizeof(Quad) - 1) / sizeof(Quad) * sizeof(Quad), most);
}

MemoryLine linear_fill(Bench& bench, std::uint64_t bytes) {
  const auto to = held_quads(bench, bytes);
  const Quad value = random_quad(bench.fresh_seed(), 0);
  const auto fill = [=](Queue& queue, std::uint64_t count, unsigned width) {
    fill_quads(queue, to->data(), count, value, width);
  };
  std::vector<Way> ways = ways_of(bench, fill, value);
  // On the CPU the runtime's own fill would run on one thread.
  if (bench.backend() == Backend::cuda)
    ways.push_back({"cudaMemsetAsync",
                    [=](Queue& queue, std::uint64_t count) { zero_bytes(queue, to->data(), count * sizeof(Quad)); }});
  return line_of(
      bench, "fill", "linear fill", bytes, ways,
      [=](Queue& queue) { fill_quads(queue, to->data(), to->size(), poison_quad); },
      [=](Queue& queue, const Way& way) { return all_are(queue, to->data(), to->size(), way.writes); });
}

MemoryLine linear_copy(Bench& bench, std::uint64_t bytes) {
  const auto from = held_quads(bench, bytes), to = held_quads(bench, bytes);
  const std::uint64_t seed = bench.fresh_seed();
  fill_random(bench.queue(), from->data(), from->size(), seed);
  const auto copy = [=](Queue& queue, std::uint64_t count, unsigned width) {
    copy_quads(queue, from->data(), to->data(), count, width);
  };
  return line_of(
      bench, "copy", "copy of as many bytes", bytes, ways_of(bench, copy), [=](Queue& queue) { to->zero(queue); },
      [=](Queue& queue, const Way&) { return all_random(queue, to->data(), to->size(), seed); });
}

}  // namespace warploom::bench
