#pragma once
#include "gpu/core/buffer.h"
#include "gpu/core/launch.h"
#include "gpu/scenes/butterfly/rules/scan.h"
#include "gpu/scenes/butterfly/tracks/transform.h"
#include "gpu/scenes/butterfly/tuned/kogge_stone_block.h"
#include "gpu/scenes/butterfly/tuned/look_back_block.h"

// Scans whose digits were placed when the program was compiled: for the source of a network and an operator.
namespace warploom {

/// Who reads the totals of warps, of rows that are longer than a warp's elements. `each(stage, lane, first, count)`: of
/// a warp of a row by its number the lane, or all of them (-1), reads those of `count` warps from one on. Nodes that
/// make more than one of them are made in each of these threads.
template <class Network, class Body>
void each_total_read(int n, bool exclusive, std::uint32_t warp, Body&& each) {
  constexpr int digits = StayingScan::digits_of_warp;
  constexpr bool all_of_half = std::is_same_v<Network, LadnerFischer>;
  constexpr int last_lane = warp_size - 1;
  for (int b = 0; digits + b < n; ++b) {
    const std::uint32_t h = 1u << b, both = 2 * h - 1;
    if (all_of_half ? (warp & h) != 0 : (warp & both) == both)
      each(digits + 1 + b, all_of_half ? -1 : last_lane, warp & ~both, h);
  }
  for (int b = n - 2 - digits; !all_of_half && b >= 0; --b) {
    const std::uint32_t h = 1u << b;
    if ((warp & (2 * h - 1)) == h - 1 && warp >= 2 * h) each(2 * n - 1 - digits - b, last_lane, 0, warp + 1 - h);
  }
  if (warp > 0 && (exclusive || !all_of_half)) each(all_of_half ? n + 1 : 2 * n - digits, last_lane, 0, warp);
}

/// body(op): an operator as a device's tuned kernels take it. One that is chosen at each join takes it several times as
/// long.
template <class Operator, class Body>
void with_known_operator(const Operator& op, Body&& body) {
  if constexpr (std::is_same_v<Operator, WordOperator>) {
    using Kind = WordOperator::Kind;
    if (op.kind == Kind::add) return body(KnownWordOperator<Kind::add>{});
    if (op.kind == Kind::multiply) return body(KnownWordOperator<Kind::multiply>{});
    body(KnownWordOperator<Kind::maximum>{});
  } else {
    body(op);
  }
}

/// A scan in one launch: blocks of whole rows, or tiles of them that look back.
template <class Network, class Operator>
class TunedScanTransform final : public Transform {
  using Value = typename Operator::Value;
  static constexpr bool by_neighbours = std::is_same_v<Network, KoggeStone>;
  /// A device's. Brent and Kung's has none: nvcc leaves it calls and values in memory, and it takes seven times as
  /// long.
  static constexpr bool has_ring = compiled_for_devices && std::is_same_v<Network, LadnerFischer>;

 public:
  TunedScanTransform(Queue& queue, const ButterflySettings& settings, const ButterflyVariant& variant, Operator op)
      : Transform(settings),
        backend_(queue.backend()),
        variant_(variant),
        op_(op),
        network_(network_of<Network>(settings.n)),
        places_(plan()) {
    if (!variant.looks_back) return;
    told_ = Buffer<std::uint64_t>(queue.backend(), tiles() * TileBoard<Value>::words);
    ticket_ = Buffer<std::uint64_t>(queue.backend(), 1);
    // From some length on tiles are too many to look back at while all wait: sums first, and the tiles once more.
    constexpr int least_of_ring = 17;
    if constexpr (has_ring)
      if (queue.backend() == Backend::cuda && settings.n >= least_of_ring)
        with_look_back(nullptr, nullptr, [&](const auto& program) {
          lag_ = std::max(resident_blocks(queue, program, volume(shape().threads)) * 2 / 5, 1u);
        });
  }

  void run(Queue& queue, const void* in, void* out, std::uint64_t*) override {
    if constexpr (!by_neighbours)
      if (variant_.looks_back) {
        TimedSpan span(queue, kernel_, bytes_moved_);
        told_.zero(queue);
        ticket_.zero(queue);
        with_look_back(in, out, [&](const auto& program) {
          LaunchShape blocks = shape();
          if constexpr (requires { program.tickets(); }) blocks.blocks = row_of_blocks(program.tickets());
          launch(kernel_, queue, blocks, program);
        });
        span.finish();
        return;
      }
    with_program(in, out, [&](const auto& program) { launch(kernel_, queue, shape(), program, bytes_moved_); });
  }
  std::optional<KernelResources> resources(const Queue& queue) const override {
    std::optional<KernelResources> found;
    const auto ask = [&](const auto& program) { found = resources_of(queue, program, volume(shape().threads)); };
    if constexpr (!by_neighbours)
      if (variant_.looks_back) {
        with_look_back(nullptr, nullptr, ask);
        return found;
      }
    with_program(nullptr, nullptr, ask);
    return found;
  }
  LaunchShape shape() const override {
    if (!variant_.looks_back) return block_shape(variant_.mapping, batch_);
    return tiles_shape(tiles(), variant_.mapping.s - variant_.mapping.p);
  }
  std::uint64_t bytes() const override { return told_.bytes() + ticket_.bytes(); }

