#pragma once
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

namespace warploom {

/// Writes the figures of papers that a run has measured, into a folder: KEY.csv with what was measured, printed and
/// promised, and KEY.png.
class FigureFiles {
 public:
  /// Makes the folder and what draws, so that nothing is measured for a folder that cannot be written. Throws
  /// FileError, DisplayError.
  explicit FigureFiles(const std::filesystem::path& folder);
  ~FigureFiles();

  /// `all`: a file of schema warploom.bench/1. Figures of which it has nothing are left out. Returns the files.
  std::vector<std::filesystem::path> write(const nlohmann::ordered_json& all);

 private:
  struct Drawing;
  std::filesystem::path folder_;
  std::unique_ptr<Drawing> drawing_;
};

}  // namespace warploom
