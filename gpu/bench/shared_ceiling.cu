#include "gpu/bench/programs.h"

namespace warploom::bench {

namespace {

constexpr unsigned threads_per_block = 256, quads_a_round = 4, tile_quads = threads_per_block * quads_a_round;

#ifdef __CUDACC__
/// Sixteen bytes of shared memory, by the instruction, which no portable expression names. Volatile for the compiler
/// and for the assembler, which keeps what it has read.
__device__ __forceinline__ void load_shared(std::uint32_t address, std::uint32_t (&to)[4]) {
  asm volatile("ld.volatile.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
               : "r"(address));
}
#endif

/// Each thread reads its four quads of a 16 KiB tile again and again: of shared memory on CUDA, by an instruction that
/// no C++ stands for; of a tile that stays in the first cache on the CPU. Hence a body for each, and an array that no
/// group looks after.
struct ReadTile {
  std::uint32_t* out;
  std::uint64_t seed;
  std::uint32_t rounds;

  static constexpr unsigned most_threads = threads_per_block;
  template <class Group>
  struct Shared {
    Quad tile[tile_quads];
  };

#ifdef __CUDACC__
  __device__ void operator()(CudaGroup& group, Shared<CudaGroup>& shared) const {
    Quad* const tile = shared.tile;
    group.each([&](const Thread& thread) {
      for (unsigned q = thread.index; q < tile_quads; q += threads_per_block) tile[q] = random_quad(seed, q);
    });
    group.barrier();
    group.each([&](const Thread& thread) {
      const auto base = static_cast<std::uint32_t>(__cvta_generic_to_shared(tile + thread.index));
      std::uint32_t sum = 0;
#pragma unroll 4
      for (std::uint32_t round = 0; round < rounds; ++round)
        for (unsigned q = 0; q < quads_a_round; ++q) {
          std::uint32_t words[4];
          load_shared(base + q * threads_per_block * static_cast<std::uint32_t>(sizeof(Quad)), words);
          sum += words[0] ^ words[1] ^ words[2];  // the fewest instructions that need all four words
          sum ^= words[3];
        }
      out[thread_number(group, thread)] = sum;
    });
  }
#endif

  template <class Group>
  void operator()(Group& group, Shared<Group>& shared) const {
    Quad* const tile = shared.tile;
    std::uint32_t sums[threads_per_block] = {};
    for (unsigned q = 0; q < tile_quads; ++q) tile[q] = random_quad(seed, q);
    for (std::uint32_t round = 0; round < rounds; ++round) {
      for (unsigned q = 0; q < quads_a_round; ++q)
        for (unsigned thread = 0; thread < threads_per_block; ++thread) {
          const Quad at = tile[q * threads_per_block + thread];
          sums[thread] += at.x ^ at.y ^ at.z;
          sums[thread] ^= at.w;
        }
      asm volatile("" : : "r"(tile) : "memory");  // the next round reads memory again
    }
    for (unsigned thread = 0; thread < threads_per_block; ++thread)
      out[thread_number(group, Thread{thread, {}})] = sums[thread];
  }

  /// Track by thread, from the data's formula.
  bool right(unsigned thread, std::uint32_t is) const {
    std::uint32_t sum = 0;
    for (std::uint32_t round = 0; round < rounds; ++round)
      for (unsigned q = 0; q < quads_a_round; ++q) {
        const Quad at = random_quad(seed, q * threads_per_block + thread);
        sum = (sum + (at.x ^ at.y ^ at.z)) ^ at.w;
      }
    return is == sum;
  }
};

}  // namespace

void shared_ceiling(Bench& bench, const Ceiling& ceiling, Figure& figure) {
  Queue& queue = bench.queue();
  const std::uint64_t threads = arithmetic_threads(bench);
  Buffer<std::uint32_t> out(queue.backend(), threads);
  const ReadTile program{out.data(), bench.fresh_seed(), queue.backend() == Backend::cuda ? 512u : 4096u};
  const auto samples =
      measure(bench, {{"shared", [&](Queue& q) { launch("bench.shared", q, row_shape(threads), program); },
                       [&](Queue& q) { out.zero(q); },
                       [&](Queue& q) {
                         const auto values = out.download(q);
                         for (std::uint64_t i = 0; i < threads; i += threads / 61 + 1)
                           if (!program.right(static_cast<unsigned>(i % threads_per_block), values[i])) return false;
                         return true;
                       }}});
  const double bytes = static_cast<double>(threads) * program.rounds * quads_a_round * sizeof(Quad);
  figure.parameters = {{"tile", "16 KiB"}, {"rounds", std::to_string(program.rounds)}};
  figure.note = queue.backend() == Backend::cuda ? "reads of 16 bytes per thread, no bank conflict"
                                                 : "the first cache stands for shared memory";
  set_rates(figure, samples[0], bytes, ceiling.scale);
}

}  // namespace warploom::bench
