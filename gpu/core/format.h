#pragma once
#include <cstdint>
#include <functional>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warploom {

/// The candidate with the fewest edits to `word` (insert, delete, replace, swap of neighbours); empty without any.
std::string nearest(std::string_view word, const std::vector<std::string>& candidates);

/// The number that a word of at most nine digits is, without zeros before it; nothing else is one.
std::optional<std::uint32_t> whole_number(std::string_view word);
/// Of numbers the nearest, of two as near the smaller; null: there is none.
std::optional<std::uint32_t> nearest_number(std::uint32_t number, const std::vector<std::uint32_t>& candidates);

/// "unknown KIND 'WORD'; did you mean 'NEAREST'? (known: A, B, C)"
std::string unknown_message(std::string_view kind, std::string_view word, const std::vector<std::string>& candidates);

/// "a, b, c"
std::string join(const std::vector<std::string>& words, std::string_view between = ", ");

/// What `get`, a member or a function, says of each.
template <class Range, class Get>
std::vector<std::string> texts_of(const Range& range, Get get) {
  std::vector<std::string> all;
  all.reserve(std::size(range));
  for (const auto& one : range) all.emplace_back(std::invoke(get, one));
  return all;
}

/// "a, b or c"
std::string either(const std::vector<std::string>& words);

/// The text, with U+FFFD in place of each byte that is no part of UTF-8.
std::string valid_utf8(std::string_view text);

/// 1536 -> "1.50 KiB"; beyond 2^64 give the number as a double.
std::string bytes_text(double bytes);

/// 1234567 -> "1 234 567"
std::string grouped(unsigned long long number);

/// 43046721 -> "43.05 M"; up to a million the number itself, grouped.
std::string short_count(unsigned long long number);

/// While one lives, the calling thread writes both in full digits without spaces: words that are read aloud, or
/// searched.
class PlainNumbers {
 public:
  PlainNumbers();
  ~PlainNumbers();
  PlainNumbers& operator=(PlainNumbers&&) = delete;  // neither copied nor moved

 private:
  bool before_;
};

/// "1 block", "12 blocks"
std::string counted(unsigned long long number, const std::string& what);

}  // namespace warploom
