#pragma once
#include "gpu/scenes/butterfly/tracks/flagged_systems.h"
#include "gpu/scenes/butterfly/tuned/pcr_block.h"
#include "gpu/scenes/butterfly/tuned/wang_mou_block.h"

// Systems whose digits were placed when the program was compiled: for the sources that compile a network's blocks.
namespace warploom {

/// Systems that fit a block. `Program<Trace>`: the kernel; `Network`: whose stages it runs.
template <class Network, template <class> class Program>
class TunedSystems final : public Transform {
  using Told = Program<StageTrace<SystemRow>>;
  static constexpr int f_ = Told::log_columns, l_ = Told::log_threads;

 public:
  TunedSystems(Queue& queue, const ButterflySettings& settings, const ButterflyVariant& variant)
      : Transform(settings),
        variant_(variant),
        network_(network_of<Network>(settings.n)),
        places_(plan_of(network_)),
        flagged_(queue, settings, variant) {
    check_shared_memory(queue, variant, Told{{systems(nullptr, nullptr, batch_, {}), {}}}.dynamic_shared_bytes());
  }

  void run(Queue& queue, const void* in, void* out, std::uint64_t* singular) override {
    flagged_.clear(queue);
    const auto* rows = static_cast<const SystemRow*>(in);
    auto* unknowns = static_cast<float*>(out);
    with_program(queue, systems(rows, unknowns, batch_, flagged_.flags()),
                 [&](const auto& program) { launch(kernel_, queue, shape(), program, bytes_moved_); });
    flagged_.solve(queue, rows, unknowns, singular);
  }
  std::optional<KernelResources> resources(const Queue& queue) const override {
    std::optional<KernelResources> found;
    with_program(queue, systems(nullptr, nullptr, batch_, {}),
                 [&](const auto& program) { found = resources_of(queue, program, volume(shape().threads)); });
    return found;
  }
  LaunchShape shape() const override { return block_shape(variant_.mapping, batch_); }
  std::uint64_t bytes() const override { return flagged_.bytes(); }

  NetworkReport report() const override {
    const Plan& plan = places_.plan();
    NetworkReport report = begun_report(network_, variant_.mapping, variant_.mapping.blocks(batch_));
    report.tuned = std::make_shared<const Plan>(plan);
    report.word_bytes = sizeof(float);
    const int exchanges = plan.seams + plan.exchanges();
    report.exchanges = static_cast<std::uint64_t>(exchanges);
    report.shared_bytes = Told{{systems(nullptr, nullptr, batch_, {}), {}}}.dynamic_shared_bytes();
    tell_stages(report, network_, places_, accesses());
    return report;
  }
  std::vector<NetworkEdge> edges() const override { return edges_of(network_, places_, Exchange::tuned); }
  std::vector<SharedAccess> accesses() const override {
    auto all = planned_accesses(places_, sizeof(float), UnitEquation::words);
    if constexpr (has_ends) add_ends(all);
    return all;
  }
  std::vector<std::int32_t> locations() const override { return locations_of(places_, network_.stages(), accesses()); }

  TransformTrace trace(Queue& queue, const void* in, const Wanted& wanted, std::uint64_t*) override {
    const std::uint64_t all = wanted.rows << settings_.n;
    Buffer<float> out(queue.backend(), variant_.interleaved ? batch_ << settings_.n : all);
    Buffer<std::uint64_t> flags(queue.backend(), wanted.rows + 1);
    const TracedStages<SystemRow> told(queue, network_, wanted.problems, Told::numbers(), 1u << l_, wanted.accesses, 1);
    launch("butterfly.trace", queue, block_shape(variant_.mapping, wanted.rows),
           Told{{systems(static_cast<const SystemRow*>(in), out.data(), wanted.rows, {flags.data() + 1, flags.data()}),
                 told.view()}});
    return told.read(queue);
  }

 private:
  static constexpr bool has_ends = !std::is_same_v<Network, ParallelCyclicReduction>;
  static constexpr bool by_ends = std::is_same_v<Network, WangMouByEnds>;
  static constexpr int digits_of_warp_ = SystemForm::digits_of_warp - f_;

