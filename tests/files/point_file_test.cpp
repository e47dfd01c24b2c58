#include "gpu/files/points.h"

#include <sys/stat.h>

#include <array>
#include <clocale>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <limits>
#include <locale>
#include <utility>
#include <vector>

#include "gpu/core/hash.h"
#include "tests/files/files.h"

namespace warploom {
namespace {

using Coordinates = std::vector<float>;
using Parts = std::initializer_list<std::string_view>;

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float nan_value = std::numeric_limits<float>::quiet_NaN();

template <class Value>
std::string bytes_of(const std::vector<Value>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(Value)};
}

std::string pdb_line(const char* record, int serial, char alternate, double x, double y, double z) {
  std::array<char, 128> line{};
  std::snprintf(line.data(), line.size(), "%-6s%5d  CA %cGLY A%4d    %8.3f%8.3f%8.3f%6.2f%6.2f           C  \n", record,
                serial, alternate, serial % 10000, x, y, z, 1.0, 20.0);
  return line.data();
}

/// An atom whose 24 columns of coordinates are given.
std::string pdb_raw(const std::string& columns) { return "ATOM      1  CA  GLY A   1    " + columns + "  1.00\n"; }

class PointFileTest : public FileTest {
 protected:
  Points points(const std::string& name, std::string_view bytes, int dimensions = 3) {
    return read_points(write(name, bytes), dimensions);
  }
  Coordinates read(const std::string& name, std::string_view bytes, int dimensions = 3) {
    return points(name, bytes, dimensions).coordinates;
  }
  void refused(const std::string& name, std::string_view bytes, Parts parts, int dimensions = 3) {
    const auto file = write(name, bytes);
    const std::string why = message_of<FileError>([&] { (void)read_points(file, dimensions); });
    expect_parts(why, {file.string() + ":"});
    expect_parts(why, parts);
    EXPECT_LT(why.size(), file.string().size() + 300) << why;
    for (const char c : why) EXPECT_TRUE(c >= 32 && c < 127) << why;
  }
  void npy_refused(std::string_view bytes, Parts parts, int dimensions = 2) {
    refused("bad.npy", bytes, parts, dimensions);
  }
  void pdb_refused(std::string_view text, Parts parts) { refused("bad.pdb", text, parts); }
  void xyz_refused(std::string_view text, Parts parts) { refused("bad.xyz", text, parts); }
};

TEST(RandomPoints, AreTheHashes) {
  for (const int dimensions : {2, 3}) {
    const Points points = random_points(1000, dimensions, 42);
    const auto axes = static_cast<std::uint64_t>(dimensions);
    EXPECT_EQ(points.dimensions, dimensions);
    EXPECT_EQ(points.count(), 1000u);
    EXPECT_EQ(points.name, "random");
    ASSERT_EQ(points.coordinates.size(), 1000 * axes);
    for (std::uint64_t i = 0; i < points.coordinates.size(); ++i) {
      const double exact = static_cast<double>(cell_hash(42, i / axes, i % axes) >> 40) / 16777216.0;
      ASSERT_EQ(static_cast<double>(points.coordinates[i]), exact) << i;
      ASSERT_TRUE(exact >= 0 && exact < 1) << i;
    }
    EXPECT_EQ(random_points(10, dimensions, 42).coordinates,
              Coordinates(points.coordinates.begin(), points.coordinates.begin() + 10 * dimensions));
    EXPECT_NE(random_points(1000, dimensions, 43).coordinates, points.coordinates);
    EXPECT_EQ(random_points(0, dimensions, 1).count(), 0u);
    double sum = 0;
    for (const float one : random_points(100000, dimensions, 7).coordinates) sum += one;
    EXPECT_NEAR(sum / (1e5 * dimensions), 0.5, 0.005);  // seven standard deviations in the plane
  }
  // The first is splitmix64's own first number from seed 0, 0xe220a8397b1dcdaf.
  EXPECT_EQ(random_points(1, 2, 0).coordinates, (Coordinates{14819496 / 16777216.f, 4589884 / 16777216.f}));
}

TEST(RandomPoints, Refused) {
  expect_parts(message_of<UsageError>([] { (void)random_points(1, 1, 0); }), {"1 dimensions", "2 or 3"});
  expect_parts(message_of<UsageError>([] { (void)random_points(1, 4, 0); }), {"4 dimensions", "2 or 3"});
  expect_parts(message_of<UsageError>([] { (void)random_points(4294967297, 2, 0); }), {"4294967297", "4294967296"});
  EXPECT_THROW((void)random_points(std::numeric_limits<std::uint64_t>::max(), 3, 0), UsageError);
}

TEST_F(PointFileTest, NumpyInEveryLayout) {
  const Coordinates rows{1, 2, 3, 4, 5, 6}, two_columns{1, 3, 5, 2, 4, 6}, three_columns{1, 4, 2, 5, 3, 6};
  const auto check = [&]<class Value>(const char* dtype, Value) {
    const auto data = [](const Coordinates& from) { return bytes_of(std::vector<Value>(from.begin(), from.end())); };
    for (const int version : {1, 2, 3}) {
      SCOPED_TRACE(dtype + std::to_string(version));
      EXPECT_EQ(read("a.npy", npy(dtype, "False", "(3, 2)", data(rows), version), 2), rows);
      EXPECT_EQ(read("a.npy", npy(dtype, "True", "(3, 2)", data(two_columns), version), 2), rows);
      EXPECT_EQ(read("a.npy", npy(dtype, "False", "(2, 3)", data(rows), version), 3), rows);
      EXPECT_EQ(read("a.npy", npy(dtype, "True", "(2, 3)", data(three_columns), version), 3), rows);
    }
  };
  check("<f4", 0.f);
  check("<f8", 0.);
  check("<i4", std::int32_t{});
  check("<i8", std::int64_t{});
  const Points named = points("cloud.NPY", npy("<f4", "False", "(3, 2)", bytes_of(rows)), 2);
  EXPECT_EQ(named.name, "cloud.NPY");
  EXPECT_EQ(named.count(), 3u);
}

TEST_F(PointFileTest, NumpyAcrossChunks) {
  for (const char* order : {"False", "True"}) {
    constexpr std::uint64_t rows = 100003;
    std::vector<double> values(rows * 3);
    for (std::uint64_t point = 0; point < rows; ++point)
      for (std::uint64_t axis = 0; axis < 3; ++axis)
        values[*order == 'T' ? axis * rows + point : 3 * point + axis] = static_cast<double>(10 * point + axis);
    const Coordinates got = read("big.npy", npy("<f8", order, "(100003, 3)", bytes_of(values)));
    ASSERT_EQ(got.size(), rows * 3);
    for (std::uint64_t i = 0; i < got.size(); ++i) ASSERT_EQ(got[i], static_cast<float>(10 * (i / 3) + i % 3)) << i;
    values[values.size() - 1] = values[values.size() - 3] = std::nan("");
    npy_refused(npy("<f8", order, "(100003, 3)", bytes_of(values)),
                {*order == 'T' ? "point 100000" : "point 100002", *order == 'T' ? "axis z" : "axis x", "NaN"}, 3);
  }
}

TEST_F(PointFileTest, NumpyValues) {
  const std::vector<double> edges{-0.0, 3.4028234663852886e38, 1e-300, 0.1};
  const Coordinates got = read("a.npy", npy("<f8", "False", "(2, 2)", bytes_of(edges)), 2);
  EXPECT_TRUE(std::signbit(got[0]));
  EXPECT_EQ(got, (Coordinates{0, std::numeric_limits<float>::max(), 0, 0.1f}));
  const std::vector<std::int64_t> integers{std::numeric_limits<std::int64_t>::min(), 16777217};
  EXPECT_EQ(read("a.npy", npy("<i8", "False", "(1, 2)", bytes_of(integers)), 2), (Coordinates{-0x1p63f, 16777216}));

  for (const auto& [bad, word] : {std::pair{nan_value, "NaN"}, {infinity, "inf"}, {-infinity, "-inf"}}) {
    npy_refused(npy("<f4", "False", "(2, 2)", bytes_of(Coordinates{1, 2, 3, bad})), {"point 1", "axis y", word});
    // The first point counts, not the first value of the file.
    npy_refused(npy("<f4", "True", "(2, 2)", bytes_of(Coordinates{1, nan_value, bad, 1})), {"point 0", "axis y", word});
  }
  npy_refused(npy("<f8", "False", "(1, 2)", bytes_of(std::vector<double>{0, 1e39})),
              {"point 0", "axis y", "1e+39", "float", "scale"});
  npy_refused(npy("<f8", "False", "(1, 2)", bytes_of(std::vector<double>{-3.5e38, 1})), {"axis x", "-3.5e+38"});
}

const std::string six(24, '\0');

TEST_F(PointFileTest, NumpyHeadersByOtherHands) {
  const Coordinates zeros(6);
  EXPECT_EQ(read("a.npy", npy_with("{\"shape\":(2L,3L),\"descr\":\"<f4\",\"fortran_order\":False}", six)), zeros);
  EXPECT_EQ(read("a.npy", npy_with("{ 'fortran_order' : True , 'descr' : '<f4' , 'shape' : ( 2 , 3 , ) , } \n\n", six)),
            zeros);
}

TEST_F(PointFileTest, NumpyRefused) {
  npy_refused("", {"empty", "0 bytes"});
  npy_refused("abc", {"3 bytes", "not a NumPy file"});
  npy_refused(std::string(5000, '\xff'), {"not a NumPy file"});
  npy_refused(npy("<f4", "False", "(2, 3)", six, 4), {"version 4", "1 to 3"});
  for (const auto* dtype : {"<f2", "<u4", "|u1", "|b1", "<c8", "<U4", "|O", ""})
    npy_refused(npy(dtype, "False", "(3, 2)", six), {"'" + std::string(dtype) + "'", "float32", "int64", "<f4"});
  for (const auto* dtype : {">f4", ">f8", ">i4", ">i8"})
    npy_refused(npy(dtype, "False", "(3, 2)", six), {dtype, "big endian", "little endian", "astype"});
  npy_refused(npy_with("{'descr': [('x', '<f4', (2,)), ('y', '<f4')], 'fortran_order': False, 'shape': (2,)}", six),
              {"[('x', '<f4', (2,)), ('y', '<f4')]", "float32"});
  npy_refused(npy("\x1b[31m\n\x80", "False", "(3, 2)", six), {"\\x1b[31m\\x0a\\x80"});
  npy_refused(npy("<f4", "False", "(6,)", six), {"1 axes, 6;", "n x 2"});
  npy_refused(npy("<f4", "False", "()", six), {"0 axes;", "n x 2"});
  npy_refused(npy("<f4", "False", "(1, 3, 2)", six), {"3 axes, 1 x 3 x 2", "n x 2"});
  std::string many_axes = "(";
  for (int i = 0; i < 9999; ++i) many_axes += "1,";
  npy_refused(npy("<f4", "False", many_axes + ")", six), {"9999 axes", "n x 2"});
  npy_refused(npy("<f4", "False", "(6, 1)", six), {"6 x 1", "n x 2"});
  npy_refused(npy("<f4", "False", "(2, 3)", six), {"2 x 3", "n x 2", "three dimensions takes it"});
  npy_refused(npy("<f4", "False", "(3, 2)", six), {"3 x 2", "n x 3", "two dimensions takes it"}, 3);
  npy_refused(npy("<f4", "False", "(2, 100)", six), {"2 x 100", "points.T"});
  npy_refused(npy("<f4", "False", "(0, 2)", ""), {"no points"});
  npy_refused(npy("<f4", "False", "(3, 2)", six.substr(1)), {"23 bytes", "3 points of 8 bytes"});
  npy_refused(npy("<f4", "False", "(3, 2)", six + "x"), {"25 bytes", "3 points"});
  npy_refused(npy("<f4", "False", "(2, 2)", six), {"24 bytes", "2 points"});
  npy_refused(npy("<f8", "False", "(3, 2)", six), {"24 bytes", "3 points of 16 bytes"});
  for (const auto* rows : {"18446744073709551615", "2305843009213693955", "4611686018427387904"})  // n x 8 wraps around
    npy_refused(npy("<f4", "False", "(" + std::string(rows) + ", 2)", six), {"24 bytes", rows});
  npy_refused(npy("<f4", "False", "(18446744073709551616, 2)", six), {"2^64"});
}

TEST_F(PointFileTest, NumpyHeadersThatLie) {
  const std::string good = "'descr': '<f4', 'fortran_order': False, 'shape': (3, 2)";
  EXPECT_NO_THROW(points("a.npy", npy_with("{" + good + "}", six), 2));
  for (const std::string& header :
       {std::string(), "{}" + std::string(), good, "{" + good, "{" + good + "} x", "{" + good + ", 'shape': (3, 2)}",
        "{" + good + ", 'colour': 1}", "{" + good + "}" + std::string(1, '\0'), std::string("{'descr': '<f4'}"),
        std::string("{'descr: 1"), std::string("{descr: '<f4'}"), std::string("{'descr': [[[[")})
    npy_refused(npy_with(header, six), {"header cannot be read", "numpy.save"});
  for (const auto* shape : {"(-3, 2)", "(3 2)", "(3,, 2)", "(,)", "3, 2", "(3, 2", "(0x3, 2)", "(3.0, 2)", "(1e3,)"})
    npy_refused(npy("<f4", "False", shape, six), {"header cannot be read"});
  for (const auto* order : {"false", "1", "'False'", "", "Falsehood"})
    npy_refused(npy("<f4", order, "(3, 2)", six), {"header cannot be read"});
  std::string long_claim = npy("<f4", "False", "(3, 2)", six, 2);
  std::memcpy(long_claim.data() + 8, "\xff\xff\xff\xff", 4);
  npy_refused(long_claim, {"cut off"});
  npy_refused(npy_with(std::string(70000, ' '), "", 2), {"70000 bytes", "65535"});
  for (const int version : {1, 2}) {
    const std::string whole = npy("<f4", "False", "(3, 2)", six, version);
    for (std::size_t size = 0; size < whole.size(); ++size) npy_refused(whole.substr(0, size), {});
    for (std::size_t at = 0; at < whole.size() - six.size(); ++at) {  // every single damaged byte: refused or harmless
      std::string damaged = whole;
      damaged[at] = static_cast<char>(damaged[at] ^ 0x15);
      try {
        EXPECT_EQ(points("damaged.npy", damaged, 2).count(), 3u);
      } catch (const FileError&) {
      }
    }
  }
}

TEST_F(PointFileTest, Pdb) {
  const std::string text = "HEADER    EXAMPLE\nREMARK ATOM in words\n" + pdb_line("ATOM", 1, ' ', 1.5, -2.25, 3) +
                           "ANISOU    1  CA  GLY A   1     2406   1892   1614    198    519   -328       C\n" +
                           pdb_line("ATOM", 2, 'A', -999.999, 9999.999, -0.0) + pdb_line("ATOM", 2, 'B', 7, 7, 7) +
                           "TER       4      GLY A   1\n" + pdb_line("HETATM", 99999, ' ', 4, 5, 6);
  const Coordinates expected{1.5, -2.25, 3, -999.999f, 9999.999f, 0, 4, 5, 6};
  const Points got = points("1abc.pdb", text + "END\n");
  EXPECT_EQ(got.coordinates, expected);
  EXPECT_TRUE(std::signbit(got.coordinates[5]));
  EXPECT_EQ(got.name, "1abc.pdb");
  EXPECT_EQ(read("UPPER.PDB", text), expected);  // END is often missing
  for (const auto* line_end : {"\r\n", "\r"}) {
    std::string other;
    for (const char c : text) c == '\n' ? other += line_end : other += c;
    EXPECT_EQ(read("a.pdb", other), expected);
  }
  EXPECT_EQ(read("a.pdb", "\uFEFF" + text.substr(text.find("ATOM  "))), expected);                    // byte order mark
  EXPECT_EQ(read("a.pdb", pdb_line("ATOM", 1, ' ', 1, 2, 3).substr(0, 54)), (Coordinates{1, 2, 3}));  // no line end
  EXPECT_EQ(read("a.pdb", pdb_raw("1.5     -1.5e-1    +2E1 ")), (Coordinates{1.5, -0.15f, 20}));
  EXPECT_EQ(read("a.pdb", pdb_raw("-100.000-200.000-300.000")), (Coordinates{-100, -200, -300}));  // they touch
  EXPECT_EQ(read("a.pdb", pdb_raw(" 1.0E-50   1       .5   ")), (Coordinates{0, 1, 0.5}));
  EXPECT_EQ(read("a.pdb", "REMARK " + std::string(1 << 20, 'x') + "\n" + pdb_line("ATOM", 1, ' ', 1, 2, 3)),
            (Coordinates{1, 2, 3}));
}

TEST_F(PointFileTest, PdbTakesTheFirstModel) {
  const std::string first = pdb_line("ATOM", 1, ' ', 1, 2, 3), second = pdb_line("ATOM", 1, ' ', 4, 5, 6);
  const Coordinates expected{1, 2, 3};
  for (const std::string& after : {"ENDMDL\nMODEL        2\n" + second + "ENDMDL\n", "MODEL        2\n" + second,
                                   "END\n" + second, std::string("ENDMDL\nATOM garbage\n"), std::string("END")})
    EXPECT_EQ(read("a.pdb", "MODEL        1\n" + first + after), expected) << after;
  EXPECT_EQ(read("a.pdb", first + "MODEL        1\n" + second + "ENDMDL\n"), expected);
  EXPECT_EQ(read("a.pdb", first + "ENDMDL\n" + second), expected);
  pdb_refused("REMARK\nMODEL        1\n" + first + first, {".pdb:2:", "ENDMDL", "after line 4"});
  pdb_refused("MODEL        1\nENDMDL\n" + first, {"no atoms"});
}

TEST_F(PointFileTest, PdbRefused) {
  pdb_refused("", {"empty"});
  pdb_refused("HEADER\nEND\n", {"no atoms in 2 lines", "ATOM", "HETATM"});
  const std::string good = pdb_line("ATOM", 1, ' ', 1, 2, 3);
  for (std::size_t size = 1; size < 54; ++size)
    pdb_refused(good + good.substr(0, size), {".pdb:2:", "columns 31-54", " " + std::to_string(size) + " columns"});
  for (const auto* stump : {"H", "HETA", "HETATM", "HETATM    1  CA"}) pdb_refused(good + stump, {".pdb:2:", stump});
  std::string tabs = good;
  tabs[4] = tabs[12] = '\t';
  pdb_refused(tabs, {".pdb:1:", "without tabs", "\\x09"});
  tabs = good;
  tabs[33] = '\t';
  pdb_refused(tabs, {".pdb:1:", "without tabs"});
  pdb_refused("ATOM  " + good.substr(5), {".pdb:1:", "columns 39-46"});  // all a column to the right
  pdb_refused("ATOMS1" + good.substr(6), {".pdb:1:", "columns 1-6"});
  pdb_refused(good + good.substr(0, 11) + "0" + good.substr(11), {".pdb:2:", "point 1", "axis y", "columns 39-46"});
  pdb_refused(pdb_raw("   1.000            3.000"), {".pdb:1:", "point 0", "axis y", "columns 39-46", "''"});
  pdb_refused(pdb_raw("   1.000   2.000   3,000"), {"axis z", "columns 47-54", "'3,000'"});
  pdb_refused(pdb_raw("   1.0 0   2.000   3.000"), {"axis x", "columns 31-38", "'1.0 0'"});
  pdb_refused(pdb_raw("********   2.000   3.000"), {"axis x", "'********'"});  // Fortran's overflow
  pdb_refused(pdb_raw("  1.0D+2   2.000   3.000"), {"axis x", "'1.0D+2'"});
  pdb_refused(pdb_raw("     0x1   2.000   3.000"), {"axis x", "'0x1'"});
  pdb_refused(good + pdb_raw("   1.000     nan   3.000"), {".pdb:2:", "point 1", "axis y", "nan", "finite"});
  pdb_refused(pdb_raw("   1.000   2.000    -inf"), {"axis z", "-inf", "finite"});
  pdb_refused(pdb_raw("    1e39   2.000   3.000"), {"axis x", "1e39", "float"});
  pdb_refused(pdb_raw("   1e999   2.000   3.000"), {"axis x", "1e999", "range"});
  refused("flat.pdb", good, {"three dimensions takes it", ".npy"}, 2);
}

TEST_F(PointFileTest, Xyz) {
  const Coordinates expected{0, -1.5, 2e3f, 0.1f, 0, 4};
  const std::string text = "2\nwater, in words\nH 0 -1.5 2e3\nO +.1 -0.0 4. 0.5 more columns\n";
  const Points got = points("water.xyz", text);
  EXPECT_EQ(got.coordinates, expected);
  EXPECT_TRUE(std::signbit(got.coordinates[4]));
  EXPECT_EQ(got.name, "water.xyz");
  for (const auto* other :
       {"  2  \n\nH\t0\t-1.5\t2E+3\n\tO  1e-1 \t -0 4\t\n", "2\r\n\r\nH 0 -1.5 2000\r\nO 0.1 0 4\r\n\r\n",
        "2\r\r1 0 -1.5 2000\r8 .1 0 4\r", "2\n\nH 0 -1.5 2000\nO .1 0 4", "\uFEFF02\nNaN\nnan 0 -1.5 2000\nO .1 0 4\n",
        "2\n\nH 0 -1.5 2000\nO .1 0 4\n\n\n", "2\n\nH 0 -1.5 2000\nO .1 0 4\n1\nsecond frame\nbroken",
        "2\n\nH 0 -1.5 2000\nO .1 0 4\nsome closing remark in words\n", "2\n\nH 0 -1.5 2000\nO .1 0 4\nand 0 1\n"})
    EXPECT_EQ(read("a.xyz", other), expected) << other;
  const std::string long_line(1 << 20, 'x');
  EXPECT_EQ(read("a.xyz", "1\n" + long_line + "\nH 1 2 3 " + long_line + "\n"), (Coordinates{1, 2, 3}));
}

TEST_F(PointFileTest, XyzRefused) {
  xyz_refused("", {"empty"});
  for (const auto* first : {"H 0 0 0", "-2", "+2", "2.0", "2 atoms", "two", "", " ", "0x2", "2,"})
    xyz_refused(std::string(first) + "\n\nH 0 0 0\nH 1 1 1\n", {".xyz:1:", "number of atoms", "found '"});
  xyz_refused("0\n\n", {".xyz:1:", "no points"});
  for (const auto* lie : {"7", "4000000000", "18446744073709551615", "18446744073709551616", "6148914691236517206"})
    xyz_refused(std::string(lie) + "\n\nH 0 0 0\nH 1 1 1\n", {".xyz:1:", lie, "cannot hold"});
  xyz_refused("00000000001", {".xyz:1:", "comment"});
  xyz_refused("3\n\nH 0 0 0.000000000\nH 1 1 1.000000000\n", {".xyz:4:", "2 of the 3 atoms"});
  xyz_refused("2\nH 0 0 0\nH 1 1 1\n", {".xyz:3:", "1 of the 2 atoms", "line 2 is always a comment"});
  xyz_refused("2\n\nH 0 0 0\nH 1 1 1\nH 2 2 2\n", {".xyz:5:", "another atom", "2"});
  xyz_refused("2\n\nH 0 0 0\n\nH 1 1 1\n", {".xyz:4:", "Symbol x y z", "atom 2 of 2", "''"});
  xyz_refused("2\n\nH 0 0 0\nH 1 1         \n", {".xyz:4:", "Symbol x y z", "'H 1 1"});
  xyz_refused("2\n\nH 0 0 0\n1 1 1         \n", {".xyz:4:", "Symbol x y z"});
  xyz_refused("1\n\nH 0 y 0\n", {".xyz:3:", "point 0", "axis y", "expected a number", "'y'"});
  for (const auto* word : {"1,5", "1.0D0", "0x10", "1e", "--1", "+-1", "++1", "1.2.3", "1_0", "\u22121"})
    xyz_refused("1\n\nH 0 0 " + std::string(word) + "\n", {".xyz:3:", "axis z", "expected a number"});
  for (const auto* word : {"nan", "NaN", "-nan", "inf", "-INF", "+infinity", "nan(1)", "1e400", "-1e400"})
    xyz_refused("2\n\nH 0 0 0\nH " + std::string(word) + " 0 0\n", {".xyz:4:", "point 1", "axis x", word, "finite"});
  xyz_refused("1\n\nH 0 3.5e38 0\n", {".xyz:3:", "axis y", "3.5e38", "float", "scale"});
  const std::string long_line(1 << 16, '1');
  xyz_refused(long_line + "\n\n", {".xyz:1:", "'1111", "...'"});
  xyz_refused("1\n\nH 0 0 0." + long_line + "\n", {".xyz:3:", "Symbol x y z"});  // the number would be cut
  refused("flat.xyz", "1\n\nH 0 0 0\n", {"three dimensions takes it", ".npy"}, 2);
}

TEST_F(PointFileTest, Garbage) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    std::string bytes;
    for (std::uint64_t i = 0; i < 40 * (seed + 1); ++i) bytes += static_cast<char>(cell_hash(seed, i, 0) >> 56);
    for (const std::string start : {"", "1\n\nH ", "ATOM  ", "\x93NUMPY\x01"})
      for (const auto* name : {"bad.npy", "bad.pdb", "bad.xyz"}) refused(name, start + bytes, {});
  }
  for (const auto* name : {"bad.npy", "bad.pdb", "bad.xyz"}) refused(name, std::string(1 << 20, '\0'), {});
}

