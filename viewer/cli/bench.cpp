#include "viewer/cli/bench.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cmath>
#include <csignal>
#include <cstdio>

#include "gpu/core/words.h"
#include "viewer/app/environment.h"
#include "viewer/app/paths.h"
#include "viewer/export/stats.h"
#include "viewer/scenes/fractal/fractal.h"

namespace warploom {

namespace {

using Json = nlohmann::ordered_json;

/// The one thing a signal may touch.
std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free);

/// Ctrl+C asks the run to stop; a second one stops the program.
class InterruptGuard {
 public:
  InterruptGuard() {
    interrupted = false;
    struct sigaction action {};
    action.sa_handler = [](int) { interrupted = true; };
    action.sa_flags = SA_RESETHAND;
    sigaction(SIGINT, &action, &before_);
  }
  ~InterruptGuard() { sigaction(SIGINT, &before_, nullptr); }
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

 private:
  struct sigaction before_ {};
};

/// One line on stderr that is written over, where stderr is a terminal.
class ProgressLine {
 public:
  void show(const std::string& suite, const std::string& what, double fraction) const {
    if (!terminal_) return;
    const std::string percent = fraction < 0 ? "" : fmt::format("{:3.0f} % ", 100 * fraction);
    fmt::print(stderr, "\r\033[K{} {}{}", suite, percent, what);
    std::fflush(stderr);
  }
  ~ProgressLine() {
    if (terminal_) fmt::print(stderr, "\r\033[K");
  }

 private:
  bool terminal_ = isatty(STDERR_FILENO) == 1;
};

std::vector<Mask> masks_named(const std::string& wish) {
  const std::vector<Mask> known = known_masks();
  if (wish == "all") return known;
  std::vector<Mask> chosen;
  std::vector<std::string> keys{"all"};
  for (const auto& mask : known) keys.push_back(mask.key);
  for (std::size_t from = 0; from <= wish.size();) {
    const std::size_t end = std::min(wish.find(',', from), wish.size());
    const std::string key = wish.substr(from, end - from);
    const auto mask = std::find_if(known.begin(), known.end(), [&](const Mask& m) { return m.key == key; });
    if (mask == known.end()) throw UsageError(unknown_message("fractal", key, keys));
    chosen.push_back(*mask);
    from = end + 1;
  }
  return chosen;
}

int level_of(const std::string& text) {
  constexpr int most = 20;
  int level = -1;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), level);
  if (failed != std::errc() || end != text.data() + text.size() || level < 0 || level > most)
    throw UsageError("level '" + text + "': expected a whole number from 0 to " + std::to_string(most));
  return level;
}

bench::Settings settings_of(const Options& options) {
  bench::Settings settings;
  if (options.samples > 0) settings.samples = static_cast<std::size_t>(options.samples);
  settings.seed = options.seed;
  std::string fractals = "sierpinski_gasket,sierpinski_carpet";
  for (const auto& assignment : options.set) {
    const std::size_t equals = assignment.find('=');
    if (equals == std::string::npos) throw UsageError("--set " + assignment + ": expected KEY=VALUE");
    const std::string key = assignment.substr(0, equals), value = assignment.substr(equals + 1);
    if (key == "fractal")
      fractals = value;
    else if (key == "level")
      settings.level = level_of(value);
    else
      throw UsageError(unknown_message("parameter of bench", key, {"fractal", "level"}));
  }
  settings.masks = masks_named(fractals);
  return settings;
}

std::vector<const bench::Suite*> suites_named(const std::vector<std::string>& words) {
  std::vector<const bench::Suite*> chosen;
  std::vector<std::string> known;
  for (const auto& suite : bench::all_suites()) {
    known.emplace_back(suite.key);
    if (words.empty() || std::find(words.begin(), words.end(), suite.key) != words.end()) chosen.push_back(&suite);
  }
  for (const auto& word : words)
    if (std::find(known.begin(), known.end(), word) == known.end())
      throw UsageError(unknown_message("suite", word, known));
  return chosen;
}

std::string number(double value) { return std::isnan(value) ? "-" : fmt::format("{:.4g}", value); }

/// Columns as wide as their widest cell; the note, last, as it is.
void print_table(const std::vector<bench::Figure>& figures) {
  std::vector<std::vector<std::string>> rows{{"figure", "block", "cache", "median", "unit", "P5", "P95", "samples",
                                              "of ceiling", "ratio", "95 %", "against", "note"}};
  const auto parameter = [](const bench::Figure& figure, const char* key) -> std::string {
    for (const auto& [name, value] : figure.parameters)
      if (name == key) return value;
    return "-";
  };
  for (const auto& f : figures) {
    const bool share = !std::isnan(f.share_of_ceiling), ratio = !std::isnan(f.ratio_to_peer);
    rows.push_back({f.suite == "ceilings" ? "ceiling/" + f.name : f.name, parameter(f, "block"), parameter(f, "cache"),
                    f.verified ? number(f.median) : "WRONG", f.unit, number(f.low), number(f.high),
                    std::to_string(f.samples),
                    share ? fmt::format("{:.1f} % {}", 100 * f.share_of_ceiling, f.ceiling) : "-",
                    ratio ? fmt::format("x{:.3g}", f.ratio_to_peer) : "-",
                    ratio ? fmt::format("[{:.3g}, {:.3g}]", f.ratio_low, f.ratio_high) : "-",
                    f.peer.empty() ? "-" : f.peer, f.note});
  }
  std::vector<std::size_t> widths(rows[0].size() - 1);
  for (const auto& row : rows)
    for (std::size_t i = 0; i < widths.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < widths.size(); ++i) line += fmt::format("{:<{}}  ", row[i], widths[i]);
    line += row.back();
    line.erase(line.find_last_not_of(' ') + 1);
    fmt::print("{}\n", line);
  }
}

