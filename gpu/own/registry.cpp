#include "gpu/own/registry.h"

#include <algorithm>
#include <mutex>

#include "gpu/core/error.h"
#include "gpu/core/format.h"

namespace warploom {

namespace {

struct Registry {
  std::mutex mutex;
  std::vector<std::pair<std::string, std::shared_ptr<const OwnSource>>> all;
  std::uint64_t edits = 0, version = 0;
};
Registry& registry() {
  static Registry all;
  return all;
}

}  // namespace

bool names_own(const std::string& track) { return track.starts_with("own:"); }

std::vector<std::string> parts_of_own(const std::string& track) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin != std::string::npos;) {
    const auto slash = track.find('/', begin);
    parts.push_back(track.substr(begin, slash == track.npos ? slash : slash - begin));
    begin = slash == track.npos ? slash : slash + 1;
  }
  return parts;
}

std::string add_own(OwnSource text) {
  Registry& own = registry();
  const std::lock_guard lock(own.mutex);
  const std::string name = "own:" + text.stem;
  std::string free = name;
  const auto taken = [&] {
    for (const auto& one : own.all)
      if (one.first == free) return true;
    return false;
  };
  for (int number = 2; taken(); ++number) free = name + "_" + std::to_string(number);
  ++own.version;
  own.all.emplace_back(free, std::make_shared<const OwnSource>(std::move(text)));
  return free;
}

std::string same_own(const OwnSource& text) {
  Registry& own = registry();
  const std::lock_guard lock(own.mutex);
  for (const auto& [name, known] : own.all)
    if (known->file == text.file && known->source == text.source) return name;
  return {};
}

void drop_own(const std::string& name) {
  Registry& own = registry();
  const std::lock_guard lock(own.mutex);
  ++own.version;
  std::erase_if(own.all, [&](const auto& one) { return one.first == name; });
}

void put_own(const std::string& name, std::shared_ptr<const OwnSource> text) {
  Registry& own = registry();
  const std::lock_guard lock(own.mutex);
  const auto at = std::ranges::find(own.all, name, [](const auto& one) { return one.first; });
  if (at != own.all.end()) at->second = std::move(text);
  ++own.edits;
  ++own.version;
}

std::uint64_t own_edits() {
  Registry& own = registry();
  const std::lock_guard lock(own.mutex);
  return own.edits;
}

std::uint64_t own_version() {
  Registry& own = registry();
  const std::lock_guard lock(own.mutex);
  return own.version;
}

std::shared_ptr<const OwnSource> find_own(const std::string& name) {
  Registry& own = registry();
  const std::lock_guard lock(own.mutex);
  const std::string map = name.substr(0, name.find('/'));
  std::vector<std::string> known;
  for (const auto& one : own.all) {
    if (one.first == map) return one.second;
    known.push_back(one.first);
  }
  if (known.empty()) throw UsageError("unknown track '" + map + "': no own map is loaded; name its file with --map");
  throw UsageError("unknown track '" + map + "'; did you mean '" + nearest(map, known) +
                   "'? (own maps: " + join(known) + ")");
}

std::shared_ptr<const OwnSource> find_own_map(const std::string& name) {
  auto text = find_own(name);
  if (text->form == "rule")
    throw UsageError("unknown track '" + name +
                     "': it is a rule, which every map runs; choose it with --set work=" + name);
  return text;
}

namespace {
std::vector<std::string> names_of(bool rules) {
  Registry& own = registry();
  const std::lock_guard lock(own.mutex);
  std::vector<std::string> names;
  for (const auto& one : own.all)
    if ((one.second->form == "rule") == rules) names.push_back(one.first);
  return names;
}
}  // namespace

std::vector<std::string> own_names() { return names_of(false); }
std::vector<std::string> own_rules() { return names_of(true); }

}  // namespace warploom
