#include "viewer/export/handout_folder.h"

#include <set>

namespace warploom {

FolderWish handout_wish(const std::string& folder) {
  return {
      "--handout", folder, [](const std::string& file) {
        static const std::set<std::string> ours{"picture.png", "stats.json", "words.txt", "scene.toml", "README.md"};
        return ours.contains(file) || file.ends_with(".svg") || file.ends_with(".csv");
      }};
}

void check_handout_name(const std::string& folder) {
  if (!folder.empty()) check_folder(handout_wish(folder));
}

}  // namespace warploom
