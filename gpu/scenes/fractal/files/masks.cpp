#include "gpu/scenes/fractal/files/masks.h"

#include <toml++/toml.h>
#include <algorithm>

#include "gpu/core/error.h"
#include "gpu/core/format.h"

namespace warploom {

Mask read_mask(const std::filesystem::path& file) {
  const std::string where = file.string() + ": ";
  std::error_code none;
  if (!std::filesystem::is_regular_file(file, none)) throw FileError(where + "no such file");
  toml::table table;
  try {
    table = toml::parse_file(file.string());
  } catch (const toml::parse_error& error) {
    throw FileError(file.string() + ":" + std::to_string(error.source().begin.line) +
                    ": not TOML: " + std::string(error.description()));
  }
  for (const auto& [key, value] : table)
    if (const std::vector<std::string> known{"name", "rows", "source", "status"};
        std::find(known.begin(), known.end(), key.str()) == known.end())
      throw FileError(file.string() + ":" + std::to_string(value.source().begin.line) + ": " +
                      unknown_message("key", key.str(), known));
  Mask mask;
  mask.file = file;
  mask.key = file.stem().string();
  const auto text = [&](const char* key, bool required) -> std::string {
    const auto node = table[key];
    if (!node && !required) return {};
    if (const auto value = node.value<std::string>(); node.is_string() && value) return *value;
    throw FileError(where + "key '" + key + "': expected a string");
  };
  mask.name = text("name", true);
  mask.source = text("source", false);
  mask.status = text("status", false);
  const auto* rows = table["rows"].as_array();
  if (!rows) throw FileError(where + "key 'rows': expected an array of strings of '#' and '.'");
  for (const auto& row : *rows) {
    if (!row.is_string())
      throw FileError(file.string() + ":" + std::to_string(row.source().begin.line) +
                      ": key 'rows': expected strings of '#' and '.'");
    mask.rows.push_back(row.value<std::string>().value());
  }
  try {
    check(mask);
  } catch (const UsageError& error) {
    throw FileError(where + error.what());
  }
  return mask;
}

std::vector<Mask> read_masks(const std::filesystem::path& folder) {
  std::vector<Mask> masks;
  if (!std::filesystem::is_directory(folder)) throw FileError(folder.string() + ": no such folder");
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".toml") masks.push_back(read_mask(entry.path()));
  std::sort(masks.begin(), masks.end(), [](const Mask& a, const Mask& b) { return a.key < b.key; });
  return masks;
}

std::vector<Mask> read_masks_within(const std::vector<std::filesystem::path>& folders) {
  std::vector<Mask> masks;
  for (const auto& folder : folders) {
    std::error_code none;
    if (&folder != &folders.front() && !std::filesystem::is_directory(folder / "fractals", none)) continue;
    for (auto& mask : read_masks(folder / "fractals")) {
      std::erase_if(masks, [&](const Mask& other) { return other.key == mask.key; });
      masks.push_back(std::move(mask));
    }
  }
  std::sort(masks.begin(), masks.end(), [](const Mask& a, const Mask& b) { return a.key < b.key; });
  return masks;
}

}  // namespace warploom
