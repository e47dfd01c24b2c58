// Systems that fit a block, one after the other.
// nvcc: by itself
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
  using Form = TunedForm<WangMou>;
  if (!Form::by_ends(settings.n))
    return settings.n <= Form::tile ? made.template operator()<WangMou, WangMouOf<0, 7, false>::Program>()
                                    : made.template operator()<WangMou, WangMouOf<0, 8, false>::Program>();
  return settings.n < Form::most_in_block ? made.template operator()<WangMouByEnds, WangMouOf<0, 9, true>::Program>()
                                          : made.template operator()<WangMouByEnds, WangMouOf<0, 10, true>::Program>();
}

}  // namespace warploom
