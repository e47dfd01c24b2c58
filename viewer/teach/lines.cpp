#include "viewer/teach/lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gpu/core/error.h"
#include "gpu/core/format.h"
#include "viewer/base/numbers.h"
#include "viewer/model/commands.h"

namespace warploom {

namespace {

/// What a tour, which others wrote, may not ask for: it writes no files, runs no code, and does not leave.
bool refused_in_tours(const std::string& command) {
  static const std::vector<std::string> refused{
      "capture",        "save_picture",   "open_scene", "save_scene",  "save_stats", "save_dump",    "copy_figures",
      "copy_scene",     "paste_scene",    "editor",     "run_map",     "save_own",   "quit",         "forget_learning",
      "open_in_editor", "take_home",      "record",     "handout",     "hand_in",    "welcome",      "tour",
      "tour_next",      "tour_back",      "tour_again", "tour_answer", "tour_end",   "check_puzzle", "hint",
      "predict",        "predict_always", "palette",    "full_screen", "close",      "cancel",       "undo",
      "redo",           "larger",         "smaller",    "normal_size"};
  return std::ranges::count(refused, command) > 0;
}
/// They turn something over, which means another thing the second time; lines that say which are there.
bool toggles(const std::string& command) {
  static const std::vector<std::string> all{"theme", "describe", "help",        "glossary",  "source",
                                            "walk",  "morph",    "slow_launch", "full_size", "colours_as_seen"};
  return std::ranges::count(all, command) > 0;
}

/// A command by its name, as by its key; what it says as an error ends the script.
Act run_command(const Command& command) {
  return [&command](ScriptStage& stage) {
    Model& model = stage.model;
    // It may apply only to tracks that are still being made.
    if (command.applies && model.building()) return false;
    if (!applies(model, command))
      throw Error(command.why_not ? command.why_not(model)
                                  : fmt::format("'{}' has no effect on what is shown", command.title));
    model.tell("");
    command.effect(model);
    if (model.notice_is_error && !model.notice.empty()) throw Error(model.notice);
    return true;
  };
}

}  // namespace

const LineKind* find_line(const std::string& name) {
  const auto at = std::ranges::find(line_kinds(), name, [](const LineKind* kind) { return std::string(kind->name); });
  return at == line_kinds().end() ? nullptr : *at;
}

Act read_line(const std::vector<ScriptWord>& words, ScriptReading& reading) {
  const std::string& name = words[0].text;
  const std::vector<ScriptWord> rest(words.begin() + 1, words.end());
  const LineKind* kind = find_line(name);
  const Command* command = find_command(name);
  if (kind && !(command && rest.empty())) {
    if (reading.tour && !kind->in_tours)
      throw FileError(fmt::format("'{}' is refused in tours, which write no files and press no keys", name));
    return kind->read(rest, reading);
  }
  if (!command) {
    std::vector<std::string> known;
    for (const LineKind* one : line_kinds()) known.emplace_back(one->name);
    for (const Command& one : all_commands()) known.push_back(one.name);
    throw FileError(
        fmt::format("unknown line '{}'; did you mean '{}'? (all: warploom list commands)", name, nearest(name, known)));
  }
  if (!rest.empty()) throw FileError(fmt::format("unexpected word '{}': {} takes none", rest[0].text, name));
  if (reading.tour && kind && kind->takes == std::string_view("on|off"))  // it means another thing the second time
    throw FileError(fmt::format("'{}' toggles: in a tour say '{} on' or '{} off'", name, name, name));
  if (reading.tour && toggles(name))
    throw FileError(
        fmt::format("'{}' toggles, and means another thing the second time; what a line can set, it sets with view "
                    "KEY=VALUE, as in view theme=light",
                    name));
  if (reading.tour && refused_in_tours(name))
    throw FileError(fmt::format("'{}' is refused in tours, which write no files and leave nothing behind", name));
  static const std::vector<std::string> of_windows{"predict", "predict_always", "hand_in", "forget_learning",
                                                   "describe"};
  if (!reading.window && std::ranges::count(of_windows, name) > 0)
    throw FileError(fmt::format("'{}' is done by a window: warploom view --script{}", name,
                                name == "describe" ? "; a run writes words with --describe FILE" : ""));
  if (name == "quit") reading.quits = true;
  return run_command(*command);
}

void check_count(const std::vector<ScriptWord>& words, std::size_t least, std::size_t most, const LineKind& kind) {
  if (words.size() > most)
    throw FileError(fmt::format("unexpected word '{}': {} {}", words[most].text, kind.name, kind.takes));
  if (words.size() < least) throw FileError(fmt::format("a word is missing: {} {}", kind.name, kind.takes));
}

double number_in(const std::string& what, const std::string& word, double least, double most) {
  const auto number = parse_number<double>(word);
  if (!number || !std::isfinite(*number) || *number < least || *number > most)
    throw FileError(fmt::format("{} '{}': expected a number from {:g} to {:g}", what, word, least, most));
  return *number;
}

Assignment assignment_of(const ScriptWord& word, const LineKind& kind) {
  const auto equals = word.text.find('='), raw = word.raw.find('=');
  if (equals == std::string::npos || equals == 0 || word.raw.starts_with('"'))
    throw FileError(fmt::format("'{}': expected KEY=VALUE: {} {}", word.text, kind.name, kind.takes));
  return {word.text.substr(0, equals), word.text.substr(equals + 1), word.raw.substr(raw + 1)};
}

std::filesystem::path script_file(const ScriptStage& stage, const std::string& name) {
  const std::filesystem::path file(name);
  return file.is_absolute() ? file : stage.folder / file;
}

}  // namespace warploom
