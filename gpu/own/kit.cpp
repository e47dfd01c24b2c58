#include "gpu/own/kit.h"

#include <algorithm>
#include <optional>
#include <set>
#include <vector>

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
        if (what.empty() && !line.starts_with("#pragma once")) source += line;
        source += '\n';
      }
    }
  }
};

/// Goes through conditions whose outcome is known, and leaves the others as they are.
struct Lister {
  ListedFor compiler;
  std::set<std::string_view> taken = {};
  std::set<std::string> standard = {};
  std::string listing = {}, remark = {};
  struct Condition {
    bool known, holds;
  };
  std::vector<Condition> open = {};

  bool shown() const {
    return std::ranges::all_of(open, [](const Condition& one) { return !one.known || one.holds; });
  }
  /// Whether a macro is defined, where that is known.
  std::optional<bool> defined(std::string_view macro) const {
    if (macro == "WARPLOOM_CHECK_GROUPS" || macro == "WARPLOOM_OWN_CONSTANTS") return false;
    if (macro == "__CUDACC_RTC__") return compiler == ListedFor::nvrtc;
    if (macro == "__CUDACC__") return compiler != ListedFor::cpp;
    // What is asked while device code is compiled; NVRTC compiles nothing else.
    if (macro.starts_with("__CUDA_") && compiler != ListedFor::nvcc) return compiler == ListedFor::nvrtc;
    return std::nullopt;
  }
  /// False: the line is to be shown.
  bool condition(std::string_view line) {
    const auto word = [&](std::string_view directive) {
      if (!line.starts_with(directive)) return std::string_view{};
      const std::string_view rest = line.substr(directive.size());
      return rest.substr(0, rest.find_first_of(" \t/"));
    };
    if (line.starts_with("#if")) {
      const bool positive = !word("#ifdef ").empty();
      const std::string_view macro = positive ? word("#ifdef ") : word("#ifndef ");
      const auto is = macro.empty() ? std::nullopt : defined(macro);
      open.push_back({is.has_value(), is && *is == positive});
    } else if (line.starts_with("#else")) {
      open.back().holds = !open.back().holds;
    } else if (line.starts_with("#endif")) {
      const bool known = open.back().known;
      open.pop_back();
      return known;
    } else {
      return false;
    }
    return open.back().known;
  }
  /// A line of the listing. Long remarks between declarations are for those who add to Warploom: they are left out.
  void add(std::string_view line) {
    if (line.starts_with("//") && !line.starts_with("///")) {
      remark.append(line) += '\n';
      return;
    }
    constexpr std::ptrdiff_t most_lines = 3;
    if (std::ranges::count(remark, '\n') <= most_lines) listing += remark;
    remark.clear();
    if (line.empty() && listing.ends_with("\n\n")) return;
    listing.append(line) += '\n';
  }
  void take(std::string_view path) {
    if (!taken.insert(path).second) return;
    std::string_view rest = kit_text(path);
    const std::size_t level = open.size();
    while (!rest.empty()) {
      const auto end = rest.find('\n');
      const std::string_view line = rest.substr(0, end);
      rest.remove_prefix(end == rest.npos ? rest.size() : end + 1);
      const std::string_view what = included(line);
      if (condition(line) || !shown() || line.starts_with("#pragma once")) continue;
      if (what.starts_with('"')) {
        take(what.substr(1));
      } else if (what.starts_with('<') && compiler == ListedFor::nvrtc) {
        continue;  // the small library stands in its place
      } else if (what.starts_with('<') && open.size() == level) {
        standard.insert(std::string(what.substr(1)));
      } else {
        add(line);
      }
    }
  }
};

}  // namespace

std::string kit_listing(std::span<const std::string_view> files, ListedFor compiler) {
  Lister lister{compiler};
  for (const std::string_view file : files) lister.take(file);
  lister.add("");
  std::string all;
  for (const auto& header : lister.standard) all += "#include <" + header + ">\n";
  return all + "\n" + lister.listing;
}

std::string_view kit_file_of(std::string_view folder, std::string_view structure) {
  const std::string begin = "struct " + std::string(structure) + " ";
  for (std::size_t i = 0; i < detail::kit_count; ++i) {
    const std::string_view path = detail::kit_files[i].path, text = detail::kit_files[i].text;
    if (!path.starts_with(folder)) continue;
    // Its definition begins a line.
    for (auto at = text.find(begin); at != text.npos; at = text.find(begin, at + 1))
      if (at == 0 || text[at - 1] == '\n') return path;
  }
  return {};
}

std::vector<std::string_view> kit_files_of(std::string_view folder, std::string_view type) {
  std::vector<std::string_view> files;
  constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
  for (auto begin = type.find_first_of(letters); begin != type.npos; begin = type.find_first_of(letters, begin)) {
    const auto end = std::min(type.find_first_not_of(letters, begin), type.size());
    const std::string_view file = kit_file_of(folder, type.substr(begin, end - begin));
    if (!file.empty() && std::ranges::count(files, file) == 0) files.push_back(file);
    begin = end;
  }
  return files;
}

void add_kit_files(std::vector<std::string>& files, std::string_view folder, std::string_view type) {
  for (const std::string_view file : kit_files_of(folder, type))
    if (std::ranges::count(files, file) == 0) files.emplace_back(file);
}

std::string kit_source(std::span<const std::string_view> files, const std::string& prefix) {
  Inliner inliner{prefix};
  for (const std::string_view file : files) inliner.take(file);
  return std::move(inliner.source);
}

}  // namespace warploom
