#include "gpu/core/format.h"
#include "tests/scenes/simplex/simplices.h"

// How a track's blocks are shared out: what is listed, what is refused, and what is said of it.

namespace warploom {
namespace {

// Kernels of several cells per thread count blocks in 32 bits, below what bare roots are right for.
TEST(SimplexShapeSettings, AreForFewBlocks) {
  SimplexSettings settings = simplex_settings("tetrahedron", 8 * 2046, 8, "single_write");
  const TrackInfo& track = find_simplex_track(3, "root_exact/blocked");
  settings.coarsen = 4;
  EXPECT_EQ(simplex_shares(settings, track).box.cells(), 4u);
  ++settings.n;  // T(2047) blocks
  try {
    simplex_shares(settings, track);
    ADD_FAILURE() << "too many blocks";
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find(grouped(1431655424)), std::string::npos) << error.what();
  }
  settings.coarsen = 0;
  EXPECT_EQ(simplex_shares(settings, track).box.cells(), 1u);
  // Sums of blocks are of any number of them.
  settings.work = "triplet_energy";
  EXPECT_GT(simplex_shares(settings, track).box.cells(), 1u);
}

// Where neighbours are told by 32 bits, and where none is read.
TEST(SimplexShapeSettings, AreRefusedWhereNeighboursLieTooFar) {
  const auto refusal = [](const char* kind, const char* work, std::uint32_t n, std::uint32_t rho, std::uint32_t cells,
                          const char* track) -> std::string {
    SimplexSettings settings = simplex_settings(kind, n, rho, work);
    settings.coarsen = cells;
    try {
      check_simplex(Backend::cpu, settings, {track});
    } catch (const UsageError& error) {
      return error.what();
    }
    return {};
  };
  const auto far = [](const std::string& said) { return said.find("too far apart") != std::string::npos; };
  EXPECT_FALSE(far(refusal("tetrahedron", "triplet_energy", 8192, 64, 1024, "root_exact")));
  EXPECT_FALSE(far(refusal("tetrahedron", "single_write", 16384, 32, 128, "root_exact/blocked")));
  EXPECT_TRUE(far(refusal("tetrahedron", "stencil", 16384, 32, 128, "root_exact/blocked")));
  EXPECT_FALSE(far(refusal("tetrahedron", "stencil", 16384, 8, 1, "root_exact/blocked")));
  EXPECT_FALSE(far(refusal("tetrahedron", "stencil", 6657, 32, 128, "root_exact/blocked")));
  EXPECT_TRUE(far(refusal("tetrahedron_corner", "stencil", 6657, 32, 128, "root_exact/blocked")));
}

TEST(SimplexShapeSettings, SayWhatIsListed) {
  SimplexSettings settings = simplex_settings("tetrahedron", 20, 8, "automaton");
  const TrackInfo& track = find_simplex_track(3, "root_exact/blocked");
  settings.coarsen = 3;
  try {
    (void)simplex_shares(settings, track);
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("1, 4, 8, 16 or auto cells per thread; the nearest is 4"),
              std::string::npos)
        << error.what();
  }
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
  try {
    (void)simplex_shares(none, track);
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_EQ(std::string(error.what()).find("auto"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("blocks of at most 10"), std::string::npos) << error.what();
  }
  // A gang has no more shared memory than every device can give: of stencils of a thread per cell 4 blocks at most.
  SimplexSettings small = simplex_settings("tetrahedron", 20, 2, "stencil");
  small.gang = 0;
  EXPECT_EQ(simplex_shares(small, track).gang, 4u);
  small.gang = 8;
  try {
    (void)simplex_shares(small, track);
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("a gang of 4"), std::string::npos) << error.what();
  }
  // The best gang is the one that the design found by measuring.
  const auto best = [](const char* work, std::uint32_t rho, const char* name) {
    SimplexSettings of = simplex_settings("tetrahedron", 20, rho, work);
    of.coarsen = of.gang = 0;
    return simplex_shares(of, find_simplex_track(3, name)).gang;
  };
  EXPECT_EQ(best("single_write", 8, "root_exact/blocked"), 2u);
  EXPECT_EQ(best("automaton", 8, "root_exact/blocked"), 2u);
  EXPECT_EQ(best("stencil", 16, "root_exact/blocked"), 1u);
}

}  // namespace
}  // namespace warploom
