#include <algorithm>
#include <array>

#include "gpu/files/molecule_text.h"

namespace warploom {

namespace {

/// Records that hold no atom.
constexpr std::array other_records{"REMARK", "TER", "END", "MODEL", "ENDMDL", "CRYST1", "TITLE", "HEADER", "CONECT"};

float of_atom(const char* what, std::string_view word, const PointSource& source, std::uint64_t line,
              std::uint64_t atom) {
  const auto value = number_of(word);
  const char* why = value ? coordinate_fault(*value) : "is no number";
  if (why)
    throw source.refuse(
        line, "point " + std::to_string(atom) + " (of those counted from 0), " + what + ": " + shown(word) + " " + why);
  return static_cast<float>(*value);
}

/// x, y, z, charge and radius of an atom: words, not columns, as the format has none. What stands before the last five
/// is the record, number, name, residue and its number; an element may stand behind them. Where x, y and z touch they
/// are taken from the columns of a PDB file. Empty: the line has no five.
std::vector<std::string_view> last_five(std::string_view line) {
  auto words = words_in(line);
  if (words.size() > 6 && !number_of(words.back()) && number_of(words[words.size() - 2])) words.pop_back();
  if (words.size() >= 10 &&
      std::all_of(words.end() - 5, words.end(), [](auto word) { return number_of(word).has_value(); }))
    return {words.end() - 5, words.end()};
  if (line.size() < 58) return {};
  std::vector<std::string_view> five;
  for (std::size_t axis = 0; axis < 3; ++axis) five.push_back(trimmed(line.substr(30 + 8 * axis, 8)));
  for (const auto word : words_in(line.substr(54))) five.push_back(word);
  five.resize(std::min<std::size_t>(five.size(), 5));
  return five.size() == 5 &&
                 std::all_of(five.begin(), five.end(), [](auto word) { return number_of(word).has_value(); })
             ? five
             : std::vector<std::string_view>();
}

void read_pqr(std::istream& in, const PointSource& source, Points& points) {
  PointLines lines(in);
  Models models;
  StrangeRecords strange;
  while (lines.next()) {
    const std::string_view line = lines.text();
    const auto words = words_in(line);
    if (words.empty()) continue;
    if (models.ends_at(words[0], lines.number(), !points.coordinates.empty())) break;
    if (!line.starts_with("ATOM") && !line.starts_with("HETATM")) {
      const bool known = std::any_of(other_records.begin(), other_records.end(),
                                     [&](std::string_view record) { return words[0].starts_with(record); });
      if (!known && words[0][0] != '#') strange.add(lines.number(), words[0]);
      continue;
    }
    auto five = last_five(line);
    // With five words that are not all numbers the one that is none is named below.
    if (five.empty() && words.size() >= 10) five.assign(words.end() - 5, words.end());
    if (five.empty() || lines.cut())
      throw source.refuse(lines.number(), "expected ATOM or HETATM, and x y z charge radius at the end; found " +
                                              shown(line) + "; where numbers touch, 'pdb2pqr --whitespace' parts them");
    for (std::size_t axis = 0; axis < 3; ++axis) append_coordinate(points, five[axis], source, lines.number());
    points.charges.push_back(of_atom("charge", five[3], source, lines.number(), points.charges.size()));
    points.radii.push_back(of_atom("radius", five[4], source, lines.number(), points.radii.size()));
  }
  models.check_end(source, lines.number());
  if (points.coordinates.empty())
    throw source.refuse("no atoms in " + std::to_string(lines.number()) +
                        " lines; expected ATOM or HETATM lines that end with x y z charge radius");
  models.tell(lines, points);
  strange.tell(points, "neither ATOM nor HETATM nor a record that holds no atom");
}

}  // namespace

PointReader pqr_points() { return {".pqr", "", false, read_pqr}; }

}  // namespace warploom
