#pragma once
#include <filesystem>
#include <map>
#include <string>

#include "tests/files/files.h"

namespace warploom {

/// A folder deep below a temporary one, where the program stands; what is written is seen.
class Workplace {
 public:
  Workplace() : before_(std::filesystem::current_path()) {
    std::filesystem::create_directories(deep());
    std::filesystem::current_path(deep());
  }
  ~Workplace() {
    std::error_code none;
    std::filesystem::current_path(before_, none);
  }
  std::filesystem::path deep() const { return folder_.path / "a" / "b"; }
  bool holds(const std::filesystem::path& path) const {
    return path.empty() || (path.lexically_normal().string() + "/").starts_with(folder_.path.string() + "/");
  }
  /// Every file with what it holds.
  std::map<std::string, std::string> files() const {
    std::map<std::string, std::string> all;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_.path))
      if (entry.is_regular_file())
        all[entry.path().string()] = std::to_string(entry.file_size()) + " " +
                                     std::to_string(entry.last_write_time().time_since_epoch().count());
    return all;
  }

 private:
  TemporaryFolder folder_;
  std::filesystem::path before_;
};

}  // namespace warploom
