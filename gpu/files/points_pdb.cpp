#include <array>

#include "gpu/files/point_text.h"

namespace warploom {

namespace {

/// True for an atom, and for the stump of one that a file cut off ends with.
bool begins_atom(std::string_view line) {
  const auto begins = [&](std::string_view record) {
    return line.substr(0, record.size()) == record.substr(0, line.size());
  };
  return !line.empty() && (begins("ATOM") || begins("HETATM"));
}

/// The element in columns 77-78; where it is missing, the first letter of the atom's name in columns 13-16.
std::string symbol_of(std::string_view line) {
  const auto is_letter = [](char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); };
  if (line.size() > 76)
    if (const auto element = trimmed(line.substr(76, 2)); !element.empty() && is_letter(element[0]))
      return std::string(element);
  for (const char c : line.substr(12, 4))
    if (is_letter(c)) return std::string(1, c);
  return {};
}

/// The columns are the format's, version 3.3: neighbours may touch, so words would not do.
void read_pdb(std::istream& in, const PointSource& source, Points& points) {
  constexpr std::array<const char*, 3> places{" in columns 31-38", " in columns 39-46", " in columns 47-54"};
  PointLines lines(in);
  std::uint64_t model_line = 0, alternates = 0;
  bool ended = false;
  while (!ended && lines.next()) {
    const std::string_view line = lines.text(), record = trimmed(line.substr(0, 6));
    const std::uint64_t number = lines.number();
    if (record == "MODEL") {
      ended = model_line != 0 || !points.coordinates.empty();
      model_line = number;
    }
    ended = ended || record == "ENDMDL" || record == "END";
    if (!begins_atom(line)) continue;
    // With tabs, or with a number that ran over to the left, the coordinates would be in other columns.
    const bool strange = (record != "ATOM" && record != "HETATM") || line.substr(0, 54).find('\t') != line.npos;
    if (line.size() < 54 || strange)
      throw source.refuse(number,
                          "expected ATOM or HETATM in columns 1-6 and, without tabs, x, y and z in columns 31-54; "
                          "found " +
                              std::to_string(line.size()) + " columns, " + shown(line));
    if (line[16] != ' ' && line[16] != 'A') {
      ++alternates;
      continue;
    }
    for (std::size_t axis = 0; axis < 3; ++axis)
      append_coordinate(points, trimmed(line.substr(30 + 8 * axis, 8)), source, number, places[axis]);
    points.symbols.push_back(symbol_of(line));
  }
  if (model_line != 0 && !ended)
    throw source.refuse(model_line,
                        "this MODEL has no ENDMDL; the file is cut off after line " + std::to_string(lines.number()));
  if (points.coordinates.empty())
    throw source.refuse(
        "no atoms in " + std::to_string(lines.number()) + " lines; expected ATOM or HETATM records" +
        (alternates ? "; " + std::to_string(alternates) + " alternate locations other than 'A' were left out" : ""));
}

}  // namespace

PointReader pdb_points() { return {".pdb", "Protein Data Bank", false, read_pdb}; }

}  // namespace warploom
