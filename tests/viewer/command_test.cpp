#include "viewer/cli/command.h"

#include <set>

#include "tests/files/files.h"

namespace warploom {
namespace {

std::function<ExitCode()> read(const std::vector<const char*>& words) {
  std::vector<const char*> all{"warploom"};
  all.insert(all.end(), words.begin(), words.end());
  return read_command(static_cast<int>(all.size()), all.data());
}

/// What it prints when it is carried out.
std::string printed(const std::function<ExitCode()>& command) {
  ::testing::internal::CaptureStdout();
  EXPECT_EQ(command(), ExitCode::done);
  return ::testing::internal::GetCapturedStdout();
}

TEST(Commands, EachOfTheTableHasItsWordAndItsHelp) {
  const std::string help = printed(read({"--help"}));
  std::set<std::string> names;
  for (const auto& command : cli_commands()) {
    EXPECT_TRUE(names.insert(command.name).second) << command.name;
    EXPECT_NE(help.find("\n  " + command.name + " "), std::string::npos) << help;
    EXPECT_NE(help.find(command.description.substr(0, 20)), std::string::npos) << help;
    const std::string own = printed(read({command.name.c_str(), "--help"}));
    EXPECT_NE(own.find("warploom " + command.name + " [OPTIONS]"), std::string::npos) << own;
    expect_parts(message_of<UsageError>([&] { (void)read({command.name.c_str(), "--hepl"}); }), {"--hepl", "--help"});
  }
  EXPECT_EQ(cli_command_names().front(), "view");  // what no word means
  EXPECT_EQ(names.size(), cli_command_names().size());
}

TEST(Commands, MisspeltOnesAndOptionsAreTold) {
  for (const auto& [words, parts] : std::vector<std::pair<std::vector<const char*>, std::vector<std::string>>>{
           {{"rnu"}, {"scene or command 'rnu'", "'run'"}},
           {{"bench", "--samples", "2"}, {"--samples 2: expected a whole number from 3 to 100000"}},
           {{"run", "--size", "10x10"}, {"--size 10x10: expected WIDTHxHEIGHT"}},
           {{"list", "works", "maps"}, {"unexpected word 'maps' after 'works'; see warploom list --help"}},
           {{"run", "fractal", "--theme", "drak"}, {"'drak'", "dark"}},
           {{"list", "--samples", "5"}, {"--samples"}}}) {
    const std::string message = message_of<UsageError>([&, &given = words] { (void)read(given)(); });
    for (const auto& part : parts) expect_parts(message, {part});
  }
}

}  // namespace
}  // namespace warploom
