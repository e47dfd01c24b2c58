#pragma once
#include "gpu/core/group.h"
#include "gpu/core/unroll.h"
#include "gpu/scenes/butterfly/kernels/fft_data.h"
#include "gpu/scenes/butterfly/kernels/fft_stage_group.h"
#include "gpu/scenes/butterfly/networks/fft.h"

namespace warploom {

/// Where a device has its 2^(n - d) elements of a row: by the digits that are not its own.
struct FftPart {
  int n = 0, d = 0;
  std::uint64_t batch = 0;
  std::uint32_t device = 0;
  bool lowest = true;  ///< the lowest digits name the device: before the exchange; else the highest
  /// Of values in memory: row by row; or in blocks that are sent to each device, and come from each, of all rows.
  enum class Order { rows, sent, received };

  WARPLOOM_HD int own_digits() const { return n - d; }
  WARPLOOM_HD std::uint32_t element(std::uint32_t local) const {
    return lowest ? local << d | device : device << own_digits() | local;
  }
  WARPLOOM_HD std::uint64_t at(Order order, std::uint64_t problem, std::uint32_t local) const {
    if (order == Order::rows) return (problem << own_digits()) + local;
    const int digits = n - 2 * d;  // of a block
    const bool sent = order == Order::sent;
    const std::uint32_t block = sent ? local >> digits : local & ((1u << d) - 1),
                        within = sent ? local & ((1u << digits) - 1) : local >> d;
    return ((block * batch + problem) << digits) + within;
  }
};

/// A window of a device's part of every row, a launch: from one array to the other. A thread has 2^p values.
template <int p>
struct PermutingPart {
  FftNetwork network;
  FftPart part;
  FftData data;
  int window;
  const Complex* before;  ///< null: as loaded
  Complex* after;         ///< null: it is the last
  FftPart::Order from, to;

  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    const int threads = part.own_digits() - p;
    // The part is a network of fewer digits: of those that name the device the lowest move what stands above them.
    const int down = part.lowest ? part.d : 0;
    each_item(group, part.batch << threads, [&](std::uint64_t i) {
      const std::uint64_t problem = i >> threads;
      const auto x = static_cast<std::uint32_t>(i & ((std::uint64_t{1} << threads) - 1));
      const int lowest = WindowPlaces::lowest(network, window);
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

}  // namespace warploom
