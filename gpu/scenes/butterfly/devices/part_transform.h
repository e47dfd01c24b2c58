#pragma once
#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "gpu/core/launch.h"
#include "gpu/scenes/butterfly/devices/team_transform.h"
#include "gpu/scenes/butterfly/tracks/in_place_blocks.h"

// Rows whose elements are shared out among devices: for the sources of their kernels alone.

namespace warploom {

/// What a network says of itself where devices share its elements: with the places that a device's part has.
template <Network Algorithm>
NetworkReport part_report(const Algorithm& a, const DevicePlan& plan, const ButterflyVariant& variant,
                          std::vector<NetworkEdge>& edges) {
  const NetworkMapping& mapping = variant.mapping;
  NetworkReport report = begun_report(a, mapping, 0);
  report.devices = plan.devices();
  report.values = plan.values();
  report.link_exchanges = plan.exchanges();
  const NetworkMapping part{plan.own_digits(), mapping.p, mapping.s};
  const PlanPlaces places(in_place_plan(part, a.stages()));
  report.places = digit_places(places.plan(), a.stages());
  for (auto& of_stage : report.places)
    for (int bit = 0; bit < plan.d; ++bit) of_stage.push_back({DigitPlace::Of::device, bit});
  const std::uint32_t own = (1u << plan.own_digits()) - 1;
  std::vector<bool> node(std::size_t{1} << a.n), thread(std::size_t{1} << a.n);
  for (int j = 1; j <= a.stages(); ++j) {
    StageReport one;
    one.digits = a.stage(j);
    one.values = plan.values(j);
    std::fill(node.begin(), node.end(), false);
    std::fill(thread.begin(), thread.end(), false);
    const std::size_t first = edges.size();
    bool crosses = false;
    for (std::uint32_t e = 0; e >> a.n == 0; ++e) {
      if (!a.makes(j, e)) continue;
      node[a.node(j, e)] = thread[e >> mapping.p] = true;
      each_operand(a, j, e, [&](int k, std::uint32_t from) {
        const EdgeKind kind = plan.device_of(from) != plan.device_of(e)
                                  ? EdgeKind::link
                                  : edge_kind(places, j, from & own, e & own, variant.exchange == Exchange::shuffle);
        crosses = crosses || (kind != EdgeKind::in_register && kind != EdgeKind::link);
        edges.push_back({j, static_cast<std::int32_t>(a.node(j, e)), static_cast<std::int32_t>(from),
                         static_cast<std::int32_t>(e), static_cast<std::int32_t>(kind), role_of(a, j, e, k)});
      });
    }
    for (std::size_t i = first; i < edges.size(); ++i) {
      auto& where = edges[i].where;
      // As StageEdges has it: a stage that crosses anywhere is a launch of its own.
      if (variant.exchange == Exchange::global && crosses && where != static_cast<int>(EdgeKind::link))
        where = static_cast<int>(EdgeKind::global);
      ++one.edges[static_cast<std::size_t>(where)];
    }
    one.operators = static_cast<std::uint64_t>(std::count(node.begin(), node.end(), true));
    one.active = static_cast<std::uint64_t>(std::count(thread.begin(), thread.end(), true));
    report.by_stage.push_back(one);
  }
  return report;
}

/// Of any rule of elements that stay. `bind(in, out, singular)` makes the rule of a run.
template <class Rule, class Bind>
class PartTransform final : public TeamTransform {
  using Own = PartRule<Rule>;
  using Value = typename Rule::Value;

 public:
  PartTransform(const Queue& queue, const ButterflySettings& settings, const ButterflyVariant& variant, DevicePlan plan,
                NetworkReport report, std::vector<NetworkEdge> edges, Bind bind)
      : TeamTransform(queue, settings, variant),
        plan_(std::move(plan)),
        mapping_{plan_.own_digits(), variant.mapping.p, variant.mapping.s},
        global_(variant.exchange == Exchange::global),
        bind_(std::move(bind)),
        report_(std::move(report)),
        edges_(std::move(edges)) {
    for (int device = 0; device < team_->size(); ++device) make_part(device);
    find_launches();
    finish_report();
  }

  std::vector<Part> parts() const override {
    const LaunchShape one = global_ ? row_shape(batch_ << mapping_.threads_x()) : block_shape(mapping_, batch_);
    return {static_cast<std::size_t>(team_->size()), {one, batch_, mapping_.threads_x()}};
  }
  NetworkReport report() const override { return report_; }
  std::vector<NetworkEdge> edges() const override { return edges_; }
  int device_at(int /*stage*/, std::uint32_t e) const override { return plan_.device_of(e); }

