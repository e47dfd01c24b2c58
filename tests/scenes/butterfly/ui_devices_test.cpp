#include "gpu/scenes/butterfly/tracks/network_facet.h"
#include "gpu/tracks/facets/described.h"
#include "gpu/tracks/facets/over_devices.h"
#include "tests/viewer/ui_driver.h"
#include "tests/viewer/ui_glyphs.h"

// Rows that several devices share out, in the real panels. Pools stand for them.

namespace warploom {
namespace {

struct UiDevices : DriverTest {
  UiDevices() {
    d.open("butterfly");
    d.show({{"algorithm", std::string("scan")}});
    use({"kogge_stone", "ladner_fischer"});
  }
  void use(const std::vector<std::string>& tracks) { d.show({{"tracks", tracks}}); }
  void devices(std::int64_t count) { d.show({{"devices", count}}); }
  const NetworkReport& network(std::size_t track) { return d.simulation().track(track).need<NetworkFacet>().network(); }
};

TEST_F(UiDevices, AreChangedInMidRun) {
  d.resize({1600, 1700});
  for (const std::int64_t count : {1, 2, 4, 8, 2, 1}) {
    SCOPED_TRACE(count);
    devices(count);
    const std::uint64_t steps = d.steps();
    for (int i = 0; i < 3; ++i) d.run("step");
    EXPECT_EQ(d.steps(), steps + 3);
    EXPECT_TRUE(d.seals_agree());
    for (std::size_t i = 0; i < 2; ++i) {
      const auto* over = d.simulation().track(i).facet<OverDevices>();
      ASSERT_EQ(over != nullptr, count > 1);
      if (over) {
        EXPECT_EQ(over->devices()->count, count);
      }
    }
    d.frames(2);
    EXPECT_EQ(says("POOLS FOR DEVICES"), count > 1);
    EXPECT_EQ(says("exchanges over the link"), count > 1);
    EXPECT_EQ(says("link values"), count > 1);
    EXPECT_EQ(d.has("grid_A/grid"), true);
  }
  devices(4);
  d.frames(2);
  EXPECT_TRUE(says("125 values over the link"));
  EXPECT_TRUE(says("4 values over the link"));
}

TEST_F(UiDevices, OfATrackStandBehindItsName) {
  use({"ladner_fischer@1", "ladner_fischer@4", "brent_kung"});
  d.run("step");
  d.frames(2);
  EXPECT_TRUE(d.seals_agree());
  EXPECT_TRUE(says("4 devices"));
  EXPECT_TRUE(says("1 device "));
  EXPECT_EQ(network(1).values, 4u);
  EXPECT_EQ(network(2).values, std::nullopt);
  // Another map by its number: the devices stay.
  d.model.active_track = 1;
  d.run("map_1");
  EXPECT_EQ(d.model.scene().tracks()[1], "kogge_stone@4");
  d.run("step");
  EXPECT_TRUE(d.seals_agree());
  EXPECT_EQ(network(1).values, 125u);
}

TEST_F(UiDevices, WhatCannotBeSharedOutLeavesAllAsItWas) {
  devices(4);
  d.run("step");
  const auto id = d.simulation().id();
  EXPECT_FALSE(d.model.set("tracks", std::vector<std::string>{"serial"}));
  EXPECT_NE(d.model.notice.find("a problem is one thread's; choose split=rows"), std::string::npos) << d.model.notice;
  EXPECT_FALSE(d.model.set("devices", std::int64_t{3}));
  EXPECT_NE(d.model.notice.find("2 and 4"), std::string::npos) << d.model.notice;
  EXPECT_FALSE(d.model.set("axes", std::int64_t{2}));
  d.frames(2);
  EXPECT_EQ(d.simulation().id(), id);
  for (const Parameter& parameter : d.model.scene().parameters())
    if (parameter.key == "devices") {
      EXPECT_EQ(std::get<std::int64_t>(parameter.get()), 4);
    }
  // Whole rows can be.
  d.show({{"split", std::string("rows")}, {"tracks", std::vector<std::string>{"serial", "kogge_stone/tuned"}}});
  d.run("step");
  EXPECT_TRUE(d.seals_agree());
}

TEST_F(UiDevices, AWireTellsItsDevice) {
  devices(4);
  d.run("step");
  Queue queue(Backend::cpu);
  std::vector<Rgba> pixels(300 * 240);
  Picture& picture = *d.simulation().track(0).pictures()[0];
  const auto sides = picture.extent();
  PictureRequest request;
  request.camera = {sides[0] / 2, sides[1] / 2, sides[0] / 300, sides[1] / 240};
  request.target = {0, pixels.data(), 300, 240};
  picture.paint(queue, request);
  const auto shared_out = pixels;
  d.model.picked = wire_selection(40, 1, network(0));
  const auto rows = d.simulation().track(0).need<Described>().describe(d.model.picked);
  EXPECT_EQ(row_of(rows, "device"), "2 (0 to 3)");
  const auto crossing = d.simulation().track(0).need<Described>().describe(wire_selection(32, 1, network(0)));
  EXPECT_NE(row_of(crossing, "from 31").find(", link"), std::string::npos);
  // Strips and edges of the link are drawn.
  devices(1);
  d.run("step");
  d.simulation().track(0).pictures()[0]->paint(queue, request);
  EXPECT_NE(pixels, shared_out);
}

/// Tracks share the range of their rows: what nobody looked at has none to share.
TEST_F(UiDevices, APictureThatWasNotPaintedHasNoRange) {
  d.run("step");
  Queue queue(Backend::cpu);
  std::vector<Rgba> pixels(64 * 32);
  for (Picture* picture : d.simulation().track(0).pictures()) {
    if (picture->info().key != std::string("rows")) continue;
    PictureRequest request;
    request.target = {0, pixels.data(), 64, 32};
    EXPECT_TRUE(picture->range(request).empty());
    picture->paint(queue, request);
    EXPECT_FALSE(picture->range(request).empty());
  }
}

}  // namespace
}  // namespace warploom
