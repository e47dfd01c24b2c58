// Sorts whose rows' keys are shared out among devices.
// nvcc: by itself
#include "gpu/scenes/butterfly/devices/part_transform.h"
#include "gpu/scenes/butterfly/networks/list.h"
#include "gpu/scenes/butterfly/rules/sort.h"

namespace warploom {

std::unique_ptr<Transform> make_sort_parts(Queue& queue, const ButterflySettings& settings,
                                           const ButterflyVariant& variant) {
  std::unique_ptr<Transform> made;
  for_each_type(SortNetworks{}, [&]<class Network>() {
    if (variant.variant != Network::info.key) return;
    using Rule = SortRule<Network>;
    const auto network = network_of<Network>(settings.n);
    made =
        part_transform<Rule>(queue, settings, variant, network, [network](const void* in, void* out, std::uint64_t*) {
          return Rule{network, static_cast<const std::uint32_t*>(in), static_cast<std::uint32_t*>(out)};
        });
  });
  return made;
}

}  // namespace warploom
