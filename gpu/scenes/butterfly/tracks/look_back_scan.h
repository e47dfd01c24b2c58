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
        blocks_(Rule{network_of<Network>(tile(variant).n, tile(variant).p), op, nullptr, nullptr, settings.exclusive},
                tile(variant), false),
        told_(queue.backend(), tiles() * Board::words),
        ticket_(queue.backend(), 1) {}

  void run(Queue& queue, const void* in, void* out, std::uint64_t*) override {
    TimedSpan span(queue, kernel_, bytes_moved_);
    told_.zero(queue);
    ticket_.zero(queue);
    Rule rule = blocks_.rule();
    rule.in = static_cast<const Value*>(in);
    rule.out = static_cast<Value*>(out);
    const auto by = [&](auto most, auto exact) {
      launch(kernel_, queue, shape(),
             LookBackBlock<Rule, decltype(most)::value, decltype(exact)::value>{
                 {rule, blocks_.mapping(), tiles(), blocks_.crossing(), blocks_.apart(), {}},
                 n_,
                 {told_.data(), ticket_.data()}});
    };
    by_registers<Rule>(blocks_.mapping(), by);
    span.finish();
  }
  LaunchShape shape() const override { return block_shape(blocks_.mapping(), tiles()); }
  NetworkReport report() const override {
    const NetworkMapping& tile = blocks_.mapping();
    NetworkReport report = begun_report(blocks_.rule().network, {n_, tile.p, tile.s}, tiles());
    const std::uint64_t of_row = std::uint64_t{1} << (n_ - tile.s), of_tile = report.elements;
    report.elements = std::uint64_t{1} << n_;
    // Nodes of all tiles, what a tile looks back at at least, and one an element where that joins it.
    report.operators = report.operators * of_row + of_row - 1 + report.elements - of_tile;
    ++report.stages;
    report.exchanges = blocks_.exchanges();
    report.shared_bytes = blocks_.shared_bytes();
    report.word_bytes = sizeof(Value);
    return report;
  }
  RowShape step_shape() const override { return step_shape_of_scan<Operator>(); }
  std::uint64_t bytes() const override { return told_.bytes() + ticket_.bytes(); }

 private:
  using Board = TileBoard<Value>;
  static NetworkMapping tile(const ButterflyVariant& variant) {
    const NetworkMapping& mapping = variant.mapping;
    return {mapping.s, std::min(mapping.p, mapping.s), mapping.s};
  }
  std::uint64_t tiles() const { return batch_ << (n_ - blocks_.mapping().s); }

  int n_;
  InPlaceBlocks<Rule> blocks_;
  Buffer<std::uint64_t> told_, ticket_;
};

}  // namespace warploom
