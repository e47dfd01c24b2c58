#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

#include "viewer/app/paths.h"
#include "viewer/cli/command.h"
#include "viewer/cli/fields.h"

namespace warploom {

namespace {

using Stats = nlohmann::json;

struct DiffOptions {
  std::vector<std::string> files;
  double tolerance = .05;
};

void read_tolerance(const std::string& text, double& tolerance) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), tolerance);
  if (error != std::errc{} || end != text.data() + text.size() || !(tolerance >= 0) || tolerance > 10)
    throw UsageError("--tolerance " + text + ": expected a share from 0 to 10, like 0.05");
}

Stats read_stats(const std::string& file) {
  Stats stats;
  try {
    stats = Stats::parse(read_file(file));
  } catch (const Stats::parse_error& error) {
    throw FileError(file + ": not JSON: " + error.what());
  }
  if (!stats.is_object() || stats.value("schema", Stats()) != "warploom.stats/1")
    throw FileError(file + ": not a stats file of Warploom: key 'schema' is not warploom.stats/1");
  return stats;
}

/// What of one run is not as in the other, so that their times may not compare.
std::vector<std::string> differences(const Stats& a, const Stats& b) {
  std::vector<std::string> all;
  const auto compare = [&](const std::string& name, const Stats& first, const Stats& second) {
    if (first != second) all.push_back(name + ": " + first.dump() + " and " + second.dump());
  };
  for (const char* key : {"scene", "steps", "history"}) compare(key, a.value(key, Stats()), b.value(key, Stats()));
  for (const char* key : {"backend", "device", "driver", "compiler", "build"})
    compare(key, a.at("environment").value(key, Stats()), b.at("environment").value(key, Stats()));
  const auto &ours = a.at("parameters"), &theirs = b.at("parameters");
  for (const auto& [key, value] : ours.items()) compare(key, value, theirs.value(key, Stats()));
  for (const auto& [key, value] : theirs.items())
    if (!ours.contains(key)) compare(key, Stats(), value);
  return all;
}

/// A time and its 95 % interval, in milliseconds. Without samples: none.
struct Time {
  double median = 0, low = 0, high = 0;
  std::uint64_t samples = 0;
};

Time time_of(const Stats& kernel) {
  Time time;
  time.samples = kernel.value("samples", std::uint64_t{0});
  const auto number = [&](const char* key, double other) {
    const auto at = kernel.find(key);
    return at != kernel.end() && at->is_number() ? at->get<double>() : other;
  };
  time.median = number("median_ms", 0);
  // Files of before have no interval: the samples' own spread holds it.
  time.low = number("median_low_ms", number("p5_ms", time.median));
  time.high = number("median_high_ms", number("p95_ms", time.median));
  return time;
}

const Stats* find_kernel(const Stats& stats, const std::string& track, const std::string& kernel) {
  for (const auto& other : stats.at("tracks"))
    if (other.value("name", "") == track)
      for (const auto& one : other.at("kernels"))
        if (one.value("name", "") == kernel) return &one;
  return nullptr;
}

ExitCode diff(const DiffOptions& options) {
  if (options.files.size() != 2) throw UsageError("diff: expected two stats files: warploom diff A.json B.json");
  const Stats a = read_stats(options.files[0]), b = read_stats(options.files[1]);
  int slower = 0, compared = 0, wrong = 0;
  try {
    for (const auto& line : differences(a, b)) std::fprintf(stderr, "warploom: they differ in %s\n", line.c_str());
    // A run that was painted is another one, whatever its parameters.
    const bool same_run = a.at("parameters") == b.at("parameters") && a.at("steps") == b.at("steps") &&
                          a.at("scene") == b.at("scene") && a.value("history", Stats()).is_null() &&
                          b.value("history", Stats()).is_null();
    fmt::print("{:<24} {:<24} {:>10} {:>10}  {:>7}  {:<16} {}\n", "track", "kernel", "A ms", "B ms", "B / A",
               "95 % interval", "");
    for (const auto& track : a.at("tracks")) {
      const std::string name = track.value("name", "");
      if (same_run)
        for (const auto& other : b.at("tracks"))
          if (other.value("name", "") == name && other.value("exact", false) &&
              other.value("seal", Stats()) != track.value("seal", Stats())) {
            fmt::print("{:<24} the same steps, and another seal: {} and {}\n", name,
                       track.value("seal", Stats()).dump(), other.value("seal", Stats()).dump());
            ++wrong;
          }
      for (const auto& kernel : track.at("kernels")) {
        const std::string kernel_name = kernel.value("name", "");
        const Stats* other = find_kernel(b, name, kernel_name);
        if (!other) {
          fmt::print("{:<24} {:<24} not in B\n", name, kernel_name);
          continue;
        }
        const Time before = time_of(kernel), after = time_of(*other);
        if (before.median <= 0 || after.median <= 0) continue;
        ++compared;
        const double ratio = after.median / before.median;
        const bool enough = before.samples >= 10 && after.samples >= 10 && before.low > 0 && before.high > 0;
        const double low = enough ? after.low / before.high : 0, high = enough ? after.high / before.low : HUGE_VAL;
        const bool regressed = low > 1 + options.tolerance;
        slower += regressed;
        fmt::print("{:<24} {:<24} {:>10.4f} {:>10.4f}  {:>7.3f}  {:<16} {}\n", name, kernel_name, before.median,
                   after.median, ratio, enough ? fmt::format("[{:.3f}, {:.3f}]", low, high) : "too few samples",
                   regressed                            ? "slower"
                   : high < 1 / (1 + options.tolerance) ? "faster"
                                                        : "");
      }
    }
  } catch (const Stats::exception& error) {
    throw FileError(options.files[0] + ", " + options.files[1] + ": " + error.what());
  }
  if (!compared && !wrong)
    throw FileError(options.files[0] + " and " + options.files[1] + " have no timed kernel in common");
  if (wrong) std::fprintf(stderr, "warploom: %d of B compute something else\n", wrong);
  if (slower)
    std::fprintf(stderr, "warploom: %d of %d slower by more than %g %%\n", slower, compared, 100 * options.tolerance);
  return slower || wrong ? ExitCode::verification : ExitCode::done;
}

}  // namespace

CliCommand diff_command() {
  return {"diff", "two stats files: times of B over A; exit code 3 where one is slower for sure", [](CLI::App& app) {
            const auto options = std::make_shared<DiffOptions>();
            add_words(app, "FILES", options->files, "stats files, as --stats writes them");
            add_parsed(
                app, "--tolerance", [options](const std::string& text) { read_tolerance(text, options->tolerance); },
                "SHARE", "how much slower B may be (default 0.05)");
            return std::function<ExitCode()>([options] { return diff(*options); });
          }};
}

}  // namespace warploom
