#include "viewer/base/desktop.h"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "gpu/core/error.h"
#include "gpu/core/files.h"
#include "gpu/own/compiling.h"
#include "viewer/base/paths.h"

namespace warploom {

namespace {

/// What a program that may not be there says.
std::string said_by(const std::string& program, std::vector<std::string> words) {
  words.insert(words.begin(), which(program));
  return words[0].empty() ? std::string() : said(words);
}

/// Whether a line of a settings file is "key=value", with one of these values.
bool has_line(const std::filesystem::path& file, const std::string& key, const std::vector<std::string>& values) {
  try {
    const std::string text = "\n" + read_file(file) + "\n";
    for (const auto& value : values)
      if (text.find(fmt::format("\n{}={}\n", key, value)) != text.npos) return true;
  } catch (const Error&) {
    // It is not there.
  }
  return false;
}

}  // namespace

bool desktop_reduces_motion() {
  const auto settings = config_folder().parent_path();
  for (const char* gtk : {"gtk-4.0", "gtk-3.0"})
    if (has_line(settings / gtk / "settings.ini", "gtk-enable-animations", {"0", "false"})) return true;
  if (has_line(settings / "kdeglobals", "AnimationDurationFactor", {"0"})) return true;
  const char* bus = std::getenv("DBUS_SESSION_BUS_ADDRESS");
  if (!bus || !*bus) return false;
  if (said_by("gdbus", {"call", "--session", "--timeout", "2", "--dest", "org.freedesktop.portal.Desktop",
                        "--object-path", "/org/freedesktop/portal/desktop", "--method",
                        "org.freedesktop.portal.Settings.ReadOne", "org.freedesktop.appearance", "reduced-motion"})
          .find("uint32 1") != std::string::npos)
    return true;
  return said_by("gsettings", {"get", "org.gnome.desktop.interface", "enable-animations"}).starts_with("false");
}

}  // namespace warploom
