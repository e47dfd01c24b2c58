#include "gpu/scenes/butterfly/devices/device_plan.h"

namespace warploom {

std::vector<std::uint32_t> DevicePlan::sent_by(int stage, int device) const {
  std::vector<std::uint32_t> all;
  for (int to = 0; to < devices(); ++to)
    for (const std::uint32_t e : wanted_by(stage, to))
      if (device_of(e) == device) all.push_back(e & ((1u << own_digits()) - 1));
  return all;
}

LinkPlan DevicePlan::link(int stage, std::uint64_t batch, std::uint64_t bytes) const {
  LinkPlan plan;
  std::vector<std::uint64_t> sent(static_cast<std::size_t>(devices()));  // so far, of each sender
  for (int to = 0; to < devices(); ++to) {
    const auto& needed = wanted_by(stage, to);
    for (std::size_t i = 0; i < needed.size();) {
      const int from = device_of(needed[i]);
      const std::size_t first = i;
      while (i < needed.size() && device_of(needed[i]) == from) ++i;
      const std::uint64_t width = batch * bytes, count = i - first;
      auto& before = sent[static_cast<std::size_t>(from)];
      plan.transfers.push_back({from, to, before * width, first * width, count * width});
      before += count;
    }
  }
  return plan;
}

}  // namespace warploom
