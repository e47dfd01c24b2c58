#include "viewer/teach/puzzle_player.h"

#include <fmt/format.h>

#include <algorithm>
#include <regex>

#include "gpu/core/error.h"
#include "gpu/core/format.h"
#include "viewer/teach/classroom.h"
#include "viewer/teach/learning.h"
#include "viewer/teach/scene_answer.h"

namespace warploom {

namespace {

/// An expression over stats as the window says things: "B: write wavefronts - write ideal = 0".
std::string goal_words(const std::string& goal) {
  static const std::regex path(R"((?:tracks\.([A-D])\.|parameters\.|results\.)([a-z_.*0-9]+))"),
      groups(R"((?:^|\.)(?:network|numbers|by_stage|warps|\*|[0-9]+)(?=\.))");
  std::string words, letters;
  std::size_t from = 0;
  for (std::sregex_iterator at(goal.begin(), goal.end(), path), end; at != end; ++at) {
    std::string name = std::regex_replace((*at)[2].str(), groups, "");
    name.erase(0, name.find_first_not_of('.'));
    std::ranges::replace_if(
        name, [](char c) { return c == '.' || c == '_'; }, ' ');
    const std::string letter = (*at)[1].str();
    const bool told = !letter.empty() && letters.find(letter) != std::string::npos;
    words += goal.substr(from, static_cast<std::size_t>(at->position()) - from);
    if (!letter.empty() && !told) words.append(letter).append(": ");
    words += name;
    letters += letter;
    from = static_cast<std::size_t>(at->position() + at->length());
  }
  return words + goal.substr(from);
}

}  // namespace

/// A goal as the window says things; of one that was missed what is there follows, ": it is 5".
std::string PuzzlePlayer::in_words(const std::string& goal) const {
  // Of a further case of the puzzle its values stand before.
  if (const auto begin = goal.find(": tracks."); goal.starts_with("with ") && begin != goal.npos)
    return goal.substr(0, begin + 2) + in_words(goal.substr(begin + 2));
  const bool missed = goal.find(": it is ") != std::string::npos;
  if (goal.starts_with("tracks.B.agrees = true")) return missed ? "B does not agree with A" : "B agrees with A";
  if (goal.starts_with("tracks.B.agrees = false"))
    return missed ? "B agrees with A, and must not" : "B does not agree with A";
  return goal.starts_with("score ") ? puzzle_.unit + goal.substr(5) : goal_words(goal);
}

PuzzlePlayer::PuzzlePlayer(Puzzle puzzle, ScriptStage& stage, const PuzzleTries& before)
    : puzzle_(std::move(puzzle)), stage_(stage), spent_(before) {
  spent_.hints = std::min(spent_.hints, puzzle_.hints.size());
}

PuzzleTries PuzzlePlayer::tries() const {
  PuzzleTries all = spent_;
  all.seconds += milliseconds_since(opened_) / 1000;
  return all;
}

void PuzzlePlayer::forget_tries() {
  spent_ = {};
  opened_ = std::chrono::steady_clock::now();
}

PuzzlePlayer::~PuzzlePlayer() {
  if (judge_) judge_->cancel();  // its future waits
}

void PuzzlePlayer::fill_strip() {
  Strip& strip = stage_.model.teaching.strip;
  strip.open = true;
  strip.puzzle = true;
  strip.title = "Puzzle";
  strip.step_title = puzzle_.title;
  strip.text = puzzle_.task;
  // The strip has room for the last hint alone.
  if (spent_.hints < 2) strip.text += " You may change: " + join(free_) + ".";
  if (spent_.hints > 0) strip.text += fmt::format("\n\nHint {}: {}", spent_.hints, puzzle_.hints[spent_.hints - 1]);
  strip.hints_left = puzzle_.hints.size() - spent_.hints;
  strip.busy = judge_ != nullptr;
  strip.done = is_solved_;
  std::string goals;
  for (const LineCheck& goal : puzzle_.goals) goals += (goals.empty() ? "Goals: " : "; ") + in_words(goal.asked.text());
  strip.result = judge_            ? "Judging, on the CPU engine: every case of the puzzle."
                 : result_.empty() ? goals + "."
                                   : result_;
}

void PuzzlePlayer::check() {
  Model& model = stage_.model;
  if (judge_ || model.building()) return;
  ++spent_.attempts;
  note_.clear();
  model.teaching.cancelled = false;  // of something before
  try {
    const Settings answer = answer_of(model.scene(), puzzle_, false);
    try {
      (void)answer_of(model.scene(), puzzle_, true);
    } catch (const UsageError& error) {
      note_ = std::string(error.what()) + "; that counts.";
    }
    map_ = own_map_of(answer);
    judge_ = std::make_unique<PuzzleJudge>(puzzle_, answer, spent_.hints);
    if (stage_.live)
      judging_ = std::async(std::launch::async, [judge = judge_.get()] { return judge->judge(); });
    else
      judging_ = std::async(std::launch::deferred, [judge = judge_.get()] { return judge->judge(); });
  } catch (const Error& error) {
    judge_.reset();
    result_ = error.what();
    is_solved_ = false;
    judged_at_ = model.changes();
  }
}

/// What the judge found.
void PuzzlePlayer::hear() {
  if (!judge_) return;
  if (stage_.model.teaching.cancelled) judge_->cancel();
  stage_.model.teaching.cancelled = false;
  if (stage_.live && judging_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return;
  try {
    const Judged judged = judging_.get();
    is_solved_ = judged.solved;
    const std::string score = judged.score ? number_text(*judged.score) + " " + puzzle_.unit : "no score";
    judged_ = judged.report;
    if (judged.solved) {
      stage_.model.guarded([&] { keep_solved(judged.report, puzzle_.most); });
      best_ = read_learning().best(puzzle_.key);
      result_ = fmt::format("Solved: {}. Your best: {}.", score, best_);
      if (puzzle_.known) result_ += fmt::format(" The best known: {}.", number_text(*puzzle_.known));
    } else {
      // Of a score that misses its goal the figure is told once.
      result_ = judged.missing.starts_with("score ")
                    ? fmt::format("Not yet: {}.", in_words(judged.missing))
                    : fmt::format("Not yet, with {}. {}.", score, in_words(judged.missing));
    }
    if (!note_.empty()) result_ += " " + note_;
  } catch (const Cancelled&) {
    result_ = "Judging was cancelled.";
  } catch (const std::exception& error) {
    result_ = error.what();
  }
  judge_.reset();
  judged_at_ = stage_.model.changes();
}

void PuzzlePlayer::take(TourWish wish) {
  Model& model = stage_.model;
  switch (wish) {
    case TourWish::next:
    case TourWish::check:
      return check();
    case TourWish::hint:
      if (spent_.hints < puzzle_.hints.size()) ++spent_.hints;
      return;
    case TourWish::again: {
      const auto before = model.before();
      select_scene(model, puzzle_.scene);
      model.replace_scene(puzzle_scene(puzzle_));
      model.remember(before);
      model.start(0);
    }
      result_.clear();
      is_solved_ = false;
      return;
    case TourWish::end:
      if (judge_) judge_->cancel();
      if (stage_.live && judging_.valid()) judging_.wait();
      judging_ = {};
      judge_.reset();
      interlude_.end(model);
      ends_ = true;
      return;
    default:
      return;
  }
}

void PuzzlePlayer::go_on() {
  Model& model = stage_.model;
  if (!begun_) {
    begun_ = true;
    best_ = read_learning().best(puzzle_.key);
    interlude_.begin(model, puzzle_.scene, puzzle_.folder, [this] {
      auto scene = puzzle_scene(puzzle_);
      for (const Parameter& parameter : scene->parameters())
        if (std::ranges::count(puzzle_.free, parameter.key))
          free_.push_back(parameter.key == "tracks" ? "the map of B" : parameter.title);
      return scene;
    });
    return;
  }
  if (ends_) {
    over_ = !model.building() && !model.reading();
    return;
  }
  if (model.reading()) return;
  // The answer is what the menus change.
  if (!std::exchange(answers_, true)) model.active_track = model.scene().tracks().size() - 1;
  hear();
  if (!judge_ && !result_.empty() && model.changes() != judged_at_) {
    result_.clear();
    is_solved_ = false;
  }
  take(std::exchange(model.teaching.wish, TourWish::none));
  if (!ends_) fill_strip();
}

}  // namespace warploom
