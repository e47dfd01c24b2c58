#pragma once
#include <utility>

#include "gpu/core/buffer.h"
#include "gpu/scenes/butterfly/kernels/twiddles.h"
#include "gpu/scenes/butterfly/tracks/fft_report.h"
#include "gpu/scenes/butterfly/tracks/transform.h"
#include "gpu/scenes/butterfly/tuned/fft_block.h"
#include "gpu/scenes/butterfly/tuned/fft_network.h"

// Transforms whose digits were placed when the program was compiled: for the source of a track's plans.
namespace warploom {

/// `Rows`: complex ones, or real ones.
template <class Tuned, class Rows>
class TunedFftTransform final : public Transform {
  static constexpr FftShape shape_ = Tuned::shape;
  static constexpr bool is_complex = Rows::contiguous;

 public:
  TunedFftTransform(Queue& queue, const ButterflySettings& settings, const ButterflyVariant& variant)
      : Transform(settings), variant_(variant), places_(Tuned::plan) {
    if constexpr (!is_complex) {
      cosine_ = settings.algorithm == "dct";
      const std::uint64_t quarter = std::uint64_t{1} << (settings.n - 2);
      row_turns_.assign(queue, twiddle_table(settings.n, quarter));
      if (cosine_) quarters_.assign(queue, twiddle_table(settings.n + 2, quarter + 1));
    }
    check_shared_memory(queue, variant, shared_words(Tuned::plan) * sizeof(Complex));
    turns_.assign(queue, turns_of(shape_));
  }

  void run(Queue& queue, const void* in, void* out, std::uint64_t*) override {
    with_program(queue, in, out, [&](const auto& program) { launch(kernel_, queue, shape(), program, bytes_moved_); });
  }
  std::optional<KernelResources> resources(const Queue& queue) const override {
    std::optional<KernelResources> found;
    with_program(queue, nullptr, nullptr,
                 [&](const auto& program) { found = resources_of(queue, program, volume(shape().threads)); });
    return found;
  }
  LaunchShape shape() const override { return block_shape(variant_.mapping, batch_); }
  std::uint64_t bytes() const override { return turns_.bytes() + row_turns_.bytes() + quarters_.bytes(); }

  NetworkReport report() const override {
    NetworkReport report = begun_report(network_, variant_.mapping, variant_.mapping.blocks(batch_));
    report.tuned = std::make_shared<const Plan>(Tuned::plan);
    report.word_bytes = sizeof(Complex);
    for (int i = 0; i < Tuned::plan.steps; ++i) report.exchanges += !Tuned::plan.step[i].into.none;
    report.shared_bytes = shared_words(Tuned::plan) * sizeof(Complex);
    tell_digits(report, network_, true);
    tell_stages(report, network_, places_, accesses());
    return report;
  }
  std::vector<NetworkEdge> edges() const override { return edges_of(network_, places_, Exchange::tuned); }
  std::vector<SharedAccess> accesses() const override { return planned_accesses(places_, sizeof(Complex)); }
  std::vector<std::int32_t> locations() const override { return locations_of(places_, network_.stages(), accesses()); }

  TransformTrace trace(Queue& queue, const void* in, const Wanted& wanted, std::uint64_t*) override {
    Buffer<std::uint8_t> out(queue.backend(), wanted.rows * ((sizeof(Complex) << settings_.n) + sizeof(Complex)));
    constexpr std::uint32_t items = 1u << shape_.p;
    // Rows may leave by an exchange behind the last stage.
    const TracedStages<Complex> told(queue, network_, wanted.problems, {items, items}, 1u << shape_.l, wanted.accesses,
                                     1);
    launch("butterfly.trace", queue, block_shape(variant_.mapping, wanted.rows),
           TunedFft<Tuned, StageTrace<Complex>, Rows>{rows(in, out.data()), turns_.data(), wanted.rows, told.view()});
    return told.read(queue);
  }

 private:
  Rows rows(const void* in, void* out) const {
    if constexpr (is_complex)
      return {static_cast<const Complex*>(in), static_cast<Complex*>(out), settings_.inverse};
    else
      return {cosine_, settings_.inverse, in, out, row_turns_.data(), quarters_.data()};
  }
  /// body(program): a device has kernels of their own for what is not told; a CPU asks a trace that is empty, which is
  /// as quick, and compiles half as many.
  template <class Body>
  void with_program(const Queue& queue, const void* in, void* out, Body&& body) const {
    if constexpr (compiled_for_devices)
      if (queue.backend() == Backend::cuda)
        return body(OnDevices<TunedFft<Tuned, NoTrace, Rows>>{{rows(in, out), turns_.data(), batch_, {}}});
    body(TunedFft<Tuned, StageTrace<Complex>, Rows>{rows(in, out), turns_.data(), batch_, {}});
  }
  static constexpr WindowedFft network_{shape_.n, shape_};

  ButterflyVariant variant_;
  PlanPlaces places_;
  Buffer<Complex> turns_;
  // Of real rows:
  bool cosine_ = false;
  Buffer<Complex> row_turns_, quarters_;
};

template <class Plans, int part>
std::unique_ptr<Transform> tuned_fft_part(Queue& queue, const ButterflySettings& settings,
                                          const ButterflyVariant& variant) {
  std::unique_ptr<Transform> made;
  const auto try_length = [&]<int n>(std::integral_constant<int, n>) {
    if constexpr (n <= Plans::shapes.most() && !is_shared<Plans>(n)) {
      if (variant.mapping.n != n) return;
      if (settings.algorithm == "fft")
        made = std::make_unique<TunedFftTransform<TunedOf<Plans, n>, ComplexRows>>(queue, settings, variant);
      else if constexpr (Plans::real)
        made = std::make_unique<TunedFftTransform<TunedOf<Plans, n, true>, RealRows>>(queue, settings, variant);
    }
  };
  constexpr int first = Plans::shapes.least() + part * tuned_lengths;
  [&]<int... i>(std::integer_sequence<int, i...>) { (try_length(std::integral_constant<int, first + i>{}), ...); }
  (std::make_integer_sequence<int, tuned_lengths>{});
  return made;
}

}  // namespace warploom
