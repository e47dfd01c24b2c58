#include "gpu/tracks/facets/all.h"
#include "tests/scenes/simplex/simplices.h"

// The slow launch of simplex tracks: the work of its first warps, against the owners of the cells one by one.

namespace warploom {
namespace {

class SimplexSoFar : public SimplexTest {};
WARPLOOM_SIMPLICES_ON_BOTH_BACKENDS(SimplexSoFar);

/// The warp that serves each cell, numbered launch after launch, turn after turn, block after block.
std::vector<std::uint64_t> warps_of_cells(const Track& track, const oracle::Simplex& simplex, std::uint64_t each) {
  std::vector<std::uint64_t> first{0};  // number of each launch's first visit
  for (const auto& shape : track.launches()) first.push_back(first.back() + shape.block_count());
  std::vector<std::uint64_t> warps;
  for (const Cell& cell : simplex.cells()) {
    Owner who;
    if (!track.need<Threads>().owner(cell, who)) ADD_FAILURE() << "no thread owns a cell";
    const auto launch = static_cast<std::size_t>(who.launch);
    const LaunchShape& shape = track.launches()[launch];
    const std::uint64_t visit = first[launch] + static_cast<std::uint64_t>(who.turn) * shape.block_count() +
                                linear_index(who.block, shape.blocks);
    warps.push_back(visit * each + linear_index(who.thread, shape.threads) / 32);
  }
  return warps;
}

void check_so_far(Queue& queue, const SimplexSettings& settings, const std::string& name) {
  SCOPED_TRACE(describe(settings) + " " + name);
  const auto track = make_simplex_track(queue, settings, name);
  auto& counted = track->need<Counted>();
  EXPECT_FALSE(counted.counts_so_far(queue, 1)) << "not counted yet";
  counted.count(queue);
  const std::uint64_t threads = volume(track->launches()[0].threads), each = (threads + 31) / 32,
                      most = counted.counts()->launched / threads * each;
  const auto warps_of = warps_of_cells(*track, simplex_of(settings), each);
  for (const std::uint64_t warps : {std::uint64_t{0}, std::uint64_t{1}, most / 3, most / 2 + 1, most - 1, most}) {
    const auto found = counted.counts_so_far(queue, warps);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->launched, warps / each * threads + std::min(threads, warps % each * 32)) << warps;
    EXPECT_EQ(found->useful, static_cast<std::uint64_t>(std::count_if(warps_of.begin(), warps_of.end(),
                                                                      [&](std::uint64_t w) { return w < warps; })))
        << warps << " of " << most;
    EXPECT_EQ(found->whole, warps == most);
    EXPECT_EQ(found->last.has_value(), warps > 0 && warps < most);
    EXPECT_TRUE(!found->last || track->need<Threads>().launched(*found->last));
  }
}

TEST_P(SimplexSoFar, CountsAreThoseOfTheOwners) {
  for (const auto& [kind, n, rho] : simplex_sizes())
    for (const auto& name : simplex_track_names(find_simplex_kind(kind).dimensions, true, "linear")) {
      check_so_far(*queue, simplex_settings(kind, n, rho, "single_write"), name);
      if (HasFailure()) return;
    }
}

}  // namespace
}  // namespace warploom
