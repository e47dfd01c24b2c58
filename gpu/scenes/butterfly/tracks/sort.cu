// Sorts of rows of keys.
// nvcc: by itself
#include "gpu/scenes/butterfly/networks/list.h"
#include "gpu/scenes/butterfly/rules/sort.h"
#include "gpu/scenes/butterfly/tracks/in_place_transform.h"
#include "gpu/scenes/butterfly/tracks/long_transform.h"

namespace warploom {

namespace {

template <class Network>
std::unique_ptr<Transform> sort_by(Queue& queue, const ButterflySettings& settings, const ButterflyVariant& variant) {
  using Rule = SortRule<Network>;
  const auto network = network_of<Network>(variant.mapping.n);
  return in_place_transform<Rule>(queue, settings, variant, [network](const void* in, void* out, std::uint64_t*) {
    return Rule{network, static_cast<const std::uint32_t*>(in), static_cast<std::uint32_t*>(out)};
  });
}

}  // namespace

std::unique_ptr<Transform> make_sort_transform(Queue& queue, const ButterflySettings& settings,
                                               const ButterflyVariant& variant) {
  if (variant.exchange == Exchange::tuned) return make_tuned_sort(queue, settings, variant);
  if (variant.mapping.n > variant.mapping.s && variant.exchange != Exchange::global)
    if (auto by_tiles = make_long_sort(queue, settings, variant)) return by_tiles;
  std::unique_ptr<Transform> made;
  for_each_type(SortNetworks{}, [&]<class Network>() {
    if (variant.variant == Network::info.key) made = sort_by<Network>(queue, settings, variant);
  });
  return made;
}

}  // namespace warploom
