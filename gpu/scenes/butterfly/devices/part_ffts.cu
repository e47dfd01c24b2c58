// Transforms whose rows' elements are shared out among devices: window by window, with one exchange.
// nvcc: by itself
#include <algorithm>
#include <array>
#include <bit>

#include "gpu/core/launch.h"
#include "gpu/scenes/butterfly/devices/part_fft.h"
#include "gpu/scenes/butterfly/devices/team_transform.h"
#include "gpu/scenes/butterfly/tracks/fft_plan.h"
#include "gpu/scenes/butterfly/tracks/fft_report.h"

namespace warploom {

namespace {

class FftParts final : public TeamTransform {
  using Field = FftPart::Field;
  using Order = FftPart::Order;

 public:
  FftParts(const Queue& queue, const ButterflySettings& settings, const ButterflyVariant& variant, const FftPlan& plan)
      : TeamTransform(queue, settings, variant),
        network_(plan.network),
        d_(std::countr_zero(static_cast<unsigned>(team_->size()))),
        exchange_(natural() ? network_.first_windows() : network_.exchange_window(d_)) {
    for (int device = 0; device < team_->size(); ++device) {
      Queue& own = team_->queue(device);
      const OnDevice here(own.device());
      Held& held = held_.emplace_back(own, settings.n);
      for (auto& values : held.values) values = Buffer<Complex>(own.backend(), batch_ << (network_.n - d_));
      if (reaches(device)) continue;
      held.in = Buffer<Complex>(own.backend(), batch_ << network_.n);
      held.out = Buffer<Complex>(own.backend(), batch_ << network_.n);
    }
    link_ = all_to_all(team_->size(), (sizeof(Complex) * batch_) << (network_.n - 2 * d_));
  }

  std::vector<Part> parts() const override {
    const int threads = network_.n - d_ - digits_of(network_.windows() - 1);
    return {static_cast<std::size_t>(team_->size()), {row_shape(batch_ << threads), batch_, threads}};
  }
  NetworkReport report() const override {
    NetworkReport report = begun_report(network_, variant_.mapping, 0);
    report.devices = team_->size();
    report.values = exchanges() * values();
    report.link_exchanges = exchanges();
    report.launches = static_cast<std::uint64_t>(network_.windows()) + (natural() ? 2 : 0);
    report.blocks = parts().front().shape.block_count() * held_.size();
    report.word_bytes = sizeof(Complex);
    tell_digits(report, network_, false);
    for (int j = 0; j <= network_.stages(); ++j) report.places.push_back(places(j));
    for (int j = 1; j <= network_.stages(); ++j) {
      StageReport one;
      one.digits = network_.stage(j);
      one.operators = std::uint64_t{1} << (network_.n - (one.digits.high - one.digits.low + 1));
      one.active = std::uint64_t{1} << (network_.n - digits_of(one.digits.window));
      if (is_exchange(j)) one.values = values();
      report.by_stage.push_back(one);
    }
    for (const NetworkEdge& edge : edges())
      ++report.by_stage[static_cast<std::size_t>(edge.stage - 1)].edges[static_cast<std::size_t>(edge.where)];
    return report;
  }
  std::vector<NetworkEdge> edges() const override {
    std::vector<NetworkEdge> all;
    for (int j = 1; j <= network_.stages(); ++j) {
      const bool begins = j > 1 && network_.stage(j).window != network_.stage(j - 1).window;
      for (std::uint32_t e = 0; e >> network_.n == 0; ++e)
        each_operand(network_, j, e, [&](int k, std::uint32_t from) {
          const EdgeKind kind = network_.device(j - 1, from, d_) != network_.device(j, e, d_) ? EdgeKind::link
                                : begins                                                      ? EdgeKind::global
                                                                                              : EdgeKind::in_register;
          all.push_back({j, static_cast<std::int32_t>(network_.node(j, e)), static_cast<std::int32_t>(from),
                         static_cast<std::int32_t>(e), static_cast<std::int32_t>(kind), k});
        });
    }
    return all;
  }
  int device_at(int stage, std::uint32_t e) const override { return network_.device(stage, e, d_); }

