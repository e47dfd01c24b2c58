#include <cmath>

#include "gpu/bench/programs.h"
#include "gpu/core/rounded.h"

namespace warploom::bench {

namespace {

/// Independent chains a thread: on CUDA enough to hide the latency of an instruction (4 cycles on sm_90) twice over; on
/// the CPU eight vectors of four threads.
constexpr unsigned cuda_chains = 8, cpu_chains = 32;

/// Number of chain `chain` of thread `i` to start from: 0.5 to 1.5.
WARPLOOM_HD float start(std::uint32_t seed, std::uint64_t i, unsigned chain) {
  return .5f + static_cast<float>(mix(static_cast<std::uint32_t>(i) * cpu_chains + chain + seed) >> 8) * 0x1p-24f;
}
WARPLOOM_HD std::uint32_t start_bits(std::uint32_t seed, std::uint64_t i, unsigned chain) {
  return mix(static_cast<std::uint32_t>(i) * cpu_chains + chain + seed);
}

/// a <- a b + c with b = 1 - 1/rounds, so that the start still counts for 1/e at the end.
template <unsigned chains>
struct MultiplyAdd {
  using Result = float;
  static constexpr const char* name = "bench.fma";
  static constexpr unsigned per_round = chains;
  float* out;
  std::uint32_t seed, rounds;
  float b, c;
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    group.each([&](const Thread& thread) {
      const std::uint64_t i = thread_number(group, thread);
      float a[chains], sum = 0;
      for (unsigned k = 0; k < chains; ++k) a[k] = start(seed, i, k);
      for (std::uint32_t round = 0; round < rounds; round += 16)
        for (unsigned j = 0; j < 16; ++j)
          for (unsigned k = 0; k < chains; ++k) a[k] = a[k] * b + c;
      for (unsigned k = 0; k < chains; ++k) sum += a[k];
      out[i] = sum;
    });
  }
  /// The closed form, in double: b^n a + c (1 - b^n) / (1 - b).
  bool right(std::uint64_t i, float is) const {
    const double power = std::pow(double{b}, rounds), rest = c * (1 - power) / (1 - double{b});
    double sum = 0;
    for (unsigned k = 0; k < chains; ++k) sum += power * start(seed, i, k) + rest;
    return std::abs(is - sum) < 1e-3 * sum;  // rounding stays below 1e-4; a hundredth of the rounds less does not
  }
};

/// a[k] <- a[k] ^ (~a[k+1] & a[k+2]), one three-input operation; a step of Keccak's chi, which loses nothing.
template <unsigned chains>
struct ThreeInputLogic {
  using Result = std::uint32_t;
  static constexpr const char* name = "bench.logic";
  static constexpr unsigned per_round = chains;
  std::uint32_t* out;
  std::uint32_t seed, rounds;
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    group.each([&](const Thread& thread) {
      const std::uint64_t i = thread_number(group, thread);
      std::uint32_t a[chains], sum = 0;
      for (unsigned k = 0; k < chains; ++k) a[k] = start_bits(seed, i, k);
      for (std::uint32_t round = 0; round < rounds; round += 16)
        for (unsigned j = 0; j < 16; ++j)
          for (unsigned k = 0; k < chains; ++k) a[k] ^= ~a[(k + 1) % chains] & a[(k + 2) % chains];
      for (unsigned k = 0; k < chains; ++k) sum += a[k];
      out[i] = sum;
    });
  }
  /// Bit by bit, in words of one bit position each.
  bool right(std::uint64_t i, std::uint32_t is) const {
    std::uint32_t words[chains] = {}, sum = 0;
    for (unsigned bit = 0; bit < 32; ++bit) {
      bool a[chains];
      for (unsigned k = 0; k < chains; ++k) a[k] = start_bits(seed, i, k) >> bit & 1u;
      for (std::uint64_t step = 0; step < std::uint64_t{rounds} * chains; ++step)
        if (!a[(step + 1) % chains] && a[(step + 2) % chains]) a[step % chains] = !a[step % chains];
      for (unsigned k = 0; k < chains; ++k) words[k] |= std::uint32_t{a[k]} << bit;
    }
    for (const std::uint32_t word : words) sum += word;
    return is == sum;
  }
};

