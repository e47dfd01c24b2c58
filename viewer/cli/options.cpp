#include "viewer/cli/options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <iostream>
#include <map>
#include <set>

#include "gpu/core/words.h"

namespace warploom {

namespace {

const std::vector<std::string> commands{"view", "run", "bench", "list", "doctor"};

template <class Field>
CLI::Option* last(CLI::App& app, const std::string& name, Field& field, const std::string& help) {
  return app.add_option(name, field, help)->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
}

/// A whole number from `least` to `most`, written in decimal digits and nothing else.
template <class Number, class Field>
CLI::Option* number(CLI::App& app, const std::string& name, Field& field, Number least, Number most,
                    const std::string& help) {
  return app
      .add_option_function<std::string>(
          name,
          [&field, name, least, most](const std::string& text) {
            Number value{};
            const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
            if (text.empty() || error != std::errc{} || end != text.data() + text.size() || value < least ||
                value > most)
              throw CLI::ValidationError(name + " " + text, "expected a whole number from " + std::to_string(least) +
                                                                " to " + std::to_string(most));
            field = value;
          },
          help)
      ->type_name("N")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
}

void read_size(const std::string& text, Options& options) {
  const auto cross = text.find('x');
  const auto part = [&](std::size_t first, std::size_t last, int least) {
    int value = 0;
    const auto [end, error] = std::from_chars(text.data() + first, text.data() + last, value);
    return error == std::errc{} && end == text.data() + last && value >= least && value <= 16384 ? value : 0;
  };
  const int width = cross == std::string::npos ? 0 : part(0, cross, 320),
            height = cross == std::string::npos ? 0 : part(cross + 1, text.size(), 240);
  if (!width || !height)
    throw CLI::ValidationError("--size " + text, "expected WIDTHxHEIGHT, 320x240 to 16384x16384, like 1280x720");
  options.width = width;
  options.height = height;
}

void add_scene_options(CLI::App& app, Options& options, bool window) {
  constexpr std::uint64_t most = std::uint64_t{1} << 53;
  app.add_option("SCENE", options.words, "which scene (warploom list scenes)")->type_name("")->expected(0, -1);
  app.add_option("--set", options.set, "any parameter of the scene (warploom list parameters); may be repeated")
      ->type_name("KEY=VALUE")
      ->take_all()
      ->expected(1)
      ->allow_extra_args(false);
  last(app, "--scene-file", options.scene_file, "a scene text (TOML), or a PNG that Warploom captured")
      ->type_name("FILE");
  last(app, "--backend", options.backend, "auto, cuda or cpu (default auto)")->type_name("NAME");
  last(app, "--interop", options.interop, "auto, gl, staged, upload or none (default auto)")->type_name("NAME");
  number<std::uint64_t>(
      app, "--frames", options.frames, 0, most,
      window ? "close after N frames" : "how many frames (default 64; 0 with a scene file, whose steps are replayed)");
  number<std::uint64_t>(app, "--steps-per-frame", options.steps_per_frame, 1, 1000000, "steps a frame (default 1)");
  number<std::uint64_t>(app, "--warmup", options.warmup, 0, most,
                        "frames at the start whose samples are left out (default 0)");
  app.add_option_function<std::string>(
         "--size", [&options](const std::string& text) { read_size(text, options); },
         "of the window or picture (run: default 1600x900)")
      ->type_name("WIDTHxHEIGHT")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  last(app, "--theme", options.theme, "dark or light")->type_name("NAME");
  last(app, "--capture", options.capture, "the last frame, the whole window, as PNG")->type_name("FILE.png");
  app.add_flag("--overlay", options.overlay, "draw the timing table over the picture");
  last(app, "--stats", options.stats, "what was measured")->type_name("FILE.json|FILE.csv");
  last(app, "--dump", options.dump, "the tracks' data as NumPy files")->type_name("DIR");
  number<std::uint64_t>(app, "--seed", options.seed, 0, ~std::uint64_t{0}, "short for --set seed=N");
}

/// Options are looked at before CLI11 reads them: a misspelt one would leave its value to the words, and an empty value
/// is none.
void check_spelling(const CLI::App& app, const std::vector<std::string>& arguments) {
  std::vector<std::string> known;
  std::map<std::string, std::string> types;
  std::set<std::string> flags{"--help"};
  for (const auto* option : app.get_options())
    for (const auto& name : option->get_lnames()) {
      known.push_back("--" + name);
      types[known.back()] = option->get_type_name();
      if (option->get_expected_max() == 0) flags.insert("--" + name);
    }
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    const std::string& word = arguments[i];
    if (!word.starts_with("--")) {
      if (word.starts_with("-") && word != "-h") throw UsageError(unknown_message("option", word, known));
      continue;
    }
    const auto equals = word.find('=');
    const std::string name = word.substr(0, equals);
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw UsageError(unknown_message("option", name, known));
    if (flags.contains(name)) continue;
    const bool attached = equals != std::string::npos;
    if (attached ? equals + 1 == word.size() : i + 1 == arguments.size() || arguments[i + 1].empty())
      throw UsageError(name + ": expects " + types[name] + "; see warploom " + app.get_name() + " --help");
    if (!attached) ++i;
  }
}

}  // namespace

