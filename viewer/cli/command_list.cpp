#include "gpu/core/format.h"
#include "viewer/cli/command.h"

namespace warploom {

// A new command is one file and one line here.
// clang-format off
#define WARPLOOM_COMMANDS(one) \
  one(view)                    \
  one(run)                     \
  one(export_tracks)           \
  one(bench)                   \
  one(diff)                    \
  one(class)                   \
  one(list)                    \
  one(doctor)
// clang-format on

#define WARPLOOM_DECLARED(name) CliCommand name##_command();
WARPLOOM_COMMANDS(WARPLOOM_DECLARED)
#undef WARPLOOM_DECLARED

const std::vector<CliCommand>& cli_commands() {
#define WARPLOOM_LISTED(name) name##_command(),
  static const std::vector<CliCommand> all{WARPLOOM_COMMANDS(WARPLOOM_LISTED)};
#undef WARPLOOM_LISTED
  return all;
}

std::vector<std::string> cli_command_names() { return texts_of(cli_commands(), &CliCommand::name); }

}  // namespace warploom
