#include "gpu/core/format.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <utility>

namespace warploom {

namespace {

/// Optimal string alignment distance, in rows; sizes here are names, so the square is small.
std::size_t edits(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i)
    for (std::size_t j = 1; j <= b.size(); ++j) {
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  return d[a.size()][b.size()];
}

}  // namespace

std::string nearest(std::string_view word, const std::vector<std::string>& candidates) {
  const auto best = std::min_element(candidates.begin(), candidates.end(),
                                     [&](const auto& a, const auto& b) { return edits(word, a) < edits(word, b); });
  return best == candidates.end() ? std::string() : *best;
}

std::string join(const std::vector<std::string>& words, std::string_view between) {
  std::string all;
  for (const auto& word : words) {
    if (!all.empty()) all += between;
    all += word;
  }
  return all;
}

std::optional<std::uint32_t> whole_number(std::string_view word) {
  if (word.empty() || word.size() > 9 || (word[0] == '0' && word.size() > 1)) return std::nullopt;
  std::uint32_t number = 0;
  for (const char c : word) {
    if (c < '0' || c > '9') return std::nullopt;
    number = 10 * number + static_cast<std::uint32_t>(c - '0');
  }
  return number;
}

std::optional<std::uint32_t> nearest_number(std::uint32_t number, const std::vector<std::uint32_t>& candidates) {
  std::optional<std::uint32_t> best;
  const auto off = [number](std::uint32_t other) { return other < number ? number - other : other - number; };
  for (const std::uint32_t one : candidates)
    if (!best || std::pair(off(one), one) < std::pair(off(*best), *best)) best = one;
  return best;
}

namespace {

/// What was meant: of numbers the nearest, else the nearest word, unless it has next to nothing in common; or nothing.
std::string meant(std::string_view word, const std::vector<std::string>& candidates) {
  if (const auto number = whole_number(word)) {
    std::vector<std::uint32_t> numbers;
    for (const auto& candidate : candidates)
      if (const auto one = whole_number(candidate)) numbers.push_back(*one);
    if (const auto one = nearest_number(*number, numbers)) return std::to_string(*one);
  }
  const std::string best = nearest(word, candidates);
  return 2 * edits(word, best) < std::max(word.size(), best.size()) + 1 ? best : std::string();
}

}  // namespace

std::string unknown_message(std::string_view kind, std::string_view word, const std::vector<std::string>& candidates) {
  std::string message = "unknown " + std::string(kind) + " '" + std::string(word) + "'";
  if (const std::string best = meant(word, candidates); !best.empty()) message += "; did you mean '" + best + "'?";
  return message + " (known: " + join(candidates) + ")";
}

std::string either(const std::vector<std::string>& words) {
  if (words.size() < 2) return join(words);
  return join({words.begin(), words.end() - 1}) + " or " + words.back();
}

std::string valid_utf8(std::string_view text) {
  std::string valid;
  for (std::size_t at = 0; at < text.size();) {
    const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
    const unsigned first = byte(at);
    const std::size_t length = first < 0x80   ? 1
                               : first < 0xc2 ? 0
                               : first < 0xe0 ? 2
                               : first < 0xf0 ? 3
                               : first < 0xf5 ? 4
                                              : 0;
    bool right = length > 0;
    for (std::size_t i = 1; i < length; ++i) right = right && (byte(at + i) & 0xc0) == 0x80;
    // Longer than needed, halves of a pair, beyond the last code point.
    if (first == 0xe0) right = right && byte(at + 1) >= 0xa0;
    if (first == 0xed) right = right && byte(at + 1) < 0xa0;
    if (first == 0xf0) right = right && byte(at + 1) >= 0x90;
    if (first == 0xf4) right = right && byte(at + 1) < 0x90;
    if (right)
      valid += text.substr(at, length);
    else
      valid += "\uFFFD";
    at += right ? length : 1;
  }
  return valid;
}

std::string bytes_text(double bytes) {
  constexpr std::array<const char*, 9> units{"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB", "ZiB", "YiB"};
  std::size_t unit = 0;
  while (bytes >= 1024 && unit + 1 < units.size()) bytes /= 1024, ++unit;
  std::array<char, 48> text{};
  std::snprintf(text.data(), text.size(), unit ? "%.2f %s" : "%.0f %s", bytes, units[unit]);
  return text.data();
}

namespace {
thread_local bool plain_numbers = false;
}

PlainNumbers::PlainNumbers() : before_(std::exchange(plain_numbers, true)) {}
PlainNumbers::~PlainNumbers() { plain_numbers = before_; }

std::string grouped(unsigned long long number) {
  std::string text = std::to_string(number);
  if (plain_numbers) return text;
  for (int at = static_cast<int>(text.size()) - 3; at > 0; at -= 3) text.insert(static_cast<std::size_t>(at), " ");
  return text;
}

std::string short_count(unsigned long long number) {
  constexpr std::array<const char*, 5> units{"", " M", " G", " T", " P"};
  if (number < 1000000 || plain_numbers) return grouped(number);
  double value = static_cast<double>(number) / 1e6;
  std::size_t unit = 1;
  while (value >= 1000 && unit + 1 < units.size()) value /= 1000, ++unit;
  std::array<char, 48> text{};
  std::snprintf(text.data(), text.size(), "%.*f%s", value < 10 ? 2 : value < 100 ? 1 : 0, value, units[unit]);
  return text.data();
}

std::string counted(unsigned long long number, const std::string& what) {
  return short_count(number) + " " + what + (number == 1 ? "" : "s");
}

}  // namespace warploom
