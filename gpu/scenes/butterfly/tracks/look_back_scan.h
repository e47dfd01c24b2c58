#pragma once
#include "gpu/scenes/butterfly/kernels/look_back.h"
#include "gpu/scenes/butterfly/rules/scan.h"
#include "gpu/scenes/butterfly/tracks/in_place_transform.h"

namespace warploom {

/// A scan of rows that are longer than a block, in one launch: tiles look back at those before them.
template <class Network, class Operator>
class LookBackScan final : public Transform {
 public:
  using Rule = ScanRule<Network, Operator>;
  using Value = typename Operator::Value;

  LookBackScan(Queue& queue, const ButterflySettings& settings, const ButterflyVariant& variant, Operator op)
      : Transform(settings),
        n_(settings.n),
        mapping_{variant.mapping.s, std::min(variant.mapping.p, variant.mapping.s), variant.mapping.s},
        rule_{Network{{mapping_.n, mapping_.p}}, op, nullptr, nullptr, settings.exclusive},
        crossing_(crossing_stages(rule_, mapping_, false)),
        apart_(apart_stages(rule_, mapping_, crossing_)),
        told_(queue.backend(), tiles() * Board::words),
        ticket_(queue.backend(), 1) {}

  void run(Queue& queue, const void* in, void* out, std::uint64_t*) override {
    TimedSpan span(queue, kernel_, bytes_moved_);
    told_.zero(queue);
    ticket_.zero(queue);
    Rule rule = rule_;
    rule.in = static_cast<const Value*>(in);
    rule.out = static_cast<Value*>(out);
    const auto by = [&](auto most, auto exact) {
      launch(kernel_, queue, shape(),
             LookBackBlock<Rule, decltype(most)::value, decltype(exact)::value>{
                 {rule, mapping_, tiles(), crossing_, apart_, {}}, n_, {told_.data(), ticket_.data()}});
    };
    by_registers<Rule>(mapping_, by);
    span.finish();
  }
  LaunchShape shape() const override { return block_shape(mapping_, tiles()); }
  NetworkReport report() const override {
    NetworkReport report;
    const std::uint64_t of_row = std::uint64_t{1} << (n_ - mapping_.s);
    report.elements = std::uint64_t{1} << n_;
    // Nodes of all tiles, what a tile looks back at at least, and one an element where that joins it.
    report.operators = rule_.network.nodes() * of_row + of_row - 1 + report.elements - (std::uint64_t{1} << mapping_.s);
    report.stages = rule_.network.stages() + 1;
    report.launches = 1;
    report.mapping = {n_, mapping_.p, mapping_.s};
    report.blocks = tiles();
    for (int j = 1; j <= rule_.network.stages(); ++j) report.exchanges += crossing_.has(j);
    report.shared_bytes = crossing_.none() ? 0 : sizeof(Value) << mapping_.s;
    report.word_bytes = sizeof(Value);
    return report;
  }
  RowShape step_shape() const override { return step_shape_of_scan<Operator>(); }
  std::uint64_t bytes() const override { return told_.bytes() + ticket_.bytes(); }

 private:
  using Board = TileBoard<Value>;
  std::uint64_t tiles() const { return batch_ << (n_ - mapping_.s); }

  int n_;
  NetworkMapping mapping_;
  Rule rule_;
  StageSet crossing_, apart_;
  Buffer<std::uint64_t> told_, ticket_;
};

}  // namespace warploom
