// Scans of rows, and of rows and columns.
#include <type_traits>

#include "gpu/scenes/butterfly/kernels/serial.h"
#include "gpu/scenes/butterfly/networks/list.h"
#include "gpu/scenes/butterfly/tracks/operators.h"
#include "gpu/scenes/butterfly/tracks/transform.h"

namespace warploom {

namespace {

/// Along rows by any transform, and then down the columns, a thread each.
template <class Operator>
class PlaneScan final : public Transform {
 public:
  PlaneScan(const ButterflySettings& settings, Operator op, std::unique_ptr<Transform> rows)
      : Transform(settings), op_(op), rows_(std::move(rows)) {}

  void run(Queue& queue, const void* in, void* out, std::uint64_t* singular) override {
    using Value = typename Operator::Value;
    TimedSpan span(queue, kernel_, 2 * bytes_moved_);
    rows_->run(queue, in, out, singular);
    const ScanRule<SerialScan, Operator> rule{
        {{settings_.n}}, op_, nullptr, static_cast<Value*>(out), settings_.exclusive};
    launch(kernel_, queue, row_shape(std::uint64_t{1} << settings_.n), ColumnScanLaunch<Operator>{rule, batch_});
    span.finish();
  }
  LaunchShape shape() const override { return rows_->shape(); }
  NetworkReport report() const override {
    NetworkReport report = rows_->report();
    ++report.launches;
    report.by_stage.clear();
    return report;
  }
  std::vector<NetworkEdge> edges() const override { return rows_->edges(); }
  std::vector<SharedAccess> accesses() const override { return rows_->accesses(); }
  std::vector<std::int32_t> locations() const override { return rows_->locations(); }
  TransformTrace trace(Queue& queue, const void* in, const Wanted& wanted, std::uint64_t* singular) override {
    return rows_->trace(queue, in, wanted, singular);
  }
  std::uint64_t bytes() const override { return rows_->bytes(); }

 private:
  Operator op_;
  std::unique_ptr<Transform> rows_;
};

}  // namespace

std::unique_ptr<Transform> make_scan_transform(Queue& queue, const ButterflySettings& settings,
                                               const ButterflyVariant& variant) {
  return with_scan_operator(settings, [&](const auto& op) -> std::unique_ptr<Transform> {
    std::unique_ptr<Transform> rows;
    for_each_type(ScanNetworks{}, [&]<class Network>() {
      if (variant.variant == Network::info.key) rows = scan_by_network<Network>(queue, settings, variant, op, {});
    });
    if (settings.axes == 1) return rows;
    return std::make_unique<PlaneScan<std::decay_t<decltype(op)>>>(settings, op, std::move(rows));
  });
}

}  // namespace warploom
