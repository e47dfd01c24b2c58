#pragma once
#include "gpu/scenes/butterfly/tracks/staying_transform.h"

namespace warploom {

/// What transforms of rows that are longer than a block have in common: no stage of theirs is told.
class LongTransform : public Transform {
 public:
  LongTransform(const ButterflySettings& settings, const ButterflyVariant& way)
      : kernel_(kernel_of(settings.algorithm)),
        batch_(settings.batch),
        bytes_moved_(moved_bytes(settings)),
        way_(way) {}

  LaunchShape shape() const override { return block_shape(tile(), tiles()); }
  std::vector<NetworkEdge> edges() const override { return {}; }
  TransformTrace trace(Queue&, const void*, const Wanted&, std::uint64_t*) override { return {}; }

 protected:
  /// A tile as a problem of its own.
  NetworkMapping tile() const { return {way_.mapping.s, way_.mapping.p, way_.mapping.s}; }
  std::uint64_t tiles() const { return batch_ << (way_.mapping.n - way_.mapping.s); }
  /// Without what the tiles' kernels say of themselves.
  NetworkReport begun_report() const {
    NetworkReport report;
    report.elements = std::uint64_t{1} << way_.mapping.n;
    report.mapping = way_.mapping;
    report.blocks = tiles();
    return report;
  }

  const char* kernel_;
  std::uint64_t batch_, bytes_moved_;
  ButterflyVariant way_;
};

/// Rows that are longer than a block, by blocks where they can be. Null: the variant goes by a run of stages a launch.
std::unique_ptr<Transform> make_long_sort(Queue& queue, const ButterflySettings& settings, const ButterflyVariant& way);
std::unique_ptr<Transform> make_long_systems(Queue& queue, const ButterflySettings& settings,
                                             const ButterflyVariant& way);

}  // namespace warploom
