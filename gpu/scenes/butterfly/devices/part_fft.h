#pragma once
#include <type_traits>

#include "gpu/core/group.h"
#include "gpu/core/unroll.h"
#include "gpu/scenes/butterfly/kernels/fft_data.h"
#include "gpu/scenes/butterfly/kernels/fft_stage_group.h"
#include "gpu/scenes/butterfly/networks/fft.h"

namespace warploom {

/// body(std::integral_constant<int, digits>), digits from 1 to 4.
template <class Body>
void with_digits(int digits, Body&& body) {
  const auto by = [&]<int of>(std::integral_constant<int, of> number) {
    if (of == digits) body(number);
  };
  by(std::integral_constant<int, 1>{});
  by(std::integral_constant<int, 2>{});
  by(std::integral_constant<int, 3>{});
  by(std::integral_constant<int, 4>{});
}

/// Where a device has its 2^(n - d) elements of a row: by the digits that are not its own.
struct FftPart {
  int n = 0, d = 0;
  std::uint64_t batch = 0;
  std::uint32_t device = 0;
  /// Which of its digits name the device. As outputs are left: the lowest before the exchange, then the highest. In
  /// natural order: the highest, but for the first windows those below them.
  enum class Field { lowest, below_highest, highest } field = Field::lowest;
  /// Of values in memory: row by row; or in blocks of all rows, which are sent to each device, or came from each: by
  /// the highest digits that are not the device's, by the lowest, or by those of the output, the lowest in reversed
  /// order.
  enum class Order { rows, by_highest, by_lowest, by_output };

  WARPLOOM_HD int own_digits() const { return n - d; }
  WARPLOOM_HD std::uint32_t element(std::uint32_t local) const {
    if (field == Field::lowest) return local << d | device;
    if (field == Field::highest) return device << own_digits() | local;
    const int digits = n - 2 * d;
    return (local >> digits) << own_digits() | device << digits | (local & ((1u << digits) - 1));
  }
  WARPLOOM_HD std::uint64_t at(Order order, std::uint64_t problem, std::uint32_t local) const {
    if (order == Order::rows) return (problem << own_digits()) + local;
    const int digits = n - 2 * d;  // of a block
    const bool highest = order == Order::by_highest;
    std::uint32_t block = highest ? local >> digits : local & ((1u << d) - 1);
    const std::uint32_t within = highest ? local & ((1u << digits) - 1) : local >> d;
    if (order == Order::by_output) block = reversed_digits(block, d);
    return ((block * batch + problem) << digits) + within;
  }
};

/// A window of a device's part of every row, a launch: from one array to the other. A thread has 2^p values.
template <int p>
struct PermutingPart {
  FftNetwork network;
  FftPart part;
  FftData data;
  int window, lowest;     ///< the digit of bit 0 of a register's number
  const Complex* before;  ///< null: as loaded
  Complex* after;         ///< null: it is the last
  FftPart::Order from, to;

  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    const int threads = part.own_digits() - p;
    // The part is a network of fewer digits: of those that name the device the lowest move what stands above them.
    const int down = part.field == FftPart::Field::highest ? 0 : part.d;
    each_item(group, part.batch << threads, [&](std::uint64_t i) {
      const std::uint64_t problem = i >> threads;
      const auto x = static_cast<std::uint32_t>(i & ((std::uint64_t{1} << threads) - 1));
      const FftNetwork::Window digits = network.window(window);
      const std::uint32_t first = WindowPlaces{part.own_digits(), p}.element(lowest - down, {x, 0});
      Complex v[1 << p];
      WARPLOOM_UNROLL
      for (int item = 0; item < 1 << p; ++item) {
        const std::uint32_t local = first | static_cast<std::uint32_t>(item) << (lowest - down - 1);
        v[item] = before ? before[part.at(from, problem, local)] : data.load(problem, part.element(local));
      }
      fft_digits<p>(v, digits.high, digits.low, lowest, part.element(first), data.twiddles, data.inverse);
      WARPLOOM_UNROLL
      for (int item = 0; item < 1 << p; ++item) {
        const std::uint32_t local = first | static_cast<std::uint32_t>(item) << (lowest - down - 1);
        if (after)
          after[part.at(to, problem, local)] = v[item];
        else
          data.store(problem, reversed_digits(part.element(local), network.n), v[item]);
      }
    });
  }
};

/// As it is loaded, to blocks. Launched with row_shape of a part's values.
struct LoadPart {
  FftPart part;
  FftData data;
  Complex* after;
  FftPart::Order to;
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    each_item(group, part.batch << part.own_digits(), [&](std::uint64_t i) {
      const std::uint64_t problem = i >> part.own_digits();
      const auto local = static_cast<std::uint32_t>(i & ((std::uint64_t{1} << part.own_digits()) - 1));
      after[part.at(to, problem, local)] = data.load(problem, part.element(local));
    });
  }
};

/// Outputs of a part in natural order, from blocks of each device. Launched with row_shape of a part's values.
struct StorePart {
  FftPart part;
  FftData data;
  const Complex* before;  ///< (devices, batch, 2^(n - 2d)): the elements whose lowest digits are the device's, reversed
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    const int digits = part.n - 2 * part.d;
    each_item(group, part.batch << part.own_digits(), [&](std::uint64_t i) {
      const auto within = static_cast<std::uint32_t>(i & ((std::uint64_t{1} << digits) - 1));
      const std::uint64_t problem = (i >> digits) % part.batch;
      const auto from = static_cast<std::uint32_t>((i >> digits) / part.batch);
      const std::uint32_t e = from << part.own_digits() | within << part.d | reversed_digits(part.device, part.d);
      data.store(problem, reversed_digits(e, part.n), before[i]);
    });
  }
};

}  // namespace warploom
