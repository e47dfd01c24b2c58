#include "viewer/model/presets.h"

#include <toml++/toml.h>

#include <algorithm>
#include <map>

#include "gpu/core/error.h"
#include "gpu/core/format.h"
#include "viewer/base/paths.h"

namespace warploom {

const std::vector<Preset>& known_presets() {
  static const std::vector<Preset> all = [] {
    std::map<std::string, Preset> found;
    for (const auto& folder : {data_folder() / "assets" / "presets", config_folder() / "presets"}) {
      std::error_code missing;
      for (const auto& entry : std::filesystem::directory_iterator(folder, missing)) {
        if (entry.path().extension() != ".toml") continue;
        try {
          const toml::table table = toml::parse_file(entry.path().string());
          const std::string key = entry.path().stem().string(), scene = table["scene"].value_or(std::string());
          if (!scene.empty()) found[key] = {key, table["title"].value_or(key), scene, entry.path()};
        } catch (const toml::parse_error&) {
          continue;  // opened by name it says what is wrong with it
        }
      }
    }
    std::vector<Preset> presets;
    presets.reserve(found.size());
    for (auto& [key, preset] : found) presets.push_back(std::move(preset));
    return presets;
  }();
  return all;
}

const Preset& find_preset(const std::string& key) {
  const auto& all = known_presets();
  const auto at = std::ranges::find(all, key, &Preset::key);
  if (at == all.end()) throw UsageError(unknown_message("preset", key, texts_of(all, &Preset::key)));
  return *at;
}

}  // namespace warploom
