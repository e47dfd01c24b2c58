#pragma once
#include "gpu/core/group.h"
#include "gpu/scenes/irregular/tree/levels.h"

// All nodes at once. Source: karras2012trees.
namespace warploom {

/// The node that begins or ends at place i, for each i but the last; delta(i, j) is how many leading bits they share.
WARPLOOM_HD PlaceRange radix_node(const TreeKeys& keys, std::uint32_t at, std::uint32_t& split) {
  const std::int64_t i = at, count = keys.count;
  const auto delta = [&](std::int64_t j) {
    return j < 0 || j >= count ? -1 : keys.common(at, static_cast<std::uint32_t>(j));
  };
  const std::int64_t d = delta(i + 1) > delta(i - 1) ? 1 : -1;
  const int least = delta(i - d);
  std::int64_t most = 2;
  while (delta(i + most * d) > least) most *= 2;
  std::int64_t length = 0;
  for (std::int64_t t = most / 2; t >= 1; t /= 2)
    if (delta(i + (length + t) * d) > least) length += t;
  const std::int64_t j = i + length * d;
  const int own = delta(j);
  std::int64_t s = 0, t = length;
  do {
    t = (t + 1) / 2;
    if (delta(i + (s + t) * d) > own) s += t;
  } while (t > 1);
  split = static_cast<std::uint32_t>(i + s * d + (d < 0 ? -1 : 0));
  return {static_cast<std::uint32_t>(d > 0 ? i : j), static_cast<std::uint32_t>(d > 0 ? j : i)};
}

/// A thread a node; those of at most `leaf` points are dropped.
struct FindRadixNodes {
  static constexpr bool rows_of_warps = true;
  TreeKeys keys;
  TreeNodes nodes;
  std::uint32_t leaf;
  VisitTally tally;  ///< of null: none is needed, all are kept

  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    typename Group::template PerThread<bool> there;
    typename Group::template PerThread<std::uint32_t> made;
    const std::uint64_t first = group.block_number() * group.size();
    group.each([&](const Thread& thread) {
      const std::uint64_t i = first + thread.index;
      there[thread] = false;
      made[thread] = 0;
      if (i + 1 >= keys.count) return;
      std::uint32_t split = 0;
      const PlaceRange node = radix_node(keys, static_cast<std::uint32_t>(i), split);
      there[thread] = node.count() > leaf;
      if (!there[thread]) return;
      made[thread] = Division::at(node, split, leaf).made();
      nodes.at[split] = node;
    });
    if (tally.to) tally.add(group, there, made);
  }
};

}  // namespace warploom
