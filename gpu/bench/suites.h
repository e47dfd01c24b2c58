#pragma once
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "gpu/bench/bench.h"

namespace warploom::bench {

/// What does not apply, and what a wrong result has for a time.
inline constexpr double none = std::numeric_limits<double>::quiet_NaN();

/// One measured figure. A wrong result has no time: `verified` is false and the numbers are NaN. A figure of no samples
/// that is verified was left out on purpose, and its note says why.
struct Figure {
  std::string suite, name, unit;
  std::vector<std::pair<std::string, std::string>> parameters = {};
  double median = none, low = none, high = none;  ///< in `unit`; low and high are the 5th and 95th percentile
  std::size_t samples = 0;
  double share_of_ceiling = none;
  std::string ceiling = {};     ///< which one
  std::string peer = {};        ///< the other side of the ratio
  double ratio_to_peer = none;  ///< the peer's time over this one's, median of pairs: above 1 this one is faster
  double ratio_low = none, ratio_high = none;  ///< bootstrap 95 % interval [efron1979bootstrap]
  /// The time of a copy of as many bytes over this one's, median of pairs, with its interval.
  double share_of_copy = none, copy_low = none, copy_high = none;
  bool verified = false;
  std::string note = {};

  /// Appends to the note, after "; ".
  void add_note(const std::string& more);
  /// Makes it one that was left out on purpose.
  void skip(const std::string& why);
  /// Of a parameter; empty where it has none of that key.
  std::string parameter(const std::string& key) const;
};

/// A setting that a suite understands; it finds the text in Settings::set, or nothing where none was given.
struct SuiteSetting {
  std::string key;
  /// Throws UsageError when `text` is no value of it.
  void (*check)(const Settings& settings, const std::string& text);
};

/// Figures that belong together.
struct Suite {
  std::string key;
  std::string description;
  std::vector<Figure> (*run)(Bench&);
  std::vector<SuiteSetting> settings = {};
};

/// What a setting that is a list was given, between commas.
std::vector<std::string> words_of(const std::string& text);

/// The numbers of devices that the setting `devices` lists; `usual`: where it was not given.
std::vector<int> devices_wished(const Settings& settings, const char* usual);
/// Throws UsageError where one of them cannot be.
void check_devices_wished(const Settings& settings, const std::string& text);

/// Throws UsageError for a word of a list that is not known.
void check_words(const char* what, const std::string& text, const std::vector<std::string>& known);

/// Every suite that is known, in the order they run: the ceilings, and what scenes added.
const std::vector<Suite>& all_suites();
/// Adds a scene's suites; those of a key that is known stay. Before any other thread reads them.
void add_suites(const std::vector<Suite>& more);
/// `source` adds the suites of all scenes; it is called when suites are first asked for.
void add_suites_from(void (*source)());
/// Throws UsageError with the nearest.
const Suite& find_suite(const std::string& key);

/// The keys that the suites understand, each once, in the order of the suites.
std::vector<std::string> setting_keys();
/// Throws UsageError when `settings.set` holds what no suite understands, or a value that one refuses.
void check_settings(const Settings& settings);

}  // namespace warploom::bench
