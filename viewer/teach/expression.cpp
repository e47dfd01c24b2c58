#include "viewer/teach/expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "gpu/core/error.h"
#include "gpu/core/format.h"
#include "viewer/base/numbers.h"
#include "viewer/model/view_text.h"
#include "viewer/teach/words.h"

namespace warploom {

namespace {

using Json = Expression::Json;
using Path = std::vector<std::string>;

const std::vector<std::string> of_stats{"schema",     "version",  "time_utc", "environment", "scene",
                                        "parameters", "steps",    "frames",   "history",     "tracks",
                                        "rule",       "baseline", "results"};
/// `score` is there while a puzzle is judged.
const std::vector<std::string> of_window{"selection", "hover", "active", "playing", "view", "score"};
/// They differ from run to run.
/// Times in the figures of a scene end in _ms.
const std::vector<std::string> times{"kernels", "ratio_to_baseline", "frame", "rate", "time_utc"};
const std::vector<std::string> operators{"=", "!=", "<", "<=", ">", ">="};

/// Of `selection` and `hover`.
const std::vector<std::string> of_places{"space", "track", "useful", "place"};

bool is(const std::vector<std::string>& words, const std::string& word) { return std::ranges::count(words, word) > 0; }

Path parts_of(const std::string& word) {
  Path parts{""};
  for (const char c : word)
    if (c == '.')
      parts.emplace_back();
    else
      parts.back() += c;
  return parts;
}

std::string json_word(const Json& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

/// The element of `from` that a part of a path names; null: none.
const Json* step_into(const Json& from, const std::string& part, const Json& track) {
  if (from.is_object()) {
    const auto found = from.find(part);
    return found == from.end() ? nullptr : &*found;
  }
  if (!from.is_array()) return nullptr;
  if (const auto number = parse_number<std::size_t>(part)) return *number < from.size() ? &from[*number] : nullptr;
  for (const Json& one : from) {
    if (!one.is_object()) continue;
    // Tracks by their letters; of the layouts that were counted the track's own.
    if (one.contains("letter") && one["letter"] == part) return &one;
    if (part == "own" && track.is_object() && one.contains("name") && one["name"] == track.value("layout", Json()))
      return &one;
  }
  return nullptr;
}

/// The value at the end of a path; null, with the reason, where there is none. `*` sums over all elements.
Json find(const Json& from, const Path& path, std::size_t at, const Json& track, std::string& why) {
  if (at == path.size()) return from;
  const auto none = [&] {
    Path gone(path.begin(), path.begin() + static_cast<std::ptrdiff_t>(at) + 1);
    why = "there is no " + join(gone, ".") + " now";
    return Json();
  };
  if (path[at] == "*") {
    if (!from.is_array() && !from.is_object()) return none();
    double sum = 0;
    bool any = from.empty();
    for (const Json& one : from) {
      std::string gone;
      const Json value = find(one, path, at + 1, track, gone);
      if (value.is_number()) sum += value.get<double>();
      any = any || gone.empty();
      why = gone;
    }
    if (!any) return Json();  // none of them has it
    why.clear();
    return sum;
  }
  const Json* next = step_into(from, path[at], track);
  if (!next) return none();
  return find(*next, path, at + 1, at == 1 && path[0] == "tracks" ? *next : track, why);
}

bool equal(const Json& left, const Json& right) {
  if (left.is_number() && right.is_number()) return left.get<double>() == right.get<double>();
  if (left.is_string() || right.is_string()) return json_word(left) == json_word(right);
  return left == right;
}

/// What the window has is known before it is asked: a path that it has not would be null, and could hold.
void check_window_path(const Path& path, const std::string& word) {
  const auto refuse = [&] { throw FileError("'" + word + "': there is no such figure"); };
  if (path[0] == "view") {
    if (path.size() != 2) refuse();
    check_view_key(path[1]);
  } else if (path[0] == "selection" || path[0] == "hover") {
    if (path.size() != 2) refuse();
    if (!is(of_places, path[1])) throw FileError(unknown_message("part of " + path[0], path[1], of_places));
  } else if (path.size() != 1) {
    refuse();
  }
}

}  // namespace

Expression::Term Expression::read_term(const ScriptWord& typed, bool minus) {
  const std::string& word = typed.text;
  if (typed.raw.starts_with('"')) return {Kind::constant, minus, word, {}, word};
  if (word == "true" || word == "false") return {Kind::constant, minus, word == "true", {}, word};
  if (word == "null") return {Kind::constant, minus, nullptr, {}, word};
  if (const auto whole = parse_number<std::int64_t>(word)) return {Kind::constant, minus, *whole, {}, word};
  if (const auto number = parse_number<double>(word); number && std::isfinite(*number))
    return {Kind::constant, minus, *number, {}, word};
  Path path = parts_of(word);
  if (const auto time = std::ranges::find_if(
          path, [](const auto& part) { return is(times, part) || part == "ms" || part.ends_with("_ms"); });
      time != path.end() && (path.size() > 1 || is(of_stats, word) || word == "frame"))
    throw FileError(fmt::format("'{}': times differ from run to run: ask for them, do not check them", word));
  const bool known = is(of_stats, path[0]), in_window = is(of_window, path[0]);
  if (!known && !in_window) {
    if (path.size() == 1) return {Kind::constant, minus, word, {}, word};
    std::vector<std::string> all = of_stats;
    all.insert(all.end(), of_window.begin(), of_window.end());
    throw FileError(unknown_message("figure", path[0], all));
  }
  if (std::ranges::count(path, "")) throw FileError("'" + word + "': a part between its dots is missing");
  if (in_window) check_window_path(path, word);
  return {known ? Kind::stats : Kind::window, minus, nullptr, path, word};
}

Expression::Side Expression::read_side(const std::vector<ScriptWord>& words) {
  Side side;
  for (std::size_t i = 0; i < words.size(); i += 2) {
    const bool minus = i > 0 && words[i - 1].raw == "-";
    if (i > 0 && !minus && words[i - 1].raw != "+")
      throw FileError("'" + words[i - 1].text + "': expected + or - between two terms, with spaces around");
    side.push_back(read_term(words[i], minus));
  }
  if (words.size() % 2 == 0)
    throw FileError(words.empty() ? "a side of the expression is empty"
                                  : "a term is missing after " + words.back().text);
  return side;
}

Expression Expression::read(std::string_view text) {
  Expression read;
  std::vector<ScriptWord> sides[2];
  for (const ScriptWord& word : script_words(text)) {
    const bool quoted = word.raw.starts_with('"');
    read.text_ += (read.text_.empty() ? "" : " ") + word.raw;
    if (!quoted && is(operators, word.text)) {
      if (!read.op_.empty())
        throw FileError(fmt::format("'{}': a second operator; '{}' was there before", word.text, read.op_));
      read.op_ = word.text;
    } else {
      sides[read.op_.empty() ? 0 : 1].push_back(word);
    }
  }
  if (read.op_.empty())
    throw FileError(fmt::format("'{}': expected LEFT OP RIGHT, with OP one of {}", read.text_, join(operators, " ")));
  read.left_ = read_side(sides[0]);
  // A word alone is what a figure is compared with.
  if (sides[0].size() == 1 && read.left_[0].kind == Kind::constant && read.left_[0].value.is_string() &&
      !sides[0][0].raw.starts_with('"')) {
    std::vector<std::string> all = of_stats;
    all.insert(all.end(), of_window.begin(), of_window.end());
    throw FileError(unknown_message("figure", sides[0][0].text, all));
  }
  read.right_ = read_side(sides[1]);
  return read;
}

std::string Expression::window_path(const std::string& but) const {
  for (const Side* side : {&left_, &right_})
    for (const Term& term : *side)
      if (term.kind == Kind::window && term.text != but) return term.text;
  return {};
}

bool Expression::needs_stats() const {
  const auto asks = [](const Term& term) { return term.kind == Kind::stats; };
  return std::ranges::any_of(left_, asks) || std::ranges::any_of(right_, asks);
}

Json Expression::value_of(const Side& side, const World& world, std::string& why) {
  Json sum;
  double total = 0;
  for (const Term& term : side) {
    Json value = term.value;
    if (term.kind == Kind::window) value = world.window(term.path);
    if (term.kind == Kind::stats) {
      if (world.stats)
        value = find(*world.stats, term.path, 0, nullptr, why);
      else
        why = "nothing is built";
    }
    if (side.size() == 1) return value;
    if (!value.is_number()) {
      if (why.empty()) why = fmt::format("{} is {}, no number", term.text, json_word(value));
      return nullptr;
    }
    total += (term.minus ? -1 : 1) * value.get<double>();
    sum = total;
  }
  return sum;
}

Expression::Answer Expression::ask(const World& world) const {
  Answer answer;
  answer.left = value_of(left_, world, answer.why);
  if (answer.why.empty()) answer.right = value_of(right_, world, answer.why);
  if (!answer.why.empty()) {
    answer.why = text_ + ": " + answer.why;
    return answer;
  }
  for (Json* side : {&answer.left, &answer.right})  // whole numbers are written as such
    if (side->is_number_float() && std::abs(side->get<double>()) < 0x1p53 &&
        side->get<double>() == std::floor(side->get<double>()))
      *side = static_cast<std::int64_t>(side->get<double>());
  const Json &left = answer.left, &right = answer.right;
  if (op_ == "=" || op_ == "!=") {
    answer.holds = equal(left, right) == (op_ == "=");
  } else if (left.is_number() && right.is_number()) {
    const double low = left.get<double>(), high = right.get<double>();
    answer.holds = op_ == "<" ? low < high : op_ == "<=" ? low <= high : op_ == ">" ? low > high : low >= high;
  } else {
    answer.why = fmt::format("{}: {} cannot be compared with {}", text_, json_word(left), json_word(right));
    return answer;
  }
  const bool plain = right_.size() == 1 && right_[0].kind == Kind::constant;
  if (!answer.holds)
    answer.why = fmt::format("{}: it is {}{}", text_, json_word(left), plain ? "" : ", against " + json_word(right));
  return answer;
}

}  // namespace warploom
