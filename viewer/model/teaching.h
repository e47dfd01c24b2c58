#pragma once
#include <array>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "gpu/pictures/selection.h"

namespace warploom {

/// A ring and words at a widget, or at a place of the pictures.
struct Marked {
  std::string path;  ///< of the widget; empty: it is a place
  Selection place;
  std::string words;
};

/// What is shown is to be handed out: into a folder, with its figures.
struct HandoutWish {
  std::string folder;
  std::shared_ptr<nlohmann::ordered_json> stats;
};

/// What the learner is asked, as the window shows it.
struct AskedQuestion {
  enum class Kind { number, choice, place, ratio };
  Kind kind = Kind::number;
  std::string question, unit;
  double low = 0, high = 0;
  bool logarithmic = false;
  std::vector<std::string> choices;
  // What the learner does.
  double given = 0;
  std::string typed;     ///< digits, without a field
  bool touched = false;  ///< a number was chosen: going on answers with it, else it skips
  int chosen = -1;       ///< of the choices
  bool is_number() const { return kind == Kind::number || kind == Kind::ratio; }
  // What came of it.
  bool answered = false;
  bool measuring = false;  ///< answered, and too few samples are there yet
  std::string verdict, said;
  std::array<double, 3> measured{};  ///< of a ratio: low end of its interval, median, high end; 0: it is not known
  std::vector<double> spread;        ///< of a ratio: of single pairs
  bool skipped = false;
  bool looks = false;  ///< *Look* shows where the reason can be seen
};

/// The strip of a tour, at the foot of the window.
struct Strip {
  bool open = false;
  std::string title, step_title, text;
  std::size_t step = 0, steps = 1;  ///< from 0; without steps it is a question alone
  bool waits = false;               ///< the learner is asked to do something, and has not yet
  bool done = false;                ///< ... and has
  bool busy = false;                ///< the lines of the step are running
  bool puzzle = false;              ///< of a puzzle: it is checked
  bool will_ask = false;            ///< the lines of a step run that asks when they are done
  std::string result;               ///< what its judge found
  std::size_t hints_left = 0;
  bool asks = false;  ///< `asked` stands
  AskedQuestion asked;
};

/// A row of the list of tours.
struct TourRow {
  std::string key, title, idea, scene;
  int minutes = 0;  ///< 0: not said
  std::size_t steps = 0;
  std::string file;
  bool done = false;  ///< the learner came to its end once
};

/// A row of the list of puzzles.
struct PuzzleRow {
  std::string key, title, task, shows, scene, unit;
  std::string file;
  std::string best;  ///< the best score of this machine; empty: not solved yet
};

enum class TourWish { none, next, back, again, end, answer, skip, check, hint, look };

/// What is shown to learners over the window: by a script, a tour, a puzzle.
struct Teaching {
  std::vector<Marked> marks;
  std::string said;        ///< a caption; empty: none
  bool cancelled = false;  ///< long work was given up: a script that runs ends
  Selection hover;         ///< is lit until the mouse moves
  Strip strip;
  TourWish wish = TourWish::none;
  std::vector<TourRow> tours;  ///< that come with the program, and the user's own
  std::vector<PuzzleRow> puzzles;
  std::string puzzle_wanted;    ///< a file that is to be opened
  std::string tour_wanted;      ///< a file that is to be opened
  std::size_t step_wanted = 0;  ///< ... at this step
  bool tours_open = false;      ///< the list of tours
  bool at_puzzles = false;      ///< ... opens at its puzzles, else at its begin
  int scrolls = 0;              ///< ... scrolls there for so many frames: in its first there is nothing to scroll yet
  bool forget_wanted = false;   ///< learning.json is to go
  bool predict_wanted = false;  ///< the ratio of the active track to the baseline is to be asked
  bool predicts = false;        ///< ... after every swap of a map
  std::string tally;            ///< of what was answered so far

  std::string class_title;      ///< of the class that is open; empty: none is
  bool picked_by_keys = false;  ///< what is picked came by arrow keys, which go on from place to place
  /// What lines of a tour changed of the window, as it was before: it comes back with the learner's scene.
  struct BeforeLines {
    std::optional<std::string> theme;
    std::optional<bool> motion, presentation;
  } before_lines;
  std::vector<std::string> class_scenes;      ///< files
  std::optional<HandoutWish> handout_wanted;  ///< a handout is to be written
  std::string hand_in_wanted;                 ///< the file that is handed in
  bool welcome = false;                       ///< the page of the first start, in place of the panes
  bool record_wanted = false;                 ///< a film is to begin, or the one under way to end
  std::string record_to;                      ///< the film that is wanted; empty: a new one among the pictures
  double recorded = -1;                       ///< seconds of the film under way; below 0: there is none
  bool words_open = false;                    ///< what is shown is said in words
  std::string words;                          ///< ... as they were last made; empty: not yet

  /// A question stands: what would tell its answer is not shown.
  bool hides_times() const { return strip.asks && strip.asked.kind == AskedQuestion::Kind::ratio && hides_figures(); }
  bool hides_figures() const {
    return strip.will_ask || (strip.asks && (!strip.asked.answered || strip.asked.measuring));
  }
};

}  // namespace warploom