 protected:
  void scatter(Queue& queue, const void* in) override {
    for (const Held& one : held_)
      if (one.in.size()) copy_bytes(queue, one.in.data(), in, one.in.bytes());
  }
  void gather(Queue& queue, void* out, std::uint64_t*) override {
    for (std::size_t k = 0; k < held_.size(); ++k) {
      if (!held_[k].out.size()) continue;
      const std::uint64_t part = std::uint64_t{1} << (network_.n - d_);
      if (natural()) {
        const std::uint64_t row = sizeof(Complex) << network_.n;
        copy_rows(queue, static_cast<Complex*>(out) + k * part, row, held_[k].out.data() + k * part, row,
                  part * sizeof(Complex), batch_);
        continue;
      }
      // X[D i + r] is of the device whose number has the digits of r in reversed order.
      const std::uint64_t first = reversed_digits(static_cast<std::uint32_t>(k), d_), apart = sizeof(Complex) << d_;
      copy_rows(queue, static_cast<Complex*>(out) + first, apart, held_[k].out.data() + first, apart, sizeof(Complex),
                batch_ << (network_.n - d_));
    }
  }
  void run_parts(Team::Step& step, const void* in, void* out, std::uint64_t*) override {
    int side = 0;
    const auto data = [&](const Held& own) {
      return FftData{FftKind::complex,
                     settings_.inverse,
                     settings_.n,
                     own.in.size() ? own.in.data() : in,
                     own.out.size() ? own.out.data() : out,
                     own.tables.view()};
    };
    if (natural()) {
      step.each("butterfly.pack", [&](int device, Queue& queue) {
        const Held& own = held_[static_cast<std::size_t>(device)];
        launch("butterfly.pack", queue, row_shape(batch_ << (network_.n - d_)),
               LoadPart{part(device, Field::highest), data(own), own.values[side].data(), Order::by_highest});
      });
      exchange(step, side);
      side = 1 - side;
    }
    const int last = network_.windows() - 1;
    for (int window = 0; window <= last; ++window) {
      const bool behind = window == exchange_;
      if (behind) {
        exchange(step, side);
        side = 1 - side;
      }
      step.each(kernel_, [&](int device, Queue& queue) {
        const Held& own = held_[static_cast<std::size_t>(device)];
        with_digits(digits_of(window), [&]<int p>(std::integral_constant<int, p>) {
          PermutingPart<p> program{network_,          part(device, field_of(window)),
                                   data(own),         window,
                                   lowest_of(window), nullptr,
                                   nullptr,           Order::rows,
                                   Order::rows};
          if (window > 0 || natural()) program.before = own.values[side].data();
          if (window < last || natural()) program.after = own.values[1 - side].data();
          if (behind) program.from = natural() ? Order::by_highest : Order::by_lowest;
          if (window == 0 && natural()) program.from = Order::by_highest;
          if (window + 1 == exchange_) program.to = Order::by_highest;
          if (window == last && natural()) program.to = Order::by_output;
          launch(kernel_, queue, row_shape(batch_ << (network_.n - d_ - p)), program);
        });
      });
      side = 1 - side;
    }
    if (!natural()) return;
    exchange(step, side);
    side = 1 - side;
    step.each("butterfly.pack", [&](int device, Queue& queue) {
      const Held& own = held_[static_cast<std::size_t>(device)];
      launch("butterfly.pack", queue, row_shape(batch_ << (network_.n - d_)),
             StorePart{part(device, Field::highest), data(own), own.values[side].data()});
    });
  }
  std::uint64_t bytes_on(int device) const override {
    const Held& own = held_[static_cast<std::size_t>(device)];
    return own.tables.bytes() + own.values[0].bytes() + own.values[1].bytes() + own.in.bytes() + own.out.bytes();
  }
  std::uint64_t bytes_moved() const override {
    return bytes_moved_ + 2 * static_cast<std::uint64_t>(network_.windows() - 1 + (natural() ? 2 : 0)) *
                              (sizeof(Complex) * batch_ << network_.n);
  }
  void tell(DevicesReport& report) const override {
    report.split = "elements";
    report.exchanges = exchanges();
    report.values = exchanges() * values();
    report.bytes = report.values * batch_ * sizeof(Complex);
  }

