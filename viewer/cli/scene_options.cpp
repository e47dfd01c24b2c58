#include <memory>
#include <utility>

#include "gpu/core/format.h"
#include "gpu/files/input.h"
#include "viewer/app/app.h"
#include "viewer/base/numbers.h"
#include "viewer/cli/command.h"
#include "viewer/cli/fields.h"
#include "viewer/model/presets.h"

namespace warploom {

namespace {

void read_size(const std::string& text, Options& options) {
  const auto cross = text.find('x');
  const auto width = parse_number<int>(text.substr(0, cross)),
             height = cross == text.npos ? std::nullopt : parse_number<int>(text.substr(cross + 1));
  if (!width || !height || *width < 320 || *width > 16384 || *height < 240 || *height > 16384)
    throw UsageError("--size " + text + ": expected WIDTHxHEIGHT, 320x240 to 16384x16384, like 1280x720");
  options.width = *width;
  options.height = *height;
}

enum class Use { window, run, take_home };

/// view and run take the same options: they show the same window. What is taken home is not drawn.
void add_scene_options(CLI::App& app, Options& options, Use use) {
  const bool window = use == Use::window;
  constexpr std::uint64_t most = std::uint64_t{1} << 53;
  add_words(app, "SCENE", options.words, "scene to show (warploom list scenes), or a scene file");
  add_texts(app, "--set", options.set, "KEY=VALUE",
            "set a parameter of the scene (warploom list parameters); may be repeated");
  add_texts(app, "--map", options.maps, "FILE.h",
            "run a map of your own as a track; may be repeated (docs/own-maps.md)");
  add_flag(app, "--trust", options.trust, "run the C++ code of own maps that a scene file contains");
  add_text(app, "--scene-file", options.scene_file, "FILE", "open a scene text (TOML) or a PNG captured by Warploom");
  add_text(app, "--preset", options.preset, "PRESET", "open a preset (warploom list presets)");
  add_text(app, "--backend", options.backend, "auto|cuda|cpu", "where kernels run (default auto)");
  if (use != Use::take_home)
    add_text(app, "--interop", options.interop, "auto|gl|staged|upload|none",
             "how pictures reach OpenGL (default auto)");
  add_number(app, "--frames", options.frames, 0, most,
             window ? "close after N frames"
                    : "frames to run (default 64; 0 with a script, or with a scene file, whose steps are replayed)");
  add_number(app, "--steps-per-frame", options.steps_per_frame, 1, 1000000, "steps per frame (default 1)");
  add_number(app, "--seed", options.seed, 0, ~std::uint64_t{0}, "short for --set seed=N");
  if (use == Use::take_home) return add_text(app, "--out", options.out, "DIR", "a new folder for the sources");
  add_number(app, "--warmup", options.warmup, 0, most, "frames at the start that are not sampled (default 0)");
  add_parsed(
      app, "--size", [&options](const std::string& text) { read_size(text, options); }, "WIDTHxHEIGHT",
      "size of the window or picture (run: default 1600x900)");
  add_text(app, "--theme", options.theme, "dark|light", "colours of the window");
  add_text(app, "--script", options.script, "FILE",
           "run the lines of a script, before --frames (docs/scripts.md); -: standard input");
  add_text(app, "--tour", options.tour, "KEY|FILE",
           window ? "begin a tour (warploom list tours)" : "a tour, for --check or --capture DIR");
  if (window) add_text(app, "--class", options.class_folder, "DIR", "open a class (warploom class new)");
  add_text(
      app, "--puzzle", options.puzzle, "KEY|FILE",
      window ? "begin a puzzle (warploom list puzzles)" : "judge an answer to a puzzle: --set, --scene-file, --map");
  if (!window) {
    add_flag(app, "--check", options.check, "go through all of the tour and hold its figures, marks and words");
    add_text(app, "--report", options.report, "FILE.json", "what --check or the judge of a puzzle found");
  }
  add_text(app, "--capture", options.capture, "FILE.png", "save the last frame of the whole window as PNG");
  if (!window) {
    add_text(app, "--picture", options.picture, "FILE.png|FILE.svg",
             "save one picture alone, with its title, axes, legend and the verdict");
    add_text(app, "--handout", options.handout, "DIR",
             "a folder to hand out: picture, plots, figures, words, the scene, and how to make it again");
    add_text(app, "--picture-of", options.picture_of, "TRACK[/PICTURE]",
             "which one: B, or B/launch (default A, its main picture)");
  }
  add_flag(app, "--overlay", options.overlay, "draw the timing table over the picture");
  add_text(app, "--stats", options.stats, "FILE.json|FILE.csv", "save the measurements");
  add_text(app, "--record", options.record, "DIR|FILE.mp4|FILE.webm|FILE.gif",
           "film the window: numbered PNGs in a folder, or by ffmpeg");
  add_number(app, "--record-rate", options.record_rate, 1, 240, "frames a second of --record (default 60)");
  add_text(app, "--describe", options.describe, "FILE.txt|FILE.json", "save what is shown in words; -: print them");
  add_text(app, "--dump", options.dump, "DIR", "save the tracks' data as NumPy files");
}

/// Calls `run` with the options, after the checks that both commands share.
std::function<ExitCode()> declare(CLI::App& app, const char* name, ExitCode (*run)(const Options&), Use use) {
  const auto options = std::make_shared<Options>();
  options->commands = cli_command_names();
  add_scene_options(app, *options, use);
  return [options, name, run, use] {
    check_one_word(options->words, name);
    // As a file manager opens a file: no scene has such a name.
    if (!options->words.empty() && options->scene_file.empty())
      if (const std::string kind = extension_of(options->words[0]); kind == ".toml" || kind == ".png")
        options->scene_file = std::exchange(options->words, {})[0];
    if (!options->preset.empty()) {
      if (!options->scene_file.empty()) throw UsageError("--preset and --scene-file: one of them, not both");
      options->scene_file = find_preset(options->preset).file.string();
      // A preset is there to be measured, not to be replayed.
      if (use != Use::window && !options->frames && options->script.empty()) options->frames = 64;
    }
    if (!options->theme.empty() && options->theme != "dark" && options->theme != "light")
      throw UsageError(unknown_message("theme", options->theme, {"dark", "light"}));
    return run(*options);
  };
}

}  // namespace

CliCommand view_command() {
  return {"view", "open the window (the default)",
          [](CLI::App& app) { return declare(app, "view", view, Use::window); }};
}

CliCommand run_command() {
  return {"run", "render the same content without a window; needs no display",
          [](CLI::App& app) { return declare(app, "run", run, Use::run); }};
}

CliCommand export_tracks_command() {
  return {"export", "take the tracks of a scene home as sources that compile anywhere",
          [](CLI::App& app) { return declare(app, "export", export_tracks, Use::take_home); }};
}

}  // namespace warploom
