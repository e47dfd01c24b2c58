#include "viewer/teach/asking.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "gpu/core/format.h"
#include "gpu/core/statistics.h"
#include "viewer/model/figures.h"
#include "viewer/model/scene_text.h"

namespace warploom {

namespace {

using Json = nlohmann::ordered_json;

std::string picked_text(Model& model) { return selection_text(model.picked, model.scene().letters()); }

/// The median of a third of the samples, 0 the first, 2 the last.
double third(const std::vector<double>& samples, std::size_t which) {
  const std::size_t size = samples.size() / 3;
  if (size == 0) return 0;
  const auto begin = which == 0 ? samples.begin() : samples.end() - static_cast<std::ptrdiff_t>(size);
  return summarize(std::vector<double>(begin, begin + static_cast<std::ptrdiff_t>(size))).median;
}

}  // namespace

std::size_t judged_track(const Model& model, const Simulation& tracks) {
  const std::size_t baseline = model.baseline_of(tracks);
  if (model.active_track < tracks.size() && model.active_track != baseline) return model.active_track;
  return baseline == 0 && tracks.size() > 1 ? 1 : 0;
}

void Asking::begin(const Question& question, ScriptStage& stage) {
  question_ = question;
  stats_ = {};
  told_ = skipped_ = false;
  picked_ = picked_text(stage.model);
  Strip& strip = stage.model.teaching.strip;
  strip.asked = {};
  AskedQuestion& asked = strip.asked;
  asked.kind = static_cast<AskedQuestion::Kind>(question.kind);
  asked.question = question.text;
  asked.unit = question.unit;
  asked.logarithmic = question.logarithmic || question.kind == Question::Kind::ratio;
  asked.low = question.kind == Question::Kind::ratio ? 1. / 64 : question.low;
  asked.high = question.kind == Question::Kind::ratio ? 64 : question.high;
  asked.choices = question.choices;
  asked.given = asked.logarithmic ? std::sqrt(asked.low * asked.high) : (asked.low + asked.high) / 2;
  if (question.kind == Question::Kind::number && asked.high - asked.low > 5) asked.given = std::round(asked.given);
  strip.asks = true;
  stage.model.teaching.cancelled = false;
  tracks_ = stage.model.scene().tracks();
  if (const auto tracks = stage.model.runner().simulation()) {
    baseline_ = stage.model.baseline_of(*tracks);
    track_ = judged_track(stage.model, *tracks);
  }
}

void Asking::end(ScriptStage& stage) {
  question_.reset();
  stage.model.teaching.strip.asks = false;
}

void Asking::answer(ScriptStage& stage, bool skipped) {
  AskedQuestion& asked = stage.model.teaching.strip.asked;
  if (!question_ || asked.answered) return;
  // A choice has to be made first, and a place picked.
  if (!skipped && question_->kind == Question::Kind::choice && asked.chosen < 0) return;
  if (!skipped && question_->kind == Question::Kind::place && !asked.touched) return;
  asked.answered = true;
  asked.skipped = skipped_ = skipped;
}

std::string Asking::shown(Model& model, const Json& truth) const {
  if (!truth.is_string()) return truth.dump();
  auto text = truth.get<std::string>();
  if (question_->kind != Question::Kind::place) return text;
  const std::string letters = model.scene().letters();
  return selection_words(parse_selection(text, letters), letters);
}

std::optional<Answered> Asking::found(ScriptStage& stage, const Found& what, Json given, Json truth) {
  AskedQuestion& asked = stage.model.teaching.strip.asked;
  told_ = true;
  asked.measuring = false;
  asked.verdict =
      skipped_ ? "Skipped. " + (question_->kind == Question::Kind::choice ? "Right is \"" + question_->answer + "\"."
                                : truth.is_null()                         ? std::string()
                                                                          : "It is " + shown(stage.model, truth) + ".")
               : what.words;
  asked.said = question_->said;
  const char* const kinds[] = {"exact", "close", "off", "none"};
  const bool reasoned = question_->kind == Question::Kind::ratio && asked.chosen >= 0 && !skipped_;
  return Answered{"",
                  name(question_->kind),
                  question_->text,
                  skipped_ ? Json() : std::move(given),
                  std::move(truth),
                  reasoned ? asked.choices[static_cast<std::size_t>(asked.chosen)] : std::string(),
                  skipped_,
                  skipped_ ? "none" : kinds[static_cast<int>(what.kind)]};
}

std::optional<Answered> Asking::judge_ratio_now(ScriptStage& stage) {
  Model& model = stage.model;
  AskedQuestion& asked = model.teaching.strip.asked;
  const auto tracks = model.runner().simulation();
  if (!tracks || model.building() || model.runner().judging()) return std::nullopt;
  const auto cannot = [&](const std::string& why) {
    if (asked.measuring) model.playing = false;
    return found(stage, {Found::Kind::none, why}, asked.given, nullptr);
  };
  if (model.scene().tracks() != tracks_ || track_ >= tracks->size() || baseline_ >= tracks->size())
    return cannot("The tracks are others now: this cannot be told.");
  if (asked.measuring && std::exchange(model.teaching.cancelled, false)) return cannot("Measuring was given up.");
  const std::size_t baseline = baseline_, track = track_;
  if (track == baseline) return cannot("There is one track: nothing is compared.");
  for (const std::size_t i : {baseline, track})
    if (!tracks->track(i).info().exact)
      return cannot(fmt::format("{} is wrong somewhere on purpose: it has no speed-up.", model.scene().letter(i)));
  const auto status = tracks->status();
  const auto broken = std::ranges::find_if(status, [](const TrackStatus& one) { return *one.broken || !one.agrees; });
  if (broken != status.end()) {
    const auto at = static_cast<std::size_t>(broken - status.begin());
    return cannot(fmt::format("No reveal: the seal of {} is broken, so its time is none.", model.scene().letter(at)));
  }
  const auto ratio = tracks->ratio_to_baseline(track, baseline);
  MeasuredRatio measured;
  if (ratio) {
    measured = {ratio->median, ratio->low, ratio->high, ratio->pairs};
    const auto mine = tracks->timings().samples(tracks->track(track).kernel(), static_cast<int>(track)),
               base = tracks->timings().samples(tracks->track(baseline).kernel(), static_cast<int>(baseline));
    for (const std::size_t which : {0, 2})
      if (third(mine, which) > 0) (which ? measured.last : measured.first) = third(base, which) / third(mine, which);
  }
  const Found what = judge_ratio(asked.given, measured, model.scene().letter(track));
  if (measured.pairs < least_pairs) {
    // It goes on measuring.
    asked.measuring = true;
    asked.verdict = what.words;
    model.playing = true;
    return std::nullopt;
  }
  if (asked.measuring) model.playing = false;
  asked.measured = {measured.low, measured.median, measured.high};
  const Json truth = ratio ? Json{{"median", measured.median},
                                  {"low", measured.low},
                                  {"high", measured.high},
                                  {"samples", measured.pairs}}
                           : Json();
  auto kept = found(stage, what, asked.given, truth);
  const auto mine = tracks->timings().samples(tracks->track(track).kernel(), static_cast<int>(track)),
             base = tracks->timings().samples(tracks->track(baseline).kernel(), static_cast<int>(baseline));
  constexpr std::size_t most_shown = 200;
  for (std::size_t i = 0; i < std::min({mine.size(), base.size(), most_shown}); ++i)
    if (mine[mine.size() - 1 - i] > 0) asked.spread.push_back(base[base.size() - 1 - i] / mine[mine.size() - 1 - i]);
  if (skipped_)
    asked.verdict = fmt::format("Skipped. {} was {:.2f} [{:.2f}, {:.2f}] times as fast.", model.scene().letter(track),
                                measured.median, measured.low, measured.high);
  else if (asked.chosen >= 0)
    asked.verdict += " Your reason: " + asked.choices[static_cast<std::size_t>(asked.chosen)] + ".";
  if (const auto badges = machine_badges(model); !badges.empty()) asked.verdict += " (" + join(badges) + ")";
  return kept;
}

std::optional<Answered> Asking::go_on(ScriptStage& stage) {
  if (!question_ || told_) return std::nullopt;
  Model& model = stage.model;
  AskedQuestion& asked = model.teaching.strip.asked;
  // A click is the answer; arrow keys go on to the place that is meant, and Enter takes it.
  const bool by_keys = std::exchange(model.teaching.picked_by_keys, false);
  if (question_->kind == Question::Kind::place && !asked.answered)
    if (const std::string now = picked_text(model); !now.empty() && now != picked_) {
      picked_ = now;
      asked.touched = true;
      if (!by_keys) answer(stage, false);
    }
  if (!asked.answered) return std::nullopt;
  switch (question_->kind) {
    case Question::Kind::ratio:
      return judge_ratio_now(stage);
    case Question::Kind::choice: {
      const std::string chosen = asked.chosen >= 0 ? asked.choices[static_cast<std::size_t>(asked.chosen)] : "";
      const bool right = chosen == question_->answer;
      return found(stage,
                   {right ? Found::Kind::exact : Found::Kind::off,
                    right ? "Right." : "You chose \"" + chosen + "\". Right is \"" + question_->answer + "\"."},
                   chosen, question_->answer);
    }
    case Question::Kind::place: {
      const std::string given = picked_text(model);
      const bool right = given == question_->answer;
      // It is shown, too, until the mouse moves.
      const Selection answer = parse_selection(question_->answer, model.scene().letters());
      if (!right) model.teaching.hover = answer;
      return found(stage,
                   {right ? Found::Kind::exact : Found::Kind::off,
                    right ? "Right." : "It is " + selection_words(answer, model.scene().letters()) + "."},
                   given, question_->answer);
    }
    case Question::Kind::number: {
      const auto* answer = ask_now(stage, *question_->counted, stats_, kept_);
      if (!answer) return std::nullopt;
      stats_ = {};
      if (!answer->left.is_number())
        return found(stage, {Found::Kind::none, "It cannot be told now: " + answer->why}, asked.given, nullptr);
      return found(stage, judge_number(*question_, asked.given, answer->left.get<double>()), asked.given, answer->left);
    }
  }
  return std::nullopt;
}

}  // namespace warploom
