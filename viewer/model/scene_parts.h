#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/bench/paper_figure.h"
#include "gpu/bench/suites.h"
#include "gpu/pictures/picture_request.h"
#include "gpu/tracks/track.h"

namespace warploom {

namespace ui {
struct Figure;
}
struct PanelContext;

/// A part of a side panel. It draws nothing where no track and no scene offers what it shows. Needs a simulation.
struct Card {
  enum class Panel { left, right, foot };
  Panel panel;
  void (*draw)(PanelContext& panel);
};

/// A plot that the strip below the pictures and the large view can show.
struct PlotKind {
  const char *key, *name;  ///< "times", "Kernel times"
  const char* help;        ///< what it shows, in a sentence
  ui::Figure (*make)(PanelContext& panel);
  std::string (*missing)(const PanelContext& panel);  ///< why it has nothing to show now; empty: it has
  const char* in_place_of = nullptr;  ///< the plot that this one is shown for where that has nothing; null: none
};

/// A way to colour pictures, as menus and scene texts name it.
struct ColourName {
  ColourBy by;
  const char *key, *title, *help;
};

/// A kind of place that can be picked, as scene texts name it: "bin:3,4".
struct SelectionSpace {
  const char* word;
  const char* after;  ///< what follows the word, for messages: "X,Y"
  bool numbered;      ///< picked by one number; else by a place
  /// "wire 3, stage 2"; null: the word and the numbers.
  std::string (*title)(const Index3& at) = nullptr;
};

/// A word on screen, in plain words.
struct Term {
  const char *word, *text;
};

/// A key of each track in stats.
struct TrackStats {
  const char* key;
  nlohmann::ordered_json (*value)(const Track& track);  ///< null where the track has none
};

/// All that a scene brings along for the window, scene texts, stats and benchmarks.
struct SceneParts {
  std::vector<Card> cards = {};
  std::vector<PlotKind> plots = {};
  std::vector<ColourName> colours = {};
  std::vector<SelectionSpace> spaces = {};
  std::vector<Term> terms = {};
  std::vector<TrackStats> stats = {};
  std::vector<bench::Suite> suites = {};
  std::vector<bench::PaperFigure> papers = {};
  /// What the variants of a map differ in: the help of the menu that chooses one.
  const char* variants = "another way to run the same map";
};

/// The plots and terms of the base.
std::vector<PlotKind> base_plots();
std::vector<Term> base_terms();
/// The words that own maps are written in (gpu/own/words.h).
std::vector<Term> own_terms();

/// The parts of the base and of every scene there is: those of make_scenes() and those that were added. Things of equal
/// key are one. The window's thread.
const SceneParts& known_parts();
/// Adds the parts of a scene that make_scenes() has not, such as a test's. Idempotent.
void add_parts(const SceneParts& parts);

/// The terms of every scene and of the base, by name.
const std::vector<Term>& glossary();
/// What a word means; empty: the glossary does not have it. Tooltips are made of it, so that a word means the same
/// everywhere.
const std::string& meaning(const std::string& word);

/// What a label of the window means: "Threads \u00b7 A" is the term "thread". Empty: it is no term.
std::string meaning_of_label(std::string_view label);

const ColourName* find_colour(ColourBy by);
const SelectionSpace* find_space(const std::string& word);

}  // namespace warploom
