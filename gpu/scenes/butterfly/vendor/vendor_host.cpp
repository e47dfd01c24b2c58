// Transforms by others on the host: the standard library, and FFTW where a user has it.
#include "gpu/scenes/butterfly/vendor/vendor.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "gpu/core/shared_library.h"
#include "gpu/core/stopwatch.h"
#include "gpu/scenes/butterfly/tracks/operators.h"
#include "gpu/scenes/butterfly/vendor/fftw.h"

namespace warploom {

namespace {

/// Rows on the host, one by one, by as many threads as the queue has.
class HostRows : public VendorTransform {
 public:
  explicit HostRows(const ButterflySettings& settings)
      : VendorTransform(settings), in_(input_shape(settings)), out_(output_shape(settings)) {}

  void run(Queue& queue, const void* in, void* out, std::uint64_t*) override {
    TimedSpan span(queue, kernel_, bytes_moved_);
    const auto* from = static_cast<const std::uint8_t*>(in);
    auto* to = static_cast<std::uint8_t*>(out);
    // Some 16 thousand elements at a time.
    const std::uint64_t grain = std::max<std::uint64_t>(1, 16384 >> settings_.n);
    const std::uint64_t chunks = (settings_.batch + grain - 1) / grain;
    const bool finished = queue.pool().run(
        chunks,
        [&](std::uint64_t chunk) {
          for (std::uint64_t row = chunk * grain; row < std::min(settings_.batch, (chunk + 1) * grain); ++row)
            one(from + row * in_.row_bytes(), to + row * out_.row_bytes());
        },
        queue.cancel);
    if (!finished) throw Cancelled();
    if (settings_.axes == 2) down(to);
    span.finish();
  }

 protected:
  virtual void one(const std::uint8_t* in, std::uint8_t* out) const = 0;
  /// Columns of what was done to rows.
  virtual void down(std::uint8_t*) const {}
  RowShape in_, out_;
};

class StandardSort final : public HostRows {
 public:
  using HostRows::HostRows;

 private:
  void one(const std::uint8_t* in, std::uint8_t* out) const override {
    std::memcpy(out, in, in_.row_bytes());
    auto* keys = reinterpret_cast<std::uint32_t*>(out);
    std::sort(keys, keys + in_.elements);
  }
};

template <class Operator>
class StandardScan final : public HostRows {
 public:
  StandardScan(const ButterflySettings& settings, Operator op) : HostRows(settings), op_(op) {}

 private:
  using Value = typename Operator::Value;
  /// Of floats in double: what is added one after the other has no other bound.
  using Sum = std::conditional_t<std::is_same_v<Value, float>, double, Value>;
  Sum joined(const Sum& left, const Sum& right) const {
    if constexpr (std::is_same_v<Value, float>)
      return left + right;
    else
      return op_.combine(left, right);
  }
  void one(const std::uint8_t* in, std::uint8_t* out) const override {
    const auto* from = reinterpret_cast<const Value*>(in);
    auto* to = reinterpret_cast<Value*>(out);
    const auto join = [this](const Sum& left, const Sum& right) { return joined(left, right); };
    if (settings_.exclusive)
      std::exclusive_scan(from, from + in_.elements, to, static_cast<Sum>(op_.identity()), join);
    else
      std::inclusive_scan(from, from + in_.elements, to, join, static_cast<Sum>(op_.identity()));
  }
  void down(std::uint8_t* out) const override {
    auto* all = reinterpret_cast<Value*>(out);
    std::vector<Sum> sums(in_.elements, static_cast<Sum>(op_.identity()));
    for (std::uint64_t row = 0; row < settings_.batch; ++row)
      for (std::uint64_t e = 0; e < in_.elements; ++e) {
        Value& at = all[row * in_.elements + e];
        const Sum next = joined(sums[e], static_cast<Sum>(at));
        at = static_cast<Value>(settings_.exclusive ? sums[e] : next);
        sums[e] = next;
      }
  }
  Operator op_;
};

class FftwRows final : public HostRows {
 public:
  FftwRows(Queue&, const ButterflySettings& settings, const ButterflyVariant&)
      : HostRows(settings), fftw_(*loaded_once<Fftw>()), plan_(fftw_.plan(settings)) {}
  ~FftwRows() override { fftw_.destroy(plan_); }

 private:
  void one(const std::uint8_t* in, std::uint8_t* out) const override {
    // Its inverse of a real spectrum works in what it is given.
    std::vector<std::uint8_t> row(in, in + in_.row_bytes());
    fftw_.run(settings_, plan_, row.data(), out);
    if (!settings_.inverse) return;
    const float scale = (settings_.algorithm == "dct" ? .5f : 1.f) / static_cast<float>(1u << settings_.n);
    auto* values = reinterpret_cast<float*>(out);
    for (std::uint64_t i = 0; i < out_.row_bytes() / sizeof(float); ++i) values[i] *= scale;
  }
  const Fftw& fftw_;
  void* plan_;
};

std::unique_ptr<Transform> make_standard(Queue&, const ButterflySettings& settings, const ButterflyVariant&) {
  if (settings.algorithm == "sort") return std::make_unique<StandardSort>(settings);
  return with_scan_operator(settings, [&](auto op) -> std::unique_ptr<Transform> {
    return std::make_unique<StandardScan<decltype(op)>>(settings, op);
  });
}

}  // namespace

Vendor standard_library_vendor() {
  return {"the standard library", "",           "scan and sort on the CPU", "", Backend::cpu, {"scan", "sort"},
          [] { return true; },    make_standard};
}

Vendor fftw_vendor() {
  return {"FFTW",
          Fftw::file,
          "fft, real_fft and dct on the CPU",
          "install libfftw3-single3, or name its folder in WARPLOOM_VENDOR_LIBRARIES",
          Backend::cpu,
          {"fft", "real_fft", "dct"},
          is_loaded<Fftw>,
          make_rows<FftwRows>};
}

}  // namespace warploom
