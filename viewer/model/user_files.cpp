#include "viewer/model/user_files.h"

#include <ctime>
#include <system_error>

#include "viewer/base/paths.h"
#include "viewer/model/facets.h"
#include "viewer/model/presets.h"

namespace warploom {

std::vector<std::string> files_left_out(const std::vector<std::unique_ptr<Scene>>& scenes) {
  std::vector<std::string> all;
  for (const auto& scene : scenes)
    if (const auto* files = scene->facet<FileRemarks>())
      for (std::string& line : files->left_out()) all.push_back(std::move(line) + ": left out");
  for (const std::string& line : presets_left_out()) all.push_back(line + ": left out");
  return all;
}

std::filesystem::path new_picture(const std::filesystem::path& folder) {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  localtime_r(&now, &parts);
  char text[64];
  std::strftime(text, sizeof text, "warploom-%Y%m%d-%H%M%S", &parts);
  std::error_code unknown;
  const std::filesystem::path first =
      (std::filesystem::is_directory(folder, unknown) ? folder : pictures_folder()) / text;
  std::filesystem::path file = first.string() + ".png";
  for (int i = 2; std::filesystem::exists(file, unknown); ++i) file = first.string() + "-" + std::to_string(i) + ".png";
  return file;
}

}  // namespace warploom
