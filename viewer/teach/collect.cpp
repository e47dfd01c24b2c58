// What students handed in, judged anew: the tables of a class.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <tuple>

#include "gpu/core/error.h"
#include "gpu/core/format.h"
#include "gpu/own/registry.h"
#include "gpu/own/text.h"
#include "viewer/teach/classroom.h"
#include "viewer/teach/toml_file.h"

namespace warploom {

namespace {

using Json = nlohmann::ordered_json;

/// A field of a table: quoted, and nothing that a spreadsheet would run.
std::string field(std::string text) {
  if (!text.empty() && std::string("=+-@\t\r").find(text[0]) != std::string::npos) text.insert(text.begin(), '\'');
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c == '\n' || c == '\r' ? ' ' : c);
  return quoted + "\"";
}

std::string row(const std::vector<std::string>& fields) {
  std::vector<std::string> all;
  all.reserve(fields.size());
  for (const auto& one : fields) all.push_back(field(one));
  return join(all, ",") + "\n";
}

std::string cell_text(const Json& value) {
  return value.is_null() ? "" : value.is_string() ? value.get<std::string>() : value.dump();
}

/// As --set takes it.
std::string setting(const Json& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

/// What judging an answer anew found; its map is code, which only trust runs.
struct JudgedRow {
  std::string name, puzzle, solved, score, unit, claimed, hints, attempts, seconds, note, file;
  std::string text() const {
    return row({name, puzzle, solved, score, unit, claimed, hints, attempts, seconds, note, file});
  }
};

/// An own map of an answer, for as long as that is judged.
struct LoadedMap {
  explicit LoadedMap(OwnSource text) : name(add_own(std::move(text))) {}
  ~LoadedMap() { drop_own(name); }
  LoadedMap& operator=(LoadedMap&&) = delete;  // neither copied nor moved

  const std::string name;
};

void judge_anew(JudgedRow& told, const Classroom& classroom, const Json& answer, bool trust) {
  const auto note = [&](const std::string& words) { told.note += (told.note.empty() ? "" : "; ") + words; };
  try {
    const Puzzle puzzle = read_puzzle(classroom.puzzle(told.puzzle));
    told.unit = puzzle.unit;
    if (answer.value("puzzle_hash", Json()) != puzzle.hash) return note("of another text of this puzzle");
    Settings settings;
    if (!answer.contains("settings") || !answer["settings"].is_object()) return note("damaged: no settings");
    for (const auto& [key, value] : answer["settings"].items()) settings.emplace_back(key, setting(value));
    for (const auto& [key, value] : settings)
      if (leads_out(value)) return note(key + " names a file outside of the class: it is not judged");
    std::optional<LoadedMap> loaded;  // outlives the judge
    if (const Json map = answer.value("map", Json()); map.is_object()) {
      if (!trust) return note("a map of one's own, which is code: judged with --trust alone");
      loaded.emplace(read_own_text(map.value("file", "own.h"), map.value("source", "")));
      // Whatever it was called where it was written: maps of others may have that name here.
      for (auto& [key, value] : settings)
        if (names_own(value)) value = loaded->name + value.substr(parts_of_own(value)[0].size());
    }
    PuzzleJudge judge(puzzle, settings);
    const Judged judged = judge.judge();
    told.solved = judged.solved ? "yes" : "no";
    if (judged.score) told.score = number_text(*judged.score);
    const Json claimed = answer.value("claimed", Json());
    const bool equal = claimed.is_number() && judged.score ? claimed.get<double>() == *judged.score
                                                           : claimed.is_null() && !judged.score;
    if (!equal) note("claimed " + (claimed.is_null() ? "nothing" : told.claimed));
    if (answer.value("solved", Json()).is_boolean() && answer["solved"].get<bool>() != judged.solved)
      note(judged.solved ? "said to be not solved" : "said to be solved: " + judged.missing);
  } catch (const Cancelled&) {
    throw;
  } catch (const std::exception& error) {
    told.solved.clear();
    note(error.what());
  }
}

}  // namespace

Collected collect(const Classroom& classroom, const std::vector<std::string>& files, bool trust,
                  const std::function<bool()>& stopped) {
  std::vector<JudgedRow> rows;
  std::vector<std::array<std::string, 8>> predictions;
  std::map<std::string, std::string> seen;
  Collected all;
  auto sorted = files;
  std::ranges::sort(sorted);
  for (const auto& file : sorted) {
    Json hand_in;
    std::string name;
    const auto left_out = [&](const std::string& why, std::vector<std::string>& told_in) {
      JudgedRow told;
      told.name = name;
      told.note = why;
      told.file = file;
      rows.push_back(told);
      told_in.push_back(why);
    };
    try {
      hand_in = parsed_hand_in(file);
    } catch (const Error& error) {
      left_out(error.what(), all.unread);
      continue;
    }
    // What can be read and does not count has its row, too.
    name = hand_in["name"];
    try {
      if (hand_in["class"] != classroom.id) throw FileError(file + ": it is of another class");
      check_student(name);
    } catch (const Error& error) {
      left_out(error.what(), all.people);
      continue;
    }
    const auto [first, fresh] = seen.emplace(name, file);
    for (const Json& answer : hand_in["answers"]) {
      if (stopped()) throw Cancelled();
      JudgedRow told{name,
                     cell_text(answer.value("puzzle", Json())),
                     "",
                     "",
                     "",
                     cell_text(answer.value("claimed", Json())),
                     cell_text(answer.value("hints", Json())),
                     cell_text(answer.value("attempts", Json())),
                     cell_text(answer.value("seconds", Json())),
                     fresh ? "" : "the same name as in " + first->second,
                     file};
      judge_anew(told, classroom, answer, trust);
      rows.push_back(std::move(told));
    }
    std::vector<std::string> done;
    for (const Json& tour : hand_in["tours"]) done.push_back(cell_text(tour));
    all.people.push_back(fmt::format("{}: {} of {} puzzles answered, {} predictions, tours done: {}", name,
                                     hand_in["answers"].size(), classroom.puzzles.size(), hand_in["predictions"].size(),
                                     done.empty() ? "none" : join(done)));
    // Everyone who handed something in has a row.
    if (hand_in["answers"].empty()) {
      JudgedRow told;
      told.name = name;
      told.note = "no puzzle answered; tours done: " + (done.empty() ? "none" : join(done));
      told.file = file;
      rows.push_back(std::move(told));
    }
    for (const Json& one : hand_in["predictions"]) {
      const auto text = [&](const char* key) { return cell_text(one.value(key, Json())); };
      predictions.push_back(
          {name, text("tour"), text("step"), text("question"), text("given"), text("truth"), text("verdict"), file});
    }
  }
  std::ranges::stable_sort(rows, {}, [](const JudgedRow& one) { return std::tie(one.name, one.puzzle, one.file); });
  std::ranges::stable_sort(predictions);
  all.answers = std::string(answers_header) + "\n";
  for (const JudgedRow& one : rows) all.answers += one.text();
  all.predictions = std::string(predictions_header) + "\n";
  for (const auto& one : predictions) all.predictions += row({one.begin(), one.end()});
  return all;
}

}  // namespace warploom
