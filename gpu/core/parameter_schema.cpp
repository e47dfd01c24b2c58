#include "gpu/core/parameter_schema.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "gpu/core/error.h"
#include "gpu/core/format.h"

namespace warploom {

namespace {

std::string number_text(double value) {
  char text[64];
  const auto end = std::to_chars(text, text + sizeof text, value).ptr;  // shortest that reads back the same
  return {text, end};
}

std::vector<std::string> keys(const std::vector<Choice>& choices) { return texts_of(choices, &Choice::key); }

/// What a menu calls a choice, as a key that can be typed in place of its own: "Blobs" -> "blobs". Empty: it is its
/// key, or a title that none is made of.
std::string title_key(const Choice& choice) {
  std::string key;
  for (const char c : choice.title)
    if (c >= 'A' && c <= 'Z')
      key += static_cast<char>(c - 'A' + 'a');
    else if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9' && !key.empty()))
      key += c;
    else if (c == ' ')
      key += '_';
    else
      return {};
  return key == choice.key ? std::string() : key;
}
/// "nbody (bodies)"
std::vector<std::string> both_keys(const std::vector<Choice>& choices) {
  return texts_of(choices, [](const Choice& choice) {
    const std::string other = title_key(choice);
    return choice.key + (other.empty() ? "" : " (" + other + ")");
  });
}
/// All words that a choice is chosen by.
std::vector<std::string> all_keys(const std::vector<Choice>& choices) {
  auto all = keys(choices);
  for (const Choice& choice : choices)
    if (std::string other = title_key(choice); !other.empty()) all.push_back(std::move(other));
  return all;
}

UsageError refused(const Parameter& parameter, const std::string& value, const std::string& why) {
  return UsageError(parameter.key + "=" + value + ": " + why);
}

template <class Number>
Number parse_number(const Parameter& parameter, std::string_view text, const char* what) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size())
    throw refused(parameter, std::string(text), std::string("expected ") + what + ", " + parameter.range());
  return value;
}

/// What a value of the right kind holds.
template <class Held>
const Held& held(const Parameter& parameter, const Value& value, const std::string& expected) {
  if (const auto* found = std::get_if<Held>(&value)) return *found;
  throw refused(parameter, to_text(value), "expected " + expected);
}

}  // namespace

std::string to_text(const Value& value) {
  struct {
    std::string operator()(std::int64_t v) const { return std::to_string(v); }
    std::string operator()(std::uint64_t v) const { return std::to_string(v); }
    std::string operator()(double v) const { return number_text(v); }
    std::string operator()(const std::string& v) const { return v; }
    std::string operator()(const std::vector<std::string>& v) const { return join(v, ","); }
  } text;
  return std::visit(text, value);
}

const char* name(Role role) { return role == Role::start ? "start" : role == Role::logic ? "logic" : "settings"; }

bool Parameter::takes(std::string_view file) const {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return std::any_of(extensions.begin(), extensions.end(), [&](const std::string& end) {
    return file.size() >= end.size() &&
           std::equal(end.begin(), end.end(), file.end() - static_cast<std::ptrdiff_t>(end.size()),
                      [&](char a, char b) { return a == lower(b); });
  });
}

std::string Parameter::range() const {
  switch (kind) {
    case Kind::integer:
    case Kind::real:
      return number_text(minimum) + " to " + number_text(maximum) +
             (automatic ? "; auto is " + to_text(*automatic) : std::string());
    case Kind::natural:
      return "0 to 2^64 - 1";
    case Kind::choice:
      return join(both_keys(choices)) + (extensions.empty() ? "" : ", or a " + join(extensions, " or ") + " file");
    case Kind::list:
      return number_text(minimum) + " to " + number_text(maximum) + " of " + join(keys(choices));
    case Kind::path:
      return "a file, or nothing";
    case Kind::text:
      return "text";
  }
  return {};
}

std::string Parameter::short_name(const std::string& word) const {
  try {
    return canonical ? canonical(word) : word;
  } catch (const UsageError& error) {
    throw UsageError(key + ": " + error.what());
  }
}

std::string Parameter::words(const Value& value) const {
  if (!automatic || value != *automatic) return to_text(value);
  const std::string now = taken();
  return now.empty() ? "auto" : "auto (" + now + ")";
}

