#include "gpu/tracks/facets/all.h"
#include "tests/scenes/simplex/simplices.h"
#include "tests/tracks/counts.h"

// The slow launch of simplex tracks: the work of its first warps, against the owners of the cells one by one.

namespace warploom {
namespace {

class SimplexSoFar : public SimplexTest {};
WARPLOOM_ON_BOTH_BACKENDS(SimplexSoFar);

TEST_P(SimplexSoFar, CountsAreThoseOfTheOwners) {
  for (const auto& [kind, n, rho] : simplex_sizes())
    for (const auto& name : simplex_track_names(find_simplex_kind(kind).dimensions, true, "linear")) {
      const auto settings = simplex_settings(kind, n, rho, "single_write");
      SCOPED_TRACE(describe(settings) + " " + name);
      const auto track = make_simplex_track(*queue, settings, name);
      EXPECT_FALSE(track->need<Counted>().counts_so_far(*queue, 1)) << "not counted yet";
      track->need<Counted>().count(*queue);
      check_so_far(*queue, *track, simplex_of(settings).cells());
      if (HasFailure()) return;
    }
}

}  // namespace
}  // namespace warploom
