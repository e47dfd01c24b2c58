#pragma once
#include "gpu/core/buffer.h"
#include "gpu/scenes/butterfly/kernels/fft_groups.h"
#include "gpu/scenes/butterfly/kernels/operator_string.h"
#include "gpu/scenes/butterfly/kernels/permuting_block.h"
#include "gpu/scenes/butterfly/tracks/by_network.h"
#include "gpu/scenes/butterfly/tracks/fft_plan.h"
#include "gpu/scenes/butterfly/tracks/transform.h"

// Transforms of complex and of real rows whose threads have 2^p values: for the source of that p alone.

namespace warploom {

/// Where words lie before each window of a network in blocks, and which windows go through shared memory.
struct Exchanges {
  std::vector<ExchangeWords> words;
  std::vector<bool> crosses;
  std::uint32_t bytes = 0;

  Exchanges() = default;
  Exchanges(const FftNetwork& a, const NetworkMapping& mapping, WordLayout layout, bool shuffles) {
    words.resize(static_cast<std::size_t>(std::max(1, a.windows())));
    for (int w = 1; w < a.windows(); ++w)
      words[static_cast<std::size_t>(w)] = exchange_words(a, mapping, a.first_stage(w), sizeof(Complex), layout);
    crosses.assign(words.size(), false);
    for (const SharedAccess& one : permuting_accesses(a, mapping, words, shuffles))
      crosses[static_cast<std::size_t>(a.stage(one.stage).window)] = true;
    for (std::size_t w = 0; w < words.size(); ++w)
      if (crosses[w]) bytes = std::max(bytes, words[w].bytes(mapping.s));
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
      plan.lowest = a.lowest(w);
      plan.crosses = crosses[i];
      plan.words = words[i];
      for (int bit = 0; w > 0 && bit < a.p; ++bit) {
        const NetworkPlace old = a.place_in(w - 1, a.element(w, {0, 1u << bit}));
        plan.writes[bit] = words[i].word(0, 1u << bit);
        plan.reads[bit] = words[i].word(old.thread, old.item);
      }
    }
    block.shared_bytes = bytes;
  }
};

template <int p>
class FftTransform final : public Transform {
 public:
  FftTransform(Queue& queue, const char* kernel, const FftPlan& plan, std::uint64_t bytes_moved)
      : kernel_(kernel),
        plan_(plan),
        bytes_moved_(bytes_moved),
        tables_(queue, plan.n + (plan.kind == FftKind::cosine ? 2 : 0)) {
    const FftNetwork& a = plan.network;
    const NetworkMapping& mapping = plan.variant.mapping;
    // Where one launch does, a block runs it.
    global_ = a.n > mapping.s || (plan.variant.exchange == Exchange::global && (a.windows() > 1 || splits()));
    if (global_) {
      const std::size_t arrays = std::min<std::size_t>(2, launches_of_windows() - 1 + splits());
      for (std::size_t i = 0; i < arrays; ++i) work_[i] = Buffer<Complex>(queue.backend(), plan.batch << a.n);
      // A trace is told by a block all the same: values are those of the network, whoever runs it.
      if (a.n > mapping.s) return;
    }
    exchanges_ = Exchanges(a, mapping, plan.variant.layout, plan.variant.exchange == Exchange::shuffle);
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
    const NetworkMapping& mapping = plan_.variant.mapping;
    if (global_) return row_shape(plan_.batch << (plan_.network.n - p));
    return block_shape(mapping, plan_.batch);
  }

