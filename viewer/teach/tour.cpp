#include "viewer/teach/tour.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <map>
#include <set>

#include "gpu/core/error.h"
#include "gpu/core/files.h"
#include "gpu/core/format.h"
#include "gpu/files/input.h"
#include "viewer/base/numbers.h"
#include "viewer/base/paths.h"
#include "viewer/model/commands.h"
#include "viewer/model/scene_parts.h"
#include "viewer/model/scene_text.h"
#include "viewer/teach/toml_file.h"

namespace warploom {

namespace {

constexpr std::size_t most_steps = 200, most_checks = 100, longest_text = 420;

/// Words in double brackets are of the glossary.
void check_terms(const TomlFile& file, const toml::node& node, const std::string& text) {
  std::vector<std::string> known;
  for (const Term& term : glossary()) known.emplace_back(term.word);
  for (auto at = text.find("[["); at != text.npos; at = text.find("[[", at + 2)) {
    const auto end = text.find("]]", at);
    if (end == text.npos) file.fail(node, "[[ without ]]");
    const std::string word = text.substr(at + 2, end - at - 2);
    if (meaning(word).empty())
      file.fail(node, fmt::format("no word of the glossary: '{}'; did you mean '{}'?", word, nearest(word, known)));
  }
}

std::vector<LineCheck> read_checks(const TomlFile& file, const toml::node& node) {
  std::vector<LineCheck> all;
  const auto [text, first] = file.block(node);
  const auto lines = script_lines(text, file.origin());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    try {
      if (script_words(lines[i]).empty()) continue;
      if (all.size() == most_checks) throw UsageError(fmt::format("more than {} checks", most_checks));
      all.push_back({first + i, Expression::read(lines[i])});
    } catch (const Error& error) {
      file.fail_at(first + i, error.what());
    }
  }
  return all;
}

Question read_question(const TomlFile& file, const toml::table& table) {
  file.check_keys(table,
                  {"question", "kind", "low", "high", "unit", "log", "choices", "answer", "said", "why", "look"});
  Question question;
  question.line = file.line(table);
  question.text = file.text(table, "question", 200);
  question.said = file.text(table, "said", longest_text, false);
  question.unit = file.text(table, "unit", 24, false);
  const std::string kind = file.text(table, "kind", 24);
  const std::vector<std::string> kinds{"number", "choice", "place", "ratio"};
  const auto at = std::ranges::find(kinds, kind);
  if (at == kinds.end()) file.fail(*table.get("kind"), unknown_message("kind of question", kind, kinds));
  question.kind = static_cast<Question::Kind>(at - kinds.begin());
  const auto words = [&](const char* key, std::size_t least, std::size_t most) {
    auto all = file.texts(table, key, least, most);
    if (std::set<std::string>(all.begin(), all.end()).size() != all.size())
      file.fail(*table.get(key), std::string(key) + ": one of them is there twice");
    return all;
  };
  switch (question.kind) {
    case Question::Kind::number:
      question.low = file.number(table, "low");
      question.high = file.number(table, "high");
      if (question.low >= question.high) file.fail(table, "low is not below high");
      question.logarithmic = file.boolean(table, "log");
      if (question.logarithmic && question.low <= 0) file.fail(table, "log: low has to be above 0");
      break;
    case Question::Kind::choice:
      question.choices = words("choices", 2, 6);
      break;
    case Question::Kind::ratio:
      question.choices = table.contains("why") ? words("why", 2, 4) : question.choices;
      break;
    case Question::Kind::place:
      break;
  }
  if (question.kind == Question::Kind::ratio) {
    if (table.contains("answer")) file.fail(table, "answer: a ratio is measured");
    return question;
  }
  question.answer = file.text(table, "answer", 200);
  if (question.kind == Question::Kind::place) try {
      (void)parse_selection(question.answer, "ABCD");
    } catch (const Error& error) {
      file.fail(*table.get("answer"), error.what());
    }
  if (question.kind == Question::Kind::choice && !std::ranges::count(question.choices, question.answer))
    file.fail(*table.get("answer"), unknown_message("choice", question.answer, question.choices));
  if (question.kind == Question::Kind::number) {
    try {
      question.counted = Expression::read(question.answer + " = " + question.answer);
    } catch (const Error& error) {
      file.fail(*table.get("answer"), error.what());
    }
    const auto fixed = parse_number<double>(question.answer);
    if (fixed && (*fixed < question.low || *fixed > question.high))
      file.fail(*table.get("answer"),
                fmt::format("answer {} lies outside {:g} to {:g}", *fixed, question.low, question.high));
  }
  return question;
}

bool glides(const std::string& text) {
  for (const std::string& line : script_lines(text, "")) {
    const auto words = script_words(line);
    if (words.size() > 3 && words[0].text == "view" && words[words.size() - 2].raw == "in") return true;
  }
  return false;
}

TourStep read_step(const TomlFile& file, const toml::table& table, ScriptReading& reading) {
  file.check_keys(table, {"title", "text", "do", "until", "then", "check", "ask"});
  TourStep step;
  step.line = file.line(table);
  step.title = file.text(table, "title", 48);
  step.text = file.text(table, "text", longest_text);
  check_terms(file, *table.get("text"), step.text);
  const auto lines = [&](const char* key, const toml::table* of = nullptr) {
    const toml::node* node = (of ? *of : table).get(key);
    if (!node) return Script{file.origin(), {}};
    const auto [text, first] = file.block(*node);
    Script script = read_script(text, file.origin(), reading, first);
    step.glides = step.glides || (std::string(key) == "do" && glides(text));
    return script;
  };
  step.script = lines("do");
  if (const toml::node* until = table.get("until")) {
    const auto all = read_checks(file, *until);
    if (all.size() != 1) file.fail(*until, "until: expected one expression");
    step.until = all[0];
    if (!table.contains("then") && !step.glides) file.fail(*until, "until without then: Next has to bring it about");
  } else if (const toml::node* then = table.get("then")) {
    file.fail(*then, "then without until");
  }
  step.then = lines("then");
  if (const toml::node* check = table.get("check")) step.checks = read_checks(file, *check);
  if (const toml::node* ask = table.get("ask")) {
    if (!ask->is_table()) file.fail(*ask, "ask: expected a table, [steps.ask]");
    step.question = read_question(file, *ask->as_table());
    step.look = lines("look", ask->as_table());
    for (const char* key : {"question", "said"})
      if (const toml::node* words = ask->as_table()->get(key))
        check_terms(file, *words, words->value_or(std::string()));
  }
  return step;
}

/// What a list says of a tour, its steps unread.
TourRow row_of(const std::filesystem::path& file) {
  const TomlFile read(read_teaching_file(file, "a tour"), file.string());
  const toml::table& table = read.table();
  return {file.stem().string(),
          read.text(table, "tour", 60),
          read.text(table, "idea", 160),
          read.text(table, "scene", 60),
          static_cast<int>(table.contains("minutes") ? read.number(table, "minutes", 1, 60) : 0),
          read.tables(table, "steps", most_steps).size(),
          file.string()};
}

}  // namespace

