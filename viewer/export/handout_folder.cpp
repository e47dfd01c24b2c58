#include "viewer/export/handout_folder.h"

#include <set>

namespace warploom {

FolderWish handout_wish(const std::string& folder) {
  return {"--handout", folder,
          [](const std::filesystem::path& file) {
            static const std::set<std::string> ours{"picture.png", "stats.json", "words.txt",
                                                    "scene.toml",  "README.md",  "again.png"};
            if (ours.contains(file.filename().string())) return true;
            // A plot is there as both: a table or a drawing alone is the user's.
            std::error_code none;
            const bool table = file.extension() == ".csv";
            return (table || file.extension() == ".svg") &&
                   std::filesystem::exists(std::filesystem::path(file).replace_extension(table ? ".svg" : ".csv"),
                                           none);
          },
          "stats.json", "warploom.stats/"};
}

void check_handout_name(const std::string& folder) {
  if (!folder.empty()) check_folder(handout_wish(folder));
}

}  // namespace warploom
