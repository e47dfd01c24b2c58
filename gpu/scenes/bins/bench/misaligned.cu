#include <algorithm>
#include <memory>

#include "gpu/bench/programs.h"
#include "gpu/scenes/bins/bench/records.h"

namespace warploom::bench {

namespace {

struct Four {
  std::uint32_t a;
};
struct alignas(8) Eight {
  std::uint32_t a, b;
};
WARPLOOM_HD std::uint32_t folded(Four v) { return v.a; }
WARPLOOM_HD std::uint32_t folded(Eight v) { return v.a + 3 * v.b; }
WARPLOOM_HD std::uint32_t folded(Quad v) { return v.x + 3 * v.y + 5 * v.z + 7 * v.w; }

struct FillWords {
  std::uint32_t* to;
  std::uint32_t seed;
  WARPLOOM_HD void operator()(std::uint64_t i) const { to[i] = mix(static_cast<std::uint32_t>(i) + seed); }
};

/// Runs of 128 values, eight a block, that lie anywhere; each begins `shift` values past a boundary of 128.
template <class Value>
struct ReadRuns {
  static constexpr unsigned run = 128, runs_a_block = 8;
  const Value* values;
  std::uint32_t slots, seed, shift;  ///< a power of two
  std::uint32_t* out;
  WARPLOOM_HD std::uint64_t place(std::uint64_t number, unsigned i) const {
    const std::uint32_t slot = mix(static_cast<std::uint32_t>(number) + seed) & (slots - 1);
    return std::uint64_t{slot} * run + shift + i;
  }
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    group.each([&](const Thread& thread) {
      std::uint32_t sum = 0;
      for (unsigned r = 0; r < runs_a_block; ++r)
        sum += (r + 1) * folded(values[place(group.block_number() * runs_a_block + r, thread.index)]);
      out[group.block_number() * run + thread.index] = sum;
    });
  }
};

/// Counts threads whose sum is not that of the words by their numbers.
template <class Value>
struct RunsDiffer {
  ReadRuns<Value> read;
  std::uint32_t words_seed;
  WARPLOOM_HD std::uint32_t word(std::uint64_t value, unsigned w) const {
    constexpr unsigned words = sizeof(Value) / 4;
    return mix(static_cast<std::uint32_t>(value * words + w) + words_seed) * (2 * w + 1);
  }
  WARPLOOM_HD std::uint64_t operator()(std::uint64_t i) const {
    std::uint32_t sum = 0;
    for (unsigned r = 0; r < ReadRuns<Value>::runs_a_block; ++r) {
      const std::uint64_t value = read.place(i / ReadRuns<Value>::run * ReadRuns<Value>::runs_a_block + r,
                                             static_cast<unsigned>(i % ReadRuns<Value>::run));
      std::uint32_t of_value = 0;
      for (unsigned w = 0; w < sizeof(Value) / 4; ++w) of_value += word(value, w);
      sum += (r + 1) * of_value;
    }
    return sum != read.out[i];
  }
};

template <class Value>
void add_misaligned(Bench& bench, std::vector<Figure>& figures) {
  using Read = ReadRuns<Value>;
  Queue& queue = bench.queue();
  const std::uint64_t bytes = record_counts(bench, {30}, 22).front();
  const auto slots = static_cast<std::uint32_t>(std::max<std::uint64_t>(8, bytes / sizeof(Value) / Read::run));
  const std::uint64_t words = (std::uint64_t{slots} + 1) * Read::run * sizeof(Value) / 4,
                      blocks = slots / Read::runs_a_block;
  const auto data = std::make_shared<Buffer<std::uint32_t>>(bench.backend(), words);
  const auto out = std::make_shared<Buffer<std::uint32_t>>(bench.backend(), blocks * Read::run);
  const auto seed = static_cast<std::uint32_t>(bench.fresh_seed()),
             runs_seed = static_cast<std::uint32_t>(bench.fresh_seed());
  launch_items("bench.fill", queue, words, FillWords{data->data(), seed});
  std::vector<Contestant> all;
  const std::uint32_t shifts[] = {0, 1, 4, 16};
  for (const std::uint32_t shift : shifts) {
    const Read read{reinterpret_cast<const Value*>(data->data()), slots, runs_seed, shift, out->data()};
    const LaunchShape shape{{static_cast<std::uint32_t>(blocks), 1, 1}, {Read::run, 1, 1}};
    all.push_back({"shift " + std::to_string(shift),
                   [data, read, shape](Queue& to) { launch("bench.read", to, shape, read); },
                   [out](Queue& to) { fill_with_ones(to, out->data(), out->bytes()); },
                   [read, seed, out](Queue& to) {
                     return sum_over(to, out->size(), RunsDiffer<Value>{read, seed}) == 0;
                   }});
  }
  const auto samples = measure(bench, all);
  for (std::size_t i = 0; i < all.size(); ++i) {
    Figure figure{"binning",
                  "misaligned/" + std::to_string(sizeof(Value)) + "_bytes/shift" + std::to_string(shifts[i]),
                  "GB/s",
                  {{"bytes_a_value", std::to_string(sizeof(Value))},
                   {"run", std::to_string(Read::run)},
                   {"shift_bytes", std::to_string(shifts[i] * sizeof(Value))},
                   {"printed", sizeof(Value) == 4   ? "+60 %"
                               : sizeof(Value) == 8 ? "less"
                                                    : "at times"}}};
    const double read_bytes = static_cast<double>(out->size()) * Read::runs_a_block * sizeof(Value);
    set_rates(figure, samples[i], read_bytes, 1e9);
    if (i) set_peer(figure, "aligned runs", samples[i], samples[0]);
    figures.push_back(std::move(figure));
  }
}

}  // namespace

std::vector<Figure> misaligned_figures(Bench& bench) {
  std::vector<Figure> figures;
  add_misaligned<Four>(bench, figures);
  add_misaligned<Eight>(bench, figures);
  add_misaligned<Quad>(bench, figures);
  return figures;
}

}  // namespace warploom::bench
