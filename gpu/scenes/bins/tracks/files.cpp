#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "gpu/core/error.h"
#include "gpu/core/format.h"
#include "gpu/files/elements.h"
#include "gpu/files/input.h"
#include "gpu/files/points.h"
#include "gpu/scenes/bins/bins.h"
#include "gpu/scenes/bins/kernels/application.h"

namespace warploom {

namespace {

struct Guess {
  const char* symbol;
  double charge, radius;
};
constexpr Guess guesses[] = {{"H", .2, 1.2},   {"C", .1, 1.7}, {"N", -.4, 1.55},
                             {"O", -.5, 1.52}, {"P", 1, 1.8},  {"S", -.1, 1.8}};
constexpr const char* known = "H, C, N, O, P and S";
constexpr Guess others{"", 0, 1.7};

/// By an element's symbol, atomic number or label, as read_points gives it. Null: it is not known here.
const Guess* guess_of(const std::string& word) {
  const int element = element_of(symbol_of_label(word));
  for (const Guess& guess : guesses)
    if (element && element == element_of(guess.symbol)) return &guess;
  return nullptr;
}

std::span<const std::uint64_t> columns_of(const ElementFiles& files) {
  return {std::begin(files.columns), std::find(std::begin(files.columns), std::end(files.columns), 0u)};
}

FileError refused(const BinSettings& settings, std::uint64_t row, const std::string& why) {
  return FileError(fmt::format("{}: row {} (counted from 0): {}", settings.input, row, why));
}

BinInput atoms_from_file(const BinSettings& settings, const BinApplicationInfo& application, const ElementFiles& files,
                         const std::filesystem::path& file, const std::string& kind) {
  const bool table = kind == ".npy";
  const Points points = table ? read_rows(file, columns_of(files)) : read_points(file, 3);
  const auto columns = static_cast<std::uint64_t>(points.dimensions);
  BinInput input;
  input.name = points.name;
  input.remarks = points.remarks;
  input.elements.reserve(4 * points.count());
  std::uint64_t unknown = 0, without_radius = 0;
  for (std::uint64_t row = 0; row < points.count(); ++row) {
    const float* values = &points.coordinates[row * columns];
    float fourth = static_cast<float>(files.missing);
    if (table && columns > 3) fourth = values[3];
    if (!points.symbols.empty()) {
      const Guess* guess = guess_of(points.symbols[row]);
      unknown += !guess;
      fourth = static_cast<float>(files.radii ? (guess ? guess->radius : others.radius) : (guess ? guess->charge : 0));
    }
    if (!points.charges.empty()) fourth = files.radii ? points.radii[row] : points.charges[row];
    // Programs write hydrogens without a radius: they add nothing to a surface.
    if (files.radii && fourth == 0) {
      ++without_radius;
      continue;
    }
    if (files.radii && !(fourth > 0))
      throw refused(settings, row, fmt::format("a radius of {:g}; expected 0 or more", fourth));
    input.elements.insert(input.elements.end(), {values[0], values[1], values[2], fourth});
    // What chemistry guesses is no mass.
    if (application.periodic && !table) input.elements.back() = static_cast<float>(files.missing);
    if (columns == 7) input.velocities.insert(input.velocities.end(), {values[4], values[5], values[6]});
  }
  if (input.elements.empty())
    throw FileError(
        fmt::format("{}: none of its {} has a radius above 0", settings.input, counted(points.count(), "atom")));
  if (without_radius) input.remarks.push_back(counted(without_radius, "atom") + " of radius 0 left out");
  if (!points.symbols.empty() && !application.periodic) {
    if (!files.radii) input.without_charge = unknown;
    if (unknown)
      input.remarks.push_back(counted(unknown, "atom") +
                              (files.radii ? fmt::format(" of other elements than {}: radius {}", known, others.radius)
                                           : fmt::format(" of other elements than {}: no charge", known)));
  }
  if (!table) input.remarks.insert(input.remarks.begin(), counted(input.count(), "atom"));
  return input;
}

BinInput samples_from_file(const BinSettings& settings, const ElementFiles& files, const std::filesystem::path& file) {
  const Points rows = read_rows(file, columns_of(files));
  const auto width = static_cast<std::uint64_t>(rows.dimensions);
  // Places in the grid are computed in double, and rounded once.
  const auto frequency = [&](std::uint64_t row, std::uint64_t a) {
    const std::uint64_t at = row * width + a;
    return rows.unrounded.empty() ? static_cast<double>(rows.coordinates[at]) : rows.unrounded[at];
  };
  double furthest = 0;
  for (std::uint64_t row = 0; row < rows.count(); ++row)
    for (std::uint64_t a = 0; a < 3; ++a) furthest = std::max(furthest, std::abs(frequency(row, a)));
  std::uint32_t points = settings.grid;
  if (!points) {
    if (5 * furthest > most_on_an_axis)
      throw FileError(fmt::format("{}: frequencies up to {:g} need a grid of more than {} points per side",
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
      input.elements.push_back(static_cast<float>(points / 2. + 2 * frequency(row, a)));
    input.elements.insert(input.elements.end(), {k[3], k[4], width == 6 ? k[5] : 1.f});
  }
  return input;
}

}  // namespace

std::filesystem::path bin_input_file(const BinSettings& settings, const BinApplicationInfo& application,
                                     const ElementFiles& files) {
  const std::filesystem::path named(settings.input);
  std::filesystem::path file = named.is_absolute() ? named : settings.folder / named;
  const std::string kind = extension_of(file);
  std::vector<std::string> kinds{".npy"};
  if (files.atoms) kinds = {".npy", ".pdb", ".pqr", ".xyz"};
  if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end()) {
    const std::string takes =
        fmt::format("{} takes {}, a count, or a file: {}", application.key, files.names, either(kinds));
    // A number is no file's name.
    const bool number = settings.input.find_first_not_of("+-.0123456789eE") == std::string::npos;
    if (kind.empty() || number) throw UsageError("input " + settings.input + ": " + takes);
    throw FileError(settings.input + ": unknown extension '" + kind + "'; " + takes);
  }
  return file;
}

BinInput read_bin_input(const BinSettings& settings, const BinApplicationInfo& application, const ElementFiles& files) {
  const std::filesystem::path file = bin_input_file(settings, application, files);
  return files.samples ? samples_from_file(settings, files, file)
                       : atoms_from_file(settings, application, files, file, extension_of(file));
}

}  // namespace warploom
