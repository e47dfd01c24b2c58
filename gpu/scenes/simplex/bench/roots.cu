#include "gpu/scenes/simplex/bench/roots.h"

#include <algorithm>

#include "gpu/bench/programs.h"
#include "gpu/scenes/simplex/maps/root_exact.h"
#include "gpu/scenes/simplex/maps/root_fp32.h"
#include "gpu/scenes/simplex/maps/root_fp64.h"

namespace warploom::bench {

namespace {

// ---- the roots, each as a map of one block number --------------------------------------------------------------

/// The place of a block by `Root`: an exact root as its map has it, a printed formula without the guards of its map, at
/// its best. Block numbers have `Bits`, at most those of narrow_blocks, so that 32-bit arithmetic runs.
template <class Root, int Dimensions, unsigned Bits>
struct RootOf {
  static constexpr int dimensions = Dimensions;
  static constexpr unsigned bits = Bits;
  static_assert(std::uint64_t{1} << Bits <= narrow_blocks);
  WARPLOOM_HD static Index3 place(std::uint32_t w) {
    Index3 at;
    if constexpr (Root::info.exact) {
      Root::template place<Dimensions>(w, w + 1, at);
    } else {
      if constexpr (Dimensions == 3) {
        (void)Root::layer(w, at.z);
        w -= narrow_tetrahedron_number(at.z);
      }
      (void)Root::row(w, at.y);
      at.x = w - narrow_triangle_number(at.y);
    }
    return at;
  }
};

/// Block numbers of thread `i`: a Weyl sequence from a start of its own, so that making one costs one addition.
struct BlockNumbers {
  static constexpr std::uint32_t step = 0x9E3779B9u;
  std::uint32_t next;
  WARPLOOM_HD BlockNumbers(std::uint32_t seed, std::uint64_t i) : next(mix(static_cast<std::uint32_t>(i) + seed)) {}
  template <unsigned Bits>
  WARPLOOM_HD std::uint32_t take() {
    next += step;
    return next >> (32 - Bits);
  }
};

WARPLOOM_HD std::uint32_t folded(Index3 sum) { return mix(sum.x) + sum.y * 3 + sum.z * 5; }

/// Maps `maps` block numbers per thread, a multiple of eight, to one word per thread.
template <class Map>
struct MapBlockNumbers {
  std::uint32_t* out;
  std::uint32_t seed, maps;
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    group.each([&](const Thread& thread) {
      const std::uint64_t i = thread_number(group, thread);
      BlockNumbers numbers(seed, i);
      Index3 sum;
      for (std::uint32_t round = 0; round < maps; round += 8)
        for (unsigned j = 0; j < 8; ++j) {  // independent of one another: that many are under way together
          const Index3 at = Map::place(numbers.template take<Map::bits>());
          sum.x += at.x;
          sum.y += at.y;
          sum.z += at.z;
        }
      out[i] = folded(sum);
    });
  }
};

// ---- what is right: integers alone, bit by bit ------------------------------------------------------------------

WARPLOOM_HD std::uint64_t plain_layer(std::uint64_t z) { return z * (z + 1) * (z + 2) / 6; }

/// The last layer that starts at w or before, of 32-bit w.
WARPLOOM_HD std::uint32_t bisected_layer(std::uint32_t w) {
  std::uint32_t z = 0;
  for (std::uint32_t bit = 1u << 12; bit; bit >>= 1)
    if (plain_layer(z | bit) <= w) z |= bit;
  return z;
}

WARPLOOM_HD std::uint32_t bisected_row(std::uint32_t w) {
  std::uint32_t y = 0;
  for (std::uint32_t bit = 1u << 16; bit; bit >>= 1) {
    const std::uint64_t row = y | bit;
    if (row * (row + 1) / 2 <= w) y |= bit;
  }
  return y;
}

/// Counts threads whose word is not that of the bisected places. `borders_excused`: skips threads with a number at
/// either end of a layer, where the formula is known to be off by one.
template <class Map>
struct DiffersFromBisection {
  const std::uint32_t* words;
  std::uint32_t seed, maps;
  bool borders_excused;
  WARPLOOM_HD std::uint64_t operator()(std::uint64_t i) const {
    BlockNumbers numbers(seed, i);
    Index3 sum;
    for (std::uint32_t k = 0; k < maps; ++k) {
      std::uint32_t w = numbers.template take<Map::bits>();
      if constexpr (Map::dimensions == 3) {
        const std::uint32_t z = bisected_layer(w);
        const std::uint64_t first = plain_layer(z);
        if (borders_excused && (w == first || w + std::uint64_t{1} == plain_layer(z + std::uint64_t{1}))) return 0;
        sum.z += z;
        w -= static_cast<std::uint32_t>(first);
      }
      const std::uint32_t y = bisected_row(w);
      sum.y += y;
      sum.x += w - static_cast<std::uint32_t>(std::uint64_t{y} * (y + 1) / 2);
    }
    return words[i] != folded(sum);
  }
};

constexpr std::uint32_t maps_a_thread = 512;

/// Shared by the contestants of one dimension.
struct RootRun {
  Bench& bench;
  Buffer<std::uint32_t>& out;
  std::uint32_t seed;
  std::uint64_t threads() const { return out.size(); }
};

template <class Map>
Contestant root_contestant(const RootRun& run, const char* name, bool borders_excused) {
  Buffer<std::uint32_t>& out = run.out;
  const std::uint32_t seed = run.seed;
  const auto right = [&out, seed, borders_excused](Queue& queue) {
    const DiffersFromBisection<Map> differs{out.data(), seed, maps_a_thread, borders_excused};
    if (sum_over(queue, out.size(), differs) != 0) return false;
    // A few by the host too: the check above was compiled for the same machine as its subject.
    const auto words = out.download(queue);
    const DiffersFromBisection<Map> on_host{words.data(), seed, maps_a_thread, borders_excused};
    for (std::uint64_t i = 0; i < words.size(); i += words.size() / 61 + 1)
      if (on_host(i)) return false;
    return true;
  };
  return {name,
          [&out, seed](Queue& queue) {
            launch("bench.roots", queue, row_shape(out.size()), MapBlockNumbers<Map>{out.data(), seed, maps_a_thread});
          },
          [&out](Queue& queue) { out.zero(queue); }, right};
}

/// All but the last against the last, which is the formula in double precision.
void measure_roots(const RootRun& run, const std::string& kind, const std::vector<Contestant>& contestants,
                   std::vector<Figure>& figures) {
  // Derived: about 25 instructions on 32-bit words per map by floats and integers.
  constexpr double instructions = 25;
  const auto samples = measure(run.bench, contestants);
  const double maps = static_cast<double>(run.threads()) * maps_a_thread;
  for (std::size_t i = 0; i < contestants.size(); ++i) {
    const bool single = contestants[i].name == SingleRoot::info.key, last = i + 1 == contestants.size();
    Figure figure{"simplex",
                  "roots/" + kind + "/" + contestants[i].name,
                  "Gmaps/s",
                  {{"domain", kind},
                   {"map", contestants[i].name},
                   {"block_numbers", single ? "below 2^23, where it is right" : "below 2^31"},
                   {"maps", count_text(maps)},
                   {"seed", std::to_string(run.seed)},
                   {"verified_by", kind == "tetrahedron" && last
                                       ? "bisection in integers, but for threads with a number at a layer's ends"
                                       : "bisection in integers"}}};
    set_rates(figure, samples[i], maps, 1e9);
    if (!last) set_peer(figure, contestants.back().name, samples[i], samples.back());
    // On the CPU, vectors of unknown width may be at work.
    if (!last && figure.verified && run.bench.backend() == Backend::cuda) {
      figure.add_note("share: of 25 instructions on words per map");
      set_rate_share(run.bench, figure, "logic", 1e9 * instructions);
    }
    figures.push_back(std::move(figure));
  }
}

}  // namespace

std::vector<Figure> root_figures(Bench& bench) {
  Buffer<std::uint32_t> out(bench.backend(), arithmetic_threads(bench));
  std::vector<Figure> figures;
  const RootRun flat{bench, out, static_cast<std::uint32_t>(bench.fresh_seed())};
  measure_roots(flat, "triangle",
                {root_contestant<RootOf<ExactRoot, 2, 31>>(flat, ExactRoot::info.key, false),
                 root_contestant<RootOf<SingleRoot, 2, 23>>(flat, SingleRoot::info.key, false),
                 root_contestant<RootOf<DoubleRoot, 2, 31>>(flat, DoubleRoot::info.key, false)},
                figures);
  const RootRun solid{bench, out, static_cast<std::uint32_t>(bench.fresh_seed())};
  measure_roots(solid, "tetrahedron",
                {root_contestant<RootOf<ExactRoot, 3, 31>>(solid, ExactRoot::info.key, false),
                 root_contestant<RootOf<DoubleRoot, 3, 31>>(solid, DoubleRoot::info.key, true)},
                figures);
  return figures;
}

}  // namespace warploom::bench
