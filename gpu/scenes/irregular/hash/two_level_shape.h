#pragma once
#include <cstdint>

namespace warploom {

/// The sizes of two_level.
struct TwoLevelShape {
  static constexpr unsigned mean = 409, most = 512, tables = 3, table_slots = 192, slots = tables * table_slots,
                            most_rounds = 25;
  static std::uint64_t buckets(std::uint64_t keys) { return (keys + mean - 1) / mean; }
};

}  // namespace warploom
