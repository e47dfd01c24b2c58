#pragma once
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "viewer/teach/words.h"

namespace warploom {

/// LEFT OP RIGHT over figures of this moment, as `check` and `until` have it. A side is a sum of numbers, words and
/// paths into warploom.stats/1 (docs/scripts.md).
class Expression {
 public:
  using Json = nlohmann::ordered_json;
  /// What of the window an expression may ask beside the stats: "selection", "hover", "active", "playing", "view".
  struct World {
    const Json* stats = nullptr;  ///< null: nothing is built
    /// The value of a path that begins with one of those; null where there is none.
    std::function<Json(const std::vector<std::string>& path)> window;
  };
  struct Answer {  // NOLINT(bugprone-exception-escape): moving its JSON throws out of memory alone
    bool holds = false;
    std::string why;   ///< it does not hold: "tracks.A.threads.launched = 5: it is 65536", or which path there is not
    Json left, right;  ///< what the sides come to; null: nothing
  };

  /// Throws FileError: no operator, an open quote, a first part that no stats have (with the nearest), times.
  Expression() = default;
  static Expression read(std::string_view text);
  Answer ask(const World& world) const;
  /// Whether it asks for stats, which take a moment to make.
  bool needs_stats() const;
  /// The first path into the window that it asks for, other than `but`; empty: none.
  std::string window_path(const std::string& but = {}) const;
  const std::string& text() const { return text_; }

 private:
  enum class Kind { constant, stats, window };
  struct Term {
    Kind kind;
    bool minus;
    Json value;                     ///< of a constant
    std::vector<std::string> path;  ///< of the others
    std::string text;
  };
  using Side = std::vector<Term>;
  static Term read_term(const ScriptWord& word, bool minus);
  static Side read_side(const std::vector<ScriptWord>& words);
  /// Null, with the reason: it has no value.
  static Json value_of(const Side& side, const World& world, std::string& why);

  std::string text_, op_;
  Side left_, right_;
};

}  // namespace warploom
