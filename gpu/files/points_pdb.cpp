#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>

#include "gpu/core/format.h"
#include "gpu/files/elements.h"
#include "gpu/files/molecule_text.h"

namespace warploom {

namespace {

/// Records of the format, version 3.3, and of the programs that write it; any other is worth a word.
constexpr std::array known_records{
    "ANISOU", "ATOM",   "AUTHOR", "CAVEAT", "CISPEP", "COMPND", "CONECT", "CRYST1", "DBREF",  "DBREF1",
    "DBREF2", "END",    "ENDMDL", "EXPDTA", "FORMUL", "FTNOTE", "HEADER", "HELIX",  "HET",    "HETATM",
    "HETNAM", "HETSYN", "HYDBND", "JRNL",   "KEYWDS", "LINK",   "LINKR",  "MASTER", "MDLTYP", "MODEL",
    "MODRES", "MTRIX1", "MTRIX2", "MTRIX3", "NUMMDL", "OBSLTE", "ORIGX1", "ORIGX2", "ORIGX3", "REMARK",
    "REVDAT", "SCALE1", "SCALE2", "SCALE3", "SEQADV", "SEQRES", "SHEET",  "SIGATM", "SIGUIJ", "SITE",
    "SLTBRG", "SOURCE", "SPLIT",  "SPRSDE", "SSBOND", "TER",    "TITLE",  "TURN",   "TVECT",  "USER"};

/// An atom as its record has it.
struct Atom {
  std::array<float, 3> place;
  std::string symbol;
  std::string name, residue, number;  ///< `number`: chain, number and insertion code
  char alternate;                     ///< ' ': it has none
  double occupancy;
};

/// True for an atom, and for the stump of one that a file cut off ends with.
bool begins_atom(std::string_view line) {
  const auto begins = [&](std::string_view record) {
    return line.substr(0, record.size()) == record.substr(0, line.size());
  };
  return !line.empty() && (begins("ATOM") || begins("HETATM"));
}

/// ATOM or HETATM; of ATOM a serial of six digits may begin in columns 5 and 6, as UCSF Chimera writes it.
bool is_atom(std::string_view line) {
  if (line.starts_with("HETATM")) return true;
  const auto blank_or_digit = [](char c) { return c == ' ' || (c >= '0' && c <= '9'); };
  return line.size() >= 6 && line.starts_with("ATOM") && blank_or_digit(line[4]) && blank_or_digit(line[5]);
}

/// The three numbers that stand from column 31 on with three digits after the point each, where they are too wide for
/// their columns; none where they cannot be told apart so.
std::optional<std::array<std::string_view, 3>> wide_numbers(std::string_view line) {
  // A number that ran over to the left has lost its beginning; a digit in column 27 is no insertion code.
  if (line.substr(27, 3) != "   " || (line[26] >= '0' && line[26] <= '9')) return {};
  std::array<std::string_view, 3> numbers;
  std::size_t at = 30;
  for (auto& number : numbers) {
    const std::size_t point = line.find('.', at), end = point + 4;
    if (point == line.npos || end > line.size()) return {};
    number = trimmed(line.substr(at, end - at));
    if (number.find_first_not_of("+-.0123456789") != number.npos || !number_of(number) || line[end - 1] == ' ')
      return {};
    at = end;
  }
  return numbers;
}

/// x, y and z of the columns. Where a point stands out of its column in all three, the columns have moved.
std::array<std::string_view, 3> numbers_of(std::string_view line, const PointSource& source, std::uint64_t number) {
  std::array<std::string_view, 3> columns;
  int moved = 0;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::string_view field = line.substr(30 + 8 * axis, 8);
    moved += field.find('.') != field.npos && field[4] != '.' && field.find_first_of("eE") == field.npos;
    columns[axis] = trimmed(field);
  }
  // Numbers of another precision stand out of place, too, but are numbers by themselves, with blanks between.
  const bool apart = line[37] == ' ' || line[45] == ' ' || line[38] == ' ' || line[46] == ' ';
  const bool numbers =
      std::all_of(columns.begin(), columns.end(), [](auto word) { return number_of(word).has_value(); });
  if (numbers && (moved < 3 || apart)) return columns;
  if (const auto wide = wide_numbers(line)) return *wide;
  if (!numbers) return columns;  // the one that is none is named by its columns
  throw source.refuse(number, "x, y and z are too wide for columns 31-54, which have three digits after the point: " +
                                  shown(line.substr(30, 24)));
}

/// Chooses one place of each atom.
class Places {
 public:
  void add(Atom atom) {
    auto& residues = residues_[atom.number];
    auto residue =
        std::find_if(residues.begin(), residues.end(), [&](const auto& one) { return one.name == atom.residue; });
    if (residue == residues.end()) residue = residues.insert(residues.end(), {atom.residue, 0});
    // A residue that has atoms without a letter is there whatever is chosen.
    residue->occupancy = std::max(residue->occupancy, atom.alternate == ' ' ? 1e9 : atom.occupancy);
    atoms_.push_back(std::move(atom));
  }
  std::size_t size() const { return atoms_.size(); }

