#include "gpu/files/point_text.h"

namespace warploom {

namespace {

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
    const auto words = words_in(line);
    // Record, number, name, residue and its number stand before: with fewer words a line is cut off.
    if (words.size() < 10 || lines.cut())
      throw source.refuse(lines.number(),
                          "expected ATOM or HETATM, and x y z charge radius at the end; found " + shown(line));
    const auto last = words.end() - 5;
    for (int axis = 0; axis < 3; ++axis) append_coordinate(points, last[axis], source, lines.number());
    points.charges.push_back(of_atom("charge", last[3], source, lines.number(), points.charges.size()));
    points.radii.push_back(of_atom("radius", last[4], source, lines.number(), points.radii.size()));
  }
  if (points.coordinates.empty())
    throw source.refuse("no atoms in " + std::to_string(lines.number()) +
                        " lines; expected ATOM or HETATM lines that end with x y z charge radius");
}

}  // namespace

PointReader pqr_points() { return {".pqr", "", false, read_pqr}; }

}  // namespace warploom
