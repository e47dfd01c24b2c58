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
    NetworkReport report;
    report.elements = std::uint64_t{1} << network_.n;
    report.operators = network_.nodes();
    report.stages = network_.stages();
    report.mapping = {network_.n, network_.n, 0};
    report.blocks = shape().block_count();
    return report;
  }
  std::vector<NetworkEdge> edges() const override {
    return edges_of(network_, Exchange::shared, [](int, std::uint32_t, int k) { return k; });
  }

 protected:
  explicit SerialTransform(const ButterflySettings& settings)
      : kernel_(kernel_of(settings.algorithm)),
        batch_(settings.batch),
        bytes_moved_(moved_bytes(settings)),
        network_{{settings.n}} {}

  template <class Step, class Launch>
  TransformTrace traced(Queue& queue, std::uint64_t problems, Launch&& launch_with) {
    TransformTrace told;
    told.stages = network_.stages();
    told.elements = std::uint64_t{1} << network_.n;
    Buffer<Step> steps(queue.backend(), static_cast<std::uint64_t>(told.stages + 1) * problems * told.elements);
    launch_with(StageTrace<Step>{steps.data(), problems, static_cast<std::uint32_t>(told.elements), nullptr, 0});
    auto all = steps.download(queue);
    pass_wires(network_, all, problems);
    told.steps = array_bytes(all);
    return told;
  }

  const char* kernel_;
  std::uint64_t batch_, bytes_moved_;
  Network network_;
};

}  // namespace warploom