  NetworkReport report() const override {
    const Plan& plan = places_.plan();
    NetworkReport report = begun_report(network_, variant_.mapping, blocks_of(variant_.mapping, batch_));
    report.tuned = std::make_shared<const Plan>(plan);
    report.word_bytes = sizeof(Value);
    const bool joins_totals = !by_neighbours && plan.n > StayingScan::digits_of_warp;
    report.exchanges = static_cast<std::uint64_t>(plan.exchanges()) + joins_totals;
    if constexpr (!by_neighbours)
      if (variant_.looks_back) {
        // Nodes of all tiles, what a tile looks back at at least, and one an element where that joins it.
        const std::uint64_t of_row = std::uint64_t{1} << (settings_.n - variant_.mapping.s),
                            of_tile = std::uint64_t{1} << variant_.mapping.s;
        report.operators =
            network_of<Network>(variant_.mapping.s).nodes() * of_row + of_row - 1 + report.elements - of_tile;
        report.stages = network_of<Network>(variant_.mapping.s).stages() + 1;
        with_look_back(nullptr, nullptr,
                       [&](const auto& program) { report.shared_bytes = program.dynamic_shared_bytes(); });
        report.replicated = replicated() * of_row;
        if (lag_ > 0) report.ring = {(sizeof(Value) * lag_) << variant_.mapping.s, lag_};
        return report;
      }
    with_program(nullptr, nullptr, [&](const auto& program) { report.shared_bytes = program.dynamic_shared_bytes(); });
    report.replicated = replicated();
    if (!tells_stages()) return report;
    tell_stages(report, network_, places_, accesses());
    return report;
  }
  std::vector<NetworkEdge> edges() const override {
    if (!tells_stages()) return {};
    return edges_of(network_, places_, Exchange::tuned);
  }
  std::vector<SharedAccess> accesses() const override {
    if (!tells_stages()) return {};
    if constexpr (by_neighbours)
      return planned_accesses(places_, sizeof(Value));
    else
      return total_accesses();
  }
  std::vector<std::int32_t> locations() const override {
    if (!tells_stages()) return {};
    return locations_of(places_, network_.stages(), accesses());
  }
  TransformTrace trace(Queue& queue, const void* in, const Wanted& wanted, std::uint64_t*) override {
    Buffer<std::uint8_t> out(queue.backend(), wanted.rows * sizeof(Value) << settings_.n);
    const LaunchShape shape = block_shape(variant_.mapping, wanted.rows);
    const auto told_by = [&](auto program, const AccessNumbers& numbers) {
      // Rows may leave by an exchange behind the last stage.
      const TracedStages<Value> told(queue, network_, wanted.problems, numbers, volume(shape.threads), wanted.accesses,
                                     1);
      program.trace = told.view();
      launch("butterfly.trace", queue, shape, program);
      return told.read(queue);
    };
    using Told = StageTrace<Value>;
    if constexpr (by_neighbours) {
      constexpr std::uint32_t items = 1u << NeighbourScan::p;
      return told_by(TunedKoggeStone<Operator, Told>{rows(op_, in, out.data(), wanted.rows), {}}, {items, items});
    } else {
      const auto by = [&](const auto& program) { return told_by(program, program.numbers()); };
      const auto traced = rows(op_, in, out.data(), wanted.rows);
      if constexpr (compiled_for_devices)
        if (queue.backend() == Backend::cuda)
          return by(TunedScan<Network, Operator, StayingScan::threads(0), Told>{traced, {}});
      return by(TunedScan<Network, Operator, any_block, Told>{traced, {}});
    }
  }

