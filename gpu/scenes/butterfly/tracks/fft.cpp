// Transforms of complex and of real rows.
#include "gpu/scenes/butterfly/tracks/by_network.h"
#include "gpu/scenes/butterfly/tracks/fft_plan.h"
#include "gpu/scenes/butterfly/tracks/transform.h"

namespace warploom {

std::unique_ptr<Transform> make_fft_transform(Queue& queue, const ButterflySettings& settings,
                                              const ButterflyVariant& variant) {
  switch (fft_plan(settings, variant).network.p) {
    case 0:
      return fft_by_items<0>(queue, settings, variant);
    case 1:
      return fft_by_items<1>(queue, settings, variant);
    case 2:
      return fft_by_items<2>(queue, settings, variant);
    case 3:
      return fft_by_items<3>(queue, settings, variant);
    default:
      return fft_by_items<4>(queue, settings, variant);
  }
}

}  // namespace warploom
