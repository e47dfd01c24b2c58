// Long transforms whose values are shared out among devices: each transforms every D-th value, turns what it has, and
// after an exchange D values, one of each device, make D outputs. Source: bailey1990external.
// nvcc: by itself
#include <array>

#include "gpu/core/launch.h"
#include "gpu/scenes/butterfly/devices/long_parts.h"
#include "gpu/scenes/butterfly/devices/part_fft.h"
#include "gpu/scenes/butterfly/kernels/fft_data.h"
#include "gpu/scenes/butterfly/kernels/fft_stage_group.h"
#include "gpu/scenes/butterfly/networks/fft.h"

namespace warploom {

namespace {

/// Values of a box (rows, 2^b, 2^c) from one order to another. Launched with row_shape(values).
struct MoveValues {
  struct Places {
    std::uint64_t row = 0, b = 0, c = 0;  ///< how far it is from each to the next
  };
  const Complex* from;
  Complex* to;
  int b, c;
  Places of, into;
  std::uint64_t values;
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    each_item(group, values, [&](std::uint64_t i) {
      const std::uint64_t at_c = i & ((std::uint64_t{1} << c) - 1), at_b = (i >> c) & ((std::uint64_t{1} << b) - 1),
                          row = i >> (b + c);
      to[row * into.row + at_b * into.b + at_c * into.c] = from[row * of.row + at_b * of.b + at_c * of.c];
    });
  }
};

/// Of rows of 2^n values, of which a device has every 2^d-th: what each of its outputs is turned by before those of all
/// devices meet; in blocks by the lowest digits of the output's number. Launched with row_shape of a part's values.
struct TurnParts {
  const Complex* from;  ///< (batch, 2^(n - d))
  Complex* to;          ///< (2^d, batch, 2^(n - 2d))
  int n, d;
  std::uint64_t batch;
  std::uint32_t device;
  Twiddles twiddles;
  bool inverse;
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    each_item(group, batch << (n - d), [&](std::uint64_t i) {
      const std::uint64_t row = i >> (n - d);
      const auto j = static_cast<std::uint32_t>(i & ((std::uint64_t{1} << (n - d)) - 1));
      const Complex w = twiddles.at(j * device, n);
      const std::uint64_t block = j & ((1u << d) - 1), within = j >> d;
      to[((block * batch + row) << (n - 2 * d)) + within] = from[i] * (inverse ? conjugate(w) : w);
    });
  }
};

/// D values, one of each device, make D outputs. Launched with row_shape(batch << (n - 2 d)).
template <int d>
struct MeetParts {
  const Complex* from;  ///< (2^d, batch, 2^(n - 2d))
  Complex* to;          ///< (batch, 2^d, 2^(n - 2d))
  int n;
  std::uint64_t batch;
  Twiddles twiddles;
  bool inverse;
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    const int digits = n - 2 * d;
    each_item(group, batch << digits, [&](std::uint64_t i) {
      const std::uint64_t row = i >> digits, within = i & ((std::uint64_t{1} << digits) - 1);
      Complex v[1 << d];
      WARPLOOM_UNROLL
      for (std::uint64_t k = 0; k < 1 << d; ++k) v[k] = from[((k * batch + row) << digits) + within];
      fft_digits<d>(v, d, 1, 1, 0, twiddles, inverse);
      WARPLOOM_UNROLL
      for (std::uint32_t k = 0; k < 1 << d; ++k) {
        const std::uint64_t output = reversed_digits(k, d);
        to[((row << d | output) << digits) + within] = inverse ? (1.f / (1 << d)) * v[k] : v[k];
      }
    });
  }
};

class LongFftParts final : public LongParts {
 public:
  LongFftParts(const Queue& queue, const ButterflySettings& settings, const ButterflyVariant& variant)
      : LongParts(queue, settings, variant, settings.order == "left"), natural_(settings.order != "left") {
    for (int device = 0; device < devices(); ++device) {
      Queue& own = team_->queue(device);
      const OnDevice here(own.device());
      Held& held = held_.emplace_back(own, settings.n);
      held.transform = make_transform(own, part_settings(), part_variant());
      for (auto& values : held.values) values = Buffer<Complex>(own.backend(), values_of_part());
      if (!natural_ && !reaches(device) && !staging_.size()) {
        const OnDevice first(queue.device());
        staging_ = Buffer<Complex>(queue.backend(), values_of_part());
      }
    }
    const std::uint64_t block = values_of_part() * sizeof(Complex) >> d_;
    const auto by_output = [this](int device) { return reversed(device); };
    in_ = all_to_all(devices(), block);
    meet_ = all_to_all(devices(), block, by_output);
    out_ = all_to_all(devices(), block, BlockOfDevice(), by_output);
    begin_report(held_.front().transform->report(), std::uint64_t{1} << (settings.n - d_), 1, natural_ ? 6 : 2);
    report_.operator_string.clear();  // that of a part is not the whole's
    const std::uint64_t exchanges = natural_ ? 3 : 1, row = std::uint64_t{1} << settings.n;
    tell_link(exchanges * (row - (row >> d_)), sizeof(Complex), exchanges);
  }
  std::optional<KernelResources> resources(const Queue& queue) const override {
    return held_.front().transform->resources(queue);
  }

