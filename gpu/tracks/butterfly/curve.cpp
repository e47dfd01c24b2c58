// Signals drawn by hand, as words.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <sstream>

#include "gpu/core/error.h"
#include "gpu/tracks/butterfly/butterfly.h"

namespace warploom {

std::vector<double> parse_curve(const std::string& words) {
  constexpr std::size_t most = 256;
  std::vector<double> values;
  std::istringstream all(words);
  for (std::string word; all >> word;) {
    char* end = nullptr;
    const double value = std::strtod(word.c_str(), &end);
    if (*end || !(std::abs(value) <= 1))
      throw UsageError("curve: value " + std::to_string(values.size() + 1) + " is '" + word +
                       "'; expected a number from -1 to 1");
    values.push_back(value);
  }
  if (values.size() < 2 || values.size() > most)
    throw UsageError("curve has " + std::to_string(values.size()) + " values; expected 2 to " + std::to_string(most) +
                     ", with spaces between them");
  return values;
}

std::string curve_words(const std::vector<double>& values) {
  std::string words;
  for (const double value : values) {
    char text[16];
    std::snprintf(text, sizeof text, "%.3g", value == 0 ? 0. : value);
    words += words.empty() ? "" : " ";
    words += text;
  }
  return words;
}

}  // namespace warploom
