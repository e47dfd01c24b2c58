// Tridiagonal systems, a row of each problem after the other.
#include "gpu/tracks/butterfly/serial_transform.h"

namespace warploom {

namespace {

template <class Network>
std::unique_ptr<Transform> reduce_by(Queue& queue, const ButterflySettings& settings, const ButterflyWay& way,
                                     Network network) {
  using Rule = SystemRule<Network>;
  return staying_transform<Rule>(
      queue, kernel_of(settings.algorithm), settings.batch, way,
      [network](const void* in, void* out, std::uint64_t* singular) {
        return Rule{{static_cast<const SystemRow*>(in), static_cast<float*>(out), singular}, network};
      });
}

std::unique_ptr<Transform> merge_blocks(Queue& queue, const ButterflySettings& settings, const ButterflyWay& way) {
  const TridiagonalLadnerFischer network{{way.mapping.n, way.mapping.p}};
  return staying_transform<BlockRule>(
      queue, kernel_of(settings.algorithm), settings.batch, way,
      [network](const void* in, void* out, std::uint64_t* singular) {
        return BlockRule{{static_cast<const SystemRow*>(in), static_cast<float*>(out), singular}, network};
      });
}

class ThomasTransform final : public SerialTransform<Thomas> {
 public:
  ThomasTransform(Queue& queue, const ButterflySettings& settings, const ButterflyWay& way)
      : SerialTransform(kernel_of(settings.algorithm), settings.batch, settings.n),
        interleaved_(way.interleaved),
        pivots_(queue.backend(), settings.batch << settings.n),
        rights_(queue.backend(), settings.batch << settings.n) {}

  void run(Queue& queue, const void* in, void* out, std::uint64_t* singular) override {
    launch(kernel_, queue, shape(), program<NoTrace>(in, out, singular, {}));
  }
  TransformTrace trace(Queue& queue, const void* in, std::uint64_t rows, std::uint64_t problems,
                       std::uint64_t* singular) override {
    Buffer<float> out(queue.backend(), pivots_.size()), pivots(queue.backend(), pivots_.size()),
        rights(queue.backend(), pivots_.size());
    return traced<SystemRow>(queue, problems, [&](const StageTrace<SystemRow>& told) {
      auto teller = program(in, out.data(), singular, told);
      teller.pivots = pivots.data();
      teller.rights = rights.data();
      if (!interleaved_) teller.order.batch = rows;
      launch("butterfly.trace", queue, shape(), teller);
    });
  }
  RowShape step_shape() const override { return step_shape_of<SystemRow>(); }
  std::uint64_t bytes() const override { return pivots_.bytes() + rights_.bytes(); }

 private:
  template <class Trace>
  ThomasLaunch<Trace> program(const void* in, void* out, std::uint64_t* singular, const Trace& trace) {
    return {{static_cast<const SystemRow*>(in), static_cast<float*>(out), singular},
            {network_.n, batch_, interleaved_},
            pivots_.data(),
            rights_.data(),
            trace};
  }
  bool interleaved_;
  Buffer<float> pivots_, rights_;
};

}  // namespace

std::unique_ptr<Transform> make_system_transform(Queue& queue, const ButterflySettings& settings,
                                                 const ButterflyWay& way) {
  const int n = way.mapping.n, p = way.mapping.p;
  if (way.variant == "thomas") return std::make_unique<ThomasTransform>(queue, settings, way);
  if (way.variant == "ladner_fischer") return merge_blocks(queue, settings, way);
  if (way.variant == "wang_mou") return reduce_by(queue, settings, way, WangMou{{n, p}});
  if (way.variant == "cyclic_reduction") return reduce_by(queue, settings, way, CyclicReduction{{{n, p}}});
  return reduce_by(queue, settings, way, ParallelCyclicReduction{{{n, p}}});
}

}  // namespace warploom
