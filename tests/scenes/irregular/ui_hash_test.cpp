#include "gpu/scenes/irregular/pictures/hash_pictures.h"
#include "gpu/scenes/irregular/tracks/hash_track.h"
#include "tests/viewer/ui_driver.h"
#include "tests/viewer/ui_glyphs.h"
#include "viewer/panels/panes/marks.h"

// What the panels say of hash tables.

namespace warploom {
namespace {

struct UiHash : DriverTest {
  UiHash() {
    d.resize({1600, 1600});
    d.open("irregular",
           {{"system", std::string("hash")}, {"keys", std::string("random")}, {"count", std::int64_t{2000}}});
  }
  HashTrack& track(std::size_t i) { return dynamic_cast<HashTrack&>(d.simulation().track(i)); }
};

TEST_F(UiHash, TablesAreComparedInACardAndInTheVerdict) {
  ASSERT_TRUE(d.seals_agree());
  EXPECT_EQ(d.simulation().track(0).info().name, "two_level");
  EXPECT_EQ(d.simulation().track(1).info().name, "linear");
  for (const char* words : {"bytes a pair", "insert", "hit", "miss", "lanes useful", "rounds", "reseeded", "restarts"})
    EXPECT_TRUE(says(words)) << words;
  const auto words = track(0).against(track(1), "B");
  ASSERT_EQ(words.size(), 2u) << "their bytes are about the same";
  EXPECT_NE(words[0].find(" probes a hit and "), std::string::npos) << words[0];
  EXPECT_NE(words[1].find("% of the lanes useful, B"), std::string::npos) << words[1];
  d.run("step");
  EXPECT_TRUE(d.seals_agree());
}

TEST_F(UiHash, AKeyIsToldInEveryTrack) {
  Queue questions(Backend::cpu);
  d.questions = &questions;
  const auto key = track(0).problem().source(nullptr).key(17);
  d.model.picked = {key_space, {key, 0, 0}};
  d.frames(2);
  for (std::size_t i = 0; i < 2; ++i) {
    const auto rows = track(i).describe(d.model.picked);
    EXPECT_TRUE(row_of(rows, "answer").starts_with("found, its value is ")) << i;
    EXPECT_NE(row_of(rows, "probes"), "") << i;
    EXPECT_FALSE(track(i).pictures()[0]->marks(d.model.selected_in(i, d.model.picked)).empty()) << i;
  }
  EXPECT_NE(row_of(track(0).describe(d.model.picked), "bucket").find(" pairs, built in "), std::string::npos);
  // One that is not there, and a slot without a pair.
  d.model.picked = {key_space, {key ^ 1u, 0, 0}};
  d.frames(2);
  EXPECT_EQ(row_of(track(0).describe(d.model.picked), "answer"), "it is not in the table");
  d.model.picked = {slot_space, {track(1).strategy().slots(track(1).shape()) > 5'000'000 ? 0u : 4'000'000'000u, 0, 0}};
  d.frames(2);
  EXPECT_EQ(row_of(track(1).describe(d.model.picked), "slot"), "this table has no such slot");
  d.questions = nullptr;
}

TEST_F(UiHash, CurvesTellProbesBucketsAndSuccess) {
  const auto figures = track(0).curves();
  ASSERT_TRUE(figures);
  ASSERT_EQ(figures->size(), 3u);
  EXPECT_EQ(figures->at(0).key, "probes");
  double queries = 0;
  for (const auto& line : figures->at(0).lines)
    for (const double y : line.y) queries += y;
  EXPECT_EQ(queries, 2000);
  double buckets = 0;
  for (const double y : figures->at(1).lines.at(0).y) buckets += y;
  EXPECT_EQ(buckets, 5);
  EXPECT_EQ(figures->at(2).key, "success");
  EXPECT_EQ(track(1).curves()->size(), 1u) << "linear has no buckets";
}

TEST_F(UiHash, VoxelsOfAllTracksHaveOneScale) {
  d.show({{"keys", std::string("voxels")}, {"side", std::int64_t{16}}});
  Queue queue(Backend::cpu);
  const PanelContext panel{d.ui, d.model, d.state, d.model.runner().simulation()};
  d.model.view.colour_by = hash_colours::probes;
  const auto voxels = [&](std::size_t i) {
    const auto& all = track(i).pictures();
    for (std::size_t n = 0; n < all.size(); ++n)
      if (all[n]->info().key == "voxels") return n;
    return all.size();
  };
  const auto request = [&](std::size_t i) {
    return request_for(panel, {i, voxels(i), true, {}}, *track(i).pictures().at(voxels(i)), true);
  };
  float most = 1;
  std::vector<Rgba> pixels(64 * 64);
  for (std::size_t i = 0; i < 2; ++i) {
    PictureRequest asked = request(i);
    asked.target = {0, pixels.data(), 64, 64};
    asked.camera = {8, 8, .25, .25};
    Picture& picture = *track(i).pictures()[voxels(i)];
    picture.paint(queue, asked);
    most = std::max(most, picture.range(asked).high);
  }
  EXPECT_GT(most, 1);
  for (std::size_t i = 0; i < 2; ++i) EXPECT_EQ(request(i).values.high, most) << i;
}

TEST_F(UiHash, ATableThatCannotBeBuiltIsRefusedAndTheOldOneStays) {
  const std::uint64_t before = d.simulation().id();
  EXPECT_FALSE(d.model.set({{"keys", std::string("duplicates")}, {"count", std::int64_t{100'000}}}));
  d.frames(2);
  EXPECT_TRUE(d.model.notice_is_error);
  EXPECT_NE(d.model.notice.find("set of keys"), std::string::npos) << d.model.notice;
  EXPECT_EQ(d.simulation().id(), before);
  EXPECT_TRUE(d.seals_agree());
  d.show({{"tracks", std::vector<std::string>{"linear", "sort"}}});
  EXPECT_TRUE(d.seals_agree());
  EXPECT_NE(d.simulation().id(), before);
}

}  // namespace
}  // namespace warploom
