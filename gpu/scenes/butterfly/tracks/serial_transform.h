#pragma once
#include "gpu/core/buffer.h"
#include "gpu/scenes/butterfly/kernels/serial.h"
#include "gpu/scenes/butterfly/tracks/in_place_transform.h"

namespace warploom {

/// What all transforms of a problem a thread share; nothing is exchanged.
template <class Network>
class SerialTransform : public Transform {
 public:
  LaunchShape shape() const override { return serial_shape(batch_); }
  NetworkReport report() const override {
    return begun_report(network_, {network_.n, network_.n, 0}, shape().block_count());
  }
  std::vector<NetworkEdge> edges() const override {
    return edges_of(network_, PlanPlaces(serial_plan(network_.n, network_.stages())), Exchange::shared);
  }

 protected:
  explicit SerialTransform(const ButterflySettings& settings) : Transform(settings), network_{{settings.n}} {}

  template <class Step, class Launch>
  TransformTrace traced(Queue& queue, std::uint64_t problems, Launch&& launch_with) {
    const TracedStages<Step> stages(queue, network_, problems);
    launch_with(stages.view());
    TransformTrace told = stages.read(queue);
    const auto step = [&](int j, std::uint64_t problem, std::uint32_t e) {
      return &told.steps[((static_cast<std::uint64_t>(j) * problems + problem) * told.elements + e) * sizeof(Step)];
    };
    // Wires that pass a stage are as they were before it.
    for (int j = 1; j <= told.stages; ++j)
      for (std::uint64_t b = 0; b < problems; ++b)
        for (std::uint32_t e = 0; e < told.elements; ++e)
          if (!network_.makes(j, e)) std::copy_n(step(j - 1, b, e), sizeof(Step), step(j, b, e));
    return told;
  }

  Network network_;
};

}  // namespace warploom
