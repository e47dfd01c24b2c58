#pragma once
#include "gpu/scenes/butterfly/kernels/look_back.h"
#include "gpu/scenes/butterfly/networks/list.h"
#include "gpu/scenes/butterfly/tracks/operators.h"
#include "gpu/scenes/butterfly/tracks/serial_transform.h"
#include "gpu/scenes/butterfly/tuned/scan_plans.h"

// Scans of rows by one network under one operator: for their source alone.

namespace warploom {

template <class Operator>
class SerialScanTransform final : public SerialTransform<SerialScan> {
 public:
  SerialScanTransform(const ButterflySettings& settings, Operator op) : SerialTransform(settings), op_(op) {}

  void run(Queue& queue, const void* in, void* out, std::uint64_t*) override {
    launch(kernel_, queue, shape(), program<NoTrace>(in, out, {}), bytes_moved_);
  }
  TransformTrace trace(Queue& queue, const void* in, const Wanted& wanted, std::uint64_t*) override {
    using Element = typename Operator::Value;
    Buffer<Element> out(queue.backend(), wanted.rows << network_.n);
    return traced<Element>(queue, wanted.problems, [&](const StageTrace<Element>& told) {
      auto teller = program(in, out.data(), told);
      teller.batch = wanted.rows;
      launch("butterfly.trace", queue, serial_shape(wanted.rows), teller);
    });
  }

 private:
  template <class Trace>
  SerialScanLaunch<Operator, Trace> program(const void* in, void* out, const Trace& trace) {
    using Element = typename Operator::Value;
    return {{network_, op_, static_cast<const Element*>(in), static_cast<Element*>(out), settings_.exclusive},
            batch_,
            trace};
  }
  Operator op_;
};

/// A scan of rows that are longer than a block, in one launch: tiles look back at those before them.
template <class Network, class Operator>
class LookBackScan final : public Transform {
 public:
  using Rule = ScanRule<Network, Operator>;
  using Value = typename Operator::Value;

  LookBackScan(Queue& queue, const ButterflySettings& settings, const ButterflyVariant& variant, Operator op,
               const Value* carries)
      : Transform(settings),
        n_(settings.n),
        carries_(carries),
        blocks_(Rule{network_of<Network>(tile(variant).n), op, nullptr, nullptr, settings.exclusive}, tile(variant),
                false),
        told_(queue.backend(), tiles() * Board::words),
        ticket_(queue.backend(), 1) {}

  void run(Queue& queue, const void* in, void* out, std::uint64_t*) override {
    TimedSpan span(queue, kernel_, bytes_moved_);
    told_.zero(queue);
    ticket_.zero(queue);
    Rule rule = blocks_.rule();
    rule.in = static_cast<const Value*>(in);
    rule.out = static_cast<Value*>(out);
    rule.carries = carries_;
    rule.log_problems = n_ - blocks_.mapping().s;
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
  std::uint64_t bytes() const override { return told_.bytes() + ticket_.bytes(); }

 private:
  using Board = TileBoard<Value>;
  static NetworkMapping tile(const ButterflyVariant& variant) {
    const NetworkMapping& mapping = variant.mapping;
    return {mapping.s, std::min(mapping.p, mapping.s), mapping.s};
  }
  std::uint64_t tiles() const { return batch_ << (n_ - blocks_.mapping().s); }

  int n_;
  const Value* carries_;
  InPlaceBlocks<Rule> blocks_;
  Buffer<std::uint64_t> told_, ticket_;
};

/// What came before a tile joins each of its elements. Launched with row_shape of all elements.
template <class Operator>
struct CarryLaunch {
  using Value = typename Operator::Value;
  Operator op;
  const Value* tiles;    ///< (batch, N), each tile scanned by itself
  const Value* carries;  ///< (batch, tiles): of all tiles before
  Value* out;
  int n, tile;  ///< log2 of elements
  std::uint64_t batch;
  bool exclusive;

  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    each_item(group, batch << n, [&](std::uint64_t i) {
      const Value carry = carries[i >> tile];
      if (!exclusive) {
        out[i] = op.combine(carry, tiles[i]);
        return;
      }
      const bool first = (i & ((std::uint64_t{1} << tile) - 1)) == 0;
      out[i] = first ? carry : op.combine(carry, tiles[i - 1]);
    });
  }
};

/// A scan of rows that are longer than a block, in three launches: tiles, their sums, and both together.
template <class Operator>
class TiledScan final : public Transform {
 public:
  using Value = typename Operator::Value;
  /// `of_sums` is the transform of the sums; `tiles_of(sums)` makes that of the tiles, which leaves their sums there.
  template <class TilesOf>
  TiledScan(Queue& queue, const ButterflySettings& settings, Operator op, int tile, std::unique_ptr<Transform> of_sums,
            const TilesOf& tiles_of)
      : Transform(settings),
        op_(op),
        tile_(tile),
        tiles_(queue.backend(), settings.batch << settings.n),
        sums_(queue.backend(), settings.batch << (settings.n - tile)),
        carries_(queue.backend(), settings.batch << (settings.n - tile)),
        of_tiles_(tiles_of(sums_.data())),
        of_sums_(std::move(of_sums)) {}

