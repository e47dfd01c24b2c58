#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "viewer/base/png.h"

namespace warploom {

/// A scene that was opened, saved or captured.
struct RecentScene {
  std::string file;   ///< an absolute path
  std::string scene;  ///< the key of its scene
  bool gone = false;  ///< no file was there when the list was read
  /// A PNG of it: a capture itself, else what was kept of the window; empty: nothing was.
  std::string picture = {};

  friend bool operator==(const RecentScene&, const RecentScene&) = default;
};
inline constexpr std::size_t most_recent_scenes = 12;

// They are kept in $XDG_STATE_HOME/warploom/recent.json, the last one first. One that cannot be read or written is let
// be: the list is a comfort. Any thread.

std::vector<RecentScene> read_recent_scenes();
/// Puts it first, once.
void remember_recent_scene(const std::string& file, const std::string& scene);
void forget_recent_scene(const std::string& file);
/// Changes with each of the two, and with a picture that is kept.
std::uint64_t recent_scenes_version();

/// Whether the scene that was remembered last is a text, is of this kind, and has no picture yet.
bool recent_scene_wants_picture(const std::string& scene);
/// Keeps a picture of that scene in $XDG_STATE_HOME/warploom/recent; returns its file, empty where it cannot be
/// written.
std::string keep_recent_picture(const PngImage& picture);

}  // namespace warploom
