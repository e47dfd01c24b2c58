#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "gpu/core/parameter_schema.h"
#include "gpu/tracks/facets/failure.h"
#include "gpu/tracks/simulation.h"

namespace warploom {

/// A scene whose tracks have other pictures than the data space and the launch grid.
class OwnPictures : public FacetBase {
 public:
  /// The keys of all of them.
  virtual std::vector<std::string> picture_keys() const = 0;
  /// What they show at the values of now: each has its own choice of pictures. Empty: always the same.
  virtual std::string pictures_of() const { return {}; }
};

/// A scene whose tracks may be maps that users wrote (gpu/own).
class TakesOwnMaps : public FacetBase {
 public:
  /// Whether a track is a map under a work, and no more: it can run an own rule, and be taken home.
  virtual bool is_map(const TrackInfo& track) const = 0;
  /// Words that only a text for another scene has.
  virtual std::vector<std::string> foreign_words() const = 0;
};

/// A key of a section of a scene text, with a text or a list of texts.
struct TextField {
  std::string key;
  std::variant<std::string, std::vector<std::string>> value;
};

/// A scene with a section of its own in scene texts: something that a parameter names and a reader may not have.
class OwnText : public FacetBase {
 public:
  /// Its name, without brackets.
  virtual const char* section() const = 0;
  /// The parameter that it stands for: not read where the section is there.
  virtual const char* parameter() const = 0;
  /// What is to be written; empty: nothing, everybody has what the parameter names.
  virtual std::vector<TextField> written() const = 0;
  /// Takes over what was read. Throws UsageError naming what is wrong; then nothing is taken.
  virtual void read(const std::vector<TextField>& fields) = 0;
};

/// A scene that can start from a state given as bytes, in place of a file: a captured PNG's.
class StoredState : public FacetBase {
 public:
  /// The file that a start state came from is not read: the state itself follows.
  virtual void forget_file() = 0;
  /// The start state is not given any more, by a file or by bytes.
  virtual void forget_state() = 0;
  /// Of the domain that a state is for, at the values of now.
  virtual Index3 domain_extent() const = 0;
  /// `cells`: of that extent. `step` is the step that it is the state of, `history` how it came about ("painted at
  /// step 3"). Throws FileError where it belongs to another domain.
  virtual void set_state(std::vector<std::uint8_t> cells, std::uint32_t width, std::uint32_t height, std::uint64_t step,
                         std::string history) = 0;
  /// The loaded start state over the whole box; null: none was given.
  virtual const std::vector<std::uint8_t>* start_state() const = 0;
  /// `step` and `history` of set_state; no history: it came from a file, which the parameters name, or none was given.
  virtual std::pair<std::uint64_t, std::string> start_origin() const = 0;
};

/// A scene whose input can be drawn by hand: what was drawn becomes values of its parameters, so that it is undone,
/// saved and captured as they are.
class DrawnInput : public FacetBase {
 public:
  /// `stroke`: by the place along the input, 0..1, the value there, -1..1; what lies between its ends is replaced, of
  /// what is there now: evenly along it, as it is shown; empty: nothing is.
  virtual std::vector<std::pair<std::string, Value>> drawn(const std::map<double, double>& stroke,
                                                           const std::vector<double>& now) const = 0;
};

/// A scene whose tracks have peers in the libraries that others use.
class VendorPeer : public FacetBase {
 public:
  /// What brings the fastest track of its own and the library's beside each other, and what that changes beside the
  /// tracks, in words; empty: nothing. Throws UsageError where there is no such library on the backend, with the
  /// reason.
  struct Comparison {
    std::vector<std::pair<std::string, Value>> values;
    std::string changed;
  };
  virtual Comparison against_vendor(Backend backend) const = 0;
};

/// A track that was asked for, is not compiled, and runs as the nearest that is.
struct Substitute {
  std::string requested, runs, why;
  std::string line() const { return requested + " is not compiled (" + why + "): " + runs + " runs in its place"; }
};

/// A scene whose tracks are not compiled for every setting.
class Substituting : public FacetBase {
 public:
  /// For each track that is shown; `requested` is empty where the track itself was asked for.
  virtual std::vector<Substitute> substitutes() const = 0;
  /// What the user is told of them.
  std::vector<std::string> lines() const {
    std::vector<std::string> all;
    for (const Substitute& one : substitutes())
      if (!one.requested.empty()) all.push_back(one.line());
    return all;
  }
};

/// What such a scene remembers of names that were asked for.
class TrackSubstitutes {
 public:
  /// Part of a scene's resolve: `tracks` become those that run. `compiled(name)`: the name that runs, and why; equal
  /// names: the track is compiled. `given`: what was asked for before no longer matters.
  void apply(std::vector<std::string>& tracks, bool given,
             const std::function<Substitute(const std::string& name)>& compiled) {
    if (given) known_.clear();
    for (std::string& track : tracks) {
      Substitute found = compiled(track);
      if (found.runs == track) continue;
      found.requested = track;
      track = found.runs;
      known_[track] = std::move(found);
    }
  }
  std::vector<Substitute> of(const std::vector<std::string>& tracks) const {
    std::vector<Substitute> all;
    for (const std::string& track : tracks) {
      const auto found = known_.find(track);
      all.push_back(found == known_.end() ? Substitute{{}, track, {}} : found->second);
    }
    return all;
  }

