// Systems that fit a block, one after the other.
#include "gpu/scenes/butterfly/tracks/long_transform.h"
#include "gpu/scenes/butterfly/tracks/tuned_systems.h"

namespace warploom {

std::unique_ptr<Transform> make_tuned_systems(Queue& queue, const ButterflySettings& settings,
                                              const ButterflyVariant& variant) {
  const auto made = [&]<class Network, template <class> class Program>() -> std::unique_ptr<Transform> {
    return std::make_unique<TunedSystems<Network, Program>>(queue, settings, variant);
  };
  if (variant.variant == ParallelCyclicReduction::info.key)
    return made.template operator()<ParallelCyclicReduction, TunedPcr>();
  switch (variant.mapping.s - SystemForm::p) {
    case 7:
      return made.template operator()<WangMou, WangMouOf<0, 7, false>::Program>();
    case 8:
      return made.template operator()<WangMou, WangMouOf<0, 8, false>::Program>();
    case 9:
      return made.template operator()<WangMouByEnds, WangMouOf<0, 9, true>::Program>();
    default:
      return made.template operator()<WangMouByEnds, WangMouOf<0, 10, true>::Program>();
  }
}

}  // namespace warploom
