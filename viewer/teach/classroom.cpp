#include "viewer/teach/classroom.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <map>
#include <random>
#include <sstream>

#include "gpu/core/error.h"
#include "gpu/core/files.h"
#include "gpu/core/format.h"
#include "gpu/files/input.h"
#include "gpu/own/registry.h"
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

/// A scene of a class names no file outside of it. A captured PNG has its files inside.
void check_scene(const std::filesystem::path& file) {
  if (extension_of(file.string()) != ".toml") return;
  const TomlFile read(read_teaching_file(file, "a scene"), file.string());
  const toml::table* parameters = read.table()["parameters"].as_table();
  if (!parameters) return;
  for (const auto& [key, value] : *parameters)
    if (const auto text = value.value<std::string>(); value.is_string() && text && leads_out(*text))
      read.fail(value, fmt::format("{}: '{}': a scene of a class names files of its own folder alone",
                                   std::string_view(key.str()), *text));
}

}  // namespace

std::filesystem::path Classroom::puzzle(const std::string& key) const {
  if (!std::ranges::count(puzzles, key)) throw UsageError(unknown_message("puzzle of this class", key, puzzles));
  return inside(folder, folder / "puzzles" / (key + ".toml"));
}

std::filesystem::path Classroom::tour(const std::string& key) const {
  return inside(folder, folder / "tours" / (key + ".toml"));
}

std::filesystem::path Classroom::scene(const std::string& name) const {
  return inside(folder, folder / "scenes" / name);
}

Classroom read_classroom(const std::filesystem::path& folder) {
  const auto file = folder / "class.toml";
  if (std::error_code none; std::filesystem::exists(file, none)) (void)inside(folder, file);
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
  for (const auto& scene : all.scenes) check_scene(all.scene(scene));
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
  std::vector<std::pair<std::string, std::string>> own_files;  // as they are named, and their places
  for (const auto& word : wish.tours) {
    const auto file = named_file("tours", word);
    const Tour tour = read_tour(file);
    const bool own = !comes_with_program(file);
    if (wish.check && own) wish.check(tour);
    take(file, "tours", tour.key + ".toml", tours, file.stem().string());
    if (own) own_files.emplace_back(word, "tours/" + tour.key + ".toml");
  }
  for (const auto& word : wish.puzzles) {
    const auto file = named_file("puzzles", word);
    const Puzzle puzzle = read_puzzle(file);
    const std::string& key = puzzle.key;
    if (wish.check_puzzle && !comes_with_program(file)) wish.check_puzzle(puzzle);
    keys.push_back(key);
    take(file, "puzzles", key + ".toml", puzzles, key);
    if (!comes_with_program(file)) own_files.emplace_back(word, "puzzles/" + key + ".toml");
  }
  for (const auto& word : wish.scenes) {
    if (!std::filesystem::exists(word, none)) throw FileError(word + ": no such file");
    if (!holds_scene(word)) throw FileError(word + ": it is no scene of Warploom");
    check_scene(word);
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
    // What stands beside a file of the lecturer's is not taken along: it would be missed by the first student.
    for (const auto& [word, place] : own_files) try {
        if (place.starts_with("puzzles/"))
          (void)read_puzzle(to / place);
        else if (wish.check)
          wish.check(read_tour(to / place));
      } catch (const Cancelled&) {
        throw;
      } catch (const Error& error) {
        std::string why = error.what();
        for (auto at = why.find(to.string() + "/"); at != why.npos; at = why.find(to.string() + "/"))
          why.erase(at, to.string().size() + 1);
        throw FileError(
            fmt::format("{}: alone in the class's folder it does not hold: {}; files beside it are not taken "
                        "along",
                        word, why));
      }
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

}  // namespace warploom