  NetworkReport report() const override {
    NetworkReport report;
    const FftNetwork& a = plan_.network;
    report.elements = std::uint64_t{1} << a.n;
    report.operators = a.nodes();
    report.stages = a.stages();
    report.mapping = plan_.variant.mapping;
    report.blocks = blocks_of(plan_.variant.mapping, plan_.batch);
    report.word_bytes = sizeof(Complex);
    std::vector<int> windows;
    windows.reserve(static_cast<std::size_t>(a.windows()));
    for (int w = 0; w < a.windows(); ++w) windows.push_back(a.window(w).high - a.window(w).low + 1);
    report.operator_string = operators_text(fft_operators(windows));
    if (global_) {
      report.launches = launches_of_windows() + splits();
      return report;
    }
    for (const bool one : exchanges_.crosses) report.exchanges += one;
    report.shared_bytes = exchanges_.bytes;
    report.by_stage = stages_of(a, plan_.variant.exchange);
    add_costs(report.by_stage, accesses(), report.word_bytes);
    report.places = digit_places(a);
    const auto operators = fft_operators(windows);
    for (std::size_t i = 0; i < operators.size(); ++i) {
      const std::vector<IndexOperator> so_far(operators.begin(),
                                              operators.begin() + static_cast<std::ptrdiff_t>(i) + 1);
      report.operator_steps.push_back(
          {operators_text({operators[i]}), static_cast<int>(i / 3), apply_operators(so_far, a.n).digits});
    }
    add_banks(report);
    return report;
  }

  std::vector<NetworkEdge> edges() const override {
    return edges_of(plan_.network, global_ ? Exchange::global : plan_.variant.exchange,
                    [](int, std::uint32_t, int k) { return k; });
  }
  std::vector<SharedAccess> accesses() const override {
    if (global_) return {};
    return permuting_accesses(plan_.network, plan_.variant.mapping, exchanges_.words,
                              plan_.variant.exchange == Exchange::shuffle);
  }
  std::vector<std::int32_t> locations() const override {
    if (global_) return {};
    return locations_of(plan_.network, plan_.variant.mapping, accesses());
  }

  TransformTrace trace(Queue& queue, const void* in, const Wanted& wanted, std::uint64_t*) override {
    const NetworkMapping& mapping = plan_.variant.mapping;
    TransformTrace told;
    told.stages = plan_.network.stages();
    told.elements = std::uint64_t{1} << plan_.network.n;
    Buffer<Complex> steps(queue.backend(),
                          static_cast<std::uint64_t>(told.stages + 1) * wanted.problems * told.elements);
    Buffer<std::uint8_t> out(queue.backend(), wanted.rows * ((sizeof(Complex) << plan_.n) + sizeof(Complex)));
    const std::uint32_t items = 1u << p, threads = 1u << (mapping.s - p);
    const AccessTrace accesses(queue, {items, items}, told.stages, threads, wanted.accesses && !global_);
    const StageTrace<Complex> to{steps.data(), wanted.problems, static_cast<std::uint32_t>(told.elements),
                                 accesses.data(), threads};
    const auto tell = [&](auto program) {
      program.batch = wanted.rows;
      launch("butterfly.trace", queue, block_shape(mapping, wanted.rows), program);
    };
    if (plan_.variant.exchange == Exchange::shuffle)
      tell(program<true>(in, out.data(), to));
    else
      tell(program<false>(in, out.data(), to));
    told.accesses = accesses.read(queue);
    told.steps = array_bytes(steps.download(queue));
    return told;
  }
  RowShape step_shape() const override { return {0, sizeof(Complex), 1, "<c8", "complex64"}; }
  std::uint64_t bytes() const override { return tables_.bytes() + work_[0].bytes() + work_[1].bytes(); }

