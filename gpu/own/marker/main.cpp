#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "gpu/own/see.h"

// Marks headers while the program is built (cmake/Seen.cmake): ROOT OUT FUNCTIONS FILE... Of each file below ROOT a
// marked copy goes below OUT; notes call it by its place among the files. FUNCTIONS: names with commas between them.

namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path.string());
  return {std::istreambuf_iterator<char>(file), {}};
}

void mark(int count, const char* const* words) {
  if (count < 5) throw std::runtime_error("ROOT OUT FUNCTIONS FILE...");
  const fs::path root = words[1], out = words[2];
  std::vector<std::string_view> functions;
  for (std::string_view rest = words[3]; !rest.empty();) {
    const auto end = std::min(rest.find(','), rest.size());
    functions.push_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  for (int i = 4; i < count; ++i) {
    const fs::path to = out / words[i];
    fs::create_directories(to.parent_path());
    std::ofstream file(to, std::ios::binary);
    file << warploom::marked(text_of(root / words[i]), i - 4, functions);
    if (!file.flush()) throw std::runtime_error("cannot write " + to.string());
  }
}

}  // namespace

int main(int count, char** words) {
  try {
    mark(count, words);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
