#include "gpu/files/point_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

namespace warploom {

std::string shown(double value) {
  if (std::isnan(value)) return "NaN";
  std::array<char, 32> text{};
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), value).ptr};
}

const char* coordinate_fault(double value) {
  if (!std::isfinite(value)) return "is not a finite number within a double's range; repair or remove the point";
  if (std::fabs(value) > static_cast<double>(std::numeric_limits<float>::max()))
    return "is beyond what a float holds (3.4e+38); scale the points down";
  return nullptr;
}

std::string coordinate_name(std::uint64_t point, std::uint64_t axis) {
  return "point " + std::to_string(point) + " (of those counted from 0), " +
         (axis < 3 ? std::string("axis ") + "xyz"[axis] : "column " + std::to_string(axis));
}

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  return first == std::string_view::npos ? text.substr(0, 0)
                                         : text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::vector<std::string_view> words_in(std::string_view line) {
  std::vector<std::string_view> words;
  for (std::size_t at = 0; (at = line.find_first_not_of(" \t", at)) != line.npos;) {
    const std::size_t end = std::min(line.find_first_of(" \t", at), line.size());
    words.push_back(line.substr(at, end - at));
    at = end;
  }
  return words;
}

bool PointLines::next() {
  using Traits = std::char_traits<char>;
  constexpr std::size_t limit = 4096;
  text_.clear();
  cut_ = false;
  Traits::int_type byte = bytes_.sbumpc();
  if (byte == Traits::eof()) return false;
  for (; byte != Traits::eof() && byte != '\n' && byte != '\r'; byte = bytes_.sbumpc())
    if (text_.size() < limit)
      text_ += Traits::to_char_type(byte);
    else
      cut_ = true;
  if (byte == '\r' && bytes_.sgetc() == '\n') bytes_.sbumpc();
  // The byte order mark of some editors would hide the first record.
  if (++number_ == 1 && text_.starts_with("\xEF\xBB\xBF")) text_.erase(0, 3);
  return true;
}

std::optional<double> number_of(std::string_view word) {
  if (word.starts_with('+') && !word.starts_with("+-")) word.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error == std::errc::invalid_argument || end != word.data() + word.size()) return {};
  return error == std::errc::result_out_of_range ? std::numeric_limits<double>::infinity() : value;
}

void append_coordinate(Points& points, std::string_view word, const PointSource& source, std::uint64_t line,
                       std::string_view place) {
  const std::optional<double> value = number_of(word);
  const char* why = value ? coordinate_fault(*value) : "";
  if (!why) {
    points.coordinates.push_back(static_cast<float>(*value));
    return;
  }
  const std::uint64_t known = points.coordinates.size();
  const std::string name = coordinate_name(known / 3, known % 3);
  if (!value) throw source.refuse(line, name + ": expected a number" + std::string(place) + ", found " + shown(word));
  throw source.refuse(line, name + ": " + shown(word) + std::string(place) + " " + why);
}

}  // namespace warploom
