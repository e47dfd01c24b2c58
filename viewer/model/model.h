#pragma once
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "gpu/core/error.h"
#include "gpu/pictures/picture.h"
#include "gpu/tracks/facets/threads.h"
#include "viewer/model/build_times.h"
#include "viewer/model/machine.h"
#include "viewer/model/own_editing.h"
#include "viewer/model/own_trust.h"
#include "viewer/model/picture_wish.h"
#include "viewer/model/runner.h"
#include "viewer/model/scene.h"
#include "viewer/model/source_view.h"
#include "viewer/model/teaching.h"
#include "viewer/model/view_settings.h"

namespace warploom {

/// Everything the window shows and the commands change; no Dear ImGui, no OpenGL.
class Model {
 public:
  Model(Backend backend, bool synchronous, std::vector<std::unique_ptr<Scene>> scenes = make_scenes());

  ~Model() { source.cancel(); }        // what is read for the window is waited for
  Model& operator=(Model&&) = delete;  // neither copied nor moved

  Scene& scene() { return *scenes_[active_scene_]; }
  const std::vector<std::unique_ptr<Scene>>& scenes() const { return scenes_; }
  Runner& runner() { return runner_; }
  bool on_cpu() { return runner_.backend() == Backend::cpu; }

  OwnTrust trust = OwnTrust::none;  ///< in code that comes with scenes
  std::vector<OwnFile> own_files;   ///< own maps that came from files
  OwnEditing editing;               ///< texts in the editor
  SourceView source;                ///< of the active track
  Teaching teaching;

  /// Gives the scene to the runner; arguments as of Runner::build. Errors of values go to `notice` in the window;
  /// synchronous: thrown.
  void rebuild(std::uint64_t fast_forward = 0, bool anew = false);
  /// Shows a scene that was opened: its own start state, so many steps later, whatever ran before.
  void start(std::uint64_t steps) { rebuild(steps, true); }
  using Wanted = std::vector<std::pair<std::string, Value>>;
  /// One parameter, as a widget sets it: checked, mended, undoable, rebuilt. False: refused, `notice` says why.
  bool set(const std::string& key, const Value& value) { return set({{key, value}}); }
  /// Several, as one step of undo. `fast_forward`: as of `rebuild`; nothing is rebuilt where nothing changes.
  bool set(const Wanted& wanted, std::uint64_t fast_forward = 0) { return change(wanted, fast_forward, false); }
  void set_tracks(std::vector<std::string> tracks);
  /// Replaces the chosen scene, which lasts until the frame ends. Builds nothing.
  void replace_scene(std::unique_ptr<Scene> next);
  /// The scene as the tracks on the screen have it: while others are built, not that of the menus.
  Scene& shown_scene() { return shown_ && asked_ ? *shown_->scene : scene(); }
  /// What may be shown: not the tracks of another scene while those of this one are built.
  std::shared_ptr<Simulation> scene_simulation() const {
    return asked_ && shown_ && shown_->active != active_scene_ ? nullptr : runner_.simulation();
  }
  /// Does nothing if the track is gone, as with a picture of the previous run.
  void activate(std::size_t track) {
    if (track < scene().tracks().size()) active_track = track;
  }
  /// The baseline stays the track that it was, unless it is the one that goes.
  void remove_track(std::size_t track);
  void undo();
  void redo();
  bool can_undo() const;
  bool can_redo() const;
  /// All parameters, to compare, keep and bring back.
  std::vector<Value> values();
  void restore(const std::vector<Value>& values);
  /// How the scene in front is looked at, and where its relative paths start.
  struct Seen {
    ViewSettings view;
    Selection picked;
    std::size_t active_track = 0;
    std::filesystem::path folder;
  };
  Seen seen() const { return {view, picked, active_track, folder}; }
  void see(const Seen& seen);
  /// Every scene as it is, files and all; to come back to when a scene text is refused.
  struct Kept {
    std::vector<std::unique_ptr<Scene>> scenes;
    std::size_t active = 0;
    Seen seen;
  };
  Kept keep() const;
  void bring_back(Kept& kept);
  /// Draws (1) or erases (0) cells of the running state. A stroke is one step of undo: `begins` with its first cells.
  void paint(std::vector<Cell> cells, std::uint8_t value, bool begins);
  /// A scene's values, to come back to.
  struct Before {
    std::size_t scene;
    std::vector<Value> values;
  };
  Before before() { return {active_scene_, values()}; }
  /// Makes `before` a step of undo.
  void remember(Before before);
  /// All steps of undo and redo, put aside for others, or for none where `next` is null.
  struct History;
  std::shared_ptr<History> exchange_history(const std::shared_ptr<History>& next);
  /// Where a user looks, and at which step of a run that can be replayed.
  struct Looked {
    Selection picked;
    std::array<PlaneView, 4> data;
    std::uint64_t steps = 0;
  };
  Looked looked();
  /// The last change, which starts the run anew, also moved these: undoing it brings them back.
  void undo_brings_back(Looked before) {
    undo_.back().looked = std::move(before);
    undo_stands();
  }

