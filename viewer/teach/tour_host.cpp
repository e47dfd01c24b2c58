#include "viewer/teach/tour_host.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <sstream>
#include <utility>

#include "gpu/core/files.h"
#include "viewer/base/desktop.h"
#include "viewer/base/paths.h"
#include "viewer/model/scene_text.h"
#include "viewer/teach/describe.h"
#include "viewer/teach/learning.h"

namespace warploom {

namespace {

std::filesystem::path left_file() { return state_folder() / "tour.toml"; }

}  // namespace

TourHost::TourHost(ScriptStage& stage, bool offers) : stage_(stage) {
  Teaching& teaching = stage.model.teaching;
  const Learning learned = read_learning();
  if (!learned.remark.empty() && stage.model.notice.empty()) stage.model.tell(learned.remark, true);
  for (TourRow& tour : teaching.tours) tour.done = learned.done(tour.key);
  list_puzzles();
  teaching.tally = learned.tally();
  // Of the first start, whatever it opens.
  std::error_code none;
  const bool first = !std::filesystem::exists(state_folder() / "session.toml", none);
  if (first && stage.live) reduces_motion_ = std::async(std::launch::async, desktop_reduces_motion);
  if (!offers || !stage.model.notice.empty()) return;
  try {
    const auto left = toml::parse(read_file(left_file()));
    const auto file = left["tour"].value_or(std::string());
    const auto step = static_cast<std::size_t>(std::max<std::int64_t>(0, left["step"].value_or(std::int64_t{0})));
    const Tour tour = read_tour(file);
    stage.model.tell(fmt::format("The tour '{}' was left at step {} of {}", tour.title, step + 1, tour.steps.size()));
    stage.model.offer = {"Go on with it", [&model = stage.model, file, step] {
                           model.teaching.tour_wanted = file;
                           model.teaching.step_wanted = step;
                           model.tell("");
                         }};
  } catch (const std::exception&) {
    // None was left, or it is gone.
  }
  // It is offered once.
  std::filesystem::remove(left_file(), none);
}

void TourHost::open(const std::string& file, std::size_t step) {
  Tour tour = read_tour(file);
  if (tour.needs && *tour.needs != stage_.model.runner().backend())
    throw Error(fmt::format("{}: its figures hold on {} alone; warploom view --tour {} --backend {}", tour.title,
                            *tour.needs == Backend::cpu ? "the CPU" : "a CUDA device", tour.key, name(*tour.needs)));
  file_ = file;
  ended_ = false;
  stage_.live = stage_.forgiving = true;
  player_ = std::make_unique<TourPlayer>(std::move(tour), stage_, step);
}

void TourHost::predict() {
  Model& model = stage_.model;
  const auto tracks = model.scene_simulation();
  if (!tracks || model.building()) return;  // asked again in the next frame
  model.teaching.predict_wanted = false;
  const std::size_t baseline = model.baseline_of(*tracks), track = judged_track(model, *tracks);
  if (track == baseline) return model.tell("a prediction compares two tracks: add one with L", true);
  for (const std::size_t i : {track, baseline})
    if (!tracks->track(i).info().exact)
      return model.tell(full_title(tracks->track(i).info()) + " is wrong somewhere on purpose: it has no speed-up",
                        true);
  stage_.live = true;
  Question question;
  question.kind = Question::Kind::ratio;
  question.text =
      fmt::format("How many times as fast as {} is {}?", model.scene().letter(baseline), model.scene().letter(track));
  question.choices = {"threads", "memory", "the map", "no idea"};
  Strip& strip = model.teaching.strip;
  strip = {};
  strip.open = true;
  strip.title = "Predict";
  strip.step_title = full_title(tracks->track(track).info()) + " against " + full_title(tracks->track(baseline).info());
  strip.text =
      "Times and ratios are hidden until you answer. Drag to what you expect and say why; then both tracks are "
      "measured in the same steps, and you see what was found, with its interval.";
  strip.steps = 0;
  prediction_.begin(question, stage_);
}

void TourHost::keep_prediction() {
  Model& model = stage_.model;
  Teaching& teaching = model.teaching;
  switch (std::exchange(teaching.wish, TourWish::none)) {
    case TourWish::answer:
      prediction_.answer(stage_, false);
      break;
    case TourWish::skip:
      prediction_.answer(stage_, true);
      break;
    case TourWish::next:
      if (!teaching.strip.asked.answered) {
        prediction_.answer(stage_, !teaching.strip.asked.touched);
        break;
      }
      [[fallthrough]];
    case TourWish::end:
      if (teaching.strip.asked.measuring) model.playing = false;
      prediction_.end(stage_);
      teaching.strip = {};
      return;
    default:
      break;
  }
  if (teaching.strip.asked.answered)
    teaching.strip.text = teaching.strip.asked.measuring
                              ? "Both are measured now, step by step; Ctrl+Backspace gives up."
                              : "The figures are there again. Close it, or ask once more with Y.";
  if (auto answered = prediction_.go_on(stage_)) {
    answered->place = model.scene().key();
    keep(*answered);
  }
}

/// A disk that is full ends neither a tour nor the window.
void TourHost::keep(const Answered& answered) {
  Model& model = stage_.model;
  model.guarded([&] {
    keep_answer(answered, model);
    model.teaching.tally = read_learning().tally();
  });
}

void TourHost::say_in_words() {
  Model& model = stage_.model;
  Teaching& teaching = model.teaching;
  const auto tracks = model.scene_simulation();
  if (!teaching.words_open) return said_of_.clear();
  if (teaching.hides_figures()) {
    teaching.words = hidden_words;
    return said_of_.clear();
  }
  if (!tracks || model.building() || model.runner().busy() || model.runner().judging() || model.playing) return;
  const std::string of = fmt::format("{} {} {} {} {} {} {}", tracks->id(), tracks->version(), model.changes(),
                                     selection_text(model.picked, model.scene().letters()), model.view.pictures[0],
                                     model.view.pictures[1], static_cast<int>(model.view.colour_by));
  if (of == said_of_) return;
  try {
    if (asked_of_.empty()) asked_of_ = of;
    const auto* stats = stats_now(stage_, stats_);
    if (!stats) return;
    // Figures of other tracks than those of now are of no use.
    if (std::exchange(asked_of_, {}) != of || stats->at("tracks").size() != tracks->size()) {
      stats_ = {};
      return;
    }
    if (!questions_) questions_.emplace(model.runner().backend());
    teaching.words = described_words(describe(model, *stats, *questions_));
  } catch (const std::exception& error) {
    teaching.words = error.what();
  }
  stats_ = {};
  said_of_ = of;
}

void TourHost::serve() {
  Model& model = stage_.model;
  Teaching& teaching = model.teaching;
  say_in_words();
  if (const std::string file = std::exchange(teaching.hand_in_wanted, {}); !file.empty())
    model.guarded([&] { hand_in(file); });
  if (std::exchange(teaching.forget_wanted, false)) forget();
}

void TourHost::go_on(double seconds) {
  Model& model = stage_.model;
  Teaching& teaching = model.teaching;
  serve();
  if (reduces_motion_.valid() && reduces_motion_.wait_for(std::chrono::seconds(0)) == std::future_status::ready &&
      model.notice.empty() && reduces_motion_.get() && model.view.motion) {
    model.view.motion = false;
    model.tell("reduced motion, as on this desktop; the command Reduced motion ends it");
  }
  // Another scene, by its tab, leaves the page of the first start.
  if (const std::string scene = model.scene().key();
      std::exchange(scene_, scene) != scene && !scene_.empty() && seen_scene_)
    teaching.welcome = false;
  seen_scene_ = true;
  // A swap of a map is asked about first.
  if (const auto& tracks = model.scene().tracks(); tracks != tracks_) {
    const bool same_scene = std::exchange(tracks_scene_, model.scene().key()) == model.scene().key();
    const bool swapped = same_scene && tracks.size() > 1 && tracks.size() == tracks_.size();
    tracks_ = tracks;
    if (teaching.predicts && swapped && !player_ && !puzzle_) teaching.predict_wanted = true;
  }
  if (player_ || puzzle_) teaching.predict_wanted = false;
  if (teaching.predict_wanted) {
    prediction_.end(stage_);
    teaching.strip = {};
    predict();
  }
  if (prediction_.stands()) {
    if (teaching.tour_wanted.empty() && teaching.puzzle_wanted.empty()) return keep_prediction();
    prediction_.end(stage_);
    teaching.strip = {};
  }
  // One at a time: what is open ends first, so that what was there before it comes back in the end.
  if (puzzle_ && !(teaching.tour_wanted.empty() && teaching.puzzle_wanted.empty())) teaching.wish = TourWish::end;
  if (player_ && !teaching.puzzle_wanted.empty()) teaching.wish = TourWish::end;
  if (puzzle_ || (!player_ && !teaching.puzzle_wanted.empty())) return go_on_with_puzzle();
  go_on_with_tour(seconds);
}

void TourHost::go_on_with_puzzle() {
  Model& model = stage_.model;
  Teaching& teaching = model.teaching;
  try {
    if (!puzzle_) {
      stage_.live = true;
      teaching.wish = TourWish::none;
      Puzzle puzzle = read_puzzle(std::exchange(teaching.puzzle_wanted, {}));
      const PuzzleTries before = tries_[puzzle.key];
      puzzle_ = std::make_unique<PuzzlePlayer>(std::move(puzzle), stage_, before);
    }
    puzzle_->go_on();
    if (auto judged = puzzle_->judged()) {
      answers_[puzzle_->puzzle().key] = {std::move(*judged), puzzle_->map(), puzzle_->tries()};
      keep_work();
      list_puzzles();
    }
    if (!puzzle_->over()) return;
    tries_[puzzle_->puzzle().key] = puzzle_->tries();
    puzzle_.reset();
    teaching.wish = TourWish::none;
    teaching.welcome = class_.has_value();
  } catch (const std::exception& error) {
    puzzle_.reset();
    teaching.strip = {};
    model.tell(error.what(), true);
  }
}

void TourHost::forget() {
  Teaching& teaching = stage_.model.teaching;
  const bool was = forget_learning();
  for (TourRow& tour : teaching.tours) tour.done = false;
  teaching.tally.clear();
  if (!class_) tries_.clear();
  if (!class_ && puzzle_) puzzle_->forget_tries();
  list_puzzles();
  const char* const stays = class_ ? "; what is to be handed in to this class stays" : "";
  stage_.model.tell((was ? "forgotten: answers, scores and tours done" : "nothing was kept") + std::string(stays));
}

void TourHost::list_puzzles() {
  const Learning learned = read_learning();
  for (PuzzleRow& row : stage_.model.teaching.puzzles) row.best = learned.best(row.key);
}

void TourHost::offer_more(const std::string& key, const std::string& title, std::size_t at, std::size_t steps) {
  Model& model = stage_.model;
  if (!ended_) {
    model.tell(fmt::format("The tour '{}' was left at step {} of {}", title, at + 1, steps));
    model.offer = {"Go on with it", [&model, file = file_, at] {
                     model.teaching.tour_wanted = file;
                     model.teaching.step_wanted = at;
                     model.tell("");
                   }};
    return;
  }
  const auto& tours = model.teaching.tours;
  const auto next = std::ranges::find_if(std::ranges::find(tours, key, &TourRow::key), tours.end(),
                                         [&](const TourRow& tour) { return tour.key != key && !tour.done; });
  if (next == tours.end()) return model.tell(fmt::format("'{}' is done", title));
  model.tell(fmt::format("'{}' is done. The next one: {}", title, next->title));
  model.offer = {"Begin it", [&model, file = next->file] {
                   model.teaching.tour_wanted = file;
                   model.tell("");
                 }};
}

void TourHost::go_on_with_tour(double seconds) {
  Model& model = stage_.model;
  Teaching& teaching = model.teaching;
  const auto failed = [&](const std::exception& error) {
    model.guarded([&] {
      if (player_) player_->give_up();
    });
    player_.reset();
    teaching.strip = {};
    teaching.marks.clear();
    model.tell(error.what(), true);
  };
  // The one that is open ends first, so that what was there before it comes back in the end.
  if (!teaching.tour_wanted.empty() && player_) teaching.wish = TourWish::end;
  try {
    if (!teaching.tour_wanted.empty() && !player_)
      open(std::exchange(teaching.tour_wanted, {}), std::exchange(teaching.step_wanted, 0));
    if (!player_) return;
    const bool last = player_->at() + 1 == player_->tour().steps.size() && player_->rests();
    if (last && !player_->waits()) ended_ = true;
    player_->go_on(seconds);
    if (auto answered = player_->answered()) {
      keep(*answered);
      predictions_.push_back({{"tour", player_->tour().key},
                              {"step", player_->at() + 1},
                              {"question", answered->question},
                              {"given", answered->given},
                              {"truth", answered->truth},
                              {"verdict", answered->skipped ? "skipped" : answered->found}});
      keep_work();
    }
    if (!player_->over()) return;
    if (ended_) {
      tours_done_.push_back(player_->tour().key);
      keep_work();
      model.guarded([&] { keep_done(player_->tour().key); });
      for (TourRow& tour : teaching.tours)
        if (tour.key == player_->tour().key) tour.done = true;
    }
    const std::string key = player_->tour().key, title = player_->tour().title;
    const std::size_t at = player_->at(), steps = player_->tour().steps.size();
    player_.reset();
    teaching.wish = TourWish::none;
    teaching.welcome = class_.has_value();
    if (teaching.tour_wanted.empty() && teaching.puzzle_wanted.empty()) offer_more(key, title, at, steps);
    if (std::error_code none; ended_)
      std::filesystem::remove(left_file(), none);
    else
      keep_place(at);
  } catch (const std::exception& error) {
    failed(error);
  }
}

void TourHost::keep() const {
  if (player_) keep_place(player_->at());
}

void TourHost::keep_place(std::size_t step) const {
  try {
    std::ostringstream text;
    text << toml::table{{"tour", std::filesystem::absolute(file_).string()}, {"step", static_cast<std::int64_t>(step)}}
         << "\n";
    make_folder(state_folder());
    write_atomically(left_file(), text.str());
  } catch (const std::exception&) {
    // A comfort, no more.
  }
}

}  // namespace warploom
