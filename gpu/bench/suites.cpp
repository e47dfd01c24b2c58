#include "gpu/bench/suites.h"

#include <algorithm>
#include <sstream>
#include <utility>

#include "gpu/core/error.h"
#include "gpu/core/format.h"

namespace warploom::bench {

Suite ceilings_suite();
Suite devices_suite();

namespace {

std::vector<Suite>& suites() {
  static std::vector<Suite> all{ceilings_suite(), devices_suite()};
  return all;
}

void (*source_of_suites)() = nullptr;

}  // namespace

const std::vector<Suite>& all_suites() {
  if (auto* const source = std::exchange(source_of_suites, nullptr)) source();
  return suites();
}

void add_suites_from(void (*source)()) { source_of_suites = source; }

void add_suites(const std::vector<Suite>& more) {
  for (const Suite& suite : more)
    if (std::none_of(suites().begin(), suites().end(), [&](const Suite& one) { return one.key == suite.key; }))
      suites().push_back(suite);
}

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  std::istringstream in(text);
  for (std::string word; std::getline(in, word, ',');) words.push_back(word);
  return words;
}

bool Settings::wants(const std::string& key, const std::string& word, const std::string& usual) const {
  const std::string* text = given(key);
  if (!text && usual.empty()) return true;
  const auto words = words_of(text ? *text : usual);
  return std::find(words.begin(), words.end(), word) != words.end();
}

void check_words(const char* what, const std::string& text, const std::vector<std::string>& known) {
  for (const auto& word : words_of(text))
    if (std::find(known.begin(), known.end(), word) == known.end())
      throw UsageError(unknown_message(what, word, known));
}

void Figure::add_note(const std::string& more) {
  if (!more.empty()) note += (note.empty() ? "" : "; ") + more;
}

void Figure::skip(const std::string& why) {
  verified = true;
  note = "skipped: " + why;
}

std::string Figure::parameter(const std::string& key) const {
  for (const auto& [name_of, value] : parameters)
    if (name_of == key) return value;
  return {};
}

const Suite& find_suite(const std::string& key) {
  for (const Suite& suite : all_suites())
    if (suite.key == key) return suite;
  throw UsageError(unknown_message("suite", key, texts_of(all_suites(), &Suite::key)));
}

std::vector<std::string> setting_keys() {
  std::vector<std::string> keys;
  for (const Suite& suite : all_suites())
    for (const SuiteSetting& setting : suite.settings)
      if (std::find(keys.begin(), keys.end(), setting.key) == keys.end()) keys.push_back(setting.key);
  return keys;
}

void check_settings(const Settings& settings) {
  for (const auto& [key, text] : settings.set) {
    bool known = false;
    for (const Suite& suite : all_suites())
      for (const SuiteSetting& setting : suite.settings) {
        if (setting.key != key) continue;
        setting.check(settings, text);
        known = true;
      }
    if (known) continue;
    auto keys = setting_keys();
    std::sort(keys.begin(), keys.end());
    throw UsageError(unknown_message("parameter of bench", key, keys));
  }
}

}  // namespace warploom::bench
