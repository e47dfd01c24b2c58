#pragma once
#include "gpu/scenes/butterfly/networks/list.h"
#include "gpu/scenes/butterfly/tracks/serial_transform.h"

// Tridiagonal systems by one network: for the source of that network alone.

namespace warploom {

/// The rule of a network: what its nodes do.
template <class Network>
struct RuleOf {
  using type = SystemRule<Network>;
};
template <>
struct RuleOf<TridiagonalLadnerFischer> {
  using type = BlockRule;
};

/// A network's kernel that tells its stages.
template <class Network, bool shuffles>
using TracedSystems =
    InPlaceBlock<typename RuleOf<Network>::type, 16, false, shuffles, StageTrace<typename RuleOf<Network>::type::Step>>;
// nvcc takes so long over them that they have a source of their own.
#ifdef __CUDACC__
#define WARPLOOM_TRACED_ELSEWHERE(Network)                                                                   \
  extern template void launch(const char*, Queue&, const LaunchShape&, const TracedSystems<Network, false>&, \
                              std::uint64_t);                                                                \
  extern template void launch(const char*, Queue&, const LaunchShape&, const TracedSystems<Network, true>&,  \
                              std::uint64_t)
WARPLOOM_TRACED_ELSEWHERE(CyclicReduction);
WARPLOOM_TRACED_ELSEWHERE(ParallelCyclicReduction);
WARPLOOM_TRACED_ELSEWHERE(WangMou);
WARPLOOM_TRACED_ELSEWHERE(TridiagonalLadnerFischer);
#undef WARPLOOM_TRACED_ELSEWHERE
#endif

/// A template, so that only its network's source has its kernels.
template <class Network>
class ThomasTransform final : public SerialTransform<Network> {
 public:
  ThomasTransform(Queue& queue, const ButterflySettings& settings, const ButterflyVariant& variant)
      : SerialTransform<Network>(settings),
        interleaved_(variant.interleaved),
        pivots_(queue.backend(), settings.batch << settings.n),
        rights_(queue.backend(), settings.batch << settings.n) {}

  void run(Queue& queue, const void* in, void* out, std::uint64_t* singular) override {
    launch(this->kernel_, queue, this->shape(), program<NoTrace>(in, out, singular, {}), this->bytes_moved_);
  }
  TransformTrace trace(Queue& queue, const void* in, const Transform::Wanted& wanted,
                       std::uint64_t* singular) override {
    Buffer<float> out(queue.backend(), pivots_.size()), pivots(queue.backend(), pivots_.size()),
        rights(queue.backend(), pivots_.size());
    return this->template traced<SystemRow>(queue, wanted.problems, [&](const StageTrace<SystemRow>& told) {
      auto teller = program(in, out.data(), singular, told);
      teller.pivots = pivots.data();
      teller.rights = rights.data();
      if (!interleaved_) teller.order.batch = wanted.rows;
      launch("butterfly.trace", queue, this->shape(), teller);
    });
  }
  std::uint64_t bytes() const override { return pivots_.bytes() + rights_.bytes(); }

 private:
  template <class Trace>
  ThomasLaunch<Trace> program(const void* in, void* out, std::uint64_t* singular, const Trace& trace) {
    return {{static_cast<const SystemRow*>(in), static_cast<float*>(out), singular},
            {this->network_.n, this->batch_, interleaved_},
            pivots_.data(),
            rights_.data(),
            trace};
  }
  bool interleaved_;
  Buffer<float> pivots_, rights_;
};

template <class Network>
std::unique_ptr<Transform> solve_by_network(Queue& queue, const ButterflySettings& settings,
                                            const ButterflyVariant& variant) {
  if constexpr (Network::serial) {
    return std::make_unique<ThomasTransform<Network>>(queue, settings, variant);
  } else {
    using Rule = typename RuleOf<Network>::type;
    const auto network = network_of<Network>(variant.mapping.n);
    return in_place_transform<Rule>(
        queue, settings, variant, [network](const void* in, void* out, std::uint64_t* singular) {
          return Rule{{static_cast<const SystemRow*>(in), static_cast<float*>(out), singular}, network};
        });
  }
}

}  // namespace warploom
