#pragma once
#include <cstdint>
#include <filesystem>
#include <istream>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "gpu/core/error.h"
#include "gpu/files/input.h"
#include "gpu/files/points.h"

// What the readers of points share: refusals, and text line by line.

namespace warploom {

/// A file that is being read, and the two forms of its refusals.
struct PointSource {
  const std::filesystem::path& file;
  std::uint64_t size;

  FileError refuse(const std::string& why) const { return FileError(file.string() + ": " + why); }
  FileError refuse(std::uint64_t line, const std::string& why) const {
    return FileError(file.string() + ":" + std::to_string(line) + ": " + why);
  }
};

/// A number as a message shows it.
std::string shown(double value);

/// Why a value cannot be a coordinate; null where it can.
const char* coordinate_fault(double value);
/// "point 4 (of those counted from 0), axis y"; of further columns "column 3"
std::string coordinate_name(std::uint64_t point, std::uint64_t axis);

/// A NumPy file's rows of one of so many columns, which `rows.dimensions` says then. Throws FileError.
void read_npy_rows(std::istream& in, const PointSource& source, std::span<const std::uint64_t> columns, Points& rows);

/// Without the blanks and tabs around it.
std::string_view trimmed(std::string_view text);
/// Its words, separated by blanks or tabs.
std::vector<std::string_view> words_in(std::string_view line);

/// A text file line by line. Lines end with \n, \r\n or \r, and `limit` characters of each are kept: no coordinate
/// stands beyond them, and a binary file without line ends must not fill the memory.
class PointLines {
 public:
  explicit PointLines(std::istream& in) : bytes_(*in.rdbuf()) {}

  /// To the next line; false: there is none.
  bool next();
  std::string_view text() const { return text_; }
  bool cut() const { return cut_; }  ///< the line is longer than what was kept
  std::uint64_t number() const { return number_; }

 private:
  std::streambuf& bytes_;
  std::string text_;
  bool cut_ = false;
  std::uint64_t number_ = 0;
};

/// The number that a word is, the whole word, whatever the program's locale; none where it is not one. What a double
/// cannot hold, too large or too small, comes back as infinity.
std::optional<double> number_of(std::string_view word);

/// Appends the coordinate that `word` holds; whose it is follows from what is there already. Throws FileError.
void append_coordinate(Points& points, std::string_view word, const PointSource& source, std::uint64_t line,
                       std::string_view place = "");

}  // namespace warploom