  /// Grows with every build that is asked for: as long as it is the same, the parameters are.
  std::uint64_t changes() const { return changes_; }
  /// New tracks are being built: those shown do not match the parameters.
  bool building() const { return asked_.has_value(); }
  /// The number of the build that was asked for; 0: none is under way.
  std::uint64_t build_asked() const { return asked_ ? asked_->build : 0; }
  /// ... and for longer than a blink: what is shown of them is dimmed, and answers nothing.
  bool stale() const;
  /// What is being made in their place, and how far it is: "n = 20 is being made, 12 %"; empty: nothing is.
  std::string coming() const;
  /// ... from a start state: the state and the history of those shown are not that of the parameters.
  bool starts_anew() const { return asked_ && (asked_->anew || !shown_ || shown_->start != asked_->start); }
  /// ... and so many steps are run at once when they are there.
  std::uint64_t steps_to_come() const { return asked_ ? asked_->steps : 0; }

  /// Long work beside the window, `what` in words: what it answers, or throws, is told when it is done. One at a time:
  /// throws Error while another is under way. It looks at `cancel` and throws Cancelled, or ends soon by itself.
  void beside(const std::string& what, std::function<std::string(const std::atomic<bool>& cancel)> work);
  /// Gives up long work, of the runner too, and playing; tells it. A picture that is being saved is given up alone
  /// first.
  void cancel();
  /// Waits for what is under way beside the window, which is not cancelled, and for what is read for it; why it failed,
  /// or empty.
  std::string finish_beside();
  /// What is under way beside the window; empty: nothing.
  const std::string& beside_now() const { return beside_words_; }

  /// Reads something of the run without making the window wait: `read` runs beside it and may use Runner::ask, `then`
  /// runs in a later `update`, in the window's thread. What either throws is told. In a synchronous model both run at
  /// once, and what they throw is thrown here. `what`: in words, to ask for it.
  void read_later(std::function<void()> read, std::function<void()> then, const std::string& what = {});
  bool reading() const { return !reads_.empty(); }
  bool reading(const std::string& what) const { return std::ranges::count(reads_, what, &Read::what) > 0; }

  /// What the scene computed at the newest step at which nothing ran.
  struct Computed {
    std::uint64_t simulation = 0, version = 0, step = 0;
    Results results;
  };
  const Computed& computed() const { return computed_; }
  bool computing() const { return computing_.valid(); }
  /// Asks for it if the state has changed; waits only in a synchronous model.
  void compute_results();

  /// Once a frame: `advance` moves what is on its way, `update` asks for the steps of a playing scene.
  void advance(double seconds);
  void update();
  /// Selections are of this one until it is called again: what a frame shows, although newer tracks may have come.
  /// Null: of whatever runs.
  void show(std::shared_ptr<Simulation> simulation) { of_frame_ = std::move(simulation); }
  /// The thread of a track that the selection is: a cell's owner, or the one launched for an empty place; or none.
  std::optional<Owner> owner_in(std::size_t track, const Selection& selection) const;
  /// The cell the selection stands for; nullopt for a thread whose block serves none.
  std::optional<Target> target_of(const Selection& selection) const;
  /// A selection as a track has it, for its pictures.
  Selected selected_in(std::size_t track, const Selection& selection) const;
  /// Hover where there is one, else what was picked.
  const Selection& selection() const { return hover.empty() ? picked : hover; }

  ViewSettings view;
  std::map<std::string, std::string> left;  ///< of scenes that were shown before, as texts: how to come back to them
  /// How many warps the largest launch of the tracks has; 0 until all are counted.
  static std::uint64_t most_warps(const Simulation& simulation);
  /// How far the slow launch is, in warps, the same for all tracks; SoFar::everything: it shows all.
  std::uint64_t launched_warps(const Simulation& simulation) const;
  /// The track that ratios are against.
  std::size_t baseline_of(const Simulation& simulation) const {
    return view.baseline < simulation.size() ? view.baseline : 0;
  }
  Selection hover, picked;
  int formula_level = 0;  ///< which line of the formula is stepped to
  bool playing = false;
  std::uint64_t steps_per_frame = 1;
  std::size_t active_track = 0;
  enum class Tool { look, draw, erase } tool = Tool::look;
  std::string notice;  ///< one line: what was mended, refused, written
  bool notice_is_error = false;
  /// What the notice offers to do, as a button in it; gone with it.
  struct Offer {
    std::string words;
    std::function<void()> accept;
  } offer;
  std::filesystem::path folder;  ///< relative paths of the scene's files start here
  FrameTimes times;
  double frames_per_second = 0;
  double morph_towards = -1;  ///< where the morph moves to; below 0: it rests
  bool launching = false;     ///< the slow launch runs by itself
  double pulse = 1;           ///< how far the last step's pulse is through pictures that flow; 1: there is none

