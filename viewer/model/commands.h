#pragma once
#include <functional>
#include <string>
#include <vector>

#include "viewer/model/model.h"

namespace warploom {

/// Something the user can ask for: feeds keys, palette, help, `list commands`, and tests.
struct Command {
  std::string name, title;
  int key = 0;        ///< GLFW's key code; 0: none
  int modifiers = 0;  ///< GLFW's modifier bits
  std::function<void(Model&)> effect;
  int other_key = 0;                  ///< a second key for the same
  bool (*applies)(Model&) = nullptr;  ///< whether it has an effect on what is shown; null: always
  /// Where it does not apply: why, and what would help. Null: that it has no effect is all that can be said.
  std::string (*why_not)(Model&) = nullptr;
};

/// Every command, in the order of the help.
const std::vector<Command>& all_commands();

/// A heading of the help. Commands from `first` on belong to it, up to the next group's.
struct CommandGroup {
  const char *title, *first;
  const char* also = "";  ///< words that find its commands, too
};
const CommandGroup& group_of(const Command& command);

/// Its key as people write it: "Ctrl+Shift+P"; empty without one.
std::string key_text(const Command& command);

/// Whether it has an effect on what is shown now: help and palette list only those.
bool applies(Model& model, const Command& command);

/// Runs it where it applies; what it throws becomes a notice.
void carry_out(Model& model, const Command& command);

/// What the arrow keys walk in a presentation: the warps of a slow launch that is under way, the stages of a network,
/// the parameter that a figure has a handle for, or else a slow launch.
enum class Walked { nothing, stages, handle, warps };
Walked walked_by_arrows(Model& model);
/// Walks on; `across`: by whole blocks of warps, or to another element of the stage.
void walk_on(Model& model, int by, bool across = false);
/// Begins the keyboard's walk through the widgets, or goes on to the next pane, `by` 1, or the one before, -1.
void walk_by_pane(Model& model, int by);
/// Where that is: "stage 3 of 6: digit 3, 4 wires apart"; empty: nowhere yet.
std::string walked_words(Model& model);
/// Steps to another stage, in the active track or the first that has stages; without any, to another formula level.
void step_stage(Model& model, int by);
/// Moves the slow launch by `warps`; past the last one everything is shown again.
void launch_by(Model& model, int warps);

/// What else takes keys: a text field, or an open list.
enum class KeysOf { none, field, list };
/// The keyboard's walk begins by this key: on the page of the first start, and in the list of tours.
bool begins_walk(const Model& model, int key);
/// A key that went down: begins the walk where it does, and carries out its command.
void take_key(Model& model, int key, int modifiers, KeysOf keys);
/// The page of the first start is left by this key. Others walk through it, or are shortcuts that work there, too.
bool leaves_welcome(int key, int modifiers);
/// The command that a key pressed now stands for; null: none, or the key belongs to a field, a list or a dialog that
/// asks for a text.
const Command* pressed_command(const Model& model, int key, int modifiers, KeysOf keys);
/// The command of a key; null: none.
const Command* find_command(int key, int modifiers);
const Command* find_command(const std::string& name);

}  // namespace warploom
