#include "gpu/core/hash.h"
#include "gpu/tracks/facets/threads.h"
#include "tests/row/row_scene.h"
#include "tests/viewer/ui_driver.h"
#include "viewer/base/png.h"
#include "viewer/export/stats.h"

// A scene that the panels do not know (tests/row): no counts, no formulas, no launch picture, no start states, no
// theory. All that every scene has comes with it, and nothing asks it for more.

namespace warploom {
namespace {

struct Rows : Driver {
  Rows() : Driver({1600, 1200}, 1, "dark", row_alone()) {}
};

struct UiRow : testing::Test {
  Rows d;
};

/// Rule 90 after some steps, by the definition.
std::vector<std::uint8_t> row_after(std::uint32_t n, std::uint64_t seed, int steps) {
  std::vector<std::uint8_t> row(n);
  for (std::uint32_t i = 0; i < n; ++i) row[i] = chosen(key_hash(seed, i), .5);
  for (; steps > 0; --steps) {
    auto next = row;
    for (std::uint32_t i = 0; i < n; ++i)
      next[i] = static_cast<std::uint8_t>((i ? row[i - 1] : 0) ^ (i + 1 < n ? row[i + 1] : 0));
    row = next;
  }
  return row;
}

std::vector<float> shown(Driver& d, std::size_t track) {
  return d.model.runner().ask([&](Queue& queue, Simulation& all) {
    return all.track(track).pictures()[0]->values(queue, {}, all.track(track).extent());
  });
}

TEST_F(UiRow, StepsSealsUndoesAndIsListed) {
  ASSERT_EQ(d.simulation().size(), 2u);
  for (int i = 0; i < 3; ++i) d.run("step");
  EXPECT_EQ(d.steps(), 3u);
  EXPECT_TRUE(d.seals_agree());
  std::uint64_t alive = 0, seal = 0;
  const auto row = row_after(100, 1, 3);
  for (std::uint32_t i = 0; i < 100; ++i)
    if (row[i]) ++alive, seal += key_hash(0, i);
  for (const auto& status : d.simulation().status()) {
    EXPECT_EQ(status.seal.sum, alive);
    EXPECT_EQ(status.seal.hash, seal);
  }
  ASSERT_TRUE(d.model.set("n", std::int64_t{1000}));
  EXPECT_EQ(d.simulation().track(0).cells(), 1000u);
  d.run("undo");
  EXPECT_EQ(d.simulation().track(0).cells(), 100u);
  EXPECT_FALSE(d.model.set("n", std::int64_t{0}));
  EXPECT_EQ(d.simulation().track(0).cells(), 100u);
  const auto topics = d.model.scene().catalogue();
  ASSERT_EQ(topics.size(), 1u);
  EXPECT_EQ(topics[0].rows.size(), 3u);
  EXPECT_TRUE(shown(d, 0).empty()) << "its picture has no numbers";
}

TEST_F(UiRow, BlocksAreSettingsAndKeepTheState) {
  d.run("step");
  const Seal before = d.simulation().status()[0].seal;
  ASSERT_TRUE(d.model.set("block", std::int64_t{7}));
  EXPECT_EQ(d.steps(), 1u);
  EXPECT_EQ(d.simulation().status()[1].seal.hash, before.hash);
  ASSERT_TRUE(d.model.set("seed", std::uint64_t{2}));
  EXPECT_EQ(d.steps(), 0u);
}

TEST_F(UiRow, OnePictureATrackAndNoneAtItsSide) {
  EXPECT_TRUE(d.has("data_A/picture"));
  EXPECT_TRUE(d.has("data_B/picture"));
  EXPECT_FALSE(d.has("grid_A/grid"));
  EXPECT_EQ(d.wants.size(), 2u);
  EXPECT_TRUE(d.has("scene/view/linked"));
  EXPECT_FALSE(d.has("scene/view/tool")) << "its cells cannot be painted";
}

TEST_F(UiRow, HoverIsLinkedByItsOneFacet) {
  d.move(d.cell_at(0, {30, 0, 0}));
  ASSERT_EQ(d.model.hover.space, Selection::cell);
  EXPECT_EQ(d.model.hover.at, (Cell{30, 0, 0}));
  const auto straight = d.model.owner_in(0, d.model.hover), backwards = d.model.owner_in(1, d.model.hover);
  ASSERT_TRUE(straight && backwards);
  EXPECT_EQ(straight->thread.x, 30u);
  EXPECT_EQ(backwards->block.x * 32 + backwards->thread.x, 69u);
  d.click_at(d.cell_at(1, {40, 0, 0}));
  EXPECT_EQ(d.model.picked.at, (Cell{40, 0, 0}));
  ASSERT_TRUE(d.model.set("n", std::int64_t{20}));
  d.frames(2);
  EXPECT_TRUE(d.model.picked.empty()) << "a cell that is no more";
}

TEST_F(UiRow, CommandsItHasNothingForDoNotApply) {
  for (const auto* name : {"paint", "erase", "break_it", "time_maps", "slice", "formula_next"})
    EXPECT_FALSE(applies(d.model, *find_command(std::string(name)))) << name;
  for (const auto* name : {"play", "step", "reset", "add_track", "capture", "undo"})
    EXPECT_TRUE(applies(d.model, *find_command(std::string(name)))) << name;
}

TEST_F(UiRow, StatsHaveEveryFieldAndDumpsReadBack) {
  d.run("step");
  d.model.runner().collect();
  const auto stats = make_stats(d.model.scene(), d.model.runner(), 0, 1, nullptr, "", "none");
  EXPECT_EQ(stats["scene"], "row");
  ASSERT_EQ(stats["tracks"].size(), 2u);
  for (const auto& track : stats["tracks"]) {
    EXPECT_TRUE(track["agrees"]);
    EXPECT_TRUE(track["threads"].is_null()) << "it does not count";
    EXPECT_TRUE(track["check"].is_null());
    EXPECT_EQ(track["launches"].size(), 1u);
    EXPECT_TRUE(std::any_of(track["kernels"].begin(), track["kernels"].end(),
                            [](const auto& kernel) { return kernel["name"] == "row.step"; }));
  }
  EXPECT_EQ(stats["results"]["alive_cells"], d.simulation().status()[0].seal.sum);
  const TemporaryFolder folder;
  write_dump(folder / "dump", d.model.runner());
  EXPECT_TRUE(std::filesystem::exists(folder.path / "dump" / "track1_state.npy"));
  EXPECT_FALSE(std::filesystem::exists(folder.path / "dump.part"));
}

TEST_F(UiRow, ASceneTextBringsItBack) {
  ASSERT_TRUE(d.model.set("n", std::int64_t{77}));
  d.run("step");
  const std::string text = scene_text(d.model);
  Rows other;
  const auto loaded = read_scene_text(other.model, text, "text", {});
  other.model.rebuild(loaded.steps);
  EXPECT_EQ(other.simulation().status()[0].seal.hash, d.simulation().status()[0].seal.hash);
  EXPECT_THROW(read_scene_text(other.model, text + "[mask]\nrows = [\"#\"]\n", "text", {}), FileError);
}

}  // namespace
}  // namespace warploom