 private:
  struct Held {
    Held(Queue& queue, int n) : tables(queue, n) {}
    TwiddleTables tables;
    std::array<Buffer<Complex>, 2> values;
    Buffer<Complex> in, out;
  };
  bool natural() const { return network_.first_digits > 0; }
  std::uint64_t exchanges() const { return natural() ? 3 : 1; }
  /// Of an exchange: all but what stays, a part of each part.
  std::uint64_t values() const { return (std::uint64_t{1} << network_.n) - (std::uint64_t{1} << (network_.n - d_)); }
  bool is_exchange(int stage) const {
    if (stage == 1) return natural();
    return network_.stage(stage).window == exchange_ && network_.stage(stage - 1).window != exchange_;
  }
  Field field_of(int window) const {
    return window >= exchange_ ? Field::highest : natural() ? Field::below_highest : Field::lowest;
  }
  /// Digits of a thread's registers: in natural order those of the window alone, as others are not beside them.
  int digits_of(int window) const {
    const FftNetwork::Window at = network_.window(window);
    return natural() ? at.high - at.low + 1 : network_.p;
  }
  int lowest_of(int window) const {
    return natural() ? network_.window(window).low : WindowPlaces::lowest(network_, window);
  }
  FftPart part(int device, Field field) const {
    return {network_.n, d_, batch_, static_cast<std::uint32_t>(device), field};
  }
  /// Where the digits are when a stage runs.
  std::vector<DigitPlace> places(int stage) const {
    const int window = stage ? network_.stage(stage).window : 0;
    const Field field = stage == 0 && natural() ? Field::highest : field_of(window);
    const int own = network_.n - d_, down = field == Field::highest ? 0 : d_, p = digits_of(window),
              lowest = std::clamp(lowest_of(window) - down, 1, own - p + 1);                          // of the part
    const int first = field == Field::lowest ? 1 : field == Field::highest ? own + 1 : own - d_ + 1;  // the device's
    std::vector<DigitPlace> all;
    for (int digit = 1; digit <= network_.n; ++digit) {
      const bool of_device = digit >= first && digit < first + d_;
      const std::uint32_t local = of_device ? 0 : 1u << (digit - 1 - (digit > first ? d_ : 0));
      const NetworkPlace at = WindowPlaces{own, p}.place(lowest, local);
      if (of_device)
        all.push_back({DigitPlace::Of::device, digit - first});
      else if (at.item)
        all.push_back({DigitPlace::Of::registers, std::countr_zero(at.item)});
      else
        all.push_back({DigitPlace::Of::thread, std::countr_zero(at.thread)});
    }
    return all;
  }
  void exchange(Team::Step& step, int side) {
    std::vector<const void*> from;
    std::vector<void*> to;
    for (Held& held : held_) {
      from.push_back(held.values[static_cast<std::size_t>(side)].data());
      to.push_back(held.values[static_cast<std::size_t>(1 - side)].data());
    }
    step.exchange("butterfly.link", link_, from, to);
  }

  FftNetwork network_;
  int d_, exchange_;        ///< exchange_: the window that it comes before, in natural order the second one
  LinkPlan link_;           ///< each part's blocks to each
  std::vector<Held> held_;  ///< by device
};

}  // namespace

std::unique_ptr<Transform> make_fft_parts(Queue& queue, const ButterflySettings& settings,
                                          const ButterflyVariant& variant) {
  ButterflyVariant shared_out = variant;
  // The trace of one device has the same windows.
  if (settings.order != "left") shared_out.first_digits = std::countr_zero(static_cast<unsigned>(variant.devices));
  return std::make_unique<FftParts>(queue, settings, shared_out, fft_plan(settings, shared_out));
}

}  // namespace warploom
