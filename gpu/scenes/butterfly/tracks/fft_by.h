#pragma once
#include "gpu/core/buffer.h"
#include "gpu/scenes/butterfly/kernels/fft_groups.h"
#include "gpu/scenes/butterfly/kernels/general_plans.h"
#include "gpu/scenes/butterfly/kernels/operator_string.h"
#include "gpu/scenes/butterfly/kernels/permuting_block.h"
#include "gpu/scenes/butterfly/tracks/fft_plan.h"
#include "gpu/scenes/butterfly/tracks/fft_report.h"
#include "gpu/scenes/butterfly/tracks/transform.h"

// Transforms of complex and of real rows whose threads have 2^p values: for the source of that p alone.

namespace warploom {

/// Where words lie before each window of a network in blocks, and which windows go through shared memory.
struct Exchanges {
  std::vector<ExchangeWords> words;
  std::vector<bool> crosses;
  std::uint32_t bytes = 0;

  Exchanges() = default;
  Exchanges(const PlanPlaces& places, WordLayout layout, bool shuffles) {
    const Plan& plan = places.plan();
    words.resize(static_cast<std::size_t>(plan.steps));
    for (int w = 1; w < plan.steps; ++w)
      words[static_cast<std::size_t>(w)] = exchange_words(plan.step[w].into, plan.l, sizeof(Complex), layout);
    crosses.assign(words.size(), false);
    for (const SharedAccess& one : permuting_accesses(places, words, shuffles))
      crosses[static_cast<std::size_t>(plan.step_of(one.stage))] = true;
    for (std::size_t w = 0; w < words.size(); ++w)
      if (crosses[w]) bytes = std::max(bytes, words[w].bytes(plan.p + plan.l));
  }
  /// How a block runs its windows.
  template <class Block>
  void put(Block& block) const {
    const FftNetwork& a = block.network;
    for (int w = 0; w < a.windows(); ++w) {
      auto& plan = block.windows[w];
      const auto i = static_cast<std::size_t>(w);
      plan.high = a.window(w).high;
      plan.low = a.window(w).low;
      plan.lowest = WindowPlaces::lowest(a, w);
      plan.crosses = crosses[i];
      plan.words = words[i];
      for (int bit = 0; w > 0 && bit < a.p; ++bit) {
        const WindowPlaces places{a.n, a.p};
        const NetworkPlace old =
            places.place(WindowPlaces::lowest(a, w - 1), places.element(plan.lowest, {0, 1u << bit}));
        plan.writes[bit] = words[i].word(0, 1u << bit);
        plan.reads[bit] = words[i].word(old.thread, old.item);
      }
    }
    block.shared_bytes = bytes;
  }
};

/// What transforms of complex and of real rows share, however long they are.
class FftRows : public Transform {
 public:
  std::uint64_t bytes() const override { return tables_.bytes() + work_[0].bytes() + work_[1].bytes(); }

 protected:
  FftRows(Queue& queue, const ButterflySettings& settings, const FftPlan& plan)
      : Transform(settings),
        plan_(plan),
        places_(permuting_plan(plan.network, plan.variant.mapping.s)),
        tables_(queue, settings.n + (plan.kind == FftKind::cosine ? 2 : 0)) {}

  bool splits() const { return plan_.kind != FftKind::complex && !settings_.inverse; }
  bool shuffles() const { return plan_.variant.exchange == Exchange::shuffle; }
  /// Of all problems, as the network has them.
  std::uint64_t values() const { return batch_ << plan_.network.n; }
  /// Of so many launches: each reads all values, and writes them.
  std::uint64_t moved_by(std::uint64_t launches) const {
    return bytes_moved_ + 2 * (launches - 1) * sizeof(Complex) * values();
  }
  FftData data(const void* in, void* out) const {
    return {plan_.kind, settings_.inverse, settings_.n, in, out, tables_.view()};
  }
  /// The launch that splits what is there in `before`; `reversed` as SplitLaunch has it.
  void split(Queue& queue, const FftData& whole, const Complex* before, bool reversed) const {
    launch(kernel_, queue, row_shape(values()), SplitLaunch{whole, batch_, before, reversed});
  }

  FftPlan plan_;
  PlanPlaces places_;
  TwiddleTables tables_;
  Buffer<Complex> work_[2];  ///< between launches
};

/// Adds the digits of each window of a network.
inline void add_windows(std::vector<int>& windows, const FftNetwork& a) {
  for (int w = 0; w < a.windows(); ++w) windows.push_back(a.window(w).high - a.window(w).low + 1);
}

template <int p>
class FftTransform final : public FftRows {
 public:
  FftTransform(Queue& queue, const ButterflySettings& settings, const FftPlan& plan) : FftRows(queue, settings, plan) {
    const FftNetwork& a = plan.network;
    const NetworkMapping& mapping = plan.variant.mapping;
    // Where one launch does, a block runs it.
    global_ = a.n > mapping.s || (plan.variant.exchange == Exchange::global && (a.windows() > 1 || splits()));
    if (global_) {
      for (std::size_t i = 0; i < std::min<std::size_t>(2, launches() - 1); ++i)
        work_[i] = Buffer<Complex>(queue.backend(), values());
      // A trace is told by a block all the same: values are those of the network, whoever runs it.
      if (a.n > mapping.s) return;
    }
    exchanges_ = Exchanges(places_, plan.variant.layout, shuffles());
    split_bytes_ = splits() ? static_cast<std::uint32_t>(sizeof(Complex)) << mapping.s : 0;
  }

