#include "viewer/options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <iostream>

#include "gpu/core/nearest.h"

namespace warploom {

namespace {

const std::vector<std::string> commands{"view", "run", "bench", "list", "doctor"};

template <class Field>
CLI::Option* last(CLI::App& app, const std::string& name, Field& field, const std::string& help) {
  return app.add_option(name, field, help)->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
}

void add_scene_options(CLI::App& app, Options& options, bool window) {
  app.add_option("SCENE", options.words, "which scene (warploom list scenes)")->expected(0, 1);
  app.add_option("--set", options.set, "KEY=VALUE: any parameter of the scene (warploom list parameters)")
      ->take_all()->expected(1)->allow_extra_args(false);
  last(app, "--scene-file", options.scene_file, "a scene text (TOML), or a PNG that Warploom captured");
  last(app, "--backend", options.backend, "auto, cuda or cpu");
  last(app, "--interop", options.interop, "auto, gl, staged, upload or none");
  last(app, "--frames", options.frames, window ? "close after N frames" : "how many frames (default 64; a scene file's steps count first)");
  last(app, "--steps-per-frame", options.steps_per_frame, "steps a frame (default 1)")->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1000000}));
  last(app, "--warmup", options.warmup, "frames at the start whose samples are left out (default 0)");
  app.add_option_function<std::string>(
         "--size",
         [&options](const std::string& text) {
           char rest = 0;
           if (std::sscanf(text.c_str(), "%dx%d%c", &options.width, &options.height, &rest) != 2 || options.width < 320 ||
               options.height < 240 || options.width > 16384 || options.height > 16384)
             throw CLI::ValidationError("--size " + text, "expected WIDTHxHEIGHT, 320x240 to 16384x16384, like 1280x720");
         },
         "WIDTHxHEIGHT of the window or picture (default 1600x900)")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  last(app, "--theme", options.theme, "dark or light")->check(CLI::IsMember({"dark", "light"}));
  last(app, "--capture", options.capture, "FILE.png: the last frame, the whole window");
  app.add_flag("--overlay", options.overlay, "draw the timing table over the picture");
  last(app, "--stats", options.stats, "FILE.json or FILE.csv: what was measured");
  last(app, "--dump", options.dump, "DIR: the lanes' data as NumPy files");
  last(app, "--seed", options.seed, "short for --set seed=N");
}

/// "--sett" with the nearest option of the command.
[[noreturn]] void refuse_extra(const CLI::App& app, const std::string& word) {
  if (!word.starts_with("-")) throw UsageError("unexpected word '" + word + "'; see warploom " + app.get_name() + " --help");
  std::vector<std::string> known;
  for (const auto* option : app.get_options())
    for (const auto& name : option->get_lnames()) known.push_back("--" + name);
  throw UsageError(unknown_message("option", word.substr(0, word.find('=')), known));
}

}  // namespace

std::optional<ExitCode> read_options(int count, char** words, Options& options) {
  std::vector<std::string> arguments(words + 1, words + count);
  CLI::App app{"Warploom shows how GPU threads find their data.", "warploom"};
  app.set_version_flag("--version", std::string("warploom ") + WARPLOOM_VERSION);
  app.require_subcommand(1);
  app.footer("Without a command: view.   warploom list shows every scene, map, fractal and parameter.\n"
             "Exit codes: 0 done, 1 failure (a file), 2 usage (a value), 3 verification failed, 4 no usable CUDA,\n"
             "            5 no usable OpenGL or display.");
  auto* view = app.add_subcommand("view", "open the window (the default)");
  auto* run = app.add_subcommand("run", "the same window composed without one; needs no display");
  auto* bench = app.add_subcommand("bench", "measure against ceilings and peers");
  auto* list = app.add_subcommand("list", "scenes, maps, works, fractals, parameters, commands, suites or colormaps");
  auto* doctor = app.add_subcommand("doctor", "devices, driver, OpenGL, interop, versions; what is wrong and how to mend it");
  add_scene_options(*view, options, true);
  add_scene_options(*run, options, false);
  bench->add_option("SUITE", options.words, "which suites (warploom list suites); all without any")->expected(0, -1);
  last(*bench, "--backend", options.backend, "auto, cuda or cpu");
  last(*bench, "--stats", options.stats, "FILE.json or FILE.csv: every figure with the environment");
  last(*bench, "--samples", options.samples, "samples a figure, at least (default 30)")->check(CLI::Range(3, 100000));
  bench->add_option("--set", options.set, "KEY=VALUE: level, fractal")->take_all()->expected(1)->allow_extra_args(false);
  list->add_option("TOPIC", options.words, "what to list; everything without one")->expected(0, 1);
  list->add_flag("--json", options.json, "as JSON");
  doctor->add_flag("--json", options.json, "as JSON");
  last(*doctor, "--backend", options.backend, "which backend to probe the interop of");
  for (auto* command : app.get_subcommands({})) command->allow_extras();

  // `warploom [SCENE] [options]` is view: it has no word of its own.
  const bool global = !arguments.empty() && (arguments[0] == "--help" || arguments[0] == "-h" || arguments[0] == "--version");
  if (!global && (arguments.empty() || std::find(commands.begin(), commands.end(), arguments[0]) == commands.end()))
    arguments.insert(arguments.begin(), "view");

  try {
    std::reverse(arguments.begin(), arguments.end());  // CLI11 takes them from the back
    app.parse(arguments);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) {
      app.exit(error, std::cout, std::cerr);
      return ExitCode::done;
    }
    throw UsageError(error.what());
  }
  for (auto* command : app.get_subcommands()) {
    options.command = command->get_name();
    const auto extra = command->remaining();
    if (!extra.empty()) refuse_extra(*command, extra[0]);
  }
  return std::nullopt;
}

}  // namespace warploom
