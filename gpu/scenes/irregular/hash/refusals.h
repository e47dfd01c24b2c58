#pragma once
#include "gpu/scenes/irregular/hash/hash.h"

// Tables that cannot be built: who asks tells of the first bucket that did not fit, by its keys, on the host.
namespace warploom {

/// Attempts of a build, or of a bucket, before it is refused.
inline constexpr unsigned most_hash_attempts = 8;

/// The functions of level 2: (attempts, 3).
std::vector<HashFunction> level_two_functions(const HashFamily& family);

/// Each throws UsageError. `keys`: of the backend.
/// Level 1 of two_level has a bucket above 512 with each of its functions.
[[noreturn]] void refuse_level_one(Queue& queue, const std::uint32_t* keys, const HashShape& shape,
                                   std::uint32_t buckets);
/// The keys of a bucket never fit its three tables.
[[noreturn]] void refuse_level_two(Queue& queue, const std::uint32_t* keys, const HashShape& shape,
                                   std::uint32_t buckets, std::uint64_t attempt, std::uint64_t bucket);
[[noreturn]] void refuse_bucketed(Queue& queue, const std::uint32_t* keys, const HashShape& shape, unsigned width,
                                  std::uint64_t buckets);

}  // namespace warploom
