#include "viewer/teach/classroom.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <array>
#include <map>
#include <random>
#include <sstream>

#include "gpu/core/error.h"
#include "gpu/core/files.h"
#include "gpu/core/format.h"
#include "gpu/files/input.h"
#include "gpu/own/registry.h"
#include "gpu/own/text.h"
#include "viewer/export/written_folder.h"
#include "viewer/model/scene_text.h"
#include "viewer/teach/toml_file.h"

namespace warploom {

namespace {

using Json = nlohmann::ordered_json;
constexpr std::size_t most_bytes = 1u << 20;

/// A name of a file in the class's folder, and nothing that leads out of it.
bool is_plain(const std::string& key) {
  return !key.empty() && key.find('/') == key.npos && key.find('\\') == key.npos && key[0] != '.';
}

std::filesystem::path inside(const std::filesystem::path& folder, const std::filesystem::path& file) {
  std::error_code failed;
  auto whole = std::filesystem::canonical(file, failed);
  if (failed) throw FileError(file.string() + ": " + failed.message());
  const auto root = std::filesystem::canonical(folder);
  if (std::mismatch(root.begin(), root.end(), whole.begin(), whole.end()).first != root.end())
    throw FileError(file.string() + ": it leads out of the class's folder");
  return whole;
}

std::string new_id() {
  std::random_device random;
  return fmt::format("{:08x}{:08x}", random(), random());
}

bool is_id(const std::string& id) { return id.size() == 16 && id.find_first_not_of("0123456789abcdef") == id.npos; }

std::string read_me(const std::string& title, const std::string& folder, const std::vector<std::string>& puzzles) {
  const std::string puzzle = puzzles.empty() ? "KEY" : puzzles[0];
  return fmt::format(
      "# {0}\n\nOpen the class: its page leads to tours, puzzles and scenes, and *Hand in* writes the file that you "
      "give back, your name.warploom.json. What you did is kept until then, also when you close the window.\n\n```sh\n"
      "warploom view --class {1}\n```\n\nThe same from a terminal, an answer to a puzzle at a time, as often as you "
      "like; the file holds the last one to each:\n\n```sh\nwarploom class answer {1} --name \"Your name\" --puzzle "
      "{2} --set KEY=VALUE --out \"Your name.warploom.json\"\n```\n\n## For the lecturer\n\nAll files are judged anew; "
      "a score that is claimed is never believed:\n\n```sh\n"
      "warploom class collect {1} *.warploom.json --out results.csv --out-predictions predictions.csv\n```\n",
      title, folder, puzzle);
}

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

Json parsed_hand_in(const std::filesystem::path& file) {
  std::error_code failed;
  if (const auto size = std::filesystem::file_size(file, failed); !failed && size > most_bytes)
    throw FileError(fmt::format("{}: {} bytes, {} are the most", file.string(), size, most_bytes));
  Json all;
  try {
    all = Json::parse(read_input(file, "what a student hands in, .json"));
  } catch (const Json::exception&) {
    throw FileError(file.string() + ": it is damaged: no JSON");
  }
  const auto list = [&](const char* key) { return all.contains(key) && all[key].is_array(); };
  if (!all.is_object() || all.value("schema", Json()) != "warploom.class/1" || !all.contains("name") ||
      !all["name"].is_string() || !all.contains("class") || !list("answers") || !list("predictions") || !list("tours"))
    throw FileError(file.string() + ": it is no warploom.class/1");
  for (const char* key : {"answers", "predictions"})
    for (const Json& one : all[key])
      if (!one.is_object()) throw FileError(file.string() + ": it is damaged: '" + key + "' holds no objects");
  return all;
}

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

std::filesystem::path Classroom::puzzle(const std::string& key) const {
  if (!std::ranges::count(puzzles, key)) throw UsageError(unknown_message("puzzle of this class", key, puzzles));
  return inside(folder, folder / "puzzles" / (key + ".toml"));
}

std::filesystem::path Classroom::tour(const std::string& key) const {
  return inside(folder, folder / "tours" / (key + ".toml"));
}

Classroom read_classroom(const std::filesystem::path& folder) {
  const auto file = folder / "class.toml";
  const TomlFile read(read_teaching_file(file, "a class"), file.string());
  const toml::table& table = read.table();
  read.check_keys(table, {"schema", "title", "id", "tours", "puzzles", "scenes"});
  read.check_schema();
  Classroom all{folder, read.text(table, "title", 80), read.text(table, "id", 16), {}, {}, {}};
  if (!is_id(all.id)) read.fail(*table.get("id"), "id: expected 16 hex digits");
  for (const auto& [key, list] : {std::pair{"tours", &all.tours}, {"puzzles", &all.puzzles}, {"scenes", &all.scenes}}) {
    *list = read.texts(table, key, 0, 200);
    for (const auto& one : *list)
      if (!is_plain(one))
        read.fail(*table.get(key), std::string(key) + ": '" + one + "' is no name in the class's folder");
  }
  return all;
}

void make_classroom(const std::filesystem::path& folder, const ClassWish& wish) {
  std::error_code none;
  if (std::filesystem::exists(std::filesystem::symlink_status(folder, none)))
    throw FileError(folder.string() + ": it is there already; name a new folder");
  if (wish.title.empty()) throw UsageError("class new: --title TITLE says what the class is called");
  std::map<std::string, std::pair<std::string, std::string>> files;  // by place in the folder: text, origin
  toml::array tours, puzzles, scenes;
  const auto take = [&](const std::filesystem::path& from, const char* room, const std::string& name, toml::array& to,
                        const std::string& listed) {
    const std::string place = std::string(room) + "/" + name;
    if (files.contains(place)) throw UsageError(fmt::format("{}: '{}' is named twice", room, name));
    files[place] = {read_teaching_file(from, "a file of a class"), from.string()};
    to.push_back(listed);
  };
  std::vector<std::string> keys;
  for (const auto& word : wish.tours) {
    const auto file = named_file("tours", word);
    const Tour tour = read_tour(file);
    if (wish.check && !comes_with_program(file)) wish.check(tour);
    take(file, "tours", tour.key + ".toml", tours, file.stem().string());
  }
  for (const auto& word : wish.puzzles) {
    const auto file = named_file("puzzles", word);
    const std::string key = read_puzzle(file).key;
    keys.push_back(key);
    take(file, "puzzles", key + ".toml", puzzles, key);
  }
  for (const auto& word : wish.scenes) {
    if (!std::filesystem::exists(word, none)) throw FileError(word + ": no such file");
    if (!holds_scene(word)) throw FileError(word + ": it is no scene of Warploom");
    const std::string name = std::filesystem::path(word).filename().string();
    take(word, "scenes", name, scenes, name);
  }
  if (files.empty()) throw UsageError("class new: name a --tour, a --puzzle or a --scene-file");
  std::ostringstream text;
  text << toml::table{{"schema", 1},    {"title", wish.title}, {"id", new_id()},
                      {"tours", tours}, {"puzzles", puzzles},  {"scenes", scenes}}
       << "\n";
  auto name = std::filesystem::absolute(folder).lexically_normal();
  if (name.filename().empty()) name = name.parent_path();
  write_folder({"class new", folder}, [&](const std::filesystem::path& to) {
    for (const char* room : {"tours", "puzzles", "scenes"}) std::filesystem::create_directory(to / room);
    for (const auto& [place, file] : files) write_atomically(to / place, file.first);
    write_atomically(to / "class.toml", text.str());
    write_atomically(to / "README.md", read_me(wish.title, name.filename().string(), keys));
  });
}

void check_student(const std::string& name) {
  const auto letters = std::ranges::count_if(name, [](char c) { return (c & 0xc0) != 0x80; });
  if (name.empty()) throw UsageError("--name: who hands this in?");
  if (letters > 80) throw UsageError(fmt::format("--name: {} characters, 80 are the most", letters));
  if (valid_utf8(name) != name ||
      std::ranges::any_of(name, [](char c) { return static_cast<unsigned char>(c) < 32 || c == 127; }))
    throw UsageError("--name: it holds control characters");
}

Json empty_hand_in(const Classroom& classroom, const std::string& name) {
  return {{"schema", "warploom.class/1"}, {"class", classroom.id},    {"name", name},
          {"version", WARPLOOM_VERSION},  {"answers", Json::array()}, {"predictions", Json::array()},
          {"tours", Json::array()}};
}

void add_work(Json& hand_in, const Json& work) {
  const auto add = [&](const char* list, const std::vector<std::string>& keys) {
    for (const Json& one : work[list]) {
      const auto known = std::ranges::find_if(hand_in[list], [&](const Json& had) {
        if (keys.empty()) return had == one;
        return had.is_object() && std::ranges::all_of(keys, [&](const std::string& key) {
                 return had.value(key, Json()) == one.value(key, Json());
               });
      });
      if (known == hand_in[list].end())
        hand_in[list].push_back(one);
      else
        *known = one;
    }
  };
  add("answers", {"puzzle"});
  add("predictions", {"tour", "step", "question"});
  add("tours", {});
}

Json read_hand_in(const std::filesystem::path& file, const Classroom& classroom, const std::string& name) {
  if (std::error_code none; !std::filesystem::exists(file, none)) return empty_hand_in(classroom, name);
  Json all = parsed_hand_in(file);
  if (all["class"] != classroom.id) throw FileError(file.string() + ": it is of another class");
  if (all["name"] != name) throw FileError(file.string() + ": it is " + all["name"].get<std::string>() + "'s");
  return all;
}

Json own_map_of(const Settings& answer) {
  for (const auto& [key, value] : answer)
    if (names_own(value)) {
      const auto text = find_own(value);
      return {{"file", text->file}, {"source", text->source}};
    }
  return nullptr;
}

void add_answer(Json& hand_in, const Json& answer, std::size_t attempts, std::uint64_t seconds, const Json& map) {
  Json told{{"puzzle", answer["puzzle"]},
            {"puzzle_hash", answer["puzzle_hash"]},
            {"settings", answer["answer"]},
            {"map", map},
            {"solved", answer["solved"]},
            {"claimed", answer["score"]},
            {"hints", answer["hints"]},
            {"attempts", attempts},
            {"seconds", seconds}};
  for (Json& one : hand_in["answers"])
    if (one.is_object() && one.value("puzzle", Json()) == answer["puzzle"]) {
      if (one.value("attempts", Json()).is_number()) told["attempts"] = attempts + one["attempts"].get<std::size_t>();
      one = std::move(told);
      return;
    }
  hand_in["answers"].push_back(std::move(told));
}

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
  all.answers = "name,puzzle,solved,score,unit,claimed,hints,attempts,seconds,note,file\n";
  for (const JudgedRow& one : rows) all.answers += one.text();
  all.predictions = "name,tour,step,question,given,truth,verdict,file\n";
  for (const auto& one : predictions) all.predictions += row({one.begin(), one.end()});
  return all;
}

}  // namespace warploom