std::optional<ExitCode> read_options(int count, char** words, Options& options) {
  std::vector<std::string> arguments(words + 1, words + count);
  CLI::App app{"Warploom shows how GPU threads find their data.", "warploom"};
  app.set_version_flag("--version", std::string("warploom ") + WARPLOOM_VERSION);
  app.require_subcommand(1);
  app.footer(
      "Without a command: view.   warploom list shows every scene, map, fractal and parameter.\n"
      "Exit codes: 0 done, 1 failure (a file), 2 usage (a value), 3 verification failed, 4 no usable CUDA,\n"
      "            5 no usable OpenGL or display.");
  auto* view = app.add_subcommand("view", "open the window (the default)");
  auto* run = app.add_subcommand("run", "the same window composed without one; needs no display");
  auto* bench = app.add_subcommand("bench", "measure against ceilings and peers");
  auto* list = app.add_subcommand("list", "scenes, maps, works, fractals, parameters, commands, suites or colormaps");
  auto* doctor =
      app.add_subcommand("doctor", "devices, driver, OpenGL, interop, versions; what is wrong and how to mend it");
  add_scene_options(*view, options, true);
  add_scene_options(*run, options, false);
  bench->add_option("SUITE", options.words, "which suites (warploom list suites); all without any")
      ->type_name("")
      ->expected(0, -1);
  last(*bench, "--backend", options.backend, "auto, cuda or cpu")->type_name("NAME");
  last(*bench, "--stats", options.stats, "every figure with the environment")->type_name("FILE.json|FILE.csv");
  number<int>(*bench, "--samples", options.samples, 3, 100000, "samples a figure, at least (default 30)");
  bench->add_option("--set", options.set, "level, fractal")
      ->type_name("KEY=VALUE")
      ->take_all()
      ->expected(1)
      ->allow_extra_args(false);
  list->add_option("TOPIC", options.words, "what to list; everything without one")->type_name("")->expected(0, -1);
  list->add_flag("--json", options.json, "as JSON");
  doctor->add_flag("--json", options.json, "as JSON");
  last(*doctor, "--backend", options.backend, "which backend to probe the interop of")->type_name("NAME");
  // `warploom [SCENE] [options]` is view: it has no word of its own.
  const bool global =
      !arguments.empty() && (arguments[0] == "--help" || arguments[0] == "-h" || arguments[0] == "--version");
  if (!global && (arguments.empty() || std::find(commands.begin(), commands.end(), arguments[0]) == commands.end()))
    arguments.insert(arguments.begin(), "view");

  const auto chosen = std::find(commands.begin(), commands.end(), arguments.empty() ? "" : arguments[0]);
  if (!global && chosen != commands.end()) check_spelling(*app.get_subcommand(*chosen), arguments);
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
  for (auto* command : app.get_subcommands()) options.command = command->get_name();
  if (options.command != "bench" && options.words.size() > 1)
    throw UsageError("unexpected word '" + options.words[1] + "' after '" + options.words[0] + "'; see warploom " +
                     options.command + " --help");
  if (!options.theme.empty() && options.theme != "dark" && options.theme != "light")
    throw UsageError(unknown_message("theme", options.theme, {"dark", "light"}));
  return std::nullopt;
}

}  // namespace warploom