  static Plan plan_of(const Network& network) {
    Plan plan = SystemForm::plan_of(network.n, f_, l_, network.stages());
    plan.first_seam = digits_of_warp_ + 1;
    if (has_ends && network.n > digits_of_warp_) plan.seams = network.n - digits_of_warp_ + by_ends;
    return plan;
  }
  /// body(program), as of tuned transforms.
  template <class Body>
  static void with_program(const Queue& queue, const UnitSystems& systems, Body&& body) {
    if constexpr (compiled_for_devices)
      if (queue.backend() == Backend::cuda) return body(OnDevices<Program<NoTrace>>{{{systems, {}}}});
    body(Told{{systems, {}}});
  }
  UnitSystems systems(const SystemRow* in, float* out, std::uint64_t problems, const SystemFlags& flags) const {
    return {in, out, flags, settings_.n, problems, variant_.interleaved ? batch_ : 1};
  }

  /// Ends of warps go through words behind those of the exchanges, two sets in turn: of each pair of blocks what stands
  /// beside their seam, and, back, of all warps their outermost unknowns.
  void add_ends(std::vector<SharedAccess>& all) const {
    const int n = settings_.n, warp_digits = l_ - 5;
    constexpr std::uint32_t words = UnitEquation::words, columns = 1u << f_, bytes = sizeof(float);
    if (n <= digits_of_warp_) return;
    const std::uint32_t warps = 1u << warp_digits, of_row = 1u << (n - digits_of_warp_),
                        first_word = f_ == 0 ? words * shared_words(places_.plan()) : 0;
    const AccessNumbers numbers = Told::numbers();
    const auto add = [&](int stage, bool reads, std::uint32_t thread, int set, std::uint32_t which, std::uint32_t w,
                         std::uint32_t warp) {
      const std::uint32_t column = thread % columns, sets = (static_cast<std::uint32_t>(set) * 2 + which) * words + w,
                          at = first_word + (sets * warps + warp) * columns + column,
                          e = which == 0 ? ((warp + 1) << digits_of_warp_) - 1 : warp << digits_of_warp_,
                          instruction = which * words + w;
      all.push_back({stage, reads, reads ? numbers.read(stage, instruction) : numbers.write(stage, instruction), thread,
                     at * bytes, f_ == 0 ? e : column << n | e});
    };
    for (std::uint32_t thread = 0; thread >> l_ == 0; ++thread) {
      const std::uint32_t warp = thread / warp_size, in_row = warp % of_row, lane = thread % warp_size / columns,
                          last_lane = warp_size / columns - 1;
      for (int b = 0; digits_of_warp_ + b < n; ++b) {
        const std::uint32_t h = 1u << b, both = 2 * h - 1;
        const int stage = digits_of_warp_ + b + 1, set = b % 2;
        for (std::uint32_t w = 0; w < words; ++w) {
          if ((in_row & both) == h - 1 && lane == last_lane) add(stage, false, thread, set, 0, w, warp);
          if ((in_row & both) == h && lane == 0) add(stage, false, thread, set, 1, w, warp);
          const std::uint32_t before = warp - (in_row & both) + h - 1;
          add(stage, true, thread, set, 0, w, before);
          add(stage, true, thread, set, 1, w, before + 1);
        }
      }
      if (!by_ends) continue;
      const int stage = n + 1, set = (n - digits_of_warp_) % 2;
      if (lane == last_lane) add(stage, false, thread, set, 0, words - 1, warp);
      if (lane == 0) add(stage, false, thread, set, 1, words - 1, warp);
      if (lane == 0 && in_row > 0) add(stage, true, thread, set, 0, words - 1, warp - 1);
      if (lane == last_lane && in_row + 1 < of_row) add(stage, true, thread, set, 1, words - 1, warp + 1);
    }
  }

  ButterflyVariant variant_;
  Network network_;
  PlanPlaces places_;
  FlaggedSystems flagged_;
};

/// Wang and Mou's of 2^l threads and 2^f neighbouring systems, as TunedSystems takes it.
template <int f, int l, bool by_ends>
struct WangMouOf {
  template <class Trace>
  using Program = TunedWangMou<f, l, by_ends, Trace>;
};

}  // namespace warploom
