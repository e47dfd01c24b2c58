#include "gpu/bench/suites.h"

#include <algorithm>
#include <sstream>

#include "gpu/core/error.h"
#include "gpu/core/format.h"

namespace warploom::bench {

// A new suite is one file and one line here.
// clang-format off
#define WARPLOOM_SUITES(one) \
  one(ceilings)              \
  one(fractal)               \
  one(simplex)               \
  one(binning)               \
  one(butterfly)             \
  one(figures)
// clang-format on

#define WARPLOOM_DECLARED(name) Suite name##_suite();
WARPLOOM_SUITES(WARPLOOM_DECLARED)
#undef WARPLOOM_DECLARED

const std::vector<Suite>& all_suites() {
#define WARPLOOM_LISTED(name) name##_suite(),
  static const std::vector<Suite> all{WARPLOOM_SUITES(WARPLOOM_LISTED)};
#undef WARPLOOM_LISTED
  return all;
}

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  std::istringstream in(text);
  for (std::string word; std::getline(in, word, ',');) words.push_back(word);
  return words;
}

const Suite& find_suite(const std::string& key) {
  std::vector<std::string> known;
  for (const Suite& suite : all_suites()) {
    if (suite.key == key) return suite;
    known.push_back(suite.key);
  }
  throw UsageError(unknown_message("suite", key, known));
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
