#pragma once
#include "gpu/scenes/butterfly/networks/list.h"
#include "gpu/scenes/butterfly/tracks/look_back_scan.h"
#include "gpu/scenes/butterfly/tracks/operators.h"
#include "gpu/scenes/butterfly/tracks/serial_transform.h"
#include "gpu/scenes/butterfly/tracks/tiled_scan.h"

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
  RowShape step_shape() const override { return step_shape_of_scan<Operator>(); }

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

/// One launch, or `global`; `sums`: of each row, on the backend, or null.
template <class Network, class Operator>
std::unique_ptr<Transform> scan_rows(Queue& queue, const ButterflySettings& settings, const ButterflyVariant& variant,
                                     Operator op, typename Operator::Value* sums = nullptr) {
  using Rule = ScanRule<Network, Operator>;
  using Element = typename Operator::Value;
  const auto network = network_of<Network>(variant.mapping.n, variant.mapping.p);
  return in_place_transform<Rule>(
      queue, settings, variant,
      [network, op, sums, exclusive = settings.exclusive](const void* in, void* out, std::uint64_t*) {
        return Rule{network, op, static_cast<const Element*>(in), static_cast<Element*>(out), exclusive, sums};
      });
}

/// Rows that are longer than a block go by tiles, and so do the sums of many tiles.
template <class Network, class Operator>
std::unique_ptr<Transform> scan_by(Queue& queue, const ButterflySettings& settings, const ButterflyVariant& variant,
                                   Operator op) {
  const NetworkMapping& mapping = variant.mapping;
  if (mapping.n <= mapping.s || variant.exchange == Exchange::global)
    return scan_rows<Network>(queue, settings, variant, op);
  if (variant.looks_back) return std::make_unique<LookBackScan<Network, Operator>>(queue, settings, variant, op);
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
      [&](auto* to) { return scan_rows<Network>(queue, tiles, of_tiles, op, to); });
}

template <class Network, class Operator>
std::unique_ptr<Transform> scan_by_network(Queue& queue, const ButterflySettings& settings,
                                           const ButterflyVariant& variant, const Operator& op) {
  if constexpr (Network::serial)
    return std::make_unique<SerialScanTransform<Operator>>(settings, op);
  else
    return scan_by<Network>(queue, settings, variant, op);
}

}  // namespace warploom
