// Systems that fit a block, row by row of all.
// nvcc: by itself
#include "gpu/scenes/butterfly/tracks/long_transform.h"
#include "gpu/scenes/butterfly/tracks/tuned_systems.h"

namespace warploom {

std::unique_ptr<Transform> make_tuned_interleaved(Queue& queue, const ButterflySettings& settings,
                                                  const ButterflyVariant& variant) {
  using Form = InterleavedForm<WangMou>;
  std::unique_ptr<Transform> made;
  const auto try_length = [&]<int n>(std::integral_constant<int, n>) {
    constexpr int f = Form::systems(n), l = n + f - SystemForm::p;
    if (settings.n == n)
      made =
          std::make_unique<TunedSystems<WangMou, WangMouOf<f, l, false>::template Program>>(queue, settings, variant);
  };
  [&]<int... i>(std::integer_sequence<int, i...>) { (try_length(std::integral_constant<int, Form::least + i>{}), ...); }
  (std::make_integer_sequence<int, Form::most - Form::least + 1>{});
  return made;
}

}  // namespace warploom
