#include <gtest/gtest.h>

#include <fstream>

#include "gpu/core/files.h"
#include "viewer/base/paths.h"
#include "viewer/model/recent_scenes.h"

namespace warploom {
namespace {

TEST(RecentScenes, TheLastTwelveAreKeptTheNewestFirst) {
  const auto file = state_folder() / "recent.json";
  std::filesystem::remove(file);
  EXPECT_TRUE(read_recent_scenes().empty());
  const auto before = recent_scenes_version();
  for (int i = 0; i < 15; ++i) remember_recent_scene("/a/" + std::to_string(i) + ".toml", "fractal");
  EXPECT_GT(recent_scenes_version(), before);
  auto scenes = read_recent_scenes();
  ASSERT_EQ(scenes.size(), most_recent_scenes);
  EXPECT_EQ(scenes[0], (RecentScene{"/a/14.toml", "fractal", true}));
  // Once, by another name of its path, too.
  remember_recent_scene("/a/b/../9.toml", "simplex");
  scenes = read_recent_scenes();
  EXPECT_EQ(scenes.size(), most_recent_scenes);
  EXPECT_EQ(scenes[0], (RecentScene{"/a/9.toml", "simplex", true}));
  forget_recent_scene("/a/9.toml");
  scenes = read_recent_scenes();
  EXPECT_EQ(scenes.size(), most_recent_scenes - 1);
  EXPECT_EQ(scenes[0].file, "/a/14.toml");
  // What is torn or of something else is let be, and written anew by the next.
  for (const char* text :
       {"", "{", "[]", R"({"schema": "other", "scenes": []})", R"({"schema": "warploom.recent/1"})",
        R"({"schema": "warploom.recent/1", "scenes": 7})",
        R"({"schema": "warploom.recent/1", "scenes": [7, {"file": 1, "scene": "x"}, {"file": "/b"}]})"}) {
    write_atomically(file, text);
    EXPECT_TRUE(read_recent_scenes().empty()) << text;
    remember_recent_scene("/c.png", "bins");
    EXPECT_EQ(read_recent_scenes().size(), 1u) << text;
  }
  std::filesystem::remove(file);
}

TEST(RecentScenes, ATextHasThePictureThatWasKeptOfIt) {
  const auto list = state_folder() / "recent.json", kept = state_folder() / "recent";
  std::filesystem::remove(list);
  std::filesystem::remove_all(kept);
  const PngImage picture{2, 1, {rgba(1, 2, 3), rgba(4, 5, 6)}, {}};
  EXPECT_FALSE(recent_scene_wants_picture("bins"));
  EXPECT_EQ(keep_recent_picture(picture), "");
  remember_recent_scene("/a/b.toml", "bins");
  EXPECT_TRUE(recent_scene_wants_picture("bins"));
  EXPECT_FALSE(recent_scene_wants_picture("fractal")) << "another is shown";
  EXPECT_EQ(read_recent_scenes().at(0).picture, "");
  const auto before = recent_scenes_version();
  const std::string file = keep_recent_picture(picture);
  EXPECT_GT(recent_scenes_version(), before);
  EXPECT_FALSE(recent_scene_wants_picture("bins"));
  EXPECT_EQ(read_recent_scenes().at(0).picture, file);
  EXPECT_EQ(read_png(file).pixels, picture.pixels);
  // A capture is its own picture.
  const std::string capture = (state_folder() / "c.png").string();
  write_png(capture, picture);
  remember_recent_scene(capture, "bins");
  EXPECT_FALSE(recent_scene_wants_picture("bins"));
  EXPECT_EQ(read_recent_scenes().at(0).picture, capture);
  // The picture goes with its line of the list.
  forget_recent_scene("/a/b.toml");
  EXPECT_FALSE(std::filesystem::exists(file));
  EXPECT_TRUE(std::filesystem::exists(capture));
  for (const auto& one : {list, std::filesystem::path(capture)}) std::filesystem::remove(one);
}

}  // namespace
}  // namespace warploom
