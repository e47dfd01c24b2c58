#include <algorithm>
#include <chrono>
#include <numeric>
#include <set>

#include "gpu/core/buffer.h"
#include "gpu/pictures/picture.h"
#include "gpu/scenes/bins/pictures/colours.h"
#include "gpu/tracks/facets/described.h"
#include "tests/scenes/bins/bins.h"

// What is told of a bin, an element, an output, against the dumped arrays.

namespace warploom {
namespace {

using Rows = std::map<std::string, std::string>;

/// The number that a row begins with; -1: there is no such row.
std::int64_t number_in(const Rows& rows, const std::string& what) {
  const auto row = rows.find(what);
  if (row == rows.end()) return -1;
  std::int64_t number = 0;
  for (const char c : row->second) {
    if (std::isalpha(static_cast<unsigned char>(c))) break;
    if (std::isdigit(static_cast<unsigned char>(c))) number = 10 * number + (c - '0');
  }
  return number;
}

/// An application's inputs under one track, after a step.
struct Shown {
  std::shared_ptr<const BinProblem> problem;
  std::unique_ptr<Simulation> all;
  Track& tested;
  Dumped dump;
};

class BinsLooks : public BinsTest {
 protected:
  Shown shown(const std::string& application, const std::string& name, const std::string& input, std::int64_t cap = 1) {
    const auto problem = make_bin_problem({.application = application, .input = input, .cap = cap});
    auto all = simulation(problem, {name}, 1);
    (void)all->status();
    Track& tested = all->track(0);
    return {problem, std::move(all), tested, Dumped(tested, *queue)};
  }
  Rows told(Track& tested, const Selection& selection) {
    auto& described = tested.need<Described>();
    described.ask(*queue, selection);
    Rows rows;
    for (const auto& [what, value] : described.describe(selection)) rows[what] = value;
    return rows;
  }
};

const char* const applications[] = {"cutcp", "mri", "blinn", "nbody"};

TEST_P(BinsLooks, AnElementHasASlotAndReachesOutputs) {
  for (const std::string application : applications)
    for (const std::string name : {"regular/count", "compact/range/spill", "none/gather"}) {
      SCOPED_TRACE(application + ", " + name);
      const auto& [problem, all, tested, dump] = shown(application, name, "90");
      const auto elements = dump.of<float>("elements");
      const unsigned width = problem->input.width;
      const std::uint64_t n = elements.size() / width;
      const auto hits = dump.of<std::uint32_t>("hits");
      const auto overflow = dump.has("overflow") ? dump.of<std::int32_t>("overflow") : std::vector<std::int32_t>{};
      const auto order = dump.has("order") ? dump.of<std::int32_t>("order") : std::vector<std::int32_t>{};
      std::set<std::string> slots;
      for (std::uint64_t e = 0; e < n; e += application == "nbody" ? 1 : 13) {
        const Rows rows = told(tested, {"element", {static_cast<std::uint32_t>(e), 0, 0}, 0, {}});
        ASSERT_TRUE(rows.contains("place")) << "element " << e;
        // Who spills hangs on the race, but no two have one slot.
        const bool spilled = std::find(overflow.begin(), overflow.end(), int(e)) != overflow.end();
        if (name == "none/gather") {
          EXPECT_FALSE(rows.contains("slot"));
        } else if (spilled) {
          EXPECT_EQ(rows.at("slot"), "none: spilled");
        } else {
          ASSERT_TRUE(rows.contains("slot"));
          EXPECT_EQ(order.at(std::size_t(number_in(rows, "slot"))), int(e));
          EXPECT_TRUE(slots.insert(rows.at("slot")).second);
        }
        if (application == "nbody") {
          if (hits[e] == 1)
            EXPECT_EQ(rows.at("reaches"), "itself alone");
          else
            EXPECT_EQ(number_in(rows, "reaches"), std::int64_t{hits[e]});
          continue;
        }
        // By distances in double.
        const double reach = reach_of(*problem, &elements[e * width]);
        std::int64_t reached = 0, doubtful = 0;
        for (std::uint64_t o = 0; o < problem->space.lattice.count(); ++o) {
          const auto at = output_place(problem->space.lattice, o);
          const double r = std::sqrt(squared(way(problem->space.grid, false, at, &elements[e * width])));
          reached += r < reach;
          doubtful += std::abs(r - reach) < 1e-5 * reach;
        }
        EXPECT_GT(reached, 0);
        EXPECT_LE(std::abs(number_in(rows, "reaches") - reached), doubtful) << "element " << e;
      }
      EXPECT_TRUE(told(tested, {"element", {static_cast<std::uint32_t>(n), 0, 0}, 0, {}}).empty());
    }
}

TEST_P(BinsLooks, AnOutputHasTestsAndHits) {
  for (const std::string application : {"cutcp", "blinn"})
    for (const std::string name : {"regular/count", "compact/trimmed", "none/gather"}) {
      SCOPED_TRACE(application + ", " + name);
      const auto& [problem, all, tested, dump] = shown(application, name, "90");
      const auto hits = dump.of<std::uint32_t>("hits");
      const auto tests = dump.of<std::uint64_t>("tests");
      const auto output = dump.of<float>("output");
      const Index3 points = tested.extent(), blocks = tested.launches()[0].blocks;
      std::vector<std::uint64_t> seen;
      for (std::uint64_t o = 5; o < hits.size(); o += hits.size() / 7) {
        const Rows rows = told(tested, {Selection::cell, unfold(o, points), 0, {}});
        EXPECT_EQ(number_in(rows, "hits"), std::int64_t{hits[o]});
        EXPECT_NEAR(std::stod(rows.at("value")), double(output[o]), 1e-4 * std::abs(double(output[o])));
        const Index3 at = unfold(o, points);
        seen.push_back(linear_index({at.x / 8, at.y / 8, at.z / 8}, blocks));
      }
      // A block tests what its outputs say, added up; those of a thread say the same.
      for (std::size_t i = 0; i < seen.size(); i += 3) {
        const Index3 block = unfold(seen[i], blocks);
        const auto end = [](std::uint32_t first, std::uint32_t most) { return std::min(8 * first + 8, most); };
        std::uint64_t pairs = 0;
        for (std::uint32_t z = 8 * block.z; z < end(block.z, points.z); ++z)
          for (std::uint32_t y = 8 * block.y; y < end(block.y, points.y); ++y) {
            const Rows rows = told(tested, {Selection::cell, {8 * block.x, y, z}, 0, {}});
            const bool any = rows.contains("tests");
            pairs += std::uint64_t(any ? number_in(rows, "tests") : 0) * (end(block.x, points.x) - 8 * block.x);
          }
        EXPECT_EQ(pairs, tests[seen[i]]);
      }
    }
}

/// What a warp tests is what may reach the box of its outputs, by the design's words; it leaves out most of the
/// corners.
TEST_P(BinsLooks, AWarpTestsWhatMayReachItsOutputs) {
  std::uint64_t pairs[2], in_reach = 0;
  for (const auto& [name, all_pairs] :
       {std::pair{"compact/range", &pairs[0]}, std::pair{"compact/trimmed", &pairs[1]}}) {
    const Dumped dump = shown("cutcp", name, "600").dump;
    const auto tests = dump.of<std::uint64_t>("tests");
    const auto hits = dump.of<std::uint32_t>("hits");
    *all_pairs = std::accumulate(tests.begin(), tests.end(), std::uint64_t{0});
    in_reach = std::accumulate(hits.begin(), hits.end(), std::uint64_t{0});
  }
  EXPECT_GE(pairs[1], in_reach);
  EXPECT_LT(3 * pairs[1], 2 * pairs[0]);
  EXPECT_LT(pairs[1], 2 * in_reach);
}

TEST_P(BinsLooks, ABinIsReadByBlocksOrThreads) {
  for (const std::string application : {"blinn", "nbody"}) {
    SCOPED_TRACE(application);
    const auto& [problem, all, tested, dump] = shown(application, "compact/range", "90");
    const auto elements = dump.of<float>("elements");
    const BinSpace& space = problem->space;
    const BinGrid& grid = space.grid;
    // As the design has it: bins from index(low - rho) to index(high + rho).
    const auto looks = [&](int axis, float low, float high, std::uint32_t bin) {
      const std::uint32_t all_bins = grid.extent(axis);
      const auto place = [&](float p) { return std::floor((p - grid.origin[axis]) * (1 / grid.side[axis])); };
      const float from = place(low - space.margin), to = place(high + space.margin);
      for (float at = from; at <= to; ++at) {
        const float inside = grid.periodic ? at - std::floor(at / float(all_bins)) * float(all_bins)
                                           : std::clamp(at, 0.f, float(all_bins - 1));
        if (inside == float(bin)) return true;
      }
      return false;
    };
    for (std::uint64_t b = 0; b < grid.count(); b += grid.count() / 11 + 1) {
      const Index3 bin = unfold(b, grid.bins);
      const std::uint32_t bins[] = {bin.x, bin.y, bin.z};
      std::int64_t readers = 0;
      if (grid.periodic) {
        for (std::size_t i = 0; i < elements.size() / 4; ++i) {
          bool reads = true;
          for (int a = 0; a < 3; ++a) {
            const float p = elements[i * 4 + std::size_t(a)];
            reads = reads && looks(a, p, p, bins[a]);
          }
          readers += reads;
        }
      } else {
        const Index3 blocks = tested.launches()[0].blocks;
        for (std::uint64_t i = 0; i < volume(blocks); ++i) {
          const Index3 block = unfold(i, blocks);
          const std::uint32_t at[] = {block.x, block.y, block.z},
                              points[] = {space.lattice.points.x, space.lattice.points.y, space.lattice.points.z};
          bool reads = true;
          for (int a = 0; a < 3; ++a)
            reads = reads && looks(a, space.lattice.at(a, at[a] * 8),
                                   space.lattice.at(a, std::min(points[a], at[a] * 8 + 8) - 1), bins[a]);
          readers += reads;
        }
      }
      EXPECT_EQ(number_in(told(tested, {"bin", bin, 0, {}}), "read by"), readers) << "bin " << b;
    }
  }
}

TEST_P(BinsLooks, TheMouseFindsDotsAndSlots) {
  for (const std::string name : {"regular/sentinel", "compact/range"}) {
    SCOPED_TRACE(name);
    const auto& [problem, all, tested, dump] = shown("nbody", name, "300", -1);
    const auto elements = dump.of<float>("elements");
    const auto order = dump.of<std::int32_t>("order");
    const BinGrid& grid = problem->space.grid;
    PictureRequest request;
    request.target.width = 640;
    request.target.height = 480;
    request.solid.slice_axis = -1;
    Picture& bins = find_picture(tested, "occupancy");
    const auto place = [&](std::size_t e, int axis) {
      return double((elements[4 * e + std::size_t(axis)] - grid.origin[axis]) / grid.side[axis]);
    };
    const double pixel = .02;
    int found = 0;
    for (std::size_t e = 0; e < elements.size() / 4; e += 9) {
      request.camera = {place(e, 0), place(e, 1), pixel, pixel};
      const Selection under = bins.at(queue.get(), request, 321, 240);
      ASSERT_EQ(under.space, "element") << "element " << e;
      const auto apart = [&](std::size_t other) {
        return std::hypot(place(other, 0) - place(e, 0) - pixel, place(other, 1) - place(e, 1));
      };
      double least = 1e30;
      for (std::size_t other = 0; other < elements.size() / 4; ++other) least = std::min(least, apart(other));
      EXPECT_NEAR(apart(under.at.x), least, 1e-3);
      found += under.at.x == e;
      EXPECT_EQ(bins.at(nullptr, request, 321, 240).space, "bin");
      // It is marked there, once it was asked for.
      tested.need<Described>().ask(*queue, under);
      const auto marks = bins.marks({under, {}, {}, true});
      ASSERT_FALSE(marks.empty());
      EXPECT_NEAR(marks.back().low[0], place(under.at.x, 0), 1e-3);
    }
    EXPECT_GT(found, 20);
    // Far away they are bins.
    request.camera.cells_per_pixel_x = request.camera.cells_per_pixel_y = .2;
    EXPECT_EQ(bins.at(queue.get(), request, 321, 240).space, "bin");
    Picture& memory = find_picture(tested, "memory");
    const auto wide = static_cast<std::uint64_t>(memory.extent()[0]);
    // What is looked at follows the state a little later; a picture that is painted again says when.
    Buffer<Rgba> pixels(GetParam(), 640 * 480);
    PictureRequest seen = request;
    seen.target = {0, pixels.data(), 640, 480};
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(5);
    for (std::uint64_t version = 0; std::chrono::steady_clock::now() < end;) {
      if (memory.version(seen) == version) continue;
      version = memory.version(seen);
      memory.paint(*queue, seen);
      std::uint64_t filled = 0;
      while (order[filled] < 0) ++filled;
      seen.camera = {double(filled % wide) + .5, double(filled / wide) + .5, .05, .05};
      if (memory.at(queue.get(), seen, 320, 240).space == "element") break;
    }
    for (std::uint64_t slot = 0; slot < order.size(); slot += 17) {
      request.camera = {double(slot % wide) + .5, double(slot / wide) + .5, .05, .05};
      const Selection under = memory.at(queue.get(), request, 320, 240);
      if (order[slot] < 0) {
        EXPECT_EQ(under.space, "bin");
        continue;
      }
      ASSERT_EQ(under.space, "element") << "slot " << slot;
      EXPECT_EQ(int(under.at.x), order[slot]);
    }
  }
}

TEST_P(BinsLooks, BlocksAreTimedApart) {
  for (const std::string application : {"blinn", "nbody"}) {
    SCOPED_TRACE(application);
    const auto& [problem, all, tested, dump] = shown(application, "compact/range", "600");
    const auto output = dump.of<float>("output");
    Picture& grid = find_picture(tested, "launch");
    const auto sides = grid.extent();
    const int width = int(sides[0]), height = int(sides[1]);
    PictureRequest request;
    request.palette = bins_palette();
    request.palette.waste = rgba(9, 9, 9);
    request.palette.hatch = rgba(8, 8, 8);
    request.colour_by = bin_colours::time;
    request.camera = {sides[0] / 2, sides[1] / 2, 1, 1};
    request.target = {0, nullptr, width, height};
    (void)painted(grid, request);
    EXPECT_EQ(grid.caption(), "timed at the next step");
    const std::uint64_t version = grid.version(request);
    SampleCounts samples(GetParam());
    queue->stopwatch = &samples.watch;
    all->step(*queue, &samples.watch);
    (void)all->status();
    queue->stopwatch = nullptr;
    queue->wait();
    EXPECT_EQ(samples.of("bins.gather"), 1) << "in no headline time";
    EXPECT_EQ(samples.of("bins.block_times"), 0);
    EXPECT_GT(grid.version(request), version);
    EXPECT_NE(grid.caption().find("timing +"), std::string::npos) << grid.caption();
    EXPECT_NE(grid.legend(request).high.find(GetParam() == Backend::cuda ? "cycles" : "ns"), std::string::npos);
    const auto seen = painted(grid, request);
    EXPECT_NE(std::find(seen.begin(), seen.end(), request.palette.at(1)), seen.end()) << "the longest";
    EXPECT_EQ(std::count(seen.begin(), seen.end(), request.palette.waste) +
                  std::count(seen.begin(), seen.end(), request.palette.hatch),
              0)
        << "every block took some time";
    if (application != "nbody") {
      EXPECT_EQ(Dumped(tested, *queue).of<float>("output"), output);
    }
  }
}

WARPLOOM_ON_BOTH_BACKENDS(BinsLooks);

}  // namespace
}  // namespace warploom
