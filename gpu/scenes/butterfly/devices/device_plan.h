#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "gpu/core/link_plan.h"
#include "gpu/scenes/butterfly/devices/part_rule.h"
#include "gpu/scenes/butterfly/kernels/general_plans.h"
#include "gpu/scenes/butterfly/kernels/report.h"

namespace warploom {

/// Rows of 2^n whose elements are shared out among 2^d devices: what each of them computes with, and what comes to it
/// before each stage. Of algorithms whose elements stay; made on the host. Source: perez2018scan.
struct DevicePlan {
  int n = 0, d = 0, stages = 0;
  std::vector<std::vector<std::uint32_t>> tables;  ///< by device: PartNetwork::table
  /// By stage, from 1, and device: the elements of others that it needs, rising. Each is sent once.
  std::vector<std::vector<std::vector<std::uint32_t>>> wanted;

  int devices() const { return 1 << d; }
  int own_digits() const { return n - d; }
  int device_of(std::uint32_t e) const { return static_cast<int>(e >> (n - d)); }
  const std::vector<std::uint32_t>& wanted_by(int stage, int device) const {
    return wanted[static_cast<std::size_t>(stage)][static_cast<std::size_t>(device)];
  }
  /// Values that cross the link before a stage.
  std::uint64_t values(int stage) const {
    std::uint64_t all = 0;
    for (const auto& one : wanted[static_cast<std::size_t>(stage)]) all += one.size();
    return all;
  }
  std::uint64_t values() const {
    std::uint64_t all = 0;
    for (int j = 1; j <= stages; ++j) all += values(j);
    return all;
  }
  /// Stages that an exchange comes before.
  std::uint64_t exchanges() const {
    std::uint64_t all = 0;
    for (int j = 1; j <= stages; ++j) all += values(j) > 0;
    return all;
  }
  /// What a device sends before a stage, in the order of those it goes to: elements of its own, from 0.
  std::vector<std::uint32_t> sent_by(int stage, int device) const;
  /// The exchange before a stage: of `batch` rows, values of `bytes`; from what sent_by lists to what wanted_by does.
  LinkPlan link(int stage, std::uint64_t batch, std::uint64_t bytes) const;
};

/// `d` at most network.n.
template <Network Algorithm>
DevicePlan device_plan(const Algorithm& a, int d) {
  DevicePlan plan;
  plan.n = a.n;
  plan.d = d;
  plan.stages = a.stages();
  const auto devices = static_cast<std::size_t>(plan.devices());
  const std::uint32_t own = 1u << plan.own_digits();
  plan.wanted.resize(static_cast<std::size_t>(plan.stages) + 1, std::vector<std::vector<std::uint32_t>>(devices));
  plan.tables.resize(devices);
  std::vector<std::uint32_t> row(Algorithm::operands + 2);
  for (std::size_t device = 0; device < devices; ++device) {
    const auto number = static_cast<int>(device);
    const std::uint32_t first = static_cast<std::uint32_t>(device) * own;
    auto& table = plan.tables[device];
    table.reserve(static_cast<std::size_t>(plan.stages) * own * row.size());
    for (int j = 1; j <= plan.stages; ++j) {
      auto& wanted = plan.wanted[static_cast<std::size_t>(j)][device];
      // Of the device's own elements who takes them: the farthest behind, and before.
      std::vector<std::array<std::uint32_t, 2>> by(own, {no_element, no_element});
      for (std::uint32_t e = first; e < first + own; ++e)
        each_operand(a, j, e, [&](int, std::uint32_t from) {
          if (a.device(j - 1, from, d) != number) {
            wanted.push_back(from);
          } else if (from != e) {
            auto& farthest = by[from - first][from < e ? 0 : 1];
            if (farthest == no_element || from < e) farthest = e - first;
          }
        });
      std::sort(wanted.begin(), wanted.end());
      wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
      for (std::uint32_t e = first; e < first + own; ++e) {
        std::fill(row.begin(), row.end(), no_element);
        if (!a.makes(j, e)) row[0] = PartOperand::passes;
        each_operand(a, j, e, [&](int k, std::uint32_t from) {
          const auto at = std::lower_bound(wanted.begin(), wanted.end(), from);
          row[static_cast<std::size_t>(k)] = at != wanted.end() && *at == from
                                                 ? PartOperand::linked + static_cast<std::uint32_t>(at - wanted.begin())
                                                 : from - first;
        });
        std::copy(by[e - first].begin(), by[e - first].end(), row.end() - 2);
        table.insert(table.end(), row.begin(), row.end());
      }
    }
  }
  return plan;
}

}  // namespace warploom
