#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace warploom::own {

/// Of names with bars between them.
inline std::vector<std::string> seen_files_of(std::string_view names) {
  std::vector<std::string> files;
  for (;;) {
    const auto end = names.find('|');
    files.emplace_back(names.substr(0, end));
    if (end == names.npos) return files;
    names.remove_prefix(end + 1);
  }
}

}  // namespace warploom::own
