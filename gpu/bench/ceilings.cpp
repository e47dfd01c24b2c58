#include "gpu/bench/ceilings.h"

#include <algorithm>
#include <cmath>

#include "gpu/core/error.h"

namespace warploom::bench {

const std::vector<Ceiling>& all_ceilings() {
  static const std::vector<Ceiling> all{
      {"copy", "GB/s", 1e9, copy_ceiling},
      {"fill", "GB/s", 1e9, fill_ceiling},
      {"gather_32", "GB/s", 1e9, gather_ceiling},
      {"atomics_same", "Gatomics/s", 1e9, same_atomics_ceiling},
      {"atomics_spread", "Gatomics/s", 1e9, spread_atomics_ceiling},
      {"blocks_32", "Mblocks/s", 1e6, small_blocks_ceiling},
      {"blocks_256", "Mblocks/s", 1e6, large_blocks_ceiling},
      {"fma", "Gfma/s", 1e9, fma_ceiling},
      {"logic", "Gop/s", 1e9, logic_ceiling},
      {"special", "Gop/s", 1e9, special_ceiling},
      {"shared", "GB/s", 1e9, shared_ceiling},
  };
  return all;
}

Figure measure_ceiling(Bench& bench, const std::string& key) {
  for (const Ceiling& ceiling : all_ceilings()) {
    if (ceiling.key != key) continue;
    Figure figure{"ceilings", ceiling.key, ceiling.unit};
    ceiling.run(bench, ceiling, figure);
    // Where the runtime's own is faster than ours, it is the ceiling.
    const double peer = figure.ratio_to_peer < 1 ? 1 / figure.ratio_to_peer : 1;
    bench.set_ceiling(key, figure.median * ceiling.scale * peer);
    return figure;
  }
  throw Error("there is no ceiling '" + key + "'");
}

namespace {

std::vector<Figure> run_ceilings(Bench& bench) {
  std::vector<Figure> figures;
  const auto& all = all_ceilings();
  for (std::size_t i = 0; i < all.size(); ++i) {
    bench.report(all[i].key, static_cast<double>(i) / static_cast<double>(all.size()));
    bench.part("ceilings/" + std::string(all[i].key), figures,
               [&] { figures.push_back(measure_ceiling(bench, all[i].key)); });
  }
  return figures;
}

}  // namespace

/// Kernels and copies that say what the machine can do.
Suite ceilings_suite() {
  return {"ceilings", "what the machine can do: copies, atomics, block dispatch, arithmetic, shared memory",
          run_ceilings};
}

std::uint64_t scaled(const Bench& bench, std::uint64_t usual, std::uint64_t unit) {
  const double wanted = static_cast<double>(usual) * bench.settings().scale / static_cast<double>(unit);
  return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::llround(wanted))) * unit;
}

std::uint64_t large_bytes(const Bench& bench) {
  constexpr std::uint64_t mebibyte = 1u << 20;
  const std::uint64_t usual = bench.backend() == Backend::cuda
                                  ? std::max<std::uint64_t>(1024 * mebibyte, 16 * bench.cache_bytes())
                                  : 256 * mebibyte;
  return scaled(bench, std::min(usual, free_bytes(bench.backend()) / 4), mebibyte);
}

std::uint64_t arithmetic_threads(const Bench& bench) {
  constexpr std::uint64_t full_multiprocessor = 2048, waves = 8;
  const std::uint64_t usual =
      bench.backend() == Backend::cuda
          ? static_cast<std::uint64_t>(std::max(1, cuda_status().multiprocessors)) * full_multiprocessor * waves
          : std::uint64_t{1024} * cpu_threads();
  return scaled(bench, usual, 256);
}

}  // namespace warploom::bench
