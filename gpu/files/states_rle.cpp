#include <algorithm>
#include <cstdio>
#include <cstring>
#include <sstream>
#include <utility>

#include "gpu/core/error.h"
#include "gpu/files/states.h"

namespace warploom {

namespace {

StateFile read_rle(const std::filesystem::path& file, const std::string& text, const Index3& extent) {
  StateFile state;
  state.centred = true;
  std::istringstream lines(text);
  std::string line;
  std::uint64_t x = 0, y = 0, run = 0;
  int number = 0;
  bool header = false;
  const auto refuse = [&](const std::string& why) -> FileError {
    return FileError(file.string() + ":" + std::to_string(number) + ": " + why);
  };
  while (std::getline(lines, line)) {
    ++number;
    if (line.empty() || line[0] == '#') continue;
    if (!header) {
      unsigned long width = 0, height = 0;
      if (std::sscanf(line.c_str(), " x = %lu , y = %lu", &width, &height) != 2)
        throw refuse("expected a header 'x = WIDTH, y = HEIGHT[, rule = B3/S23]'");
      const std::string size = std::to_string(width) + " x " + std::to_string(height);
      if (width == 0 || height == 0) throw refuse("a pattern of " + size + " cells holds none");
      if (width > extent.x || height > extent.y)
        throw refuse("a state of " + size + " cells (x, y), the domain has " + std::to_string(extent.x) + " x " +
                     std::to_string(extent.y) + "; choose a higher level");
      if (width * height > 1ul << 33) throw refuse("a pattern of " + size + " cells; at most 2^33 are loaded");
      state.width = static_cast<std::uint32_t>(width);
      state.height = static_cast<std::uint32_t>(height);
      state.cells.assign(width * height, 0);
      if (const auto at = line.find("rule"); at != std::string::npos) {
        std::string rule = line.substr(line.find('=', at) + 1);
        std::erase_if(rule, [](unsigned char c) { return std::isspace(c); });
        state.rule = rule.substr(0, rule.find(':'));  // ":T32,32" names a torus; outside is dead here
      }
      header = true;
      continue;
    }
    for (const char c : line) {
      if (std::isspace(static_cast<unsigned char>(c))) continue;
      if (std::isdigit(static_cast<unsigned char>(c))) {
        run = run * 10 + static_cast<std::uint64_t>(c - '0');
        if (run > 0x7fffffff) throw refuse("a run of more than 2^31 cells");
        continue;
      }
      const std::uint64_t times = std::max<std::uint64_t>(1, std::exchange(run, 0));
      if (c == '!') return state;
      if (c == '$') {
        y += times;
        x = 0;
      } else if (c == 'b' || c == '.') {
        x += times;
      } else if (c == 'o' || c == 'A') {
        if (x + times > state.width || y >= state.height)
          throw refuse("live cells past the " + std::to_string(state.width) + " x " + std::to_string(state.height) +
                       " of its header");
        std::memset(state.cells.data() + y * state.width + x, 1, times);
        x += times;
      } else {
        throw refuse(std::string("character '") + c + "'; expected digits, b, o, $ or !");
      }
    }
  }
  if (!header) throw refuse("no header 'x = WIDTH, y = HEIGHT' found");
  throw refuse("it ends without '!'");
}

}  // namespace

StateReader rle_states() { return {".rle", "Golly", read_rle}; }

}  // namespace warploom
