#pragma once
#include <filesystem>
#include <initializer_list>
#include <string>
#include <string_view>

namespace warploom {

/// Makes a folder and those above it; does nothing where it exists. Throws FileError.
void make_folder(const std::filesystem::path& folder);

/// The whole file. Throws FileError with the reason.
std::string read_file(const std::filesystem::path& path);

/// Whether `write_atomically` could write it now: before work that takes minutes. Throws FileError with the reason.
void check_can_write(const std::filesystem::path& path);

/// Writes a file as a whole or not at all: the parts one after another into a temporary file in the same folder,
/// renamed at the end. Devices and pipes (/dev/stdout) are written directly. The folder must exist. Throws FileError
/// with the reason.
void write_atomically(const std::filesystem::path& path, std::initializer_list<std::string_view> parts);
inline void write_atomically(const std::filesystem::path& path, std::string_view bytes) {
  write_atomically(path, {bytes});
}

/// A new folder beside `beside`, with a name that nothing had before. Removed with all it holds, unless it was renamed.
/// Throws FileError with the reason.
class StagingFolder {
 public:
  explicit StagingFolder(const std::filesystem::path& beside);
  ~StagingFolder();
  StagingFolder& operator=(StagingFolder&&) = delete;  // neither copied nor moved
  const std::filesystem::path& path() const { return path_; }
  /// Gives it its name. False: a folder of that name holds something. Throws FileError for any other reason.
  bool rename_to(const std::filesystem::path& name);

 private:
  std::filesystem::path path_;
};

}  // namespace warploom