 private:
  bool splits() const { return plan_.kind != FftKind::complex && !plan_.inverse; }
  std::size_t launches_of_windows() const { return static_cast<std::size_t>(std::max(1, plan_.network.windows())); }
  /// Of every layout, not of the track's own alone: that one may choose.
  void add_banks(NetworkReport& report) const {
    const bool shuffles = plan_.variant.exchange == Exchange::shuffle;
    for (const WordLayout layout : {WordLayout::plain, WordLayout::padded, WordLayout::swizzled}) {
      const Exchanges exchanges(plan_.network, plan_.variant.mapping, layout, shuffles);
      const auto made = permuting_accesses(plan_.network, plan_.variant.mapping, exchanges.words, shuffles);
      for (BankUse& use : bank_uses(made, report.word_bytes, layout, layout == plan_.variant.layout))
        report.banks.push_back(use);
    }
    std::stable_sort(report.banks.begin(), report.banks.end(),
                     [](const BankUse& one, const BankUse& other) { return one.stage < other.stage; });
  }
  FftData data(const void* in, void* out) const {
    return {plan_.kind, plan_.inverse, plan_.n, in, out, tables_.view()};
  }
  /// body(program): the kernel of one launch.
  template <class Body>
  void with_program(const void* in, void* out, Body&& body) const {
    const auto of_complex = [&](auto shuffles) {
      const ComplexData rows{static_cast<const Complex*>(in),
                             static_cast<Complex*>(out),
                             plan_.n,
                             1 / static_cast<float>(1u << plan_.n),
                             plan_.inverse,
                             tables_.view()};
      PermutingBlock<p, decltype(shuffles)::value, NoTrace, ComplexData> block{
          plan_.network, plan_.variant.mapping, plan_.batch, rows, {}, 0, {}};
      exchanges_.put(block);
      body(block);
    };
    const bool shuffled = plan_.variant.exchange == Exchange::shuffle;
    if (plan_.kind == FftKind::complex)
      shuffled ? of_complex(std::true_type{}) : of_complex(std::false_type{});
    else
      shuffled ? body(program<true, NoTrace>(in, out, {})) : body(program<false, NoTrace>(in, out, {}));
  }
  template <bool shuffles, class Trace>
  PermutingBlock<p, shuffles, Trace> program(const void* in, void* out, const Trace& trace) const {
    PermutingBlock<p, shuffles, Trace> block{plan_.network, plan_.variant.mapping, plan_.batch, data(in, out), {}, 0,
                                             trace};
    exchanges_.put(block);
    block.shared_bytes = std::max(block.shared_bytes, split_bytes_);
    return block;
  }
  void run_global(Queue& queue, const void* in, void* out) {
    const std::uint64_t between =
        2 * (launches_of_windows() - 1 + splits()) * (sizeof(Complex) * plan_.batch << plan_.network.n);
    TimedSpan span(queue, kernel_, bytes_moved_ + between);
    const Complex* before = nullptr;
    const std::size_t windows = launches_of_windows();
    for (std::size_t w = 0; w < windows; ++w) {
      Complex* after = w + 1 == windows && !splits() ? nullptr : work_[w % 2].data();
      launch(kernel_, queue, shape(),
             PermutingLaunch<p>{plan_.network, plan_.batch, data(in, out), static_cast<int>(w), before, after});
      before = after;
    }
    if (splits())
      launch(kernel_, queue, row_shape(plan_.batch << plan_.network.n),
             SplitLaunch{data(in, out), plan_.batch, before, true});
    span.finish();
  }

  const char* kernel_;
  FftPlan plan_;
  std::uint64_t bytes_moved_;
  TwiddleTables tables_;
  bool global_ = false;
  Exchanges exchanges_;
  std::uint32_t split_bytes_ = 0;
  Buffer<Complex> work_[2];
};

/// A transform that is too long for a block, by groups of digits: columns first, rows at last.
template <int p>
class LongFft final : public Transform {
 public:
  LongFft(Queue& queue, const ButterflySettings& settings, const FftPlan& plan)
      : kernel_(kernel_of(settings.algorithm)),
        plan_(plan),
        bytes_moved_(moved_bytes(settings)),
        groups_(plan.network.n, plan.variant.mapping.s),
        tables_(queue, plan.n + (plan.kind == FftKind::cosine ? 2 : 0)),
        work_(queue.backend(), plan.batch << plan.network.n) {
    for (int i = 0; i < groups_.count; ++i) {
      const int digits = groups_.digits[i];
      parts_.push_back({{digits, p, std::min(p, plan.network.log_radix)},
                        {digits, p, std::min(plan.variant.mapping.s, p + 10)},
                        {}});
      auto& part = parts_.back();
      part.exchanges =
          Exchanges(part.network, part.mapping, plan.variant.layout, plan.variant.exchange == Exchange::shuffle);
    }
    if (splits()) natural_ = Buffer<Complex>(queue.backend(), plan.batch << plan.network.n);
  }

