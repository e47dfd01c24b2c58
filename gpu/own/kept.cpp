#include "gpu/own/kept.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <vector>

#include "gpu/core/error.h"
#include "gpu/core/files.h"
#include "gpu/core/hash.h"

namespace warploom {

namespace fs = std::filesystem;

namespace {

constexpr std::uintmax_t most_kept_bytes = 256u << 20;
/// What stands at the end of a kept file: a shared library may have more at its end than its own tables name.
constexpr std::size_t seal_length = 32;
std::string seal_of(std::string_view content) { return fmt::format("warploom-own-1 {:016x}\n", text_hash(content)); }

void forget_oldest(const fs::path& folder) {
  struct Kept {
    fs::file_time_type used;
    fs::path path;
    std::uintmax_t bytes;
  };
  std::vector<Kept> all;
  std::uintmax_t total = 0;
  std::error_code none;
  for (fs::directory_iterator it(folder, none), end; !none && it != end; it.increment(none)) {
    std::error_code gone;  // by another program
    if (it->is_directory(gone) && !gone) {
      // What a compilation leaves that was killed; no living one takes so long.
      constexpr auto longest = std::chrono::minutes(30);
      const auto begun = it->last_write_time(gone);
      if (!gone && it->path().filename().string().find(".part-") != std::string::npos &&
          fs::file_time_type::clock::now() - begun > longest)
        fs::remove_all(it->path(), gone);
      continue;
    }
    if (!it->is_regular_file(gone)) continue;
    const auto bytes = it->file_size(gone);
    const auto used = it->last_write_time(gone);
    if (gone) continue;
    all.push_back({used, it->path(), bytes});
    total += bytes;
  }
  std::sort(all.begin(), all.end(), [](const Kept& a, const Kept& b) { return a.used < b.used; });
  for (const Kept& one : all) {
    if (total <= most_kept_bytes) break;
    std::error_code gone;
    if (fs::remove(one.path, gone)) total -= one.bytes;
  }
}

}  // namespace

fs::path kept_folder() {
  const char *cache = std::getenv("XDG_CACHE_HOME"), *home = std::getenv("HOME");
  std::vector<fs::path> wishes;
  if (cache && *cache == '/')
    wishes.push_back(fs::path(cache) / "warploom/own");
  else if (home && *home == '/')
    wishes.push_back(fs::path(home) / ".cache/warploom/own");
  std::error_code none;
  wishes.push_back(fs::temp_directory_path(none) / fmt::format("warploom-{}", getuid()) / "own");
  for (const auto& folder : wishes) {
    fs::create_directories(folder, none);
    if (access(folder.c_str(), W_OK | X_OK) == 0) return folder;
  }
  throw FileError("no folder for compiled maps: " + wishes.back().string() + " cannot be made; set XDG_CACHE_HOME");
}

fs::path find_kept(const std::string& name) {
  fs::path path = kept_folder() / name;
  std::ifstream file(path, std::ios::binary);
  if (!file) return {};
  const std::string all{std::istreambuf_iterator<char>(file), {}};
  const std::size_t content = all.size() - std::min(all.size(), seal_length);
  std::error_code none;
  if (all.substr(content) != seal_of(std::string_view(all).substr(0, content))) {
    fs::remove(path, none);
    return {};
  }
  fs::last_write_time(path, fs::file_time_type::clock::now(), none);
  return path;
}

fs::path keep(const fs::path& made, const std::string& name) {
  const std::string content = read_file(made);
  fs::path path = kept_folder() / name;
  write_atomically(path, {content, seal_of(content)});
  forget_oldest(path.parent_path());
  return path;
}

}  // namespace warploom
