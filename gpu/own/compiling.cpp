#include "gpu/own/compiling.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>
#include <thread>

#include "gpu/core/error.h"
#include "gpu/core/files.h"
#include "gpu/core/stopwatch.h"
#include "gpu/own/kept.h"

extern char** environ;

namespace warploom {

namespace fs = std::filesystem;

namespace {

using Clock = std::chrono::steady_clock;
constexpr rlim_t most_bytes = rlim_t{4} << 30;

}  // namespace

Compiling::Compiling(const std::vector<std::string>& words, const fs::path& output) {
  std::vector<char*> argv;
  argv.reserve(words.size() + 1);
  for (const auto& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&actions, 1, 2);
  posix_spawn_file_actions_addclosefrom_np(&actions, 3);
  posix_spawnattr_t how;
  posix_spawnattr_init(&how);
  posix_spawnattr_setflags(&how, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&how, 0);
  // Messages in the words that own_messages reads.
  std::vector<char*> variables;
  for (char** one = environ; *one; ++one)
    if (const std::string_view name = *one; !name.starts_with("LC_") && !name.starts_with("LANG"))
      variables.push_back(*one);
  std::string language = "LC_ALL=C";
  variables.push_back(language.data());
  variables.push_back(nullptr);
  const int error = posix_spawn(&process_, words[0].c_str(), &actions, &how, argv.data(), variables.data());
  posix_spawnattr_destroy(&how);
  posix_spawn_file_actions_destroy(&actions);
  if (error) {
    process_ = 0;
    throw Error(words[0] + ": " + std::generic_category().message(error));
  }
  // What it starts inherits these.
  const rlimit memory{most_bytes, most_bytes}, core{0, 0};
  prlimit(process_, RLIMIT_AS, &memory, nullptr);
  prlimit(process_, RLIMIT_CORE, &core, nullptr);
}

bool Compiling::over() {
  if (!over_ && waitpid(process_, &status_, WNOHANG) == process_) over_ = true;
  return over_;
}

int Compiling::exit_code() const { return over_ && WIFEXITED(status_) ? WEXITSTATUS(status_) : -1; }

void Compiling::end() {
  if (!process_ || over_) return;
  kill(-process_, SIGKILL);
  waitpid(process_, &status_, 0);
  over_ = true;
}

std::string which(const std::string& name) {
  if (name.find('/') != std::string::npos) return access(name.c_str(), X_OK) == 0 ? name : "";
  const char* path = std::getenv("PATH");
  std::string_view rest = path ? path : "/usr/local/bin:/usr/bin:/bin";
  while (!rest.empty()) {
    const auto colon = rest.find(':');
    std::string one = std::string(rest.substr(0, colon)) + "/" + name;
    if (!one.starts_with("/")) {
      // A folder that is relative holds whatever lies where the program was started.
    } else if (access(one.c_str(), X_OK) == 0 && !fs::is_directory(one)) {
      return one;
    }
    rest.remove_prefix(colon == rest.npos ? rest.size() : colon + 1);
  }
  return {};
}

std::string said(const std::vector<std::string>& words) {
  const StagingFolder folder(kept_folder() / "asked");
  const fs::path output = folder.path() / "output";
  try {
    Compiling asked(words, output);
    for (const auto begin = Clock::now(); !asked.over();) {
      if (milliseconds_since(begin) > 5000) return {};
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return asked.succeeded() ? read_file(output) : std::string();
  } catch (const Error&) {
    return {};
  }
}

fs::path own_host() {
  std::error_code none;
  const fs::path folder = fs::read_symlink("/proc/self/exe", none).parent_path();
  for (const fs::path& path : {folder / "warploom-host", folder / "../libexec/warploom/warploom-host"})
    if (access(path.c_str(), X_OK) == 0) return path;
  throw Error("warploom-host is missing: it belongs beside the program, or into ../libexec/warploom; install again");
}

}  // namespace warploom
