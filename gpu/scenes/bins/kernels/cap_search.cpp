#include "gpu/scenes/bins/kernels/cap_search.h"

#include <algorithm>
#include <cmath>

namespace warploom {

std::vector<std::uint32_t> cap_ladder(std::uint32_t deepest) {
  std::vector<std::uint32_t> modes;
  for (std::uint32_t cap = 0; cap <= 4 && cap < deepest; ++cap) modes.push_back(cap);
  for (int half = 5; half < 64; ++half) {  // 4 is two to the power of four halves
    const double cap = std::exp2(half / 2.);
    if (cap >= deepest) break;
    modes.push_back(static_cast<std::uint32_t>(std::lround(cap)));
  }
  while (!modes.empty() && modes.back() >= deepest) modes.pop_back();
  modes.push_back(deepest);
  return modes;
}

std::uint32_t search_cap(std::uint32_t deepest,
                         const std::function<CapTime(std::uint32_t cap, double give_up_after)>& measure,
                         std::vector<CapTime>& measured) {
  constexpr std::size_t most = 12;
  constexpr double patience = 4, close = .05;
  measured.clear();
  const auto best = [&](std::uint32_t from = 0) {
    const CapTime* least = nullptr;
    for (const CapTime& one : measured)
      if (!one.given_up && one.cap >= from &&
          (!least || one.total() < least->total() || (one.total() == least->total() && one.cap > least->cap)))
        least = &one;
    return least;
  };
  const auto ask = [&](std::uint32_t cap) {
    const CapTime* so_far = best();
    measured.push_back(measure(cap, so_far ? patience * so_far->total() : INFINITY));
    return measured.back();
  };
  const auto gathers_longer = [](const CapTime& time) { return !time.given_up && time.gather >= time.spill; };
  ask(deepest);
  if (deepest > 0 && !gathers_longer(ask(0))) {
    // The spill falls and the gather rises: they meet between two modes, and then between two whole numbers.
    const auto modes = cap_ladder(deepest);
    std::size_t low = 0, high = modes.size() - 1;
    bool met = false;
    const auto try_cap = [&](std::uint32_t cap) {
      const CapTime time = ask(cap);
      met = !time.given_up && std::abs(time.gather - time.spill) <= close * time.total();
      return gathers_longer(time);
    };
    while (!met && measured.size() < most && high - low > 1) {
      const std::size_t middle = (low + high) / 2;
      (try_cap(modes[middle]) ? high : low) = middle;
    }
    std::uint32_t below = modes[low], above = modes[high];
    while (!met && measured.size() < most && above - below > 1) {
      const std::uint32_t middle = below + (above - below) / 2;
      (try_cap(middle) ? above : below) = middle;
    }
  }
  // Bins are worth what noise is: none are used only where that is clearly faster.
  if (const CapTime* least = best(); least && least->cap == 0 && deepest > 0) {
    const bool tried = std::ranges::count(measured, 1u, &CapTime::cap) > 0;
    if (!tried && measured.size() < most) ask(1);
    const CapTime *without = best(), *with = best(1);
    if (without->cap == 0 && with && with->total() <= (1 + close) * without->total()) return with->cap;
  }
  const CapTime* least = best();
  return least ? least->cap : deepest;
}

}  // namespace warploom
