#include "viewer/teach/learning.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gpu/core/error.h"
#include "gpu/core/files.h"
#include "gpu/core/format.h"
#include "viewer/base/environment.h"
#include "viewer/base/json_text.h"
#include "viewer/base/paths.h"

namespace warploom {

namespace {

using Json = nlohmann::ordered_json;

std::filesystem::path learning_file() { return state_folder() / "learning.json"; }

Json nothing() { return {{"schema", "warploom.learning/1"}, {"answers", Json::array()}, {"tours", Json::array()}}; }

bool is_answer(const Json& one) {
  return one.is_object() && (!one.contains("skipped") || one["skipped"].is_boolean()) &&
         (!one.contains("found") || one["found"].is_string());
}

bool is_learning(const Json& all) {
  const auto solved = all.is_object() ? all.find("puzzles") : all.end();
  if (all.is_object() && solved != all.end() &&
      (!solved->is_object() || !std::ranges::all_of(*solved, [](const Json& one) {
        return one.is_object() && (!one.contains("unit") || one["unit"].is_string()) &&
               (!one.contains("puzzle_hash") || one["puzzle_hash"].is_string());
      })))
    return false;
  return all.is_object() && all.contains("schema") && all["schema"] == "warploom.learning/1" &&
         all.contains("answers") && all["answers"].is_array() && all.contains("tours") && all["tours"].is_array() &&
         std::ranges::all_of(all["answers"], is_answer);
}

/// Whole or not at all, by rename.
void write(const Json& all) {
  make_folder(state_folder());
  write_atomically(learning_file(), json_text(all));
}

}  // namespace

Learning read_learning(bool sets_aside) {
  std::error_code failed;
  if (!std::filesystem::exists(learning_file(), failed)) return {nothing(), {}};
  try {
    const std::string text = read_file(learning_file());
    Json all = Json::parse(text, nullptr, false);
    if (!all.is_discarded() && is_learning(all)) return {std::move(all), {}};
  } catch (const Error& error) {  // it may be read another time
    return {nothing(), std::string("what was learned so far cannot be read: ") + error.what()};
  }
  if (!sets_aside) return {nothing(), learning_file().string() + ": what was learned so far cannot be read"};
  const auto kept = learning_file().string() + ".bad";
  std::filesystem::rename(learning_file(), kept, failed);
  return {nothing(), "what was learned so far cannot be read; it is kept as " + kept};
}

bool Learning::done(const std::string& tour) const {
  return std::ranges::any_of(all["tours"], [&](const Json& one) { return one == tour; });
}

std::string Learning::tally() const {
  std::size_t asked = 0, right = 0, close = 0;
  std::vector<double> factors;
  for (const Json& one : all["answers"]) {
    if (one.value("skipped", false)) continue;
    ++asked;
    const std::string found = one.value("found", "");
    right += found == "exact";
    close += found == "close";
    const Json &given = one.value("given", Json()), &truth = one.value("truth", Json());
    if (given.is_number() && truth.is_object() && truth.contains("median") && truth["median"].is_number() &&
        given > 0 && truth["median"] > 0)
      factors.push_back(given.get<double>() / truth["median"].get<double>());
  }
  if (asked == 0) return {};
  std::string words = fmt::format("{} asked, {} right, {} close", asked, right, close);
  if (factors.size() < 3) return words;
  std::ranges::nth_element(factors, factors.begin() + static_cast<std::ptrdiff_t>(factors.size() / 2));
  const double middle = factors[factors.size() / 2];
  return words + (middle > 1 ? fmt::format("; ratios mostly too high, by {:.1f}", middle)
                             : fmt::format("; ratios mostly too low, by {:.1f}", 1 / middle));
}

std::string Learning::best(const std::string& puzzle) const {
  const auto puzzles = all.find("puzzles");
  if (puzzles == all.end() || !puzzles->is_object() || !puzzles->contains(puzzle)) return {};
  const Json& answer = (*puzzles)[puzzle];
  return answer.is_object() && answer.contains("score") ? answer["score"].dump() + " " + answer.value("unit", "") : "";
}

void keep_solved(const Json& answer, bool most) {
  Learning learning = read_learning();
  Json& puzzles = learning.all["puzzles"];
  if (!puzzles.is_object()) puzzles = Json::object();
  const std::string key = answer["puzzle"];
  // Another text of the puzzle is another puzzle.
  if (puzzles.contains(key) && puzzles[key].is_object() &&
      puzzles[key].value("puzzle_hash", "") == answer.value("puzzle_hash", "")) {
    const Json &had = puzzles[key]["score"], &now = answer["score"];
    if (had.is_number() && now.is_number() && (most ? had >= now : had <= now)) return;
  }
  puzzles[key] = answer;
  write(learning.all);
}

void keep_answer(const Answered& answered, Model& model) {
  Learning learning = read_learning();
  learning.all["answers"].push_back({{"at", utc_time()},
                                     {"place", answered.place},
                                     {"kind", answered.kind},
                                     {"question", answered.question},
                                     {"given", answered.given},
                                     {"truth", answered.truth},
                                     {"why", answered.why.empty() ? Json() : Json(answered.why)},
                                     {"found", answered.found},
                                     {"skipped", answered.skipped},
                                     {"device", model.machine.device},
                                     {"backend", name(model.runner().backend())},
                                     {"version", WARPLOOM_VERSION}});
  write(learning.all);
}

void keep_done(const std::string& tour) {
  Learning learning = read_learning();
  if (learning.done(tour)) return;
  learning.all["tours"].push_back(tour);
  write(learning.all);
}

bool forget_learning() {
  std::error_code failed;
  auto damaged = learning_file();
  damaged += ".bad";
  const bool kept = std::filesystem::remove(learning_file(), failed), bad = std::filesystem::remove(damaged, failed);
  return kept || bad;
}

}  // namespace warploom
