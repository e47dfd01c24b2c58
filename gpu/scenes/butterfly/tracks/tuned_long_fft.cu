// Transforms of rows that are longer than a block by tuned programs: some digits a launch.
// nvcc: by itself
#include <cmath>
#include <numbers>

#include "gpu/core/buffer.h"
#include "gpu/scenes/butterfly/tracks/fft_report.h"
#include "gpu/scenes/butterfly/tracks/fft_rings.h"
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

}  // namespace

extern template std::unique_ptr<FftRing> fft_ring_of<FftRings>(Queue&, const FftPass&, const FftPass&, std::uint64_t);
extern template std::unique_ptr<FftRing> fft_ring_of<WideFftRings>(Queue&, const FftPass&, const FftPass&,
                                                                   std::uint64_t);

std::unique_ptr<FftRing> make_fft_ring(Queue& queue, const FftPass& first, const FftPass& second, std::uint64_t tiles) {
  if (queue.backend() == Backend::cpu) return nullptr;
  if (auto found = fft_ring_of<FftRings>(queue, first, second, tiles)) return found;
  return fft_ring_of<WideFftRings>(queue, first, second, tiles);
}

namespace {

class LongTunedFft final : public Transform {
 public:
  LongTunedFft(Queue& queue, const ButterflySettings& settings, const ButterflyVariant& variant)
      : Transform(settings), variant_(variant) {
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
    const FftPass last = pass_of(settings.n, count() - 1);
    ring_ = make_fft_ring(queue, pass_of(settings.n, count() - 2), last, tiles_of(last));
    if (!ring_ || launches() > 1) work_ = Buffer<Complex>(queue.backend(), settings.batch << settings.n);
  }

  void run(Queue& queue, const void* in, void* out, std::uint64_t*) override {
    // Each pass reads all values, and writes them.
    TimedSpan span(queue, kernel_, static_cast<std::uint64_t>(count()) * bytes_moved_);
    for (int i = 0; i < launches() - (ring_ ? 1 : 0); ++i)
      with_pass(i, in, out, [&](const auto& program) { launch(kernel_, queue, shape_of(program.pass), program); });
    if (ring_) ring_->run(queue, kernel_, pass_run(count() - 2, in, out), pass_run(count() - 1, in, out));
    span.finish();
  }
  /// Of the ring's kernel, which does most of the work, or of the first pass.
  std::optional<KernelResources> resources(const Queue& queue) const override {
    if (ring_) return ring_->resources(queue);
    std::optional<KernelResources> found;
    with_pass(0, nullptr, nullptr, [&](const auto& program) {
      found = resources_of(queue, program, volume(shape_of(program.pass).threads));
    });
    return found;
  }
  LaunchShape shape() const override { return shape_of(pass_of(settings_.n, 0)); }
  std::uint64_t bytes() const override {
    std::uint64_t all = work_.bytes() + (ring_ ? ring_->bytes() : 0);
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
    report.launches = static_cast<std::uint64_t>(launches());
    if (ring_) {
      report.ring = {ring_->shape().elements() * sizeof(Complex), ring_->shape().lag};
      report.by_stage = stages_of_passes();
    }
    report.word_bytes = sizeof(Complex);
    tell_digits(report, network_, false);
    return report;
  }

 private:
  /// Of each pass what a tile has: its edges and threads as often as a row has tiles, and what exchanges cost a block.
  /// What the first stage of a pass takes comes by memory, or by the ring.
  std::vector<StageReport> stages_of_passes() const {
    std::vector<StageReport> all;
    for (int i = 0; i < count(); ++i) {
      const FftPass pass = pass_of(settings_.n, i);
      const Plan plan = plan_of(pass.shape);
      const PlanPlaces places(plan);
      WindowedFft of_tile{pass.shape.digits(), {}};
      of_tile.shape.n = of_tile.n;
      for (int k = 0; k < pass.shape.count(); ++k) of_tile.shape.windows[k] = pass.shape.windows[k];
      const std::uint64_t tiles = std::uint64_t{1} << (settings_.n - of_tile.n);
      std::vector<StageReport> of_pass;
      for (int j = 1; j <= of_tile.stages(); ++j) {
        StageReport one;
        one.digits = network_.stage(static_cast<int>(all.size()) + j);
        one.operators = tiles << (of_tile.n - pass.shape.windows[j - 1]);
        one.active = tiles << (of_tile.n - pass.shape.p);
        const StageEdges<WindowedFft> edges(of_tile, places, j, Exchange::tuned);
        const int first_digit = pass.shape.first_digit();
        for (std::uint32_t e = 0; e >> of_tile.n == 0; ++e)
          each_operand(of_tile, j, e, [&](int, std::uint32_t from) {
            const EdgeKind kind = j > 1             ? edges.kind(from << first_digit, e << first_digit)
                                  : i == 0          ? EdgeKind::in_register
                                  : i + 1 < count() ? EdgeKind::global
                                                    : EdgeKind::ring;
            one.edges[static_cast<std::size_t>(kind)] += tiles;
          });
        of_pass.push_back(one);
      }
      add_costs(of_pass, planned_accesses(places, sizeof(Complex)), sizeof(Complex));
      all.insert(all.end(), of_pass.begin(), of_pass.end());
    }
    return all;
  }

  struct Tables {
    Buffer<Complex> of_thread, of_block;
  };
  int count() const { return long_ffts[settings_.n - LongFft::least].count; }
  int launches() const { return count() - (ring_ ? 1 : 0); }
  std::uint64_t tiles_of(const FftPass& pass) const { return (batch_ << settings_.n) >> (pass.shape.p + pass.shape.l); }
  LaunchShape shape_of(const FftPass& pass) const { return tiles_shape(tiles_of(pass), pass.shape.l); }
  /// Between the first and the last pass values lie in `work_`, or in the ring of the last two.
  PassRun pass_run(int number, const void* in, void* out) const {
    const bool first = number == 0, last = number + 1 == count(), inverse = settings_.inverse;
    const Tables& own = tables_[number];
    return {pass_of(settings_.n, number),
            first ? static_cast<const Complex*>(in) : work_.data(),
            last ? static_cast<Complex*>(out) : work_.data(),
            inverse && first,
            inverse && last,
            std::ldexp(1.f, -settings_.n),
            {own.of_thread.data(), own.of_block.data()}};
  }
  /// body(program): the kernel of a pass.
  template <class Body>
  void with_pass(int number, const void* in, void* out, Body&& body) const {
    const PassRun run = pass_run(number, in, out);
    for_each_type(PassShapes{}, [&]<class Tuned>() {
      if (Tuned::shape == run.pass.shape) body(run.program<Tuned>());
    });
  }

  ButterflyVariant variant_;
  WindowedFft network_{};
  Buffer<Complex> work_;
  Tables tables_[LongFft::most_passes];
  std::unique_ptr<FftRing> ring_;  ///< null: a launch a pass
};

}  // namespace

std::unique_ptr<Transform> make_long_tuned_fft(Queue& queue, const ButterflySettings& settings,
                                               const ButterflyVariant& variant) {
  return std::make_unique<LongTunedFft>(queue, settings, variant);
}

}  // namespace warploom
