#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <map>
#include <set>

#include "gpu/core/format.h"
#include "viewer/cli/command.h"

namespace warploom {

namespace {

/// Checks options before CLI11 reads them: the value of a misspelt one would become a word, and an empty value counts
/// as missing.
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
    if (!std::ranges::count(known, name)) throw UsageError(unknown_message("option", name, known));
    if (flags.contains(name)) continue;
    const bool attached = equals != std::string::npos;
    if (attached ? equals + 1 == word.size() : i + 1 == arguments.size() || arguments[i + 1].empty())
      throw UsageError(name + ": expects " + types[name] + "; see warploom " + app.get_name() + " --help");
    if (!attached) ++i;
  }
}

}  // namespace

std::vector<CliWord> cli_words() {
  std::vector<CliWord> all;
  for (const auto& command : cli_commands()) {
    all.push_back({command.name, "", "", command.description});
    CLI::App app;
    (void)command.declare(app);
    for (const auto* option : app.get_options()) {
      const auto& names = option->get_lnames();
      all.push_back({names.empty() ? option->get_name() : "--" + names[0], command.name,
                     option->get_expected_max() == 0 ? "" : option->get_type_name(), option->get_description()});
    }
  }
  return all;
}

std::function<ExitCode()> read_command(int count, const char* const* words) {
  std::vector<std::string> arguments(words + 1, words + count);
  CLI::App app{"Warploom shows how GPU threads find their data.", "warploom"};
  app.set_version_flag("--version", std::string("warploom ") + WARPLOOM_VERSION);
  app.require_subcommand(1);
  app.footer(
      "Without a command: view.   warploom list shows every scene, map, fractal and parameter.\n"
      "Exit codes: 0 done, 1 failure (a file), 2 usage (a value), 3 verification failed, 4 no usable CUDA,\n"
      "            5 no usable OpenGL or display.");
  std::map<std::string, std::function<ExitCode()>> carry_out;
  for (const auto& command : cli_commands())
    carry_out[command.name] = command.declare(*app.add_subcommand(command.name, command.description));
  // "--" ends the options: what follows are names of files, whatever they begin with.
  if (const auto end = std::ranges::find(arguments, "--"); end != arguments.end()) {
    for (auto word = end + 1; word != arguments.end(); ++word)
      if (word->starts_with('-')) word->insert(0, "./");
    arguments.erase(end);
  }
  // `help` and `help COMMAND` are --help, as of other programs.
  if (!arguments.empty() && arguments[0] == "help") {
    if (arguments.size() > 1 && !carry_out.contains(arguments[1]))
      throw UsageError(unknown_message("command", arguments[1], cli_command_names()));
    arguments.resize(std::min<std::size_t>(arguments.size(), 2));
    std::rotate(arguments.begin(), arguments.begin() + 1, arguments.end());
    arguments.back() = "--help";
  }
  // `warploom [SCENE] [options]` is view: it has no word of its own.
  const bool global =
      !arguments.empty() && (arguments[0] == "--help" || arguments[0] == "-h" || arguments[0] == "--version");
  if (!global && (arguments.empty() || !carry_out.contains(arguments[0])))
    arguments.insert(arguments.begin(), cli_commands().front().name);
  const std::string chosen = arguments[0];
  if (!global) check_spelling(*app.get_subcommand(chosen), arguments);
  try {
    std::reverse(arguments.begin(), arguments.end());  // CLI11 takes them from the back
    app.parse(arguments);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() != 0) throw UsageError(error.what());
    std::ostringstream help;
    app.exit(error, help, help);
    return [text = help.str()] {
      std::cout << text << std::flush;
      if (!std::cout) throw FileError("stdout: cannot be written");
      return ExitCode::done;
    };
  }
  return carry_out.at(chosen);
}

}  // namespace warploom
