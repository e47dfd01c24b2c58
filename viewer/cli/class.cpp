// Classes: what a lecturer hands out, what students give back, and the table of it.
#include <filesystem>
#include <fstream>
#include <memory>

#include "gpu/core/format.h"
#include "gpu/own/registry.h"
#include "gpu/own/text.h"
#include "viewer/base/json_text.h"
#include "viewer/base/say.h"
#include "viewer/base/stop_signals.h"
#include "viewer/cli/command.h"
#include "viewer/cli/fields.h"
#include "viewer/cli/stopped.h"
#include "viewer/export/stats.h"
#include "viewer/model/own_texts.h"
#include "viewer/teach/check_tour.h"
#include "viewer/teach/classroom.h"

namespace warploom {

namespace {

struct ClassOptions {
  std::vector<std::string> words, tours, puzzles, scenes, set, maps;
  std::string title, name, out, predictions;
  bool trust = false;
};

ExitCode make(const ClassOptions& options) {
  if (options.words.size() != 2)
    throw UsageError("class new: name one folder: warploom class new DIR --title TITLE --puzzle KEY");
  StopSignals stop;
  const auto check = [&stop](const Tour& tour) {
    const Backend backend = tour.needs.value_or(Backend::cpu);
    if (backend == Backend::cuda && !cuda_status().usable) return say("{}: needs CUDA; not checked here", tour.key);
    const TourReport report = check_tour(tour, backend, [&stop] { return stop.number() != 0; });
    if (!report.wrong.empty()) throw FileError(report.wrong);
  };
  const auto check_puzzle = [&stop](const Puzzle& puzzle) {
    PuzzleJudge judge(puzzle, {});
    const StopSignals::Watch watch(stop, [&judge] { judge.cancel(); });
    if (judge.judge().solved) refuse_start(puzzle);
  };
  try {
    make_classroom(options.words[1],
                   {options.title, options.tours, options.puzzles, options.scenes, check, check_puzzle});
  } catch (const Cancelled&) {
    if (!stop.number()) throw;
    return stopped(stop);
  }
  say("{}: made; its README.md has the commands for students", options.words[1]);
  return ExitCode::done;
}

ExitCode answer(const ClassOptions& options) {
  if (options.words.size() != 2 || options.puzzles.size() != 1 || options.out.empty())
    throw UsageError("class answer: expected DIR --name NAME --puzzle KEY --set KEY=VALUE ... --out FILE.json");
  check_student(options.name);
  check_file_name("--out", options.out);
  if (options.maps.size() > 1) throw UsageError("--map: an answer has one map");
  const Classroom classroom = read_classroom(options.words[1]);
  const Puzzle puzzle = read_puzzle(classroom.puzzle(options.puzzles[0]));
  auto hand_in = read_hand_in(options.out, classroom, options.name);
  Settings settings;
  for (const auto& assignment : options.set) {
    const auto equals = assignment.find('=');
    if (equals == assignment.npos || equals == 0) throw UsageError("--set " + assignment + ": expected KEY=VALUE");
    settings.emplace_back(assignment.substr(0, equals), assignment.substr(equals + 1));
  }
  nlohmann::ordered_json map;
  if (!options.maps.empty()) {
    const std::string own = add_own(read_own_file(given_map_file(options.maps[0])));
    map = own_map_of({{"", own}});
    if (std::ranges::none_of(settings, [](const auto& one) { return one.first == "tracks"; }))
      settings.emplace_back("tracks", own);
  }
  PuzzleJudge judge(puzzle, settings);
  const Judged judged = judge.judge();
  add_answer(hand_in, judged.report, 1, 0, map);
  write_text(options.out, json_text(hand_in));
  if (judged.solved)
    say("{}: solved, {} {}; written to {}", puzzle.key, judged.report["score"].dump(), puzzle.unit, options.out);
  else
    say("{}: not solved; {}; written to {}", puzzle.key, judged.missing, options.out);
  return judged.solved ? ExitCode::done : ExitCode::verification;
}

/// A table takes the place of an earlier one, and of nothing else. Throws FileError.
void check_table(const std::string& file, std::string_view header) {
  if (file.empty() || !std::filesystem::exists(file) || std::filesystem::file_size(file) == 0) return;
  std::ifstream there(file);
  std::string head;
  if (!std::getline(there, head) || head != header)
    throw FileError(file + ": it is there, and is no such table: name another file after --out");
}

ExitCode collect_all(const ClassOptions& options) {
  if (options.words.size() < 3 || options.out.empty())
    throw UsageError("class collect: expected DIR FILES... --out results.csv");
  check_file_name("--out", options.out);
  check_file_name("--out-predictions", options.predictions);
  check_table(options.out, answers_header);
  check_table(options.predictions, predictions_header);
  StopSignals stop;
  const Classroom classroom = read_classroom(options.words[1]);
  const std::vector<std::string> files(options.words.begin() + 2, options.words.end());
  try {
    const Collected all = collect(classroom, files, options.trust, [&stop] { return stop.number() != 0; });
    write_text(options.out, all.answers);
    if (!options.predictions.empty()) write_text(options.predictions, all.predictions);
    for (const auto& line : all.people) say("{}", line);
    for (const auto& line : all.unread) say("{}", line);
    return all.unread.empty() ? ExitCode::done : ExitCode::failure;
  } catch (const Cancelled&) {
    return stopped(stop);
  }
}

ExitCode run_class(const ClassOptions& options) {
  const std::vector<std::string> known{"new", "answer", "collect"};
  if (options.words.empty()) throw UsageError("class: what? One of " + join(known));
  if (options.words[0] == "new") return make(options);
  if (options.words[0] == "answer") return answer(options);
  if (options.words[0] == "collect") return collect_all(options);
  throw UsageError(unknown_message("word after class", options.words[0], known));
}

}  // namespace

CliCommand class_command() {
  return {"class", "tours and puzzles for a class: new, answer, collect", [](CLI::App& app) {
            const auto options = std::make_shared<ClassOptions>();
            add_words(app, "WORDS", options->words, "new DIR, answer DIR, or collect DIR FILES...");
            add_text(app, "--title", options->title, "TITLE", "new: what the class is called");
            add_texts(app, "--tour", options->tours, "KEY|FILE", "new: a tour; may be repeated");
            add_texts(app, "--puzzle", options->puzzles, "KEY|FILE",
                      "new: a puzzle; may be repeated; answer: the one that is answered");
            add_texts(app, "--scene-file", options->scenes, "FILE", "new: a scene; may be repeated");
            add_text(app, "--name", options->name, "NAME", "answer: who hands it in");
            add_texts(app, "--set", options->set, "KEY=VALUE", "answer: a value of what is free; may be repeated");
            add_texts(app, "--map", options->maps, "FILE.h", "answer: a map of your own");
            add_text(app, "--out", options->out, "FILE", "answer: the file that is handed in; collect: the table");
            add_text(app, "--out-predictions", options->predictions, "FILE.csv", "collect: what was predicted");
            add_flag(app, "--trust", options->trust, "collect: run the own maps of answers, which are code");
            return std::function<ExitCode()>([options] { return run_class(*options); });
          }};
}

}  // namespace warploom
