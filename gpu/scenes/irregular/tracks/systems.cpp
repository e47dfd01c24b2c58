#include "gpu/core/error.h"
#include "gpu/core/format.h"
#include "gpu/scenes/irregular/irregular.h"

namespace warploom {

// A new system is its folder, and a line here and in the list below.
const IrregularSystem& spmv_system();
const IrregularSystem& hash_system();
const IrregularSystem& tree_system();
const IrregularSystem& tasks_system();

const std::vector<const IrregularSystem*>& irregular_systems() {
  static const std::vector<const IrregularSystem*> all{
      &spmv_system(),
      &hash_system(),
      &tree_system(),
      &tasks_system(),
  };
  return all;
}

std::string file_stamp(const IrregularSettings& settings, const std::string& name) {
  const auto file = settings.folder / name;  // the name itself where it is absolute
  std::error_code none;
  const auto size = std::filesystem::file_size(file, none);
  if (none) return name;
  const auto time = std::filesystem::last_write_time(file, none).time_since_epoch().count();
  return file.string() + "|" + std::to_string(size) + "|" + std::to_string(time);
}

const IrregularSystem& find_irregular_system(const std::string& key) {
  std::vector<std::string> keys;
  for (const auto* one : irregular_systems()) {
    if (key == one->key) return *one;
    keys.push_back(one->key);
  }
  throw UsageError(unknown_message("system", key, keys));
}

const TrackInfo& find_irregular_track(const IrregularSystem& system, const std::string& name) {
  for (const auto& info : system.tracks)
    if (info.name == name) return info;
  for (const auto* other : irregular_systems())
    for (const auto& info : other->tracks)
      if (info.name == name)
        throw UsageError("track '" + name + "' belongs to system '" + other->key + "', not to '" + system.key + "'");
  throw UsageError(
      unknown_message("track of '" + std::string(system.key) + "'", name, texts_of(system.tracks, &TrackInfo::name)));
}

}  // namespace warploom
