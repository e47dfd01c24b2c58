#pragma once
#include <functional>
#include <string>
#include <vector>

#include "gpu/core/error.h"

namespace CLI {
class App;
}

namespace warploom {

/// A command of the command line: one file of this folder that defines `CliCommand NAME_command()`, and one line in
/// command_list.cpp. Its word, its help and the messages that name the commands follow.
struct CliCommand {
  std::string name;
  std::string description;  ///< in the help
  /// Adds its options to `app` (see fields.h) and gives what carries it out once they are read. That throws Error.
  std::function<ExitCode()> (*declare)(CLI::App& app);
};

/// Every command, in the order of the help. The first is the one that needs no word.
const std::vector<CliCommand>& cli_commands();
std::vector<std::string> cli_command_names();

/// A command, or something that it takes.
struct CliWord {
  std::string name;     ///< "run", "--set", or what the help calls a word: "SCENE"
  std::string command;  ///< whose it is; empty: it is a command
  std::string takes;    ///< "KEY=VALUE"; alternatives are parted by '|': "dark|light"; empty: nothing
  std::string help;
};
/// Every command, what it takes after each. Man page and completion are made from it.
std::vector<CliWord> cli_words();

/// Reads the command line (argc and argv of main) and gives what it asks for; help and version are printed by what is
/// given. Throws UsageError with the nearest option.
std::function<ExitCode()> read_command(int count, const char* const* words);

}  // namespace warploom
