// Files. Tours write none.
#include "gpu/files/input.h"
#include "viewer/export/recorder.h"
#include "viewer/export/stats.h"
#include "viewer/teach/lines/kinds.h"

namespace warploom {

namespace {

Act read_capture(const std::vector<ScriptWord>& words, ScriptReading& reading) {
  check_count(words, 1, 1, capture_line);
  const std::string name = words[0].text;
  if (extension_of(name) != ".png") throw FileError("capture " + name + ": the name must end in .png");
  reading.captures = true;
  return [name, asked = false](ScriptStage& stage) mutable {
    const std::string file = script_file(stage, name).string();
    if (!asked) {
      check_file_name("capture", file);
      if (!stage.capture) throw Error("capture " + name + ": nothing draws here");
      stage.capture(file);
      asked = true;
    }
    // The window captures the next frame.
    if (!stage.model.capture_wanted.empty() || stage.model.reading()) return false;
    asked = false;
    if (stage.model.notice_is_error && !stage.model.notice.empty()) throw Error(stage.model.notice);
    return true;
  };
}

Act read_record(const std::vector<ScriptWord>& words, ScriptReading& reading) {
  check_count(words, 1, 1, record_line);
  const std::string name = words[0].text == "off" ? "" : words[0].text;
  check_record_name(name);
  reading.captures = reading.films = true;
  return [name](ScriptStage& stage) {
    if (!stage.record) throw Error("record: nothing draws here");
    stage.record(name.empty() ? name : script_file(stage, name).string());
    return true;
  };
}

Act read_stats(const std::vector<ScriptWord>& words, ScriptReading&) {
  check_count(words, 1, 1, stats_line);
  const std::string name = words[0].text;
  check_stats_name(name);
  return [name, stats = StatsNow()](ScriptStage& stage) mutable {
    const std::string file = name == "-" ? name : script_file(stage, name).string();
    check_file_name("stats", file);
    const auto* figures = stats_now(stage, stats);
    if (!figures) return false;
    write_stats(file, *figures);
    stats = {};
    return true;
  };
}

Act read_dump(const std::vector<ScriptWord>& words, ScriptReading&) {
  check_count(words, 1, 1, dump_line);
  return [name = words[0].text, written = Beside<bool>()](ScriptStage& stage) mutable {
    if (stage.model.building()) return false;
    const auto folder = script_file(stage, name);
    check_dump_name(folder);
    if (!written.get(!stage.live, [folder, &runner = stage.model.runner()] {
          write_dump(folder, runner);
          return true;
        }))
      return false;
    written = {};
    return true;
  };
}

}  // namespace

const LineKind capture_line{"capture", "FILE.png", "captures the window", read_capture, false};
const LineKind record_line{"record", "DIR|FILE.mp4|off", "begins a film of the window, or ends it", read_record, false};
const LineKind stats_line{"stats", "FILE.json|FILE.csv", "writes the figures of this moment", read_stats, false};
const LineKind dump_line{"dump", "DIR", "writes the tracks' data as NumPy files", read_dump, false};

}  // namespace warploom
