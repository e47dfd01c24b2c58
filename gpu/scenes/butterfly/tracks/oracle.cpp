#include "gpu/scenes/butterfly/tracks/oracle.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <numbers>

#include "gpu/core/pool.h"
#include "gpu/scenes/butterfly/tracks/operators.h"

namespace warploom {

namespace {

constexpr double never = std::numeric_limits<double>::infinity();
/// Answers of long rows take seconds: so many elements are worked at before the pool is asked whether they are wanted.
constexpr std::size_t elements_at_once = std::size_t{1} << 16;
using Wide = std::complex<double>;

/// exp(-2 pi i k / N) for all k < N / 2, by N; made once.
std::shared_ptr<const std::vector<Wide>> half_turn(std::size_t size) {
  static std::mutex mutex;
  static std::map<std::size_t, std::shared_ptr<const std::vector<Wide>>> known;
  const std::lock_guard lock(mutex);
  auto& one = known[size];
  if (!one) {
    std::vector<Wide> all;
    all.reserve(size / 2);
    for (std::size_t k = 0; k < size / 2; ++k)
      all.push_back(std::polar(1., -2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(size)));
    one = std::make_shared<const std::vector<Wide>>(std::move(all));
  }
  return one;
}

/// Of reordered values: halves first, so that what is small stays near. `turns`: half_turn of each length, by its log2.
void join_halves(Wide* x, int digits, bool inverse,
                 const std::vector<std::shared_ptr<const std::vector<Wide>>>& turns) {
  if (digits == 0) return;
  const std::size_t half = std::size_t{1} << (digits - 1);
  if (2 * half == elements_at_once) Pool::pause();
  join_halves(x, digits - 1, inverse, turns);
  join_halves(x + half, digits - 1, inverse, turns);
  const Wide* turn = turns[static_cast<std::size_t>(digits)]->data();
  for (std::size_t k = 0; k < half; ++k) {
    const double re = turn[k].real(), im = inverse ? -turn[k].imag() : turn[k].imag();
    const Wide u = x[k], v = x[k + half];
    // By hand: a product of std::complex asks for infinities.
    const Wide t{v.real() * re - v.imag() * im, v.real() * im + v.imag() * re};
    x[k] = u + t;
    x[k + half] = u - t;
  }
}

/// Decimation in time, in place; not scaled.
void transform(std::vector<Wide>& x, bool inverse) {
  const std::size_t size = x.size();
  for (std::size_t i = 1, j = 0; i < size; ++i) {
    std::size_t bit = size >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) std::swap(x[i], x[j]);
  }
  std::vector<std::shared_ptr<const std::vector<Wide>>> turns{nullptr};
  for (std::size_t length = 2; length <= size; length *= 2) turns.push_back(half_turn(length));
  join_halves(x.data(), static_cast<int>(turns.size()) - 1, inverse, turns);
}

template <class Value>
const Value* as(const std::uint8_t* bytes) {
  return reinterpret_cast<const Value*>(bytes);
}

/// The numbers of a row that a transform should give.
std::vector<double> right_transform(const ButterflySettings& settings, const std::uint8_t* input) {
  const std::size_t size = std::size_t{1} << settings.n;
  const float* in = as<float>(input);
  const auto flat = [](const std::vector<Wide>& x, std::size_t count, double scale) {
    std::vector<double> all;
    all.reserve(2 * count);
    for (std::size_t i = 0; i < count; ++i) {
      all.push_back(x[i].real() * scale);
      all.push_back(x[i].imag() * scale);
    }
    return all;
  };
  const double scale = settings.inverse ? 1 / static_cast<double>(size) : 1;
  std::vector<double> real(size);
  if (settings.algorithm == "fft") {
    std::vector<Wide> x(size);
    for (std::size_t i = 0; i < size; ++i) x[i] = {in[2 * i], in[2 * i + 1]};
    transform(x, settings.inverse);
    return flat(x, size, scale);
  }
  if (settings.algorithm == "real_fft" && !settings.inverse) {
    std::vector<Wide> x(size);
    for (std::size_t i = 0; i < size; ++i) x[i] = in[i];
    transform(x, false);
    return flat(x, size / 2 + 1, 1);
  }
  if (settings.algorithm == "real_fft") {
    std::vector<Wide> x(size);
    for (std::size_t k = 0; k <= size / 2; ++k) {
      x[k] = {in[2 * k], k == 0 || k == size / 2 ? 0 : in[2 * k + 1]};
      if (k > 0 && k < size / 2) x[size - k] = std::conj(x[k]);
    }
    transform(x, true);
    for (std::size_t i = 0; i < size; ++i) real[i] = x[i].real() * scale;
    return real;
  }
  // The cosine transform is that of the row and its mirror image, by twice as many.
  std::vector<Wide> x(2 * size);
  const auto turned = [&](std::size_t k, double sign) {
    return std::polar(1., sign * std::numbers::pi * static_cast<double>(k) / (2 * static_cast<double>(size)));
  };
  if (!settings.inverse) {
    for (std::size_t i = 0; i < size; ++i) x[i] = x[2 * size - 1 - i] = in[i];
    transform(x, false);
    for (std::size_t k = 0; k < size; ++k) {
      const Wide w = turned(k, -1);
      real[k] = x[k].real() * w.real() - x[k].imag() * w.imag();
    }
    return real;
  }
  for (std::size_t k = 0; k < size; ++k) {
    const Wide w = turned(k, 1);
    x[k] = {in[k] * w.real(), in[k] * w.imag()};
  }
  transform(x, true);
  for (std::size_t i = 0; i < size; ++i)
    real[i] = (2 * x[i].real() - static_cast<double>(in[0])) / (2 * static_cast<double>(size));
  return real;
}

/// Relative to the whole row; where the input is no number, that what has no answer is none. `parts` of a value: 2 of
/// complex ones, which are no number where either is none.
double distance(const std::vector<double>& right, const float* out, std::size_t parts) {
  double apart = 0, whole = 0;
  bool finite = true;
  for (const double one : right) finite = finite && std::isfinite(one);
  if (!finite) {
    const auto is_number = [&](const auto* values) {
      return std::all_of(values, values + parts, [](auto one) { return std::isfinite(one); });
    };
    for (std::size_t i = 0; i < right.size(); i += parts)
      if (!is_number(right.data() + i) && is_number(out + i)) return never;
    return 0;
  }
  for (std::size_t i = 0; i < right.size(); ++i) {
    const double difference = static_cast<double>(out[i]) - right[i];
    apart += difference * difference;
    whole += right[i] * right[i];
  }
  if (apart == 0) return 0;
  const double least = static_cast<double>(right.size()) * least_scale * least_scale;
  const double error = std::sqrt(apart / std::max(whole, least));
  return std::isfinite(error) ? error : never;
}

/// body(i, expected): of every value of so many rows what a scan of them makes; `in(i)` is what stood there.
template <class Operator, class In, class Body>
void each_scanned(const ButterflySettings& settings, std::uint64_t rows, const Operator& op, In&& in, Body&& body) {
  const bool goes_down = settings.axes == 2;
  const std::size_t columns = std::size_t{1} << settings.n;
  std::vector<typename Operator::Value> down(goes_down ? columns : 0, op.identity());
  for (std::uint64_t row = 0; row < rows; ++row) {
    auto along = op.identity();
    for (std::size_t i = 0; i < columns; ++i) {
      if ((row * columns + i) % elements_at_once == 0) Pool::pause();
      const auto next = op.combine(along, in(row * columns + i));
      auto expected = settings.exclusive ? along : next;
      along = next;
      if (goes_down) {
        const auto with_above = op.combine(down[i], expected);
        expected = settings.exclusive ? down[i] : with_above;
        down[i] = with_above;
      }
      body(row * columns + i, expected);
    }
  }
}

/// Sums in double, and of magnitudes.
struct WideSum {
  double sum = 0, magnitudes = 0;
};
struct WideAdd {
  using Value = WideSum;
  Value identity() const { return {}; }
  Value combine(const Value& a, const Value& b) const { return {a.sum + b.sum, a.magnitudes + b.magnitudes}; }
};

double float_scan_error(const ButterflySettings& settings, std::uint64_t rows, const float* in, const float* out) {
  double worst = 0;
  const auto wide = [&](std::size_t i) {
    const double value = in[i];
    return WideSum{value, std::abs(value)};
  };
  each_scanned(settings, rows, WideAdd{}, wide, [&](std::size_t i, const WideSum& right) {
    if (!std::isfinite(right.sum)) {
      if (std::isfinite(out[i])) worst = never;
      return;
    }
    const double apart = std::abs(static_cast<double>(out[i]) - right.sum);
    worst = std::max(worst, apart == 0             ? 0
                            : std::isfinite(apart) ? apart / std::max(right.magnitudes, least_scale)
                                                   : never);
  });
  return worst;
}

/// Of so many rows together.
double scan_error(const ButterflySettings& settings, std::uint64_t rows, const std::uint8_t* input,
                  const std::uint8_t* output) {
  return with_scan_operator(settings, [&]<class Operator>(const Operator& op) {
    using Value = typename Operator::Value;
    const auto *in = as<Value>(input), *out = as<Value>(output);
    if constexpr (std::is_same_v<Operator, FloatAdd>) {
      return float_scan_error(settings, rows, in, out);
    } else {
      double differing = 0;
      each_scanned(
          settings, rows, op, [&](std::size_t i) { return in[i]; },
          [&](std::size_t i, const Value& expected) {
            differing += std::memcmp(&expected, out + i, sizeof(Value)) != 0;
          });
      return differing;
    }
  });
}

double sort_error(const ButterflySettings& settings, const std::uint32_t* in, const std::uint32_t* out) {
  const std::size_t size = std::size_t{1} << settings.n;
  std::vector<std::uint32_t> right(in, in + size);
  std::size_t compared = 0;
  std::sort(right.begin(), right.end(), [&](std::uint32_t a, std::uint32_t b) {
    if (++compared % elements_at_once == 0) Pool::pause();
    return a < b;
  });
  double differing = 0;
  for (std::size_t i = 0; i < size; ++i) differing += right[i] != out[i];
  return differing;
}

/// omega: what the equations leave over, by what goes into them.
double backward_error(const ButterflySettings& settings, const float* rows, const float* x) {
  const std::size_t size = std::size_t{1} << settings.n;
  double most = 0, worst = 0;
  bool finite = true;
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t k = 0; k < 4; ++k)
      if ((k != 0 || i > 0) && (k != 2 || i + 1 < size)) finite = finite && std::isfinite(rows[4 * i + k]);
    most = std::max(most, std::abs(static_cast<double>(x[i])));
  }
  if (!finite) return 0;  // who has no answer is told so elsewhere
  for (std::size_t i = 0; i < size; ++i) {
    if (!std::isfinite(x[i])) return never;
    const double a = i ? rows[4 * i] : 0., b = rows[4 * i + 1], c = i + 1 < size ? rows[4 * i + 2] : 0.,
                 d = rows[4 * i + 3];
    const double left = (i ? a * x[i - 1] : 0.) + b * x[i] + (i + 1 < size ? c * x[i + 1] : 0.);
    const double over = std::abs(d - left),
                 scale = std::max(std::abs(a) + std::abs(b) + std::abs(c), least_scale) * std::max(most, least_scale) +
                         std::abs(d);
    if (over > 0) worst = std::max(worst, over / scale);
  }
  return worst;
}

}  // namespace