  void run(Queue& queue, const void* in, void* out, std::uint64_t*) override {
    if (global_) return run_global(queue, in, out);
    with_program(in, out, [&](const auto& block) { launch(kernel_, queue, shape(), block, bytes_moved_); });
  }

  std::optional<KernelResources> resources(const Queue& queue) const override {
    std::optional<KernelResources> found;
    if (!global_)
      with_program(nullptr, nullptr,
                   [&](const auto& block) { found = resources_of(queue, block, volume(shape().threads)); });
    return found;
  }

  LaunchShape shape() const override {
    return global_ ? row_shape(values() >> p) : block_shape(plan_.variant.mapping, batch_);
  }

  NetworkReport report() const override {
    const FftNetwork& a = plan_.network;
    NetworkReport report = begun_report(a, plan_.variant.mapping, blocks_of(plan_.variant.mapping, batch_));
    report.word_bytes = sizeof(Complex);
    tell_digits(report, a, !global_);
    if (global_) {
      report.launches = launches();
      return report;
    }
    for (const bool one : exchanges_.crosses) report.exchanges += one;
    report.shared_bytes = exchanges_.bytes;
    report.by_stage = stages_of(a, places_, plan_.variant.exchange);
    add_costs(report.by_stage, accesses(), report.word_bytes);
    report.places = digit_places(places_.plan(), a.stages());
    add_banks(report);
    return report;
  }

  std::vector<NetworkEdge> edges() const override {
    return edges_of(plan_.network, places_, global_ ? Exchange::global : plan_.variant.exchange);
  }
  std::vector<SharedAccess> accesses() const override {
    if (global_) return {};
    return permuting_accesses(places_, exchanges_.words, shuffles());
  }
  std::vector<std::int32_t> locations() const override {
    if (global_) return {};
    return locations_of(places_, plan_.network.stages(), accesses());
  }

  TransformTrace trace(Queue& queue, const void* in, const Wanted& wanted, std::uint64_t*) override {
    const NetworkMapping& mapping = plan_.variant.mapping;
    Buffer<std::uint8_t> out(queue.backend(), wanted.rows * ((sizeof(Complex) << settings_.n) + sizeof(Complex)));
    const std::uint32_t items = 1u << p;
    const TracedStages<Complex> told(queue, plan_.network, wanted.problems, {items, items}, 1u << (mapping.s - p),
                                     wanted.accesses && !global_);
    by_flag(shuffles(), [&](auto shuffled) {
      auto block = program<decltype(shuffled)::value>(data(in, out.data()), told.view());
      block.batch = wanted.rows;
      launch("butterfly.trace", queue, block_shape(mapping, wanted.rows), block);
    });
    return told.read(queue);
  }

 private:
  std::size_t windows() const { return static_cast<std::size_t>(std::max(1, plan_.network.windows())); }
  std::size_t launches() const { return windows() + splits(); }
  /// Of every layout, not of the track's own alone: that one may choose.
  void add_banks(NetworkReport& report) const {
    for (const WordLayout layout : {WordLayout::plain, WordLayout::padded, WordLayout::swizzled}) {
      const Exchanges exchanges(places_, layout, shuffles());
      const auto made = permuting_accesses(places_, exchanges.words, shuffles());
      for (BankUse& use : bank_uses(made, report.word_bytes, layout, layout == plan_.variant.layout))
        report.banks.push_back(use);
    }
    std::stable_sort(report.banks.begin(), report.banks.end(),
                     [](const BankUse& one, const BankUse& other) { return one.stage < other.stage; });
  }
  /// body(program): the kernel of one launch.
  template <class Body>
  void with_program(const void* in, void* out, Body&& body) const {
    const auto with = [&](const auto& rows) {
      by_flag(shuffles(), [&](auto shuffled) { body(program<decltype(shuffled)::value>(rows, NoTrace{})); });
    };
    if (plan_.kind == FftKind::complex)
      with(ComplexData{static_cast<const Complex*>(in), static_cast<Complex*>(out), settings_.n,
                       1 / static_cast<float>(1u << settings_.n), settings_.inverse, tables_.view()});
    else
      with(data(in, out));
  }
  template <bool shuffled, class Data, class Trace>
  PermutingBlock<p, shuffled, Trace, Data> program(const Data& rows, const Trace& trace) const {
    PermutingBlock<p, shuffled, Trace, Data> block{plan_.network, plan_.variant.mapping, batch_, rows, {}, 0, trace};
    exchanges_.put(block);
    block.shared_bytes = std::max(block.shared_bytes, split_bytes_);
    return block;
  }
  void run_global(Queue& queue, const void* in, void* out) {
    TimedSpan span(queue, kernel_, moved_by(launches()));
    const Complex* before = nullptr;
    for (std::size_t w = 0; w < windows(); ++w) {
      Complex* after = w + 1 == launches() ? nullptr : work_[w % 2].data();
      launch(kernel_, queue, shape(),
             PermutingLaunch<p>{plan_.network, batch_, data(in, out), static_cast<int>(w), before, after});
      before = after;
    }
    if (splits()) split(queue, data(in, out), before, true);
    span.finish();
  }