Value Parameter::parse(std::string_view text) const {
  if (automatic && text == "auto") return *automatic;
  const auto checked = [this](Value value) {
    check(value);
    return value;
  };
  switch (kind) {
    case Kind::integer:
      return checked(parse_number<std::int64_t>(*this, text, "a whole number"));
    case Kind::natural:
      return checked(parse_number<std::uint64_t>(*this, text, "a whole number"));
    case Kind::real:
      return checked(parse_number<double>(*this, text, "a number"));
    case Kind::list: {
      std::vector<std::string> words;
      for (std::size_t at = 0; at <= text.size() && !text.empty();) {
        const std::size_t comma = std::min(text.find(',', at), text.size());
        words.emplace_back(text.substr(at, comma - at));
        if (canonical && !words.back().empty()) words.back() = short_name(words.back());
        at = comma + 1;
      }
      return checked(words);
    }
    case Kind::choice: {
      const auto known = keys(choices);
      if (std::find(known.begin(), known.end(), text) == known.end() && !text.empty())
        for (const Choice& choice : choices)
          if (title_key(choice) == text) return checked(choice.key);
      return checked(std::string(text));
    }
    default:
      return checked(std::string(text));
  }
}

void Parameter::check(const Value& value) const {
  const auto refuse = [&](const std::string& why) { throw refused(*this, to_text(value), why); };
  const auto within = [&](double number) {
    if (number < minimum || number > maximum) refuse("out of range, " + range());
  };
  const auto refuse_unless_known = [&](const std::string& word) {
    if (std::none_of(choices.begin(), choices.end(), [&](const Choice& choice) { return choice.key == word; }))
      throw UsageError(key + ": " + unknown_message("value", word, all_keys(choices)));
  };
  switch (kind) {
    case Kind::integer:
      return within(double(held<std::int64_t>(*this, value, "a whole number, " + range())));
    case Kind::natural:
      (void)held<std::uint64_t>(*this, value, "a whole number, " + range());
      return;
    case Kind::real: {
      const double number = held<double>(*this, value, "a number, " + range());
      if (std::isnan(number)) refuse("expected a number, " + range());
      return within(number);
    }
    case Kind::choice: {
      const auto& word = held<std::string>(*this, value, "one of " + range());
      if (takes(word) || (also_numbers && whole_number(word).value_or(0) > 0)) return;
      if (std::find(also.begin(), also.end(), word) == also.end()) refuse_unless_known(word);
      return;
    }
    case Kind::list: {
      const auto& words = held<std::vector<std::string>>(*this, value, "a list, " + range());
      if (double(words.size()) < minimum)
        refuse(words.empty() ? "an empty list; give " + range() : "too few; give " + range());
      if (double(words.size()) > maximum)
        refuse(std::to_string(words.size()) + " entries; at most " + number_text(maximum));
      for (const auto& word : words)
        if (canonical)
          (void)short_name(word);
        else
          refuse_unless_known(word);
      return;
    }
    case Kind::text:
    case Kind::path: {
      const auto& text = held<std::string>(*this, value, "text");
      if (valid) valid(text);
    }
  }
}

Parameter& Describer::at(std::string_view key) {
  const auto found = std::ranges::find(parameters, key, &Parameter::key);
  if (found == parameters.end()) throw Error("no parameter '" + std::string(key) + "' is described");
  return *found;
}

template <class Field>
Parameter& Describer::add(Parameter::Kind kind, const Text& key, const Text& title, Field& field, const Text& help) {
  Parameter& parameter = parameters.emplace_back();
  parameter.kind = kind;
  parameter.key = key;
  parameter.title = title;
  parameter.help = help;
  parameter.section = section_;
  parameter.get = [&field] { return Value(field); };
  parameter.set = [&field](const Value& value) { field = std::get<Field>(value); };
  parameter.preset = field;
  return parameter;
}
template Parameter& Describer::add(Parameter::Kind, const Text&, const Text&, std::int64_t&, const Text&);
template Parameter& Describer::add(Parameter::Kind, const Text&, const Text&, std::uint64_t&, const Text&);
template Parameter& Describer::add(Parameter::Kind, const Text&, const Text&, double&, const Text&);
template Parameter& Describer::add(Parameter::Kind, const Text&, const Text&, std::string&, const Text&);
template Parameter& Describer::add(Parameter::Kind, const Text&, const Text&, std::vector<std::string>&, const Text&);

}  // namespace warploom
