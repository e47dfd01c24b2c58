// What every variant costs, by its definition alone.
#include "gpu/scenes/butterfly/butterfly.h"
#include "gpu/scenes/butterfly/networks/fft.h"
#include "gpu/scenes/butterfly/networks/list.h"
#include "gpu/scenes/butterfly/tracks/variant.h"

namespace warploom {

namespace {

template <class Networks>
std::vector<ButterflyCost> costs_of(Networks networks, const ButterflySettings& settings) {
  std::vector<ButterflyCost> all;
  for_each_type(networks, [&]<class Network>() {
    Network network{};
    network.n = settings.n;
    all.push_back({Network::info.key, Network::info.title, network.stages(), network.nodes()});
  });
  return all;
}

}  // namespace

std::vector<ButterflyCost> butterfly_costs(const ButterflySettings& settings) {
  if (settings.algorithm == "scan") return costs_of(ScanNetworks{}, settings);
  if (settings.algorithm == "tridiagonal") return costs_of(TridiagonalNetworks{}, settings);
  if (settings.algorithm == "sort") return costs_of(SortNetworks{}, settings);
  std::vector<ButterflyCost> all;
  for (const FftVariant& one : fft_variants) {
    const ButterflyVariant variant =
        butterfly_variant(settings, find_butterfly_track(settings.algorithm, one.info.key));
    const FftNetwork network{variant.mapping.n, variant.mapping.p, one.log_radix ? one.log_radix : variant.mapping.p};
    all.push_back({one.info.key, one.info.title, network.stages(), network.nodes()});
  }
  return all;
}

}  // namespace warploom