  bool global_ = false;
  Exchanges exchanges_;
  std::uint32_t split_bytes_ = 0;
};

/// A transform that is too long for a block, by groups of digits: columns first, rows at last.
template <int p>
class LongFft final : public FftRows {
 public:
  LongFft(Queue& queue, const ButterflySettings& settings, const FftPlan& plan)
      : FftRows(queue, settings, plan), groups_(plan.network.n, plan.variant.mapping.s) {
    for (int i = 0; i < groups_.count; ++i) {
      const int digits = groups_.digits[i];
      parts_.push_back({{digits, p, std::min(p, plan.network.log_radix)},
                        {digits, p, std::min(plan.variant.mapping.s, p + 10)},
                        {}});
      auto& part = parts_.back();
      part.exchanges =
          Exchanges(PlanPlaces(permuting_plan(part.network, part.mapping.s)), plan.variant.layout, shuffles());
    }
    // In place from group to group; what is split lies in the order of k.
    for (int i = 0; i < (splits() ? 2 : 1); ++i) work_[i] = Buffer<Complex>(queue.backend(), values());
  }

  void run(Queue& queue, const void* in, void* out, std::uint64_t*) override {
    TimedSpan span(queue, kernel_, moved_by(launches()));
    const FftData whole = data(in, out);
    for (int i = 0; i < groups_.count; ++i) {
      FftGroupData group(whole, groups_, i);
      group.before = i == 0 ? nullptr : work_[0].data();
      group.after = work_[i + 1 == groups_.count].data();
      by_flag(shuffles(), [&](auto shuffled) { launch_part<decltype(shuffled)::value>(queue, i, group); });
    }
    if (splits()) split(queue, whole, work_[1].data(), false);
    span.finish();
  }
  LaunchShape shape() const override { return shape_of(groups_.count - 1); }
  NetworkReport report() const override {
    NetworkReport report;
    report.elements = std::uint64_t{1} << plan_.network.n;
    report.mapping = plan_.variant.mapping;
    report.blocks = blocks_of(plan_.variant.mapping, batch_);
    report.launches = launches();
    report.word_bytes = sizeof(Complex);
    std::vector<int> windows;
    for (const Part& part : parts_) {
      report.stages += part.network.stages();
      report.operators += part.network.nodes() << (plan_.network.n - part.network.n);
      add_windows(windows, part.network);
      for (const bool one : part.exchanges.crosses) report.exchanges += one;
      report.shared_bytes = std::max<std::uint64_t>(report.shared_bytes, part.exchanges.bytes);
    }
    report.operator_string = operators_text(fft_operators(windows));
    return report;
  }

 private:
  struct Part {
    FftNetwork network;
    NetworkMapping mapping;
    Exchanges exchanges;
  };
  std::uint64_t launches() const { return static_cast<std::uint64_t>(groups_.count) + splits(); }
  std::uint64_t columns(int group) const { return values() >> groups_.digits[group]; }
  LaunchShape shape_of(int group) const {
    return block_shape(parts_[static_cast<std::size_t>(group)].mapping, columns(group));
  }
  template <bool shuffled>
  void launch_part(Queue& queue, int group, const FftGroupData& rows) {
    const Part& part = parts_[static_cast<std::size_t>(group)];
    PermutingBlock<p, shuffled, NoTrace, FftGroupData> block{
        part.network, part.mapping, columns(group), rows, {}, 0, {}};
    part.exchanges.put(block);
    launch(kernel_, queue, shape_of(group), block);
  }

  FftGroups groups_;
  std::vector<Part> parts_;
};

template <int p>
std::unique_ptr<Transform> fft_by_items(Queue& queue, const ButterflySettings& settings,
                                        const ButterflyVariant& variant) {
  const FftPlan plan = fft_plan(settings, variant);
  const bool is_long = plan.network.n > plan.variant.mapping.s && plan.variant.exchange != Exchange::global;
  if constexpr (p > 0)
    if (is_long) return std::make_unique<LongFft<p>>(queue, settings, plan);
  return std::make_unique<FftTransform<p>>(queue, settings, plan);
}

}  // namespace warploom
