#include "gpu/files/matrix_market.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <utility>

#include "gpu/core/backend.h"
#include "gpu/core/format.h"
#include "gpu/core/watched_work.h"
#include "gpu/files/point_text.h"

namespace warploom {

namespace {

constexpr std::string_view banner = "%%MatrixMarket";
constexpr const char* whole_header = "'%%MatrixMarket matrix coordinate real general'";
constexpr std::uint64_t most_rows = 0x7fffffff;

std::string in_small_letters(std::string_view word) {
  std::string small(word);
  for (char& c : small) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  return small;
}

/// What is read of a word to its end, a plus before it or not; false: it is none of the kind, or past its range (then
/// `beyond`).
template <class Number>
bool whole_word(std::string_view word, Number& number, bool& beyond) {
  if (word.starts_with('+') && !word.starts_with("+-")) word.remove_prefix(1);
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  beyond = error == std::errc::result_out_of_range && end == word.data() + word.size();
  return error == std::errc() && end == word.data() + word.size();
}

/// Where a double cannot hold it, the nearest: 0 or infinite.
std::optional<double> market_value(std::string_view word) {
  bool beyond = false;
  double value = 0;
  if (whole_word(word, value, beyond)) return value;
  if (!beyond) return {};
  long double wide = 0;
  if (whole_word(word, wide, beyond)) return static_cast<double>(wide);
  const double far = word.find("e-") != word.npos || word.find("E-") != word.npos ? 0 : HUGE_VAL;
  return word.starts_with('-') ? -far : far;
}

/// By row, then column; those of one place stay in their order. A pass over each 16 bits in which places differ.
void sort_by_place(std::vector<MatrixEntry>& entries) {
  const auto place = [](const MatrixEntry& entry) { return std::uint64_t{entry.row} << 32 | entry.column; };
  if (std::ranges::is_sorted(entries, {}, place)) return;
  constexpr std::uint64_t digits = 1u << 16;
  std::vector<MatrixEntry> other(entries.size());
  std::vector<std::uint64_t> starts(digits);
  for (int shift = 0; shift < 64; shift += 16) {
    const auto digit = [&](const MatrixEntry& entry) { return place(entry) >> shift & (digits - 1); };
    WatchedWork::go_on();
    std::ranges::fill(starts, 0u);
    for (const MatrixEntry& entry : entries) ++starts[digit(entry)];
    if (starts[digit(entries.front())] == entries.size()) continue;
    std::uint64_t before = 0;
    for (std::uint64_t& start : starts) before += std::exchange(start, before);
    for (const MatrixEntry& entry : entries) other[starts[digit(entry)]++] = entry;
    entries.swap(other);
  }
}

class MarketReader {
 public:
  MarketReader(std::istream& in, const PointSource& source) : lines_(in), source_(source) {
    matrix_.name = source.file.filename().string();
  }

  MatrixEntries read() {
    header();
    sizes();
    if (array_)
      read_array();
    else
      read_coordinates();
    if (next())
      throw refuse("more follows the " + several(count_) + " that line " + std::to_string(size_line_) +
                   " promises: " + shown(lines_.text()));
    arrange();
    return std::move(matrix_);
  }

 private:
  std::string several(std::uint64_t count) const {
    return std::to_string(count) + (array_ ? (count == 1 ? " value" : " values") : count == 1 ? " entry" : " entries");
  }
  FileError refuse(const std::string& why) const { return source_.refuse(lines_.number(), why); }

  /// To the next line that holds words, which are split; false: there is none. A word that begins with % begins a
  /// comment.
  bool next() {
    while (lines_.next()) {
      constexpr std::string_view blanks = " \t\v\f";
      const std::string_view line = lines_.text();
      words_ = 0;
      for (std::size_t at = 0; (at = line.find_first_not_of(blanks, at)) != line.npos && line[at] != '%';) {
        const std::size_t end = std::min(line.find_first_of(blanks, at), line.size());
        if (words_ < word_.size()) word_[words_] = line.substr(at, end - at);
        ++words_;
        at = end;
      }
      if (words_ > 0) return true;
      if (!known_ && line.starts_with("%%") && is_banner(line)) return true;
    }
    return false;
  }

  /// Whether its first word is the one that headers begin with, or a slip of it.
  static bool is_banner(std::string_view line) {
    const std::string word = in_small_letters(line.substr(0, line.find_first_of(" \t")));
    return nearest(word, {in_small_letters(banner), "%%"}) != "%%";
  }

