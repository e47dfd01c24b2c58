#include "viewer/model/presets.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <map>

#include "gpu/core/error.h"
#include "gpu/core/format.h"
#include "gpu/files/input.h"
#include "viewer/base/paths.h"

namespace warploom {

namespace {

struct Found {
  std::vector<Preset> presets;
  std::vector<std::string> left_out;
};

Found find_presets() {
  std::map<std::string, Preset> known;
  Found found;
  for (const auto& folder : {data_folder() / "assets" / "presets", config_folder() / "presets"}) {
    std::error_code missing;
    for (const auto& entry : std::filesystem::directory_iterator(folder, missing)) {
      const auto& file = entry.path();
      if (extension_of(file) != ".toml" || file.filename().string().starts_with('.')) continue;
      try {
        Preset preset = read_preset(file);
        known[preset.key] = std::move(preset);
      } catch (const FileError& error) {
        found.left_out.emplace_back(error.what());
      }
    }
  }
  found.presets.reserve(known.size());
  for (auto& [key, preset] : known) found.presets.push_back(std::move(preset));
  return found;
}

const Found& found() {
  static const Found all = find_presets();
  return all;
}

}  // namespace

Preset read_preset(const std::filesystem::path& file) {
  try {
    const toml::table table = toml::parse(read_input(file, "a preset, .toml"), file.string());
    const std::string key = valid_utf8(file.stem().string()), scene = table["scene"].value_or(std::string());
    if (scene.empty()) throw FileError(file.string() + ": key 'scene': expected a string");
    return {key, table["title"].value_or(key), scene, file};
  } catch (const toml::parse_error& error) {
    throw FileError(fmt::format("{}:{}: not TOML: {}", file.string(), error.source().begin.line, error.description()));
  }
}

const std::vector<Preset>& known_presets() { return found().presets; }
const std::vector<std::string>& presets_left_out() { return found().left_out; }

const Preset& find_preset(const std::string& key) {
  const auto& all = known_presets();
  const auto at = std::ranges::find(all, key, &Preset::key);
  if (at == all.end()) throw UsageError(unknown_message("preset", key, texts_of(all, &Preset::key)));
  return *at;
}

}  // namespace warploom
