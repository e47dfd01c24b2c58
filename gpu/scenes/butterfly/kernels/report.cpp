#include "gpu/scenes/butterfly/kernels/report.h"

#include <algorithm>
#include <map>
#include <set>

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

std::vector<BankUse> bank_uses(const std::vector<SharedAccess>& accesses, int word_bytes, WordLayout layout, bool own) {
  int last = 0;
  for (const SharedAccess& one : accesses) last = std::max(last, one.stage);
  std::vector<StageReport> costs(static_cast<std::size_t>(last));
  add_costs(costs, accesses, word_bytes);
  // Of every phase of a read the words that its lanes want; equal ones are given once.
  const auto lanes = static_cast<std::uint32_t>(128 / word_bytes), parts = static_cast<std::uint32_t>(word_bytes / 4);
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::set<std::uint32_t>> phases;
  std::map<std::uint32_t, int> stages;
  for (const SharedAccess& one : accesses) {
    if (!one.reads) continue;
    stages[one.instruction] = one.stage;
    auto& words = phases[{one.instruction, one.thread / lanes}];
    for (std::uint32_t w = 0; w < parts; ++w) words.insert(one.byte / 4 + w);
  }
  std::vector<BankUse> all;
  for (int stage = 1; stage <= last; ++stage) {
    const ExchangeCost& cost = costs[static_cast<std::size_t>(stage - 1)].cost;
    if (cost.read.ideal != 0) all.push_back({stage, layout, own, cost, {}});
  }
  for (const auto& [key, words] : phases) {
    std::array<std::uint8_t, 32> of_banks{};
    for (const std::uint32_t word : words) ++of_banks[word % of_banks.size()];
    for (BankUse& use : all)
      if (use.stage == stages.at(key.first) &&
          *std::max_element(of_banks.begin(), of_banks.end()) > *std::max_element(use.words.begin(), use.words.end()))
        use.words = of_banks;
  }
  return all;
}

std::vector<SharedAccess> permuting_accesses(const FftNetwork& a, const NetworkMapping& mapping,
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
