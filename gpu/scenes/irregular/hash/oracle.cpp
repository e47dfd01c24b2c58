#include "gpu/scenes/irregular/hash/oracle.h"

#include <algorithm>
#include <atomic>

#include "gpu/scenes/irregular/hash/functions.h"

namespace warploom {

HashOracle hash_oracle(Queue& queue, const std::vector<std::uint32_t>& keys, const std::vector<std::uint32_t>& queries,
                       std::uint64_t values, std::uint64_t step) {
  constexpr std::uint64_t most_rows = 1u << 20;
  HashOracle oracle;
  std::vector<std::uint32_t> asked = queries;
  if (queries.size() > most_rows) {
    for (std::uint64_t i = 0; i < most_rows; ++i) oracle.rows.push_back(key_hash(step, i) % queries.size());
    std::ranges::sort(oracle.rows);
    oracle.rows.erase(std::unique(oracle.rows.begin(), oracle.rows.end()), oracle.rows.end());
    asked.clear();
    for (const std::uint64_t row : oracle.rows) asked.push_back(queries[row]);
  }
  std::vector<std::uint32_t> sorted = asked;
  std::ranges::sort(sorted);
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  const auto place = [&](std::uint32_t key) {
    return static_cast<std::size_t>(std::ranges::lower_bound(sorted, key) - sorted.begin());
  };
  // Threads that find a key write the same.
  std::vector<std::atomic<bool>> found(sorted.size());
  each_on_host(queue, keys.size(), [&](std::uint64_t i) {
    const std::size_t at = place(keys[i]);
    if (at < sorted.size() && sorted[at] == keys[i]) found[at].store(true, std::memory_order_relaxed);
  });
  oracle.answers.resize(asked.size());
  each_on_host(queue, asked.size(), [&](std::uint64_t i) {
    const bool there = found[place(asked[i])].load(std::memory_order_relaxed);
    oracle.answers[i] = there ? key_hash(values, asked[i]) >> 33 : absent_answer;
  });
  return oracle;
}

}  // namespace warploom
