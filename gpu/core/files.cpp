#include "gpu/core/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <fstream>
#include <sstream>
#include <system_error>
#include <utility>

#include "gpu/core/error.h"

namespace warploom {
namespace {
namespace fs = std::filesystem;

std::string reason(int number) { return std::error_code(number, std::generic_category()).message(); }

FileError cannot(const char* act, const fs::path& path, const std::string& why) {
  return FileError(std::string("cannot ") + act + " " + path.string() + ": " + why);
}

/// Makes a name that no other thread or program takes.
std::string unique_ending() {
  static std::atomic<unsigned> count{0};
  return ".part-" + std::to_string(getpid()) + "-" + std::to_string(count++);
}

/// An open file that is closed, and if it is temporary removed, unless `close` succeeded.
class OutputFile {
 public:
  OutputFile(fs::path written, int flags, const fs::path& asked, bool temporary)
      : path_(std::move(written)),
        asked_(asked),
        file_(open(path_.c_str(), flags | O_CLOEXEC, 0666)),
        temporary_(temporary) {
    if (file_ < 0) throw cannot("write", asked, reason(errno));
  }
  OutputFile& operator=(OutputFile&&) = delete;  // neither copied nor moved
  ~OutputFile() {
    if (file_ >= 0) ::close(file_);
    if (temporary_) unlink(path_.c_str());
  }
  void write(std::initializer_list<std::string_view> parts) {
    for (std::string_view bytes : parts)
      while (!bytes.empty()) {
        const ssize_t count = ::write(file_, bytes.data(), bytes.size());
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) throw cannot("write", asked_, reason(errno));
        bytes.remove_prefix(static_cast<std::size_t>(count));
      }
  }
  void close() {  // a full disk may show only here
    if (::close(std::exchange(file_, -1)) != 0) throw cannot("write", asked_, reason(errno));
  }
  void rename_to(const fs::path& path) {
    if (::rename(path_.c_str(), path.c_str()) != 0) throw cannot("write", asked_, reason(errno));
    temporary_ = false;
  }

 private:
  fs::path path_, asked_;
  int file_;
  bool temporary_;
};

}  // namespace

void make_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw cannot("make the folder", folder, error.message());
}

std::string read_file(const fs::path& path) {
  std::error_code error;
  if (fs::is_directory(path, error)) throw cannot("read", path, "it is a folder");
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::ostringstream bytes;
  if (file && file.peek() != std::ifstream::traits_type::eof()) bytes << file.rdbuf();
  if (file.bad() || !file.is_open()) throw cannot("read", path, reason(errno));
  return std::move(bytes).str();
}

void check_can_write(const fs::path& path) {
  std::error_code error;
  if (fs::is_directory(path, error)) throw cannot("write", path, "it is a folder");
  if (fs::exists(path, error) && !fs::is_regular_file(path, error)) return;
  const fs::path folder = fs::absolute(path).parent_path();
  if (!fs::is_directory(folder, error) || access(folder.c_str(), W_OK) != 0)
    throw cannot("write", path, reason(fs::is_directory(folder, error) ? errno : ENOENT));
}

void write_atomically(const fs::path& path, std::initializer_list<std::string_view> parts) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (fs::is_directory(status)) throw cannot("write", path, "it is a folder");
  if (fs::exists(status) && !fs::is_regular_file(status)) {  // never rename over a device
    OutputFile file(path, O_WRONLY, path, false);
    file.write(parts);
    return file.close();
  }
  // Through a link the file it points to is replaced, or made, not the link.
  fs::path target = path;
  for (int hops = 0; hops < 40 && fs::is_symlink(target, error); ++hops)
    target = target.parent_path() / fs::read_symlink(target, error);
  fs::path temporary = target;
  temporary += unique_ending();
  OutputFile file(temporary, O_WRONLY | O_CREAT | O_EXCL, path, true);
  file.write(parts);
  file.close();
  file.rename_to(target);
}

StagingFolder::StagingFolder(const fs::path& beside) {
  for (;;) {
    path_ = beside.string() + unique_ending();
    if (mkdir(path_.c_str(), 0777) == 0) return;
    if (errno != EEXIST) throw cannot("make the folder", path_, reason(errno));
  }
}

StagingFolder::~StagingFolder() {
  std::error_code none;
  if (!path_.empty()) fs::remove_all(path_, none);
}

bool StagingFolder::rename_to(const fs::path& name) {
  if (::rename(path_.c_str(), name.c_str()) != 0) {
    if (errno == ENOTEMPTY || errno == EEXIST) return false;
    throw cannot("write", name, reason(errno));
  }
  path_.clear();
  return true;
}

}  // namespace warploom
