// Transforms of rows that are longer than a block by tuned programs: some digits a launch.
#include <cmath>
#include <numbers>

#include "gpu/core/buffer.h"
#include "gpu/scenes/butterfly/tracks/fft_report.h"
#include "gpu/scenes/butterfly/tracks/long_transform.h"
#include "gpu/scenes/butterfly/tuned/fft_long.h"
#include "gpu/scenes/butterfly/tuned/fft_network.h"

namespace warploom {

namespace {

/// Entries of the window of a pass for the digits below it: `below`, in a row.
void add_turns(std::vector<Complex>& to, const FftPass& pass, int window, std::uint64_t below) {
  const int digits = pass.low + pass.shape.low(window) + pass.shape.windows[window];
  for (int k = 0; k < turn_entries(pass.shape, window); ++k) {
    const std::uint64_t part = (below << k) & ((std::uint64_t{1} << digits) - 1);
    const double turn = std::ldexp(-2 * std::numbers::pi * static_cast<double>(part), -digits);
    to.push_back({static_cast<float>(std::cos(turn)), static_cast<float>(std::sin(turn))});
  }
}

}  // namespace

std::vector<Complex> turns_of_threads(const FftPass& pass) {
  const PassShape& shape = pass.shape;
  std::vector<Complex> all;
  for (int window = 0; window < shape.count(); ++window)
    for (std::uint64_t i = 0; i >> thread_digits(shape, window) == 0; ++i) {
      const std::uint64_t column = shape.is_last ? 0 : i & ((1u << shape.riders) - 1), digits = i - column;
      add_turns(all, pass, window, shape.is_last ? i : column + (digits >> shape.riders << pass.low));
    }
  return all;
}

std::vector<Complex> turns_of_blocks(const FftPass& pass) {
  const PassShape& shape = pass.shape;
  std::vector<Complex> all;
  if (shape.is_last) return all;
  for (int window = 0; window < shape.count(); ++window)
    for (std::uint64_t i = 0; i >> (pass.low - shape.riders) == 0; ++i) add_turns(all, pass, window, i << shape.riders);
  return all;
}

namespace {

/// The digits of a tile's plan under their numbers in the row.
Digits in_row(const FftPass& pass, const Digits& of_tile) {
  Digits all;
  for (int i = 0; i < of_tile.count; ++i) {
    const int digit = of_tile.at[i], begin = pass.shape.first_digit();
    const bool transformed = digit >= begin && digit < begin + pass.shape.digits();
    all.add(transformed          ? pass.low + digit - begin
            : pass.shape.is_last ? pass.n - pass.shape.riders + digit - pass.shape.digits()
                                 : digit);
  }
  return all;
}

class LongTunedFft final : public Transform {
 public:
  LongTunedFft(Queue& queue, const ButterflySettings& settings, const ButterflyVariant& variant)
      : Transform(settings), variant_(variant), work_(queue.backend(), settings.batch << settings.n) {
    network_.n = settings.n;
    network_.shape.n = settings.n;
    int window = 0;
    for (int i = 0; i < count(); ++i) {
      const FftPass pass = pass_of(settings.n, i);
      with_pass(i, nullptr, nullptr,
                [&](const auto& program) { check_shared_memory(queue, variant, program.dynamic_shared_bytes()); });
      Tables& own = tables_[i];
      own.of_thread.assign(queue, turns_of_threads(pass));
      if (!pass.shape.is_last) own.of_block.assign(queue, turns_of_blocks(pass));
      for (int k = 0; k < pass.shape.count(); ++k) network_.shape.windows[window++] = pass.shape.windows[k];
    }
  }

  void run(Queue& queue, const void* in, void* out, std::uint64_t*) override {
    // Each pass reads all values, and writes them.
    TimedSpan span(queue, kernel_, static_cast<std::uint64_t>(count()) * bytes_moved_);
    for (int i = 0; i < count(); ++i)
      with_pass(i, in, out, [&](const auto& program) { launch(kernel_, queue, shape_of(program.pass), program); });
    span.finish();
  }
  std::optional<KernelResources> resources(const Queue& queue) const override {
    std::optional<KernelResources> found;
    with_pass(0, nullptr, nullptr, [&](const auto& program) {
      found = resources_of(queue, program, volume(shape_of(program.pass).threads));
    });
    return found;
  }
  LaunchShape shape() const override { return shape_of(pass_of(settings_.n, 0)); }
  std::uint64_t bytes() const override {
    std::uint64_t all = work_.bytes();
    for (const Tables& one : tables_) all += one.of_thread.bytes() + one.of_block.bytes();
    return all;
  }

  NetworkReport report() const override {
    NetworkReport report = begun_report(network_, variant_.mapping, shape().block_count());
    Plan plan;
    plan.n = settings_.n;
    int stage = 0;
    for (int i = 0; i < count(); ++i) {
      const FftPass pass = pass_of(settings_.n, i);
      const Plan own = plan_of(pass.shape);
      plan.p = std::max(plan.p, own.p);
      plan.l = std::max(plan.l, own.l);
      for (int k = 0; k < own.steps; ++k) {
        ++stage;
        plan.add({in_row(pass, own.step[k].at.registers), in_row(pass, own.step[k].at.thread)}, stage, stage, i);
        if (Crossing& into = plan.step[plan.steps - 1].into; !into.none) {
          into.words = own.step[k].into.words;
          into.words.order = in_row(pass, into.words.order);
          ++report.exchanges;
        }
      }
      report.shared_bytes = std::max<std::uint64_t>(report.shared_bytes, shared_words(own) * sizeof(Complex));
    }
    report.tuned = std::make_shared<const Plan>(plan);
    report.launches = static_cast<std::uint64_t>(count());
    report.word_bytes = sizeof(Complex);
    tell_digits(report, network_, false);
    return report;
  }

 private:
  struct Tables {
    Buffer<Complex> of_thread, of_block;
  };
  int count() const { return long_ffts[settings_.n - LongFft::least].count; }
  LaunchShape shape_of(const FftPass& pass) const {
    return tiles_shape((batch_ << settings_.n) >> (pass.shape.p + pass.shape.l), pass.shape.l);
  }
  /// body(program): the kernel of a pass; between the first and the last values lie in `work_`.
  template <class Body>
  void with_pass(int number, const void* in, void* out, Body&& body) const {
    const FftPass pass = pass_of(settings_.n, number);
    const bool first = number == 0, last = number + 1 == count(), inverse = settings_.inverse;
    const Tables& own = tables_[number];
    for_each_type(PassShapes{}, [&]<class Tuned>() {
      if (!(Tuned::shape == pass.shape)) return;
      body(TunedPass<Tuned>{pass,
                            first ? static_cast<const Complex*>(in) : work_.data(),
                            last ? static_cast<Complex*>(out) : work_.data(),
                            inverse && first,
                            inverse && last,
                            std::ldexp(1.f, -settings_.n),
                            {own.of_thread.data(), own.of_block.data()}});
    });
  }

  ButterflyVariant variant_;
  WindowedFft network_{};
  Buffer<Complex> work_;
  Tables tables_[LongFft::most_passes];
};

}  // namespace

std::unique_ptr<Transform> make_long_tuned_fft(Queue& queue, const ButterflySettings& settings,
                                               const ButterflyVariant& variant) {
  return std::make_unique<LongTunedFft>(queue, settings, variant);
}

}  // namespace warploom
