#include "viewer/model/recent_scenes.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <mutex>
#include <nlohmann/json.hpp>
#include <utility>

#include "gpu/core/error.h"
#include "gpu/core/files.h"
#include "gpu/core/hash.h"
#include "viewer/base/json_text.h"
#include "viewer/base/paths.h"

namespace warploom {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* schema = "warploom.recent/1";
std::mutex mutex;
std::atomic<std::uint64_t> version{1};
RecentScene without_picture;  ///< that recent_scene_wants_picture() means; without a file: none

fs::path list_file() { return state_folder() / "recent.json"; }
fs::path pictures_folder_of_list() { return state_folder() / "recent"; }

bool is_capture(const fs::path& file) { return file.extension() == ".png"; }
/// Where the picture of a scene text is kept.
fs::path kept_picture(const std::string& file) {
  return pictures_folder_of_list() / (fmt::format("{:016x}", text_hash(file)) + ".png");
}

/// Pictures of scenes that are in the list no more; of other names there are none of ours.
void drop_other_pictures(const std::vector<RecentScene>& scenes) {
  std::error_code none;
  for (fs::directory_iterator at(pictures_folder_of_list(), none), end; !none && at != end; at.increment(none)) {
    const std::string stem = at->path().stem().string();
    const bool ours =
        is_capture(at->path()) && stem.size() == 16 && stem.find_first_not_of("0123456789abcdef") == std::string::npos;
    std::error_code failed;
    if (ours && std::ranges::none_of(scenes, [&](const auto& one) { return kept_picture(one.file) == at->path(); }))
      fs::remove(at->path(), failed);
  }
}

void write(const std::vector<RecentScene>& scenes) {
  Json all{{"schema", schema}, {"scenes", Json::array()}};
  for (const auto& one : scenes) all["scenes"].push_back({{"file", one.file}, {"scene", one.scene}});
  try {
    make_folder(state_folder());
    write_atomically(list_file(), json_text(all));
    drop_other_pictures(scenes);
    ++version;
  } catch (const Error&) {
    // A full disk, or one that is read only: the list stays as it was.
  }
}

std::vector<RecentScene> read() {
  std::vector<RecentScene> scenes;
  try {
    const Json all = Json::parse(read_file(list_file()), nullptr, false);
    if (!all.is_object() || all.value("schema", Json()) != schema || !all.contains("scenes")) return {};
    for (const Json& one : all["scenes"]) {
      if (!one.is_object() || scenes.size() == most_recent_scenes) continue;
      const Json file = one.value("file", Json()), scene = one.value("scene", Json());
      std::error_code none;
      if (!file.is_string() || !scene.is_string()) continue;
      RecentScene found{file.get<std::string>(), scene.get<std::string>()};
      found.gone = !fs::exists(found.file, none);
      const fs::path picture = is_capture(found.file) ? fs::path(found.file) : kept_picture(found.file);
      if (fs::exists(picture, none)) found.picture = picture.string();
      scenes.push_back(std::move(found));
    }
  } catch (const Error&) {
    // There is none yet.
  }
  return scenes;
}

}  // namespace

std::vector<RecentScene> read_recent_scenes() {
  const std::lock_guard lock(mutex);
  return read();
}

void remember_recent_scene(const std::string& file, const std::string& scene) {
  std::error_code none;
  const std::string path = fs::absolute(file, none).lexically_normal().string();
  if (path.empty()) return;
  const std::lock_guard lock(mutex);
  auto scenes = read();
  std::erase_if(scenes, [&](const RecentScene& one) { return one.file == path; });
  scenes.insert(scenes.begin(), {path, scene});
  if (scenes.size() > most_recent_scenes) scenes.resize(most_recent_scenes);
  write(scenes);
  without_picture = is_capture(path) ? RecentScene{} : RecentScene{path, scene};
}

void forget_recent_scene(const std::string& file) {
  const std::lock_guard lock(mutex);
  auto scenes = read();
  std::erase_if(scenes, [&](const RecentScene& one) { return one.file == file; });
  write(scenes);
}

std::uint64_t recent_scenes_version() { return version; }

bool recent_scene_wants_picture(const std::string& scene) {
  const std::lock_guard lock(mutex);
  return !without_picture.file.empty() && without_picture.scene == scene;
}

std::string keep_recent_picture(const PngImage& picture) {
  const std::lock_guard lock(mutex);
  const std::string file = std::exchange(without_picture, {}).file;
  if (file.empty()) return {};
  try {
    make_folder(pictures_folder_of_list());
    write_png(kept_picture(file).string(), picture);
  } catch (const Error&) {
    return {};  // as above
  }
  ++version;
  return kept_picture(file).string();
}

}  // namespace warploom
