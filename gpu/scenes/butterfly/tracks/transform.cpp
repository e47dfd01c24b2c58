// Which transform runs an algorithm.
#include "gpu/scenes/butterfly/tracks/transform.h"

#include "gpu/core/error.h"
#include "gpu/core/shared_memory.h"
#include "gpu/scenes/butterfly/devices/team_transform.h"
#include "gpu/scenes/butterfly/tracks/fft_plan.h"
#include "gpu/scenes/butterfly/tracks/long_transform.h"
#include "gpu/scenes/butterfly/tuned/list.h"
#include "gpu/scenes/butterfly/vendor/vendor.h"

namespace warploom {

namespace {

template <class Plans, int part = 0>
std::unique_ptr<Transform> tuned_fft(Queue& queue, const ButterflySettings& settings, const ButterflyVariant& variant) {
  static_assert(Plans::shapes.most() - Plans::shapes.least() < tuned_parts * tuned_lengths);
  if (auto made = tuned_fft_part<Plans, part>(queue, settings, variant)) return made;
  if constexpr (part + 1 < tuned_parts) return tuned_fft<Plans, part + 1>(queue, settings, variant);
  return nullptr;
}

std::unique_ptr<Transform> make_fft_transform(Queue& queue, const ButterflySettings& settings,
                                              const ButterflyVariant& variant) {
  if (variant.exchange == Exchange::tuned) {
    if (variant.mapping.n > variant.mapping.s) return make_long_tuned_fft(queue, settings, variant);
    std::unique_ptr<Transform> made;
    for_each_type(TunedFfts{}, [&]<class Plans>() {
      if (variant.variant != Plans::key) return;
      made = is_shared<Plans>(variant.mapping.n) ? tuned_fft<IndexDigitPlans>(queue, settings, variant)
                                                 : tuned_fft<Plans>(queue, settings, variant);
    });
    return made;
  }
  static constexpr decltype(&fft_by_items<0>) by_items[] = {fft_by_items<0>, fft_by_items<1>, fft_by_items<2>,
                                                            fft_by_items<3>, fft_by_items<4>};
  return by_items[fft_plan(settings, variant).network.p](queue, settings, variant);
}

std::unique_ptr<Transform> make_system_transform(Queue& queue, const ButterflySettings& settings,
                                                 const ButterflyVariant& variant) {
  if (variant.exchange == Exchange::tuned)
    return variant.interleaved                     ? make_tuned_interleaved(queue, settings, variant)
           : variant.mapping.n > variant.mapping.s ? make_tuned_long_systems(queue, settings, variant)
                                                   : make_tuned_systems(queue, settings, variant);
  if (variant.mapping.n > variant.mapping.s && variant.exchange != Exchange::global)
    if (auto by_tiles = make_long_systems(queue, settings, variant)) return by_tiles;
  std::unique_ptr<Transform> made;
  for_each_type(TridiagonalNetworks{}, [&]<class Network>() {
    if (variant.variant == Network::info.key) made = solve_by_network<Network>(queue, settings, variant);
  });
  return made;
}

}  // namespace

void check_shared_memory(const Queue& queue, const ButterflyVariant& variant, std::uint64_t bytes) {
  if (queue.backend() != Backend::cuda) return;
  if (const std::uint64_t most = shared_memory_of(queue); bytes > most)
    throw UsageError(variant.variant + "/tuned takes " + std::to_string(bytes) +
                     " bytes of shared memory a block, and this device has " + std::to_string(most) + "; choose " +
                     variant.variant + ", or a smaller n");
}

RowShape Transform::step_shape() const {
  for (const char* other : {"scan", "tridiagonal", "sort"})
    if (settings_.algorithm == other) return input_shape(settings_);
  return {0, 8, 1, "<c8", "complex64"};
}

std::unique_ptr<Transform> make_transform(Queue& queue, const ButterflySettings& settings,
                                          const ButterflyVariant& variant) {
  if (variant.devices > 1) return make_team_transform(queue, settings, variant);
  if (variant.variant == "vendor") return make_vendor_transform(queue, settings, variant);
  if (settings.algorithm == "scan") return make_scan_transform(queue, settings, variant);
  if (settings.algorithm == "tridiagonal") return make_system_transform(queue, settings, variant);
  if (settings.algorithm == "sort") return make_sort_transform(queue, settings, variant);
  return make_fft_transform(queue, settings, variant);
}

}  // namespace warploom
