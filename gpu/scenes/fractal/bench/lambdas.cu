#include "gpu/scenes/fractal/bench/parts.h"

#include <algorithm>
#include <cmath>

#include "gpu/bench/measure.h"
#include "gpu/bench/programs.h"
#include "gpu/core/solo_group.h"
#include "gpu/scenes/fractal/maps/lambda_serial.h"
#include "gpu/scenes/fractal/maps/lambda_shuffle.h"
#include "gpu/scenes/fractal/maps/lambda_table.h"
#include "gpu/scenes/fractal/maps/lambda_tensor_1.h"
#include "gpu/scenes/fractal/maps/lambda_tensor_8bit.h"

namespace warploom::bench {

namespace {

/// Blocks of the grid of so many digits, without order: block `round` of sequence `i`.
struct BlockIndices {
  std::uint32_t seed, wide, high;
  WARPLOOM_HD Index3 operator()(std::uint64_t i, std::uint32_t round) const {
    // A Weyl sequence: the next number costs an addition.
    const std::uint32_t next = mix(static_cast<std::uint32_t>(i) + seed) + 0x9E3779B9u * (round + 1);
    return {static_cast<std::uint32_t>(std::uint64_t{next} * wide >> 32),
            static_cast<std::uint32_t>(static_cast<std::uint64_t>(next * 0x2c1b3c6du) * high >> 32), 0};
  }
};

struct LambdaQuestion {
  FractalDomain domain;
  int digits;
  BlockIndices blocks;
  std::uint32_t rounds;
  const std::uint32_t* table;
  std::uint32_t* out;  ///< a word a sequence

  WARPLOOM_HD static std::uint32_t folded(std::uint32_t x, std::uint32_t y) { return mix(x) + 3 * y; }
};

/// A sequence a thread.
template <class Placing>
struct LambdaOfThread {
  LambdaQuestion ask;
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    group.each([&](const Thread& thread) {
      const std::uint64_t i = thread_number(group, thread);
      SoloGroup solo;
      std::uint32_t x = 0, y = 0;
      for (std::uint32_t round = 0; round < ask.rounds; round += 4)
        for (std::uint32_t j = 0; j < 4; ++j) {  // independent of one another
          const Index2 at = Placing::place(solo, ask.domain, ask.digits, ask.table, ask.blocks(i, round + j));
          x += at.x;
          y += at.y;
        }
      ask.out[i] = LambdaQuestion::folded(x, y);
    });
  }
};

/// A sequence a warp, of which a block has one.
struct LambdaOfWarp {
  LambdaQuestion ask;
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    std::uint32_t x = 0, y = 0;
    for (std::uint32_t round = 0; round < ask.rounds; ++round) {
      const Index2 at =
          LambdaShuffle::place(group, ask.domain, ask.digits, ask.table, ask.blocks(group.block_number(), round));
      x += at.x;
      y += at.y;
    }
    group.once([&] { ask.out[group.block_number()] = LambdaQuestion::folded(x, y); });
  }
};

/// Eight sequences a block of one warp: two columns of B each. `Variant`: whose operands, A and sums are taken.
template <class Variant>
struct LambdaOfProduct {
  static constexpr unsigned at_once = 8;
  LambdaQuestion ask;
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    typename Group::template PerThread<std::uint32_t> x, y;
    group.each([&](const Thread& thread) { x[thread] = y[thread] = 0; });
    const std::uint64_t first = group.block_number() * at_once;
    for (std::uint32_t round = 0; round < ask.rounds; ++round) {
      const auto& d = group.template product<typename Variant::Operands>(
          [&](unsigned i, unsigned k) { return Variant::a(ask.domain, ask.digits, i, k); },
          [&](unsigned k, unsigned j) {
            if (static_cast<int>(k) >= ask.digits) return 0u;
            const Index2 tau =
                ask.domain.box(ask.domain.block_digit(ask.blocks(first + j / 2, round), static_cast<int>(k)));
            return j % 2 ? tau.y : tau.x;
          },
          [](unsigned, unsigned) { return typename Variant::Operands::Sum{}; });
      group.each([&](const Thread& thread) {
        if (thread.index >= at_once) return;
        const Index2 at = Variant::place(d, 2 * thread.index);
        x[thread] += at.x;
        y[thread] += at.y;
      });
    }
    group.each([&](const Thread& thread) {
      if (thread.index < at_once) ask.out[first + thread.index] = LambdaQuestion::folded(x[thread], y[thread]);
    });
  }
};

/// Digits by division, boxes by the rows of the mask: shares nothing with the maps.
std::uint32_t plain(const Mask& mask, const LambdaQuestion& ask, std::uint64_t sequence) {
  std::vector<Index2> boxes;
  for (std::uint32_t y = 0; y < mask.side_y(); ++y)
    for (std::uint32_t x = 0; x < mask.side_x(); ++x)
      if (mask.rows[y][x] == '#') boxes.push_back({x, y});
  std::uint32_t sum_x = 0, sum_y = 0;
  for (std::uint32_t round = 0; round < ask.rounds; ++round) {
    const Index3 block = ask.blocks(sequence, round);
    std::uint64_t rest[2] = {block.x, block.y}, x = 0, y = 0, power_x = 1, power_y = 1;
    for (int i = 0; i < ask.digits; ++i) {
      const Index2 box = boxes[rest[i % 2] % boxes.size()];
      rest[i % 2] /= boxes.size();
      x += box.x * power_x;
      y += box.y * power_y;
      power_x *= mask.side_x();
      power_y *= mask.side_y();
    }
    sum_x += static_cast<std::uint32_t>(x);
    sum_y += static_cast<std::uint32_t>(y);
  }
  return LambdaQuestion::folded(sum_x, sum_y);
}

