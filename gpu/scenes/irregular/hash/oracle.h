#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "gpu/core/error.h"
#include "gpu/core/pool.h"
#include "gpu/core/queue.h"

namespace warploom {

/// body(i) for each i below `count`, by all cores of the host. Throws Cancelled where the queue was.
template <class Body>
void each_on_host(Queue& queue, std::uint64_t count, Body&& body) {
  constexpr std::uint64_t chunk = 1u << 14;
  const auto some = [&](std::uint64_t at) {
    for (std::uint64_t i = at * chunk; i < std::min(count, (at + 1) * chunk); ++i) body(i);
  };
  if (!queue.host_pool().run((count + chunk - 1) / chunk, some, queue.cancel)) throw Cancelled();
}

/// The host's own answers, without a table: queries are sorted, and each key is looked for among them.
struct HashOracle {
  std::vector<std::uint64_t> rows;     ///< which queries are judged, ascending; empty: all
  std::vector<std::uint64_t> answers;  ///< of each of them
};

/// Judges every query, or 2^20 of more, chosen by a hash of `step`. `values` as for pair_word. Throws Cancelled.
HashOracle hash_oracle(Queue& queue, const std::vector<std::uint32_t>& keys, const std::vector<std::uint32_t>& queries,
                       std::uint64_t values, std::uint64_t step);

}  // namespace warploom
