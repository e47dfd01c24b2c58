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

/// Every device sends `bytes` to all, itself too: to the block that has its number.
inline LinkPlan all_gather(int devices, std::uint64_t bytes) {
  LinkPlan plan;
  for (int from = 0; from < devices; ++from)
    for (int to = 0; to < devices; ++to)
      plan.transfers.push_back({from, to, 0, static_cast<std::uint64_t>(from) * bytes, bytes});
  return plan;
}

struct BlockOfDevice {
  int operator()(int device) const { return device; }
};
/// Every device sends a block of `bytes` to each, itself too: its block sent(receiver) to the receiver's block
/// received(sender).
template <class Sent = BlockOfDevice, class Received = BlockOfDevice>
LinkPlan all_to_all(int devices, std::uint64_t bytes, const Sent& sent = {}, const Received& received = {}) {
  LinkPlan plan;
  for (int from = 0; from < devices; ++from)
    for (int to = 0; to < devices; ++to)
      plan.transfers.push_back({from, to, static_cast<std::uint64_t>(sent(to)) * bytes,
                                static_cast<std::uint64_t>(received(from)) * bytes, bytes});
  return plan;
}

}  // namespace warploom