 protected:
  void scatter(Queue& queue, const void* in) override {
    for (const Held& one : held_)
      if (one.in.size()) copy_bytes(queue, one.in.data(), in, one.in.bytes());
  }
  void gather(Queue& queue, void* out, std::uint64_t* singular) override {
    const RowShape shape = output_shape(settings_);
    const std::uint64_t own = shape.elements >> plan_.d, moved = settings_.algorithm == "scan" && settings_.exclusive;
    for (std::size_t k = 0; k < held_.size(); ++k) {
      const Held& one = held_[k];
      if (!one.out.size()) continue;
      // What is exclusive lies one place on; of the last part nothing lies beyond the row.
      const std::uint64_t first = (k * own + moved) * shape.bytes, count = own - (k + 1 == held_.size() ? moved : 0);
      copy_rows(queue, static_cast<std::uint8_t*>(out) + first, shape.row_bytes(), one.out.data() + first,
                shape.row_bytes(), count * shape.bytes, batch_);
      if (!singular || !one.singular.size()) continue;
      Buffer<std::uint64_t> theirs(queue.backend(), batch_);
      copy_bytes(queue, theirs.data(), one.singular.data(), theirs.bytes());
      launch("butterfly.singular", queue, row_shape(batch_), KeepEarliest{theirs.data(), batch_, singular});
      queue.wait();
    }
  }
  void run_parts(Team::Step& step, const void* in, void* out, std::uint64_t* singular) override {
    int side = 0;  // which array of own values holds them
    for (std::size_t i = 0; i < launches_.size(); ++i) {
      const Launch& one = launches_[i];
      if (one.linked) exchange(step, one, side);
      step.each(kernel_, [&](int device, Queue& queue) {
        Held& own = held_[static_cast<std::size_t>(device)];
        std::uint64_t* note = singular;
        if (singular && own.singular.size()) {
          note = own.singular.data();
          if (i == 0) fill_with_ones(queue, note, own.singular.bytes());
        }
        const Own rule = part_rule(own, device, one, i, in, out, note);
        if (one.plain)
          launch(kernel_, queue, row_shape(batch_ << mapping_.threads_x()),
                 InPlaceLaunch<Own, 16, false>{
                     rule, mapping_.p, batch_, one.first, one.last, rule.loads ? nullptr : own.values[side].data(),
                     rule.stores ? nullptr : own.values[rule.loads ? side : 1 - side].data()});
        else
          own.blocks->launch(kernel_, queue, rule, batch_);
      });
      if (one.plain && i > 0) side = 1 - side;
    }
  }
  std::uint64_t bytes_on(int device) const override {
    const Held& own = held_[static_cast<std::size_t>(device)];
    return own.table.bytes() + own.packs.bytes() + own.values[0].bytes() + own.values[1].bytes() + own.sent.bytes() +
           own.received.bytes() + own.in.bytes() + own.out.bytes() + own.singular.bytes();
  }
  void tell(DevicesReport& report) const override {
    report.split = "elements";
    report.exchanges = plan_.exchanges();
    report.values = plan_.values();
    report.bytes = plan_.values() * batch_ * sizeof(Value);
  }
  std::uint64_t bytes_moved() const override {
    // Every launch reads all values, and writes them.
    return bytes_moved_ + 2 * (launches_.size() - 1) * (sizeof(Value) * batch_ << plan_.n);
  }

 private:
  /// Stages `first` to `last`; `linked`: behind an exchange; `plain`: with nothing shared.
  struct Launch {
    int first, last;
    bool linked, plain;
    LinkPlan link = {};
  };
  struct Held {
    std::optional<InPlaceBlocks<Own>> blocks;
    Buffer<std::uint32_t> table, packs;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> packed;  ///< by stage: first of `packs`, and how many
    std::array<Buffer<Value>, 2> values;
    Buffer<Value> sent, received;
    Buffer<std::uint8_t> in, out;
    Buffer<std::uint64_t> singular;
  };

  Own host_rule(int device) const {
    Own rule{};
    rule.network = {plan_.own_digits(), plan_.stages, plan_.tables[static_cast<std::size_t>(device)].data()};
    rule.rule = bind_(nullptr, nullptr, nullptr);
    rule.first_stage = 1;
    return rule;
  }
  Own part_rule(const Held& own, int device, const Launch& one, std::size_t number, const void* in, void* out,
                std::uint64_t* singular) const {
    Own rule{};
    rule.network = {plan_.own_digits(), one.last, own.table.data()};
    rule.rule = bind_(own.in.size() ? own.in.data() : in, own.out.size() ? own.out.data() : out, singular);
    rule.first_element = static_cast<std::uint32_t>(device) << plan_.own_digits();
    rule.first_stage = one.first;
    rule.loads = number == 0;
    rule.stores = number + 1 == launches_.size();
    rule.own = own.values[0].data();
    rule.received = own.received.data();
    rule.batch = batch_;
    rule.singular = rule.rule.singular;
    return rule;
  }

