#include <cmath>

#include "gpu/core/format.h"
#include "gpu/pictures/keyed_picture.h"
#include "gpu/scenes/irregular/tracks/tree.h"
#include "tests/viewer/ui_driver.h"
#include "tests/viewer/ui_glyphs.h"

// What the panels and pictures of trees show, and what the mouse picks in them.

namespace warploom {
namespace {

struct UiTree : DriverTest {
  UiTree() { open(2); }
  void open(std::int64_t dimension, const std::string& points = "clusters") {
    d.open(
        "irregular",
        {{"system", std::string("tree")}, {"points", points}, {"count", std::int64_t{2000}}, {"dimension", dimension}});
    d.show({{"tracks", std::vector<std::string>{"levels/scan", "radix", "levels/atomic"}}});
    paint();
  }
  TreeTrack& track(std::size_t i) { return dynamic_cast<TreeTrack&>(d.simulation().track(i)); }
  Picture& picture(std::size_t i, std::size_t number) { return *track(i).pictures()[number]; }
  PictureRequest request(std::size_t i, std::size_t number, const Looking& looking = {}) {
    constexpr int width = 512, height = 512;
    const auto sides = picture(i, number).extent(looking);
    PictureRequest request;
    request.camera = {sides[0] / 2, sides[1] / 2, sides[0] / width, sides[1] / height};
    request.target = {0, nullptr, width, height};
    request.solid.slice_axis = looking.slice_axis;
    request.solid.slice = looking.slice;
    for (int k = 0; k < Palette::steps; ++k)
      request.palette.data[k] = rgba(40 + 3u * static_cast<unsigned>(k), 200, 90);
    return request;
  }
  std::vector<Rgba> paint(std::size_t i, std::size_t number, PictureRequest asked) {
    Queue queue(Backend::cpu);
    std::vector<Rgba> pixels(512 * 512);
    asked.target.pixels = pixels.data();
    picture(i, number).paint(queue, asked);
    return pixels;
  }
  /// What is told is of what was painted last.
  void paint() {
    for (std::size_t i = 0; i < d.simulation().size(); ++i)
      for (const std::size_t number : {0u, 1u}) paint(i, number, request(i, number));
  }
  std::string told(std::size_t i, const std::string& word) { return row_of(track(i).describe(d.model.picked), word); }
};

TEST_F(UiTree, BracketsGoThroughTheLevels) {
  d.key(']');
  EXPECT_EQ(d.model.picked.space, node_space);
  const std::uint32_t first = d.model.picked.at.z;
  EXPECT_EQ(first, 9u) << "the one behind level 7, which is shown before";
  EXPECT_NE(told(0, "level").find("level 8 of "), std::string::npos) << told(0, "level");
  d.key(']');
  EXPECT_EQ(d.model.picked.at.z, first + 1);
  for (int k = 0; k < 100; ++k) d.key('[');
  EXPECT_EQ(d.model.picked.at.z, 1u) << "the root's level is the first";
  for (int k = 0; k < 100; ++k) d.key(']');
  EXPECT_EQ(d.model.picked.at.z, track(0).look()->levels.size());
  EXPECT_EQ(selection_text(d.model.picked, "ABCD"), "node:0,1999," + std::to_string(track(0).look()->levels.size()));
}

TEST_F(UiTree, TheLevelsBoxesArePainted) {
  auto asked = request(0, 0);
  const auto usual = paint(0, 0, asked);
  asked.focus = {true, {0, 1999, 1}, false};
  const auto root = paint(0, 0, asked);
  asked.focus.at.z = 4;
  const auto deeper = paint(0, 0, asked);
  EXPECT_NE(usual, root);
  EXPECT_NE(root, deeper);
  const auto coloured = [&](const std::vector<Rgba>& pixels) {
    return std::count(pixels.begin(), pixels.end(), asked.palette.track);
  };
  EXPECT_GT(coloured(root), 400) << "one box";
  EXPECT_GT(coloured(deeper), coloured(root)) << "up to eight";
}

TEST_F(UiTree, ANodeIsTheSameInEveryTrackAndPicture) {
  // A slot of the fifth level.
  auto asked = request(0, 1);
  const auto look = track(0).look();
  const auto& level = look->lists.at(5);
  std::size_t slot = 0;
  while (look->level(level[slot]) != 5) ++slot;
  const auto sides = picture(0, 1).extent();
  const Selection found =
      picture(0, 1).at(nullptr, asked, (static_cast<double>(slot) + .5) / sides[0] * 512, 5.5 / sides[1] * 512);
  ASSERT_EQ(found.space, node_space);
  EXPECT_EQ(found.at, (Index3{level[slot].first, level[slot].last, 6}));
  d.model.picked = found;
  d.frames(2);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(told(i, "box"), told(0, "box"));
    EXPECT_NE(told(i, "split").find("at level 5"), std::string::npos);
    EXPECT_NE(told(i, "thread").find("lane"), std::string::npos) << i;
    for (const std::size_t number : {0u, 1u})
      EXPECT_FALSE(picture(i, number).marks(d.model.selected_in(i, found)).empty()) << i << " " << number;
  }
  // The thread that radix has it from is where a click in its row finds the node.
  const Outline mark = picture(1, 1).marks(d.model.selected_in(1, found)).back();
  const Selection again =
      picture(1, 1).at(nullptr, request(1, 1), (mark.low[0] + .5) / picture(1, 1).extent()[0] * 512, 256);
  EXPECT_EQ(again.at.x, found.at.x);
  EXPECT_EQ(again.at.y, found.at.y);
  EXPECT_TRUE(says("NODE " + grouped(found.at.x) + " TO " + grouped(found.at.y) + ", LEVEL 5"));
}

TEST_F(UiTree, WhatIsNearIsFoundAsByBruteForce) {
  for (const std::int64_t dimension : {2, 3}) {
    open(dimension);
    const auto look = track(0).look();
    const std::uint32_t reach = dimension == 2 ? 1024 : 32;
    for (const std::uint32_t z : {0u, 301u}) {
      for (std::uint32_t k = 0; k < 20; ++k) {
        // About a point, and somewhere else.
        Index3 at{place_of_code(look->codes[97 * k], 0, dimension), place_of_code(look->codes[97 * k], 1, dimension),
                  0};
        if (k % 4 == 3) at.x /= 2;
        if (dimension == 3) at.z = z;
        std::uint64_t wanted = 0;
        for (const std::uint32_t code : look->codes) {
          double square = 0;
          const double place[] = {double(at.x), double(at.y), double(at.z) - 1};
          for (int a = 0; a < (at.z ? 3 : 2); ++a)
            square += std::pow(place_of_code(code, a, static_cast<int>(dimension)) - place[a], 2);
          wanted += square <= double(reach) * reach;
        }
        for (std::size_t i = 0; i < 3; ++i) {
          const auto near = track(i).near({near_space, at, 0, {}});
          ASSERT_TRUE(near);
          EXPECT_EQ(near->found, wanted);
          EXPECT_LE(near->found, near->points);
          EXPECT_LE(near->points, 2000u);
          EXPECT_GT(near->boxes, 0u);
          EXPECT_LE(near->visited, near->boxes);
        }
      }
    }
  }
}

TEST_F(UiTree, ElsewhereIsAPlace) {
  const auto look = track(0).look();
  // Far from every outline of the root's level: in the middle.
  auto asked = request(0, 0);
  asked.focus = {true, {0, 1999, 1}, false};
  const Selection inside = picture(0, 0).at(nullptr, asked, 256, 256);
  ASSERT_EQ(inside.space, near_space);
  EXPECT_EQ(inside.at, (Index3{16384, 16384, 0}));
  // On the outline.
  const std::uint64_t box = look->boxes[look->split_of({0, 1999})];
  const Selection edge = picture(0, 0).at(nullptr, asked, PackedBox::number(box, 0, 2) / 64. + 1,
                                          (PackedBox::number(box, 1, 2) + PackedBox::number(box, 3, 2)) / 128.);
  ASSERT_EQ(edge.space, node_space);
  EXPECT_EQ(edge.at, (Index3{0, 1999, 1}));
  // The search changes the picture.
  auto near = asked;
  near.focus = {true, inside.at, true};
  EXPECT_NE(paint(0, 0, near), paint(0, 0, asked));
  d.model.picked = inside;
  d.frames(2);
  EXPECT_TRUE(says("NEAR 16384, 16384"));
}

TEST_F(UiTree, CardsAndLegendsCount) {
  d.resize({1600, 1600});
  paint();
  d.frames(3);
  for (const char* words : {"NODES BY LEVEL", "SLOTS BY COMPACTION", "boxes of level 7"})
    EXPECT_TRUE(says(words)) << words;
  const auto report = track(0).report();
  std::uint64_t two = 0;
  for (const TreeLevel& level : report->levels) two += level.made[2];
  const auto* keyed = dynamic_cast<KeyedPicture*>(&picture(0, 1));
  ASSERT_TRUE(keyed);
  EXPECT_EQ(keyed->kinds(request(0, 1))[0].words, "makes two: " + grouped(two));
}

TEST_F(UiTree, EveryRecipeIsShown) {
  for (const std::string points : {"uniform", "sheet", "line", "equal"})
    for (const std::int64_t dimension : {2, 3}) {
      open(dimension, points);
      d.run("step");
      paint();
      for (const TrackStatus& status : d.simulation().status()) EXPECT_TRUE(status.agrees) << points;
      for (const int axis : {0, 1, 2})
        if (dimension == 3) {
          const Looking looking{1, axis, .5};
          paint(0, 0, request(0, 0, looking));
          const Selection at = picture(0, 0).at(nullptr, request(0, 0, looking), 11, 17);
          EXPECT_TRUE(at.space != near_space || at.at.z > 0);
        }
    }
}

}  // namespace
}  // namespace warploom
