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

/// What else takes keys: a text field, or an open list.
enum class KeysOf { none, field, list };
/// The command that a key pressed now stands for; null: none, or the key belongs to a field, a list or a dialog that
/// asks for a text.
const Command* pressed_command(const Model& model, int key, int modifiers, KeysOf keys);
/// The command of a key; null: none.
const Command* find_command(int key, int modifiers);
const Command* find_command(const std::string& name);

}  // namespace warploom
