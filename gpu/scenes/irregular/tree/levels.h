#pragma once
#include "gpu/core/atomic.h"
#include "gpu/core/group.h"
#include "gpu/scenes/irregular/tree/nodes.h"

// A tree level by level: each node of a level makes those of the next. Source: zhou2008kdtrees, lauterbach2009bvh.
namespace warploom {

/// What the threads of a launch come to, summed: nodes that make none, one and two; warps that are full of nodes, and
/// that have some; blocks that have some. And, of nodes that are appended, how many have been.
struct VisitTally {
  static constexpr int made = 0, warps_full = 3, warps_partial = 4, blocks = 5, appended = 6, words = 8;
  std::uint64_t* to;  ///< (words)

  /// `there`: which threads have a node, which makes so many. Launched in blocks of 256.
  template <class Group, class Flags, class Numbers>
  WARPLOOM_HD void add(Group& group, Flags& there, Numbers& makes) const {
    typename Group::template PerThread<std::uint32_t> votes;
    typename Group::template PerThread<std::uint64_t> parts;
    group.warp_ballot(there, votes);
    constexpr int bits = 12;
    group.each([&](const Thread& thread) {
      std::uint64_t own = there[thread] ? std::uint64_t{1} << bits * makes[thread] : 0;
      if (thread.index % warp_size == 0 && votes[thread])
        own += std::uint64_t{1} << bits * (~votes[thread] ? warps_partial : warps_full);
      parts[thread] = own;
    });
    group.sum_once(parts, [&](std::uint64_t sum) {
      if (!sum) return;
      for (int i = 0; i < blocks; ++i)
        if (const std::uint64_t some = sum >> (bits * i) & ((1u << bits) - 1)) atomic_add(to + i, some);
      atomic_add(to + blocks, 1);
    });
  }
};

/// The deepest level that a node is at: two places more than a leaf apart part no later. One place an item.
struct FindDeepest {
  TreeKeys keys;
  std::uint32_t leaf;
  std::uint32_t* deepest;  ///< 0 before
  WARPLOOM_HD void operator()(std::uint64_t i) const {
    const auto place = static_cast<std::uint32_t>(i);
    rare_atomic_maximum(deepest, static_cast<std::uint32_t>(keys.common(place, place + leaf)));
  }
};

/// A level of `levels/scan`: node i makes slots 2 i and 2 i + 1 or, where they will be brought together, says how many.
struct DivideSlots {
  static constexpr bool rows_of_warps = true;
  TreeKeys keys;
  TreeNodes nodes;
  std::uint32_t leaf;
  int level;
  const PlaceRange* in;
  std::uint64_t slots;
  PlaceRange* out;        ///< (2 slots); null: they are brought together
  std::uint32_t* splits;  ///< (slots) then, and how many nodes each makes
  std::uint32_t* makes;
  VisitTally tally;

  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    typename Group::template PerThread<bool> there;
    typename Group::template PerThread<std::uint32_t> made;
    const std::uint64_t first = group.block_number() * group.size();
    group.each([&](const Thread& thread) {
      const std::uint64_t i = first + thread.index;
      PlaceRange node;
      if (i < slots) node = in[i];
      there[thread] = node.there();
      const Division division = nodes.divide(keys, node, level, leaf);
      made[thread] = division.made();
      if (i >= slots) return;
      if (out) {
        out[2 * i] = division.children[0];
        out[2 * i + 1] = division.children[1];
      } else {
        splits[i] = division.split;
        makes[i] = division.made();
      }
    });
    tally.add(group, there, made);
  }
};

/// Brings together what nodes make. A slot an item.
struct CompactNodes {
  const PlaceRange* in;
  const std::uint32_t *splits, *offsets;
  std::uint32_t leaf;
  PlaceRange* out;
  WARPLOOM_HD void operator()(std::uint64_t i) const {
    if (!in[i].there()) return;
    const Division division = Division::at(in[i], splits[i], leaf);
    std::uint32_t to = offsets[i];
    for (const PlaceRange& child : division.children)
      if (child.there()) out[to++] = child;
  }
};

/// A level of `levels/atomic`: nodes are appended to the next list, by one atomic a warp.
struct AppendNodes {
  static constexpr bool rows_of_warps = true;
  TreeKeys keys;
  TreeNodes nodes;
  std::uint32_t leaf;
  int level;
  const PlaceRange* in;
  std::uint64_t slots;
  PlaceRange* out;
  VisitTally tally;

  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    typename Group::template PerThread<bool> there, some, two;
    typename Group::template PerThread<unsigned> before, twos_before, last_lane;
    typename Group::template PerThread<std::uint32_t> made;
    typename Group::template PerThread<std::uint64_t> places, begins;
    typename Group::template PerThread<Division> divisions;
    const std::uint64_t first = group.block_number() * group.size();
    group.each([&](const Thread& thread) {
      const std::uint64_t i = first + thread.index;
      PlaceRange node;
      if (i < slots) node = in[i];
      there[thread] = node.there();
      const Division division = nodes.divide(keys, node, level, leaf);
      divisions[thread] = division;
      made[thread] = division.made();
      some[thread] = made[thread] > 0;
      two[thread] = made[thread] > 1;
    });
    group.warp_ranks(some, before);
    group.warp_ranks(two, twos_before);
    group.each([&](const Thread& thread) {
      last_lane[thread] = warp_size - 1;
      places[thread] = 0;
      if (thread.index % warp_size != warp_size - 1) return;
      const std::uint64_t all = before[thread] + twos_before[thread] + made[thread];
      if (all) places[thread] = atomic_fetch_add(tally.to + VisitTally::appended, all);
    });
    group.shuffle(places, last_lane, begins);
    group.each([&](const Thread& thread) {
      std::uint64_t to = begins[thread] + before[thread] + twos_before[thread];
      for (int half = 0; half < 2; ++half) {
        const PlaceRange child = divisions[thread].children[half];
        if (child.there()) out[to++] = child;
      }
    });
    tally.add(group, there, made);
  }
};

}  // namespace warploom