/// Most digits, twelve at most, of which all maps are right; sides fit two bytes.
int digits_of(const Mask& mask) {
  int digits = 1;
  for (double x = mask.side_x() * mask.side_x(), y = mask.side_y() * mask.side_y();
       digits < 12 && std::max(x, y) <= 65536 && std::pow(mask.copies(), digits / 2 + 1) < 0x1p31;
       x *= mask.side_x(), y *= mask.side_y())
    ++digits;
  return digits;
}

struct Way {
  Contestant contestant;
  double lambdas;
};

class LambdaFigures {
 public:
  LambdaFigures(Bench& bench, const Mask& mask)
      : bench_(bench),
        mask_(mask),
        digits_(digits_of(mask)),
        domain_(mask, digits_),
        threads_(arithmetic_threads(bench)),
        out_(bench.backend(), threads_),
        table_(bench.queue(), LambdaTable::table(domain_, digits_)) {
    const auto side = [&](int digits) {
      return static_cast<std::uint32_t>(std::lround(std::pow(mask.copies(), digits)));
    };
    blocks_ = {static_cast<std::uint32_t>(bench.fresh_seed()), side((digits_ + 1) / 2), side(digits_ / 2)};
  }

  std::vector<Figure> run() {
    constexpr std::uint32_t rounds = 256;
    // On a CPU a warp runs as one thread, and a product as its 4096 multiplications.
    const bool cuda = bench_.backend() == Backend::cuda;
    const std::uint64_t warps = cuda ? threads_ / warp_size : 64;
    const std::uint32_t products = cuda ? rounds : 8;
    std::vector<Way> ways{
        way("table", LambdaOfThread<LambdaTable>{ask(rounds)}, row_shape(threads_), threads_),
        way("serial", LambdaOfThread<LambdaSerial>{ask(rounds)}, row_shape(threads_), threads_),
        way("shuffle", LambdaOfWarp{ask(rounds)}, row_of_warps(warps), warps),
        way("tensor 8 bit", LambdaOfProduct<TensorBytes>{ask(products)}, row_of_warps(warps / 8), warps)};
    if (digits_ <= digits_in_half(domain_))
      ways.push_back(way("tensor 16 bit", LambdaOfProduct<TensorBlock>{ask(products)}, row_of_warps(warps / 8), warps));
    std::vector<Contestant> contestants;
    contestants.reserve(ways.size());
    for (const Way& one : ways) contestants.push_back(one.contestant);
    auto samples = measure(bench_, contestants);
    // As long as a million take.
    for (std::size_t i = 0; i < ways.size(); ++i)
      for (double& ms : samples[i].milliseconds) ms *= 1e6 / ways[i].lambdas;
    std::vector<Figure> figures;
    for (std::size_t i = 0; i < ways.size(); ++i) {
      Figure figure{"fractal",
                    "lambda alone/" + mask_.key + "/" + ways[i].contestant.name,
                    "Glambdas/s",
                    {{"fractal", mask_.key},
                     {"digits", std::to_string(digits_)},
                     {"way", ways[i].contestant.name},
                     {"lambdas", count_text(ways[i].lambdas)},
                     {"seed", std::to_string(blocks_.seed)},
                     {"verified_by", "digits by division"}}};
      set_rates(figure, samples[i], 1e6, 1e9);
      if (i > 0) set_peer(figure, "table", samples[i], samples[0]);
      figures.push_back(std::move(figure));
    }
    return figures;
  }

 private:
  LambdaQuestion ask(std::uint32_t rounds) { return {domain_, digits_, blocks_, rounds, table_.data(), out_.data()}; }
  static LaunchShape row_of_warps(std::uint64_t warps) {
    return {{static_cast<std::uint32_t>(warps), 1, 1}, {warp_size, 1, 1}};
  }
  template <class Program>
  Way way(const char* name, const Program& program, const LaunchShape& shape, std::uint64_t sequences) {
    return {{name, [program, shape](Queue& queue) { launch("bench.lambda", queue, shape, program); },
             [this](Queue& queue) { out_.zero(queue); },
             [this, program, sequences](Queue& queue) {
               const auto words = out_.download(queue);
               for (std::uint64_t i = 0; i < sequences; i += sequences / 97 + 1)
                 if (words[i] != plain(mask_, program.ask, i)) return false;
               return words[sequences - 1] == plain(mask_, program.ask, sequences - 1);
             }},
            static_cast<double>(sequences) * program.ask.rounds};
  }

  Bench& bench_;
  const Mask& mask_;
  int digits_;
  FractalDomain domain_;
  std::uint64_t threads_;
  Buffer<std::uint32_t> out_, table_;
  BlockIndices blocks_{};
};

}  // namespace

std::vector<Figure> lambda_figures(Bench& bench, const Mask& mask) { return LambdaFigures(bench, mask).run(); }

}  // namespace warploom::bench
