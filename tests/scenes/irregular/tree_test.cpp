#include "tests/scenes/irregular/tree.h"

#include <map>
#include <set>

#include "gpu/core/error.h"
#include "gpu/core/scoped_member.h"
#include "gpu/scenes/irregular/tree/radix.h"
#include "gpu/tracks/simulation.h"

namespace warploom {
namespace {

class Trees : public BackendTest {};

/// Levels of a tree as the host counts them from its nodes, by each level that a node is at.
std::vector<std::uint64_t> nodes_of_levels(const std::vector<std::uint32_t>& codes,
                                           const std::vector<std::int32_t>& nodes) {
  const TreeKeys keys(codes.data(), codes.size());
  const auto level = [&](std::int64_t i, std::int64_t j) {
    return i < 0 || j >= static_cast<std::int64_t>(codes.size())
               ? -1
               : keys.common(static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j));
  };
  std::vector<std::uint64_t> all;
  for (std::size_t k = 0; k < nodes.size(); k += 3) {
    // It comes to a level as soon as its neighbours on both sides are gone.
    const int from = std::max(level(nodes[k] - 1, nodes[k]), level(nodes[k + 1], nodes[k + 1] + 1)) + 1,
              to = level(nodes[k], nodes[k + 1]);
    if (all.size() <= static_cast<std::size_t>(to)) all.resize(static_cast<std::size_t>(to) + 1);
    for (int l = from; l <= to; ++l) ++all[static_cast<std::size_t>(l)];
  }
  return all;
}

TEST_P(Trees, EveryTrackMakesTheTreeOfTheHost) {
  for (const std::string& recipe : point_recipes())
    for (const int dimension : {2, 3})
      for (const auto& [count, leaf, every] : std::vector<std::tuple<int, int, int>>{{1, 1, 1},
                                                                                     {2, 1, 1},
                                                                                     {2, 8, 2},
                                                                                     {3, 1, 8},
                                                                                     {5, 2, 3},
                                                                                     {64, 1, 2},
                                                                                     {777, 1, 1},
                                                                                     {777, 8, 4},
                                                                                     {3000, 100, 8}}) {
        const auto settings = tree_settings(recipe, count, dimension, leaf, every);
        const TreeAnswer right = tree_answer(points_in_step(make_points(settings, dimension), 0), dimension,
                                             static_cast<std::uint32_t>(leaf));
        std::set<std::uint64_t> seals;
        for (const std::string& name : tree_tracks) {
          SCOPED_TRACE(recipe + " " + std::to_string(dimension) + "D " + std::to_string(count) + " leaf " +
                       std::to_string(leaf) + " c " + std::to_string(every) + " " + name);
          const auto track = make_tree(*queue, settings, name);
          const Verdict verdict = track->need<Approximate>().verdict(*queue, *track);
          ASSERT_TRUE(verdict.holds()) << verdict.error << " differ";
          ASSERT_EQ(verdict.rows, right.split_nodes);
          seals.insert(track->seal(*queue)->hash);
          std::map<std::string, std::uint64_t> results;
          for (const auto& [key, value] : track->need<IrregularFacet>().results(*queue))
            results[key] = std::get<std::uint64_t>(value);
          ASSERT_EQ(results["visits"], right.visits);
          ASSERT_EQ(results["levels"], static_cast<std::uint64_t>(right.levels));
          const auto nodes = dumped_tree<std::int32_t>(*track, *queue, "nodes");
          ASSERT_EQ(nodes.size(), 3 * right.split_nodes);
          const Counts counts = *track->need<Counted>().counts();
          ASSERT_EQ(counts.useful, name == "radix" ? right.split_nodes : right.visits);
          ASSERT_EQ(counts.lanes(), counts.launched);
          ASSERT_LE(counts.useful, 32 * (counts.warps_full + counts.warps_partial));
          ASSERT_GE(counts.useful, 32 * counts.warps_full + counts.warps_partial);
        }
        ASSERT_EQ(seals.size(), 1u);
      }
}

TEST_P(Trees, LevelsAreCountedAsTheirNodesLie) {
  const auto settings = tree_settings("clusters", 2500, 2, 2, 4);
  for (const std::string name : {"levels/scan", "levels/atomic"}) {
    const auto track = make_tree(*queue, settings, name);
    const auto levels = dumped_tree<std::int64_t>(*track, *queue, "levels");
    const auto points = points_in_step(make_points(settings, 2), 0);
    const auto order = dumped_tree<std::uint32_t>(*track, *queue, "order");
    std::vector<std::uint32_t> codes;
    for (const std::uint32_t i : order)
      codes.push_back(spread_bits<2>(points[2 * i]) | spread_bits<2>(points[2 * i + 1]) << 1);
    ASSERT_TRUE(std::is_sorted(codes.begin(), codes.end()));
    const auto nodes = nodes_of_levels(codes, dumped_tree<std::int32_t>(*track, *queue, "nodes"));
    ASSERT_EQ(levels.size(), 5 * nodes.size());
    for (std::size_t l = 0; l < nodes.size(); ++l) {
      EXPECT_EQ(levels[5 * l + 1], static_cast<std::int64_t>(nodes[l])) << "level " << l;
      EXPECT_EQ(levels[5 * l + 1], levels[5 * l + 2] + levels[5 * l + 3] + levels[5 * l + 4]);
      const bool spread = name == "levels/scan" && l % 4 != 0;
      EXPECT_EQ(levels[5 * l], spread ? 2 * levels[5 * (l - 1)] : levels[5 * l + 1]) << "level " << l;
    }
  }
}

TEST_P(Trees, SlotsAreThoseOfTheTable) {
  for (const auto& [every, slots] : {std::pair{1, 29601}, {2, 44287}, {4, 111046}, {8, 1090769}}) {
    const auto track = make_tree(*queue, tree_settings("clusters", 0, 2, 1, every), "levels/scan");
    for (const auto& [key, value] : track->need<Numbers>().numbers(*queue))
      EXPECT_TRUE(key != "slots" || value == slots) << value << ", every " << every;
  }
  const auto radix = make_tree(*queue, tree_settings("sheet", 0), "radix");
  EXPECT_EQ(radix->need<Counted>().counts()->launched, 20224u);
}

TEST_P(Trees, AWrongNodeOrBoxIsSeen) {
  // Of few points against an answer, of many node by node: the same tree, of which one thing was changed.
  for (const std::int64_t count : {500, 1'100'000}) {
    const IrregularSystem& system = tree_system();
    const auto settings = tree_settings("uniform", count, 3);
    const auto problem = std::dynamic_pointer_cast<const TreeProblem>(system.problem(settings));
    TreeTrack track(*queue, problem, settings, tree_kinds()[2]);
    track.start(*queue);
    track.publish(*queue);
    const auto right = track.verdict(*queue, track);
    EXPECT_TRUE(right.holds()) << right.error;
    EXPECT_GT(right.rows, 400u);
    const std::uint64_t seal = track.seal(*queue)->hash;
    {
      // A half that takes a point from its sibling; found wherever nodes are looked at.
      const TreeTrack::Reading reading(track, *queue);
      std::vector<PlaceRange> nodes(count - 1);
      download_bytes(*queue, nodes.data(), reading.nodes().at, nodes.size() * sizeof nodes[0]);
      for (PlaceRange& node : nodes)
        if (node.there() && node.last + 1 < static_cast<std::uint32_t>(count)) ++node.last;
      upload_bytes(*queue, reading.nodes().at, nodes.data(), nodes.size() * sizeof nodes[0]);
    }
    EXPECT_FALSE(track.verdict(*queue, track).holds());
    EXPECT_NE(track.seal(*queue)->hash, seal);
  }
}

TEST_P(Trees, TracksThatComeLaterMakeTheSameStep) {
  const auto settings = tree_settings("clusters", 900, 3, 4, 2);
  const auto timings = std::make_shared<Timings>();
  std::vector<std::unique_ptr<Track>> first;
  first.push_back(make_tree(*queue, settings, "levels/scan"));
  Simulation before(std::move(first), timings, 1);
  before.start(*queue, 0, [&](Track& track) { track.need<IrregularFacet>().start(*queue); });
  for (int i = 0; i < 3; ++i) before.step(*queue, nullptr);
  std::vector<std::unique_ptr<Track>> more;
  for (const auto& name : tree_tracks) more.push_back(make_tree(*queue, settings, name));
  Simulation after(std::move(more), timings, 2);
  after.adopt(*queue, before);
  EXPECT_EQ(after.steps(), 3u);
  for (const TrackStatus& status : after.status()) {
    EXPECT_TRUE(status.agrees);
    EXPECT_EQ(status.seal.hash, before.status()[0].seal.hash);
  }
  after.step(*queue, nullptr);
  EXPECT_NE(after.status()[0].seal.hash, before.status()[0].seal.hash) << "points move";
}

TEST_P(Trees, ACancelledStepLeavesTheTreeAsItWas) {
  const auto track = make_tree(*queue, tree_settings("uniform", 5000), "levels/scan");
  const std::uint64_t seal = track->seal(*queue)->hash;
  const std::atomic<bool> cancel{true};
  {
    const ScopedMember<&Queue::cancel> cancelled(*queue, &cancel);
    EXPECT_THROW(track->step(*queue), Cancelled);
  }
  track->give_up(*queue);
  EXPECT_EQ(track->seal(*queue)->hash, seal);
  EXPECT_TRUE(track->need<Approximate>().verdict(*queue, *track).holds());
  track->step(*queue);
  queue->wait();
  track->publish(*queue);
  EXPECT_TRUE(track->need<Approximate>().verdict(*queue, *track).holds());
}

TEST(TreeNodesTest, CodesAndBoxesAreTakenApart) {
  for (const std::uint32_t v : {0u, 1u, 0x2a5u, 0x3ffu}) {
    EXPECT_EQ(gathered_bits<2>(spread_bits<2>(v)), v);
    EXPECT_EQ(gathered_bits<3>(spread_bits<3>(v)), v);
  }
  EXPECT_EQ(spread_bits<2>(0x7fff), 0x15555555u);
  EXPECT_EQ(spread_bits<3>(0x3ff), 0x09249249u);
  const std::uint64_t box = PackedBox::around(PackedBox::of_code(spread_bits<3>(7) | spread_bits<3>(900) << 1, 3),
                                              PackedBox::of_code(spread_bits<3>(1000) << 2, 3), 3);
  const std::uint32_t wanted[] = {0, 0, 0, 7, 900, 1000};
  for (int i = 0; i < 6; ++i) EXPECT_EQ(PackedBox::number(box, i, 3), wanted[i]);
}

TEST(TreePoints, AFileIsScaledAndRests) {
  const GridPoints points = make_points(tree_settings("equal", 3), 2);
  EXPECT_EQ(points_in_step(points, 2), (std::vector<std::uint32_t>{16386, 16384, 16386, 16384, 16386, 16384}));
  EXPECT_EQ(points_in_step(points, (1ull << 40) + 32768 + 2), points_in_step(points, 2)) << "round and round";
  EXPECT_THROW(check_points(tree_settings("clusterz", 3)), UsageError);
  EXPECT_NE(points_key(tree_settings("sheet", 3), 2), points_key(tree_settings("sheet", 3), 3));
}

WARPLOOM_ON_BOTH_BACKENDS(Trees);

}  // namespace
}  // namespace warploom
