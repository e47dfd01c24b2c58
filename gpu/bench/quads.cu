#include "gpu/bench/quads.h"

#include "gpu/bench/programs.h"
#include "gpu/core/unroll.h"

namespace warploom::bench {

namespace {

template <unsigned width>
struct CopyQuads {
  const Quad* from;
  Quad* to;
  std::uint64_t count;
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    const std::uint64_t first = group.block_number() * group.size() * width;
    group.each([&](const Thread& thread) {
      Quad held[width];
      WARPLOOM_UNROLL
      for (unsigned i = 0; i < width; ++i)
        if (const std::uint64_t at = first + i * group.size() + thread.index; at < count) held[i] = from[at];
      WARPLOOM_UNROLL
      for (unsigned i = 0; i < width; ++i)
        if (const std::uint64_t at = first + i * group.size() + thread.index; at < count) to[at] = held[i];
    });
  }
};

template <unsigned width>
struct FillQuads {
  Quad value;
  Quad* to;
  std::uint64_t count;
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    const std::uint64_t first = group.block_number() * group.size() * width;
    group.each([&](const Thread& thread) {
      WARPLOOM_UNROLL
      for (unsigned i = 0; i < width; ++i)
        if (const std::uint64_t at = first + i * group.size() + thread.index; at < count) to[at] = value;
    });
  }
};

WARPLOOM_HD Quad sum_of(Quad a, Quad b) { return {a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w}; }

template <unsigned width>
struct FoldQuads {
  const Quad* from;
  Quad* to;
  std::uint64_t count;
  static constexpr unsigned reads = 4;
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    // Read as they lie: a sum is of quads that are as far apart as there are sums.
    const std::uint64_t first = group.block_number() * group.size() * width;
    group.each([&](const Thread& thread) {
      Quad held[width * reads] = {};
      WARPLOOM_UNROLL
      for (unsigned i = 0; i < width * reads; ++i)
        if (const std::uint64_t at = first + i / reads * group.size() + thread.index; at < count)
          held[i] = from[i % reads * count + at];
      WARPLOOM_UNROLL
      for (unsigned i = 0; i < width; ++i)
        if (const std::uint64_t at = first + i * group.size() + thread.index; at < count)
          to[at] =
              sum_of(sum_of(held[i * reads], held[i * reads + 1]), sum_of(held[i * reads + 2], held[i * reads + 3]));
    });
  }
};

struct FillRandomQuads {
  Quad* to;
  std::uint64_t count, seed;
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    each_item(group, count, [&](std::uint64_t i) { to[i] = random_quad(seed, i); });
  }
};

WARPLOOM_HD std::uint64_t differ(Quad a, Quad b) { return a.x != b.x || a.y != b.y || a.z != b.z || a.w != b.w; }

struct DiffersFromRandom {
  const Quad* data;
  std::uint64_t seed;
  WARPLOOM_HD std::uint64_t operator()(std::uint64_t i) const { return differ(data[i], random_quad(seed, i)); }
};
struct DiffersFromSum {
  const Quad* data;
  std::uint64_t count, seed;
  unsigned reads;
  WARPLOOM_HD std::uint64_t operator()(std::uint64_t i) const {
    Quad sum = random_quad(seed, i);
    for (unsigned k = 1; k < reads; ++k) sum = sum_of(sum, random_quad(seed, i + k * count));
    return differ(data[i], sum);
  }
};
struct DiffersFromValue {
  const Quad* data;
  Quad value;
  WARPLOOM_HD std::uint64_t operator()(std::uint64_t i) const { return differ(data[i], value); }
};

/// `width` quads a thread: 1, 2, 4 or 8.
template <template <unsigned> class Program, class... Arguments>
void launch_quads(const char* kernel, Queue& queue, std::uint64_t count, unsigned width,
                  const Arguments&... arguments) {
  const LaunchShape shape = row_shape((count + width - 1) / width);
  switch (width) {
    case 8:
      return launch(kernel, queue, shape, Program<8>{arguments..., count});
    case 4:
      return launch(kernel, queue, shape, Program<4>{arguments..., count});
    case 2:
      return launch(kernel, queue, shape, Program<2>{arguments..., count});
    default:
      return launch(kernel, queue, shape, Program<1>{arguments..., count});
  }
}

}  // namespace

void copy_quads(Queue& queue, const void* from, void* to, std::uint64_t count, unsigned width) {
  launch_quads<CopyQuads>("bench.copy", queue, count, width, static_cast<const Quad*>(from), static_cast<Quad*>(to));
}

void fold_quads(Queue& queue, const void* from, void* to, std::uint64_t count, unsigned reads, unsigned width) {
  if (reads == 1) return copy_quads(queue, from, to, count, width);
  launch_quads<FoldQuads>("bench.copy", queue, count, width, static_cast<const Quad*>(from), static_cast<Quad*>(to));
}

void fill_quads(Queue& queue, Quad* to, std::uint64_t count, Quad value, unsigned width) {
  launch_quads<FillQuads>("bench.fill", queue, count, width, value, to);
}

void fill_random(Queue& queue, Quad* to, std::uint64_t count, std::uint64_t seed) {
  launch("bench.random", queue, row_shape(count), FillRandomQuads{to, count, seed});
}

bool all_random(Queue& queue, const Quad* at, std::uint64_t count, std::uint64_t seed) {
  return sum_over(queue, count, DiffersFromRandom{at, seed}) == 0;
}

bool all_folded(Queue& queue, const Quad* at, std::uint64_t count, unsigned reads, std::uint64_t seed) {
  return sum_over(queue, count, DiffersFromSum{at, count, seed, reads}) == 0;
}

bool all_are(Queue& queue, const Quad* at, std::uint64_t count, Quad value) {
  return sum_over(queue, count, DiffersFromValue{at, value}) == 0;
}

}  // namespace warploom::bench
