#include "viewer/teach/check_tour.h"

#include <fmt/format.h>

#include "gpu/core/error.h"
#include "gpu/core/files.h"
#include "gpu/core/format.h"
#include "viewer/model/scene_text.h"
#include "viewer/teach/bare_window.h"
#include "viewer/teach/tour_player.h"

namespace warploom {

namespace {

using Json = nlohmann::ordered_json;
constexpr float usual = 1 / 60.f;

/// One way through a tour, by a model of its own.
class Walkthrough {
 public:
  Walkthrough(const Tour& tour, Backend backend, ImVec2 size, const std::string& theme,
              const std::function<bool()>& stopped)
      : tour_(tour), stopped_(stopped), model_(backend, true), questions_(backend) {
    model_.machine.headless = true;
    model_.view.theme = theme;
    window_.emplace(model_, size);
    window_->questions = &questions_;
    where_ = fmt::format("{} x {}, {}", size.x, size.y, theme);
  }

  /// `back`: from each step to the one before and on again, too. Throws what is wrong.
  void go(bool back) {
    Hand hand(model_, window_->ui);
    ScriptStage stage{model_, window_->ui, window_->state, hand, tour_.folder};
    TourPlayer player(tour_, stage);
    for (std::size_t i = 0; i < tour_.steps.size(); ++i) {
      step_ = &tour_.steps[i];
      number_ = i + 1;
      steps_.push_back({{"step", number_},
                        {"title", step_->title},
                        {"passed", false},
                        {"marks", Json::array()},
                        {"until", nullptr},
                        {"checks", Json::array()},
                        {"ask", nullptr}});
      rest(player);
      if (player.at() != i) throw fail(step_->line, "the tour did not come here");
      look(player, stage, steps_.back());
      if (i + 1 == tour_.steps.size()) break;
      leave(player, i);
      if (!back) continue;
      const std::string entry = player.entry();
      model_.teaching.wish = TourWish::back;
      rest(player);
      leave(player, i);
      if (player.entry() != entry)
        throw fail(step_->line, "Back and Next come to another scene: " + first_difference(entry, player.entry()));
    }
    model_.teaching.wish = TourWish::end;
    for (int i = 0; i < 600 && !player.over(); ++i) frame(player);
  }
  /// What was found of each step so far, that in which something is wrong included.
  const Json& steps() const { return steps_; }

 private:
  Error fail(std::size_t line, const std::string& what) const {
    return Error(fmt::format("{}step {} \"{}\": {}", at_line(tour_.origin, line), number_, step_->title, what),
                 ExitCode::verification);
  }
  static std::string first_difference(const std::string& a, const std::string& b) {
    const auto lines_a = script_lines(a, ""), lines_b = script_lines(b, "");
    for (std::size_t i = 0; i < std::max(lines_a.size(), lines_b.size()); ++i) {
      const std::string one = i < lines_a.size() ? lines_a[i] : "", other = i < lines_b.size() ? lines_b[i] : "";
      if (one != other) return fmt::format("'{}' became '{}'", one, other);
    }
    return "";
  }
  void frame(TourPlayer& player) {
    if (stopped_()) throw Cancelled();
    player.go_on(usual);
    window_->frame(usual);
  }
  /// Until the step waits for the learner.
  void rest(TourPlayer& player) {
    constexpr int most = 60 * 60 * 2;  // frames
    for (int i = 0; i < most; ++i) {
      frame(player);
      if (player.rests()) {
        // What the window shows is of two frames later.
        for (int j = 0; j < 3; ++j) frame(player);
        return;
      }
    }
    throw fail(step_->line, "its lines do not come to an end");
  }
  /// On to the next step: a question is skipped first, and what the learner should do is done.
  void leave(TourPlayer& player, std::size_t from) {
    for (int i = 0; i < 4 && player.at() == from; ++i) {
      model_.teaching.wish = TourWish::next;
      rest(player);
      if (player.at() == from && window_->state.strip_cut)
        throw fail(step_->line, "what it says in the end has no room at " + where_);
      if (i == 0 && player.at() == from && !step_->look.lines.empty()) {
        model_.teaching.wish = TourWish::look;
        rest(player);
      }
    }
  }

  Expression::Answer ask(ScriptStage& stage, const Expression& expression) {
    StatsNow stats;
    Expression::Answer kept;
    (void)ask_now(stage, expression, stats, kept);
    return kept;
  }

