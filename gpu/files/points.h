#pragma once
#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <span>
#include <string>
#include <vector>

namespace warploom {

/// Points in two or three dimensions, one after another: x, y(, z).
struct Points {
  int dimensions = 2;
  std::vector<float> coordinates;
  std::string name;  ///< "random", or the file's name without its folder
  // Of atoms, one each; empty where the file does not tell.
  std::vector<std::string> symbols;    ///< of their chemical elements, as written: "O", "Na"
  std::vector<float> charges, radii;   ///< of .pqr
  std::vector<double> unrounded{};     ///< coordinates of an array of doubles that is read by rows; else empty
  std::vector<std::string> remarks{};  ///< what was left out, and why, a line each
  std::uint64_t count() const { return coordinates.size() / static_cast<std::uint64_t>(dimensions); }
};

/// Uniform in the unit square or cube, each coordinate below 1: (hash >> 40) 2^-24 with hash = cell_hash(seed, index,
/// axis), so exact in float and equal on every machine. Throws UsageError for other dimensions than 2 and 3, and for
/// more than 2^32 points, where the hashes of one axis would run into those of the next.
Points random_points(std::uint64_t count, int dimensions, std::uint64_t seed);

struct PointSource;

/// A kind of file that holds points: one file points_NAME.cpp that defines `PointReader NAME_points()`, and one line in
/// points.cpp.
struct PointReader {
  std::string extension, title;  ///< ".npy", "NumPy"; no title where the extension says it all
  bool planes;                   ///< takes two dimensions too; else three alone
  /// Reads a file of at least one byte into `points`, whose dimensions are what the caller needs. Throws FileError.
  void (*read)(std::istream& in, const PointSource& source, Points& points);
};
const std::vector<PointReader>& point_readers();
/// Their extensions: ".npy, .pdb, .pqr or .xyz".
std::string point_file_kinds();

/// Points from a file, by its extension in small or capital letters:
/// - .npy: n x 2 or n x 3 values of float32, float64, int32 or int64, little endian, C or Fortran order;
/// - .pdb: the ATOM and HETATM records of the first MODEL, columns 31-54; of an atom's alternate locations the one with
///   the highest occupancy, or the first, and of alternate residues in one place likewise;
/// - .pqr: ATOM and HETATM lines of the first MODEL whose last five words are x y z charge radius, behind which an
///   element may stand;
/// - .xyz: a line with the count, a comment line, then lines 'Symbol x y z', or in the columns that the comment's
///   'Properties=...' names; further columns and frames are ignored.
/// Values are rounded to the nearest float; the sign of a zero stays. `dimensions` (2 or 3) is what the caller needs;
/// a file of another dimension is refused, never cut down. All points or none: throws FileError naming the file, the
/// line where there is one, what was expected and what was found. Points are counted from 0, lines and columns from 1.
Points read_points(const std::filesystem::path& file, int dimensions);

/// Rows of a NumPy file with one of these numbers of columns, which `dimensions` says then; of the types that
/// read_points takes, and refused alike.
Points read_rows(const std::filesystem::path& file, std::span<const std::uint64_t> columns);

}  // namespace warploom
