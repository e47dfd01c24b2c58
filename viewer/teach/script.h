#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "viewer/teach/lines.h"

namespace warploom {

/// A script that was read: every name in it is known (docs/scripts.md).
struct Script {
  struct Line {
    std::size_t number;  ///< in its file, from 1
    Act act;
  };
  std::string origin;  ///< its file, for errors
  std::vector<Line> lines;
  bool captures = false;  ///< a line draws to a file
  bool films = false;     ///< ... to a film
  bool quits = false;     ///< a line ends the program
};

/// Throws FileError, "FILE:LINE: " first: what is wrong, and the nearest right name. `first`: the number of the text's
/// first line in its file.
Script read_script(const std::string& text, const std::string& origin, ScriptReading reading, std::size_t first = 1);
/// Of a file, or of standard input where its name is "-".
Script read_script_file(const std::string& file, ScriptReading reading);

/// Runs a script, a part of it in each frame.
class ScriptPlayer {
 public:
  explicit ScriptPlayer(Script script) : script_(std::move(script)) {}

  /// Goes on, before a frame is composed, until a line has to wait for one. Throws Error, "FILE:LINE: " first; exit
  /// code 3 for what does not hold, is not there or does not come, else 1.
  void go_on(ScriptStage& stage, double seconds);
  bool done() const { return at_ == script_.lines.size(); }
  const Script& script() const { return script_; }

 private:
  Script script_;
  std::size_t at_ = 0;
};

}  // namespace warploom
