#include "viewer/export/written_folder.h"

#include <sys/stat.h>

#include <algorithm>
#include <fstream>
#include <utility>

#include "gpu/core/error.h"
#include "gpu/core/files.h"

namespace warploom {

namespace {

/// Absolute, without a slash at its end.
std::filesystem::path absolute_folder(const std::filesystem::path& folder) {
  const auto name = std::filesystem::absolute(folder).lexically_normal();
  return name.filename().empty() ? name.parent_path() : name;
}

/// Near its begin.
bool holds_words(const std::filesystem::path& file, const std::string& words) {
  std::ifstream from(file, std::ios::binary);
  std::string begin(4096, '\0');
  from.read(begin.data(), static_cast<std::streamsize>(begin.size()));
  begin.resize(static_cast<std::size_t>(from.gcount()));
  return begin.find(words) != begin.npos;
}

/// Which folder has the name now; 0, 0: none.
std::pair<dev_t, ino_t> identity(const std::filesystem::path& folder) {
  struct stat told {};
  if (stat(folder.c_str(), &told) != 0) return {0, 0};
  return {told.st_dev, told.st_ino};
}

/// Why the folder may not be replaced; empty: it may.
std::string refusal(const FolderWish& wish, const std::filesystem::path& name) {
  std::error_code none;
  // Another program may take an earlier folder away at any moment: each is asked once.
  const auto type = std::filesystem::status(name, none).type();
  if (type == std::filesystem::file_type::not_found) return {};
  if (type != std::filesystem::file_type::directory) return "it is a file; name a folder";
  const std::filesystem::directory_iterator entries(name, none);
  if (none == std::errc::no_such_file_or_directory) return {};
  if (none) return none.message();
  const char* const other = "the folder holds other files; name a new one, or an earlier one to replace";
  bool marked = false, empty = true;
  for (const auto& entry : entries) {
    std::error_code unknown;
    const auto kind = entry.status(unknown).type();
    if (kind == std::filesystem::file_type::not_found) continue;
    if (!wish.ours) return "the folder holds files; name a new one";
    if (kind != std::filesystem::file_type::regular || !wish.ours(entry.path())) return other;
    empty = false;
    marked =
        marked || !wish.mark || (entry.path().filename() == wish.mark && holds_words(entry.path(), wish.mark_words));
  }
  return empty || marked ? "" : other;
}

}  // namespace

void check_folder(const FolderWish& wish) {
  std::error_code none;
  const auto name = absolute_folder(wish.folder);
  const auto refuse = [&](const std::string& why) {
    throw FileError(wish.option + " " + wish.folder.string() + ": " + why);
  };
  if (!std::filesystem::is_directory(name.parent_path(), none)) refuse("no folder " + name.parent_path().string());
  for (;;) {
    const auto before = identity(name);
    const std::string why = refusal(wish, name);
    if (why.empty()) return;
    // What was looked at while another program took it away says nothing of what has the name now.
    if (identity(name) == before) refuse(why);
  }
}

bool is_numbered(const std::filesystem::path& file, const std::string& word, std::size_t digits,
                 const std::string& ending) {
  const std::string name = file.filename().string();
  return name.size() == word.size() + digits + ending.size() && name.starts_with(word) && name.ends_with(ending) &&
         std::all_of(name.begin() + static_cast<std::ptrdiff_t>(word.size()),
                     name.end() - static_cast<std::ptrdiff_t>(ending.size()),
                     [](char c) { return c >= '0' && c <= '9'; });
}

void write_folder(const FolderWish& wish, const std::function<void(const std::filesystem::path&)>& fill) {
  check_folder(wish);
  const auto name = absolute_folder(wish.folder);
  StagingFolder part(name);  // what is refused half way leaves nothing
  fill(part.path());
  while (!part.rename_to(name)) {
    // An earlier one, or that of a program that ends at the same time, gives way as a whole.
    check_folder(wish);
    StagingFolder earlier(name);
    std::error_code gone;  // by another program: then its name is free
    std::filesystem::rename(name, earlier.path(), gone);
    if (gone && gone != std::errc::no_such_file_or_directory)
      throw FileError(wish.option + " " + wish.folder.string() + ": " + gone.message());
  }
}

}  // namespace warploom
