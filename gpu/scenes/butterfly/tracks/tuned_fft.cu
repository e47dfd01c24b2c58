// Transforms of complex rows whose digits were placed when the program was compiled.
#include "gpu/core/buffer.h"
#include "gpu/scenes/butterfly/tracks/fft_report.h"
#include "gpu/scenes/butterfly/tracks/transform.h"
#include "gpu/scenes/butterfly/tuned/fft_block.h"
#include "gpu/scenes/butterfly/tuned/fft_network.h"

namespace warploom {

namespace {

template <class Tuned>
class TunedFftTransform final : public Transform {
  static constexpr FftShape shape_ = Tuned::shape;

 public:
  TunedFftTransform(Queue& queue, const ButterflySettings& settings, const ButterflyVariant& variant)
      : Transform(settings), variant_(variant), places_(Tuned::plan) {
    turns_.assign(queue, turns_of(shape_));
  }

  void run(Queue& queue, const void* in, void* out, std::uint64_t*) override {
    launch(kernel_, queue, shape(), program(in, out), bytes_moved_);
  }
  std::optional<KernelResources> resources(const Queue& queue) const override {
    return resources_of(queue, program(nullptr, nullptr), volume(shape().threads));
  }
  LaunchShape shape() const override { return block_shape(variant_.mapping, batch_); }
  std::uint64_t bytes() const override { return turns_.bytes(); }

  NetworkReport report() const override {
    NetworkReport report = begun_report(network_, variant_.mapping, variant_.mapping.blocks(batch_));
    report.tuned = std::make_shared<const Plan>(Tuned::plan);
    report.word_bytes = sizeof(Complex);
    for (int i = 0; i < Tuned::plan.steps; ++i) report.exchanges += !Tuned::plan.step[i].into.none;
    report.block_barriers = static_cast<std::uint64_t>(block_barriers(Tuned::plan));
    report.shared_bytes = shared_words(Tuned::plan) * sizeof(Complex);
    tell_digits(report, network_);
    report.by_stage = stages_of(network_, places_, Exchange::tuned);
    const auto made = accesses();
    add_costs(report.by_stage, made, report.word_bytes);
    report.places = digit_places(Tuned::plan, network_.stages());
    report.banks = bank_uses(made, report.word_bytes, WordLayout::padded, true);
    return report;
  }
  std::vector<NetworkEdge> edges() const override { return edges_of(network_, places_, Exchange::tuned); }
  std::vector<SharedAccess> accesses() const override {
    return permuting_accesses(
        places_,
        [](int step, std::uint32_t slot, const NetworkPlace& old) {
          const Crossing& into = Tuned::plan.step[step].into;
          const std::uint32_t word = into.words.padded(gathered(into.words.order, slot)),
                              warp = into.in_warp ? old.thread / warp_size : 0;
          return (word + warp * warp_words(Tuned::plan)) * static_cast<std::uint32_t>(sizeof(Complex));
        },
        false);
  }
  std::vector<std::int32_t> locations() const override { return locations_of(places_, network_.stages(), accesses()); }

  TransformTrace trace(Queue& queue, const void* in, const Wanted& wanted, std::uint64_t*) override {
    Buffer<Complex> out(queue.backend(), wanted.rows << shape_.n);
    constexpr std::uint32_t items = 1u << shape_.p;
    // Rows may leave by an exchange behind the last stage.
    const TracedStages<Complex> told(queue, network_, wanted.problems, {items, items}, 1u << shape_.l, wanted.accesses,
                                     1);
    TunedFft<Tuned, StageTrace<Complex>> program{
        static_cast<const Complex*>(in), out.data(), turns_.data(), wanted.rows, settings_.inverse, told.view()};
    launch("butterfly.trace", queue, block_shape(variant_.mapping, wanted.rows), program);
    return told.read(queue);
  }

 private:
  TunedFft<Tuned> program(const void* in, void* out) const {
    return {static_cast<const Complex*>(in), static_cast<Complex*>(out), turns_.data(), batch_, settings_.inverse, {}};
  }
  static constexpr WindowedFft network_{shape_.n, shape_};

  ButterflyVariant variant_;
  PlanPlaces places_;
  Buffer<Complex> turns_;
};

template <int n>
std::unique_ptr<Transform> tuned_fft(Queue& queue, const ButterflySettings& settings, const ButterflyVariant& variant) {
  if (variant.mapping.n == n) return std::make_unique<TunedFftTransform<IndexDigitTuned<n>>>(queue, settings, variant);
  if constexpr (n < most_tuned_n) return tuned_fft<n + 1>(queue, settings, variant);
  return nullptr;
}

}  // namespace

std::unique_ptr<Transform> make_tuned_fft(Queue& queue, const ButterflySettings& settings,
                                          const ButterflyVariant& variant) {
  return tuned_fft<least_tuned_n>(queue, settings, variant);
}

}  // namespace warploom
