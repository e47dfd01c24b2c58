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

}  // namespace
}  // namespace warploom
