#pragma once
#include <cstdint>

#include "gpu/core/hash.h"

// Hash functions of tables, and their words. Source: [alcantara2009hashing]; the mixing is that of [appleby2011murmur].
namespace warploom {

/// The finaliser of MurmurHash3: a bijection of 32 bits.
WARPLOOM_HD constexpr std::uint32_t fmix32(std::uint32_t k) {
  k ^= k >> 16;
  k *= 0x85ebca6bu;
  k ^= k >> 13;
  k *= 0xc2b2ae35u;
  return k ^ k >> 16;
}

/// The prime of `hash=published`: keys that are equal modulo it meet in every table, whatever the constants.
inline constexpr std::uint32_t published_prime = 1900813;

/// A hash function with its constants drawn: (a k + b) mixed and scaled to the range; published:
/// ((b + a k) mod 1900813) mod range.
struct HashFunction {
  std::uint32_t a = 1, b = 0;
  bool published = false;
  /// A number below `range`.
  WARPLOOM_HD constexpr std::uint32_t operator()(std::uint32_t key, std::uint32_t range) const {
    if (published) return static_cast<std::uint32_t>((b + std::uint64_t{a} * key) % published_prime) % range;
    return static_cast<std::uint32_t>(std::uint64_t{fmix32(key * a + b)} * range >> 32);
  }
};

/// The hash functions of a seed, by number and attempt.
struct HashFamily {
  std::uint64_t stream = 0;  ///< key_hash(seed, 6)
  bool published = false;

  HashFamily() = default;
  HashFamily(std::uint64_t seed, bool is_published) : stream(key_hash(seed, 6)), published(is_published) {}

  WARPLOOM_HD constexpr HashFunction at(unsigned function, unsigned attempt) const {
    const std::uint64_t v = key_hash(stream, function + 16ull * attempt);
    const auto low = static_cast<std::uint32_t>(v), high = static_cast<std::uint32_t>(v >> 32);
    if (published) return {1 + low % (published_prime - 1), high % published_prime, true};
    return {low | 1, high, false};
  }
};

/// A word of a table: key + 2^32 value; a value has 31 bits, so no pair is empty_word.
inline constexpr std::uint64_t empty_word = ~std::uint64_t{0};
/// The answer to a query whose key is not there.
inline constexpr std::uint64_t absent_answer = std::uint64_t{1} << 32;

WARPLOOM_HD constexpr std::uint32_t word_key(std::uint64_t word) { return static_cast<std::uint32_t>(word); }
WARPLOOM_HD constexpr std::uint64_t word_value(std::uint64_t word) { return word >> 32; }
/// `values`: key_hash(seed, 5), the stream of the values.
WARPLOOM_HD constexpr std::uint64_t pair_word(std::uint32_t key, std::uint64_t values) {
  return key | key_hash(values, key) >> 33 << 32;
}

}  // namespace warploom
