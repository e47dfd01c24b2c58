#include "gpu/core/format.h"
#include "tests/scenes/simplex/simplices.h"

// How a track's blocks are shared out: what is listed, what is refused, and what is said of it.

namespace warploom {
namespace {

/// Whether the settings are refused for the blocked track of exact roots, in a message that has these words.
::testing::AssertionResult refuses(const SimplexSettings& settings, const std::string& words) {
  const std::string said = refusal_of(settings, find_simplex_track(3, "root_exact/blocked"));
  return (said.find(words) == std::string::npos ? ::testing::AssertionFailure() : ::testing::AssertionSuccess())
         << said;
}

// Kernels of several cells per thread count blocks in 32 bits, below what bare roots are right for.
TEST(SimplexShapeSettings, AreForFewBlocks) {
  SimplexSettings settings = simplex_settings("tetrahedron", 8 * 2046, 8, "single_write");
  const TrackInfo& track = find_simplex_track(3, "root_exact/blocked");
  settings.coarsen = 4;
  EXPECT_EQ(simplex_shares(settings, track).box.cells(), 4u);
  ++settings.n;  // T(2047) blocks
  EXPECT_TRUE(refuses(settings, grouped(1431655424)));
  settings.coarsen = 0;
  EXPECT_EQ(simplex_shares(settings, track).box.cells(), 1u);
  // Sums of blocks are of any number of them.
  settings.work = "triplet_energy";
  EXPECT_GT(simplex_shares(settings, track).box.cells(), 1u);
}

// Where neighbours are told by 32 bits, and where none is read.
TEST(SimplexShapeSettings, AreRefusedWhereNeighboursLieTooFar) {
  const auto far = [](const char* kind, const char* work, std::uint32_t n, std::uint32_t rho, std::uint32_t cells,
                      const char* track = "root_exact/blocked") {
    SimplexSettings settings = simplex_settings(kind, n, rho, work);
    settings.coarsen = cells;
    try {
      check_simplex(Backend::cpu, settings, {track});
    } catch (const UsageError& error) {
      return std::string(error.what()).find("too far apart") != std::string::npos;
    }
    return false;
  };
  EXPECT_FALSE(far("tetrahedron", "triplet_energy", 8192, 64, 1024, "root_exact"));
  EXPECT_FALSE(far("tetrahedron", "single_write", 16384, 32, 128));
  EXPECT_TRUE(far("tetrahedron", "stencil", 16384, 32, 128));
  EXPECT_FALSE(far("tetrahedron", "stencil", 16384, 8, 1));
  EXPECT_FALSE(far("tetrahedron", "stencil", 6657, 32, 128));
  EXPECT_TRUE(far("tetrahedron_corner", "stencil", 6657, 32, 128));
}

TEST(SimplexShapeSettings, SayWhatIsListed) {
  SimplexSettings settings = simplex_settings("tetrahedron", 20, 8, "automaton");
  const TrackInfo& track = find_simplex_track(3, "root_exact/blocked");
  settings.coarsen = 3;
  EXPECT_TRUE(refuses(settings, "1, 4, 8, 16 or auto cells per thread; the nearest is 4"));
  settings.coarsen = 0;
  EXPECT_EQ(simplex_shares(settings, track).box, (ThreadBox{8, 2, 1}));
  settings.rho = 16;
  settings.coarsen = 1;
  EXPECT_THROW((void)simplex_shares(settings, track), UsageError);
  settings.coarsen = 16;
  settings.gang = 8;
  EXPECT_THROW((void)simplex_shares(settings, track), UsageError);  // 2048 threads
  settings.gang = 2;
  EXPECT_EQ(simplex_shares(settings, track).gang, 2u);
  // What has no shapes offers none, not auto.
  SimplexSettings none = simplex_settings("tetrahedron", 20, 48, "map_only");
  none.coarsen = 64;
  EXPECT_TRUE(refuses(none, "blocks of at most 10"));
  EXPECT_FALSE(refuses(none, "auto"));
  // A gang has no more shared memory than every device can give: 4 blocks of stencils with a thread per cell.
  SimplexSettings small = simplex_settings("tetrahedron", 20, 2, "stencil");
  small.gang = 0;
  EXPECT_EQ(simplex_shares(small, track).gang, 4u);
  small.gang = 8;
  EXPECT_TRUE(refuses(small, "a gang of 4"));
  // The best gang is the one that the design found by measuring.
  const auto best = [&](const char* work, std::uint32_t rho) {
    SimplexSettings of = simplex_settings("tetrahedron", 20, rho, work);
    of.coarsen = of.gang = 0;
    return simplex_shares(of, track).gang;
  };
  EXPECT_EQ(best("single_write", 8), 2u);
  EXPECT_EQ(best("automaton", 8), 2u);
  EXPECT_EQ(best("stencil", 16), 1u);
}

}  // namespace
}  // namespace warploom
