#pragma once
#include <cstdint>

#include "gpu/core/scan.h"

namespace warploom {

/// Sorts `count` words of the queue's backend by their lowest `bits` bits (1 to 64), stably. Timed as `kernel`. On CUDA
/// by CUB's radix sort, on the CPU by one of 8 bits a pass over chunks. `scratch` grows to 8 bytes a word, on CUDA to a
/// little more. Throws Cancelled like a launch, UsageError where that memory is not to be had, Error for a CUDA
/// failure.
void sort_words(const char* kernel, Queue& queue, std::uint64_t* words, std::uint64_t count, unsigned bits,
                Scratch& scratch);

}  // namespace warploom