  /// The word's number among `known`. Refuses others with the nearest; `complex`, which matrices may be that are not
  /// read, with `instead`.
  std::size_t one_of(const std::string& kind, std::size_t word, const std::vector<std::string>& known,
                     std::string_view complex = {}, const std::string& instead = {}) const {
    const std::string small = in_small_letters(header_.at(word));
    const auto found = std::ranges::find(known, small);
    if (found != known.end()) return static_cast<std::size_t>(found - known.begin());
    const bool is_complex = !complex.empty() && small == complex;
    throw refuse((is_complex ? "complex numbers are not read: " : "unknown ") + kind + " " + shown(header_[word]) +
                 "; did you mean '" + (is_complex ? instead : nearest(small, known)) + "'? (known: " + join(known) +
                 ")");
  }

  void header() {
    if (!next()) throw refuse(std::string("it holds no header ") + whole_header + ", and no matrix");
    if (words_ > 0)
      throw refuse(std::string("expected the header ") + whole_header + " first, found " + shown(lines_.text()));
    known_ = true;
    for (const std::string_view word : words_in(lines_.text())) header_.emplace_back(word);
    if (in_small_letters(header_[0]) != in_small_letters(banner))
      throw refuse("expected '" + std::string(banner) + "', found " + shown(header_[0]));
    if (header_.size() != 5)
      throw refuse(std::string("expected a header of five words, ") + whole_header + ", found " + shown(lines_.text()));
    (void)one_of("object", 1, {"matrix"});
    array_ = one_of("format", 2, {"coordinate", "array"}) == 1;
    constexpr std::array fields{Field::real, Field::real, Field::integer, Field::natural, Field::pattern};
    field_ =
        fields.at(one_of("field", 3, {"real", "double", "integer", "unsigned-integer", "pattern"}, "complex", "real"));
    constexpr std::array symmetries{Symmetry::general, Symmetry::symmetric, Symmetry::skew};
    symmetry_ =
        symmetries.at(one_of("symmetry", 4, {"general", "symmetric", "skew-symmetric"}, "hermitian", "symmetric"));
    if (array_ && field_ == Field::pattern)
      throw refuse("an 'array' has values, a 'pattern' has none; did you mean 'coordinate pattern'?");
    matrix_.real = field_ == Field::real;
  }

  void sizes() {
    const std::string expected = array_ ? "'ROWS COLUMNS'" : "'ROWS COLUMNS ENTRIES'";
    if (!next()) throw refuse("it ends before the line of its sizes, " + expected);
    size_line_ = lines_.number();
    std::array<std::uint64_t, 3> size{};
    const std::size_t wanted = array_ ? 2 : 3;
    bool right = words_ == wanted;
    for (std::size_t i = 0; i < wanted && right; ++i) {
      bool beyond = false;
      right = whole_word(word_[i], size[i], beyond) || beyond;
      if (beyond) size[i] = std::numeric_limits<std::uint64_t>::max();
    }
    if (!right)
      throw refuse("expected " + expected + ", whole numbers from " + (array_ ? "1" : "1, 1 and 0") + ", found " +
                   shown(lines_.text()));
    matrix_.rows = size[0];
    matrix_.columns = size[1];
    const auto text = [&](std::size_t i) { return size[i] > most_rows ? shown(word_[i]) : std::to_string(size[i]); };
    const std::string shape = text(0) + " x " + text(1);
    if (size[0] == 0 || size[1] == 0) throw refuse("a matrix of " + shape + "; it has at least one row and one column");
    if (std::max(size[0], size[1]) > most_rows)
      throw refuse("a matrix of " + shape + "; it has at most " + std::to_string(most_rows) + " rows and columns");
    if (symmetry_ != Symmetry::general && size[0] != size[1])
      throw refuse("a matrix of " + shape + " is not square, and cannot be " + header_[4]);
    const std::uint64_t stored = symmetry_ == Symmetry::general     ? size[0] * size[1]
                                 : symmetry_ == Symmetry::symmetric ? size[0] * (size[0] + 1) / 2
                                                                    : size[0] * (size[0] - 1) / 2;
    count_ = array_ ? stored : size[2];
    // The shortest lines are "0", "1 1" and "1 1 0"; the last may lack its end. No count that lies gets memory.
    if (const std::uint64_t shortest = array_                     ? 2
                                       : field_ == Field::pattern ? 4
                                                                  : 6;
        count_ > (source_.size + 1) / shortest)
      throw refuse("its " + several(count_) + " cannot stand in a file of " + std::to_string(source_.size) + " bytes");
    // As many again are needed to sort them.
    const std::uint64_t most = count_ * (symmetry_ == Symmetry::general ? 1 : 2), free = free_bytes(Backend::cpu);
    if (const std::uint64_t bytes = 2 * most * sizeof(MatrixEntry); bytes > free)
      throw refuse("its entries take " + bytes_text(static_cast<double>(bytes)) + " while they are read; " +
                   bytes_text(static_cast<double>(free)) + " are free");
    if (!array_) matrix_.entries.reserve(most);
  }

