#pragma once
#include "gpu/core/buffer.h"
#include "gpu/scenes/butterfly/tracks/in_place_blocks.h"

namespace warploom {

/// Any rule of elements that stay. `bind(in, out, singular)` makes the rule of a run.
template <class Rule, class Bind>
class InPlaceTransform : public Transform {
  using Value = typename Rule::Value;
  using Step = typename Rule::Step;

 public:
  InPlaceTransform(Queue& queue, const ButterflySettings& settings, const ButterflyVariant& variant, Bind bind)
      : Transform(settings),
        variant_(variant),
        bind_(std::move(bind)),
        rule_(bind_(nullptr, nullptr, nullptr)),
        places_(in_place_plan(variant.mapping, rule_.network.stages())) {
    if (variant.exchange == Exchange::global || variant.mapping.n > variant.mapping.s) {
      // A run of stages ends where the next one needs what other threads have.
      for (int j = 1; j <= rule_.network.stages(); ++j)
        if (j == 1 || crosses_threads(rule_.network, places_, j)) firsts_.push_back(j);
      // Where no stage crosses threads, a block runs them all.
      global_ =
          firsts_.size() > 1 || crosses_threads(rule_.network, places_, 1) || variant.mapping.n > variant.mapping.s;
    }
    if (global_) {
      for (std::size_t i = 0; i < std::min<std::size_t>(2, firsts_.size() - 1); ++i)
        work_[i] = Buffer<Value>(queue.backend(), batch_ << variant.mapping.n);
    }
    // What runs by launches of its own is told by a block of the same rule: values are those of the network.
    if (variant.mapping.n <= variant.mapping.s)
      blocks_.emplace(rule_, variant.mapping, variant.exchange == Exchange::shuffle);
  }

  void run(Queue& queue, const void* in, void* out, std::uint64_t* singular) override {
    const Rule rule = bind_(in, out, singular);
    if (global_) return run_global(queue, rule);
    blocks_->launch(kernel_, queue, rule, batch_, bytes_moved_);
  }
  std::optional<KernelResources> resources(const Queue& queue) const override {
    if (global_) return std::nullopt;
    return blocks_->resources(queue, rule_, batch_);
  }

  LaunchShape shape() const override {
    if (global_) return row_shape(batch_ << variant_.mapping.threads_x());
    return block_shape(variant_.mapping, batch_);
  }

  NetworkReport report() const override {
    NetworkReport report = begun_report(rule_.network, variant_.mapping, blocks_of(variant_.mapping, batch_));
    report.word_bytes = sizeof(typename Rule::Word);
    if (global_) {
      report.launches = firsts_.size();
      return report;
    }
    report.exchanges = blocks_->exchanges();
    report.shared_bytes = blocks_->shared_bytes();
    report.by_stage = stages_of(rule_.network, places_, variant_.exchange);
    report.places = digit_places(places_.plan(), rule_.network.stages());
    const auto made = accesses();
    add_costs(report.by_stage, made, report.word_bytes);
    report.banks = bank_uses(made, report.word_bytes, WordLayout::plain, true);
    return report;
  }

  std::vector<NetworkEdge> edges() const override {
    return edges_of(rule_.network, places_, global_ ? Exchange::global : variant_.exchange);
  }

  std::vector<SharedAccess> accesses() const override {
    if (global_) return {};
    return in_place_accesses(rule_, places_, variant_.exchange == Exchange::shuffle);
  }

  std::vector<std::int32_t> locations() const override {
    if (global_) return {};
    return locations_of(places_, rule_.network.stages(), accesses());
  }

  TransformTrace trace(Queue& queue, const void* in, const Wanted& wanted, std::uint64_t* singular) override {
    const NetworkMapping& mapping = variant_.mapping;
    Buffer<std::uint8_t> out(queue.backend(), wanted.rows << (mapping.n + 4));
    const Rule rule = bind_(in, out.data(), singular);
    TransformTrace told;
    by_flag(variant_.exchange == Exchange::shuffle, [&](auto shuffles) {
      InPlaceBlock<Rule, 16, false, decltype(shuffles)::value, StageTrace<Step>> program{
          rule, mapping, wanted.rows, blocks_->crossing(), blocks_->apart(), {}};
      const TracedStages<Step> stages(queue, rule.network, wanted.problems, program.numbers(),
                                      1u << (mapping.s - mapping.p), wanted.accesses && !global_);
      program.trace = stages.view();
      launch("butterfly.trace", queue, block_shape(mapping, wanted.rows), program);
      told = stages.read(queue);
    });
    return told;
  }
  std::uint64_t bytes() const override { return work_[0].bytes() + work_[1].bytes(); }

 private:
  void run_global(Queue& queue, const Rule& rule) {
    // Every launch reads all values, and writes them.
    TimedSpan span(queue, kernel_,
                   bytes_moved_ + 2 * (firsts_.size() - 1) * (sizeof(Value) * batch_ << variant_.mapping.n));
    by_registers<Rule>(variant_.mapping, [&](auto most, auto exact) {
      const Value* before = nullptr;
      for (std::size_t i = 0; i < firsts_.size(); ++i) {
        const bool is_last = i + 1 == firsts_.size();
        Value* after = is_last ? nullptr : work_[i % 2].data();
        launch(kernel_, queue, shape(),
               InPlaceLaunch<Rule, decltype(most)::value, decltype(exact)::value>{
                   rule, variant_.mapping.p, batch_, firsts_[i], is_last ? rule.network.stages() : firsts_[i + 1] - 1,
                   before, after});
        before = after;
      }
    });
    span.finish();
  }

  ButterflyVariant variant_;
  Bind bind_;
  Rule rule_;  ///< without its arrays
  PlanPlaces places_;
  bool global_ = false;
  std::optional<InPlaceBlocks<Rule>> blocks_;
  std::vector<int> firsts_;  ///< first stages of launches
  Buffer<Value> work_[2];
};

template <class Rule, class Bind>
std::unique_ptr<Transform> in_place_transform(Queue& queue, const ButterflySettings& settings,
                                              const ButterflyVariant& variant, Bind bind) {
  return std::make_unique<InPlaceTransform<Rule, Bind>>(queue, settings, variant, std::move(bind));
}

}  // namespace warploom
