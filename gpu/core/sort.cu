#include "gpu/core/sort.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "gpu/core/error.h"
#include "gpu/core/stopwatch.h"

#ifdef __CUDACC__
#include <cub/device/device_radix_sort.cuh>

#include "gpu/core/cuda_check.h"
#endif

namespace warploom {

namespace {

constexpr unsigned digit_bits = 8, digits = 1u << digit_bits;

void sort_words_on_cpu(Queue& queue, std::uint64_t* words, std::uint64_t count, unsigned bits, Scratch& scratch) {
  const std::uint64_t least = 1u << 14;
  const std::uint64_t chunks = std::clamp<std::uint64_t>(count / least, 1, std::uint64_t{4} * queue.pool().threads());
  const auto each = [&](auto&& body) {
    const auto begin = [&](std::uint64_t chunk) { return chunk * count / chunks; };
    const bool finished = queue.pool().run(
        chunks, [&](std::uint64_t chunk) { body(chunk, begin(chunk), begin(chunk + 1)); }, queue.cancel);
    if (!finished) throw Cancelled();
  };
  std::uint64_t *from = words, *to = static_cast<std::uint64_t*>(scratch.bytes(count * sizeof(std::uint64_t)));
  std::vector<std::array<std::uint64_t, digits>> places(chunks);
  for (unsigned shift = 0; shift < bits; shift += digit_bits) {
    const std::uint64_t mask = (1u << std::min(digit_bits, bits - shift)) - 1;
    each([&](std::uint64_t chunk, std::uint64_t first, std::uint64_t last) {
      places[chunk].fill(0);
      for (std::uint64_t i = first; i < last; ++i) ++places[chunk][from[i] >> shift & mask];
    });
    std::uint64_t before = 0;
    for (unsigned digit = 0; digit < digits; ++digit)
      for (auto& of_chunk : places) before += std::exchange(of_chunk[digit], before);
    each([&](std::uint64_t chunk, std::uint64_t first, std::uint64_t last) {
      for (std::uint64_t i = first; i < last; ++i) to[places[chunk][from[i] >> shift & mask]++] = from[i];
    });
    std::swap(from, to);
  }
  if (from != words) copy_bytes(queue, words, from, count * sizeof(std::uint64_t));
}

#ifdef __CUDACC__
void sort_words_on_cuda(Queue& queue, std::uint64_t* words, std::uint64_t count, unsigned bits, Scratch& scratch) {
  auto* stream = static_cast<cudaStream_t>(queue.stream());
  const auto items = static_cast<std::int64_t>(count);
  const std::uint64_t array = (count * sizeof(std::uint64_t) + 255) / 256 * 256;
  cub::DoubleBuffer<std::uint64_t> both(words, nullptr);
  std::size_t bytes = 0;
  WARPLOOM_CUDA(cub::DeviceRadixSort::SortKeys(nullptr, bytes, both, items, 0, static_cast<int>(bits), stream));
  auto* memory = static_cast<std::uint8_t*>(scratch.bytes(array + bytes));
  both.d_buffers[1] = reinterpret_cast<std::uint64_t*>(memory);
  WARPLOOM_CUDA(cub::DeviceRadixSort::SortKeys(memory + array, bytes, both, items, 0, static_cast<int>(bits), stream));
  if (both.Current() != words) copy_bytes(queue, words, both.Current(), count * sizeof(std::uint64_t));
}
#endif

}  // namespace

void sort_words(const char* kernel, Queue& queue, std::uint64_t* words, std::uint64_t count, unsigned bits,
                Scratch& scratch) {
  if (queue.cancel && queue.cancel->load(std::memory_order_relaxed)) throw Cancelled();
  TimedSpan span(queue, kernel, 2 * count * sizeof(std::uint64_t));
#ifdef __CUDACC__
  if (queue.backend() == Backend::cuda) {
    sort_words_on_cuda(queue, words, count, bits, scratch);
    return span.finish();
  }
#endif
  sort_words_on_cpu(queue, words, count, bits, scratch);
  span.finish();
}

}  // namespace warploom
