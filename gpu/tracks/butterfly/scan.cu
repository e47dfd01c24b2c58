// Scans of rows, and of rows and columns.
#include "gpu/butterfly/networks/list.h"
#include "gpu/tracks/butterfly/look_back_scan.h"
#include "gpu/tracks/butterfly/operators.h"
#include "gpu/tracks/butterfly/serial_transform.h"
#include "gpu/tracks/butterfly/tiled_scan.h"

namespace warploom {

namespace {

template <class Operator>
class SerialScanTransform final : public SerialTransform<SerialScan> {
 public:
  SerialScanTransform(const ButterflySettings& settings, Operator op)
      : SerialTransform(settings), op_(op), exclusive_(settings.exclusive) {}

  void run(Queue& queue, const void* in, void* out, std::uint64_t*) override {
    launch(kernel_, queue, shape(), program<NoTrace>(in, out, {}), bytes_moved_);
  }
  TransformTrace trace(Queue& queue, const void* in, const Wanted& wanted, std::uint64_t*) override {
    using Value = typename Operator::Value;
    Buffer<Value> out(queue.backend(), wanted.rows << network_.n);
    return traced<Value>(queue, wanted.problems, [&](const StageTrace<Value>& told) {
      auto teller = program(in, out.data(), told);
      teller.batch = wanted.rows;
      launch("butterfly.trace", queue, serial_shape(wanted.rows), teller);
    });
  }
  RowShape step_shape() const override { return step_shape_of_scan<Operator>(); }
  std::uint64_t bytes() const override { return 0; }

 private:
  template <class Trace>
  SerialScanLaunch<Operator, Trace> program(const void* in, void* out, const Trace& trace) {
    using Value = typename Operator::Value;
    return {{network_, op_, static_cast<const Value*>(in), static_cast<Value*>(out), exclusive_}, batch_, trace};
  }
  Operator op_;
  bool exclusive_;
};

/// Along rows by any transform, and then down the columns, a thread each.
template <class Operator>
class PlaneScan final : public Transform {
 public:
  PlaneScan(const ButterflySettings& settings, Operator op, std::unique_ptr<Transform> rows)
      : kernel_(kernel_of(settings.algorithm)),
        bytes_moved_(2 * moved_bytes(settings)),
        op_(op),
        exclusive_(settings.exclusive),
        n_(settings.n),
        batch_(settings.batch),
        rows_(std::move(rows)) {}

  void run(Queue& queue, const void* in, void* out, std::uint64_t* singular) override {
    using Value = typename Operator::Value;
    TimedSpan span(queue, kernel_, bytes_moved_);
    rows_->run(queue, in, out, singular);
    launch(kernel_, queue, row_shape(std::uint64_t{1} << n_),
           ColumnScanLaunch<Operator>{{SerialScan{{n_}}, op_, nullptr, static_cast<Value*>(out), exclusive_}, batch_});
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
  RowShape step_shape() const override { return rows_->step_shape(); }
  std::uint64_t bytes() const override { return rows_->bytes(); }

 private:
  const char* kernel_;
  std::uint64_t bytes_moved_;
  Operator op_;
  bool exclusive_;
  int n_;
  std::uint64_t batch_;
  std::unique_ptr<Transform> rows_;
};

/// One launch, or `global`; `sums`: of each row, on the backend, or null.
template <class Network, class Operator>
std::unique_ptr<Transform> scan_rows(Queue& queue, const ButterflySettings& settings, const ButterflyWay& way,
                                     Operator op, typename Operator::Value* sums = nullptr) {
  using Rule = ScanRule<Network, Operator>;
  using Value = typename Operator::Value;
  const Network network{{way.mapping.n, way.mapping.p}};
  return staying_transform<Rule>(
      queue, settings, way,
      [network, op, sums, exclusive = settings.exclusive](const void* in, void* out, std::uint64_t*) {
        return Rule{network, op, static_cast<const Value*>(in), static_cast<Value*>(out), exclusive, sums};
      });
}

/// Rows that are longer than a block go by tiles, and so do the sums of many tiles.
template <class Network, class Operator>
std::unique_ptr<Transform> scan_by(Queue& queue, const ButterflySettings& settings, const ButterflyWay& way,
                                   Operator op) {
  const NetworkMapping& mapping = way.mapping;
  if (mapping.n <= mapping.s || way.exchange == Exchange::global) return scan_rows<Network>(queue, settings, way, op);
  if (way.looks_back) return std::make_unique<LookBackScan<Network, Operator>>(queue, settings, way, op);
  auto made = std::make_unique<TiledScan<Operator>>(queue, settings, op, mapping.s);
  ButterflySettings tiles = settings, sums = settings;
  tiles.n = mapping.s;
  tiles.batch = settings.batch << (mapping.n - mapping.s);
  tiles.exclusive = false;
  sums.n = mapping.n - mapping.s;
  sums.exclusive = true;
  ButterflyWay of_tiles = way, of_sums = way;
  of_tiles.mapping.n = mapping.s;
  of_sums.mapping.n = sums.n;
  of_sums.mapping.p = std::min(mapping.p, sums.n);
  of_sums.mapping.s = std::min(mapping.s, of_sums.mapping.p + 10);
  made->take(scan_rows<Network>(queue, tiles, of_tiles, op, made->sums()), scan_by<Network>(queue, sums, of_sums, op));
  return made;
}

template <class Operator>
std::unique_ptr<Transform> make_scan(Queue& queue, const ButterflySettings& settings, const ButterflyWay& way,
                                     Operator op) {
  std::unique_ptr<Transform> rows;
  for_each_type(ScanNetworks{}, [&]<class Network>() {
    if (way.variant != Network::info.key) return;
    if constexpr (Network::serial)
      rows = std::make_unique<SerialScanTransform<Operator>>(settings, op);
    else
      rows = scan_by<Network>(queue, settings, way, op);
  });
  if (settings.axes == 1) return rows;
  return std::make_unique<PlaneScan<Operator>>(settings, op, std::move(rows));
}

}  // namespace

std::unique_ptr<Transform> make_scan_transform(Queue& queue, const ButterflySettings& settings,
                                               const ButterflyWay& way) {
  return with_scan_operator(settings, [&](auto op) { return make_scan(queue, settings, way, op); });
}

}  // namespace warploom
