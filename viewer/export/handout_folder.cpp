#include "viewer/export/handout_folder.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace warploom {

namespace {

/// As the README has it, what it makes again lies beside it.
constexpr std::array<std::string_view, 6> ours{"picture.png", "stats.json", "words.txt",
                                               "scene.toml",  "README.md",  "again.png"};

}  // namespace

FolderWish handout_wish(const std::string& folder) {
  return {"--handout", folder,
          [](const std::filesystem::path& file) {
            if (std::ranges::count(ours, file.filename().string())) return true;
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
