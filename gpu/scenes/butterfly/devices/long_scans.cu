// Scans of long rows whose elements are shared out among devices: what each part comes to goes to those behind it, and
// each scans its part with what came before in place of the identity.
// nvcc: by itself
#include <array>

#include "gpu/core/launch.h"
#include "gpu/scenes/butterfly/devices/long_parts.h"
#include "gpu/scenes/butterfly/devices/ordered_sums.h"
#include "gpu/scenes/butterfly/networks/list.h"
#include "gpu/scenes/butterfly/tracks/operators.h"

namespace warploom {

namespace {

/// The sums of the devices before, in their order. Launched with row_shape(batch).
template <class Operator>
struct JoinSums {
  using Value = typename Operator::Value;
  Operator op;
  const Value* sums;  ///< (devices before, batch)
  std::uint64_t devices, batch;
  Value* carries;  ///< (batch)
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    each_item(group, batch, [&](std::uint64_t row) {
      Value all = op.identity();
      for (std::uint64_t k = 0; k < devices; ++k) all = op.combine(all, sums[k * batch + row]);
      carries[row] = all;
    });
  }
};

/// The first output of each row, of an exclusive scan. Launched with row_shape(batch).
template <class Value>
struct BeginRows {
  const Value* carries;
  std::uint64_t batch, row;
  Value* out;  ///< (batch, row)
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    each_item(group, batch, [&](std::uint64_t i) { out[i * row] = carries[i]; });
  }
};

template <class Operator>
class LongScanParts final : public LongParts {
  using Value = typename Operator::Value;

 public:
  /// `maker(queue, settings, variant, carries)`: the scan of a part.
  template <class Maker>
  LongScanParts(const Queue& queue, const ButterflySettings& settings, const ButterflyVariant& variant, Operator op,
                const Maker& maker)
      : LongParts(queue, settings, variant), op_(op) {
    const std::uint64_t row = std::uint64_t{1} << own_digits();
    for (int device = 0; device < devices(); ++device) {
      Queue& own = team_->queue(device);
      const OnDevice here(own.device());
      Held& held = held_.emplace_back();
      const Backend backend = own.backend();
      held.sums[0] = Buffer<Value>(backend, batch_ * chunks_of(row));
      held.sums[1] = Buffer<Value>(backend, batch_ * chunks_of(chunks_of(row)));
      held.received = Buffer<Value>(backend, static_cast<std::uint64_t>(device) * batch_);
      if (device) held.carries = Buffer<Value>(backend, batch_);
      held.scan = maker(own, part_settings(), part_variant(), held.carries.data());
    }
    const auto count = static_cast<std::uint64_t>(devices());
    const std::uint64_t bytes = batch_ * sizeof(Value);
    for (int from = 0; from < devices(); ++from)
      for (int to = from + 1; to < devices(); ++to)
        link_.transfers.push_back({from, to, 0, static_cast<std::uint64_t>(from) * bytes, bytes});
    // Each adds up its part, but for the last; and joins what came before to its first element, but for the first.
    begin_report(held_.front().scan->report(), (row - 1) * (count - 1) + count * (count - 1) / 2, 1, 2);
    tell_link(count * (count - 1) / 2, sizeof(Value), 1);
  }
  std::optional<KernelResources> resources(const Queue& queue) const override {
    return held_.front().scan->resources(queue);
  }

 protected:
  void run_parts(Team::Step& step, const void* in, void* out, std::uint64_t*) override {
    std::vector<const void*> from(held_.size());
    std::vector<void*> to;
    step.each("butterfly.sums", [&](int device, Queue& queue) {
      from[static_cast<std::size_t>(device)] = add_up(device, queue, part_in(device, in));
    });
    for (const Held& held : held_) to.push_back(held.received.data());
    step.exchange("butterfly.link", link_, from, to);
    step.each(kernel_, [&](int device, Queue& queue) {
      const Held& held = held_[static_cast<std::size_t>(device)];
      const auto before = static_cast<std::uint64_t>(device);
      if (device)
        launch("butterfly.carry", queue, row_shape(batch_),
               JoinSums<Operator>{op_, held.received.data(), before, batch_, held.carries.data()});
      void* const to_rows = part_out(device, out);
      held.scan->run(queue, part_in(device, in), to_rows, nullptr);
      if (device && settings_.exclusive)
        launch("butterfly.carry", queue, row_shape(batch_),
               BeginRows<Value>{held.carries.data(), batch_, std::uint64_t{1} << own_digits(),
                                static_cast<Value*>(to_rows)});
    });
  }
  std::uint64_t bytes_on(int device) const override {
    const Held& held = held_[static_cast<std::size_t>(device)];
    return rows_bytes(device) + held.sums[0].bytes() + held.sums[1].bytes() + held.received.bytes() +
           held.carries.bytes() + held.scan->bytes();
  }
  /// The input is read twice.
  std::uint64_t bytes_moved() const override {
    return bytes_moved_ + (sizeof(Value) * batch_ << own_digits()) * static_cast<std::uint64_t>(devices() - 1);
  }

 private:
  struct Held {
    std::array<Buffer<Value>, 2> sums;  ///< of chunks, and of chunks of those, in turn
    Buffer<Value> received, carries;
    std::unique_ptr<Transform> scan;
  };
  static std::uint64_t chunks_of(std::uint64_t count) {
    return (count + OrderedSums<Operator>::elements - 1) / OrderedSums<Operator>::elements;
  }
  /// Adds up each row of a part; returns where the sums are. Those of the last device have no reader.
  const Value* add_up(int device, Queue& queue, const void* in) const {
    const Held& held = held_[static_cast<std::size_t>(device)];
    if (device + 1 == devices()) return held.sums[0].data();
    const auto* from = static_cast<const Value*>(in);
    std::uint64_t count = std::uint64_t{1} << own_digits();
    for (std::size_t side = 0;; side = 1 - side) {
      const std::uint64_t chunks = chunks_of(count);
      launch("butterfly.sums", queue, {row_of_blocks(batch_ * chunks), {OrderedSums<Operator>::threads, 1, 1}},
             OrderedSums<Operator>{op_, from, count, chunks, held.sums[side].data()});
      from = held.sums[side].data();
      count = chunks;
      if (chunks == 1) return from;
    }
  }

  Operator op_;
  std::vector<Held> held_;  ///< by device
  LinkPlan link_;
};

}  // namespace

std::unique_ptr<Transform> make_long_scan_parts(Queue& queue, const ButterflySettings& settings,
                                                const ButterflyVariant& variant) {
  return with_scan_operator(settings, [&](const auto& op) -> std::unique_ptr<Transform> {
    using Operator = std::decay_t<decltype(op)>;
    std::unique_ptr<Transform> made;
    for_each_type(ScanNetworks{}, [&]<class Network>() {
      if (variant.variant != Network::info.key) return;
      const auto of_part = [&op](Queue& own, const ButterflySettings& part, const ButterflyVariant& how,
                                 const typename Operator::Value* carries) {
        return scan_by_network<Network>(own, part, how, op, carries);
      };
      made = std::make_unique<LongScanParts<Operator>>(queue, settings, variant, op, of_part);
    });
    return made;
  });
}

}  // namespace warploom
