#include <algorithm>
#include <charconv>
#include <limits>

#include "gpu/files/point_text.h"

namespace warploom {

namespace {

/// Where an atom's symbol and x stand, counted in words from 0.
struct Columns {
  std::size_t symbol = 0, place = 1;
  std::size_t words() const { return std::max(symbol + 1, place + 3); }
};

bool same(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](char x, char y) { return lower(x) == lower(y); });
}

/// The value of 'Properties=...' in a comment of extended XYZ, without quotes; empty where the comment has none.
std::string_view properties_in(std::string_view comment) {
  constexpr std::string_view key = "properties";
  for (std::size_t at = 0; at + key.size() < comment.size(); ++at) {
    if (!same(comment.substr(at, key.size()), key) || (at > 0 && comment[at - 1] != ' ' && comment[at - 1] != '\t'))
      continue;
    std::string_view rest = trimmed(comment.substr(at + key.size()));
    if (!rest.starts_with('=')) continue;
    rest = trimmed(rest.substr(1));
    const char quote = rest.empty() ? ' ' : rest[0];
    if (quote == '"' || quote == '\'') return rest.substr(1, rest.find(quote, 1) - 1);
    return rest.substr(0, rest.find_first_of(" \t"));
  }
  return {};
}

/// The columns that 'species:S:1:pos:R:3' names; the first four words without it.
Columns columns_of(std::string_view comment, const PointSource& source) {
  const std::string_view properties = properties_in(comment);
  if (properties.empty()) return {};
  const auto refuse = [&](const std::string& why) {
    return source.refuse(2, "Properties=" + shown(properties) + ": " + why);
  };
  std::vector<std::string_view> parts;
  for (std::size_t at = 0; at <= properties.size();) {
    const std::size_t end = std::min(properties.find(':', at), properties.size());
    parts.push_back(properties.substr(at, end - at));
    at = end + 1;
  }
  if (parts.size() % 3 != 0) throw refuse("expected NAME:TYPE:COUNT for each column");
  constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
  std::size_t symbol = none, number = none, place = none, word = 0;
  for (std::size_t i = 0; i < parts.size(); i += 3) {
    std::size_t count = 0;
    const auto [end, error] = std::from_chars(parts[i + 2].data(), parts[i + 2].data() + parts[i + 2].size(), count);
    if (error != std::errc() || end != parts[i + 2].data() + parts[i + 2].size() || count == 0 || count > 1000)
      throw refuse("a count of " + shown(parts[i + 2]) + "; expected a number from 1");
    if (same(parts[i], "species") || same(parts[i], "element") || same(parts[i], "elements") ||
        same(parts[i], "symbols"))
      symbol = word;
    if (same(parts[i], "Z") || same(parts[i], "numbers") || same(parts[i], "atomic_numbers")) number = word;
    if (same(parts[i], "pos") || same(parts[i], "positions")) {
      if (count != 3) throw refuse("places of " + std::to_string(count) + " numbers; expected 3");
      place = word;
    }
    word += count;
  }
  if (symbol == none) symbol = number;
  if (place == none || symbol == none) throw refuse("it names no " + std::string(place == none ? "pos" : "species"));
  return {symbol, place};
}

void read_xyz(std::istream& in, const PointSource& source, Points& points) {
  PointLines lines(in);
  lines.next();
  const std::string_view word = trimmed(lines.text());
  std::uint64_t count = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), count);
  if (error == std::errc::invalid_argument || end != word.data() + word.size() || lines.cut())
    throw source.refuse(1, "expected the number of atoms alone on the first line, found " + shown(lines.text()));
  // The shortest atom is "H 0 0 0" and a line end: no count that lies gets memory.
  if (error == std::errc::result_out_of_range || count > source.size / 8)
    throw source.refuse(1, "a count of " + shown(word) + " atoms; a file of " + std::to_string(source.size) +
                               " bytes cannot hold them");
  if (count == 0) throw source.refuse(1, "it holds no points; at least one is needed");
  if (!lines.next()) throw source.refuse(1, "it ends after its first line; expected a comment line, then atoms");
  const Columns columns = columns_of(lines.text(), source);
  const std::string expected =
      columns.symbol == 0 && columns.place == 1 ? "'Symbol x y z'" : "the columns that Properties names on line 2";
  points.coordinates.reserve(3 * count);
  for (std::uint64_t atom = 0; atom < count; ++atom) {
    if (!lines.next())
      throw source.refuse(lines.number(), "it ends after " + std::to_string(atom) + " of the " + std::to_string(count) +
                                              " atoms that line 1 promises (line 2 is always a comment)");
    const auto words = words_in(lines.text());
    if (words.size() < columns.words() || (lines.cut() && words[columns.words() - 1].end() == lines.text().end()))
      throw source.refuse(lines.number(), "expected " + expected + " for atom " + std::to_string(atom + 1) + " of " +
                                              std::to_string(count) + ", found " + shown(lines.text()));
    for (std::size_t axis = 0; axis < 3; ++axis)
      append_coordinate(points, words[columns.place + axis], source, lines.number());
    points.symbols.emplace_back(words[columns.symbol]);
  }
  // Another frame or a remark may follow, but another atom means that the count is wrong.
  if (!lines.next()) return;
  const auto words = words_in(lines.text());
  const auto is_number = [](std::string_view one) { return number_of(one).has_value(); };
  if (words.size() >= columns.words() &&
      std::all_of(words.begin() + static_cast<std::ptrdiff_t>(columns.place),
                  words.begin() + static_cast<std::ptrdiff_t>(columns.place) + 3, is_number))
    throw source.refuse(lines.number(), "another atom after the " + std::to_string(count) +
                                            " that line 1 promises; correct the count or remove the atoms");
  std::uint64_t frames = 1;
  if (words.size() == 1 && trimmed(lines.text()) == word) {
    // Frames of a trajectory have as many atoms each.
    std::uint64_t following = 1;
    while (lines.next()) ++following;
    frames += following / (count + 2);
  }
  if (frames > 1) points.remarks.push_back("frame 1 of " + std::to_string(frames));
}

}  // namespace

PointReader xyz_points() { return {".xyz", "", false, read_xyz}; }

}  // namespace warploom
