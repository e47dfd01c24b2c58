#include <map>
#include <sstream>

#include "gpu/core/error.h"
#include "gpu/core/files.h"
#include "viewer/base/paths.h"
#include "viewer/model/catalogue.h"

namespace warploom {

namespace {

/// Rows `| `key` | source |` of the list.
std::map<std::string, std::string> read_references() {
  std::map<std::string, std::string> all;
  try {
    std::istringstream lines(read_file(data_folder() / "gpu/REFERENCES.md"));
    for (std::string line; std::getline(lines, line);) {
      const auto key = line.find("| `"), end = line.find("` | ", key + 3), last = line.rfind(" |");
      if (key != 0 || end == std::string::npos || last == std::string::npos || last < end + 4) continue;
      all[line.substr(3, end - 3)] = line.substr(end + 4, last - end - 4);
    }
  } catch (const Error&) {
    // Without the list the keys stand for themselves.
  }
  return all;
}

}  // namespace

std::string citation_text(const std::string& key) {
  static const std::map<std::string, std::string> references = read_references();
  const auto found = references.find(key);
  return found == references.end() ? key : found->second;
}

}  // namespace warploom
