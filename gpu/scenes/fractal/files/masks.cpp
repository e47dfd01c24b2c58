#include "gpu/scenes/fractal/files/masks.h"

#include <toml++/toml.h>
#include <algorithm>

#include "gpu/core/error.h"
#include "gpu/core/format.h"
#include "gpu/files/input.h"

namespace warploom {

Mask read_mask(const std::filesystem::path& file) {
  const std::string where = file.string() + ": ";
  toml::table table;
  try {
    table = toml::parse(read_input(file, "a mask, .toml"), file.string());
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

std::vector<Mask> read_masks(const std::filesystem::path& folder, std::vector<std::string>* left_out) {
  const auto refuse = [&](const std::string& why) {
    if (!left_out) throw FileError(why);
    left_out->push_back(why);
  };
  std::vector<Mask> masks;
  std::error_code failed;
  if (!std::filesystem::is_directory(folder, failed)) {
    refuse(folder.string() + ": no such folder");
    return masks;
  }
  std::filesystem::directory_iterator entry(folder, failed);
  for (; !failed && entry != std::filesystem::directory_iterator(); entry.increment(failed)) {
    const std::filesystem::path& file = entry->path();
    // Editors and other systems keep files of their own beside a mask, "._a.toml", ".#a.toml".
    if (extension_of(file) != ".toml" || file.filename().string().starts_with('.')) continue;
    try {
      masks.push_back(read_mask(file));
    } catch (const FileError& error) {
      refuse(error.what());
    }
  }
  if (failed) refuse(folder.string() + ": cannot be read: " + failed.message());
  std::sort(masks.begin(), masks.end(), [](const Mask& a, const Mask& b) { return a.key < b.key; });
  return masks;
}

KnownMasks read_masks_within(const std::vector<std::filesystem::path>& folders) {
  KnownMasks known;
  auto& masks = known.masks;
  for (const auto& folder : folders) {
    const bool of_user = &folder != &folders.front();
    if (std::error_code none; of_user && !std::filesystem::is_directory(folder / "fractals", none)) continue;
    for (auto& mask : read_masks(folder / "fractals", of_user ? &known.left_out : nullptr)) {
      std::erase_if(masks, [&](const Mask& other) { return other.key == mask.key; });
      masks.push_back(std::move(mask));
    }
  }
  std::sort(masks.begin(), masks.end(), [](const Mask& a, const Mask& b) { return a.key < b.key; });
  return known;
}

}  // namespace warploom
