#include "viewer/ui/colormaps.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <optional>
#include <string_view>
#include <utility>

#include "gpu/core/error.h"

namespace warploom::ui {
namespace {

std::optional<std::uint32_t> parse_colour(std::string_view line) {
  std::uint32_t rgba = 0xff000000u;
  const char *at = line.data(), *end = at + line.size();
  for (int channel = 0; channel < 3; ++channel) {
    unsigned value = 0;
    const auto [next, error] = std::from_chars(at, end, value);
    if (error != std::errc() || value > 255) return std::nullopt;
    rgba |= value << (8 * channel);
    at = next;
    if (channel < 2 && (at == end || *at++ != ',')) return std::nullopt;
  }
  return at == end ? std::optional(rgba) : std::nullopt;
}

Colormap load(const std::filesystem::path& path) {
  std::ifstream file(path);
  if (!file) throw FileError(path.string() + ": cannot be read; check that it exists and may be read");
  Colormap map;
  map.name = path.stem().string();
  std::size_t count = 0;
  int number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (line.empty() || line.front() == '#') continue;
    const std::string place = path.string() + ':' + std::to_string(number) + ": ";
    const auto colour = parse_colour(line);
    if (!colour)
      throw FileError(fmt::format("{}expected r,g,b with whole numbers 0 to 255, found \"{}\"", place, line));
    if (count == map.rgba.size()) throw FileError(place + "expected 256 colours, found more");
    map.rgba[count++] = *colour;
  }
  if (count != map.rgba.size())
    throw FileError(path.string() + ':' + std::to_string(number) + ": expected 256 colours, found " +
                    std::to_string(count));
  return map;
}

}  // namespace

std::uint32_t Colormap::at(double position) const {
  // A NaN takes the low end as well: the comparison is written so that it fails.
  if (!(position > 0)) return rgba.front();
  return rgba[static_cast<std::size_t>(std::lround(std::min(position, 1.0) * 255))];
}

std::vector<Colormap> load_colormaps(const std::filesystem::path& folder) {
  std::error_code error;
  std::vector<std::filesystem::path> paths;
  for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
    if (entry->path().extension() == ".csv") paths.push_back(entry->path());
  if (error)
    throw FileError(folder.string() + ": cannot be read (" + error.message() + "), expected a folder of colour maps");
  if (paths.empty()) throw FileError(folder.string() + ": expected colour maps NAME.csv, found none");
  const auto rank = [](const std::filesystem::path& path) { return std::pair(path.stem() != "cividis", path.stem()); };
  std::sort(paths.begin(), paths.end(), [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
  std::vector<Colormap> maps;
  maps.reserve(paths.size());
  for (const auto& path : paths) maps.push_back(load(path));
  return maps;
}

}  // namespace warploom::ui
