#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "gpu/binning/inputs.h"
#include "gpu/binning/space.h"
#include "gpu/core/error.h"
#include "gpu/core/words.h"
#include "gpu/files/points.h"

namespace warploom {

namespace {

struct Guess {
  const char* symbol;
  double charge, radius;
};
constexpr Guess guesses[] = {{"H", .2, 1.2},   {"C", .1, 1.7}, {"N", -.4, 1.55},
                             {"O", -.5, 1.52}, {"P", 1, 1.8},  {"S", -.1, 1.8}};
constexpr Guess others{"", 0, 1.7};

const Guess& guess_of(std::string symbol) {
  for (char& c : symbol) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  for (const Guess& guess : guesses)
    if (symbol == guess.symbol) return guess;
  return others;
}

std::filesystem::path file_of(const BinSettings& settings) {
  const std::filesystem::path file(settings.input);
  return file.is_absolute() ? file : settings.folder / file;
}

FileError refused(const BinSettings& settings, std::uint64_t row, const std::string& why) {
  return FileError(fmt::format("{}: row {} (counted from 0): {}", settings.input, row, why));
}

}  // namespace

double guessed_charge(const std::string& symbol) { return guess_of(symbol).charge; }
double bondi_radius(const std::string& symbol) { return guess_of(symbol).radius; }

BinInput elements_from_file(const BinSettings& settings, const ElementFiles& files) {
  const std::filesystem::path file = file_of(settings);
  const std::string kind = extension_of(file);
  std::vector<std::string> kinds{".npy"};
  if (files.atoms) kinds = {".npy", ".pdb", ".pqr", ".xyz"};
  if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end()) {
    const std::string takes =
        fmt::format("{} takes {}, a count, or a file: {}", files.application, files.names, either(kinds));
    if (kind.empty()) throw UsageError("input " + settings.input + ": " + takes);
    throw FileError(settings.input + ": unknown extension '" + kind + "'; " + takes);
  }
  const bool table = kind == ".npy";
  const Points points = table ? read_rows(file, files.columns) : read_points(file, 3);
  const auto columns = static_cast<std::uint64_t>(points.dimensions);
  BinInput input;
  input.name = points.name;
  input.elements.reserve(4 * points.count());
  for (std::uint64_t row = 0; row < points.count(); ++row) {
    const float* values = &points.coordinates[row * columns];
    float fourth = static_cast<float>(files.missing);
    if (table && columns > 3) fourth = values[3];
    if (!points.symbols.empty())
      fourth =
          static_cast<float>(files.radii ? bondi_radius(points.symbols[row]) : guessed_charge(points.symbols[row]));
    if (!points.charges.empty()) fourth = files.radii ? points.radii[row] : points.charges[row];
    if (files.radii && !(fourth > 0))
      throw refused(settings, row, fmt::format("a radius of {:g}; expected above 0", fourth));
    input.elements.insert(input.elements.end(), {values[0], values[1], values[2], fourth});
    if (columns == 7) input.velocities.insert(input.velocities.end(), {values[4], values[5], values[6]});
  }
  return input;
}

BinInput samples_from_file(const BinSettings& settings) {
  const std::filesystem::path file = file_of(settings);
  const std::string kind = extension_of(file);
  if (kind != ".npy") {
    const std::string takes = "mri takes demo, small, large, a count, or a .npy file: kx ky kz re im, and a weight";
    if (kind.empty()) throw UsageError("input " + settings.input + ": " + takes);
    throw FileError(settings.input + ": unknown extension '" + kind + "'; " + takes);
  }
  constexpr std::uint64_t columns[] = {5, 6};
  const Points rows = read_rows(file, columns);
  const auto width = static_cast<std::uint64_t>(rows.dimensions);
  double furthest = 0;
  for (std::uint64_t row = 0; row < rows.count(); ++row)
    for (std::uint64_t a = 0; a < 3; ++a)
      furthest = std::max(furthest, std::abs(static_cast<double>(rows.coordinates[row * width + a])));
  std::uint32_t points = settings.grid;
  if (!points) {
    if (5 * furthest > most_on_an_axis)
      throw FileError(fmt::format("{}: frequencies up to {:g} need a grid of more than {} points a side",
                                  settings.input, furthest, most_on_an_axis));
    for (points = 16; points < 5 * furthest || !legal_grid(points);) ++points;
  }
  BinInput input;
  input.width = 6;
  input.name = rows.name;
  input.points = {points, points, points};
  for (std::uint64_t row = 0; row < rows.count(); ++row) {
    const float* k = &rows.coordinates[row * width];
    for (std::uint64_t a = 0; a < 3; ++a)
      input.elements.push_back(static_cast<float>(points / 2. + 2 * static_cast<double>(k[a])));
    input.elements.insert(input.elements.end(), {k[3], k[4], width == 6 ? k[5] : 1.f});
  }
  return input;
}

void box_around(BinInput& bodies, double cutoff) {
  const Bounds bounds = bounds_of(bodies);
  std::array<double, 3> origin, box;
  for (std::size_t a = 0; a < 3; ++a) {
    const double first = std::floor(bounds.low[a] / cutoff), last = std::floor(bounds.high[a] / cutoff);
    origin[a] = cutoff * (first - 1);
    box[a] = cutoff * (last - first + 3);
  }
  bodies.origin = origin;
  bodies.box = box;
}

}  // namespace warploom
