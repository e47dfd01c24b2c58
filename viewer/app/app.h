#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gpu/core/error.h"
#include "viewer/app/picture_page.h"
#include "viewer/app/thumbnails.h"
#include "viewer/draw/painter.h"
#include "viewer/export/stats.h"
#include "viewer/gl/imgui_renderer.h"
#include "viewer/gl/present.h"
#include "viewer/interop/interop_mode.h"
#include "viewer/model/model.h"
#include "viewer/model/scene_text.h"
#include "viewer/model/stored_text.h"
#include "viewer/panels/panels.h"

namespace warploom {

/// What view and run are given, as typed. Values are checked where they are used.
struct Options {
  std::vector<std::string> words;     ///< the scene, if any
  std::vector<std::string> commands;  ///< what else the first word could have meant
  std::vector<std::string> set;
  std::vector<std::string> maps;  ///< files of own maps
  std::string scene_file, preset, backend = "auto", interop = "auto", theme, capture, stats, dump;
  std::string tour, puzzle;         ///< a key or a file
  std::string report;               ///< of `check`
  std::string class_folder;         ///< of a class that is opened
  std::string handout;              ///< a folder
  std::string record;               ///< a folder or a film
  int record_rate = 60;             ///< its frames a second
  std::string describe;             ///< a file for words
  std::string script;               ///< a file of script lines; "-": standard input
  std::string out;                  ///< of export
  std::string picture, picture_of;  ///< a file; a track, and of it a picture: "B/launch"; empty: the first one's main
  std::optional<std::uint64_t> frames, seed;
  std::uint64_t steps_per_frame = 1, warmup = 0;
  int width = 0, height = 0;  ///< 0: not given
  bool overlay = false, trust = false, check = false;
};

/// Throws UsageError where a run of so many frames would have no sample left.
void check_warmup(std::uint64_t warmup, std::uint64_t frames);

/// The window's contents: panels over the model, drawn with OpenGL. In a window or without one; a current OpenGL
/// context is needed at its making and until its end.
class App {
 public:
  /// Throws DisplayError or UsageError as interop::probe does.
  App(Model& model, const Options& options, gl::Window* window, bool synchronous);

  /// Writes into Model::machine what this runs on: by the one App that a person sees, or whose pictures they get.
  void name_machine(bool headless);

  /// Composes and draws one frame into the bound framebuffer of width x height pixels.
  void frame(int width, int height, float seconds, float scale);
  /// Something on screen is not final yet: draw another frame.
  bool unfinished() const {
    // The walk's ring comes with the frame after the one that counts the widgets.
    return painter_.unfinished() || thumbnails_.busy() || (ui_.walk.on && ui_.walk.at.empty());
  }
  /// Goes on with saving Model::picture_wanted, on a page of so many points; 0 x 0: as it needs. Without a window all
  /// of it is done at once. Throws what PicturePage and writing throw; then it is no longer wanted.
  void save_picture(gl::Size size = {});
  /// Writes Teaching::handout_wanted (handout.h). Throws what write_handout throws.
  void hand_out();
  Painter& painter() { return painter_; }
  PanelState& panels() { return panels_; }
  ui::UiContext& ui() { return ui_; }

 private:
  void apply_look(float scale);
  /// Shows all of the frame as it is seen with a deficiency.
  void show_as_seen(int width, int height);
  /// Keeps a small picture of the frame for the list of recent scenes, where it wants one and nothing is in its way.
  void keep_small_picture(int width, int height);

  Model& model_;
  bool synchronous_;
  interop::Probe probe_;
  gl::ImguiRenderer renderer_;
  Painter painter_;
  Queue questions_;  ///< of the window: neither the painter's nor the runner's
  ui::Fonts fonts_;
  ui::UiContext ui_;
  PanelState panels_;
  std::string look_;
  std::optional<gl::Presenter> presenter_;  ///< of a frame that is seen otherwise
  std::optional<gl::Texture> seen_;
  Thumbnails thumbnails_;
  std::unique_ptr<PicturePage> page_;  ///< of the picture that is being saved
};

/// The names of own maps that --map gives.
struct GivenMaps {
  std::vector<std::string> tracks;
  std::string rule;  ///< empty: none
};
/// Takes them in: before the other options, as a scene file may name their tracks. Throws UsageError or FileError.
GivenMaps read_given_maps(Model& model, const Options& options);

/// Applies scene, --set, --seed, --scene-file and the rest of the options. Returns the steps to replay. Throws
/// UsageError or FileError; UntrustedCode before anything but the scene's name is applied.
std::uint64_t apply_options(Model& model, const Options& options, const GivenMaps& maps);
inline std::uint64_t apply_options(Model& model, const Options& options) {
  return apply_options(model, options, read_given_maps(model, options));
}

/// The same, put off: reads a scene file that brings code once its user lets it run (open_scene). If the other options
/// do not fit the scene, the file is read without them and the reason is its warning.
std::function<LoadedScene()> read_with_options(Model& model, const Options& options, const GivenMaps& maps);

/// The last drawn picture as a PNG with scene text, environment and state (edited_state). Pixels: top row first.
void write_capture(const std::string& file, Model& model, int width, int height, std::vector<Rgba> pixels,
                   const EditedState& edited);

ExitCode run(const Options& options);
ExitCode run_tour(const Options& options);
ExitCode run_puzzle(const Options& options);
ExitCode export_tracks(const Options& options);
ExitCode view(const Options& options);

/// Session: written on closing, read at the next start. Errors are swallowed: a session is a comfort. `front`:
/// the text of the scene, where it was read before; empty: it is read here.
void save_session(Model& model, const PanelState& panels, const std::string& front);
/// Its part that is no scene: sizes, theme, recent files, and the other scenes as they were left.
void restore_window(Model& model, PanelState& panels);
std::uint64_t restore_session(Model& model, PanelState& panels);

}  // namespace warploom
