// Transforms by others: the standard library, and FFTW where a user has it.
#include "gpu/tracks/butterfly/vendor.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "gpu/butterfly/rules/scan.h"
#include "gpu/core/error.h"
#include "gpu/core/stopwatch.h"
#include "gpu/tracks/butterfly/fftw.h"

namespace warploom {

namespace {

/// Rows on the host, one by one, by as many threads as the queue has.
class HostRows : public Transform {
 public:
  explicit HostRows(const ButterflySettings& settings)
      : settings_(settings),
        in_(input_shape(settings)),
        out_(output_shape(settings)),
        bytes_moved_(moved_bytes(settings)) {}

  void run(Queue& queue, const void* in, void* out, std::uint64_t*) override {
    TimedSpan span(queue, kernel_of(settings_.algorithm), bytes_moved_);
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
  LaunchShape shape() const override { return {}; }
  NetworkReport report() const override { return {}; }
  std::vector<NetworkEdge> edges() const override { return {}; }
  TransformTrace trace(Queue&, const void*, const Wanted&, std::uint64_t*) override { return {}; }
  RowShape step_shape() const override { return out_; }
  std::uint64_t bytes() const override { return 0; }

 protected:
  virtual void one(const std::uint8_t* in, std::uint8_t* out) const = 0;
  /// Columns of what was done to rows.
  virtual void down(std::uint8_t*) const {}
  ButterflySettings settings_;
  RowShape in_, out_;

 private:
  std::uint64_t bytes_moved_;
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
  explicit FftwRows(const ButterflySettings& settings)
      : HostRows(settings), fftw_(*Fftw::get()), plan_(fftw_.plan(settings)) {}
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

bool is_transform(const std::string& algorithm) {
  return algorithm == "fft" || algorithm == "real_fft" || algorithm == "dct";
}

}  // namespace

std::vector<VendorLibrary> vendor_libraries() {
  return {{"FFTW", "libfftw3f.so.3", "fft, real_fft and dct on the CPU", Fftw::get() != nullptr,
           "install libfftw3-single3, or name its folder in WARPLOOM_VENDOR_LIBRARIES"}};
}

std::string vendor_missing(Backend backend, const std::string& algorithm) {
  if (backend == Backend::cuda)
    return "no vendor's library is driven on CUDA yet; choose another track, or --backend cpu";
  if (algorithm == "tridiagonal") return "there is no vendor's solver on the CPU; choose thomas";
  if (is_transform(algorithm) && !Fftw::get()) {
    const auto all = vendor_libraries();
    return std::string(all[0].file) + " is not there: " + all[0].remedy;
  }
  return {};
}

std::unique_ptr<Transform> make_vendor_transform(Queue& queue, const ButterflySettings& settings) {
  if (const std::string why = vendor_missing(queue.backend(), settings.algorithm); !why.empty())
    throw UsageError("track vendor: " + why);
  if (settings.algorithm == "sort") return std::make_unique<StandardSort>(settings);
  if (is_transform(settings.algorithm)) return std::make_unique<FftwRows>(settings);
  if (settings.scan_operator == "add_float") return std::make_unique<StandardScan<FloatAdd>>(settings, FloatAdd{});
  if (settings.scan_operator == "affine")
    return std::make_unique<StandardScan<AffineOperator>>(settings, AffineOperator{});
  using Kind = WordOperator::Kind;
  const Kind kind = settings.scan_operator == "multiply" ? Kind::multiply
                    : settings.scan_operator == "max"    ? Kind::maximum
                                                         : Kind::add;
  return std::make_unique<StandardScan<WordOperator>>(settings, WordOperator{kind});
}

}  // namespace warploom
