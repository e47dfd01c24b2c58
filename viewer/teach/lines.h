#pragma once
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "viewer/teach/stage.h"
#include "viewer/teach/words.h"

namespace warploom {

/// One line at work: called once a frame until it is true. Throws Error, whose words have no place yet.
using Act = std::function<bool(ScriptStage&)>;

/// What is known while a script is read, before its first line runs. Lines check their names against it.
struct ScriptReading {
  std::string scene;   ///< in front when the line runs
  bool tour = false;   ///< of a tour, which others wrote: it writes no files
  bool window = true;  ///< a window runs it, which asks, and says things in words
  bool captures = false, films = false, quits = false;
  std::filesystem::path folder;
};

/// A kind of line. A new one is a file in viewer/teach/lines and a line in its list.
struct LineKind {
  const char *name, *takes, *help;
  /// Throws Error where a name is unknown or words are missing.
  Act (*read)(const std::vector<ScriptWord>& words, ScriptReading& reading);  ///< `words` without the first
  bool in_tours = true;
};

const std::vector<const LineKind*>& line_kinds();
const LineKind* find_line(const std::string& name);

/// What a line of any name does: of a kind, or of a command. Throws Error.
Act read_line(const std::vector<ScriptWord>& words, ScriptReading& reading);

// What kinds share.

/// Throws Error unless there are `least` to `most` words after the first.
void check_count(const std::vector<ScriptWord>& words, std::size_t least, std::size_t most, const LineKind& kind);
/// A number from `least` to `most`.
double number_in(const std::string& what, const std::string& word, double least, double most);
/// KEY and VALUE of a word with an equals sign, `value` as typed.
struct Assignment {
  std::string key, value, raw;
};
Assignment assignment_of(const ScriptWord& word, const LineKind& kind);
/// A file that a line names, from the folder of the script.
std::filesystem::path script_file(const ScriptStage& stage, const std::string& name);

}  // namespace warploom
