#include "viewer/model/user_files.h"

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

}  // namespace warploom
