#include <algorithm>
#include <charconv>

#include "gpu/files/point_text.h"

namespace warploom {

namespace {

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
  points.coordinates.reserve(3 * count);
  for (std::uint64_t atom = 0; atom < count; ++atom) {
    if (!lines.next())
      throw source.refuse(lines.number(), "it ends after " + std::to_string(atom) + " of the " + std::to_string(count) +
                                              " atoms that line 1 promises (line 2 is always a comment)");
    const auto words = words_in(lines.text());
    if (words.size() < 4 || (lines.cut() && words[3].end() == lines.text().end()))
      throw source.refuse(lines.number(), "expected 'Symbol x y z' for atom " + std::to_string(atom + 1) + " of " +
                                              std::to_string(count) + ", found " + shown(lines.text()));
    for (std::size_t axis = 1; axis < 4; ++axis) append_coordinate(points, words[axis], source, lines.number());
    points.symbols.emplace_back(words[0]);
  }
  // Another frame or a remark may follow, but another atom means that the count is wrong.
  if (!lines.next()) return;
  const auto words = words_in(lines.text());
  if (words.size() >= 4 &&
      std::all_of(words.begin() + 1, words.begin() + 4, [](auto one) { return number_of(one).has_value(); }))
    throw source.refuse(lines.number(), "another atom after the " + std::to_string(count) +
                                            " that line 1 promises; correct the count or remove the atoms");
}

}  // namespace

PointReader xyz_points() { return {".xyz", "", false, read_xyz}; }

}  // namespace warploom
