#include "gpu/files/matrix_market.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <map>
#include <random>
#include <sstream>
#include <utility>

#include "gpu/core/watched_work.h"
#include "tests/files/files.h"

namespace warploom {
namespace {

using Entries = std::vector<MatrixEntry>;

class MatrixMarketTest : public FileTest {
 protected:
  MatrixEntries matrix(std::string_view text) const { return read_matrix_market(write("a.mtx", text)); }
  /// Of a header's last words, and what follows it.
  Entries entries(const std::string& words, const std::string& text) const {
    return matrix("%%MatrixMarket matrix " + words + "\n" + text).entries;
  }
  void refused(const std::string& text, int line, std::initializer_list<std::string_view> parts) const {
    SCOPED_TRACE(text);
    const std::string said = message_of<FileError>([&] { (void)matrix(text); });
    expect_parts(said, {"a.mtx:" + std::to_string(line) + ": "});
    expect_parts(said, parts);
  }
  void refused_after(const std::string& words, const std::string& text, int line,
                     std::initializer_list<std::string_view> parts) const {
    refused("%%MatrixMarket matrix " + words + "\n" + text, line, parts);
  }
};

TEST_F(MatrixMarketTest, TakesAFileAsItIsSpecified) {
  const auto found = matrix(
      "%%MatrixMarket matrix coordinate real general\n% a comment\n%\n"
      "  3 +4  5\n +3 1 1.5\n1 1  -2e-3\n1 4 +7\n2 2 .5\n3 2 0\n");
  EXPECT_EQ(found.rows, 3u);
  EXPECT_EQ(found.columns, 4u);
  EXPECT_EQ(found.entries, (Entries{{0, 0, -2e-3}, {0, 3, 7}, {1, 1, .5}, {2, 0, 1.5}, {2, 1, 0}}));
  EXPECT_EQ(found.merged, 0u);
  EXPECT_TRUE(found.real);
  EXPECT_EQ(found.name, "a.mtx");
}

TEST_F(MatrixMarketTest, TakesAnyLineEndsCommentsBlanksAndLetters) {
  const Entries wanted{{0, 1, 2}, {1, 0, 3}};
  const std::string plain = "%%matrixMARKET Matrix COORDINATE Real General\n2 2 2\n1 2 2\n2 1 3\n";
  const auto with = [&](const std::string& end) {
    std::string text;
    for (const char c : plain) text += c == '\n' ? end : std::string{c};
    return matrix(text).entries;
  };
  for (const char* end : {"\n", "\r\n", "\r", "\n\n", "\n  \t\n", "\n%%% a comment\n%\n", "\n   % one\n"})
    EXPECT_EQ(with(end), wanted) << end;
  EXPECT_EQ(matrix("\xEF\xBB\xBF" + plain).entries, wanted);
  EXPECT_EQ(entries("coordinate real general", "2 2 2 % sizes\n1 2 2 %one\n2 1 3\t% another\n"), wanted);
  EXPECT_EQ(matrix("\n% before it\n%% and\n" + plain).entries, wanted);
  EXPECT_EQ(matrix(plain.substr(0, plain.size() - 1)).entries, wanted) << "the last line has no end";
}

TEST_F(MatrixMarketTest, WritesOutWhatIsSymmetric) {
  const std::string text = "3 3 3\n1 1 5\n3 1 2\n2 3 4\n";  // the last one above the diagonal
  EXPECT_EQ(entries("coordinate real symmetric", text),
            (Entries{{0, 0, 5}, {0, 2, 2}, {1, 2, 4}, {2, 0, 2}, {2, 1, 4}}));
  EXPECT_EQ(entries("coordinate integer skew-symmetric", "3 3 3\n1 1 0\n3 1 2\n2 3 4\n"),
            (Entries{{0, 0, 0}, {0, 2, -2}, {1, 2, 4}, {2, 0, 2}, {2, 1, -4}}));
  EXPECT_EQ(entries("coordinate pattern symmetric", "2 2 2\n1 1\n2 1\n"), (Entries{{0, 0, 1}, {0, 1, 1}, {1, 0, 1}}));
}

TEST_F(MatrixMarketTest, AddsEqualPlacesInDouble) {
  const auto found = matrix(
      "%%MatrixMarket matrix coordinate double general\n2 2 6\n"
      "2 1 1\n1 1 1e16\n2 1 1\n1 1 1\n1 1 -1e16\n2 2 9\n");
  EXPECT_EQ(found.entries, (Entries{{0, 0, 1e16 + 1 - 1e16}, {1, 0, 2}, {1, 1, 9}})) << "in the order of the file";
  EXPECT_EQ(found.merged, 3u);
  // Both halves of a symmetric matrix, and what is left is zero: it stays.
  EXPECT_EQ(entries("coordinate real symmetric", "2 2 2\n2 1 3\n1 2 -3\n"), (Entries{{0, 1, 0}, {1, 0, 0}}));
}

TEST_F(MatrixMarketTest, TakesArraysColumnByColumnWithoutZeros) {
  EXPECT_EQ(entries("array real general", "2 3\n1\n0\n0\n-4\n5\n0.0\n"), (Entries{{0, 0, 1}, {0, 2, 5}, {1, 1, -4}}));
  EXPECT_EQ(entries("array integer symmetric", "3 3\n1\n2\n0\n4\n5\n6\n"),
            (Entries{{0, 0, 1}, {0, 1, 2}, {1, 0, 2}, {1, 1, 4}, {1, 2, 5}, {2, 1, 5}, {2, 2, 6}}));
  EXPECT_EQ(entries("array real skew-symmetric", "3 3\n1\n2\n3\n"),
            (Entries{{0, 1, -1}, {0, 2, -2}, {1, 0, 1}, {1, 2, -3}, {2, 0, 2}, {2, 1, 3}}));
  EXPECT_EQ(entries("array real skew-symmetric", "1 1\n"), Entries{});
}

TEST_F(MatrixMarketTest, TakesTheSmallestAndTheEmpty) {
  EXPECT_EQ(entries("coordinate unsigned-integer general", "1 1 1\n1 1 18446744073709551615"),
            (Entries{{0, 0, 18446744073709551616.}}));
  const auto empty = matrix("%%MatrixMarket matrix coordinate integer general\n2147483647 1 0\n");
  EXPECT_EQ(empty.rows, 2147483647u);
  EXPECT_TRUE(empty.entries.empty());
  EXPECT_FALSE(empty.real);
  EXPECT_EQ(entries("coordinate real general", "2147483647 2147483647 2\n2147483647 1 2\n1 2147483647 3\n"),
            (Entries{{0, 2147483646, 3}, {2147483646, 0, 2}}));
}

TEST_F(MatrixMarketTest, TakesValuesThatAreNotFinite) {
  const double inf = std::numeric_limits<double>::infinity();
  const auto found =
      entries("coordinate real general",
              "1 7 7\n1 1 inf\n1 2 -Infinity\n1 3 1e400\n1 4 -1e9999\n1 5 1e-400\n1 6 1e-9999\n1 7 NaN\n");
  ASSERT_EQ(found.size(), 7u);
  const double wanted[] = {inf, -inf, inf, -inf, 0, 0};
  for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(found[i].value, wanted[i]) << i;
  EXPECT_TRUE(std::isnan(found[6].value));
}

/// Many places, some of them several times, shuffled: against a map.
TEST_F(MatrixMarketTest, SortsByRowThenColumn) {
  std::mt19937 random(7);
  for (const std::uint32_t size : {3u, 300u, 70'000u, 5'000'000u}) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, double> wanted;
    std::ostringstream text;
    constexpr int count = 5000;
    text << "%%MatrixMarket matrix coordinate integer skew-symmetric\n" << size << ' ' << size << ' ' << count << '\n';
    for (int i = 0; i < count; ++i) {
      const auto row = static_cast<std::uint32_t>(random() % size),
                 column = static_cast<std::uint32_t>(random() % size);
      const int value = row == column ? 0 : static_cast<int>(random() % 100) - 50;
      text << row + 1 << ' ' << column + 1 << ' ' << value << '\n';
      wanted[{row, column}] += value;
      if (row != column) wanted[{column, row}] -= value;
    }
    const auto found = matrix(text.str());
    ASSERT_EQ(found.entries.size(), wanted.size());
    std::size_t at = 0;
    for (const auto& [place, value] : wanted) {
      ASSERT_EQ(found.entries[at], (MatrixEntry{place.first, place.second, value})) << at;
      ++at;
    }
  }
}

TEST_F(MatrixMarketTest, RefusesOtherHeaders) {
  const std::string end = "\n1 1 1\n1 1 1\n";
  refused("1 1 1\n1 1 1\n", 1, {"expected the header '%%MatrixMarket matrix coordinate real general'", "'1 1 1'"});
  refused("% only\n\n% comments", 3, {"it holds no header"});
  refused("%%MatrixMarkt matrix coordinate real general" + end, 1,
          {"expected '%%MatrixMarket', found '%%MatrixMarkt'"});
  refused("%%MatrixMarket matrix coordinate real" + end, 1, {"a header of five words"});
  refused("%%MatrixMarket matrix coordinate real general 1" + end, 1, {"a header of five words"});
  refused("%%MatrixMarket vector coordinate real general" + end, 1,
          {"unknown object 'vector'; did you mean 'matrix'?"});
  refused_after("cordinate real general", end, 1, {"unknown format 'cordinate'; did you mean 'coordinate'?"});
  refused_after("coordinate reel general", end, 1, {"unknown field 'reel'; did you mean 'real'? (known: real, double"});
  refused_after("coordinate Complex general", end, 1, {"complex numbers are not read: field 'Complex'", "'real'?"});
  refused_after("coordinate real hermitian", end, 1,
                {"complex numbers are not read: symmetry 'hermitian'", "'symmetric'?"});
  refused_after("coordinate real skewsymmetric", end, 1,
                {"unknown symmetry 'skewsymmetric'; did you mean 'skew-symmetric'?"});
  refused_after("array pattern general", end, 1, {"did you mean 'coordinate pattern'?"});
}

TEST_F(MatrixMarketTest, RefusesSizesBeforeItAsksForMemory) {
  const std::string coordinates = "coordinate real general";
  refused_after(coordinates, "% no more\n", 2, {"it ends before the line of its sizes, 'ROWS COLUMNS ENTRIES'"});
  for (const char* line : {"1 1", "1 1 1 1", "1 -1 1", "1 1.0 1", "1 1 x", "-3 1 1", "1 1 -1", "++1 1 1"})
    refused_after(coordinates, "\n" + std::string(line) + "\n1 1 1\n", 3,
                  {"expected 'ROWS COLUMNS ENTRIES', whole numbers from 1, 1 and 0", line});
  refused_after("array real general", "1 1 1\n1\n", 2, {"expected 'ROWS COLUMNS'", "'1 1 1'"});
  refused_after(coordinates, "0 5 0\n", 2, {"a matrix of 0 x 5; it has at least one row and one column"});
  refused_after(coordinates, "5 0 0\n", 2, {"a matrix of 5 x 0"});
  refused_after(coordinates, "2147483648 1 0\n", 2, {"it has at most 2147483647 rows"});
  refused_after(coordinates, "1 99999999999999999999 0\n", 2, {"it has at most 2147483647 rows"});
  refused_after("coordinate real symmetric", "2 3 1\n1 1 1\n", 2, {"2 x 3 is not square, and cannot be symmetric"});
  refused_after("array real skew-symmetric", "3 2\n1\n", 2, {"3 x 2 is not square"});
  refused_after(coordinates, "9 9 1000000000000\n1 1 1\n", 2, {"its 1000000000000 entries cannot stand in a file of"});
  refused_after(coordinates, "9 9 99999999999999999999\n1 1 1\n", 2, {"cannot stand in a file of"});
  refused_after("array real general", "2147483647 2147483647\n1\n", 2, {"4611686014132420609 values cannot stand in"});
}

TEST_F(MatrixMarketTest, RefusesWrongEntriesWithTheirLine) {
  const std::string coordinates = "coordinate real general", size = "2 3 2\n";
  refused_after(coordinates, size + "1 1 1\n", 3, {"it ends after 1 entry of the 2 that line 2 promises"});
  refused_after(coordinates, size + "1 1 1\n2 2 2\n% more\n\n1 2 3\n", 7,
                {"more follows the 2 entries that line 2 promises: '1 2 3'"});
  refused_after(coordinates, size + "1 1 1\n0 1 1\n", 4, {"there is no row 0: rows are counted from 1 to 2"});
  refused_after(coordinates, size + "3 1 1\n1 1 1\n", 3, {"there is no row 3"});
  refused_after(coordinates, size + "1 0 1\n1 1 1\n", 3, {"there is no column 0: columns are counted from 1 to 3"});
  refused_after(coordinates, size + "1 4 1\n1 1 1\n", 3, {"there is no column 4"});
  refused_after(coordinates, size + "1 99999999999999999999 1\n1 1 1\n", 3,
                {"there is no column '99999999999999999999'"});
  refused_after(coordinates, size + "-1 1 1\n1 1 1\n", 3, {"expected the number of a row, found '-1'"});
  refused_after(coordinates, size + "1 1.5 1\n1 1 1\n", 3, {"expected the number of a column, found '1.5'"});
  for (const char* word : {"x", "1,5", "0x10", "1.5d3", "--1", "+-1", "1e", "12abc", "\x01"})
    refused_after(coordinates, size + "1 1 " + word + "\n1 1 1\n", 3, {"expected a number, as the field is 'real'"});
  for (const char* line : {"1 1", "1", "1 1 1 1"})
    refused_after(coordinates, size + "1 1 1\n" + line + "\n", 4, {"expected 'ROW COLUMN VALUE', found '", line});
  refused_after("coordinate integer general", size + "1 1 1\n1 2 1.5\n", 4,
                {"expected a whole number, as the field is 'integer', found '1.5'"});
  refused_after("coordinate integer general", size + "1 1 1\n1 2 inf\n", 4, {"expected a whole number"});
  refused_after("coordinate unsigned-integer general", size + "1 1 1\n1 2 -1\n", 4, {"a value below 0", "'-1'"});
  refused_after("coordinate pattern general", size + "1 1\n1 2 1\n", 4, {"a value in a 'pattern' file", "'1 2 1'"});
  refused_after("coordinate pattern general", size + "1\n1 2\n", 3, {"expected 'ROW COLUMN', found '1'"});
  refused_after("coordinate real skew-symmetric", "2 2 2\n2 1 1\n2 2 3\n", 4,
                {"a value on the diagonal of a skew-symmetric matrix is 0, found '2 2 3'"});
  refused_after("coordinate pattern skew-symmetric", "2 2 1\n2 2\n", 3, {"on the diagonal"});
  refused_after("array real general", "1 2\n1 2\n", 3, {"expected one value, found '1 2'"});
  refused_after("array real general", "1 2\n1\n", 3, {"it ends after 1 value of the 2"});
  refused_after("array real general", "1 2\n1\n2\n3\n", 5, {"more follows the 2 values that line 2 promises"});
  refused_after(coordinates, size + "1 1 " + std::string(5000, '1') + "\n1 1 1\n", 3, {"more than 4096 characters"});
}

TEST_F(MatrixMarketTest, RefusesWhatIsNoFile) {
  const auto said = [&](const std::filesystem::path& file) {
    return message_of<FileError>([&] { (void)read_matrix_market(file); });
  };
  expect_parts(said(folder / "none.mtx"), {"none.mtx: no such file"});
  expect_parts(said(folder), {"it is a folder; expected a file, .mtx (Matrix Market)"});
  expect_parts(said(write("empty.mtx", "")), {"it is empty"});
}

TEST_F(MatrixMarketTest, TellsHowFarItIsAndCanBeCancelled) {
  std::string text = "%%MatrixMarket matrix coordinate pattern general\n1000 1000 300000\n";
  for (int i = 0; i < 300'000; ++i) text += std::to_string(i % 997 + 1) + " " + std::to_string(i % 991 + 1) + "\n";
  std::vector<double> told;
  std::atomic<bool> unwanted{false};
  const WatchedWork watched(
      [&](double share) {
        told.push_back(share);
        if (told.size() == 3) unwanted = true;
      },
      &unwanted);
  EXPECT_THROW((void)matrix(text), Cancelled);
  EXPECT_EQ(told.size(), 3u);
  unwanted = false;
  EXPECT_EQ(matrix(text).entries.size() + matrix(text).merged, 300'000u);
  EXPECT_EQ(told.back(), 1);
}

}  // namespace
}  // namespace warploom
