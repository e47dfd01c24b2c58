// Tridiagonal systems whose rows are shared out among devices.
// nvcc: by itself
#include "gpu/scenes/butterfly/devices/part_transform.h"
#include "gpu/scenes/butterfly/networks/list.h"
#include "gpu/scenes/butterfly/tracks/solve_by.h"

namespace warploom {

std::unique_ptr<Transform> make_system_parts(Queue& queue, const ButterflySettings& settings,
                                             const ButterflyVariant& variant) {
  std::unique_ptr<Transform> made;
  for_each_type(TridiagonalNetworks{}, [&]<class Network>() {
    if constexpr (!Network::serial) {
      if (variant.variant != Network::info.key) return;
      using Rule = typename RuleOf<Network>::type;
      const auto network = network_of<Network>(settings.n);
      made = part_transform<Rule>(
          queue, settings, variant, network, [network](const void* in, void* out, std::uint64_t* singular) {
            return Rule{{static_cast<const SystemRow*>(in), static_cast<float*>(out), singular}, network};
          });
    }
  });
  return made;
}

}  // namespace warploom
