#include "gpu/bench/programs.h"
#include "gpu/bench/raw_instructions.h"

namespace warploom::bench {

namespace {

constexpr unsigned lanes_per_block = 256, quads_a_round = 4, tile_quads = lanes_per_block * quads_a_round;

/// Each thread reads its four quads of a 16 KiB tile again and again. Group programs have no shared memory of their
/// own, so this one has a body for each group: shared memory on CUDA; on the CPU a tile that stays in the first cache.
struct ReadTile {
  std::uint32_t* out;
  std::uint64_t seed;
  std::uint32_t rounds;

#ifdef __CUDACC__
  __device__ void operator()(CudaGroup& group) const {
    __shared__ Quad tile[tile_quads];
    group.each([&](const Thread& lane) {
      for (unsigned q = lane.index; q < tile_quads; q += lanes_per_block) tile[q] = random_quad(seed, q);
    });
    __syncthreads();
    group.each([&](const Thread& lane) {
      const auto base = static_cast<std::uint32_t>(__cvta_generic_to_shared(tile + lane.index));
      std::uint32_t sum = 0;
#pragma unroll 4
      for (std::uint32_t round = 0; round < rounds; ++round)
        for (unsigned q = 0; q < quads_a_round; ++q) {
          std::uint32_t words[4];
          load_shared(base + q * lanes_per_block * static_cast<std::uint32_t>(sizeof(Quad)), words);
          sum += words[0] ^ words[1] ^ words[2];  // the fewest instructions that need all four words
          sum ^= words[3];
        }
      out[thread_number(group, lane)] = sum;
    });
  }
#endif

  void operator()(CpuGroup& group) const {
    Quad tile[tile_quads];
    std::uint32_t sums[lanes_per_block] = {};
    for (unsigned q = 0; q < tile_quads; ++q) tile[q] = random_quad(seed, q);
    for (std::uint32_t round = 0; round < rounds; ++round) {
      for (unsigned q = 0; q < quads_a_round; ++q)
        for (unsigned lane = 0; lane < lanes_per_block; ++lane) {
          const Quad at = tile[q * lanes_per_block + lane];
          sums[lane] += at.x ^ at.y ^ at.z;
          sums[lane] ^= at.w;
        }
      asm volatile("" : : "r"(tile) : "memory");  // the next round reads memory again
    }
    for (unsigned lane = 0; lane < lanes_per_block; ++lane) out[thread_number(group, Thread{lane, {}})] = sums[lane];
  }

  /// Lane by lane, from the data's formula.
  bool right(unsigned lane, std::uint32_t is) const {
    std::uint32_t sum = 0;
    for (std::uint32_t round = 0; round < rounds; ++round)
      for (unsigned q = 0; q < quads_a_round; ++q) {
        const Quad at = random_quad(seed, q * lanes_per_block + lane);
        sum = (sum + (at.x ^ at.y ^ at.z)) ^ at.w;
      }
    return is == sum;
  }
};

}  // namespace

void shared_ceiling(Bench& bench, const Ceiling& ceiling, Figure& figure) {
  Queue& queue = bench.queue();
  const std::uint64_t lanes = arithmetic_lanes(bench);
  Buffer<std::uint32_t> out(queue.backend(), lanes);
  const ReadTile program{out.data(), bench.fresh_seed(), queue.backend() == Backend::cuda ? 512u : 4096u};
  const auto samples =
      measure(bench, {{"shared", [&](Queue& q) { launch("bench.shared", q, row_shape(lanes), program); },
                       [&](Queue& q) { out.zero(q); },
                       [&](Queue& q) {
                         const auto values = out.download(q);
                         for (std::uint64_t i = 0; i < lanes; i += lanes / 61 + 1)
                           if (!program.right(static_cast<unsigned>(i % lanes_per_block), values[i])) return false;
                         return true;
                       }}});
  const double bytes = static_cast<double>(lanes) * program.rounds * quads_a_round * sizeof(Quad);
  figure.parameters = {{"tile", "16 KiB"}, {"rounds", std::to_string(program.rounds)}};
  figure.note = queue.backend() == Backend::cuda ? "reads of 16 bytes a thread, no bank conflict"
                                                 : "the first cache stands for shared memory";
  set_rates(figure, samples[0], bytes, ceiling.scale);
}

}  // namespace warploom::bench
