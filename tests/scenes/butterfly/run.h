#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <vector>

#include "gpu/scenes/butterfly/networks/list.h"

namespace warploom {

template <class Algorithm>
std::uint64_t nodes_of(const Algorithm& a) {
  std::uint64_t all = 0;
  for (int j = 1; j <= a.stages(); ++j) {
    std::set<std::uint32_t> nodes;
    for (std::uint32_t e = 0; e < 1u << a.n; ++e)
      if (a.makes(j, e)) nodes.insert(a.node(j, e));
    all += nodes.size();
  }
  EXPECT_EQ(a.nodes(), all) << "its own count, of n = " << a.n;
  return all;
}

/// Calls body(before, stage, e) for every element made, `before`: the values of the stage before.
template <class Algorithm, class Value, class Body>
std::vector<Value> run(const Algorithm& a, std::vector<Value> values, Body&& body, int first = 1, int last = 1 << 30) {
  for (int j = first; j <= std::min(last, a.stages()); ++j) {
    const std::vector<Value> before = values;
    for (std::uint32_t e = 0; e < 1u << a.n; ++e)
      if (a.makes(j, e)) values[e] = body(before, j, e);
  }
  return values;
}

/// Every Fourier transform of `first` to `last` digits.
template <class Body>
void for_each_fft(int first, int last, const Body& body) {
  for (int n = first; n <= last; ++n)
    for (int p = std::min(1, n); p <= std::min(4, n); ++p)
      for (int r = 1; r <= std::max(1, p); ++r) body(FftNetwork{n, p, r});
}

/// Networks of threads that exchange.
using StagedNetworks = decltype(SortNetworks{} +
                                TypeList<KoggeStone, LadnerFischer, BrentKung, CyclicReduction, ParallelCyclicReduction,
                                         WangMou, TridiagonalLadnerFischer>{});

}  // namespace warploom
