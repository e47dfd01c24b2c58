#pragma once
#include "gpu/core/buffer.h"
#include "gpu/scenes/butterfly/tracks/in_place_transform.h"

namespace warploom {

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
  RowShape step_shape() const override { return step_shape_of_scan<Operator>(); }
  std::uint64_t bytes() const override {
    return tiles_.bytes() + sums_.bytes() + carries_.bytes() + of_tiles_->bytes() + of_sums_->bytes();
  }

 private:
  Operator op_;
  int tile_;
  Buffer<Value> tiles_, sums_, carries_;
  std::unique_ptr<Transform> of_tiles_, of_sums_;
};

}  // namespace warploom
