#include "viewer/teach/script.h"

#include <iostream>
#include <iterator>
#include <utility>

#include "gpu/core/error.h"
#include "gpu/core/files.h"

namespace warploom {

Script read_script(const std::string& text, const std::string& origin, ScriptReading reading, std::size_t first) {
  Script script{origin, {}};
  const auto lines = script_lines(text, origin);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    try {
      const auto words = script_words(lines[i]);
      if (!words.empty()) script.lines.push_back({first + i, read_line(words, reading)});
    } catch (const Error& error) {
      throw FileError(at_line(origin, first + i) + error.what());
    }
  }
  script.captures = reading.captures;
  script.films = reading.films;
  script.quits = reading.quits;
  return script;
}

Script read_script_file(const std::string& file, ScriptReading reading) {
  if (file != "-") return read_script(read_file(file), file, std::move(reading));
  std::string text{std::istreambuf_iterator<char>(std::cin), {}};
  return read_script(text, "stdin", std::move(reading));
}

void ScriptPlayer::go_on(ScriptStage& stage, double seconds) {
  if (stage.frames++ == 0) stage.model.teaching.cancelled = false;
  stage.seconds += seconds;
  if (std::exchange(stage.model.teaching.cancelled, false) && !done()) {
    const std::size_t number = script_.lines[at_].number;
    at_ = script_.lines.size();
    stage.hand.drop();
    throw Error(at_line(script_.origin, number) + "the script was cancelled");
  }
  while (!done()) {
    const Script::Line& line = script_.lines[at_];
    try {
      if (!stage.hand.idle()) return stage.hand.next();
      if (!line.act(stage)) return;
    } catch (const Cancelled&) {
      at_ = script_.lines.size();
      throw;
    } catch (const std::exception& error) {
      at_ = script_.lines.size();
      const auto* ours = dynamic_cast<const Error*>(&error);
      const bool failed = ours && ours->code() == ExitCode::verification;
      throw Error(at_line(script_.origin, line.number) + error.what(),
                  failed ? ExitCode::verification : ExitCode::failure);
    }
    ++at_;
  }
}

}  // namespace warploom
