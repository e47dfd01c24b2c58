#include "gpu/own/kit.h"

#include <set>

#include "gpu/core/error.h"

namespace warploom {

std::string_view kit_text(std::string_view path) {
  for (std::size_t i = 0; i < detail::kit_count; ++i)
    if (detail::kit_files[i].path == path) return detail::kit_files[i].text;
  throw Error("the kit has no file " + std::string(path));
}

namespace {

/// What a line includes, `"` or `<` first; empty: nothing.
std::string_view included(std::string_view line) {
  const auto skip = [&](std::string_view more) {
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    if (!line.starts_with(more)) return false;
    line.remove_prefix(more.size());
    return true;
  };
  if (!skip("#") || !skip("include") || !skip("")) return {};
  const char closing = line.starts_with('"') ? '"' : line.starts_with('<') ? '>' : '\0';
  const auto end = closing ? line.find(closing, 1) : line.npos;
  return end == line.npos ? std::string_view{} : line.substr(0, end);
}

struct Inliner {
  const std::string& prefix;
  std::set<std::string_view> taken = {};
  std::string source = {};

  void mark(std::size_t line, std::string_view path) {
    source += "#line " + std::to_string(line) + " \"" + prefix + std::string(path) + "\"\n";
  }
  void take(std::string_view path) {
    if (!taken.insert(path).second) return;
    mark(1, path);
    std::string_view rest = kit_text(path);
    for (std::size_t number = 1; !rest.empty(); ++number) {
      const auto end = rest.find('\n');
      const std::string_view line = rest.substr(0, end);
      rest.remove_prefix(end == rest.npos ? rest.size() : end + 1);
      const std::string_view what = included(line);
      if (what.starts_with('"')) {
        take(what.substr(1));
        mark(number + 1, path);
      } else {
        if (what.empty() && line != "#pragma once") source += line;
        source += '\n';
      }
    }
  }
};

}  // namespace

std::string kit_source(std::span<const std::string_view> files, const std::string& prefix) {
  Inliner inliner{prefix};
  for (const std::string_view file : files) inliner.take(file);
  return std::move(inliner.source);
}

}  // namespace warploom
