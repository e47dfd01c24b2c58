// Scans whose rows' elements are shared out among devices.
// nvcc: by itself
#include "gpu/scenes/butterfly/devices/part_transform.h"
#include "gpu/scenes/butterfly/networks/list.h"
#include "gpu/scenes/butterfly/tracks/operators.h"

namespace warploom {

std::unique_ptr<Transform> make_scan_parts(Queue& queue, const ButterflySettings& settings,
                                           const ButterflyVariant& variant) {
  return with_scan_operator(settings, [&](const auto& op) -> std::unique_ptr<Transform> {
    using Operator = std::decay_t<decltype(op)>;
    using Element = typename Operator::Value;
    // A node does the same in every network, and who its operands are stands in a table: one kernel serves all.
    using Rule = ScanRule<LadnerFischer, Operator>;
    std::unique_ptr<Transform> made;
    for_each_type(ScanNetworks{}, [&]<class Network>() {
      if constexpr (!Network::serial) {
        if (variant.variant != Network::info.key) return;
        made = part_transform<Rule>(
            queue, settings, variant, network_of<Network>(settings.n),
            [op, n = settings.n, exclusive = settings.exclusive](const void* in, void* out, std::uint64_t*) {
              return Rule{network_of<LadnerFischer>(n), op, static_cast<const Element*>(in), static_cast<Element*>(out),
                          exclusive};
            });
      }
    });
    return made;
  });
}

}  // namespace warploom