  void run(Queue& queue, const void* in, void* out, std::uint64_t*) override {
    TimedSpan span(queue, kernel_, bytes_moved_ + (sizeof(Value) * settings_.batch << settings_.n));
    of_tiles_->run(queue, in, tiles_.data(), nullptr);
    of_sums_->run(queue, sums_.data(), carries_.data(), nullptr);
    launch(kernel_, queue, row_shape(settings_.batch << settings_.n),
           CarryLaunch<Operator>{op_, tiles_.data(), carries_.data(), static_cast<Value*>(out), settings_.n, tile_,
                                 settings_.batch, settings_.exclusive});
    span.finish();
  }
  LaunchShape shape() const override { return of_tiles_->shape(); }
  NetworkReport report() const override {
    const NetworkReport tiles = of_tiles_->report(), sums = of_sums_->report();
    const std::uint64_t count = std::uint64_t{1} << (settings_.n - tile_);
    NetworkReport report;
    report.elements = std::uint64_t{1} << settings_.n;
    // Nodes of all tiles, of their sums, and one an element where a carry joins it; the first tile has none.
    report.operators = tiles.operators * count + sums.operators + report.elements - (std::uint64_t{1} << tile_);
    report.stages = tiles.stages + sums.stages + 1;
    report.launches = tiles.launches + sums.launches + 1;
    report.mapping = {settings_.n, tiles.mapping.p, tile_};
    report.blocks = tiles.blocks;
    report.exchanges = tiles.exchanges;
    report.shared_bytes = tiles.shared_bytes;
    report.word_bytes = tiles.word_bytes;
    return report;
  }
  std::uint64_t bytes() const override {
    return tiles_.bytes() + sums_.bytes() + carries_.bytes() + of_tiles_->bytes() + of_sums_->bytes();
  }

 private:
  Operator op_;
  int tile_;
  Buffer<Value> tiles_, sums_, carries_;
  std::unique_ptr<Transform> of_tiles_, of_sums_;
};

/// One launch, or `global`; `sums`: of each row, on the backend, or null; carries and log_problems: as of ScanRule.
template <class Network, class Operator>
std::unique_ptr<Transform> scan_rows(Queue& queue, const ButterflySettings& settings, const ButterflyVariant& variant,
                                     Operator op, typename Operator::Value* sums,
                                     const typename Operator::Value* carries, int log_problems) {
  using Rule = ScanRule<Network, Operator>;
  using Element = typename Operator::Value;
  const auto network = network_of<Network>(variant.mapping.n);
  return in_place_transform<Rule>(
      queue, settings, variant, [=, exclusive = settings.exclusive](const void* in, void* out, std::uint64_t*) {
        return Rule{network, op,          static_cast<const Element*>(in), static_cast<Element*>(out), exclusive, sums,
                    carries, log_problems};
      });
}

/// Rows that are longer than a block go by tiles, and so do the sums of many tiles. `carries` (batch): as of ScanRule;
/// of an exclusive scan they are not in the first output of a row.
template <class Network, class Operator>
std::unique_ptr<Transform> scan_by(Queue& queue, const ButterflySettings& settings, const ButterflyVariant& variant,
                                   Operator op, const typename Operator::Value* carries = nullptr) {
  const NetworkMapping& mapping = variant.mapping;
  if (mapping.n <= mapping.s || variant.exchange == Exchange::global)
    return scan_rows<Network>(queue, settings, variant, op, {}, carries, 0);
  if (variant.looks_back)
    return std::make_unique<LookBackScan<Network, Operator>>(queue, settings, variant, op, carries);
  ButterflySettings tiles = settings, sums = settings;
  tiles.n = mapping.s;
  tiles.batch = settings.batch << (mapping.n - mapping.s);
  tiles.exclusive = false;
  sums.n = mapping.n - mapping.s;
  sums.exclusive = true;
  ButterflyVariant of_tiles = variant, of_sums = variant;
  of_tiles.mapping.n = mapping.s;
  of_sums.mapping.n = sums.n;
  of_sums.mapping.p = std::min(mapping.p, sums.n);
  of_sums.mapping.s = std::min(mapping.s, of_sums.mapping.p + 10);
  return std::make_unique<TiledScan<Operator>>(
      queue, settings, op, mapping.s, scan_by<Network>(queue, sums, of_sums, op),
      [&](auto* to) { return scan_rows<Network>(queue, tiles, of_tiles, op, to, carries, sums.n); });
}

template <class Network, class Operator>
std::unique_ptr<Transform> scan_by_network(Queue& queue, const ButterflySettings& settings,
                                           const ButterflyVariant& variant, const Operator& op,
                                           const typename Operator::Value* carries) {
  if constexpr (Network::serial) {
    return std::make_unique<SerialScanTransform<Operator>>(settings, op);
  } else {
    if constexpr (TunedForm<Network>::there)
      if (variant.exchange == Exchange::tuned) return tuned_scan_by_network<Network>(queue, settings, variant, op);
    return scan_by<Network>(queue, settings, variant, op, carries);
  }
}

}  // namespace warploom