 private:
  /// Of blocks that are traced: longer rows have more threads.
  bool tells_stages() const {
    return by_neighbours || (!variant_.looks_back && variant_.mapping.s == StayingScan::p + StayingScan::threads(0));
  }
  Plan plan() const {
    const NetworkMapping& mapping = variant_.mapping;
    const int n = std::min(mapping.n, mapping.s), stages = network_of<Network>(n).stages();
    Plan plan;
    if constexpr (by_neighbours)
      plan = NeighbourScan::plan_of(n, stages, sizeof(Value));
    else
      plan = StayingScan::plan_of(n, stages, mapping.s - mapping.p);
    // The ticket of a tile, and its sum, both told to all threads.
    constexpr int of_tiles = 3;
    if (variant_.looks_back) plan.seams += of_tiles;
    return plan;
  }
  template <class Known>
  ScanRows<Known> rows(const Known& op, const void* in, void* out, std::uint64_t batch) const {
    return {op, static_cast<const Value*>(in), static_cast<Value*>(out), settings_.n, batch, settings_.exclusive};
  }
  template <int l, class Known>
  static TunedScan<Network, Known, l, NoTrace> blocks_of_scan(const ScanRows<Known>& rows) {
    return {rows, {}};
  }
  /// body(program): the kernel for the threads of a block.
  template <class Body>
  void with_program(const void* in, void* out, Body&& body) const {
    if constexpr (compiled_for_devices)
      if (backend_ == Backend::cuda)
        return with_known_operator(op_, [&]<class Known>(const Known& op) {
          const auto rows_of = rows(op, in, out, batch_);
          if constexpr (by_neighbours) {
            body(OnDevices<TunedKoggeStone<Known, NoTrace>>{{rows_of, {}}});
          } else {
            const int threads = variant_.mapping.s - variant_.mapping.p;
            if (threads == 7) return body(blocks_of_scan<7>(rows_of));
            if (threads == 8) return body(blocks_of_scan<8>(rows_of));
            body(blocks_of_scan<9>(rows_of));
          }
        });
    const auto rows_of = rows(op_, in, out, batch_);
    if constexpr (by_neighbours)
      body(TunedKoggeStone<Operator, StageTrace<Value>>{rows_of, {}});
    else
      body(TunedScan<Network, Operator, any_block, StageTrace<Value>>{rows_of, {}});
  }
  std::uint64_t tiles() const { return batch_ << (settings_.n - variant_.mapping.s); }
  /// body(program): what looks back, in two passes of a launch where there is a ring.
  template <class Body>
  void with_look_back(const void* in, void* out, Body&& body) const {
    if constexpr (compiled_for_devices)
      if (backend_ == Backend::cuda)
        return with_known_operator(op_, [&]<class Known>(const Known& op) {
          constexpr int l = StayingScan::most_threads;
          const auto tiled = tiles_of<l>(op, in, out);
          if constexpr (has_ring)
            if (lag_ > 0) return body(TunedScanRing<Network, Known, l>{tiled, tiles(), lag_});
          body(TunedLookBack<Network, Known, l>{tiled});
        });
    body(TunedLookBack<Network, Operator>{tiles_of<any_block>(op_, in, out)});
  }
  template <int block, class Known>
  TiledRows<Network, Known, block> tiles_of(const Known& op, const void* in, void* out) const {
    auto of_tiles = rows(op, in, out, tiles());
    of_tiles.n = variant_.mapping.s;
    return {{of_tiles, {}}, settings_.n, {told_.data(), ticket_.data()}};
  }

  /// Of a row: nodes that are made once more by threads which need them.
  std::uint64_t replicated() const {
    std::uint64_t all = 0;
    const int n = places_.plan().n;
    if constexpr (!by_neighbours)
      for (std::uint32_t warp = 0; n > StayingScan::digits_of_warp && warp >> (n - StayingScan::digits_of_warp) == 0;
           ++warp)
        each_total_read<Network>(n, settings_.exclusive, warp, [&](int, int lane, std::uint32_t, std::uint32_t count) {
          all += std::uint64_t{count - 1} * (lane < 0 ? warp_size : 1);
        });
    return all;
  }
  /// Each warp puts its total, those behind it read it.
  std::vector<SharedAccess> total_accesses() const {
    std::vector<SharedAccess> all;
    constexpr int digits = StayingScan::digits_of_warp;
    const int n = settings_.n;
    if (n <= digits) return all;
    const std::uint32_t warps = 1u << (places_.plan().l - 5), of_row = 1u << (n - digits);
    const AccessNumbers numbers{1, warps};
    const auto add = [&](int stage, bool reads, std::uint32_t instruction, std::uint32_t thread, std::uint32_t warp) {
      all.push_back({stage, reads, instruction, thread, warp * static_cast<std::uint32_t>(sizeof(Value)),
                     ((warp + 1) << digits) - 1});
    };
    for (std::uint32_t warp = 0; warp < warps; ++warp) {
      const std::uint32_t own = warp % of_row, row = warp - own;
      add(digits + 1, false, numbers.write(digits + 1, 0), warp * warp_size + warp_size - 1, warp);
      each_total_read<Network>(n, settings_.exclusive, own,
                               [&](int stage, int lane, std::uint32_t first, std::uint32_t count) {
                                 for (std::uint32_t k = first; k < first + count; ++k)
                                   for (std::uint32_t i = 0; i < warp_size; ++i)
                                     if (lane < 0 || lane == static_cast<int>(i))
                                       add(stage, true, numbers.read(stage, k), warp * warp_size + i, row + k);
                               });
    }
    return all;
  }

  Backend backend_;
  ButterflyVariant variant_;
  Operator op_;
  Network network_;
  PlanPlaces places_;
  Buffer<std::uint64_t> told_, ticket_;  ///< of tiles that look back
  std::uint32_t lag_ = 0;                ///< of a ring, tiles; 0: there is none
};

template <class Network, class Operator>
std::unique_ptr<Transform> tuned_scan_by_network(Queue& queue, const ButterflySettings& settings,
                                                 const ButterflyVariant& variant, const Operator& op) {
  return std::make_unique<TunedScanTransform<Network, Operator>>(queue, settings, variant, op);
}

}  // namespace warploom
