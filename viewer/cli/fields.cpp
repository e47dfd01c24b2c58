#include "viewer/cli/fields.h"

#include <CLI/CLI.hpp>

#include "gpu/core/error.h"
#include "viewer/base/numbers.h"

namespace warploom {

void add_text(CLI::App& app, const std::string& name, std::string& field, const std::string& type,
              const std::string& help) {
  app.add_option(name, field, help)->type_name(type)->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
}

void add_parsed(CLI::App& app, const std::string& name, const std::function<void(const std::string&)>& read,
                const std::string& type, const std::string& help) {
  app.add_option_function<std::string>(name, read, help)
      ->type_name(type)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
}

void add_flag(CLI::App& app, const std::string& name, bool& field, const std::string& help) {
  app.add_flag(name, field, help);
}

void add_texts(CLI::App& app, const std::string& name, std::vector<std::string>& field, const std::string& type,
               const std::string& help) {
  app.add_option(name, field, help)->type_name(type)->take_all()->expected(1)->allow_extra_args(false);
}

void add_words(CLI::App& app, const std::string& name, std::vector<std::string>& field, const std::string& help) {
  app.add_option(name, field, help)->type_name("")->expected(0, -1);
}

std::uint64_t whole_number(const std::string& option, const std::string& text, std::uint64_t least,
                           std::uint64_t most) {
  const auto value = parse_number<std::uint64_t>(text);
  if (!value || *value < least || *value > most)
    throw UsageError(option + " " + text + ": expected a whole number from " + std::to_string(least) + " to " +
                     std::to_string(most));
  return *value;
}

void check_one_word(const std::vector<std::string>& words, const std::string& command) {
  if (words.size() > 1)
    throw UsageError("unexpected word '" + words[1] + "' after '" + words[0] + "'; see warploom " + command +
                     " --help");
}

}  // namespace warploom