ButterflyJudge butterfly_judge(const ButterflySettings& settings) {
  const double n = settings.n;
  if (settings.algorithm == "sort") return {"bitwise", 0};
  if (settings.algorithm == "tridiagonal") return {"backward_error", 2e-6};
  if (settings.algorithm != "scan") return {"relative_l2", 2e-7 * std::sqrt(n)};
  if (settings.scan_operator != "add_float") return {"bitwise", 0};
  const double more = settings.axes == 2 ? std::ceil(std::log2(static_cast<double>(settings.batch))) : 0;
  return {"relative_sum", (2 * (n + more) + 2) * 0x1p-24};
}

double row_error(const ButterflySettings& settings, const std::uint8_t* input, const std::uint8_t* output) {
  if (settings.algorithm == "sort") return sort_error(settings, as<std::uint32_t>(input), as<std::uint32_t>(output));
  if (settings.algorithm == "tridiagonal") return backward_error(settings, as<float>(input), as<float>(output));
  if (settings.algorithm != "scan") {
    const std::size_t parts = output_shape(settings).numpy[1] == 'c' ? 2 : 1;
    return distance(right_transform(settings, input), as<float>(output), parts);
  }
  return scan_error(settings, 1, input, output);
}

double plane_error(const ButterflySettings& settings, const std::uint8_t* input, const std::uint8_t* output) {
  return scan_error(settings, settings.batch, input, output);
}

}  // namespace warploom
