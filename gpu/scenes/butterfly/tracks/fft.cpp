// Transforms of complex and of real rows.
#include "gpu/scenes/butterfly/tracks/by_network.h"
#include "gpu/scenes/butterfly/tracks/fft_plan.h"
#include "gpu/scenes/butterfly/tracks/transform.h"

namespace warploom {

std::unique_ptr<Transform> make_fft_transform(Queue& queue, const ButterflySettings& settings,
                                              const ButterflyVariant& way) {
  switch (fft_plan(settings, way).network.p) {
    case 0:
      return fft_by_items<0>(queue, settings, way);
    case 1:
      return fft_by_items<1>(queue, settings, way);
    case 2:
      return fft_by_items<2>(queue, settings, way);
    case 3:
      return fft_by_items<3>(queue, settings, way);
    default:
      return fft_by_items<4>(queue, settings, way);
  }
}

}  // namespace warploom