  void read_coordinates() {
    for (std::uint64_t i = 0; i < count_; ++i) {
      next_of(i);
      if (field_ == Field::pattern && words_ == 3)
        throw refuse("a value in a 'pattern' file: expected 'ROW COLUMN', found " + shown(lines_.text()));
      if (words_ != (field_ == Field::pattern ? 2 : 3))
        throw refuse(std::string("expected 'ROW COLUMN") + (field_ == Field::pattern ? "" : " VALUE") + "', found " +
                     shown(lines_.text()));
      const std::uint32_t row = index(0, "row", matrix_.rows), column = index(1, "column", matrix_.columns);
      append(row, column, field_ == Field::pattern ? 1 : value(2));
    }
  }

  /// Column by column; of symmetric matrices from the diagonal on, of skew ones below it.
  void read_array() {
    std::uint64_t i = 0;
    for (std::uint64_t column = 0; column < matrix_.columns; ++column)
      for (std::uint64_t row = symmetry_ == Symmetry::general     ? 0
                               : symmetry_ == Symmetry::symmetric ? column
                                                                  : column + 1;
           row < matrix_.rows; ++row) {
        next_of(i++);
        if (words_ != 1) throw refuse("expected one value, found " + shown(lines_.text()));
        if (const double found = value(0); found != 0)
          append(static_cast<std::uint32_t>(row), static_cast<std::uint32_t>(column), found);
      }
  }

  /// To the line of the i-th entry or value.
  void next_of(std::uint64_t i) {
    if (i % (1u << 16) == 0) {
      WatchedWork::go_on();
      WatchedWork::reached(.8 * static_cast<double>(i) / static_cast<double>(count_));
    }
    if (!next())
      throw refuse("it ends after " + several(i) + " of the " + std::to_string(count_) + " that line " +
                   std::to_string(size_line_) + " promises");
    if (lines_.cut()) throw refuse("a line of more than 4096 characters: " + shown(lines_.text()));
  }

  std::uint32_t index(std::size_t word, const std::string& what, std::uint64_t count) const {
    std::uint64_t number = 0;
    bool beyond = false;
    if (!whole_word(word_[word], number, beyond) && !beyond)
      throw refuse("expected the number of a " + what + ", found " + shown(word_[word]));
    if (beyond || number == 0 || number > count)
      throw refuse("there is no " + what + " " + (beyond ? shown(word_[word]) : std::to_string(number)) + ": " + what +
                   "s are counted from 1 to " + std::to_string(count));
    return static_cast<std::uint32_t>(number - 1);
  }

  double value(std::size_t word) const {
    const std::optional<double> found = market_value(word_[word]);
    const bool whole = field_ != Field::real;
    if (!found || (whole && (!std::isfinite(*found) || *found != std::floor(*found))))
      throw refuse(std::string("expected a ") + (whole ? "whole " : "") + "number, as the field is '" + header_[3] +
                   "', found " + shown(word_[word]));
    if (field_ == Field::natural && *found < 0)
      throw refuse("a value below 0, but the field is '" + header_[3] + "': " + shown(word_[word]));
    return *found;
  }

  void append(std::uint32_t row, std::uint32_t column, double value) {
    if (symmetry_ == Symmetry::skew && row == column && value != 0)
      throw refuse("a value on the diagonal of a skew-symmetric matrix is 0, found " + shown(lines_.text()));
    matrix_.entries.push_back({row, column, value});
    if (symmetry_ != Symmetry::general && row != column)
      matrix_.entries.push_back({column, row, symmetry_ == Symmetry::skew ? -value : value});
  }

  void arrange() {
    std::vector<MatrixEntry>& entries = matrix_.entries;
    sort_by_place(entries);
    std::size_t kept = 0;
    for (const MatrixEntry& entry : entries) {
      if (kept > 0 && entries[kept - 1].row == entry.row && entries[kept - 1].column == entry.column)
        entries[kept - 1].value += entry.value;
      else
        entries[kept++] = entry;
    }
    matrix_.merged = entries.size() - kept;
    entries.resize(kept);
    WatchedWork::reached(1);
  }

  enum class Field { real, integer, natural, pattern };
  enum class Symmetry { general, symmetric, skew };

  PointLines lines_;
  const PointSource& source_;
  MatrixEntries matrix_;
  std::array<std::string_view, 3> word_;
  std::size_t words_ = 0;  ///< of the line: there may be more than are kept
  std::vector<std::string> header_;
  bool known_ = false;  ///< the header is
  bool array_ = false;
  Field field_ = Field::real;
  Symmetry symmetry_ = Symmetry::general;
  std::uint64_t size_line_ = 0, count_ = 0;
};

}  // namespace

MatrixEntries read_matrix_market(std::istream& in, const PointSource& source) {
  return MarketReader(in, source).read();
}

MatrixEntries read_matrix_market(const std::filesystem::path& file) {
  InputFile input = open_input(file, ".mtx (Matrix Market)");
  return read_matrix_market(input.stream, PointSource{file, input.size});
}

}  // namespace warploom
