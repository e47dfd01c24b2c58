#include "viewer/teach/tour_player.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "gpu/core/error.h"
#include "gpu/core/format.h"
#include "viewer/model/scene_text.h"

namespace warploom {

namespace {

/// Parameters and step: what the words of a step are true of.
std::string base_of(Model& model) {
  std::string text = model.scene().key();
  for (const Value& value : model.values()) text += "\n" + to_text(value);
  const auto simulation = model.runner().simulation();
  return text + fmt::format("\n{}", simulation ? simulation->steps() : 0);
}

}  // namespace

TourPlayer::TourPlayer(Tour tour, ScriptStage& stage, std::size_t first)
    : tour_(std::move(tour)), stage_(stage), first_(std::min(first, tour_.steps.size() - 1)), live_(stage.live) {
  entries_.resize(tour_.steps.size());
  stage_.folder = tour_.folder;
  stage_.ui.recording = true;
}

bool TourPlayer::settled() const { return !stage_.model.building() && !stage_.model.reading(); }

void TourPlayer::begin() {
  interlude_.begin(stage_.model, tour_.scene, tour_.folder);
  phase_ = Phase::begun;
}

void TourPlayer::enter(std::size_t step) {
  Model& model = stage_.model;
  at_ = step;
  model.teaching.strip.will_ask = this->step().question.has_value();
  phase_ = Phase::entering;
  model.playing = model.launching = false;
  model.view.launched = 1;  // each step begins with whole launches, whatever was looked at before
  model.tell("");           // of the step before
  model.teaching.marks.clear();
  model.teaching.said.clear();
  model.teaching.hover = {};
  asking_.end(stage_);
  with_edited_state(
      model, [this, step](const EditedState& edited) { entries_[step] = scene_text(stage_.model, {}, &edited); });
}

void TourPlayer::run(const Script& script, Phase phase) {
  stage_.model.teaching.cancelled = false;  // of something before
  if (at_ < first_) stage_.live = false;
  player_.emplace(script);
  phase_ = phase;
  if (phase == Phase::runs) stage_.model.teaching.strip.will_ask = step().question.has_value();
}

void TourPlayer::bring_back(std::size_t step, Phase then) {
  Model& model = stage_.model;
  model.playing = false;
  stage_.hand.drop();
  model.teaching.marks.clear();
  model.teaching.said.clear();
  asking_.end(stage_);
  at_ = step;
  model.teaching.strip.will_ask = then == Phase::runs && this->step().question.has_value();
  model.launching = false;
  take_text(model, entries_[step], tour_.folder);
  phase_ = Phase::returning;
  after_ = then;
}

void TourPlayer::go_next() {
  advances_ = false;
  if (at_ + 1 == tour_.steps.size()) return end();
  enter(at_ + 1);
}

void TourPlayer::end() {
  stage_.live = live_;
  stage_.hand.drop();
  interlude_.end(stage_.model);
  phase_ = Phase::ends;
}

void TourPlayer::give_up() {
  if (phase_ == Phase::begins || phase_ == Phase::begun || phase_ == Phase::ends || phase_ == Phase::over) return;
  stage_.live = live_;
  end();
}

/// What the strip says now.
void TourPlayer::fill_strip() {
  Strip& strip = stage_.model.teaching.strip;
  if (phase_ == Phase::over || phase_ == Phase::ends) return;
  strip.open = true;
  strip.title = tour_.title;
  strip.step_title = step().title;
  strip.text = step().text;
  strip.step = at_;
  strip.steps = tour_.steps.size();
  strip.busy = phase_ != Phase::rests;
  strip.waits = step().until && !holds_ && phase_ == Phase::rests;
  strip.done = step().until && holds_ && phase_ == Phase::rests;
}

/// Whatever brought it about: mouse, keys, menus.
void TourPlayer::look_at_until() {
  if (!step().until) return;
  const Expression& asked = step().until->asked;
  const auto simulation = stage_.model.runner().simulation();
  const std::pair<std::uint64_t, std::uint64_t> now{
      stage_.model.changes(),
      simulation && simulation->size() ? simulation->id() * 1000003 + simulation->track(0).version() : 0};
  // Figures are asked for again where something ran; what the window shows costs nothing to ask.
  if (asked.needs_stats() && (now == looked_at_ || stage_.model.runner().busy())) return;
  if (!until_stats_.started()) asked_at_ = {at_, now};
  const Expression::Answer* answer = ask_now(stage_, asked, until_stats_, kept_);
  if (!answer) return;
  until_stats_ = {};
  // Figures of another step, or of what was there before, are of no use.
  if (asked.needs_stats() && asked_at_ != std::pair{at_, now}) return;
  looked_at_ = now;
  holds_ = answer->holds;
}

void TourPlayer::take(TourWish wish) {
  const bool unanswered = asking_.stands() && !stage_.model.teaching.strip.asked.answered;
  switch (wish) {
    case TourWish::none:
    case TourWish::check:
    case TourWish::hint:
      return;
    case TourWish::end:
      return end();
    case TourWish::again:
      return bring_back(at_, Phase::runs);
    case TourWish::back:
      return bring_back(at_ > 0 ? at_ - 1 : 0, Phase::runs);
    case TourWish::answer:
      return asking_.answer(stage_, false);
    case TourWish::skip:
      return asking_.answer(stage_, true);
    case TourWish::look:
      if (asking_.stands() && !unanswered && !step().look.lines.empty()) run(step().look, Phase::brings_about);
      return;
    case TourWish::next:
      if (unanswered) return asking_.answer(stage_, !stage_.model.teaching.strip.asked.touched);
      if (step().until && !holds_) {
        // In another scene, or with other values, what is to be shown would not be there.
        if (base_of(stage_.model) == base_) return run(step().then, Phase::brings_about);
        shows_ = true;
        return bring_back(at_, Phase::runs);
      }
      // The next step is true of what this one left, not of what was tried meanwhile.
      advances_ = true;
      if (base_of(stage_.model) != base_) return bring_back(at_, Phase::runs);
      return go_next();
  }
}

/// The lines have run: the step waits for the learner, or goes on where that was asked for.
void TourPlayer::come_to_rest() {
  player_.reset();
  stage_.model.teaching.strip.will_ask = false;  // it asks from here on, in this very frame
  stage_.live = live_;
  if (at_ < first_) advances_ = true;
  if (std::exchange(shows_, false) && step().until && !step().then.lines.empty())
    return run(step().then, Phase::brings_about);
  if (advances_ && phase_ == Phase::runs && step().until && !step().then.lines.empty())
    return run(step().then, Phase::brings_about);
  if (advances_) return go_next();
  if (phase_ == Phase::runs && step().question) {
    asking_.begin(*step().question, stage_);
    stage_.model.teaching.strip.asked.looks = !step().look.lines.empty();
  }
  base_ = base_of(stage_.model);
  phase_ = Phase::rests;
}

void TourPlayer::run_lines(double seconds) {
  // However they end.
  struct Notes {
    Model& model;
    WindowSettings was = model.view;
    ~Notes() {
      const auto note = [](auto& first, const auto& then, const auto& now) {
        if (!first && then != now) first = then;
      };
      auto& before = model.teaching.before_lines;
      note(before.theme, was.theme, model.view.theme);
      note(before.motion, was.motion, model.view.motion);
      note(before.presentation, was.presentation, model.view.presentation);
    }
  } const notes{stage_.model};
  player_->go_on(stage_, seconds);
}

void TourPlayer::advance(double seconds) {
  Model& model = stage_.model;
  switch (phase_) {
    case Phase::begins:
      return begin();
    case Phase::begun:
      if (settled()) enter(at_);
      return;
    case Phase::entering:
    case Phase::returning:
      if (!settled()) return;
      holds_ = false;
      looked_at_ = {~0ull, 0};
      if (phase_ == Phase::entering) mended_ = false;
      return run(step().script, phase_ == Phase::entering ? Phase::runs : after_);
    case Phase::runs:
    case Phase::brings_about:
      run_lines(seconds);
      if (player_->done() && settled() && !model.runner().busy() && stage_.hand.idle()) come_to_rest();
      return;
    case Phase::rests:
      look_at_until();
      if (auto kept = asking_.go_on(stage_)) {
        kept->place = fmt::format("{}, step {}", tour_.key, at_ + 1);
        answered_ = std::move(kept);
      }
      if (pending_ == TourWish::none) return;
      stage_.live = live_;
      return take(std::exchange(pending_, TourWish::none));
    case Phase::ends:
      if (settled()) phase_ = Phase::over;
      return;
    case Phase::over:
      return;
  }
}

void TourPlayer::go_on(double seconds) {
  Model& model = stage_.model;
  if (const TourWish wish = std::exchange(model.teaching.wish, TourWish::none); wish != TourWish::none) {
    pending_ = wish;
    stage_.live = false;  // a glide under way is ended first
  }
  const bool ending = phase_ == Phase::ends || phase_ == Phase::over;
  try {
    // Esc does not wait for what the lines wait for.
    if (pending_ == TourWish::end && !ending && phase_ != Phase::begins && settled()) {
      pending_ = TourWish::none;
      player_.reset();
      end();
    }
    // What follows at once is done at once: a frame is composed only where something has to wait for one.
    for (int i = 0; i < 16; ++i) {
      const Phase phase = phase_;
      const std::size_t step = at_;
      advance(seconds);
      seconds = 0;
      if (phase == phase_ && step == at_) break;
    }
  } catch (const Error& error) {
    stage_.live = live_;
    player_.reset();
    if (std::string(error.what()).ends_with("the script was cancelled")) {
      // The step rests as far as it came; Again begins it anew.
      phase_ = Phase::rests;
      base_.clear();
      return fill_strip();
    }
    // The learner may have changed what the lines take for granted: once, the step begins as it was.
    if (mended_ || !live_ || phase_ == Phase::begins || phase_ == Phase::begun || entries_[at_].empty()) throw;
    mended_ = true;
    advances_ = false;
    bring_back(at_, Phase::runs);
  }
  fill_strip();
}

}  // namespace warploom
