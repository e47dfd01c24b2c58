#include "viewer/panels/warp_memory.h"

#include <utility>

namespace warploom {

const std::vector<WarpMemory::Layout>& WarpMemory::of(std::uint64_t simulation, std::size_t track,
                                                      const Accesses& memory, const Owner& who) {
  if (!layouts_.empty() && simulation == simulation_ && track == track_ && who == who_) return layouts_;
  simulation_ = simulation;
  track_ = track;
  who_ = who;
  layouts_.clear();
  for (WarpAccess& access : memory.warp(who)) {
    Layout layout;
    for (const auto& byte : access.bytes)
      if (byte) {
        layout.used[*byte / 128][*byte / 32 % 4] += memory.value_bytes();
        ++layout.cells;
      }
    layout.sectors = access.sectors();
    layout.lines = layout.used.size();
    layout.access = std::move(access);
    layouts_.push_back(std::move(layout));
  }
  return layouts_;
}

}  // namespace warploom
