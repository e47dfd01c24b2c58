#include "viewer/model/recent_scenes.h"

#include <atomic>
#include <filesystem>
#include <mutex>
#include <nlohmann/json.hpp>

#include "gpu/core/error.h"
#include "gpu/core/files.h"
#include "viewer/base/json_text.h"
#include "viewer/base/paths.h"

namespace warploom {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* schema = "warploom.recent/1";
std::mutex mutex;
std::atomic<std::uint64_t> version{1};

fs::path list_file() { return state_folder() / "recent.json"; }

void write(const std::vector<RecentScene>& scenes) {
  Json all{{"schema", schema}, {"scenes", Json::array()}};
  for (const auto& one : scenes) all["scenes"].push_back({{"file", one.file}, {"scene", one.scene}});
  try {
    make_folder(state_folder());
    write_atomically(list_file(), json_text(all));
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
      if (file.is_string() && scene.is_string())
        scenes.push_back({file, scene, !fs::exists(file.get<std::string>(), none)});
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
}

void forget_recent_scene(const std::string& file) {
  const std::lock_guard lock(mutex);
  auto scenes = read();
  std::erase_if(scenes, [&](const RecentScene& one) { return one.file == file; });
  write(scenes);
}

std::uint64_t recent_scenes_version() { return version; }

}  // namespace warploom
