#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "gpu/tracks/facets/counted.h"
#include "gpu/tracks/facets/threads.h"
#include "gpu/tracks/track.h"

// What a track counts, against counts by brute force, and of its first warps in the slow launch.

namespace warploom {

/// Of every launch, with what is stated beforehand.
inline void expect_counts(const Counts& found, const Counts& wanted) {
  EXPECT_EQ(found.launched, wanted.launched);
  EXPECT_EQ(found.launched_stated, wanted.launched);
  EXPECT_EQ(found.useful, wanted.useful);
  EXPECT_EQ(found.useful_stated, wanted.useful);
  EXPECT_EQ(found.wasted(), wanted.launched - wanted.useful);
  EXPECT_EQ(found.blocks, wanted.blocks);
  EXPECT_EQ(found.blocks_useful, wanted.blocks_useful);
  EXPECT_EQ(found.warps_full, wanted.warps_full);
  EXPECT_EQ(found.warps_partial, wanted.warps_partial);
  EXPECT_EQ(found.warps_idle, wanted.warps_idle);
}

inline std::uint64_t warps_of_block(const Track& track) { return (volume(track.launches()[0].threads) + 31) / 32; }

/// The number of a block's visit: launch after launch, turn after turn, block after block.
inline std::uint64_t visit_number(const Track& track, const Owner& who) {
  const auto& shapes = track.launches();
  const auto launch = static_cast<std::size_t>(who.launch);
  std::uint64_t visit = static_cast<std::uint64_t>(who.turn) * shapes[launch].block_count() +
                        linear_index(who.block, shapes[launch].blocks);
  for (std::size_t before = 0; before < launch; ++before) visit += shapes[before].block_count();
  return visit;
}

/// Of the first so many warps in that order, against the owners of the cells one by one.
inline void check_so_far(Queue& queue, const Track& track, const std::vector<Cell>& cells) {
  const auto& counted = track.need<Counted>();
  const std::uint64_t threads = volume(track.launches()[0].threads), each = warps_of_block(track),
                      most = counted.counts()->launched / threads * each;
  std::vector<std::uint64_t> served;  // the warp of each cell
  for (const Cell& cell : cells) {
    Owner who;
    ASSERT_TRUE(track.need<Threads>().owner(cell, who)) << "no thread owns a cell";
    served.push_back(visit_number(track, who) * each + linear_index(who.thread, track.launches()[0].threads) / 32);
  }
  for (const std::uint64_t warps : {std::uint64_t{0}, std::uint64_t{1}, most / 3, most / 2 + 1, most - 1, most}) {
    const auto found = counted.counts_so_far(queue, warps);
    ASSERT_TRUE(found);
    ASSERT_EQ(found->launched, warps / each * threads + std::min(threads, warps % each * 32)) << warps;
    const auto useful = std::count_if(served.begin(), served.end(), [&](std::uint64_t warp) { return warp < warps; });
    ASSERT_EQ(found->useful, static_cast<std::uint64_t>(useful)) << warps << " of " << most;
    ASSERT_EQ(found->whole, warps == most);
    ASSERT_EQ(found->last.has_value(), warps > 0 && warps < most);
    if (!found->last) continue;
    ASSERT_TRUE(track.need<Threads>().launched(*found->last));
    ASSERT_EQ(visit_number(track, *found->last), (warps - 1) / each);
  }
}

}  // namespace warploom
