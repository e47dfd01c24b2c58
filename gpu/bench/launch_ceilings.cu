#include "gpu/bench/programs.h"

namespace warploom::bench {

namespace {

/// Every thread adds a small number of its own to one word, or to a random word of a table.
struct AddToTable {
  std::uint64_t* table;
  std::uint32_t words, seed;  ///< a power of two; 1: all to the same
  WARPLOOM_HD std::uint32_t word(std::uint64_t i) const {
    return mix(static_cast<std::uint32_t>(i) + seed) & (words - 1);
  }
  WARPLOOM_HD static std::uint64_t amount(std::uint64_t i) { return 1 + (i & 7); }
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    group.each([&](const Thread& thread) {
      const std::uint64_t i = thread_number(group, thread);
      atomic_add(table + word(i), amount(i));
    });
  }
};

/// A weight for each word makes the sum of the table tell what was added where.
WARPLOOM_HD std::uint64_t weight(std::uint32_t word) { return cell_hash(1, word, 0) | 1; }

struct WeighTable {
  const std::uint64_t* table;
  WARPLOOM_HD std::uint64_t operator()(std::uint64_t i) const {
    return table[i] * weight(static_cast<std::uint32_t>(i));
  }
};
struct WeighThreads {
  AddToTable program;
  WARPLOOM_HD std::uint64_t operator()(std::uint64_t i) const {
    return AddToTable::amount(i) * weight(program.word(i));
  }
};

void atomics(Bench& bench, const Ceiling& ceiling, Figure& figure, std::uint32_t words, std::uint64_t usual) {
  Queue& queue = bench.queue();
  const std::uint64_t threads = scaled(bench, usual, 256);
  Buffer<std::uint64_t> table(queue.backend(), words);
  const AddToTable program{table.data(), words, static_cast<std::uint32_t>(bench.fresh_seed())};
  const auto samples = measure(
      bench, {{"atomics", [&](Queue& q) { launch("bench.atomics", q, row_shape(threads), program); },
               [&](Queue& q) { table.zero(q); },  // sums start from nothing; too few or too many additions show
               [&](Queue& q) {
                 return sum_over(q, words, WeighTable{table.data()}) == sum_over(q, threads, WeighThreads{program});
               }}});
  figure.parameters = {{"words", std::to_string(words)}, {"bits", "64"}};
  set_rates(figure, samples[0], static_cast<double>(threads), ceiling.scale);
}

/// Nothing, in a way that no compiler may leave out.
struct EmptyBlock {
  template <class Group>
  WARPLOOM_HD void operator()(Group&) const {
    asm volatile("");
  }
};

/// The twin of the empty block that says how many blocks ran.
struct CountBlocks {
  SumSlots sum;
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    group.once([&] { sum.add(group.block_number(), 1); });
  }
};

void blocks(Bench& bench, const Ceiling& ceiling, Figure& figure, std::uint32_t threads) {
  Queue& queue = bench.queue();
  const auto count =
      static_cast<std::uint32_t>(scaled(bench, queue.backend() == Backend::cuda ? 1u << 22 : 1u << 20, 1));
  const LaunchShape shape{{count, 1, 1}, {threads, 1, 1}};
  Buffer<std::uint64_t> words(queue.backend(), SumSlots::slots * SumSlots::words_apart);
  const auto samples = measure(bench, {{"blocks",
                                        [&](Queue& q) { launch("bench.blocks", q, shape, EmptyBlock{}); },
                                        {},
                                        [&](Queue& q) {
                                          words.zero(q);
                                          launch("bench.check", q, shape, CountBlocks{{words.data()}});
                                          std::uint64_t ran = 0;
                                          for (const std::uint64_t word : words.download(q)) ran += word;
                                          return ran == count;
                                        }}});
  figure.parameters = {{"blocks", std::to_string(count)}, {"threads", std::to_string(threads)}};
  figure.note = "verified by a twin that counts its blocks";
  set_rates(figure, samples[0], count, ceiling.scale);
}

}  // namespace

void same_atomics_ceiling(Bench& bench, const Ceiling& ceiling, Figure& figure) {
  atomics(bench, ceiling, figure, 1, bench.backend() == Backend::cuda ? 1u << 23 : 1u << 19);
}

void spread_atomics_ceiling(Bench& bench, const Ceiling& ceiling, Figure& figure) {
  constexpr std::uint32_t words = 1u << 20;  // 8 MiB: the cache's rate, which is what slots and counters see
  atomics(bench, ceiling, figure, words, bench.backend() == Backend::cuda ? 1u << 26 : 1u << 21);
}

void small_blocks_ceiling(Bench& bench, const Ceiling& ceiling, Figure& figure) { blocks(bench, ceiling, figure, 32); }
void large_blocks_ceiling(Bench& bench, const Ceiling& ceiling, Figure& figure) { blocks(bench, ceiling, figure, 256); }

}  // namespace warploom::bench
