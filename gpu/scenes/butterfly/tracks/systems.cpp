// Tridiagonal systems, a row of each problem after the other.
#include "gpu/scenes/butterfly/networks/list.h"
#include "gpu/scenes/butterfly/tracks/by_network.h"
#include "gpu/scenes/butterfly/tracks/long_transform.h"

namespace warploom {

std::unique_ptr<Transform> make_system_transform(Queue& queue, const ButterflySettings& settings,
                                                 const ButterflyVariant& variant) {
  if (variant.mapping.n > variant.mapping.s && variant.exchange != Exchange::global)
    if (auto by_tiles = make_long_systems(queue, settings, variant)) return by_tiles;
  std::unique_ptr<Transform> made;
  for_each_type(TridiagonalNetworks{}, [&]<class Network>() {
    if (variant.variant == Network::info.key) made = solve_by_network<Network>(queue, settings, variant);
  });
  return made;
}

}  // namespace warploom
