#pragma once
#include <cstdint>

#include "gpu/core/hash.h"

namespace warploom {

/// Number `i` of stream `j` of a seed: what all recipes of the scene draw from.
WARPLOOM_HD constexpr std::uint64_t stream_hash(std::uint64_t seed, std::uint64_t j, std::uint64_t i) {
  return key_hash(key_hash(seed, j), i);
}

/// A number below `n` by the low 32 bits of a hash.
WARPLOOM_HD constexpr std::uint32_t below(std::uint64_t hash, std::uint32_t n) {
  return static_cast<std::uint32_t>((hash & 0xffffffffu) * n >> 32);
}

}  // namespace warploom
