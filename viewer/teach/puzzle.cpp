#include "viewer/teach/puzzle.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "gpu/core/error.h"
#include "gpu/core/format.h"
#include "gpu/core/hash.h"
#include "viewer/export/stats.h"
#include "viewer/model/parameters.h"
#include "viewer/teach/toml_file.h"

namespace warploom {

namespace {

using Json = nlohmann::ordered_json;
constexpr std::size_t most_goals = 50, most_hints = 20, most_cases = 20;

/// The values of a table, as --set takes them.
Settings settings_of(const TomlFile& file, const toml::table& table) {
  Settings all;
  for (const auto& [key, node] : table) {
    std::string value;
    if (const auto word = node.value<std::string>(); word && node.is_string())
      value = *word;
    else if (const auto whole = node.value<std::int64_t>(); whole && node.is_integer())
      value = std::to_string(*whole);
    else if (const auto real = node.value<double>(); real && node.is_floating_point())
      value = to_text(Value(*real));
    else
      file.fail(node, std::string(key.str()) + ": expected a number or a text, as of --set");
    if (leads_out(value))
      file.fail(node, fmt::format("{}: '{}': a puzzle names files of its own folder alone", key.str(), value));
    all.emplace_back(std::string(key.str()), value);
  }
  return all;
}

std::vector<LineCheck> goals_of(const TomlFile& file, const toml::table& table) {
  std::vector<LineCheck> goals;
  // First, since it refuses what is no list.
  const auto texts = file.texts(table, "goals", 1, most_goals);
  const toml::array& list = *table.get("goals")->as_array();
  for (const std::string& text : texts) {
    const toml::node& node = *list.get(goals.size());
    try {
      goals.push_back({file.line(node), Expression::read(text)});
      // What a window shows is the same for every answer: only its score is of the answer.
      if (const std::string path = goals.back().asked.window_path("score"); !path.empty())
        throw FileError("'" + path + "': a goal asks for figures of the answer, not for what the window shows");
    } catch (const Error& error) {
      file.fail(node, error.what());
    }
  }
  return goals;
}

/// A scene of the puzzle with values over its own; ranks as on the command line.
std::unique_ptr<Scene> scene_with(const Puzzle& puzzle, const std::vector<const Settings*>& all) {
  std::unique_ptr<Scene> scene;
  for (auto& one : make_scenes())
    if (one->key() == puzzle.scene) scene = std::move(one);
  const auto parameters = scene->parameters();
  const auto rank = [&](const std::string& key) {
    return std::ranges::find_if(parameters, [&](const Parameter& one) { return one.called(key); });
  };
  std::string track = puzzle.start_track();
  Settings merged;
  for (const Settings* settings : all)
    for (const auto& [key, value] : *settings) {
      if (key == "tracks") {
        track = value;
        continue;
      }
      const auto same = std::ranges::find(merged, key, &std::pair<std::string, std::string>::first);
      if (same == merged.end())
        merged.emplace_back(key, value);
      else
        same->second = value;
    }
  std::ranges::stable_sort(merged, {}, [&](const auto& one) { return rank(one.first); });
  std::set<std::string> given;
  for (const auto& [key, value] : merged) set_parameter(*scene, fmt::format("{}={}", key, value), given);
  set_parameter(*scene, "tracks=" + puzzle.reference + "," + track, given);
  follow_given(*scene, given);
  scene->resolve(given, puzzle.folder);
  return scene;
}

/// Every whole number below 2^53 is one of doubles.
bool is_whole(double number) { return number == std::floor(number) && std::abs(number) < 0x1p53; }

Json setting_json(const std::string& value) {
  try {
    Json number = Json::parse(value);
    if (number.is_number_float() && is_whole(number.get<double>()))
      return static_cast<std::int64_t>(number.get<double>());
    if (number.is_number()) return number;
  } catch (const Json::parse_error&) {
    // A word.
  }
  return value;
}

}  // namespace

std::string number_text(double number) {
  return is_whole(number) ? std::to_string(static_cast<std::int64_t>(number)) : fmt::format("{}", number);
}

std::string Puzzle::start_track() const {
  const auto at = std::ranges::find(parameters, "tracks", &std::pair<std::string, std::string>::first);
  return at == parameters.end() ? reference : at->second;
}

void refuse_start(const Puzzle& puzzle) { throw FileError(puzzle.origin + ":1: its start solves it"); }

Puzzle read_puzzle_text(const std::string& text, const std::string& origin, const std::filesystem::path& folder) {
  const TomlFile file(text, origin);
  const toml::table& table = file.table();
  file.check_keys(table, {"schema", "puzzle", "task", "shows", "scene", "free", "reference", "frames", "score", "unit",
                          "most", "goals", "hints", "known", "parameters", "also"});
  file.check_schema();
  Puzzle puzzle;
  puzzle.origin = origin;
  puzzle.folder = folder;
  puzzle.key = std::filesystem::path(origin).stem().string();
  puzzle.hash = fmt::format("{:016x}", text_hash(text));
  puzzle.title = file.text(table, "puzzle", 48);
  puzzle.task = file.text(table, "task", 300);
  puzzle.shows = file.text(table, "shows", 120, false);
  puzzle.scene = file.scene(table);
  puzzle.unit = file.text(table, "unit", 40);
  puzzle.reference = file.text(table, "reference", 80);
  puzzle.frames = static_cast<unsigned>(file.number(table, "frames", 0, 1000));
  puzzle.most = file.boolean(table, "most");
  puzzle.free = file.texts(table, "free", 1, 20);
  puzzle.goals = goals_of(file, table);
  if (table.contains("hints")) puzzle.hints = file.texts(table, "hints", 1, most_hints);
  if (table.contains("known")) puzzle.known = file.number(table, "known");
  const std::string score = file.text(table, "score", 300);
  try {
    puzzle.score = Expression::read(score + " = 0");
    puzzle.score_line = file.line(*table.get("score"));
  } catch (const Error& error) {
    file.fail(*table.get("score"), error.what());
  }
  if (const toml::node* parameters = table.get("parameters")) {
    if (!parameters->is_table()) file.fail(*parameters, "parameters: expected [parameters]");
    puzzle.parameters = settings_of(file, *parameters->as_table());
  }
  if (table.contains("also"))
    for (const toml::table* one : file.tables(table, "also", most_cases)) {
      file.check_keys(*one, {"set", "goals"});
      const toml::node* set = one->get("set");
      if (!set || !set->is_table()) file.fail(*one, "also: expected set = { KEY = VALUE }");
      Puzzle::Case next{settings_of(file, *set->as_table()), {}};
      next.goals = one->contains("goals")
                       ? goals_of(file, *one)
                       : std::vector<LineCheck>{{file.line(*one), Expression::read("tracks.B.agrees = true")}};
      puzzle.also.push_back(std::move(next));
    }
  // What it names is there, and what is free has an effect.
  std::unique_ptr<Scene> scene;
  try {
    scene = scene_with(puzzle, {&puzzle.parameters});
  } catch (const Error& error) {
    file.fail_at(table.contains("parameters") ? file.line(*table.get("parameters")) : 1, error.what());
  }
  const auto parameters = scene->parameters();
  for (std::size_t i = 0; i < puzzle.free.size(); ++i) {
    const toml::node& node = *table.get("free")->as_array()->get(i);
    const auto at = std::ranges::find(parameters, puzzle.free[i], &Parameter::key);
    if (at == parameters.end())
      file.fail(node, unknown_message("parameter", puzzle.free[i], texts_of(parameters, &Parameter::key)));
    if (const std::string why = at->applies(); !why.empty())
      file.fail(node, fmt::format("free: {} has no effect here: {}", puzzle.free[i], why));
  }
  return puzzle;
}

Puzzle read_puzzle(const std::filesystem::path& file) {
  return read_puzzle_text(read_teaching_file(file, "a puzzle"), file.string(),
                          std::filesystem::absolute(file).parent_path());
}

std::vector<PuzzleRow> known_puzzles(std::vector<std::string>* left_out) {
  std::vector<PuzzleRow> rows;
  for (const auto& file : shipped_files("puzzles")) try {
      if (!comes_with_program(file)) (void)read_puzzle(file);  // as known_tours does
      const TomlFile read(read_teaching_file(file, "a puzzle"), file.string());
      const toml::table& table = read.table();
      rows.push_back({file.stem().string(),
                      read.text(table, "puzzle", 48),
                      read.text(table, "task", 300),
                      read.text(table, "shows", 120, false),
                      read.text(table, "scene", 60),
                      read.text(table, "unit", 40),
                      file.string(),
                      {}});
    } catch (const Error& error) {
      if (left_out) left_out->push_back(std::string(error.what()) + ": left out");
    }
  return rows;
}

std::unique_ptr<Scene> puzzle_scene(const Puzzle& puzzle) { return scene_with(puzzle, {&puzzle.parameters}); }

void check_answer(const Puzzle& puzzle, const Settings& answer) {
  for (const auto& [key, value] : answer) {
    if (!std::ranges::count(puzzle.free, key))
      throw UsageError(fmt::format("{}={}: it is not free in this puzzle; free: {}", key, value, join(puzzle.free)));
    if (key == "tracks" && value.find(',') != value.npos)
      throw UsageError(fmt::format("tracks={}: an answer is one track", value));
  }
}

PuzzleJudge::PuzzleJudge(Puzzle puzzle, Settings answer, std::size_t hints)
    : puzzle_(std::move(puzzle)), answer_(std::move(answer)), hints_(hints) {
  check_answer(puzzle_, answer_);
  cases_.push_back({scene_with(puzzle_, {&puzzle_.parameters, &answer_}), {}});
  for (const Puzzle::Case& one : puzzle_.also) try {
      cases_.push_back({scene_with(puzzle_, {&puzzle_.parameters, &answer_, &one.set}), {}});
    } catch (const Error& error) {
      cases_.push_back({nullptr, error.what()});
    }
}

std::optional<Json> PuzzleJudge::figures(Ready& ready) {
  if (!ready.scene) return std::nullopt;
  Runner runner(Backend::cpu, true);
  {
    const std::lock_guard lock(mutex_);
    if (cancelled_) throw Cancelled();
    running_ = &runner;
  }
  struct Leaves {
    PuzzleJudge& judge;
    ~Leaves() {
      const std::lock_guard lock(judge.mutex_);
      judge.running_ = nullptr;
    }
  } const leaves{*this};
  try {
    BuildRequest request = ready.scene->build_request(Backend::cpu);
    request.letters = ready.scene->letters();
    runner.build(std::move(request));
    for (unsigned i = 0; i < puzzle_.frames && !cancelled_; ++i) runner.step(1);
    if (cancelled_) throw Cancelled();
    return make_stats(*ready.scene, runner, 0, puzzle_.frames, nullptr, "", "none");
  } catch (const Cancelled&) {
    throw;
  } catch (const Error& error) {
    if (cancelled_) throw Cancelled();
    ready.refused = error.what();
    return std::nullopt;
  }
}

Judged PuzzleJudge::judge() {
  Judged judged;
  judged.solved = true;
  const auto missing = [&](const std::string& what) {
    judged.solved = false;
    if (judged.missing.empty()) judged.missing = what;
  };
  Json goals = Json::array(), also = Json::array();
  for (std::size_t i = 0; i < cases_.size(); ++i) {
    const auto stats = figures(cases_[i]);
    const auto& asked = i == 0 ? puzzle_.goals : puzzle_.also[i - 1].goals;
    std::optional<double> score;
    Expression::World world{stats ? &*stats : nullptr, [&](const std::vector<std::string>& path) {
                              return path.size() == 1 && path[0] == "score" && score ? Json(*score) : Json();
                            }};
    if (const auto answer = puzzle_.score.ask(world); answer.left.is_number())
      score = answer.left.get<double>();
    else if (i == 0 && stats && answer_.empty())
      throw FileError(fmt::format("{}:{}: score: {}", puzzle_.origin, puzzle_.score_line, answer.why));
    else if (i == 0 && stats)
      missing("score: " + answer.why);  // the start has one: it is the answer's that is none
    if (i == 0) judged.score = score;
    bool holds = true;
    Json told = Json::array();
    for (const LineCheck& goal : asked) {
      const auto answer = goal.asked.ask(world);
      told.push_back(
          {{"text", goal.asked.text()}, {"left", answer.left}, {"right", answer.right}, {"holds", answer.holds}});
      if (answer.holds) continue;
      holds = false;
      const std::string why = cases_[i].refused.empty() ? answer.why : cases_[i].refused;
      std::string where;
      if (i > 0)
        for (const auto& [key, value] : puzzle_.also[i - 1].set)
          where.append(where.empty() ? "with " : ", ").append(fmt::format("{}={}", key, value));
      missing(where.empty() ? why : fmt::format("{}: {}", where, why));
    }
    if (i == 0)
      goals = told;
    else
      also.push_back({{"case", i - 1}, {"holds", holds}, {"goals", told}});
  }
  Json settings = Json::object();
  for (const auto& [key, value] : answer_) settings[key] = setting_json(value);
  Json score;
  if (judged.score)
    score = is_whole(*judged.score) ? Json(static_cast<std::int64_t>(*judged.score)) : Json(*judged.score);
  judged.report = {{"schema", "warploom.answer/1"},
                   {"puzzle", puzzle_.key},
                   {"puzzle_hash", puzzle_.hash},
                   {"solved", judged.solved},
                   {"score", score},
                   {"unit", puzzle_.unit},
                   {"goals", goals},
                   {"also", also},
                   {"answer", settings},
                   {"hints", hints_},
                   {"version", WARPLOOM_VERSION}};
  return judged;
}

void PuzzleJudge::cancel() {
  cancelled_ = true;
  const std::lock_guard lock(mutex_);
  if (running_) running_->cancel();
}

}  // namespace warploom
