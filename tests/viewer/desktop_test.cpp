#include <gtest/gtest.h>

#include <cstdlib>

#include "gpu/core/files.h"
#include "viewer/base/desktop.h"
#include "viewer/base/paths.h"

namespace warploom {
namespace {

/// A variable of the environment, for a while.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
    setenv(name, value.c_str(), 1);
  }
  ~Variable() { before_.empty() ? unsetenv(name_) : setenv(name_, before_.c_str(), 1); }
  Variable& operator=(Variable&&) = delete;

 private:
  const char* name_;
  std::string before_;
};

TEST(Desktop, IsAskedForLessMotion) {
  const auto folder = std::filesystem::temp_directory_path() / "warploom-desktop-test";
  std::filesystem::remove_all(folder);
  for (const char* room : {"bin", "config/gtk-3.0"}) std::filesystem::create_directories(folder / room);
  const Variable config("XDG_CONFIG_HOME", folder / "config"), bus("DBUS_SESSION_BUS_ADDRESS", ""),
      path("PATH", (folder / "bin").string());
  EXPECT_FALSE(desktop_reduces_motion());
  const auto gtk = folder / "config/gtk-3.0/settings.ini", kde = folder / "config/kdeglobals";
  write_atomically(gtk, "[Settings]\ngtk-enable-animations=1\n");
  EXPECT_FALSE(desktop_reduces_motion());
  write_atomically(gtk, "[Settings]\ngtk-enable-animations=0");
  EXPECT_TRUE(desktop_reduces_motion());
  std::filesystem::remove(gtk);
  write_atomically(kde, "[KDE]\nAnimationDurationFactor=0.5\n");
  EXPECT_FALSE(desktop_reduces_motion());
  write_atomically(kde, "[KDE]\nAnimationDurationFactor=0\n");
  EXPECT_TRUE(desktop_reduces_motion());
  std::filesystem::remove(kde);
  // By the portal, and by GNOME: programs that are asked.
  const auto program = [&](const char* name, const char* says) {
    const auto file = folder / "bin" / name;
    write_atomically(file, std::string("#!/bin/sh\necho '") + says + "'\n");
    std::filesystem::permissions(file, std::filesystem::perms::owner_all);
  };
  const Variable there("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere");
  program("gdbus", "(<uint32 0>,)");
  program("gsettings", "true");
  EXPECT_FALSE(desktop_reduces_motion());
  program("gsettings", "false");
  EXPECT_TRUE(desktop_reduces_motion());
  program("gsettings", "true");
  program("gdbus", "(<uint32 1>,)");
  EXPECT_TRUE(desktop_reduces_motion());
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace warploom
