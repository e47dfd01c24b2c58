#include "gpu/files/points.h"

#include <algorithm>
#include <cerrno>
#include <fstream>

#include "gpu/core/format.h"
#include "gpu/core/hash.h"
#include "gpu/files/point_text.h"

namespace warploom {

// A new kind of file is one source and one line here.
// clang-format off
#define WARPLOOM_POINTS(one) \
  one(npy)                   \
  one(pdb)                   \
  one(pqr)                   \
  one(xyz)
// clang-format on

#define WARPLOOM_DECLARED(name) PointReader name##_points();
WARPLOOM_POINTS(WARPLOOM_DECLARED)
#undef WARPLOOM_DECLARED

const std::vector<PointReader>& point_readers() {
#define WARPLOOM_LISTED(name) name##_points(),
  static const std::vector<PointReader> all{WARPLOOM_POINTS(WARPLOOM_LISTED)};
#undef WARPLOOM_LISTED
  return all;
}

namespace {

/// ".npy (NumPy), .pdb (Protein Data Bank), .pqr or .xyz"
std::string kinds_and_titles() {
  return either(texts_of(point_readers(), [](const PointReader& reader) {
    return reader.extension + (reader.title.empty() ? "" : " (" + reader.title + ")");
  }));
}

std::string plane_kinds() {
  std::vector<std::string> kinds;
  for (const auto& reader : point_readers())
    if (reader.planes) kinds.push_back(reader.extension);
  return either(kinds);
}

void require_dimensions(int dimensions) {
  if (dimensions != 2 && dimensions != 3)
    throw UsageError("points in " + std::to_string(dimensions) + " dimensions; expected 2 or 3");
}

/// A file that is there and has bytes, opened; `source` learns its size.
std::ifstream opened(PointSource& source) {
  std::error_code failed;
  const auto& file = source.file;
  const auto status = std::filesystem::status(file, failed);
  if (status.type() == std::filesystem::file_type::not_found) throw source.refuse("no such file");
  if (!std::filesystem::status_known(status)) throw source.refuse("cannot be read: " + failed.message());
  if (std::filesystem::is_directory(status))
    throw source.refuse("it is a folder; expected a file, " + kinds_and_titles());
  if (!std::filesystem::is_regular_file(status))
    throw source.refuse("it is a device or a pipe; expected a file, " + kinds_and_titles());
  source.size = std::filesystem::file_size(file, failed);
  if (failed) throw source.refuse("cannot be read: " + failed.message());
  if (source.size == 0) throw source.refuse("it is empty (0 bytes); expected points");
  errno = 0;
  std::ifstream in(file, std::ios::binary);
  if (!in) throw source.refuse("cannot be read: " + std::error_code(errno, std::generic_category()).message());
  return in;
}

/// The points that `read` takes from the file. What the buffer throws when the disk fails is said so.
template <class Read>
Points read_from(PointSource& source, int dimensions, Read&& read) {
  std::ifstream in = opened(source);
  Points points{dimensions, {}, source.file.filename().string(), {}, {}, {}};
  try {
    read(in, points);
  } catch (const std::ios_base::failure&) {
    throw source.refuse("it cannot be read to its end");
  }
  return points;
}

}  // namespace

std::string extension_of(const std::filesystem::path& file) {
  std::string kind = file.extension().string();
  for (char& c : kind) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  return kind;
}

std::string point_file_kinds() { return either(texts_of(point_readers(), &PointReader::extension)); }

Points random_points(std::uint64_t count, int dimensions, std::uint64_t seed) {
  require_dimensions(dimensions);
  if (count > 1ull << 32)
    throw UsageError(std::to_string(count) + " random points are too many; at most 4294967296 are distinct");
  const auto axes = static_cast<std::uint64_t>(dimensions);
  Points points{dimensions, std::vector<float>(count * axes), "random", {}, {}, {}};
  for (std::uint64_t index = 0; index < count; ++index)
    for (std::uint64_t axis = 0; axis < axes; ++axis)
      points.coordinates[index * axes + axis] = static_cast<float>(cell_hash(seed, index, axis) >> 40) * 0x1p-24f;
  return points;
}

Points read_points(const std::filesystem::path& file, int dimensions) {
  require_dimensions(dimensions);
  PointSource source{file, 0};
  // What is not there is told before what it is called.
  if (std::error_code failed; !std::filesystem::is_regular_file(file, failed)) opened(source);
  const std::string kind = extension_of(file);
  const auto& all = point_readers();
  const auto reader =
      std::find_if(all.begin(), all.end(), [&](const PointReader& one) { return one.extension == kind; });
  if (reader == all.end())
    throw source.refuse((kind.empty() ? "no extension" : "unknown extension " + shown(kind)) + "; points come as " +
                        kinds_and_titles());
  if (!reader->planes && dimensions != 3)
    throw source.refuse("a " + kind +
                        " file always holds points in three dimensions; the domain in three dimensions takes it; the "
                        "one in two takes " +
                        plane_kinds() + ", n x 2");
  return read_from(source, dimensions, [&](std::istream& in, Points& points) { reader->read(in, source, points); });
}

Points read_rows(const std::filesystem::path& file, std::span<const std::uint64_t> columns) {
  PointSource source{file, 0};
  return read_from(source, 0, [&](std::istream& in, Points& rows) { read_npy_rows(in, source, columns, rows); });
}

}  // namespace warploom