 protected:
  void scatter(Queue& queue, const void* in) override {
    if (natural_) return LongParts::scatter(queue, in);
    const std::uint64_t part = std::uint64_t{1} << own_digits();
    for (int device = 0; device < devices(); ++device) {
      auto* const rows = reinterpret_cast<Complex*>(rows_[static_cast<std::size_t>(device)].in.data());
      Complex* const to = reaches(device) ? rows : staging_.data();
      move(queue, static_cast<const Complex*>(in) + device, to, 0, own_digits(), {part << d_, 0, 1ull << d_},
           {part, 0, 1});
      if (to != rows) copy_bytes(queue, rows, to, values_of_part() * sizeof(Complex));
    }
  }
  void gather(Queue& queue, void* out, std::uint64_t* singular) override {
    if (natural_) return LongParts::gather(queue, out, singular);
    const std::uint64_t part = std::uint64_t{1} << own_digits();
    for (int device = 0; device < devices(); ++device) {
      const auto* rows = reinterpret_cast<const Complex*>(rows_[static_cast<std::size_t>(device)].out.data());
      if (!reaches(device)) {
        copy_bytes(queue, staging_.data(), rows, values_of_part() * sizeof(Complex));
        rows = staging_.data();
      }
      // X[D i + r] is of the device whose number has the digits of r in reversed order.
      move(queue, rows, static_cast<Complex*>(out) + reversed(device), 0, own_digits(), {part, 0, 1},
           {part << d_, 0, 1ull << d_});
    }
  }
  void run_parts(Team::Step& step, const void* in, void* out, std::uint64_t*) override {
    const int within = settings_.n - 2 * d_;
    const std::uint64_t part = std::uint64_t{1} << own_digits(), block = batch_ << within, one = 1ull << within;
    const auto values = [&](int device, std::size_t side) {
      return held_[static_cast<std::size_t>(device)].values[side].data();
    };
    if (natural_) {
      step.each("butterfly.pack", [&](int device, Queue& queue) {
        move(queue, static_cast<const Complex*>(part_in(device, in)), values(device, 0), d_, within,
             {part, 1, 1ull << d_}, {one, block, 1});
      });
      exchange(step, in_, 0);
      step.each("butterfly.pack", [&](int device, Queue& queue) {
        move(queue, values(device, 1), values(device, 0), d_, within, {one, block, 1}, {part, one, 1});
      });
    }
    step.each(
        kernel_,
        [&](int device, Queue& queue) {
          Held& held = held_[static_cast<std::size_t>(device)];
          held.transform->run(queue, natural_ ? values(device, 0) : part_in(device, in), values(device, 1), nullptr);
          launch(kernel_, queue, row_shape(values_of_part()),
                 TurnParts{values(device, 1), values(device, 0), settings_.n, d_, batch_,
                           static_cast<std::uint32_t>(device), held.tables.view(), settings_.inverse});
        },
        /*may_wait=*/true);
    exchange(step, meet_, 0);
    step.each(kernel_, [&](int device, Queue& queue) {
      meet(device, queue, natural_ ? values(device, 0) : static_cast<Complex*>(part_out(device, out)));
    });
    if (!natural_) return;
    step.each("butterfly.pack", [&](int device, Queue& queue) {
      move(queue, values(device, 0), values(device, 1), d_, within, {part, one, 1}, {one, block, 1});
    });
    exchange(step, out_, 1);
    step.each("butterfly.pack", [&](int device, Queue& queue) {
      move(queue, values(device, 0), static_cast<Complex*>(part_out(device, out)), d_, within, {one, block, 1},
           {part, 1, 1ull << d_});
    });
  }
  std::uint64_t bytes_on(int device) const override {
    const Held& held = held_[static_cast<std::size_t>(device)];
    return rows_bytes(device) + held.transform->bytes() + held.tables.bytes() + held.values[0].bytes() +
           held.values[1].bytes() + (device == 0 ? staging_.bytes() : 0);
  }
  std::uint64_t bytes_moved() const override { return report_.launches * bytes_moved_; }

 private:
  struct Held {
    Held(Queue& queue, int n) : tables(queue, n) {}
    TwiddleTables tables;
    std::unique_ptr<Transform> transform;
    std::array<Buffer<Complex>, 2> values;
  };
  std::uint64_t values_of_part() const { return batch_ << own_digits(); }
  int reversed(int device) const { return static_cast<int>(reversed_digits(static_cast<std::uint32_t>(device), d_)); }
  void move(Queue& queue, const Complex* from, Complex* to, int b, int c, const MoveValues::Places& of,
            const MoveValues::Places& into) const {
    launch("butterfly.pack", queue, row_shape(values_of_part()),
           MoveValues{from, to, b, c, of, into, values_of_part()});
  }
  /// From one side's values to the other's.
  void exchange(Team::Step& step, const LinkPlan& plan, std::size_t side) const {
    std::vector<const void*> from;
    std::vector<void*> to;
    for (const Held& held : held_) {
      from.push_back(held.values[side].data());
      to.push_back(held.values[1 - side].data());
    }
    step.exchange("butterfly.link", plan, from, to);
  }
  void meet(int device, Queue& queue, Complex* to) const {
    const Held& held = held_[static_cast<std::size_t>(device)];
    with_digits(d_, [&]<int d>(std::integral_constant<int, d>) {
      launch(kernel_, queue, row_shape(values_of_part() >> d),
             MeetParts<d>{held.values[1].data(), to, settings_.n, batch_, held.tables.view(), settings_.inverse});
    });
  }

  bool natural_;
  LinkPlan in_, meet_, out_;
  Buffer<Complex> staging_;  ///< on the first device: of a part that another one has
  std::vector<Held> held_;   ///< by device
};

}  // namespace

std::unique_ptr<Transform> make_long_fft_parts(Queue& queue, const ButterflySettings& settings,
                                               const ButterflyVariant& variant) {
  return std::make_unique<LongFftParts>(queue, settings, variant);
}

}  // namespace warploom
