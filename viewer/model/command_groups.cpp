#include <algorithm>
#include <iterator>

#include "viewer/model/commands.h"

namespace warploom {

namespace {

// In the order of all_commands().
constexpr CommandGroup groups[] = {{"Run", "play"},
                                   {"Tracks", "add_track"},
                                   {"Pictures", "pin"},
                                   {"Measure", "time_maps", "timings plots"},
                                   {"Draw", "paint"},
                                   {"Window", "panels"},
                                   {"Files and figures", "capture", "picture"},
                                   {"Your own maps", "editor", "code text compile"},
                                   {"Undo and cancel", "undo"},
                                   {"Learn", "hand_in", "teach tutorial lesson"},
                                   {"Help", "palette", "manual keys shortcuts"},
                                   {"Interface", "larger", "zoom"},
                                   {"Maps", "map_1"}};

}  // namespace

const CommandGroup& group_of(const Command& command) {
  const CommandGroup* own = groups;
  for (const Command& one : all_commands()) {
    const auto begins = std::ranges::find(groups, one.name, &CommandGroup::first);
    if (begins != std::end(groups)) own = begins;
    if (one.name == command.name) break;
  }
  return *own;
}

}  // namespace warploom
