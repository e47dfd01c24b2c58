#pragma once
#include <cstdint>
#include <vector>

namespace warploom {

/// Bytes that one device sends to another in an exchange.
struct Transfer {
  int from = 0, to = 0;
  std::uint64_t from_byte = 0, to_byte = 0, bytes = 0;
};

/// One exchange: any list of transfers. What it reads is not written, and no byte is written twice.
struct LinkPlan {
  std::vector<Transfer> transfers;
  std::uint64_t bytes() const {
    std::uint64_t all = 0;
    for (const Transfer& one : transfers) all += one.bytes;
    return all;
  }
};

}  // namespace warploom
