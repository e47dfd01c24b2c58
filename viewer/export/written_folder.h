#pragma once
#include <filesystem>
#include <functional>
#include <string>

namespace warploom {

/// A folder that a command is to write.
struct FolderWish {
  std::string option;  ///< "--dump"
  std::filesystem::path folder;
  /// Whether such a file may be replaced, with all others of the folder; null: none may.
  bool (*ours)(const std::filesystem::path& file) = nullptr;
  /// A file that a folder of ours always has, and words that it holds: without it none may be replaced. Null: names
  /// alone say it.
  const char *mark = nullptr, *mark_words = "";
};
/// Whether a file is called "frame_000001.png": a word, so many digits, an ending.
bool is_numbered(const std::filesystem::path& file, const std::string& word, std::size_t digits,
                 const std::string& ending);

/// Throws FileError before any work when the folder could not be written: no folder to put it in, or it holds other
/// files.
void check_folder(const FolderWish& wish);

/// Writes it as a whole, or not at all: fill(folder) writes the files. Throws FileError, and what `fill` throws.
void write_folder(const FolderWish& wish, const std::function<void(const std::filesystem::path&)>& fill);

}  // namespace warploom