Tour read_tour_text(const std::string& text, const std::string& origin, const std::filesystem::path& folder) {
  const TomlFile file(text, origin);
  const toml::table& table = file.table();
  file.check_keys(table, {"schema", "tour", "idea", "minutes", "scene", "needs", "steps"});
  file.check_schema();
  Tour tour;
  tour.origin = origin;
  tour.folder = folder;
  tour.key = std::filesystem::path(origin).stem().string();
  tour.title = file.text(table, "tour", 60);
  tour.idea = file.text(table, "idea", 160);
  tour.minutes = static_cast<int>(table.contains("minutes") ? file.number(table, "minutes", 1, 60) : 0);
  tour.scene = file.scene(table);
  const std::string needs = file.text(table, "needs", 24, false);
  if (!needs.empty() && needs != "cuda" && needs != "cpu")
    file.fail(*table.get("needs"), unknown_message("need", needs, {"cpu", "cuda"}));
  if (!needs.empty()) tour.needs = needs == "cpu" ? Backend::cpu : Backend::cuda;
  ScriptReading reading{.scene = tour.scene, .tour = true, .folder = folder};
  for (const toml::table* step : file.tables(table, "steps", most_steps))
    tour.steps.push_back(read_step(file, *step, reading));
  return tour;
}

Tour read_tour(const std::filesystem::path& file) {
  return read_tour_text(read_teaching_file(file, "a tour"), file.string(),
                        std::filesystem::absolute(file).parent_path());
}

std::vector<std::filesystem::path> shipped_files(const std::string& what) {
  std::map<std::string, std::filesystem::path> known;
  for (const auto& folder : {data_folder() / "assets" / what, config_folder() / what}) {
    std::error_code missing;
    for (const auto& entry : std::filesystem::directory_iterator(folder, missing))
      if (extension_of(entry.path()) == ".toml" && !entry.path().filename().string().starts_with('.'))
        known[valid_utf8(entry.path().stem().string())] = entry.path();
  }
  std::vector<std::filesystem::path> files;
  files.reserve(known.size());
  for (const auto& [key, file] : known) files.push_back(file);
  return files;
}

bool comes_with_program(const std::filesystem::path& file) {
  return file.parent_path().parent_path() == data_folder() / "assets";
}

std::filesystem::path named_file(const std::string& what, const std::string& word) {
  if (word.find('/') != word.npos || word.ends_with(".toml")) {
    std::error_code none;
    if (!std::filesystem::is_regular_file(word, none)) throw FileError(word + ": there is no such file");
    return word;
  }
  std::vector<std::string> keys;
  for (const auto& file : shipped_files(what)) {
    keys.push_back(file.stem().string());
    if (keys.back() == word) return file;
  }
  throw UsageError(unknown_message(what.substr(0, what.size() - 1), word, keys));
}

std::vector<TourRow> known_tours(std::vector<std::string>* left_out) {
  std::vector<TourRow> rows;
  for (const auto& file : shipped_files("tours")) try {
      // All of the user's own are read, to say what is wrong with them; tests hold what comes with the program, and
      // reading its lines takes longer than the window takes to open.
      if (!comes_with_program(file)) (void)read_tour(file);
      rows.push_back(row_of(file));
    } catch (const Error& error) {
      if (left_out) left_out->push_back(std::string(error.what()) + ": left out");
    }
  // In the order in which they build on each other; others come after, by their names.
  std::vector<std::string> order;
  try {
    order = script_lines(read_file(data_folder() / "assets" / "tours" / "order.txt"), "order.txt");
  } catch (const Error&) {
    // Then by their names alone.
  }
  std::ranges::stable_sort(rows, {},
                           [&](const TourRow& row) { return std::ranges::find(order, row.key) - order.begin(); });
  return rows;
}

Backend backend_of(const Tour& tour, const std::string& wanted) {
  return choose_backend(wanted == "auto" && tour.needs == Backend::cpu ? "cpu" : wanted);
}

}  // namespace warploom
