#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace warploom {

/// What a parameter holds.
using Value = std::variant<std::int64_t, std::uint64_t, double, std::string, std::vector<std::string>>;

/// A named value a parameter can take.
struct Choice {
  std::string key, title, help;
};

/// What depends on a parameter. `start`, the safe one, is what it has unless it says otherwise: a change starts anew.
enum class Role {
  start,    ///< the start state
  logic,    ///< what a step does: the state stays, but the run can no longer be replayed
  settings  ///< neither: state and run stay, only timings begin anew
};
/// "start", "logic", "settings"
const char* name(Role role);

/// One parameter of a scene, described once: its widget, command-line key, preset key and documentation follow.
struct Parameter {
  enum class Kind { integer, natural, real, text, choice, list, path };

  std::string key, title, section, help;
  std::string former_key;  ///< a name it once had, still read in scene texts and by --set; empty: none
  Kind kind = Kind::text;
  double minimum = 0, maximum = 0;  ///< of integers and reals; of a list, how many
  std::vector<Choice> choices;      ///< of choices and lists
  std::vector<std::string> also;    ///< further values of a choice, that no menu shows: refused later, with
                                    ///< a better reason than that they are unknown
  bool also_numbers = false;        ///< ... and any whole number but 0
  std::function<void(const std::string&)> valid;  ///< of a text: throws UsageError saying what is wrong
  std::vector<std::string> extensions;            ///< of the files that it takes, ".npy"; a choice: beside its choices
  std::function<std::string(const std::string&)>
      canonical;  ///< of a list's words: full names to short; throws UsageError
  std::function<Value()> get;
  std::function<void(const Value&)> set;  ///< takes any value of the kind; `parse` has checked it
  Value preset;                           ///< the value it starts with

  Role role = Role::start;
  bool by_content = false;  ///< its value names a file or the like: what that holds enters the hashes, not the name
  std::vector<std::string> follows;  ///< keys: back to its preset when one of these was given and it was not
  /// The value that stands for `auto`, where the program can choose one; none: it cannot.
  std::optional<Value> automatic;
  /// What `auto` comes to now, "8"; empty: not known yet.
  std::function<std::string()> taken = [] { return std::string{}; };
  /// Legal values of an integer that has only a few; empty: any in its range.
  std::function<std::vector<std::int64_t>()> legal = [] { return std::vector<std::int64_t>{}; };
  /// What follows from its value, shown quietly beside it: "n = 256".
  std::function<std::string()> consequence = [] { return std::string{}; };
  /// What it has no effect on, where it has one on others: "index_digit: its mapping is its own".
  std::function<std::string()> spares = [] { return std::string{}; };
  /// Empty where it has an effect now; else why it has none: "work 'map_only' has no rule".
  std::function<std::string()> applies = [] { return std::string{}; };

  // For the line that describes it: d.integer(...).as(Role::settings).following({"level"})
  Parameter& within(double least, double most) { return minimum = least, maximum = most, *this; }
  Parameter& of(std::vector<Choice> words) { return choices = std::move(words), *this; }
  Parameter& as(Role what) { return role = what, *this; }
  Parameter& once(std::string former) { return former_key = std::move(former), *this; }
  Parameter& checked(std::function<void(const std::string&)> check) { return valid = std::move(check), *this; }
  Parameter& taking(std::vector<std::string> files) { return extensions = std::move(files), *this; }
  Parameter& counted_by_content() { return by_content = true, *this; }
  Parameter& following(std::vector<std::string> keys) { return follows = std::move(keys), *this; }
  Parameter& or_auto(Value stands_for) { return automatic = std::move(stands_for), *this; }
  Parameter& taking_now(std::function<std::string()> words) { return taken = std::move(words), *this; }
  Parameter& among(std::function<std::vector<std::int64_t>()> values) { return legal = std::move(values), *this; }
  Parameter& saying(std::function<std::string()> words) { return consequence = std::move(words), *this; }
  Parameter& sparing(std::function<std::string()> what) { return spares = std::move(what), *this; }
  Parameter& where(std::function<std::string()> why_not) { return applies = std::move(why_not), *this; }

  /// Does it take this file, by its extension in small or capital letters?
  bool takes(std::string_view file) const;
  /// Is this its key, or the one it once had?
  bool called(std::string_view name) const { return name == key || (!former_key.empty() && name == former_key); }
  /// `canonical` of a word; what it throws names the key.
  std::string short_name(const std::string& word) const;
  /// The range or the choices, in words.
  std::string range() const;
  /// A value as users read it: its text, or "auto (8)" where it stands for that.
  std::string words(const Value& value) const;
  /// Reads a value from text, `auto` too. Throws UsageError naming the key, the range and the nearest valid value.
  Value parse(std::string_view text) const;
  /// Throws UsageError when a value is of another kind, out of range, or unknown.
  void check(const Value& value) const;
};

/// Text that `parse` reads back to the same value.
std::string to_text(const Value& value);

/// Collects parameters: `struct Params { ...; void describe(Describer&); }` has one field and one line for each.
class Describer {
  using Text = std::string;
  using Kind = Parameter::Kind;

 public:
  std::vector<Parameter> parameters;

  void section(std::string title) { section_ = std::move(title); }
  /// What was described under this key, to say more of it. Throws Error where nothing was.
  Parameter& at(std::string_view key);
  Parameter& integer(const Text& key, const Text& title, std::int64_t& field, double minimum, double maximum,
                     const Text& help) {
    return add(Kind::integer, key, title, field, help).within(minimum, maximum);
  }
  Parameter& natural(const Text& key, const Text& title, std::uint64_t& field, const Text& help) {
    return add(Kind::natural, key, title, field, help);
  }
  Parameter& real(const Text& key, const Text& title, double& field, double minimum, double maximum, const Text& help) {
    return add(Kind::real, key, title, field, help).within(minimum, maximum);
  }
  Parameter& text(const Text& key, const Text& title, Text& field, const Text& help) {
    return add(Kind::text, key, title, field, help);
  }
  Parameter& path(const Text& key, const Text& title, Text& field, const Text& help) {
    return add(Kind::path, key, title, field, help).counted_by_content();
  }
  Parameter& choice(const Text& key, const Text& title, Text& field, std::vector<Choice> choices, const Text& help) {
    return add(Kind::choice, key, title, field, help).of(std::move(choices));
  }
  Parameter& list(const Text& key, const Text& title, std::vector<Text>& field, std::vector<Choice> choices,
                  int minimum, int maximum, const Text& help) {
    return add(Kind::list, key, title, field, help).of(std::move(choices)).within(minimum, maximum);
  }

 private:
  template <class Field>
  Parameter& add(Kind kind, const Text& key, const Text& title, Field& field, const Text& help);
  Text section_;
};

}  // namespace warploom
