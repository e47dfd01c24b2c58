#include "viewer/base/paths.h"

#include <pwd.h>
#include <unistd.h>

#include <cstdlib>
#include <system_error>

#include "gpu/core/error.h"

namespace warploom {
namespace {
namespace fs = std::filesystem;

fs::path home() {
  if (const char* folder = std::getenv("HOME"); folder && *folder) return folder;
  if (const passwd* user = getpwuid(getuid())) return user->pw_dir;
  throw FileError("no home folder: set HOME");
}

/// The XDG rule: a variable counts only if it holds an absolute path.
fs::path xdg_folder(const char* variable, const char* below_home) {
  const char* value = std::getenv(variable);
  const fs::path base = value && *value == '/' ? fs::path(value) : home() / below_home;
  return base / "warploom";
}

}  // namespace

fs::path data_folder() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  fs::path installed = (program.parent_path() / WARPLOOM_DATA_FROM_PROGRAM).lexically_normal();
  if (!error && fs::is_directory(installed / "shaders", error)) return installed;
  fs::path source = WARPLOOM_SOURCE_DIR;
  if (fs::is_directory(source / "shaders", error)) return source;
  throw FileError("no shaders in " + installed.string() + " nor in " + source.string() + ": install Warploom again");
}

fs::path config_folder() { return xdg_folder("XDG_CONFIG_HOME", ".config"); }
fs::path state_folder() { return xdg_folder("XDG_STATE_HOME", ".local/state"); }

}  // namespace warploom
