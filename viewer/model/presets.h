#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace warploom {

/// A scene text that is offered by its title: assets/presets/KEY.toml, or the user's own.
struct Preset {
  std::string key, title, scene;
  std::filesystem::path file;
};

/// Throws FileError with the line where there is one.
Preset read_preset(const std::filesystem::path& file);

/// The program's and the user's, by key; the user's replace the program's. What cannot be read is left out.
const std::vector<Preset>& known_presets();
/// What was left out of them, with the reason, a line each.
const std::vector<std::string>& presets_left_out();

/// The file of a preset. Throws UsageError with the nearest key.
const Preset& find_preset(const std::string& key);

}  // namespace warploom
