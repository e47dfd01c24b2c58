#include "gpu/tracks/cell_track.h"
#include "gpu/tracks/facets/all.h"
#include "tests/scenes/simplex/simplices.h"
#include "tests/tracks/tracks.h"

// What the pictures of a track say of themselves: when another would come, what lies under a pixel, and where a
// selection shows. Against the track's own answers, place by place.

namespace warploom {
namespace {

class PictureList : public TrackTest {
 protected:
  std::unique_ptr<Track> make(const std::string& scene, const std::string& name) {
    if (scene == "fractal") return track(settings_of(gasket(), 4, 1), name);
    return make_simplex_track(*queue, simplex_settings(scene.c_str(), 13, 4, "automaton"), name);
  }
  /// A pixel a place, the whole of a plane.
  static PictureRequest whole(const Picture& picture) {
    PictureRequest request;
    const auto extent = picture.extent();
    request.target.width = static_cast<int>(extent[0]);
    request.target.height = static_cast<int>(extent[1]);
    request.camera = {extent[0] / 2, extent[1] / 2, 1, 1};
    return request;
  }
  Selected selected(const Track& track, const Selection& selection, bool own = true) {
    Selected all{selection, {}, {}, own};
    const auto& threads = track.need<Threads>();
    if (selection.space == Selection::cell) {
      Owner who;
      if (threads.owner(selection.at, who)) all.owner = who;
      all.target = Target{selection.at, all.owner.has_value()};
    } else {
      all.owner = selection.owner;
      all.target = threads.target(selection.owner);
    }
    return all;
  }
};
WARPLOOM_ON_BOTH_BACKENDS(PictureList);

TEST_P(PictureList, VersionsFollowWhatIsColoured) {
  for (const auto& [scene, name] : std::vector<std::pair<std::string, std::string>>{
           {"fractal", "lambda_serial"}, {"triangle", "h_map"}, {"tetrahedron", "h_map"}}) {
    const auto one = make(scene, name);
    Track* const track = one.get();
    std::vector<std::unique_ptr<Track>> tracks;
    tracks.push_back(make(scene, name));
    Simulation simulation(std::move(tracks), std::make_shared<Timings>(), 1);
    Picture &data = *simulation.track(0).pictures()[0], &launch = *simulation.track(0).pictures()[1];
    EXPECT_EQ(data.info().key, "data");
    EXPECT_EQ(launch.info().key, "launch");
    PictureRequest state, order;
    order.colour_by = ColourBy::launch_order;
    fill(simulation, *queue, 1, .5);
    EXPECT_EQ(launch.version(state), 0u) << "nothing to show before it is counted";
    const auto uncounted = data.version(order);
    EXPECT_NE(uncounted, 0u);
    simulation.count(*queue);
    EXPECT_NE(launch.version(state), 0u);
    EXPECT_NE(data.version(order), uncounted) << "the tables it is coloured by have come";
    const auto before = data.version(state), ordered = data.version(order), launched = launch.version(state);
    simulation.step(*queue, nullptr);
    EXPECT_NE(data.version(state), before);
    EXPECT_EQ(data.version(order), ordered) << "who serves a cell does not change with the state";
    EXPECT_EQ(launch.version(state), launched);
    EXPECT_EQ(track->pictures().size(), 2u);
  }
}

TEST_P(PictureList, EveryPlaceOfAPlaneIsFoundAndMarked) {
  for (const auto& [scene, name] : std::vector<std::pair<std::string, std::string>>{{"fractal", "bounding_box"},
                                                                                    {"fractal", "lambda_table"},
                                                                                    {"triangle", "recursive"},
                                                                                    {"triangle", "stride_walk"}}) {
    const auto track = make(scene, name);
    const auto& threads = track->need<Threads>();
    Picture &data = *track->pictures()[0], &launch = *track->pictures()[1];
    const PictureRequest cells = whole(data), places = whole(launch);
    for (int y = 0; y < cells.target.height; ++y)
      for (int x = 0; x < cells.target.width; ++x) {
        const Selection found = data.at(nullptr, cells, x + .5, y + .5);
        ASSERT_EQ(found.space, Selection::cell);
        ASSERT_EQ(found.at, (Cell{static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y), 0}));
        const auto marks = data.marks(selected(*track, found));
        ASSERT_FALSE(marks.empty());
        ASSERT_EQ(marks.back().kind, threads.member(found.at) ? Outline::Kind::place : Outline::Kind::waste);
        ASSERT_EQ(marks.back().low, (std::array<double, 3>{double(x), double(y), 0}));
        if (threads.member(found.at)) {
          ASSERT_EQ(marks.size(), 2u) << "its block too";
          ASSERT_LE(marks[0].low[0], x);
          ASSERT_GE(marks[0].high[0], x + 1);
        }
      }
    EXPECT_TRUE(data.at(nullptr, cells, -1, 0).empty());
    EXPECT_TRUE(data.at(nullptr, cells, cells.target.width + 1, 0).empty());
    std::set<std::pair<std::uint32_t, std::uint32_t>> served;
    for (int y = 0; y < places.target.height; ++y)
      for (int x = 0; x < places.target.width; ++x) {
        const Selection found = launch.at(nullptr, places, x + .5, y + .5);
        if (found.empty()) continue;  // between launches
        ASSERT_EQ(found.space, Selection::thread);
        ASSERT_TRUE(threads.launched(found.owner));
        const auto marks = launch.marks(selected(*track, found));
        ASSERT_EQ(marks.size(), 2u);
        ASSERT_EQ(marks[1].low, (std::array<double, 3>{double(x), double(y), 0})) << "where it was asked";
        const auto target = threads.target(found.owner);
        if (!target) continue;
        if (target->useful) {
          ASSERT_TRUE(served.emplace(target->cell.x, target->cell.y).second) << "served twice";
        }
        const auto there = data.marks(selected(*track, found));
        ASSERT_EQ(there.back().kind, target->useful ? Outline::Kind::place : Outline::Kind::waste);
        ASSERT_EQ(there.back().word.empty(), target->useful);
        ASSERT_TRUE(data.marks(selected(*track, found, false)).back().word.empty()) << "not its own thread";
      }
    EXPECT_EQ(served.size(), track->cells());
  }
}

TEST_P(PictureList, WhatWasNotLaunchedIsNoThread) {
  for (const auto* name : {"bounding_box", "recursive", "stride_walk"}) {
    const auto track = make("triangle", name);
    const auto& threads = track->need<Threads>();
    const auto& launches = track->launches();
    const int last = static_cast<int>(launches.size()) - 1;
    EXPECT_TRUE(threads.launched({0, {}, 0, {}}));
    EXPECT_TRUE(threads.launched({last, {}, 0, {}}));
    EXPECT_FALSE(threads.launched({last + 1, {}, 0, {}}));
    EXPECT_FALSE(threads.launched({-1, {}, 0, {}}));
    EXPECT_FALSE(threads.launched({0, {launches[0].blocks.x, 0, 0}, 0, {}}));
    EXPECT_FALSE(threads.launched({0, {}, 0, {launches[0].threads.x, 0, 0}}));
    EXPECT_FALSE(threads.launched({0, {}, 1000, {}}));
    EXPECT_FALSE(threads.launched({0, {}, -1, {}}));
  }
}

}  // namespace
}  // namespace warploom
