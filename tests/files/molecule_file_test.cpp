#include <algorithm>
#include <utility>
#include <vector>

#include "gpu/files/elements.h"
#include "gpu/files/points.h"
#include "tests/files/files.h"

namespace warploom {
namespace {

using Places = std::vector<float>;
using Symbols = std::vector<std::string>;

class MoleculeFileTest : public FileTest {
 protected:
  Points molecule(const std::string& name, const std::string& text) { return read_points(write(name, text), 3); }
  void molecule_refused(const std::string& name, const std::string& text,
                        std::initializer_list<std::string_view> parts) {
    expect_parts(message_of<FileError>([&] { (void)molecule(name, text); }), parts);
  }
};

/// An atom record by the format's columns: 13-16 name, 17 alternate, 18-20 residue, 23-26 its number, 31-54 place,
/// 55-60 occupancy, 77-78 element.
std::string atom(const char* name, char alternate, const char* residue, int number, float x, double occupancy,
                 const char* element = "") {
  char line[100];
  std::snprintf(line, sizeof line, "ATOM  %5d %-4s%c%3s A%4d    %8.3f%8.3f%8.3f%6.2f%6.2f          %2s\n", number, name,
                alternate, residue, number, double(x), 0., 0., occupancy, 0., element);
  return line;
}

Places along_x(std::initializer_list<float> all) {
  Places places;
  for (const float x : all) places.insert(places.end(), {x, 0, 0});
  return places;
}

TEST_F(MoleculeFileTest, PdbTakesOnePlaceOfEachAtom) {
  const std::string first = atom(" CA ", ' ', "SER", 1, 1, 1);
  const std::pair<std::string, Places> cases[] = {
      {atom(" CB ", 'B', "SER", 1, 2, .6) + atom(" CB ", 'C', "SER", 1, 3, .4), along_x({1, 2})},
      {atom(" CB ", '1', "SER", 1, 2, .4) + atom(" CB ", '2', "SER", 1, 3, .6), along_x({1, 3})},
      {atom(" CB ", 'B', "SER", 1, 2, .5) + atom(" CB ", 'A', "SER", 1, 3, .5), along_x({1, 2})},  // the first of two
      {atom(" CB ", ' ', "SER", 1, 2, .5) + atom(" CB ", 'B', "SER", 1, 3, .5),
       along_x({1, 2})},                                      // a blank and a letter
      {atom(" O  ", 'B', "HOH", 2, 2, .4), along_x({1, 2})},  // there as B alone
      {atom(" CB ", 'A', "SER", 1, 2, .5) + atom(" OG ", 'A', "SER", 1, 3, .5) + atom(" CB ", 'B', "SER", 1, 4, .5) +
           atom(" OG ", 'B', "SER", 1, 5, .5),
       along_x({1, 2, 3})},  // a block of A, then one of B
      {atom(" N  ", 'A', "SER", 2, 2, .3) + atom(" OG ", 'A', "SER", 2, 3, .3) + atom(" N  ", 'C', "THR", 2, 4, .7) +
           atom(" OG1", 'C', "THR", 2, 5, .7) + atom(" CG2", 'C', "THR", 2, 6, .7),
       along_x({1, 4, 5, 6})},                               // another residue in the same place
      {atom(" CA ", ' ', "SER", 1, 7, 1), along_x({1, 7})},  // numbers that begin again are no alternates
  };
  for (const auto& [text, places] : cases) {
    const std::string all = first + text;
    const Points got = molecule("a.pdb", all);
    EXPECT_EQ(got.coordinates, places) << text;
    EXPECT_EQ(got.symbols.size(), places.size() / 3);
    const auto atoms = static_cast<std::size_t>(std::count(all.begin(), all.end(), '\n'));
    const std::size_t left_out = atoms - places.size() / 3;
    ASSERT_EQ(got.remarks.size(), left_out ? 1u : 0u) << text;
    if (left_out) expect_parts(got.remarks[0], {std::to_string(left_out) + " alternate location"});
  }
}

TEST_F(MoleculeFileTest, PdbElementsFollowTheName) {
  const std::tuple<const char*, const char*, const char*, const char*> cases[] = {
      {"CL  ", " CL", "", "CL"},   {"NA  ", " NA", "", "NA"}, {"ZN  ", " ZN", "", "ZN"}, {"CA  ", " CA", "", "CA"},
      {" CA ", "GLY", "", "C"},    {"CA  ", "GLY", "", "C"},  {"HG11", "VAL", "", "H"},  {"HE21", "GLN", "", "H"},
      {"HG  ", "SER", "", "H"},    {"CD  ", "LYS", "", "C"},  {"SE  ", "MSE", "", "SE"}, {"BR1 ", "LIG", "", "BR"},
      {"CL12", "LIG", "", "CL"},   {"CAAA", "LIG", "", "C"},  {"1HB ", "ALA", "", "H"},  {"FE  ", "HEM", "", "FE"},
      {" K  ", "  K", "", "K"},    {" P  ", " DA", "", "P"},  {"CD  ", " CD", "", "CD"}, {"HG  ", " HG", "", "HG"},
      {"CA  ", " CA", "CA", "CA"}, {" X1 ", "LIG", "", ""},   {" CA ", "GLY", "N", "N"}, {"OXT ", "ALA", "", "O"},
  };
  for (const auto& [name, residue, element, symbol] : cases)
    EXPECT_EQ(molecule("a.pdb", atom(name, ' ', residue, 1, 1, 1, element)).symbols, Symbols{symbol})
        << name << " of " << residue;
}

TEST_F(MoleculeFileTest, PdbSerialsOfSixDigits) {
  for (const char* start : {"ATOM 100000", "ATOM  186A0", "ATOM  *****", "ATOM  A0000", "HETATM100000"}) {
    std::string line = start + atom(" CA ", ' ', "GLY", 1, 1, 1).substr(11);
    if (std::string_view(start).size() == 12) line.erase(12, 1);
    EXPECT_EQ(molecule("a.pdb", line).coordinates, along_x({1})) << start;
  }
}

TEST_F(MoleculeFileTest, PdbNumbersTooWideForTheirColumns) {
  const std::string start = "ATOM      1  N   THR A   1    ";
  EXPECT_EQ(molecule("a.pdb", start + "31256.96532685.06460403.930  1.00 99.99\n").coordinates,
            (Places{31256.965f, 32685.064f, 60403.930f}));
  EXPECT_EQ(molecule("a.pdb", start + "-1256.965-2685.064-10403.930\n").coordinates,
            (Places{-1256.965f, -2685.064f, -10403.930f}));
  EXPECT_EQ(molecule("a.pdb", start + "12345.67812345.67812345.678\n").coordinates,
            (Places{12345.678f, 12345.678f, 12345.678f}));
  // Two digits after the point, apart: another precision, not another place.
  EXPECT_EQ(molecule("a.pdb", start + "    1.25    2.50    3.75\n").coordinates, (Places{1.25, 2.5, 3.75}));
  molecule_refused("a.pdb", start + "312569.6532685.0660403.93 1.00\n", {".pdb:1:", "columns 31-54"});
  molecule_refused("a.pdb", start.substr(0, 29) + "131256.9653268.506460403.9301\n", {".pdb:1:", "columns 31-54"});
}

TEST_F(MoleculeFileTest, PqrTakesWhatOtherProgramsWrite) {
  const Points with_element = molecule("a.pqr",
                                       "REMARK radii\nATOM 1 N SER 1 1 2 3 -0.30 1.55 N\n"
                                       "HETATM 2 CL CL A 2 4 5 6 -1 1.75 Cl\n");
  EXPECT_EQ(with_element.coordinates, (Places{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(with_element.charges, (Places{-.3f, -1}));
  EXPECT_EQ(with_element.radii, (Places{1.55f, 1.75f}));
  const Points touching = molecule("a.pqr",
                                   "ATOM      1  N   SER A   1     -99.000-110.000-100.000 -0.3000 1.5500\n"
                                   "ATOM      2  CA  SER A   1    -100.500-110.000-100.000  0.1000 1.7000 C\n");
  EXPECT_EQ(touching.coordinates, (Places{-99, -110, -100, -100.5f, -110, -100}));
  EXPECT_EQ(touching.radii, (Places{1.55f, 1.7f}));
  molecule_refused("a.pqr", "ATOM 1 N SER A 1 -99.000-110.000-100.000 -0.3 1.5\n",
                   {".pqr:1:", "touch", "--whitespace"});
}

TEST_F(MoleculeFileTest, PqrTakesTheFirstModel) {
  const std::string one = "ATOM 1 N SER 1 1 2 3 -0.3 1.55\n", two = "ATOM 1 N SER 1 4 5 6 -0.3 1.55\n";
  for (const std::string& text :
       {"MODEL 1\n" + one + "ENDMDL\nMODEL 2\n" + two + "ENDMDL\n", one + "END\n" + two, one + "ENDMDL\n" + two,
        "MODEL        1\n" + one + "MODEL        2\n" + two + "ENDMDL\n", one + "MODEL 2\n" + two})
    EXPECT_EQ(molecule("a.pqr", text).coordinates, (Places{1, 2, 3})) << text;
  EXPECT_EQ(
      molecule("a.pqr", "MODEL 1\n" + one + "ENDMDL\nMODEL 2\n" + two + "ENDMDL\nMODEL 3\n" + two + "ENDMDL\n").remarks,
      Symbols{"model 1 of 3"});
  molecule_refused("a.pqr", "MODEL 1\n" + one + one, {".pqr:1:", "ENDMDL"});
}

TEST_F(MoleculeFileTest, MisspeltRecordsAreTold) {
  const std::string good = "ATOM 1 N SER A 1 1 2 3 -0.3 1.5\n";
  for (const char* record : {"ATAM", "HETTAM", "atom"}) {
    const Points got = molecule("a.pqr", good + record + " 2 CA SER A 2 2 2 3 0.1 1.7\n" + good);
    EXPECT_EQ(got.count(), 2u);
    ASSERT_EQ(got.remarks.size(), 1u) << record;
    expect_parts(got.remarks[0], {"line 2", record});
  }
  for (const char* record :
       {"REMARK 3 words", "TER", "CRYST1 1 2 3", "TITLE a", "HEADER", "CONECT 1 2", "# a comment", ""})
    EXPECT_TRUE(molecule("a.pqr", good + record + "\n" + good).remarks.empty()) << record;
  const std::string line = atom(" CA ", ' ', "GLY", 1, 1, 1);
  const Points got = molecule("a.pdb", line + "ATON  " + line.substr(6) + "HETATN" + line.substr(6));
  ASSERT_EQ(got.remarks.size(), 1u);
  expect_parts(got.remarks[0], {"line 2", "ATON", "1 more"});
  EXPECT_TRUE(molecule("a.pdb", line + "SIGATM" + line.substr(6) + "ANISOU" + line.substr(6)).remarks.empty());
}

TEST_F(MoleculeFileTest, XyzColumnsAreThoseOfProperties) {
  const Places places{1, 2, 3, 2.5, 2, 3};
  const std::pair<const char*, const char*> cases[] = {
      {"Properties=species:S:1:mass:R:1:pos:R:3 pbc=\"F F F\"", "N 14.007 1 2 3\nC 12.011 2.5 2 3\n"},
      {"properties=id:I:1:species:S:1:pos:R:3", "1 N 1 2 3\n2 C 2.5 2 3\n"},
      {"Lattice=\"5 0 0 0 5 0 0 0 5\" Properties=\"pos:R:3:species:S:1\"", "1 2 3 N\n2.5 2 3 C\n"},
      {"Properties=element:S:1:velo:R:3:pos:R:3:forces:R:3", "N 9 9 9 1 2 3 8 8 8\nC 9 9 9 2.5 2 3 8 8 8\n"},
      {"Properties=Z:I:1:pos:R:3", "N 1 2 3\nC 2.5 2 3\n"},
      {"Properties=species:S:1:pos:R:3:charge:R:1", "N 1 2 3 .5\nC 2.5 2 3 .5\n"},
      {"Properties of water, in words", "N 1 2 3\nC 2.5 2 3\n"},
      {"MyProperties=1", "N 1 2 3\nC 2.5 2 3\n"},
  };
  for (const auto& [comment, atoms] : cases) {
    const Points got = molecule("a.xyz", "2\n" + std::string(comment) + "\n" + atoms);
    EXPECT_EQ(got.coordinates, places) << comment;
    EXPECT_EQ(got.symbols, (Symbols{"N", "C"})) << comment;
  }
  EXPECT_EQ(molecule("a.xyz", "1\nProperties=Z:I:1:pos:R:3\n7 1 2 3\n").symbols, Symbols{"7"});
  for (const auto& [properties, why] : {std::pair{"species:S:1", "pos"},
                                        {"pos:R:3", "species"},
                                        {"species:S:1:pos:R:2", "expected 3"},
                                        {"species:S:1:pos:R", "NAME:TYPE:COUNT"},
                                        {"species:S:0:pos:R:3", "from 1"},
                                        {"species:S:x:pos:R:3", "'x'"}})
    molecule_refused("a.xyz", "1\nProperties=" + std::string(properties) + "\nN 1 2 3 4 5\n",
                     {".xyz:2:", "Properties", why});
  molecule_refused("a.xyz", "1\nProperties=species:S:1:mass:R:1:pos:R:3\nN 1 2 3\n", {".xyz:3:", "Properties"});
}

TEST_F(MoleculeFileTest, XyzTellsFurtherFrames) {
  const std::string frame = "1\n\nH 1 2 3\n";
  EXPECT_EQ(molecule("a.xyz", frame + frame + frame).remarks, Symbols{"frame 1 of 3"});
  EXPECT_TRUE(molecule("a.xyz", frame + "\n").remarks.empty());
}

TEST(Elements, OfSymbolsNumbersAndLabels) {
  for (const auto& [word, symbol] : {std::pair{"7", "N"},
                                     {"92", "U"},
                                     {"118", "Og"},
                                     {"N1", "N"},
                                     {"C_a", "C"},
                                     {"O1-", "O"},
                                     {"cl", "cl"},
                                     {"Na+", "Na"},
                                     {"D", "D"},
                                     {"T", "T"},
                                     {"0", ""},
                                     {"119", ""},
                                     {"X", ""},
                                     {"", ""},
                                     {"C12", "C"},
                                     {"99999999999999999999", ""}})
    EXPECT_EQ(symbol_of_label(word), symbol) << word;
  EXPECT_EQ(element_of("D"), 1);
  EXPECT_EQ(element_of("fe"), 26);
  EXPECT_EQ(element_of("Xx"), 0);
  for (int number = 1; number <= 118; ++number) EXPECT_EQ(element_of(symbol_of_number(number)), number);
}

}  // namespace
}  // namespace warploom
