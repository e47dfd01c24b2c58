#include "viewer/base/paths.h"

#include <pwd.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>
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
fs::path xdg_base(const char* variable, const char* below_home) {
  const char* value = std::getenv(variable);
  return value && *value == '/' ? fs::path(value) : home() / below_home;
}
fs::path xdg_folder(const char* variable, const char* below_home) {
  return xdg_base(variable, below_home) / "warploom";
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

fs::path pictures_folder() {
  std::error_code unknown;
  fs::path own;
  try {
    own = home();
  } catch (const FileError&) {
    return fs::current_path(unknown);
  }
  // Lines such as XDG_PICTURES_DIR="$HOME/Bilder" (xdg-user-dirs).
  std::ifstream lines(xdg_base("XDG_CONFIG_HOME", ".config") / "user-dirs.dirs");
  fs::path named;
  for (std::string line; std::getline(lines, line);) {
    constexpr std::string_view key = "XDG_PICTURES_DIR=\"", relative = "$HOME/";
    if (!line.starts_with(key) || line.size() <= key.size() || line.back() != '"') continue;
    const std::string value = line.substr(key.size(), line.size() - key.size() - 1);
    named = value.starts_with(relative) ? own / value.substr(relative.size()) : fs::path(value);
  }
  for (const fs::path& folder : {named, own / "Pictures", own})
    if (folder.is_absolute() && fs::is_directory(folder, unknown)) return folder;
  return fs::current_path(unknown);
}

fs::path config_folder() { return xdg_folder("XDG_CONFIG_HOME", ".config"); }
fs::path state_folder() { return xdg_folder("XDG_STATE_HOME", ".local/state"); }

}  // namespace warploom
