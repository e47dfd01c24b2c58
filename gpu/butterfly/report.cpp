#include "gpu/butterfly/report.h"

#include <algorithm>
#include <map>

#include "gpu/core/types.h"

namespace warploom {

void add_costs(std::vector<StageReport>& stages, const std::vector<SharedAccess>& accesses, int word_bytes) {
  // By instruction, and 32 threads of it at a time.
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::uint32_t>> lanes;
  std::map<std::uint32_t, std::pair<int, bool>> whose;
  for (const SharedAccess& one : accesses) {
    auto& warp = lanes[{one.instruction, one.thread / warp_size}];
    if (warp.empty()) warp.assign(warp_size, dead_lane);
    warp[one.thread % warp_size] = one.byte;
    whose[one.instruction] = {one.stage, one.reads};
  }
  for (const auto& [key, warp] : lanes) {
    const auto& [stage, reads] = whose.at(key.first);
    ExchangeCost& cost = stages[static_cast<std::size_t>(stage - 1)].cost;
    (reads ? cost.read : cost.write) += wavefronts_of(warp, word_bytes);
  }
}

std::vector<SharedAccess> moving_accesses(const FftNetwork& a, const NetworkMapping& mapping,
                                          const std::vector<ExchangeWords>& words, bool shuffles) {
  const std::uint32_t items = 1u << mapping.p, threads_x = 1u << mapping.threads_x();
  const AccessNumbers numbers{items, items};
  std::vector<SharedAccess> all;
  for (int window = 1; window < a.windows(); ++window) {
    const int stage = a.first_stage(window);
    const ExchangeWords& where = words[static_cast<std::size_t>(window)];
    for (std::uint32_t y = 0; y < 1u << mapping.threads_y(); ++y)
      for (std::uint32_t e = 0; e < 1u << a.n; ++e) {
        const NetworkPlace old = a.place_in(window - 1, e), now = a.place_in(window, e);
        const std::uint32_t from = y * threads_x + old.thread, to = y * threads_x + now.thread, slot = (y << a.n) + e;
        if (shuffles && from / warp_size == to / warp_size) continue;
        const std::uint32_t byte = where.byte(from, old.item);
        all.push_back({stage, false, numbers.write(stage, old.item), from, byte, slot});
        all.push_back({stage, true, numbers.read(stage, now.item), to, byte, slot});
      }
  }
  return all;
}

}  // namespace warploom
