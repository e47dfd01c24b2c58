#include "gpu/scenes/irregular/hash/level_two.h"

#include <algorithm>

namespace warploom {

LevelTwoTrace trace_level_two(std::span<const std::uint32_t> keys, std::span<const HashFunction, 3> functions,
                              bool keeps) {
  constexpr unsigned tables = 3, table_slots = LevelTwoTrace::slots / tables, most_rounds = 25;
  LevelTwoTrace trace;
  LevelTwoTrace::Words words{};
  std::vector<std::size_t> place(keys.size(), LevelTwoTrace::slots);  // past the end: out
  const auto is_out = [&](std::size_t i) {
    return place[i] == LevelTwoTrace::slots || word_key(words[place[i]]) != keys[i];
  };
  for (unsigned round = 1; round <= most_rounds; ++round) {
    for (unsigned j = 0; j < tables; ++j) {
      const std::uint64_t phase = std::uint64_t{tables * (round - 1) + j + 1} << 32;
      std::vector<std::size_t> writers;
      for (std::size_t i = 0; i < keys.size(); ++i)
        if (is_out(i)) writers.push_back(i);
      for (const std::size_t i : writers) {
        place[i] = j * table_slots + functions[j](keys[i], table_slots);
        words[place[i]] = std::max(words[place[i]], phase | keys[i]);
      }
      if (keeps) trace.phases.push_back(words);
    }
    bool out = false;
    for (std::size_t i = 0; i < keys.size() && !out; ++i) out = is_out(i);
    if (out) continue;
    trace.rounds = round;
    break;
  }
  return trace;
}

}  // namespace warploom
