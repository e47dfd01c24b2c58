#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>
#include <utility>

#include "gpu/core/format.h"
#include "gpu/own/registry.h"
#include "gpu/own/text.h"
#include "viewer/app/app.h"
#include "viewer/base/json_text.h"
#include "viewer/base/say.h"
#include "viewer/base/stop_signals.h"
#include "viewer/cli/beside_options.h"
#include "viewer/cli/stopped.h"
#include "viewer/export/stats.h"
#include "viewer/model/own_texts.h"
#include "viewer/model/scene_text.h"
#include "viewer/teach/learning.h"
#include "viewer/teach/puzzle.h"
#include "viewer/teach/scene_answer.h"
#include "viewer/teach/tour.h"

namespace warploom {

namespace {

Settings given_answer(const Options& options, const Puzzle& puzzle) {
  Settings answer;
  std::string own;
  for (const auto& file : options.maps) own = add_own(read_own_file(given_map_file(file)));
  if (!options.scene_file.empty()) {
    Model model(Backend::cpu, true);
    model.machine.headless = true;
    model.trust = options.trust ? OwnTrust::all : OwnTrust::none;
    (void)read_scene_file(model, options.scene_file);
    answer = answer_of(model.scene(), puzzle, true);
  }
  for (const auto& assignment : options.set) {
    const auto equals = assignment.find('=');
    if (equals == assignment.npos || equals == 0) throw UsageError("--set " + assignment + ": expected KEY=VALUE");
    answer.emplace_back(assignment.substr(0, equals), assignment.substr(equals + 1));
  }
  if (options.seed) answer.emplace_back("seed", std::to_string(*options.seed));
  const auto is_track = [](const auto& one) { return one.first == "tracks"; };
  if (!own.empty() && std::ranges::none_of(answer, is_track)) answer.emplace_back("tracks", own);
  return answer;
}

}  // namespace

ExitCode run_puzzle(const Options& options) {
  if (!options.tour.empty() || !options.script.empty())
    throw UsageError("--puzzle and " + std::string(options.tour.empty() ? "--script" : "--tour") +
                     ": one of them, not both");
  if (options.check) throw UsageError("--check is of tours; a puzzle is always judged");
  refuse_beside("--puzzle", options, true);
  check_file_name("--report", options.report);
  const auto file = named_file("puzzles", options.puzzle);
  const Puzzle puzzle = read_puzzle(file);
  const Settings answer = given_answer(options, puzzle);
  StopSignals stop;
  PuzzleJudge judge(puzzle, answer);
  // Those that come with the program are tested.
  std::optional<PuzzleJudge> start;
  if (!answer.empty() && !comes_with_program(file)) start.emplace(puzzle, Settings{});
  const StopSignals::Watch watch(stop, [&] {
    judge.cancel();
    if (start) start->cancel();
  });
  Judged judged;
  try {
    if (start && start->judge().solved) refuse_start(puzzle);
    judged = judge.judge();
  } catch (const Cancelled&) {
    if (!stop.number()) throw;
    return stopped(stop);
  }
  if (answer.empty() && judged.solved) refuse_start(puzzle);
  if (!options.report.empty()) write_text(options.report, json_text(judged.report));
  for (const auto& goal : judged.report["goals"])
    say("{}  {}", goal["holds"].get<bool>() ? "holds  " : "missing", goal["text"].get<std::string>());
  const std::string score =
      judged.score ? fmt::format("{} {}", judged.report["score"].dump(), puzzle.unit) : "no score";
  if (!judged.solved) {
    say("{}: not solved; {}", puzzle.key, judged.missing);
    return ExitCode::verification;
  }
  // As the window does: it is kept, and compared with what was reached here before.
  std::string best;
  try {
    if (const Learning before = read_learning(); !before.remark.empty()) say("{}", before.remark);
    keep_solved(judged.report, puzzle.most);
    best = read_learning().best(puzzle.key);
  } catch (const Error& error) {
    say("the score is not kept: {}", error.what());
  }
  say("{}: solved, {}{}{}", puzzle.key, score, best.empty() ? "" : "; the best on this machine is " + best,
      puzzle.known ? "; the best known is " + number_text(*puzzle.known) : "");
  return ExitCode::done;
}

}  // namespace warploom
