#include "gpu/core/scan.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "gpu/core/error.h"
#include "gpu/core/macros.h"
#include "gpu/core/stopwatch.h"

#ifdef __CUDACC__
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>

#include "gpu/core/cuda_check.h"
#include "gpu/core/launch.h"
#endif

namespace warploom {

void* Scratch::bytes(std::uint64_t count) {
  if (memory_.bytes() < count) {
    memory_ = {};
    memory_ = Buffer<std::uint8_t>(backend_, count);
  }
  return memory_.data();
}

namespace {

/// Counts below a cap; one past the last there is nothing more.
struct Capped {
  const std::uint32_t* counts;
  std::uint64_t count;
  std::uint32_t cap, multiple;
  WARPLOOM_HD std::uint32_t operator()(std::uint64_t i) const {
    if (i >= count) return 0;
    const std::uint32_t most = counts[i] < cap ? counts[i] : cap;
    return (most + multiple - 1) / multiple * multiple;
  }
};

void check_cancelled(const Queue& queue) {
  if (queue.cancel && queue.cancel->load(std::memory_order_relaxed)) throw Cancelled();
}

void scan_on_cpu(Queue& queue, const Capped& values, std::uint32_t* offsets) {
  constexpr std::uint64_t chunk = 1u << 16;
  const std::uint64_t chunks = values.count / chunk + 1;
  std::vector<std::uint32_t> sums(chunks);
  const auto each = [&](auto&& body) {
    const bool finished = queue.pool().run(
        chunks, [&](std::uint64_t at) { body(at, at * chunk, std::min(values.count + 1, (at + 1) * chunk)); },
        queue.cancel);
    if (!finished) throw Cancelled();
  };
  each([&](std::uint64_t at, std::uint64_t first, std::uint64_t last) {
    std::uint32_t sum = 0;
    for (std::uint64_t i = first; i < last; ++i) sum += values(i);
    sums[at] = sum;
  });
  std::uint32_t before = 0;
  for (auto& sum : sums) before += std::exchange(sum, before);
  each([&](std::uint64_t at, std::uint64_t first, std::uint64_t last) {
    std::uint32_t sum = sums[at];
    for (std::uint64_t i = first; i < last; ++i) {
      offsets[i] = sum;
      sum += values(i);
    }
  });
}

void order_on_cpu(const std::uint32_t* keys, std::uint64_t count, std::uint64_t keys_below, std::uint32_t* order,
                  Scratch& scratch) {
  auto* next = static_cast<std::uint32_t*>(scratch.bytes((keys_below + 1) * sizeof(std::uint32_t)));
  std::fill_n(next, keys_below + 1, 0u);
  for (std::uint64_t i = 0; i < count; ++i) ++next[keys[i] + 1];
  for (std::uint64_t key = 0; key < keys_below; ++key) next[key + 1] += next[key];
  for (std::uint64_t i = 0; i < count; ++i) order[next[keys[i]]++] = static_cast<std::uint32_t>(i);
}

#ifdef __CUDACC__

struct Iota {
  std::uint32_t* to;
  std::uint64_t count;
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    each_item(group, count, [&](std::uint64_t i) { to[i] = static_cast<std::uint32_t>(i); });
  }
};

void scan_on_cuda(Queue& queue, const Capped& values, std::uint32_t* offsets, Scratch& scratch) {
  auto* stream = static_cast<cudaStream_t>(queue.stream());
  const auto in = thrust::make_transform_iterator(thrust::counting_iterator<std::uint64_t>(0), values);
  const auto items = static_cast<std::int64_t>(values.count + 1);
  std::size_t bytes = 0;
  WARPLOOM_CUDA(cub::DeviceScan::ExclusiveSum(nullptr, bytes, in, offsets, items, stream));
  WARPLOOM_CUDA(cub::DeviceScan::ExclusiveSum(scratch.bytes(bytes), bytes, in, offsets, items, stream));
}

void order_on_cuda(const char* kernel, Queue& queue, const std::uint32_t* keys, std::uint64_t count,
                   std::uint64_t keys_below, std::uint32_t* order, Scratch& scratch) {
  auto* stream = static_cast<cudaStream_t>(queue.stream());
  int bits = 1;
  while (bits < 32 && keys_below > 1ull << bits) ++bits;
  const auto items = static_cast<std::int64_t>(count);
  const std::uint64_t array = (count * sizeof(std::uint32_t) + 255) / 256 * 256;
  std::size_t bytes = 0;
  const std::uint32_t* none = nullptr;
  WARPLOOM_CUDA(cub::DeviceRadixSort::SortPairs(nullptr, bytes, keys, static_cast<std::uint32_t*>(nullptr), none, order,
                                                items, 0, bits, stream));
  auto* memory = static_cast<std::uint8_t*>(scratch.bytes(2 * array + bytes));
  auto *sorted = reinterpret_cast<std::uint32_t*>(memory), *places = reinterpret_cast<std::uint32_t*>(memory + array);
  launch(kernel, queue, row_shape(count), Iota{places, count});
  WARPLOOM_CUDA(
      cub::DeviceRadixSort::SortPairs(memory + 2 * array, bytes, keys, sorted, places, order, items, 0, bits, stream));
}

#endif

}  // namespace

void exclusive_scan(const char* kernel, Queue& queue, const std::uint32_t* counts, std::uint64_t count,
                    std::uint32_t cap, std::uint32_t* offsets, [[maybe_unused]] Scratch& scratch,
                    std::uint32_t multiple) {
  check_cancelled(queue);
  TimedSpan span(queue, kernel, count * 2 * sizeof(std::uint32_t));
  const Capped values{counts, count, cap, multiple};
#ifdef __CUDACC__
  if (queue.backend() == Backend::cuda) {
    scan_on_cuda(queue, values, offsets, scratch);
    return span.finish();
  }
#endif
  scan_on_cpu(queue, values, offsets);
  span.finish();
}

void stable_order(const char* kernel, Queue& queue, const std::uint32_t* keys, std::uint64_t count,
                  std::uint64_t keys_below, std::uint32_t* order, Scratch& scratch) {
  check_cancelled(queue);
  TimedSpan span(queue, kernel, count * 2 * sizeof(std::uint32_t));
#ifdef __CUDACC__
  if (queue.backend() == Backend::cuda) {
    order_on_cuda(kernel, queue, keys, count, keys_below, order, scratch);
    return span.finish();
  }
#endif
  order_on_cpu(keys, count, keys_below, order, scratch);
  span.finish();
}

}  // namespace warploom
