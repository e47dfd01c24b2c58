#include "gpu/files/states.h"

#include "gpu/files/npy.h"
#include "tests/files/files.h"

namespace warploom {
namespace {

using Cells = std::vector<std::uint8_t>;

/// What the states of these files are for.
constexpr Index3 domain{1024, 1024, 1};

class StateFileTest : public FileTest {
 protected:
  StateFile rle(const std::string& text) { return read_state(write("pattern.rle", text), domain); }
  void refused(const std::string& name, std::string_view bytes, std::initializer_list<std::string_view> parts) {
    const auto file = write(name, bytes);
    const std::string why = message_of<FileError>([&] { (void)read_state(file, domain); });
    expect_parts(why, {file.string()});
    expect_parts(why, parts);
  }
  void npy_refused(std::string_view bytes, std::initializer_list<std::string_view> parts) {
    refused("bad.npy", bytes, parts);
  }
  void rle_refused(std::string_view text, std::initializer_list<std::string_view> parts) {
    refused("bad.rle", text, parts);
  }
};

const std::string_view six_cells{"\0\1\1\0\0\1", 6};

TEST_F(StateFileTest, NumpyInEveryLayout) {
  for (const auto* dtype : {"|u1", "|b1"})
    for (const int version : {1, 2, 3}) {
      SCOPED_TRACE(std::string(dtype) + std::to_string(version));
      const StateFile rows = read_state(write("c.npy", npy(dtype, "False", "(2, 3)", six_cells, version)), domain);
      EXPECT_EQ(rows.width, 3u);
      EXPECT_EQ(rows.height, 2u);
      EXPECT_EQ(rows.cells, (Cells{0, 1, 1, 0, 0, 1}));
      EXPECT_FALSE(rows.centred);
      EXPECT_FALSE(rows.rule);
      const StateFile columns = read_state(write("f.npy", npy(dtype, "True", "(2, 3)", six_cells, version)), domain);
      EXPECT_EQ(columns.cells, (Cells{0, 1, 0, 1, 0, 1}));
    }
}

TEST_F(StateFileTest, NumpyRefused) {
  npy_refused("", {"0 bytes", "NumPy"});
  npy_refused("abc", {"3 bytes", "NumPy"});
  npy_refused(std::string(200, 'x'), {"NumPy"});
  for (const auto* dtype : {"<f4", "<i4", "<i8", "<f8", "<u2", "|i1", "|S1", "|O", ">u8"})
    npy_refused(npy(dtype, "False", "(2, 3)", six_cells), {dtype, "uint8", "bool"});
  npy_refused(npy("|u1", "False", "(6,)", six_cells), {"1 axes", "expected 2"});
  npy_refused(npy("|u1", "False", "(1, 2, 3)", six_cells), {"3 axes", "expected 2"});
  npy_refused(npy("|u1", "False", "()", "\1"), {"0 axes", "expected 2"});
  npy_refused(npy("|u1", "False", "(0, 3)", ""), {"0 x 3"});
  npy_refused(npy("|u1", "False", "(2, 3)", "\0\1"), {"expected 6"});
  npy_refused(npy("|u1", "False", "(2, 2)", six_cells), {"6 bytes", "expected 4"});
  npy_refused(npy("|u1", "False", "(4294967296, 4294967296)", ""), {"4294967296"});
  npy_refused(npy("|u1", "False", "(2147483647, 2147483647)", six_cells), {"6 bytes"});
  const std::string_view a_two{"\0\1\1\0\2\1", 6};
  npy_refused(npy("|u1", "False", "(2, 3)", a_two), {"row 1, column 1", "2", "0 or 1"});
  npy_refused(npy("|u1", "True", "(2, 3)", a_two), {"row 0, column 2"});
  for (const auto& file : {npy("|u1", "False", "(2, 3)", six_cells), npy("|u1", "False", "(2, 3)", six_cells, 2)})
    for (std::size_t size = 0; size < file.size(); ++size) npy_refused(file.substr(0, size), {});
  expect_parts(message_of<FileError>([&] { (void)read_state(folder / "none.npy", domain); }),
               {"none.npy", "no such file"});
  refused("state.png", "x", {"state.png", ".npy", ".rle"});
}

TEST_F(StateFileTest, NumpyWrittenAndReadBack) {
  const Cells cells{1, 0, 0, 1, 1, 1};
  write_npy(folder / "out.npy", "|u1", {2, 3}, cells.data(), cells.size());
  const StateFile back = read_state(folder / "out.npy", domain);
  EXPECT_EQ(back.width, 3u);
  EXPECT_EQ(back.height, 2u);
  EXPECT_EQ(back.cells, cells);
  std::ifstream file(folder / "out.npy", std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  EXPECT_EQ((bytes.size() - cells.size()) % 64, 0u);  // the format aligns the data
  EXPECT_EQ(bytes[bytes.size() - cells.size() - 1], '\n');
  int files = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder)) ++files;
  EXPECT_EQ(files, 1);  // nothing half-written is left
  EXPECT_THROW(write_npy(folder / "no" / "out.npy", "|u1", {1}, cells.data(), 1), FileError);
  std::filesystem::create_directory(folder / "taken.npy");
  EXPECT_THROW(write_npy(folder / "taken.npy", "|u1", {1}, cells.data(), 1), FileError);
  EXPECT_FALSE(std::filesystem::exists(folder / "taken.npy.part"));
}

TEST_F(StateFileTest, Rle) {
  const StateFile glider = rle("#N Glider\n#C a comment\nx = 3, y = 3, rule = B3/S23\nbo$2bo$3o!\nafter the end\n");
  EXPECT_EQ(glider.width, 3u);
  EXPECT_EQ(glider.height, 3u);
  EXPECT_EQ(glider.cells, (Cells{0, 1, 0, 0, 0, 1, 1, 1, 1}));
  EXPECT_EQ(glider.rule, "B3/S23");
  EXPECT_TRUE(glider.centred);
  EXPECT_FALSE(rle("x = 1, y = 1\no!").rule);
  EXPECT_EQ(rle("x=2,y=1,rule=b36/s23\n2o!").rule, "b36/s23");
  const StateFile torus = rle("x = 2, y = 1, rule = B3/S23:T32,32\n2o!");
  EXPECT_EQ(torus.rule, "B3/S23");
  EXPECT_EQ(torus.bounded_grid, "T32,32");
  EXPECT_EQ(rle("x = 2, y = 4\no3$bo!").cells, (Cells{1, 0, 0, 0, 0, 0, 0, 1}));  // empty rows
  EXPECT_EQ(rle("x = 2, y = 2\r\no$\r\nbo!\r\n").cells, (Cells{1, 0, 0, 1}));     // Windows lines
  EXPECT_EQ(rle("x = 12, y = 1\n1\n2o!").cells, Cells(12, 1));                    // a run across lines
  EXPECT_EQ(rle("x = 3, y = 1\n5b2$7b!").cells, Cells(3, 0));                     // dead cells may pass the box
  EXPECT_EQ(rle("x = 2, y = 1\n!").cells, Cells(2, 0));
}

TEST_F(StateFileTest, RleRefused) {
  rle_refused("", {"empty", "0 bytes"});
  rle_refused("#C only\n", {"header"});
  rle_refused("bo$2bo$3o!\n", {":1", "header"});
  rle_refused("#C a\nx = 3\n3o!", {":2", "header"});
  rle_refused("x = -3, y = 3\n!", {":1", "-3 x 3", "below 0"});
  rle_refused("x = 3000000000, y = 3000000000\n!", {":1", "3000000000"});
  // No memory is taken for what a header promises and the domain does not hold.
  rle_refused("x = 65536, y = 65535\n!", {":1", "65536 x 65535", "the domain has 1024 x 1024"});
  rle_refused("x = 3, y = 1\n1025o!", {":2", "1025 x 1", "the domain has 1024 x 1024"});
  rle_refused("x = 3, y = 1\n1024$o!", {":2", "1 x 1025", "the domain has 1024 x 1024"});
  rle_refused("x = 3, y = 1\n3o$2", {"cut off", "count 2"});
  rle_refused(std::string("x = 3, y = 1\n3\0!", 16), {":2", "'\\x00'"});
  rle_refused("x = 3, y = 1\n3q!", {"'q'"});
  rle_refused("x = 2, y = 1, rule = B3/S23\nAB!", {"'B'"});  // of several states
  rle_refused("x = 3, y = 1\n99999999999999999999o!", {"run"});
}

/// By the description of the format that comes with Golly: a line of blanks is a comment, blanks before any line count
/// for nothing, and lines end as they do elsewhere.
TEST_F(StateFileTest, RleTakesBlanksAndLineEndsOfAllKinds) {
  const Cells cells{0, 1, 1, 1, 1, 0, 0, 1, 0};
  for (const char* text :
       {"\r\nx = 3, y = 3\r\nb2o$2o$bo!\r\n", "  \t \n#C blank\n \t\r\nx = 3, y = 3\nb2o$2o$bo!",
        "#C\r\rx = 3, y = 3\rb2o$2o$\rbo!\r", "\xEF\xBB\xBFx = 3, y = 3\nb2o$2o$bo!",
        "\xEF\xBB\xBF#C mark\n   x = 3, y = 3\n  b2o$\n\t2o$\n  bo!", "\n\n  #C indented\nx=3,y=3\nb2o$\n\n2o$bo!"}) {
    const StateFile pattern = rle(text);
    EXPECT_EQ(pattern.cells, cells) << text;
    EXPECT_TRUE(pattern.remarks.empty()) << text;
  }
}

/// Sizes of a header place the pattern; the cells fill what they fill, and the '!' may be missing.
TEST_F(StateFileTest, RleSizesNeedNotBeRight) {
  const StateFile small = rle("x = 2, y = 1\nb2o$2o$bo!");
  EXPECT_EQ(small.width, 3u);
  EXPECT_EQ(small.height, 3u);
  EXPECT_EQ(small.cells, (Cells{0, 1, 1, 1, 1, 0, 0, 1, 0}));
  ASSERT_EQ(small.remarks.size(), 1u);
  expect_parts(small.remarks[0], {"2 x 1", "3 x 3"});
  const StateFile wide = rle("x = 5, y = 1\no$o");  // without its end
  EXPECT_EQ(wide.cells, (Cells{1, 0, 0, 0, 0, 1, 0, 0, 0, 0}));
  EXPECT_EQ(rle("x = 1, y = 1\no$").cells, Cells{1});
  for (const char* empty : {"x = 0, y = 0\n!", "x = 0, y = 0, rule = B3/S23\n", "x = 0, y = 3\n3$!"}) {
    const StateFile none = rle(empty);
    EXPECT_EQ(none.cells, Cells(std::size_t{none.width} * none.height, 0)) << empty;
    EXPECT_FALSE(none.cells.empty()) << empty;
  }
}

TEST_F(StateFileTest, RleTakesXlifesRule) {
  EXPECT_EQ(rle("#r 23/36\nx = 1, y = 1\no!").rule, "23/36");
  EXPECT_EQ(rle("#r 23/36\nx = 1, y = 1, rule = B3/S23\no!").rule, "B3/S23");
  EXPECT_FALSE(rle("#R 23 36\n#remark\n#r\nx = 1, y = 1\no!").rule);
  EXPECT_FALSE(rle("x = 1, y = 1\n#r 23/36\no!").rule);
}

TEST_F(StateFileTest, RleNamesTheLineOfTheCulprit) {
  rle_refused("x = 3, y = 4\n3o$\nq$\n3o$\n3o!\n", {".rle:3:"});
  rle_refused("x = 3, y = 4\n3o$\n2000o$\n3o$\n3o!\n", {".rle:3:"});
}

}  // namespace
}  // namespace warploom
