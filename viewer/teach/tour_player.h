#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "viewer/teach/asking.h"
#include "viewer/teach/interlude.h"
#include "viewer/teach/tour.h"

namespace warploom {

/// Leads through a tour: runs the lines of each step, looks whether the learner did what was asked, goes on and back.
/// Nothing is locked meanwhile. Ending brings back what was there before, its undo too.
class TourPlayer {
 public:
  /// `first`: the step to begin with, from 0.
  TourPlayer(Tour tour, ScriptStage& stage, std::size_t first = 0);

  /// Before a frame is composed. Throws Error, "FILE:LINE: " first, where a line of the tour fails.
  void go_on(double seconds);
  /// It ended, and what was there before is back.
  bool over() const { return phase_ == Phase::over; }
  /// The step's lines have run and its tracks are there: it waits for the learner.
  bool rests() const { return phase_ == Phase::rests; }
  /// ... to do something, or for an answer.
  bool waits() const { return rests() && ((step().until && !holds_) || stage_.model.teaching.hides_figures()); }
  /// The scene text of what was there before.
  const std::string& before() const { return interlude_.before(); }
  /// Ends it at once, after a failure; what was there before comes back.
  void give_up();
  const Tour& tour() const { return tour_; }
  std::size_t at() const { return at_; }
  /// Of this step: it has something to wait for, which holds.
  bool holds() const { return holds_; }
  /// What the learner answered, where something was since the last call.
  std::optional<Answered> answered() { return std::exchange(answered_, std::nullopt); }
  /// The scene text that the step began with.
  const std::string& entry() const { return entries_[at_]; }

 private:
  enum class Phase { begins, begun, entering, returning, runs, brings_about, rests, ends, over };

  const TourStep& step() const { return tour_.steps[at_]; }
  void begin();
  void enter(std::size_t step);
  void bring_back(std::size_t step, Phase then);
  void run(const Script& script, Phase phase);
  void fill_strip();
  void look_at_until();
  void take(TourWish wish);
  /// Those of the step; notes what they change of the window itself.
  void run_lines(double seconds);
  void advance(double seconds);
  void come_to_rest();
  void go_next();
  void end();
  bool settled() const;

  Tour tour_;
  ScriptStage& stage_;
  Phase phase_ = Phase::begins;
  Phase after_ = Phase::rests;  ///< of what is brought back
  std::size_t at_ = 0;
  std::size_t first_;  ///< the steps before it are gone through at once
  std::vector<std::string> entries_;
  std::optional<ScriptPlayer> player_;
  bool holds_ = false;
  bool shows_ = false;     ///< what the learner was to do follows what is being run
  bool advances_ = false;  ///< the next step follows what is being run
  bool mended_ = false;    ///< a failure was met by bringing the step back once
  StatsNow until_stats_;
  Asking asking_;
  Expression::Answer kept_;
  std::pair<std::uint64_t, std::uint64_t> looked_at_{~0ull, 0};
  std::pair<std::size_t, std::pair<std::uint64_t, std::uint64_t>> asked_at_{~0ull, {}};
  std::string base_;  ///< parameters and step once the lines have run
  TourWish pending_ = TourWish::none;
  std::optional<Answered> answered_;
  bool live_;
  Interlude interlude_;
};

}  // namespace warploom
