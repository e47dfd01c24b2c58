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

template <int p>
class FftParts final : public TeamTransform {
 public:
  FftParts(const Queue& queue, const ButterflySettings& settings, const ButterflyVariant& variant, const FftPlan& plan)
      : TeamTransform(queue, settings, variant),
        network_(plan.network),
        d_(std::countr_zero(static_cast<unsigned>(team_->size()))),
        exchange_(network_.exchange_window(d_)) {
    for (int device = 0; device < team_->size(); ++device) {
      Queue& own = team_->queue(device);
      const OnDevice here(own.device());
      Held& held = held_.emplace_back(own, settings.n);
      for (auto& values : held.values) values = Buffer<Complex>(own.backend(), batch_ << (network_.n - d_));
      if (reaches(device)) continue;
      held.in = Buffer<Complex>(own.backend(), batch_ << network_.n);
      held.out = Buffer<Complex>(own.backend(), batch_ << network_.n);
    }
    const std::uint64_t block = (sizeof(Complex) * batch_) << (network_.n - 2 * d_);
    const auto number = [](int device) { return static_cast<std::uint64_t>(device); };
    for (int own = 0; own < team_->size(); ++own)
      for (int other = 0; other < team_->size(); ++other)
        link_.transfers.push_back({own, other, number(other) * block, number(own) * block, block});
  }

  std::vector<Part> parts() const override {
    const int threads = network_.n - d_ - p;
    return {static_cast<std::size_t>(team_->size()), {row_shape(batch_ << threads), batch_, threads}};
  }
  NetworkReport report() const override {
    NetworkReport report = begun_report(network_, variant_.mapping, 0);
    report.devices = team_->size();
    report.values = values();
    report.link_exchanges = 1;
    report.launches = static_cast<std::uint64_t>(network_.windows());
    report.blocks = parts().front().shape.block_count() * held_.size();
    report.word_bytes = sizeof(Complex);
    tell_digits(report, network_, false);
    for (int j = 0; j <= network_.stages(); ++j) report.places.push_back(places(j));
    for (int j = 1; j <= network_.stages(); ++j) {
      StageReport one;
      one.digits = network_.stage(j);
      one.operators = std::uint64_t{1} << (network_.n - (one.digits.high - one.digits.low + 1));
      one.active = std::uint64_t{1} << (network_.n - p);
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
          const EdgeKind kind = !begins                                                         ? EdgeKind::in_register
                                : network_.device(j - 1, from, d_) != network_.device(j, e, d_) ? EdgeKind::link
                                                                                                : EdgeKind::global;
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
    // X[D i + r] is of the device whose number has the digits of r in reversed order.
    for (std::size_t k = 0; k < held_.size(); ++k) {
      if (!held_[k].out.size()) continue;
      const std::uint64_t first = reversed_digits(static_cast<std::uint32_t>(k), d_), apart = sizeof(Complex) << d_;
      copy_rows(queue, static_cast<Complex*>(out) + first, apart, held_[k].out.data() + first, apart, sizeof(Complex),
                batch_ << (network_.n - d_));
    }
  }
  void run_parts(Team::Step& step, const void* in, void* out, std::uint64_t*) override {
    int side = 0;
    for (int window = 0; window < network_.windows(); ++window) {
      const bool behind = window == exchange_;
      if (behind) {
        exchange(step, side);
        side = 1 - side;
      }
      step.each(kernel_, [&](int device, Queue& queue) {
        const Held& own = held_[static_cast<std::size_t>(device)];
        PermutingPart<p> program{
            network_, {}, {}, window, nullptr, nullptr, FftPart::Order::rows, FftPart::Order::rows};
        program.part = {network_.n, d_, batch_, static_cast<std::uint32_t>(device), window < exchange_};
        program.data = {FftKind::complex,
                        settings_.inverse,
                        settings_.n,
                        own.in.size() ? own.in.data() : in,
                        own.out.size() ? own.out.data() : out,
                        own.tables.view()};
        if (window > 0) program.before = own.values[side].data();
        if (window + 1 < network_.windows()) program.after = own.values[1 - side].data();
        if (behind) program.from = FftPart::Order::received;
        if (window + 1 == exchange_) program.to = FftPart::Order::sent;
        launch(kernel_, queue, row_shape(batch_ << (network_.n - d_ - p)), program);
      });
      side = 1 - side;
    }
  }
  std::uint64_t bytes_on(int device) const override {
    const Held& own = held_[static_cast<std::size_t>(device)];
    return own.tables.bytes() + own.values[0].bytes() + own.values[1].bytes() + own.in.bytes() + own.out.bytes();
  }
  std::uint64_t bytes_moved() const override {
    return bytes_moved_ +
           2 * static_cast<std::uint64_t>(network_.windows() - 1) * (sizeof(Complex) * batch_ << network_.n);
  }
  void tell(DevicesReport& report) const override {
    report.split = "elements";
    report.exchanges = 1;
    report.values = values();
    report.bytes = values() * batch_ * sizeof(Complex);
  }

 private:
  struct Held {
    Held(Queue& queue, int n) : tables(queue, n) {}
    TwiddleTables tables;
    std::array<Buffer<Complex>, 2> values;
    Buffer<Complex> in, out;
  };
  /// All but what stays: a part of each part.
  std::uint64_t values() const { return (std::uint64_t{1} << network_.n) - (std::uint64_t{1} << (network_.n - d_)); }
  bool is_exchange(int stage) const {
    return stage > 1 && network_.stage(stage).window == exchange_ && network_.stage(stage - 1).window != exchange_;
  }
  /// Where the digits are when a stage runs.
  std::vector<DigitPlace> places(int stage) const {
    const int window = stage ? network_.stage(stage).window : 0;
    const bool before = stage == 0 || window < exchange_;
    const int down = before ? d_ : 0, own = network_.n - d_,
              lowest = std::max(1, WindowPlaces::lowest(network_, window) - down);  // of the part
    std::vector<DigitPlace> all;
    for (int digit = 1; digit <= network_.n; ++digit) {
      const bool of_device = before ? digit <= d_ : digit > own;
      const std::uint32_t local = of_device ? 0 : 1u << (digit - 1 - down);
      const NetworkPlace at = WindowPlaces{own, p}.place(lowest, local);
      if (of_device)
        all.push_back({DigitPlace::Of::device, before ? digit - 1 : digit - 1 - own});
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
  int d_, exchange_;        ///< exchange_: the window that it comes before
  LinkPlan link_;           ///< each part's blocks to each
  std::vector<Held> held_;  ///< by device
};

}  // namespace

std::unique_ptr<Transform> make_fft_parts(Queue& queue, const ButterflySettings& settings,
                                          const ButterflyVariant& variant) {
  const FftPlan plan = fft_plan(settings, variant);
  const auto made = [&]<int p>(std::integral_constant<int, p>) -> std::unique_ptr<Transform> {
    return std::make_unique<FftParts<p>>(queue, settings, variant, plan);
  };
  switch (plan.network.p) {
    case 1:
      return made(std::integral_constant<int, 1>{});
    case 2:
      return made(std::integral_constant<int, 2>{});
    case 3:
      return made(std::integral_constant<int, 3>{});
    default:
      return made(std::integral_constant<int, 4>{});
  }
}

}  // namespace warploom
