#pragma once
#include <cstdint>
#include <string_view>

#include "gpu/core/macros.h"
#include "gpu/core/types.h"

namespace warploom {

/// Counter-based hash: z = seed + 0x9E3779B97F4A7C15 (1 + key), then splitmix64's finaliser
/// [steele2014splitmix], all modulo 2^64. The same number on every backend and in every storage.
WARPLOOM_HD constexpr std::uint64_t key_hash(std::uint64_t seed, std::uint64_t key) {
  std::uint64_t z = seed + 0x9E3779B97F4A7C15ull * (1 + key);
  z ^= z >> 30;
  z *= 0xBF58476D1CE4E5B9ull;
  z ^= z >> 27;
  z *= 0x94D049BB133111EBull;
  return z ^ z >> 31;
}

/// ... of the cell (x, y): key x + y 2^32.
WARPLOOM_HD constexpr std::uint64_t cell_hash(std::uint64_t seed, std::uint64_t x, std::uint64_t y) {
  return key_hash(seed, x + (y << 32));
}

/// True with probability `density`: (hash >> 11) 2^-53 < density, exact in double.
WARPLOOM_HD constexpr bool chosen(std::uint64_t hash, double density) {
  return static_cast<double>(hash >> 11) * 0x1p-53 < density;
}

/// 64-bit FNV-1a, for hashes of settings and of file contents.
constexpr std::uint64_t text_hash(std::string_view text, std::uint64_t seed = 0xcbf29ce484222325ull) {
  for (const char c : text) seed = (seed ^ static_cast<unsigned char>(c)) * 0x100000001b3ull;
  return seed;
}

}  // namespace warploom
