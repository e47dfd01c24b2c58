#pragma once
#include "gpu/scenes/butterfly/tracks/in_place_transform.h"

namespace warploom {

/// What transforms of rows that are longer than a block have in common: no stage of theirs is told.
class LongTransform : public Transform {
 public:
  LongTransform(const ButterflySettings& settings, const ButterflyVariant& variant)
      : Transform(settings), variant_(variant) {}

  LaunchShape shape() const override { return block_shape(tile(), tiles()); }

 protected:
  /// A tile as a problem of its own.
  NetworkMapping tile() const { return {variant_.mapping.s, variant_.mapping.p, variant_.mapping.s}; }
  std::uint64_t tiles() const { return batch_ << (variant_.mapping.n - variant_.mapping.s); }

  ButterflyVariant variant_;
};

/// Rows that are longer than a block, by blocks where they can be. Null: the variant goes by a run of stages a launch.
std::unique_ptr<Transform> make_long_sort(Queue& queue, const ButterflySettings& settings,
                                          const ButterflyVariant& variant);
std::unique_ptr<Transform> make_long_tuned_fft(Queue& queue, const ButterflySettings& settings,
                                               const ButterflyVariant& variant);
std::unique_ptr<Transform> make_tuned_sort(Queue& queue, const ButterflySettings& settings,
                                           const ButterflyVariant& variant);
std::unique_ptr<Transform> make_long_systems(Queue& queue, const ButterflySettings& settings,
                                             const ButterflyVariant& variant);
std::unique_ptr<Transform> make_tuned_systems(Queue& queue, const ButterflySettings& settings,
                                              const ButterflyVariant& variant);
std::unique_ptr<Transform> make_tuned_interleaved(Queue& queue, const ButterflySettings& settings,
                                                  const ButterflyVariant& variant);
std::unique_ptr<Transform> make_tuned_long_systems(Queue& queue, const ButterflySettings& settings,
                                                   const ButterflyVariant& variant);

}  // namespace warploom
