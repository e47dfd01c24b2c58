#pragma once
#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <string>
#include <vector>

namespace warploom {

struct PointSource;

/// A place of a sparse matrix that has a value, counted from 0.
struct MatrixEntry {
  std::uint32_t row, column;
  double value;
  friend bool operator==(const MatrixEntry&, const MatrixEntry&) = default;
};

/// A sparse matrix as a file holds it: what is symmetric is written out, each place stands once.
struct MatrixEntries {
  std::uint64_t rows = 0, columns = 0;  ///< 1 to 2^31 - 1
  std::vector<MatrixEntry> entries{};   ///< by row, within a row by column, ascending; zeros of the file are among them
  std::uint64_t merged = 0;             ///< entries, written out, that were added to one of the same place
  bool real = true;                     ///< its field is real; false: its values are whole numbers
  std::string name{};                   ///< the file's name without its folder
};

/// A matrix from a Matrix Market file (boisvert1996market): `coordinate` or `array`; `real`, `double`, `integer`,
/// `unsigned-integer` or `pattern` (every value is 1); `general`, `symmetric` or `skew-symmetric`. Its header in
/// capital or small letters; comments and empty lines anywhere. Entries come in any order, also above the diagonal of a
/// symmetric matrix; those of one place are added in double, in the order of the file. Zeros of `coordinate` stay
/// entries; those of `array` go. Values may be NaN or infinite, and become infinite where a double cannot hold them.
/// All or nothing: throws FileError naming the file, the line (counted from 1), what was expected and what was found;
/// Cancelled where the calling thread's work is unwanted (WatchedWork), which it tells how far it is.
MatrixEntries read_matrix_market(const std::filesystem::path& file);
/// The same, of a file of at least one byte that is open.
MatrixEntries read_matrix_market(std::istream& in, const PointSource& source);

}  // namespace warploom