  Machine machine;

  bool starts_small = false;  ///< a scene that is first chosen begins small (small_scene.h), as in the window
  bool walking = false;       ///< the keyboard goes through the widgets
  int walk_panes = 0;         ///< ... and is to go to the next pane, 1, or to the one before, -1
  bool key_taken = false;     ///< a key of this frame was a command: it presses no widget
  bool pin_open = false;      ///< the words of a pin on what is picked are asked for
  bool quit = false, help_open = false, palette_open = false, full_screen_wanted = false;
  bool glossary_open = false;
  std::string glossary_word;                  ///< what the glossary opens at; empty: all of it
  std::filesystem::path save_folder;          ///< of the last file that was saved; empty: none was
  std::string capture_wanted;                 ///< a file name to capture to
  bool capture_plot = false;                  ///< of the large plot alone, on white
  std::optional<PictureWish> pointed;         ///< the picture under the mouse
  std::optional<PictureWish> picture_asked;   ///< the one whose file the dialog asks for
  std::optional<PictureWish> picture_wanted;  ///< the one that is being saved; nothing is stepped meanwhile
  int plot_open = -1;                         ///< which of view.plots is shown large; -1: none
  std::size_t plots_shown = 3;                ///< how many of view.plots the last frame had below the pictures
  std::string path_prompt;       ///< which file dialog is open (viewer/panels/file_dialog.cpp); empty: none
  std::string clipboard_wanted;  ///< "copy", "paste" (scene texts) or "figures"
  float ui_scale = 1;

  /// Errors stay until they are closed; other words go after ten seconds, when the window calls them old.
  void tell(const std::string& text, bool error = false);
  bool notice_is_old(std::chrono::steady_clock::time_point now = std::chrono::steady_clock::now()) const;
  /// Tells what `act` throws: errors of ours, of memory, of the file system and of libraries.
  template <class Act>
  void guarded(Act&& act) {
    try {
      act();
    } catch (const std::exception& error) {
      tell(error.what(), true);
    }
  }

  /// The last command and the number of commands so far: tests check that nothing else ran.
  std::string last_command;
  std::uint64_t commands_run = 0;

 private:
  void advance_pulse(double seconds);
  /// A copy of the scene with other values, checked and mended; null: they are those it has. `without_state`: its given
  /// start state is dropped.
  struct Next {
    std::unique_ptr<Scene> scene;
    std::string mended;
  };
  Next next_with(const Wanted& wanted, bool without_state);
  bool change(const Wanted& wanted, std::uint64_t fast_forward, bool without_state);
  /// Another scene comes to the front, with its own view.
  void enter(std::size_t scene);
  /// What takes more than two seconds, in words; empty: nothing does.
  std::string announcement() const;
  std::shared_ptr<Simulation> shown_simulation() const { return of_frame_ ? of_frame_ : runner_.simulation(); }

  std::shared_ptr<Simulation> of_frame_;

