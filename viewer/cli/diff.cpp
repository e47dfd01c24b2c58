#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "gpu/core/files.h"
#include "viewer/base/numbers.h"
#include "viewer/base/say.h"
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
  const auto share = parse_number<double>(text);
  if (!share || !(*share >= 0) || *share > 10)
    throw UsageError("--tolerance " + text + ": expected a share from 0 to 10, like 0.05");
  tolerance = *share;
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
  const auto expect = [&](bool right, const std::string& key, const char* what) {
    if (!right) throw FileError(file + ": key '" + key + "': expected " + what);
  };
  for (const char* key : {"environment", "parameters"})
    expect(stats.contains(key) && stats[key].is_object(), key, "an object");
  expect(stats.contains("tracks") && stats["tracks"].is_array(), "tracks", "a list of tracks");
  for (std::size_t i = 0; i < stats["tracks"].size(); ++i) {
    const Stats& track = stats["tracks"][i];
    const std::string key = fmt::format("tracks[{}]", i);
    expect(track.is_object() && track.contains("name") && track["name"].is_string(), key + ".name", "text");
    expect(track.contains("kernels") && track["kernels"].is_array(), key + ".kernels", "a list of kernels");
    for (std::size_t k = 0; k < track["kernels"].size(); ++k) {
      const Stats& kernel = track["kernels"][k];
      expect(kernel.is_object() && kernel.contains("name") && kernel["name"].is_string(),
             fmt::format("{}.kernels[{}].name", key, k), "text");
    }
  }
  return stats;
}

/// How the runs differ, so that their times may not compare.
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
  // Older files have no interval: the spread of the samples contains it.
  time.low = number("median_low_ms", number("p5_ms", time.median));
  time.high = number("median_high_ms", number("p95_ms", time.median));
  return time;
}

const Stats* find_kernel(const Stats& track, const std::string& kernel) {
  for (const auto& one : track.at("kernels"))
    if (one.at("name") == kernel) return &one;
  return nullptr;
}

/// Track names; repeated ones are numbered: "root_exact", "root_exact #2".
std::vector<std::string> track_names(const Stats& stats) {
  std::map<std::string, int> seen;
  std::vector<std::string> names;
  for (const auto& track : stats.at("tracks")) {
    const std::string name = track.at("name");
    const int number = ++seen[name];
    names.push_back(number > 1 ? fmt::format("{} #{}", name, number) : name);
  }
  return names;
}

ExitCode diff(const DiffOptions& options) {
  if (options.files.size() != 2) throw UsageError("diff: expected two stats files: warploom diff A.json B.json");
  const Stats a = read_stats(options.files[0]), b = read_stats(options.files[1]);
  int slower = 0, compared = 0, wrong = 0;
  try {
    for (const auto& line : differences(a, b)) say("the runs differ in {}", line);
    // A painted run is another run, whatever its parameters.
    const bool same_run = a.at("parameters") == b.at("parameters") && a.at("steps") == b.at("steps") &&
                          a.at("scene") == b.at("scene") && a.value("history", Stats()).is_null() &&
                          b.value("history", Stats()).is_null();
    fmt::print("{:<24} {:<24} {:>10} {:>10}  {:>7}  {:<16} {}\n", "track", "kernel", "A ms", "B ms", "B / A",
               "95 % interval", "");
    const auto names = track_names(a), others = track_names(b);
    const auto counterpart = [](const std::vector<std::string>& in, const Stats& stats, const std::string& name) {
      const auto at = std::ranges::find(in, name);
      return at == in.end() ? nullptr : &stats.at("tracks")[static_cast<std::size_t>(at - in.begin())];
    };
    for (std::size_t i = 0; i < names.size(); ++i) {
      const Stats& track = a.at("tracks")[i];
      const std::string& name = names[i];
      const Stats* const there = counterpart(others, b, name);
      if (same_run && there && there->value("exact", false) &&
          there->value("seal", Stats()) != track.value("seal", Stats())) {
        fmt::print("{:<24} the same steps, but different seals: {} and {}\n", name, track.value("seal", Stats()).dump(),
                   there->value("seal", Stats()).dump());
        ++wrong;
      }
      for (const auto& kernel : track.at("kernels")) {
        const std::string kernel_name = kernel.at("name");
        const Stats* other = there ? find_kernel(*there, kernel_name) : nullptr;
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
    for (std::size_t i = 0; i < others.size(); ++i) {
      const Stats* const there = counterpart(names, a, others[i]);
      for (const auto& kernel : b.at("tracks")[i].at("kernels"))
        if (!there || !find_kernel(*there, kernel.at("name")))
          fmt::print("{:<24} {:<24} not in A\n", others[i], kernel.at("name").get<std::string>());
    }
  } catch (const Stats::exception& error) {
    throw FileError(options.files[0] + ", " + options.files[1] + ": " + error.what());
  }
  if (!compared && !wrong)
    throw FileError(options.files[0] + " and " + options.files[1] + " have no timed kernel in common");
  if (wrong) say("{} tracks of B compute different results", wrong);
  if (slower) say("{} of {} slower by more than {:g} %", slower, compared, 100 * options.tolerance);
  return slower || wrong ? ExitCode::verification : ExitCode::done;
}

}  // namespace

CliCommand diff_command() {
  return {"diff", "compare two stats files: times of B over A; exit code 3 if B is significantly slower",
          [](CLI::App& app) {
            const auto options = std::make_shared<DiffOptions>();
            add_words(app, "FILES", options->files, "two files written by --stats");
            add_parsed(
                app, "--tolerance", [options](const std::string& text) { read_tolerance(text, options->tolerance); },
                "SHARE", "how much slower B may be, as a share (default 0.05)");
            return std::function<ExitCode()>([options] { return diff(*options); });
          }};
}

}  // namespace warploom
