#include "gpu/scenes/bins/bins.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gpu/core/format.h"
#include "gpu/scenes/bins/applications/list.h"
#include "gpu/scenes/bins/tracks/track.h"

namespace warploom {

namespace {

/// What the list knows of an application, for those who know it by its key.
struct Entry {
  const BinApplicationInfo* info;
  const ElementFiles* files;
  BinInput (*input)(const BinSettings&);
  BinSpace (*space)(const BinSettings&, const BinInput&);
};

template <class Application>
BinInput input_of(const BinSettings& settings) {
  if (auto made = Application::recipe(settings)) return std::move(*made);
  BinInput read = read_bin_input(settings, Application::info, Application::files);
  if constexpr (requires { Application::complete(settings, read); }) Application::complete(settings, read);
  return read;
}

const std::vector<Entry>& entries() {
  static const std::vector<Entry> all = [] {
    std::vector<Entry> made;
    for_each_type(BinApplications{}, [&]<class One>() {
      made.push_back({&One::info, &One::files, &input_of<One>, &One::space});
    });
    return made;
  }();
  return all;
}

const Entry& entry_of(const std::string& key) {
  std::vector<std::string> known;
  for (const auto& entry : entries()) {
    if (key == entry.info->key) return entry;
    known.emplace_back(entry.info->key);
  }
  throw UsageError(unknown_message("application", key, known));
}

/// A way to make outputs, whatever the application.
struct NamedVariant {
  TrackInfo info;
  BinVariant variant;
  /// Why an application has no such track; null: it has.
  const char* (*refusal)(const BinApplicationInfo&) = [](const BinApplicationInfo&) -> const char* { return nullptr; };
};

NamedVariant way_of(const BinAccessInfo& access, int number, bool spills = false) {
  TrackInfo info;
  info.name = access.name;
  info.map = access.structure_name();
  info.intra = access.access_name();
  if (access.layout_name) info.layout = access.layout_name;
  info.title = access.structure == BinStructure::none      ? "No bins"
               : access.structure == BinStructure::regular ? "Regular"
                                                           : "Compact";
  info.description = access.description;
  info.citation = access.citation;
  if (spills) {
    info.name += "/spill";
    info.storage = "spill";
    info.description += access.structure == BinStructure::regular
                            ? "; what does not fit is left to the CPU (HYB)"
                            : "; what does not fit is left to the CPU (CSR + COO)";
  }
  return {info, {&access, number, false, spills}};
}

const std::vector<NamedVariant>& ways() {
  static const std::vector<NamedVariant> all = [] {
    std::vector<NamedVariant> made;
    int number = 0;
    for_each_type(BinAccesses{}, [&]<class Access>() {
      made.push_back(way_of(Access::info, number));
      if (Access::info.spills) made.push_back(way_of(Access::info, number, true));
      ++number;
    });
    number = 0;
    for_each_type(BinSpreads{}, [&]<class Spread>() {
      made.push_back(way_of(Spread::info, number++));
      made.back().variant.spreads = true;
      made.back().refusal = &Spread::refusal;
    });
    // A structure's spreads stand behind its accesses.
    std::stable_sort(made.begin(), made.end(), [](const NamedVariant& a, const NamedVariant& b) {
      return a.variant.access->structure < b.variant.access->structure;
    });
    return made;
  }();
  return all;
}

}  // namespace

void check_bin_settings(const BinSettings& settings) {
  (void)entry_of(settings.application);
  const auto range = [](const char* name, double value, double least, double most) {
    if (!(value >= least && value <= most))
      throw UsageError(fmt::format("{} {:g}: expected {:g} to {:g}", name, value, least, most));
  };
  range("bin", settings.bin, 0, 1e30);
  range("cutoff", settings.cutoff, 0, 1e30);
  range("spacing", settings.spacing, 0, 1e30);
  range("blobbiness", settings.blobbiness, .1, 20);
  range("time_step", settings.time_step, 0, 1);
  if (settings.tile != 4 && settings.tile != 8)
    throw UsageError(fmt::format("tile {}: expected 4 or 8", settings.tile));
  const int per_thread = settings.per_thread;
  if (per_thread < 1 || per_thread > settings.tile || (per_thread & (per_thread - 1)))
    throw UsageError(
        fmt::format("per_thread {}: expected 1, 2, 4 or 8, at most the tile, {}", per_thread, settings.tile));
  if (settings.cap > most_cap) throw UsageError(fmt::format("cap {}: at most 2^31 - 1", settings.cap));
  if (settings.grid && !legal_grid(settings.grid))
    throw UsageError(fmt::format("grid {}: expected 2^a 3^b 5^c from 16 on, a multiple of 4; the nearest is {}",
                                 settings.grid, nearest_grid(settings.grid)));
  (void)input_count(settings.input);
}

void check_bin_input(const BinSettings& settings) {
  const Entry& entry = entry_of(settings.application);
  const std::string names = std::string(", ") + entry.files->names + ",";
  if (names.find(", " + settings.input + ",") != std::string::npos || input_count(settings.input)) return;
  const auto file = bin_input_file(settings, *entry.info, *entry.files);
  if (std::error_code none; !std::filesystem::exists(file, none)) throw FileError(file.string() + ": no such file");
}

std::shared_ptr<const BinProblem> make_bin_problem(const BinSettings& settings) {
  check_bin_settings(settings);
  return make_bin_problem(settings, entry_of(settings.application).input(settings));
}

std::shared_ptr<const BinProblem> make_bin_problem(const BinSettings& settings, BinInput input) {
  check_bin_settings(settings);
  const Entry& entry = entry_of(settings.application);
  auto problem = std::make_shared<BinProblem>();
  problem->settings = settings;
  problem->input = std::move(input);
  if (problem->input.count() >= 1ull << 31)
    throw UsageError(fmt::format("input {}: at most 2^31 - 1 elements", settings.input));
  problem->space = entry.space(settings, problem->input);
  return problem;
}

const std::vector<const BinApplicationInfo*>& bin_applications() {
  static const std::vector<const BinApplicationInfo*> all = [] {
    std::vector<const BinApplicationInfo*> made;
    for (const auto& entry : entries()) made.push_back(entry.info);
    return made;
  }();
  return all;
}

const BinApplicationInfo& find_bin_application(const std::string& key) { return *entry_of(key).info; }

const std::vector<TrackInfo>& bin_tracks(const std::string& application) {
  static const std::vector<std::vector<TrackInfo>> all = [] {
    std::vector<std::vector<TrackInfo>> made;
    for (const auto* info : bin_applications()) {
      made.emplace_back();
      for (const NamedVariant& variant : ways())
        if (!variant.refusal(*info)) made.back().push_back(variant.info);
    }
    return made;
  }();
  const auto* info = &find_bin_application(application);
  const auto& known = bin_applications();
  return all[static_cast<std::size_t>(std::find(known.begin(), known.end(), info) - known.begin())];
}

const TrackInfo& find_bin_track(const std::string& application, const std::string& name) {
  std::vector<std::string> known;
  for (const TrackInfo& info : bin_tracks(application)) {
    if (info.name == name) return info;
    known.push_back(info.name);
  }
  for (const NamedVariant& variant : ways())
    if (variant.info.name == name)
      throw UsageError(fmt::format("track '{}' is none of {}: {}", name, application,
                                   variant.refusal(find_bin_application(application))));
  throw UsageError(unknown_message("track", name, known));
}

std::unique_ptr<Track> make_bins_track(Queue& queue, const std::shared_ptr<const BinProblem>& problem,
                                       const std::string& name) {
  const std::string& application = problem->settings.application;
  const TrackInfo& info = find_bin_track(application, name);
  const auto variant =
      std::find_if(ways().begin(), ways().end(), [&](const NamedVariant& one) { return one.info.name == name; });
  return bins_maker(application)(queue, problem, info, variant->variant);
}

void start_bins(Track& track, Queue& queue) { dynamic_cast<BinsTrack&>(track).start(queue); }

void BinDepths::spread(double squares) {
  const auto all = static_cast<double>(bins);
  mean = static_cast<double>(elements) / all;
  deviation = std::sqrt(std::max(0., squares / all - mean * mean));
}

BinDepths bin_depths(Track& track, Queue& queue) {
  auto& bins = dynamic_cast<BinsTrack&>(track);
  const auto counts = bins.counts(queue);
  BinDepths depths;
  depths.elements = bins.problem().input.count();
  depths.bins = counts.size();
  double squares = 0;
  for (const std::uint64_t count : counts) {
    depths.empty += count == 0;
    depths.deepest = std::max(depths.deepest, count);
    squares += static_cast<double>(count * count);
  }
  depths.spread(squares);
  return depths;
}

std::optional<BinImage> bin_image(Track& track, Queue& queue) { return dynamic_cast<BinsTrack&>(track).image(queue); }

std::optional<double> image_error(Track& track, Queue& queue) {
  return dynamic_cast<BinsTrack&>(track).image_error(queue);
}

double regular_bytes(const BinDepths& depths, unsigned width) {
  return static_cast<double>(depths.bins) * (static_cast<double>(depths.deepest) * width * sizeof(float) + 4);
}

double compact_bytes(const BinDepths& depths, unsigned width) {
  return static_cast<double>(depths.elements) * width * sizeof(float) + 4. * static_cast<double>(depths.bins + 1);
}

}  // namespace warploom