  /// Those of the window, and each as it was when its tracks were last shown.
  std::vector<std::unique_ptr<Scene>> scenes_, stood_;
  /// Scenes whose parameters a panel of this frame may still hold; gone with the next.
  std::vector<std::unique_ptr<Scene>> replaced_;
  std::size_t active_scene_ = 0;
  Runner runner_;
  bool synchronous_;
  std::uint64_t pulsed_ = 0;  ///< the state that the pulse is of
  /// The cells before a stroke; the runner's thread fills it when the stroke's turn comes.
  struct Snapshot {
    std::vector<std::uint8_t> cells;
    std::uint64_t step = 0;
    std::string history;  ///< of the run then
  };
  /// A scene's values, to come back to; or, of a stroke, the cells before it.
  struct Change {
    std::size_t scene;
    std::vector<Value> values;
    std::shared_ptr<Snapshot> cells = nullptr;
    std::size_t stands_in = 0;  ///< the scene it led to, which undoes it: opening a file may change the scene
    std::optional<Looked> looked = std::nullopt;
    std::shared_ptr<Scene> whole = nullptr;  ///< where values do not say it all: the scene as it was
  };
  void come_back(const Change& change);
  /// Brings the cells of `change` back; what there was goes to `other`.
  void paint_back(const Change& change, std::vector<Change>& other);
  /// "Level is 8, Block is 4": how the scene's values differ from these.
  std::string changes_since(const std::vector<Value>& before);
  /// A value as menus and cards say it.
  std::string in_words(const Parameter& parameter, const Value& value);
  std::map<std::string, std::size_t> active_tracks_;  ///< of each scene, as it was left
  std::chrono::steady_clock::time_point told_{};      ///< when the notice came
  std::map<std::string, std::string> told_of_files_;  ///< by scene
  /// Changes of all scenes, in order; each scene undoes its own.
  std::vector<Change> undo_, redo_;
  std::optional<Change> take_last(std::vector<Change>& from);
  void forget_redo();
  /// The last change of `from` that is of this scene is taken back, and goes to `to`.
  void walk_back(std::vector<Change>& from, std::vector<Change>& to, const std::string& said);
  /// The active scene as a build was asked for, to come back to where a later one is given up.
  struct Asked {
    std::uint64_t build;
    std::size_t active;
    std::unique_ptr<Scene> scene;
    std::vector<Change> undo, redo;
    bool anew;
    std::uint64_t start;  ///< BuildRequest::start
    double bytes;         ///< how much data is made; 0: not known
    double memory;        ///< BuildRequest::memory
    std::string what;     ///< "n = 20", or "the tracks"
    std::uint64_t steps;  ///< to be run at once
    /// When it was asked for; since when the tracks shown are out of date.
    std::chrono::steady_clock::time_point began, since;
    Seen seen;  ///< as it was looked at in the last frame before another was asked for
  };
  /// The steps of undo are those of the tracks that are shown, or asked for.
  void undo_stands();
  std::string what_changes();
  /// Waits for the oldest, and does what follows it.
  void finish_read();
  /// Tells what came of work beside the window.
  void hear_beside();
  /// Learns how the last build ended: what the window says is always of the tracks it shows.
  void settle();
  /// Tells what was read of the files of the scene, once for each that changed.
  void tell_of_files();
  std::optional<Asked> asked_, shown_;
  std::uint64_t changes_ = 0;
  std::map<std::string, BuildTimes> build_times_;  ///< by scene
  std::map<std::uint64_t, double> build_seconds_;  ///< what long builds took, by their start
  std::map<std::size_t, ViewSettings> views_;      ///< of the scenes that were in front before
  /// How other pictures of a scene were looked at, by scene and what they show.
  struct PicturesView {
    std::array<std::string, 2> pictures;  ///< ViewSettings::pictures
    std::array<PlaneView, 4> data, grid;
  };
  std::map<std::string, PicturesView> views_of_;
  std::vector<Asked> asked_before_;  ///< replaced by the last one; they may still be shown first
  Computed computed_;
  std::pair<std::uint64_t, std::uint64_t> asked_results_;  ///< id and version of the last tracks asked
  std::string beside_words_;
  std::atomic<bool> beside_cancel_{false};
  std::future<Computed> computing_;
  std::future<std::string> beside_;
  struct Read {
    std::future<void> done;
    std::function<void()> then;
    std::string what;
  };
  std::deque<Read> reads_;  // last: these three may use the rest while they end

  friend void select_scene(Model&, const std::string&, const std::vector<std::string>&);
};

/// Whether any of its tracks offers the facet.
template <class Facet>
bool any_offers(const Simulation& simulation) {
  for (std::size_t i = 0; i < simulation.size(); ++i)
    if (simulation.track(i).facet<Facet>()) return true;
  return false;
}
/// Which of its pictures is shown as the main one or at its side; nullopt: it has none for that.
std::optional<std::size_t> shown_picture(const Track& track, const ViewSettings& view, bool side);
/// Whether any of its tracks has a picture of this shape.
bool shows(const Simulation& simulation, PictureInfo::Shape shape);
/// Some picture's blocks can fly to the launch grid.
bool flies(const Simulation& simulation);
bool flows(const Simulation& simulation);
/// Some picture can be cut by a plane.
bool slices(const Simulation& simulation);

/// Makes the scene of this key the active one. Throws UsageError with the nearest scene, or with the nearest of
/// `commands` where the user could have meant one.
void select_scene(Model& model, const std::string& key, const std::vector<std::string>& commands = {});

/// The next track to add: the first map that no track has yet.
std::string next_track(Scene& scene);

}  // namespace warploom