  void make_part(int device) {
    Queue& queue = team_->queue(device);
    const OnDevice here(queue.device());
    Held& own = held_.emplace_back();
    const Own rule = host_rule(device);
    if (!global_) own.blocks.emplace(rule, mapping_, variant_.exchange == Exchange::shuffle);
    own.table = Buffer<std::uint32_t>(queue, plan_.tables[static_cast<std::size_t>(device)]);
    std::vector<std::uint32_t> packs;
    own.packed.emplace_back(0, 0);
    std::size_t most_sent = 0, most_received = 0;
    for (int j = 1; j <= plan_.stages; ++j) {
      const auto sent = plan_.sent_by(j, device);
      own.packed.emplace_back(packs.size(), sent.size());
      packs.insert(packs.end(), sent.begin(), sent.end());
      most_sent = std::max(most_sent, sent.size());
      most_received = std::max(most_received, plan_.wanted_by(j, device).size());
    }
    own.packs = Buffer<std::uint32_t>(queue, packs);
    const Backend backend = queue.backend();
    for (std::size_t i = 0; i < (global_ ? 2 : 1); ++i)
      own.values[i] = Buffer<Value>(backend, batch_ << plan_.own_digits());
    own.sent = Buffer<Value>(backend, most_sent * batch_);
    own.received = Buffer<Value>(backend, most_received * batch_);
    if (reaches(device)) return;
    own.in = Buffer<std::uint8_t>(backend, batch_ * input_shape(settings_).row_bytes());
    own.out = Buffer<std::uint8_t>(backend, batch_ * output_shape(settings_).row_bytes());
    if (settings_.algorithm == "tridiagonal") own.singular = Buffer<std::uint64_t>(backend, batch_);
  }
  /// A run of stages ends where the next one needs what other devices have, or, with nothing shared, other threads.
  void find_launches() {
    const PlanPlaces places(in_place_plan(mapping_, plan_.stages));
    if (plan_.values(1) > 0) launches_.push_back({1, 0, false, true});  // loads what others need
    for (int j = 1; j <= plan_.stages; ++j) {
      const bool linked = plan_.values(j) > 0;
      bool begins = launches_.empty() || linked || launches_.back().last < launches_.back().first;
      for (int device = 0; global_ && !begins && device < team_->size(); ++device)
        begins = crosses_threads(host_rule(device).network, places, j);
      if (begins)
        launches_.push_back({j, j, linked, global_});
      else
        launches_.back().last = j;
      if (linked) launches_.back().link = plan_.link(j, batch_, sizeof(Value));
    }
  }
  void finish_report() {
    report_.launches = launches_.size();
    report_.blocks = blocks_of(mapping_, batch_) * held_.size();
    report_.word_bytes = sizeof(typename Rule::Word);
    if (global_) return;
    const InPlaceBlocks<Own>& blocks = *held_.front().blocks;
    report_.exchanges = blocks.exchanges();
    report_.shared_bytes = blocks.shared_bytes();
    const PlanPlaces places(in_place_plan(mapping_, plan_.stages));
    const auto made = in_place_accesses(host_rule(0), places, variant_.exchange == Exchange::shuffle);
    add_costs(report_.by_stage, made, report_.word_bytes);
  }
  void exchange(Team::Step& step, const Launch& behind, int side) {
    step.each("butterfly.pack", [&](int device, Queue& queue) {
      Held& own = held_[static_cast<std::size_t>(device)];
      const auto [first, count] = own.packed[static_cast<std::size_t>(behind.first)];
      if (count == 0) return;
      launch("butterfly.pack", queue, row_shape(count * batch_),
             PackValues<Value>{own.values[static_cast<std::size_t>(side)].data(), plan_.own_digits(),
                               own.packs.data() + first, count, batch_, own.sent.data()});
    });
    std::vector<const void*> from;
    std::vector<void*> to;
    for (const Held& one : held_) {
      from.push_back(one.sent.data());
      to.push_back(one.received.data());
    }
    step.exchange("butterfly.link", behind.link, from, to);
  }

  DevicePlan plan_;
  NetworkMapping mapping_;  ///< of a part
  bool global_;
  Bind bind_;
  NetworkReport report_;
  std::vector<NetworkEdge> edges_;
  std::vector<Held> held_;  ///< by device
  std::vector<Launch> launches_;
};

/// Of the network of a variant; its nodes are those of `Rule`.
template <class Rule, class Algorithm, class Bind>
std::unique_ptr<Transform> part_transform(Queue& queue, const ButterflySettings& settings,
                                          const ButterflyVariant& variant, const Algorithm& network, Bind bind) {
  int d = 0;
  while (1 << d < variant.devices) ++d;
  DevicePlan plan = device_plan(network, d);
  std::vector<NetworkEdge> edges;
  NetworkReport report = part_report(network, plan, variant, edges);
  return std::make_unique<PartTransform<Rule, Bind>>(queue, settings, variant, std::move(plan), std::move(report),
                                                     std::move(edges), std::move(bind));
}

}  // namespace warploom
