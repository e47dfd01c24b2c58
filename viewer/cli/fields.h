#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <type_traits>
#include <vector>

namespace CLI {
class App;
}

// The kinds of options that commands have. Of an option given twice the last one counts, but where it may be repeated.
// `type` is what the help says it takes, "FILE". Fields must outlive the parse.

namespace warploom {

/// --name VALUE, any text.
void add_text(CLI::App& app, const std::string& name, std::string& field, const std::string& type,
              const std::string& help);
/// --name VALUE, any text, which may be repeated.
void add_texts(CLI::App& app, const std::string& name, std::vector<std::string>& field, const std::string& type,
               const std::string& help);
/// --name VALUE, read by `read`, which throws UsageError.
void add_parsed(CLI::App& app, const std::string& name, const std::function<void(const std::string&)>& read,
                const std::string& type, const std::string& help);
/// --name, without a value.
void add_flag(CLI::App& app, const std::string& name, bool& field, const std::string& help);
/// Any number of words without dashes; `name` is what the help calls them.
void add_words(CLI::App& app, const std::string& name, std::vector<std::string>& field, const std::string& help);

/// A whole number from `least` to `most`, written in decimal digits and nothing else. UsageError names `option`.
std::uint64_t whole_number(const std::string& option, const std::string& text, std::uint64_t least, std::uint64_t most);

/// --name N, a whole number from `least` to `most`, for which the field has room.
template <class Field>
void add_number(CLI::App& app, const std::string& name, Field& field, std::uint64_t least, std::uint64_t most,
                const std::string& help) {
  const auto read = [&field, name, least, most](const std::string& text) {
    const std::uint64_t value = whole_number(name, text, least, most);
    if constexpr (std::is_integral_v<Field>)
      field = static_cast<Field>(value);
    else
      field = value;
  };
  add_parsed(app, name, read, "N", help);
}

/// Throws UsageError at a second word: `warploom NAME --help` tells what is expected.
void check_one_word(const std::vector<std::string>& words, const std::string& command);

}  // namespace warploom