/// a[k] <- 1 / sqrt(a[k] + c), with a c of each thread's own: converges to a root of a^2 (a + c) = 1.
template <unsigned chains>
struct InverseRoots {
  using Result = float;
  static constexpr const char* name = "bench.special";
  static constexpr unsigned per_round = chains;
  float* out;
  std::uint32_t seed, rounds;
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    group.each([&](const Thread& thread) {
      const std::uint64_t i = thread_number(group, thread);
      const float c = start(seed, i, 0);
      float a[chains], sum = 0;
      for (unsigned k = 0; k < chains; ++k) a[k] = start(seed, i, k);
      for (std::uint32_t round = 0; round < rounds; round += 16)
        for (unsigned j = 0; j < 16; ++j)
          for (unsigned k = 0; k < chains; ++k) a[k] = bare_inverse_square_root(a[k] + c);
      for (unsigned k = 0; k < chains; ++k) sum += a[k];
      out[i] = sum;
    });
  }
  /// Newton's way to the root, in double.
  bool right(std::uint64_t i, float is) const {
    const double c = start(seed, i, 0);
    double a = 1;
    for (int step = 0; step < 60; ++step) a -= (a * a * (a + c) - 1) / (3 * a * a + 2 * a * c);
    return std::abs(is - chains * a) < 1e-5 * chains * a;
  }
};

/// Runs a program of `rounds` rounds and checks a sample of its threads on the host.
template <class Program>
void arithmetic(Bench& bench, const Ceiling& ceiling, Figure& figure, std::uint32_t rounds, Program program) {
  Queue& queue = bench.queue();
  const std::uint64_t threads = arithmetic_threads(bench);
  Buffer<typename Program::Result> out(queue.backend(), threads);
  program.out = out.data();
  program.seed = static_cast<std::uint32_t>(bench.fresh_seed());
  program.rounds = rounds;
  const auto samples =
      measure(bench, {{Program::name, [&](Queue& q) { launch(Program::name, q, row_shape(threads), program); },
                       [&](Queue& q) { out.zero(q); },
                       [&](Queue& q) {
                         const auto values = out.download(q);
                         for (std::uint64_t i = 0; i < threads; i += threads / 61 + 1)
                           if (!program.right(i, values[i])) return false;
                         return program.right(threads - 1, values[threads - 1]);
                       }}});
  const double operations = double{Program::per_round} * rounds * static_cast<double>(threads);
  figure.parameters = {{"threads", std::to_string(threads)},
                       {"rounds", std::to_string(rounds)},
                       {"chains", std::to_string(Program::per_round)}};
  set_rates(figure, samples[0], operations, ceiling.scale);
}

}  // namespace

void fma_ceiling(Bench& bench, const Ceiling& ceiling, Figure& figure) {
  constexpr std::uint32_t rounds = 4096;
  constexpr float b = 1 - 1.f / rounds, c = 1.f / rounds;
  if (bench.backend() == Backend::cuda) {
    arithmetic(bench, ceiling, figure, rounds, MultiplyAdd<cuda_chains>{nullptr, 0, 0, b, c});
    return;
  }
  figure.note = "as the compiler makes it for this build's instruction set";
  arithmetic(bench, ceiling, figure, rounds, MultiplyAdd<cpu_chains>{nullptr, 0, 0, b, c});
}

void logic_ceiling(Bench& bench, const Ceiling& ceiling, Figure& figure) {
  if (bench.backend() == Backend::cpu) figure.note = "three instructions each where there are none of three inputs";
  arithmetic(bench, ceiling, figure, 2048, ThreeInputLogic<cuda_chains>{});
}

void special_ceiling(Bench& bench, const Ceiling& ceiling, Figure& figure) {
  if (bench.backend() == Backend::cuda) return arithmetic(bench, ceiling, figure, 1024, InverseRoots<cuda_chains>{});
  figure.note = "a root and a division each";
  arithmetic(bench, ceiling, figure, 256, InverseRoots<cpu_chains>{});
}

}  // namespace warploom::bench