  void run(Queue& queue, const void* in, void* out, std::uint64_t*) override {
    const std::uint64_t between = 2 * (launches() - 1) * (sizeof(Complex) * plan_.batch << plan_.network.n);
    TimedSpan span(queue, kernel_, bytes_moved_ + between);
    const FftData whole{plan_.kind, plan_.inverse, plan_.n, in, out, tables_.view()};
    for (int i = 0; i < groups_.count; ++i) {
      const bool is_last = i + 1 == groups_.count;
      FftGroupData data(whole, groups_, i);
      data.before = i == 0 ? nullptr : work_.data();
      data.after = is_last ? (splits() ? natural_.data() : nullptr) : work_.data();
      if (plan_.variant.exchange == Exchange::shuffle)
        launch_part<true>(queue, i, data);
      else
        launch_part<false>(queue, i, data);
    }
    if (splits())
      launch(kernel_, queue, row_shape(plan_.batch << plan_.network.n),
             SplitLaunch{whole, plan_.batch, natural_.data(), false});
    span.finish();
  }
  LaunchShape shape() const override { return shape_of(groups_.count - 1); }
  NetworkReport report() const override {
    NetworkReport report;
    report.elements = std::uint64_t{1} << plan_.network.n;
    report.mapping = plan_.variant.mapping;
    report.blocks = blocks_of(plan_.variant.mapping, plan_.batch);
    report.launches = launches();
    report.word_bytes = sizeof(Complex);
    std::vector<int> windows;
    for (const Part& part : parts_) {
      const FftNetwork& a = part.network;
      report.stages += a.stages();
      report.operators += a.nodes() << (plan_.network.n - a.n);
      for (int w = 0; w < a.windows(); ++w) windows.push_back(a.window(w).high - a.window(w).low + 1);
      for (const bool one : part.exchanges.crosses) report.exchanges += one;
      report.shared_bytes = std::max<std::uint64_t>(report.shared_bytes, part.exchanges.bytes);
    }
    report.operator_string = operators_text(fft_operators(windows));
    return report;
  }
  std::vector<NetworkEdge> edges() const override { return {}; }
  TransformTrace trace(Queue&, const void*, const Wanted&, std::uint64_t*) override { return {}; }
  RowShape step_shape() const override { return {0, sizeof(Complex), 1, "<c8", "complex64"}; }
  std::uint64_t bytes() const override { return tables_.bytes() + work_.bytes() + natural_.bytes(); }

 private:
  struct Part {
    FftNetwork network;
    NetworkMapping mapping;
    Exchanges exchanges;
  };
  bool splits() const { return plan_.kind != FftKind::complex && !plan_.inverse; }
  std::uint64_t launches() const { return static_cast<std::uint64_t>(groups_.count) + splits(); }
  std::uint64_t columns(int group) const { return plan_.batch << (plan_.network.n - groups_.digits[group]); }
  LaunchShape shape_of(int group) const {
    return block_shape(parts_[static_cast<std::size_t>(group)].mapping, columns(group));
  }
  template <bool shuffles>
  void launch_part(Queue& queue, int group, const FftGroupData& data) {
    const Part& part = parts_[static_cast<std::size_t>(group)];
    PermutingBlock<p, shuffles, NoTrace, FftGroupData> block{
        part.network, part.mapping, columns(group), data, {}, 0, {}};
    part.exchanges.put(block);
    launch(kernel_, queue, shape_of(group), block);
  }

  const char* kernel_;
  FftPlan plan_;
  std::uint64_t bytes_moved_;
  FftGroups groups_;
  TwiddleTables tables_;
  std::vector<Part> parts_;
  Buffer<Complex> work_, natural_;
};

template <int p>
std::unique_ptr<Transform> fft_by_items(Queue& queue, const ButterflySettings& settings,
                                        const ButterflyVariant& variant) {
  const FftPlan plan = fft_plan(settings, variant);
  const bool is_long = plan.network.n > plan.variant.mapping.s && plan.variant.exchange != Exchange::global;
  if constexpr (p > 0)
    if (is_long) return std::make_unique<LongFft<p>>(queue, settings, plan);
  return std::make_unique<FftTransform<p>>(queue, kernel_of(settings.algorithm), plan, moved_bytes(settings));
}

}  // namespace warploom