 private:
  std::map<std::string, Substitute> known_;  ///< by the name that runs
};

/// How to see a map that is meant to be wrong go wrong: a parameter to slide, and the values that reach its first
/// failure.
struct BreakIt {
  std::string key;
  std::int64_t maximum = 1;
  std::vector<std::pair<std::string, Value>> reach;
};

/// A scene with maps that are meant to be wrong.
class Breakable : public FacetBase {
 public:
  /// Nullopt: nothing wrong was found on this device.
  virtual std::optional<BreakIt> break_it(const FirstWrong& wrong) const = 0;
  /// Where a track that is not shown, and not exact, is first wrong on the queue's backend. The thread that steps.
  virtual FirstWrong first_wrong(Queue& queue, const std::string& track) const = 0;
};

/// A scene that says in human words what is shown. Without it the scene's title stands there.
class Captioned : public FacetBase {
 public:
  /// "Sierpinski gasket, level 8, 256 \u00d7 256 places"; no full stop.
  virtual std::string caption() const = 0;
  /// What to look at, in whole sentences. `pictures`: the keys of those that are shown, the main one first. Empty:
  /// nothing stands out.
  virtual std::string look_at(const Simulation& simulation, const std::vector<std::string>& pictures) const = 0;
};

/// A curve of theory, over sides n.
struct TheoryCurve {
  std::size_t track = 0;
  std::vector<double> n, value;
  std::string name;  ///< where it is not the track's own
};

/// A scene whose waste is known by closed form.
class Theory : public FacetBase {
 public:
  /// How many places there are per cell by closed form: one sentence for the threads card.
  virtual std::string sentence(const Simulation& simulation) const = 0;
  /// Threads launched a cell, against n: one a track.
  virtual std::vector<TheoryCurve> waste() const = 0;
};

/// A scene with a theory of speed-ups from what the maps alone cost, and of what a layout costs in memory.
class GainTheory : public FacetBase {
 public:
  /// Speed-up against n; empty where the maps were not timed yet.
  virtual std::vector<TheoryCurve> gains(const Simulation& simulation) const = 0;
  /// Lines that stand beside the exact counts of the layouts.
  virtual std::vector<std::string> layout_lines(const Simulation& simulation) const = 0;
};

/// A scene that figures of papers are of (SceneParts::papers): what its tracks are made of, to
/// find the figure that they belong to.
class Papers : public FacetBase {
 public:
  struct Made {
    std::string fractal, work;
    double block = 0;  ///< the block's side along x
  };
  virtual Made made() const = 0;
};

/// A scene with results that are more than numbers: they join `results` of statistics, by their keys.
class Reported : public FacetBase {
 public:
  virtual nlohmann::ordered_json report() const = 0;
};

/// A library of others that a scene can use, and needs not.
struct OptionalLibrary {
  std::string name, file, serves;
  bool there = false;
};

/// A scene that can use some.
class Libraries : public FacetBase {
 public:
  virtual std::vector<OptionalLibrary> libraries() const = 0;
};

/// A scene whose title does not say what a step of it does.
class StepMeaning : public FacetBase {
 public:
  /// What a step changes, and where that is seen, in whole sentences.
  virtual std::string step_words() const = 0;
};

/// A scene with tracks that not every machine can run.
class Unavailable : public FacetBase {
 public:
  /// Why the track cannot run on this backend, and what helps; empty: it can.
  virtual std::string unavailable(Backend backend, const std::string& track) const = 0;
};

/// A scene that reads files, and says what came of it.
class FileRemarks : public FacetBase {
 public:
  /// Of the files that the parameters name, once the tracks are there: what was left out or guessed, "m.pdb: 191 atoms,
  /// 3 alternate locations left out". Empty: there is nothing to say.
  virtual std::string remarks() const = 0;
  /// Of the user's own folders: the files that could not be read, with the reason, a line each.
  virtual std::vector<std::string> left_out() const { return {}; }
};

/// "m.pdb: 191 atoms, model 1 of 20"; empty without remarks.
inline std::string remarks_text(const std::string& file, const std::vector<std::string>& remarks) {
  std::string text;
  for (const std::string& one : remarks) text.append(text.empty() ? file + ": " : ", ").append(one);
  return text;
}

}  // namespace warploom
