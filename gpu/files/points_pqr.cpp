#include "gpu/files/point_text.h"

namespace warploom {

namespace {

/// The last words of a line, the last first, separated by blanks or tabs.
std::vector<std::string_view> last_words(std::string_view line, std::size_t most) {
  std::vector<std::string_view> words;
  while (words.size() < most) {
    line = trimmed(line);
    if (line.empty()) break;
    const auto blank = line.find_last_of(" \t");
    words.push_back(blank == line.npos ? line : line.substr(blank + 1));
    line = blank == line.npos ? std::string_view() : line.substr(0, blank);
  }
  return words;
}

float of_atom(const char* what, std::string_view word, const PointSource& source, std::uint64_t line,
              std::uint64_t atom) {
  const auto value = number_of(word);
  const char* why = value ? coordinate_fault(*value) : "is no number";
  if (why)
    throw source.refuse(
        line, "point " + std::to_string(atom) + " (of those counted from 0), " + what + ": " + shown(word) + " " + why);
  return static_cast<float>(*value);
}

/// Words, not columns: the format has none. What stands before the last five is the atom's name, residue and chain.
void read_pqr(std::istream& in, const PointSource& source, Points& points) {
  PointLines lines(in);
  while (lines.next()) {
    const std::string_view line = lines.text();
    if (!line.starts_with("ATOM") && !line.starts_with("HETATM")) continue;
    // Record, number, name, residue and its number stand before: with fewer words a line is cut off.
    constexpr std::size_t least = 10;
    const auto words = last_words(line, least);
    if (words.size() < least || lines.cut())
      throw source.refuse(lines.number(),
                          "expected ATOM or HETATM, and x y z charge radius at the end; found " + shown(line));
    for (std::size_t axis = 0; axis < 3; ++axis) append_coordinate(points, words[4 - axis], source, lines.number());
    points.charges.push_back(of_atom("charge", words[1], source, lines.number(), points.charges.size()));
    points.radii.push_back(of_atom("radius", words[0], source, lines.number(), points.radii.size()));
  }
  if (points.coordinates.empty())
    throw source.refuse("no atoms in " + std::to_string(lines.number()) +
                        " lines; expected ATOM or HETATM lines that end with x y z charge radius");
}

}  // namespace

PointReader pqr_points() { return {".pqr", "", false, read_pqr}; }

}  // namespace warploom
