#pragma once
#include <cstdint>

#include "gpu/core/buffer.h"
#include "gpu/core/queue.h"

namespace warploom {

/// Scratch memory that grows to what is needed and stays.
class Scratch {
 public:
  explicit Scratch(Backend backend) : backend_(backend) {}
  /// At least so many bytes; what was there is lost. Throws UsageError where they are not to be had.
  void* bytes(std::uint64_t count);
  std::uint64_t size() const { return memory_.bytes(); }

 private:
  Backend backend_;
  Buffer<std::uint8_t> memory_;
};

/// offsets[i] = sum of min(counts[j], cap), each rounded up to a multiple, over j < i, for i = 0 .. count: one more
/// value than counts has. Timed as `kernel`. Sums must stay below 2^32. Throws Cancelled like a launch. On CUDA by CUB,
/// on the CPU in three passes over chunks.
void exclusive_scan(const char* kernel, Queue& queue, const std::uint32_t* counts, std::uint64_t count,
                    std::uint32_t cap, std::uint32_t* offsets, Scratch& scratch, std::uint32_t multiple = 1);

/// The places 0 .. count - 1 in the stable order of their keys, all below `keys_below`. Timed as `kernel`. On CUDA by
/// CUB's radix sort; on the CPU by counting, one thread.
void stable_order(const char* kernel, Queue& queue, const std::uint32_t* keys, std::uint64_t count,
                  std::uint64_t keys_below, std::uint32_t* order, Scratch& scratch);

}  // namespace warploom
