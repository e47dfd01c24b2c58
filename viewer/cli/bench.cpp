#include "viewer/cli/bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <memory>
#include <optional>

#include "gpu/core/files.h"
#include "gpu/core/format.h"
#include "gpu/files/input.h"
#include "viewer/base/json_text.h"
#include "viewer/base/paths.h"
#include "viewer/base/say.h"
#include "viewer/cli/command.h"
#include "viewer/cli/fields.h"
#include "viewer/cli/progress_line.h"
#include "viewer/export/stats.h"

namespace warploom {

namespace {

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

bench::Settings settings_of(const BenchOptions& options) {
  bench::Settings settings;
  if (options.samples > 0) settings.samples = static_cast<std::size_t>(options.samples);
  settings.data = {data_folder() / "assets", config_folder()};
  for (const auto& assignment : options.set) {
    const std::size_t equals = assignment.find('=');
    if (equals == std::string::npos) throw UsageError("--set " + assignment + ": expected KEY=VALUE");
    settings.set[assignment.substr(0, equals)] = assignment.substr(equals + 1);
  }
  bench::check_settings(settings);
  return settings;
}

std::vector<const bench::Suite*> suites_named(const std::vector<std::string>& words) {
  const auto known = texts_of(bench::all_suites(), &bench::Suite::key);
  for (const auto& word : words)
    if (!std::ranges::count(known, word)) throw UsageError(unknown_message("suite", word, known));
  std::vector<const bench::Suite*> chosen;
  for (const auto& suite : bench::all_suites())
    if (words.empty() || std::ranges::count(words, suite.key)) chosen.push_back(&suite);
  return chosen;
}

void say_files(FigureFiles& files, const nlohmann::ordered_json& all) {
  std::fflush(stdout);
  for (const auto& written : files.write(all)) fmt::print(stderr, "{}\n", written.string());
}

/// Plots earlier figures, such as those of a machine without a screen.
ExitCode draw_figures(const BenchOptions& options) {
  if (options.out.empty() || !options.stats.ends_with(".json"))
    throw UsageError("--draw: needs --stats FILE.json with the measured figures, and --out DIR");
  const auto all = read_bench_json(options.stats);
  FigureFiles files(options.out);
  say_files(files, all);
  return ExitCode::done;
}

}  // namespace

ExitCode run_bench(const BenchOptions& options) {
  check_stats_name(options.stats);
  if (options.draw) return draw_figures(options);
  if (options.resume && extension_of(options.stats) != ".json")
    throw UsageError("--resume: needs --stats FILE.json with what an earlier run measured");
  if (!options.stats.empty() && options.stats != "-") check_can_write(options.stats);
  const auto suites = suites_named(options.suites);
  if (!options.out.empty() && std::ranges::none_of(suites, [](const auto* suite) { return suite->key == "figures"; }))
    throw UsageError("--out " + options.out + ": only the suite 'figures' makes figures");
  bench::Bench bench(choose_backend(options.backend), settings_of(options));
  if (options.suites.empty()) {
    fmt::print(
        stderr,
        "warploom: measuring every suite ({}), which takes minutes; Ctrl+C stops, name a suite to run it alone\n",
        join(texts_of(suites, &bench::Suite::key)));
  }
  BenchFile file = options.resume ? read_bench_file(options.stats, bench.backend()) : BenchFile{};
  bench.done = {file.parts.begin(), file.parts.end()};
  std::optional<FigureFiles> files;
  if (!options.out.empty()) files.emplace(options.out);
  std::vector<bench::Figure> figures;
  std::vector<std::string> keys;
  const auto write = [&] {
    if (options.stats.empty()) return;
    const auto all = bench_json(bench, keys, file);
    write_text(options.stats, extension_of(options.stats) == ".csv" ? bench_csv(all) : json_text(all));
  };
  // Part by part, so that finished parts stay however the run ends.
  bench.finished = [&](const std::string& part, std::span<const bench::Figure> added) {
    add_part(file, part, added);
    if (options.resume) write();
  };
  {
    const InterruptGuard guard;
    ProgressLine line;
    bench.cancel_with(&interrupted);
    for (const auto* suite : suites) {
      keys.emplace_back(suite->key);
      bench.progress = [&](const std::string& what, double fraction) {
        line.show(suite->key + (fraction < 0 ? " " : fmt::format(" {:3.0f} % ", 100 * fraction)) + what);
      };
      for (auto& figure : suite->run(bench)) figures.push_back(std::move(figure));
    }
    bench.cancel_with(nullptr);
  }
  print_bench(figures);
  write();
  if (files) say_files(*files, bench_json(bench, keys, file));
  const bool verified = all_verified(file);
  if (!verified) say("a result was wrong: it has no time");
  return verified ? ExitCode::done : ExitCode::verification;
}

CliCommand bench_command() {
  return {"bench", "run benchmarks against measured ceilings and peer libraries",
          [](CLI::App& app) -> std::function<ExitCode()> {
            const auto options = std::make_shared<BenchOptions>();
            add_words(app, "SUITE", options->suites, "suites to run (warploom list suites); default: all");
            add_text(app, "--backend", options->backend, "auto|cuda|cpu", "where kernels run");
            add_text(app, "--stats", options->stats, "FILE.json|FILE.csv", "write every figure, with the environment");
            add_text(app, "--out", options->out, "DIR", "write the plots of suite `figures` there, as CSV and PNG");
            add_number(app, "--samples", options->samples, 3, 100000, "minimum samples per figure (default 30)");
            add_flag(app, "--resume", options->resume,
                     "continue the run in FILE.json of --stats: skip the parts it has, and write each new part when it "
                     "is done");
            add_flag(app, "--draw", options->draw,
                     "measure nothing: plot FILE.json of --stats, from any machine, into DIR of --out");
            add_texts(app, "--set", options->set, "KEY=VALUE", join(bench::setting_keys()));
            return [options] { return run_bench(*options); };
          }};
}

}  // namespace warploom