  /// What holds of the step that rests.
  void look(TourPlayer& player, ScriptStage& stage, Json& told) {
    const TourStep& step = *step_;
    const auto& window = *window_;
    if (window.state.strip_cut) throw fail(step.line, "its words have no room at " + where_);
    for (const Marked& mark : model_.teaching.marks) {
      if (mark.path.empty()) {
        const std::string place = selection_text(mark.place, model_.scene().letters());
        if (!std::ranges::count(window.state.places_in_view, mark.place))
          throw fail(step.line, fmt::format("mark {}: it is out of sight at {}", place, where_));
        told["marks"].push_back(place);
        continue;
      }
      const ui::WidgetRecord widget = window.ui.find_whole(mark.path);
      if (widget.path.empty() || !widget.visible)
        throw fail(step.line, fmt::format("mark {}: it is out of sight at {}", mark.path, where_));
      const ImVec2 size = window.size();
      const ui::Rectangle& strip = window.state.strip_area;
      const bool outside =
          widget.min.x < -1 || widget.min.y < -1 || widget.max.x > size.x + 1 || widget.max.y > size.y + 1;
      if (outside) throw fail(step.line, fmt::format("mark {}: it is outside the window at {}", mark.path, where_));
      if (!strip.empty() && widget.max.y > strip.min.y + 1 && widget.min.y < strip.max.y)
        throw fail(step.line, fmt::format("mark {}: it is under the strip at {}", mark.path, where_));
      told["marks"].push_back(mark.path);
    }
    if (step.until) {
      const bool before = ask(stage, step.until->asked).holds;
      if (before && !step.glides)
        throw fail(step.until->line,
                   fmt::format("until {}: it holds before anything was done", step.until->asked.text()));
      for (int i = 0; i < 2 && !before && !player.holds(); ++i) {  // Show me, after a question was skipped
        model_.teaching.wish = TourWish::next;
        rest(player);
      }
      const auto after = ask(stage, step.until->asked);
      if (!after.holds) throw fail(step.until->line, "then does not bring it about: until " + after.why);
      told["until"] = {{"line", step.until->line}, {"text", step.until->asked.text()}, {"holds", true}};
      if (window.state.strip_cut) throw fail(step.line, "its words have no room at " + where_);
    }
    for (const LineCheck& check : step.checks) {
      const auto answer = ask(stage, check.asked);
      told["checks"].push_back({{"line", check.line},
                                {"text", check.asked.text()},
                                {"left", answer.left},
                                {"right", answer.right},
                                {"holds", answer.holds}});
      if (!answer.holds) throw fail(check.line, answer.why);
    }
    told["ask"] = ask_json(stage);
    told["passed"] = true;
  }

  Json ask_json(ScriptStage& stage) {
    if (!step_->question) return nullptr;
    const Question& question = *step_->question;
    Json answer = question.kind == Question::Kind::ratio ? Json() : Json(question.answer);
    if (question.counted) {
      const auto truth = ask(stage, *question.counted);
      if (!truth.left.is_number()) throw fail(question.line, "answer " + truth.why);
      const double value = truth.left.get<double>();
      if (value < question.low || value > question.high)
        throw fail(question.line,
                   fmt::format("the answer {:g} lies outside {:g} to {:g}", value, question.low, question.high));
      answer = truth.left;
    }
    if (question.kind == Question::Kind::place) {
      const Selection place = parse_selection(question.answer, model_.scene().letters());
      bool shown = false;
      const auto simulation = model_.scene_simulation();
      for (std::size_t i = 0; simulation && i < simulation->size(); ++i)
        for (const Picture* picture : simulation->track(i).pictures())
          shown = shown || !picture->marks(model_.selected_in(i, place)).empty();
      if (!shown) throw fail(question.line, "answer " + question.answer + ": no picture shows it");
    }
    return {{"question", question.text}, {"kind", name(question.kind)}, {"answer", answer}};
  }

  const Tour& tour_;
  const std::function<bool()>& stopped_;
  Model model_;
  Queue questions_;
  std::optional<BareWindow> window_;
  const TourStep* step_ = nullptr;
  std::size_t number_ = 0;
  Json steps_ = Json::array();
  std::string where_;
};

}  // namespace

TourReport check_tour(const Tour& tour, Backend backend, const std::function<bool()>& stopped) {
  TourReport report;
  report.json = {{"schema", "warploom.tour/1"},
                 {"tour", tour.key},
                 {"title", tour.title},
                 {"passed", true},
                 {"steps", Json::array()}};
  bool first = true;
  for (const ImVec2 size : {ImVec2{900, 600}, ImVec2{1600, 900}})
    for (const char* theme : {"dark", "light"}) {
      // Every way looks at all words and marks; the figures and the way back are those of the first.
      Walkthrough walk(tour, backend, size, theme, stopped);
      try {
        walk.go(first);
        if (first) report.json["steps"] = walk.steps();
        first = false;
      } catch (const Cancelled&) {
        throw;
      } catch (const Error& error) {
        report.json["passed"] = false;
        report.json["steps"] = walk.steps();
        report.wrong = error.what();
        report.code = error.code();
        report.json["wrong"] = error.what();
        return report;
      }
    }
  return report;
}

void capture_tour(Model& model, const Tour& tour, Scenery& scenery, const std::filesystem::path& folder,
                  const std::function<bool()>& stopped) {
  Hand hand(model, scenery.ui);
  ScriptStage stage{model, scenery.ui, scenery.panels, hand, tour.folder};
  TourPlayer player(tour, stage);
  const auto rest = [&] {
    do {
      if (stopped()) throw Cancelled();
      player.go_on(usual);
      model.update();
      scenery.frame(usual);
    } while (!player.rests());
  };
  for (std::size_t i = 0; i < tour.steps.size(); ++i) {
    rest();
    for (int more = 0; more < 2; ++more) rest();
    scenery.capture((folder / fmt::format("step_{:02}.png", i + 1)).string());
    while (i + 1 < tour.steps.size() && player.at() == i) {
      model.teaching.wish = TourWish::next;
      rest();
    }
  }
}

}  // namespace warploom
