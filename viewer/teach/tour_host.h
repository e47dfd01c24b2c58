#pragma once
#include <filesystem>
#include <future>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "viewer/teach/classroom.h"
#include "viewer/teach/puzzle_player.h"
#include "viewer/teach/tour_player.h"

namespace warploom {

/// The tour or the puzzle that is open in a window, if one is: opened on request (Teaching::tour_wanted), kept for the
/// next start, its answers kept.
class TourHost {
 public:
  /// Marks what was done among the tours and puzzles that the model lists; offers to go on with the one that the last
  /// window was closed in.
  TourHost(ScriptStage& stage, bool offers);
  /// The tours and puzzles are those of a class, and what is answered can be handed in. Throws FileError.
  void open_class(const std::filesystem::path& folder);

  /// Before a frame is composed. What a line of a tour throws is told, and ends the tour.
  void go_on(double seconds);
  /// ... of what needs no strip: words, a hand-in, forgetting. For windows that a script goes on with.
  void serve();
  /// It needs frames.
  bool lively() const {
    return (player_ && !player_->rests()) || stage_.model.teaching.strip.asked.measuring ||
           (puzzle_ && puzzle_->lively());
  }
  /// The scene text of what was there before the tour, which is what the next start shows; empty: no tour is open.
  std::string before() const { return player_ ? player_->before() : puzzle_ ? puzzle_->before() : std::string(); }
  /// At the window's end: where the tour was left.
  void keep() const;

 private:
  void open(const std::string& file, std::size_t step);
  void go_on_with_puzzle();
  /// With the best scores of this machine.
  void list_puzzles();
  void go_on_with_tour(double seconds);
  /// Once a tour is over: the way back to where it was left, or on to the next.
  void offer_more(const std::string& key, const std::string& title, std::size_t at, std::size_t steps);
  /// Outside tours: how fast a track is, asked before it is seen.
  void predict();
  /// For the next start: which step of the tour was left.
  void keep_place(std::size_t step) const;
  void keep_prediction();
  /// Writes what was answered so far, for the lecturer.
  void hand_in(const std::string& file);
  void keep(const Answered& answered);
  /// Words of what is shown, made anew where nothing moves and something changed.
  void say_in_words();

  ScriptStage& stage_;
  std::future<bool> reduces_motion_;  ///< at the first start: what the desktop says
  std::unique_ptr<TourPlayer> player_;
  std::unique_ptr<PuzzlePlayer> puzzle_;
  std::string file_;
  bool ended_ = false;  ///< its last step was passed
  std::optional<Classroom> class_;
  /// All that is to be handed in, of this start and of those before, without a name.
  nlohmann::ordered_json work() const;
  /// Keeps it for the next start.
  void keep_work();
  void forget();
  nlohmann::ordered_json loaded_;  ///< of the starts before; null: no class is open
  struct Handed {                  // NOLINT(bugprone-exception-escape): moving its JSON throws out of memory alone
    nlohmann::ordered_json report, map;
    PuzzleTries tries;
  };
  std::map<std::string, Handed> answers_;     ///< by puzzle
  std::map<std::string, PuzzleTries> tries_;  ///< by puzzle; what is closed and opened again goes on
  nlohmann::ordered_json predictions_ = nlohmann::ordered_json::array(), tours_done_ = predictions_;
  Asking prediction_;
  std::string scene_;  ///< in front, as of the frame before
  bool seen_scene_ = false;
  StatsNow stats_;
  std::string said_of_, asked_of_;
  std::optional<Queue> questions_;
  std::vector<std::string> tracks_;  ///< as they were last seen,
  std::string tracks_scene_;         ///< ... and of which scene
};

}  // namespace warploom
