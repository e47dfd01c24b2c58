#include "gpu/scenes/butterfly/kernels/report.h"

#include <algorithm>
#include <map>
#include <set>

#include "gpu/core/types.h"
#include "gpu/scenes/butterfly/tuned/words.h"

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
    ExchangeCost& cost = stages[std::min(stages.size(), static_cast<std::size_t>(stage)) - 1].cost;
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

std::vector<std::vector<DigitPlace>> digit_places(const Plan& plan, int stages) {
  std::vector<std::vector<DigitPlace>> all(static_cast<std::size_t>(stages) + 1);
  for (int j = 0; j <= stages; ++j)
    for (int d = 0; d < plan.n; ++d) {
      const Layout& at = plan.step[plan.step_of(j)].at;
      const int in_register = at.registers.bit_of(d);
      all[static_cast<std::size_t>(j)].push_back({in_register >= 0 ? DigitPlace::Of::registers : DigitPlace::Of::thread,
                                                  in_register >= 0 ? in_register : at.thread.bit_of(d)});
    }
  return all;
}

std::vector<std::int32_t> locations_of(const PlanPlaces& places, int stages,
                                       const std::vector<SharedAccess>& accesses) {
  const std::uint32_t slots = 1u << (places.plan().p + places.plan().l);
  std::vector<std::int32_t> all(static_cast<std::size_t>(stages + 1) * slots * 3, -1);
  for (int j = 0; j <= stages; ++j)
    for (std::uint32_t slot = 0; slot < slots; ++slot) {
      const NetworkPlace at = places.place(j, slot);
      auto* to = &all[(static_cast<std::size_t>(j) * slots + slot) * 3];
      to[0] = static_cast<std::int32_t>(at.thread);
      to[1] = static_cast<std::int32_t>(at.item);
    }
  for (const SharedAccess& one : accesses) {
    if (one.stage > stages) continue;
    auto& byte = all[(static_cast<std::size_t>(one.stage) * slots + one.slot) * 3 + 2];
    if (!one.reads && byte < 0) byte = static_cast<std::int32_t>(one.byte);  // of several words the first
  }
  return all;
}

std::vector<SharedAccess> permuting_accesses(const PlanPlaces& places, const std::vector<ExchangeWords>& words,
                                             bool shuffles) {
  return permuting_accesses(
      places,
      [&](int step, std::uint32_t, const NetworkPlace& old) {
        return words[static_cast<std::size_t>(step)].byte(old.thread, old.item);
      },
      shuffles);
}

std::vector<SharedAccess> planned_accesses(const PlanPlaces& places, int word_bytes, std::uint32_t words) {
  const Plan& plan = places.plan();
  const std::uint32_t of_warp = warp_words(plan), of_set = shared_words(plan),
                      bytes = static_cast<std::uint32_t>(word_bytes);
  auto of_first = permuting_accesses(
      places,
      [&](int step, std::uint32_t slot, const NetworkPlace& old) {
        const Crossing& into = plan.step[step].into;
        const std::uint32_t word = into.words.padded(gathered(into.words.order, slot)),
                            warp = into.in_warp ? old.thread / warp_size : 0;
        return (word + warp * of_warp) * bytes;
      },
      false);
  if (words == 1) return of_first;
  std::vector<SharedAccess> all;
  for (const SharedAccess& one : of_first)
    for (std::uint32_t w = 0; w < (one.stage == plan.step[plan.steps - 1].first ? 1 : words); ++w) {
      all.push_back(one);
      all.back().instruction = one.instruction * words + w;
      all.back().byte = one.byte + w * of_set * bytes;
    }
  return all;
}

std::vector<SharedAccess> permuting_accesses(const PlanPlaces& places, const ByteOfElement& byte, bool shuffles) {
  const Plan& plan = places.plan();
  const std::uint32_t items = 1u << plan.p;
  const AccessNumbers numbers{items, items};
  std::vector<SharedAccess> all;
  for (int i = 1; i < plan.steps; ++i) {
    const int stage = plan.step[i].first;
    if (plan.step[i].into.none) continue;
    const Layout& before = plan.step[i - 1].at;
    for (std::uint32_t slot = 0; slot >> (plan.p + plan.l) == 0; ++slot) {
      const NetworkPlace old{gathered(before.thread, slot), gathered(before.registers, slot)},
          now{gathered(plan.step[i].at.thread, slot), gathered(plan.step[i].at.registers, slot)};
      if (shuffles && old.thread / warp_size == now.thread / warp_size) continue;
      const std::uint32_t at = byte(i, slot, old);
      all.push_back({stage, false, numbers.write(stage, old.item), old.thread, at, slot});
      all.push_back({stage, true, numbers.read(stage, now.item), now.thread, at, slot});
    }
  }
  return all;
}

}  // namespace warploom
