// Sorts of rows of keys.
#include "gpu/butterfly/networks/bitonic.h"
#include "gpu/butterfly/networks/odd_even_merge.h"
#include "gpu/butterfly/rules/sort.h"
#include "gpu/tracks/butterfly/staying_transform.h"

namespace warploom {

namespace {

template <class Network>
std::unique_ptr<Transform> sort_by(Queue& queue, const ButterflySettings& settings, const ButterflyWay& way) {
  using Rule = SortRule<Network>;
  const Network network{{{way.mapping.n, way.mapping.p}}};
  return staying_transform<Rule>(
      queue, kernel_of(settings.algorithm), settings.batch, way, [network](const void* in, void* out, std::uint64_t*) {
        return Rule{network, static_cast<const std::uint32_t*>(in), static_cast<std::uint32_t*>(out)};
      });
}

}  // namespace

std::unique_ptr<Transform> make_sort_transform(Queue& queue, const ButterflySettings& settings,
                                               const ButterflyWay& way) {
  if (way.variant == "bitonic") return sort_by<Bitonic>(queue, settings, way);
  return sort_by<OddEvenMerge>(queue, settings, way);
}

}  // namespace warploom