  void take_into(Points& points) const {
    std::map<std::string, std::size_t> taken;  // by place and name, the last atom of that name
    std::vector<const Atom*> kept;
    std::uint64_t left_out = 0;
    for (const Atom& atom : atoms_) {
      if (is_of_other_residue(atom)) {
        ++left_out;
        continue;
      }
      const auto [known, is_new] = taken.try_emplace(atom.number + atom.name, kept.size());
      if (!is_new && kept[known->second]->alternate != atom.alternate) {
        ++left_out;
        if (atom.occupancy > kept[known->second]->occupancy) kept[known->second] = &atom;
        continue;
      }
      known->second = kept.size();
      kept.push_back(&atom);
    }
    for (const Atom* atom : kept) {
      points.coordinates.insert(points.coordinates.end(), atom->place.begin(), atom->place.end());
      points.symbols.push_back(atom->symbol);
    }
    if (left_out) points.remarks.push_back(counted(left_out, "alternate location") + " left out");
  }

 private:
  struct Residue {
    std::string name;
    double occupancy;  ///< the highest of its atoms
  };

  /// Whether its residue is an alternate of another in the same place, and not the one that is taken: that of the
  /// highest occupancy, or the first in the file.
  bool is_of_other_residue(const Atom& atom) const {
    const auto& residues = residues_.at(atom.number);
    const auto best = std::max_element(residues.begin(), residues.end(),
                                       [](const auto& a, const auto& b) { return a.occupancy < b.occupancy; });
    return atom.alternate != ' ' && best->name != atom.residue;
  }

  std::vector<Atom> atoms_;
  std::map<std::string, std::vector<Residue>> residues_;  ///< by their place, in the order of the file
};

/// The element in columns 77-78; where it is missing, what the atom's name in columns 13-16 says of it.
std::string symbol_of(std::string_view line) {
  if (line.size() > 76)
    if (const auto element = trimmed(line.substr(76, 2)); !element.empty() && element_of(element))
      return std::string(element);
  return symbol_of_atom_name(line.substr(12, 4), trimmed(line.substr(17, 3)));
}

/// A column's number, or `otherwise` where none stands.
double number_or(std::string_view field, double otherwise) {
  const auto value = number_of(trimmed(field));
  return value && std::isfinite(*value) ? *value : otherwise;
}

/// The columns are the format's, version 3.3: neighbours may touch, so words would not do.
void read_pdb(std::istream& in, const PointSource& source, Points& points) {
  constexpr std::array<const char*, 3> columns{" in columns 31-38", " in columns 39-46", " in columns 47-54"};
  PointLines lines(in);
  Places places;
  Points read{3, {}, {}, {}, {}, {}};
  Models models;
  StrangeRecords strange;
  while (lines.next()) {
    const std::string_view line = lines.text(), record = trimmed(line.substr(0, 6));
    const std::uint64_t number = lines.number();
    if (models.ends_at(record, number, places.size() > 0)) break;
    if (!begins_atom(line)) {
      if (std::find(known_records.begin(), known_records.end(), record) == known_records.end() && line.size() >= 54 &&
          number_of(trimmed(line.substr(30, 8))) && number_of(trimmed(line.substr(38, 8))) &&
          number_of(trimmed(line.substr(46, 8))))
        strange.add(number, record);
      continue;
    }
    // With tabs, or with a number that ran over to the left, the coordinates would be in other columns.
    if (line.size() < 54 || !is_atom(line) || line.substr(0, 54).find('\t') != line.npos)
      throw source.refuse(number,
                          "expected ATOM or HETATM in columns 1-6 and, without tabs, x, y and z in columns 31-54; "
                          "found " +
                              std::to_string(line.size()) + " columns, " + shown(line));
    const auto numbers = numbers_of(line, source, number);
    const std::size_t first = read.coordinates.size();
    for (std::size_t axis = 0; axis < 3; ++axis) append_coordinate(read, numbers[axis], source, number, columns[axis]);
    places.add({{read.coordinates[first], read.coordinates[first + 1], read.coordinates[first + 2]},
                symbol_of(line),
                std::string(trimmed(line.substr(12, 4))),
                std::string(trimmed(line.substr(17, 3))),
                std::string(line.substr(20, 7)),
                line[16],
                line.size() < 60 ? 1 : number_or(line.substr(54, 6), 1)});
  }
  models.check_end(source, lines.number());
  if (places.size() == 0)
    throw source.refuse("no atoms in " + std::to_string(lines.number()) + " lines; expected ATOM or HETATM records");
  places.take_into(points);
  models.tell(lines, points);
  strange.tell(points, "no record of the format");
}

}  // namespace

PointReader pdb_points() { return {".pdb", "Protein Data Bank", false, read_pdb}; }

}  // namespace warploom
