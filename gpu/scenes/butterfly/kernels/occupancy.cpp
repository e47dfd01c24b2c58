#include "gpu/scenes/butterfly/kernels/occupancy.h"

#include <algorithm>

namespace warploom {

Occupancy occupancy_of(const Multiprocessor& has, const BlockNeeds& block) {
  constexpr int warp = 32;
  const int warps = (block.threads + warp - 1) / warp;
  Occupancy found{has.blocks, 0, "blocks"};
  const auto at_most = [&](int blocks, const char* limit) {
    if (blocks < found.blocks) found = {blocks, 0, limit};
  };
  at_most(has.warps / warps, "warps");
  if (block.registers > 0) {
    const int unit = has.registers_rounded, of_warp = (warp * block.registers + unit - 1) / unit * unit;
    // Every part gives whole warps their registers.
    at_most(has.parts * (has.registers / has.parts / of_warp) / warps, "registers");
  }
  if (block.shared_bytes > 0) at_most(has.shared_bytes / block.shared_bytes, "shared memory");
  found.share = static_cast<double>(found.blocks * warps) / has.warps;
  return found;
}

}  // namespace warploom