TEST_F(PointFileTest, FilesThatAreNone) {
  const auto why = [&](const std::filesystem::path& file, int dimensions = 3) {
    const std::string text = message_of<FileError>([&] { (void)read_points(file, dimensions); });
    expect_parts(text, {file.string() + ":"});
    return text;
  };
  expect_parts(why(folder / "none.pdb"), {"no such file"});
  expect_parts(why(folder / "no" / "none.npy"), {"no such file"});
  expect_parts(why(write("file", "x") / "none.npy"), {"no such file"});
  expect_parts(why(""), {"no such file"});
  for (const auto* name : {"points.txt", "points", "points.npz", "points.npy.gz", ".pdb"})
    expect_parts(why(write(name, "x")), {"extension", ".npy", ".pdb", ".xyz"});
  std::filesystem::create_directory(folder / "folder.xyz");
  expect_parts(why(folder / "folder.xyz"), {"folder", "expected a file"});
  ASSERT_EQ(mkfifo((folder / "pipe.npy").c_str(), 0600), 0);
  expect_parts(why(folder / "pipe.npy"), {"pipe"});  // it would wait for ever
  std::filesystem::create_symlink(folder / "gone.pdb", folder / "link.pdb");
  expect_parts(why(folder / "link.pdb"), {"no such file"});
  expect_parts(why(folder / (std::string(5000, 'x') + ".npy")), {"cannot be read"});
  const auto locked = write("locked.npy", "x");
  std::filesystem::permissions(locked, std::filesystem::perms::none);
  if (geteuid() != 0) expect_parts(why(locked), {"cannot be read", "ermission"});
  expect_parts(message_of<UsageError>([&] { (void)read_points(locked, 1); }), {"1 dimensions", "2 or 3"});
}

struct Commas : std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\1"; }
};

TEST_F(PointFileTest, NumbersDoNotHangOnTheLocale) {
  const std::locale before = std::locale::global(std::locale(std::locale(), new Commas));
  (void)std::setlocale(LC_ALL, "de_DE.UTF-8");  // where it is installed
  EXPECT_EQ(read("a.xyz", "1\n\nH 1.5 2.5 1234.5\n"), (Coordinates{1.5, 2.5, 1234.5}));
  xyz_refused("1\n\nH 1,5 0 0\n", {"'1,5'"});
  npy_refused(npy("<f8", "False", "(1, 2)", bytes_of(std::vector<double>{0, 1.5e39})), {"1.5e+39"});
  (void)std::setlocale(LC_ALL, "C");
  std::locale::global(before);
}

}  // namespace
}  // namespace warploom
