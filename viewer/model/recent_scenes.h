#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace warploom {

/// A scene that was opened, saved or captured.
struct RecentScene {
  std::string file;   ///< an absolute path
  std::string scene;  ///< the key of its scene
  bool gone = false;  ///< no file was there when the list was read

  friend bool operator==(const RecentScene&, const RecentScene&) = default;
};
inline constexpr std::size_t most_recent_scenes = 12;

// They are kept in $XDG_STATE_HOME/warploom/recent.json, the last one first. One that cannot be read or written is let
// be: the list is a comfort. Any thread.

std::vector<RecentScene> read_recent_scenes();
/// Puts it first, once.
void remember_recent_scene(const std::string& file, const std::string& scene);
void forget_recent_scene(const std::string& file);
/// Changes with each of the two.
std::uint64_t recent_scenes_version();

}  // namespace warploom
