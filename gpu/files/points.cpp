#include "gpu/files/points.h"

#include <algorithm>

#include "gpu/core/format.h"
#include "gpu/core/hash.h"
#include "gpu/files/input.h"
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

/// The points that `read` takes from the file. What the buffer throws when the disk fails is said so.
template <class Read>
Points read_from(PointSource& source, int dimensions, Read&& read) {
  InputFile input = open_input(source.file, kinds_and_titles());
  source.size = input.size;
  Points points{dimensions, {}, source.file.filename().string(), {}, {}, {}};
  try {
    read(input.stream, points);
  } catch (const std::ios_base::failure&) {
    throw source.refuse("it cannot be read to its end");
  }
  return points;
}

}  // namespace

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
  if (std::error_code failed; !std::filesystem::is_regular_file(file, failed)) open_input(file, kinds_and_titles());
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