Json number_json(double value) { return std::isnan(value) ? Json() : Json(value); }
Json text_json(const std::string& text) { return text.empty() ? Json() : Json(text); }

Json figure_json(const bench::Figure& figure) {
  Json json{{"suite", figure.suite}, {"name", figure.name}, {"unit", figure.unit}};
  json["parameters"] = Json::object();
  for (const auto& [name, value] : figure.parameters) json["parameters"][name] = value;
  json["median"] = number_json(figure.median);
  json["low"] = number_json(figure.low);
  json["high"] = number_json(figure.high);
  json["samples"] = figure.samples;
  json["share_of_ceiling"] = number_json(figure.share_of_ceiling);
  json["ceiling"] = text_json(figure.ceiling);
  json["peer"] = text_json(figure.peer);
  json["ratio_to_peer"] = nullptr;
  if (!std::isnan(figure.ratio_to_peer))
    json["ratio_to_peer"] = {{"median", figure.ratio_to_peer}, {"low", figure.ratio_low}, {"high", figure.ratio_high}};
  json["verified"] = figure.verified;
  json["note"] = text_json(figure.note);
  return json;
}

}  // namespace

nlohmann::ordered_json bench_json(const bench::Bench& bench, const std::vector<std::string>& suites,
                                  const std::vector<bench::Figure>& figures) {
  Json all;
  all["schema"] = "warploom.bench/1";
  all["version"] = WARPLOOM_VERSION;
  all["time_utc"] = utc_time();
  all["environment"] = environment(bench.backend(), "", "none");
  all["settings"] = {
      {"samples", bench.settings().samples}, {"warm_ups", bench.settings().warm_ups}, {"seed", bench.seed()}};
  all["suites"] = suites;
  all["figures"] = Json::array();
  for (const auto& figure : figures) all["figures"].push_back(figure_json(figure));
  return all;
}

std::string bench_csv(const nlohmann::ordered_json& all) {
  const auto cell = [](const Json& value) -> std::string {
    if (value.is_null()) return "";
    if (!value.is_string()) return value.dump();
    std::string quoted = "\"";
    for (const char c : value.get<std::string>()) quoted += c == '"' ? "\"\"" : std::string(1, c);
    return quoted + "\"";
  };
  std::string text =
      "suite,name,parameters,unit,median,low,high,samples,share_of_ceiling,ceiling,peer,ratio_median,ratio_low,ratio_"
      "high,"
      "verified,note,backend,device,driver,cuda_runtime,cpu,threads,compiler,build,commit,version,time_utc\n";
  for (const auto& figure : all["figures"]) {
    std::vector<std::string> cells{cell(figure["suite"]), cell(figure["name"])}, pairs;
    for (const auto& [key, value] : figure["parameters"].items()) pairs.push_back(key + "=" + value.get<std::string>());
    cells.push_back(cell(join(pairs, ";")));
    for (const char* key : {"unit", "median", "low", "high", "samples", "share_of_ceiling", "ceiling", "peer"})
      cells.push_back(cell(figure[key]));
    const Json& ratio = figure["ratio_to_peer"];
    for (const char* key : {"median", "low", "high"}) cells.push_back(ratio.is_null() ? "" : cell(ratio[key]));
    for (const char* key : {"verified", "note"}) cells.push_back(cell(figure[key]));
    for (const char* key :
         {"backend", "device", "driver", "cuda_runtime", "cpu", "threads", "compiler", "build", "commit"})
      cells.push_back(cell(all["environment"][key]));
    for (const char* key : {"version", "time_utc"}) cells.push_back(cell(all[key]));
    text += join(cells, ",") + "\n";
  }
  return text;
}

ExitCode run_bench(const Options& options) {
  check_stats_name(options.stats);
  const auto suites = suites_named(options.words);
  bench::Bench bench(choose_backend(options.backend), settings_of(options));
  std::vector<bench::Figure> figures;
  std::vector<std::string> keys;
  {
    const InterruptGuard guard;
    const ProgressLine line;
    bench.cancel_with(&interrupted);
    for (const auto* suite : suites) {
      keys.emplace_back(suite->key);
      bench.progress = [&](const std::string& what, double fraction) { line.show(suite->key, what, fraction); };
      for (auto& figure : suite->run(bench)) figures.push_back(std::move(figure));
    }
    bench.cancel_with(nullptr);
  }
  print_table(figures);
  if (!options.stats.empty()) {
    const Json all = bench_json(bench, keys, figures);
    write_atomically(options.stats, options.stats.ends_with(".csv") ? bench_csv(all) : all.dump(2) + "\n");
  }
  const bool verified = std::all_of(figures.begin(), figures.end(), [](const auto& figure) { return figure.verified; });
  if (!verified) fmt::print(stderr, "warploom: a result was wrong; it has no time\n");
  return verified ? ExitCode::done : ExitCode::verification;
}

}  // namespace warploom
